// The impulse model's shock propagation: a tall stack with too few sweeps stands, and the price shows.
#include <gtest/gtest.h>

#include "physics/scene_builders.h"

namespace touchstone::testing {
namespace {

class ImpulseShockIn : public ::testing::TestWithParam<int> {
 protected:
  const int d = GetParam();
};
INSTANTIATE_TEST_SUITE_P(Dimension, ImpulseShockIn, ::testing::Values(2, 3), dimension_name);

constexpr int kCubes = 20;

// Cubes of 1 m with gaps of 1 cm: they fall onto each other, so that no impulse is known beforehand.
SceneDescription loose_stack(int d, const std::string& preset) {
  SceneDescription scene = impulse_floor(d, material(0.5), 1.0 / 60);
  use_impulse(scene, preset);
  for (int i = 0; i < kCubes; ++i)
    scene.bodies.push_back(body("cube" + std::to_string(i), plate(d, 1, 1, 1), (0.5 + 1.01 * i) * up(d)));
  return scene;
}

struct Outcome {
  double height = 0, drift = 0;  // of the top cube [m]
  double penetration = 0;        // in the run [m]
  double kinetic = 0;            // at the end [J]
  double momentum_error = 0;
};
Outcome outcome(const SceneDescription& scene, double seconds) {
  Simulation sim(scene);
  sim.set_yardstick(true);
  Outcome out;
  for (auto n = std::llround(seconds / sim.step_size()); n > 0; --n) {
    const StepReport& r = sim.step();
    out.penetration = std::max(out.penetration, r.max_penetration);
    out.momentum_error = std::max(out.momentum_error, r.measures.momentum_error.worst);
  }
  const Eigen::Vector3d top = sim.state(sim.find_body("cube19")).center_of_mass, z = up(scene.dimension);
  out.height = top.dot(z);
  out.drift = (top - z * out.height).norm();
  out.kinetic = sim.report().kinetic_energy;
  return out;
}

TEST_P(ImpulseShockIn, ALooseStackStandsWithTwoSweeps) {
  SceneDescription scene = loose_stack(d, "fast");
  const Outcome without = outcome(scene, 10);
  scene.model.options["shock_propagation"] = true;
  const Outcome with = outcome(scene, 10);
  // Two sweeps do not carry the load of twenty cubes from one end to the other: the stack comes down.
  EXPECT_LT(without.height, 10);
  check("fast_height_m", with.height, kCubes - 0.5, 1e-3);
  check("fast_drift_mm", with.drift * 1e3, 0, 2);
  EXPECT_LT(with.kinetic, 1e-3);
  EXPECT_LT(10 * with.penetration, without.penetration);
  RecordProperty("penetration_mm",
                 std::to_string(with.penetration * 1e3) + ", without " + std::to_string(without.penetration * 1e3));
}

// What lies above is pushed without a reaction, and the yardstick says so; sweeps keep the balance to rounding.
TEST_P(ImpulseShockIn, ThePriceIsTheBalanceOfMomentum) {
  SceneDescription scene = loose_stack(d, "fast");
  EXPECT_LT(outcome(scene, 0.5).momentum_error, 1e-12);
  scene.model.options["shock_propagation"] = true;
  EXPECT_GT(outcome(scene, 0.5).momentum_error, 1e-3);
}

// Where the sweeps have converged, nothing is left to do.
TEST_P(ImpulseShockIn, ItLeavesAConvergedBlockAlone) {
  Incline slope = block_on_incline(d, 30, 0.3, 1.0);
  use_impulse(slope.scene, "default");
  const auto distance = [&](bool shock) {
    slope.scene.model.options["shock_propagation"] = shock;
    Simulation sim(slope.scene);
    const BodyId block = sim.find_body("block");
    const Eigen::Vector3d start = sim.state(block).center_of_mass;
    run(sim, 1);
    return Eigen::Vector3d(sim.state(block).center_of_mass - start).dot(slope.downhill);
  };
  check_relative("slid_m", distance(true), distance(false), 1e-3);
}

TEST_P(ImpulseShockIn, OffIsTheDefault) {
  SceneDescription scene = loose_stack(d, "default");
  Simulation plain(scene);
  scene.model.options["shock_propagation"] = false;
  scene.model.options["sleep"] = false;
  Simulation off(scene);
  for (int i = 0; i < 120; ++i) {
    plain.step(), off.step();
    ASSERT_EQ(plain.state_hash(), off.state_hash()) << "step " << i + 1;
  }
}

}  // namespace
}  // namespace touchstone::testing

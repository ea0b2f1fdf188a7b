// The impulse model: friction in the default preset, and friction that grows with the slip. The catalogue's sliding
// blocks are in tests/conformance.
#include <gtest/gtest.h>

#include "physics/scene_builders.h"

namespace touchstone::testing {
namespace {

class ImpulseFrictionIn : public ::testing::TestWithParam<int> {
 protected:
  const int d = GetParam();
};
INSTANTIATE_TEST_SUITE_P(Dimension, ImpulseFrictionIn, ::testing::Values(2, 3), dimension_name);

// What people run: the default preset at 60 steps a second.
TEST_P(ImpulseFrictionIn, ABlockDoesNotCreepInTheDefaultPreset) {
  Incline incline = block_on_incline(d, 26.5651 - 0.1, 0.5, 0, 1.0 / 60);
  use_impulse(incline.scene, "default");
  Simulation sim(incline.scene);
  const BodyId block = sim.find_body("block");
  run(sim, 2);
  const Eigen::Vector3d settled = sim.state(block).center_of_mass;
  run(sim, 10);
  check("creep_nm_per_s", (sim.state(block).center_of_mass - settled).norm() * 1e9 / 10, 0, 100);
}

// Friction that grows with the slip. On a slope of angle α a block comes to slide at the speed where
// μ·cos α·v/√(v² + s²) = sin α: v = s·q/√(1 − q²) with q = tan α/μ.
TEST_P(ImpulseFrictionIn, ABlockCreepsWhereFrictionGrowsWithTheSlip) {
  for (const double friction : {0.3, 0.5, 2.0}) {
    Incline incline = block_on_incline(d, 10, friction, 0);
    use_impulse(incline.scene);
    incline.scene.model.options["slip_speed"] = 0.01;
    Simulation sim(incline.scene);
    run(sim, 0.5);
    const double q = std::tan(radians(10)) / friction;
    check_relative("creep_speed", sim.state(sim.find_body("block")).velocity.dot(incline.downhill),
                   0.01 * q / std::sqrt(1 - q * q), 1e-6);
    EXPECT_EQ(sim.report().status, StepStatus::kOk);
  }
}

}  // namespace
}  // namespace touchstone::testing

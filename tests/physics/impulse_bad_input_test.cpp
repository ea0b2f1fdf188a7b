// The impulse model with scenes that nobody should give it: never NaN, never endless, and nothing flies off.
#include <gtest/gtest.h>

#include "physics/scene_builders.h"

namespace touchstone::testing {
namespace {

class ImpulseBadInputIn : public ::testing::TestWithParam<std::tuple<int, const char*>> {
 protected:
  const int d = std::get<0>(GetParam());
  const std::string preset = std::get<1>(GetParam());
};
INSTANTIATE_TEST_SUITE_P(Case, ImpulseBadInputIn,
                         ::testing::Combine(::testing::Values(2, 3), ::testing::Values("accurate", "default", "fast")),
                         [](const auto& i) {
                           return std::to_string(std::get<0>(i.param)) + "D_" + std::get<1>(i.param);
                         });

constexpr double kPushSpeed = 0.5;  // [m/s], of every preset

bool finite(const Simulation& sim) {
  const auto all = [](std::span<const double> x) {
    return std::all_of(x.begin(), x.end(), [](double v) { return std::isfinite(v); });
  };
  return all(sim.positions()) && all(sim.orientations()) && all(sim.velocities()) && all(sim.angular_velocities());
}

double gap(const Simulation& sim, const char* a, const char* b) {
  return sim.closest_points(sim.find_body(a), sim.find_body(b))->gap;
}

// Two bodies in empty space that overlap are parted no faster than they may be, and stay where they are then.
void check_parted(SceneDescription scene, bool to_the_end) {
  scene.gravity.setZero();
  Simulation sim(scene);
  double before = gap(sim, "a", "b");
  for (int i = 0; i < 1500; ++i) {
    sim.step();
    ASSERT_TRUE(finite(sim));
    const double now = gap(sim, "a", "b");
    // 1 %: bodies turn while they are pushed along the normal that the step began with.
    ASSERT_LE(now - before, kPushSpeed * scene.step * 1.01) << "step " << i;
    ASSERT_LT(sim.report().max_speed, 1e-9) << "parting must not become motion, step " << i;
    before = now;
  }
  if (to_the_end) {
    EXPECT_NEAR(before, 0, 1e-4);
  }
}

TEST_P(ImpulseBadInputIn, OverlappingBodiesArePushedApartGently) {
  for (const ShapeDescription& shape : {plate(d, 0.4, 0.4, 0.4), sphere(0.2)}) {
    SceneDescription scene = impulse_scene(d, 1e-3, preset);
    scene.bodies = {body("a", shape), body("b", shape, {0.3, 0.02, 0})};
    check_parted(scene, true);
  }
}

TEST_P(ImpulseBadInputIn, CoincidentBodies) {
  for (const ShapeDescription& shape : {plate(d, 0.4, 0.4, 0.4), sphere(0.2), capsule(0.1, 0.2)}) {
    SceneDescription scene = impulse_scene(d, 1e-3, preset);
    scene.bodies = {body("a", shape), body("b", shape)};
    check_parted(scene, false);
  }
}

TEST_P(ImpulseBadInputIn, AHeapOfCoincidentBodies) {
  SceneDescription scene = impulse_floor(d, material(0.5, 0.5));
  use_impulse(scene, preset);
  for (int i = 0; i < 10; ++i)
    scene.bodies.push_back(body("b" + std::to_string(i), i % 2 ? plate(d, 0.2, 0.2, 0.2) : sphere(0.1), 0.1 * up(d)));
  Simulation sim(scene);
  double fastest = 0;
  for (int i = 0; i < 400; ++i) {
    sim.step();
    ASSERT_TRUE(finite(sim));
    fastest = std::max(fastest, sim.report().max_speed);
  }
  EXPECT_LT(fastest, 5.0);  // a fall from where parting may lift them; not an explosion
}

TEST_P(ImpulseBadInputIn, TouchingBodiesWithoutForcesGetNoImpulse) {
  SceneDescription scene = impulse_floor(d, material(0.5, 0.5), 1.0 / 60);
  use_impulse(scene, preset);
  scene.gravity.setZero();
  for (int i = 0; i < 5; ++i)
    scene.bodies.push_back(body("b" + std::to_string(i), plate(d, 0.5, 0.5, 0.5), (0.25 + 0.5 * i) * up(d)));
  scene.bodies.push_back(body("ball", sphere(0.25), 2.75 * up(d)));
  Simulation sim(scene);
  const std::vector<double> before(sim.positions().begin(), sim.positions().end());
  for (int i = 0; i < 100; ++i) {
    sim.step();
    EXPECT_EQ(sim.report().contacts, 0);
    EXPECT_EQ(sim.report().status, StepStatus::kOk);
  }
  EXPECT_EQ(before, std::vector<double>(sim.positions().begin(), sim.positions().end()));
  for (const double v : sim.velocities()) EXPECT_EQ(v, 0.0);
  for (const double v : sim.angular_velocities()) EXPECT_EQ(v, 0.0);
}

// Two cubes of 0.2 m, one of 1 g. Returns whether they stand as they were put; the step must say if they do not.
bool cubes_stand(int d, const std::string& preset, double heavy, bool heavy_on_top) {
  SceneDescription scene = impulse_floor(d, material(0.5), 1.0 / 60);
  use_impulse(scene, preset);
  scene.bodies.push_back(body("low", plate(d, 0.2, 0.2, 0.2), 0.1 * up(d)));
  scene.bodies.push_back(body("high", plate(d, 0.2, 0.2, 0.2), 0.3 * up(d)));
  scene.bodies[heavy_on_top ? 2 : 1].mass = heavy;
  scene.bodies[heavy_on_top ? 1 : 2].mass = 1e-3;
  Simulation sim(scene);
  bool reported = false;
  for (int i = 0; i < 300; ++i) {
    sim.step();
    EXPECT_TRUE(finite(sim)) << "step " << i;
    reported |= sim.report().status != StepStatus::kOk;
  }
  const auto height = [&](const char* name) { return sim.state(sim.find_body(name)).center_of_mass.dot(up(d)); };
  const bool stands = std::abs(height("low") - 0.1) < 1e-4 && std::abs(height("high") - 0.3) < 1e-4;
  EXPECT_TRUE(stands || reported);
  return stands;
}

TEST_P(ImpulseBadInputIn, MassRatios) {
  EXPECT_TRUE(cubes_stand(d, preset, 1e6, false));
  EXPECT_TRUE(cubes_stand(d, preset, 1, true));
  if (preset != "fast") {
    EXPECT_TRUE(cubes_stand(d, preset, 10, true));
  }
  cubes_stand(d, preset, 1e6, true);  // a billion on top: beyond the digits of the solver, which must say so
}

// A second a step: bodies fall 10 m in one. It must come to an end, stay finite, and say so where it has not converged.
TEST_P(ImpulseBadInputIn, AStepThatIsFarTooLarge) {
  SceneDescription scene = impulse_floor(d, material(0.5, 0.5), 1.0);
  use_impulse(scene, preset);
  for (int i = 0; i < 12; ++i)
    scene.bodies.push_back(body("b" + std::to_string(i), i % 2 ? plate(d, 0.2, 0.2, 0.2) : sphere(0.1),
                                in_plane(d, 0.15 * (i % 5), 0.3 + 0.25 * (i / 5))));
  Simulation sim(scene);
  bool reported = false;
  std::int64_t iterations = 0;
  for (int i = 0; i < 30; ++i) {
    try {
      sim.step();
    } catch (const Error& e) {
      EXPECT_EQ(e.kind(), ErrorKind::kUnstable) << e.what();
      reported = true;
      break;
    }
    ASSERT_TRUE(finite(sim));
    reported |= sim.report().status != StepStatus::kOk;
    iterations += sim.report().iterations;
  }
  EXPECT_LT(iterations, 400000);  // thirty steps of at most ten predictions, each with its cap on sweeps
  RecordProperty("iterations", std::to_string(iterations));
  RecordProperty("reported", reported ? "yes" : "no");
  RecordProperty("greatest_penetration", std::to_string(sim.report().max_penetration));
  EXPECT_TRUE(reported || sim.report().max_penetration < 1e-2);
}

TEST_P(ImpulseBadInputIn, RefusesOptionsThatMakeNoSense) {
  for (const Options& o :
       {Options{{"tolerance", 0.0}}, Options{{"push_speed", -1.0}}, Options{{"preset", "exact"}},
        Options{{"max_iterations", std::int64_t{0}}}, Options{{"timing", "never"}}, Options{{"stiffness", 1.0}}}) {
    SceneDescription scene = impulse_floor(d, material(0.5));
    scene.model.options = o;
    EXPECT_THROW(Simulation{scene}, Error) << o.begin()->first;
  }
}

}  // namespace
}  // namespace touchstone::testing

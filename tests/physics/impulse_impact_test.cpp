// The impulse model: a row of balls that nearly touch, and momentum. The catalogue's collisions are in
// tests/conformance.
#include <gtest/gtest.h>

#include <random>

#include "physics/scene_builders.h"

namespace touchstone::testing {
namespace {

class ImpulseImpactIn : public ::testing::TestWithParam<int> {
 protected:
  const int d = GetParam();
};
INSTANTIATE_TEST_SUITE_P(Dimension, ImpulseImpactIn, ::testing::Values(2, 3), dimension_name);

// Free balls in a row, some distance apart, the first k of which come with speed 1: the last k leave with it.
void check_row(int d, int k, double apart) {
  SceneDescription scene = impulse_scene(d);
  scene.gravity.setZero();
  scene.materials = {material(0.3, 1)};
  for (int i = 0; i < 5; ++i) {
    scene.bodies.push_back(body("ball" + std::to_string(i), sphere(0.1), {(0.2 + apart) * i, 0, 0}));
    if (i < k) scene.bodies.back().velocity = {1, 0, 0};
  }
  Simulation sim(scene);
  for (int i = 0; i < 100; ++i) {
    sim.step();
    ASSERT_EQ(sim.report().status, StepStatus::kOk) << "step " << i;
  }
  for (int i = 0; i < 5; ++i)
    check("B13_k" + std::to_string(k) + "_v" + std::to_string(i), sim.state(sim.bodies()[i]).velocity.x(),
          i < 5 - k ? 0 : 1, 1e-9);
}

TEST_P(ImpulseImpactIn, B13TheLastBallsOfARowLeave) {
  for (const int k : {1, 2, 3}) check_row(d, k, 1e-4);
}

// Bodies of all kinds that fly into each other in empty space. Those that neither bounce nor slip become one, and what
// they slip is taken back by moving them, which is no impact: without restitution there is no friction here.
TEST_P(ImpulseImpactIn, FreeBodiesKeepTheirMomentum) {
  for (const double restitution : {0.0, 0.6}) {
    SceneDescription scene = impulse_scene(d);
    scene.gravity.setZero();
    scene.materials = {material(restitution > 0 ? 0.4 : 0.0, restitution)};
    std::mt19937 random(7);
    std::uniform_real_distribution<double> unit(-1, 1);
    double scale = 0;
    for (int i = 0; i < 12; ++i) {
      const ShapeDescription shape = i % 3 == 0   ? sphere(0.15)
                                     : i % 3 == 1 ? plate(d, 0.3, 0.2, 0.25)
                                                  : capsule(0.08, 0.2);
      const double a = 2 * M_PI * i / 12;
      BodyDescription b = body("b" + std::to_string(i), shape, in_plane(d, std::cos(a), std::sin(a)));
      b.velocity = -in_plane(d, std::cos(a), std::sin(a)) + 0.3 * in_plane(d, unit(random), unit(random));
      b.angular_velocity = 3 * unit(random) * turn_axis(d);
      b.mass = 1 + 0.5 * unit(random);
      scale += *b.mass * b.velocity.norm();
      scene.bodies.push_back(b);
    }
    Simulation sim(scene);
    double worst_linear = 0, worst_angular = 0;
    std::int64_t met = 0;
    Eigen::Vector3d p = sim.report().momentum, l = sim.report().angular_momentum;
    for (int i = 0; i < 2000; ++i) {
      const StepReport& r = sim.step();
      worst_linear = std::max(worst_linear, (r.momentum - p).norm() / scale);
      if (r.max_penetration == 0) worst_angular = std::max(worst_angular, (r.angular_momentum - l).norm() / scale);
      p = r.momentum, l = r.angular_momentum;
      met += r.contacts;
    }
    EXPECT_GT(met, 20);
    check("momentum_change_e12", worst_linear * 1e12, 0, 1);
    check("angular_momentum_change_e12", worst_angular * 1e12, 0, 1);
  }
}

}  // namespace
}  // namespace touchstone::testing

// B48: a gyroscope on a ball joint, under `lagrange`.
#include <gtest/gtest.h>

#include "physics/scene_builders.h"

namespace touchstone::testing {
namespace {

// A disk of 1 kg and R = 0.1 m, 0.1 m from the ball joint on its axis, that turns at 200 rad/s about the axis and
// precesses at `rate` [rad/s] about the vertical. Returns the measured rate; checks tilt, energy and joint.
double precession(double tilt, double rate, double h, double seconds) {
  constexpr double kArm = 0.1, kRadius = 0.1, kSpin = 200;
  SceneDescription scene = empty_scene(3, h);
  scene.model.name = "lagrange";
  scene.integrator = Integrator::kRk4;
  BodyDescription top;
  top.name = "top";
  top.mass = 1;
  const double axial = 0.5 * kRadius * kRadius;
  top.inertia = Eigen::Vector3d(0.5 * axial, 0.5 * axial, axial).asDiagonal();
  top.placement.orientation = Eigen::AngleAxisd(tilt, Eigen::Vector3d::UnitY());
  const Eigen::Vector3d axis = top.placement.orientation * Eigen::Vector3d::UnitZ();
  top.placement.position = kArm * axis;
  top.angular_velocity = rate * Eigen::Vector3d::UnitZ() + (kSpin - rate * std::cos(tilt)) * axis;
  top.velocity = top.angular_velocity.cross(top.placement.position);
  JointDescription ball;
  ball.kind = JointKind::kBall;
  ball.body_b = "top";
  ball.point = Eigen::Vector3d::Zero();
  scene.bodies = {top}, scene.joints = {ball};
  Simulation sim(scene);
  const BodyId id = sim.find_body("top");
  const double start = sim.report().energy();
  double turned_by = 0, before = std::atan2(axis.y(), axis.x());
  while (sim.time() < seconds) {
    sim.step();
    const Eigen::Vector3d a = sim.state(id).placement.orientation * Eigen::Vector3d::UnitZ();
    const double now = std::atan2(a.y(), a.x());
    turned_by += std::remainder(now - before, 2 * std::numbers::pi);
    before = now;
    EXPECT_NEAR(std::acos(a.z()), tilt, 1e-5) << "at t = " << sim.time();
    EXPECT_LT(sim.joint(0).position_error, 1e-8);
    EXPECT_LT(std::abs(sim.report().energy() / start - 1), 1e-6);
    if (::testing::Test::HasFailure()) break;
  }
  return turned_by / sim.time();
}

TEST(LagrangeTop, B48HorizontalAndTiltedSteadyPrecession) {
  EXPECT_NEAR(precession(radians(90), 0.981, 5e-4, 2), 0.981, 1e-5);
  EXPECT_NEAR(precession(radians(60), 0.9870904, 5e-4, 2), 0.987090, 1e-5);
  EXPECT_NEAR(precession(radians(60), 159.01290957, 1e-4, 0.5), 159.0129, 1e-3);
}

}  // namespace
}  // namespace touchstone::testing

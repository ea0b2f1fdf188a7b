// Joints under the ncp model: they hold at the end of every step, and the motion is right.
#include <gtest/gtest.h>

#include "physics/chain_scene.h"

namespace touchstone::testing {
namespace {

using Eigen::Vector3d;

class NcpJointsIn : public ::testing::TestWithParam<int> {
 protected:
  const int d_ = GetParam();
};
INSTANTIATE_TEST_SUITE_P(Dimension, NcpJointsIn, ::testing::Values(2, 3),
                         [](const auto& i) { return std::to_string(i.param) + "D"; });

SceneDescription with_ncp(int d, double h = 1e-3) {
  SceneDescription scene = empty_scene(d, h);
  scene.model.name = "ncp";
  scene.integrator = Integrator::kSemiImplicitEuler;
  return scene;
}

// A bar that hangs by one end from the origin, let go when level.
SceneDescription pendulum(int d, double h = 1e-3) {
  SceneDescription scene = with_ncp(d, h);
  scene.bodies = {body("bar", d == 2 ? box(1, 0.1) : box(1, 0.1, 0.1), {0.5, 0, 0})};
  JointDescription j;
  j.kind = JointKind::kHinge;
  j.body_b = "bar";
  j.point = Vector3d::Zero();
  if (d == 3) j.axis = Vector3d::UnitY();
  scene.joints = {j};
  return scene;
}

TEST_P(NcpJointsIn, APendulumKeepsItsLengthAndItsEnergy) {
  Simulation sim(pendulum(d_));
  sim.set_yardstick(true);
  const BodyId bar = sim.find_body("bar");
  sim.step();
  const double start = sim.report().energy(), swing = 1 * 100 * kGravity * 0.5 * (d_ == 2 ? 1 : 0.1);  // m·g·L/2
  double longest = 0, momentum = 0, energy = 0;
  for (int i = 0; i < 5000; ++i) {
    const StepReport& r = sim.step();
    ASSERT_EQ(r.status, StepStatus::kOk) << i;
    longest = std::max(longest, std::abs(sim.state(bar).center_of_mass.norm() - 0.5));
    momentum = std::max(momentum, r.measures.momentum_error.worst);
    energy = std::max(energy, std::abs(r.energy() - start) / swing);
    ASSERT_LT(sim.joint(0).position_error, 1e-9);
    ASSERT_LT(sim.joint(0).velocity_error, 1e-9);
  }
  EXPECT_LT(longest, 1e-9);
  EXPECT_LT(momentum, 1e-10);
  EXPECT_LT(energy, 0.01);  // it swings about the right one by the order of h; none is lost
  EXPECT_NEAR(sim.report().energy(), start, 0.01 * swing);
}

// Its force at the start and at the lowest point: m·g/4 when let go; 2.5·m·g from below.
TEST_P(NcpJointsIn, APendulumPullsAsItShould) {
  Simulation sim(pendulum(d_, 1e-4));
  const double weight = kGravity * (d_ == 2 ? 100 : 10);
  sim.step();
  EXPECT_NEAR(sim.joint(0).impulse.dot(up(d_)) / 1e-4, weight / 4, 1e-2 * weight);
  double greatest = 0;
  for (int i = 0; i < 12000; ++i) {
    sim.step();
    greatest = std::max(greatest, sim.joint(0).impulse.dot(up(d_)) / 1e-4);
  }
  EXPECT_NEAR(greatest, 2.5 * weight, 0.01 * weight);
}

TEST_P(NcpJointsIn, LimitsStopAndMotorsDrive) {
  SceneDescription scene = pendulum(d_);
  scene.joints[0].lower = -2.0, scene.joints[0].upper = 2.0;
  Simulation stops(scene);
  const double down = 2.0;
  double furthest = 0;
  for (int i = 0; i < 3000; ++i) {
    stops.step();
    furthest = std::max(furthest, std::abs(stops.joint(0).coordinate));
  }
  EXPECT_LT(furthest, down + 1e-9);
  scene.gravity.setZero();
  scene.joints[0].lower.reset(), scene.joints[0].upper.reset();
  scene.joints[0].motor_speed = 3, scene.joints[0].motor_max_force = 10;
  Simulation drives(scene);
  const double mass = d_ == 2 ? 100 : 10, inertia = mass * (1 + 0.01) / 12 + mass * 0.25;
  for (int i = 0; i < 100; ++i) drives.step();
  EXPECT_NEAR(drives.joint(0).coordinate_rate, 0.1 * 10 / inertia, 1e-6);  // as fast as its torque can
  for (int i = 0; i < 15000; ++i) drives.step();
  EXPECT_NEAR(drives.joint(0).coordinate_rate, 3, 1e-5);  // of the step's mean; the end's differs by (ωh)²
}

// A chain of links that falls on the floor: contacts and joints at once.
TEST_P(NcpJointsIn, AChainOnTheFloor) {
  SceneDescription scene = with_ncp(d_, 2e-3);
  add_falling_chain(d_, scene);
  Simulation sim(scene);
  sim.set_yardstick(true);
  for (int i = 0; i < 500; ++i) {
    const StepReport& r = sim.step();
    const double map = r.measures.natural_map_velocity.worst;
    ASSERT_EQ(r.status, StepStatus::kOk) << i;
    ASSERT_LT(map, 1e-9) << i;
    ASSERT_LT(r.measures.momentum_error.worst, 1e-10) << i;
    ASSERT_LT(r.measures.joint_position.worst, 1e-6) << i;
  }
  EXPECT_LT(sim.report().kinetic_energy, 1e-6);
  Simulation again(scene);
  again.set_yardstick(true);
  again.restore(sim.snapshot());
  for (int i = 0; i < 5; ++i) sim.step(), again.step();
  EXPECT_EQ(sim.state_hash(), again.state_hash());
}

}  // namespace
}  // namespace touchstone::testing

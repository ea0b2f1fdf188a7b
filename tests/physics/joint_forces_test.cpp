// Forces of joints under every model that takes joints, against formulas: friction, motors, springs, targets, breaking.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "physics/joint_models.h"

namespace touchstone::testing {
namespace {

using Eigen::Vector3d;

class JointForces : public JointModel {};
INSTANTIATE_TEST_SUITE_P(Models, JointForces, ::testing::ValuesIn(models_with_joints()),
                         [](const auto& test) { return test.param; });

// A wheel that friction brakes: ω = ω₀ − τ t/I, at rest from ω₀ I/τ on, all its energy gone into the joint.
TEST_P(JointForces, DryFrictionStopsAWheelInTime) {
  for (const int d : {2, 3}) {
    SceneDescription s = weightless(d);
    s.bodies = {ball_of("wheel", 1, 0.2)};
    s.bodies[0].angular_velocity = 5 * turn_axis(d);
    JointDescription j = joint_of(JointKind::kHinge, "", "wheel");
    j.point = Vector3d::Zero(), j.friction = 2;
    if (d == 3) j.axis = turn_axis(3);
    s.joints = {j};
    Simulation sim(s);
    run(sim, 250);
    EXPECT_NEAR(sim.joint(0).coordinate_rate, 2.5, 1e-9);  // 5·0.2/2 = 0.5 s is the whole time
    EXPECT_NEAR(sim.joint(0).torque.dot(turn_axis(d)), -2, 1e-7);
    run(sim, 249);
    EXPECT_NEAR(sim.joint(0).coordinate_rate, 0.01, 1e-9);
    run(sim, 2);
    EXPECT_NEAR(sim.joint(0).coordinate_rate, 0, 1e-9);
    const double stopped = sim.joint(0).coordinate;
    run(sim, 100);
    EXPECT_NEAR(sim.joint(0).coordinate, stopped, 1e-9);
    EXPECT_NEAR(sim.report().joint_work, -0.5 * 0.2 * 25, 1e-7);
    EXPECT_NEAR(sim.report().motor_work, 0, 1e-12);
  }
}

// On a slope, friction of a slider holds less than it can, and else takes its share.
TEST_P(JointForces, DryFrictionHoldsOrBrakesASlider) {
  for (const double friction : {12.0, 6.0}) {
    SceneDescription s = scene_of(2);
    s.bodies = {ball_of("sled", 2, 0.02)};
    JointDescription j = joint_of(JointKind::kSlider, "", "sled");
    j.axis = Vector3d(std::cos(radians(30)), -std::sin(radians(30)), 0), j.friction = friction;
    s.joints = {j};
    Simulation sim(s);
    run(sim, 500);
    const double pull = 2 * kGravity * 0.5;  // 9.81 N down the slope
    EXPECT_NEAR(sim.joint(0).coordinate_rate, std::max(0.0, 0.5 * (pull - friction) / 2), 1e-9);
    EXPECT_NEAR(sim.joint(0).joint_force.x(), -std::min(pull, friction), 1e-6);
  }
}

// A motor has what friction leaves: α = (M − τ)/I up to its speed, which it then keeps; a weaker one does not start.
TEST_P(JointForces, AMotorTurnsAgainstFriction) {
  for (const double torque : {5.0, 1.5}) {
    SceneDescription s = weightless(2);
    s.bodies = {ball_of("wheel", 1, 0.5)};
    JointDescription j = joint_of(JointKind::kHinge, "", "wheel");
    j.point = Vector3d::Zero(), j.friction = 2, j.motor_speed = 3, j.motor_max_force = torque;
    s.joints = {j};
    Simulation sim(s);
    run(sim, 200);
    EXPECT_NEAR(sim.joint(0).coordinate_rate, torque > 2 ? 0.2 * (torque - 2) / 0.5 : 0.0, 1e-8);
    run(sim, 800);
    EXPECT_NEAR(sim.joint(0).coordinate_rate, torque > 2 ? 3.0 : 0.0, 1e-8);
    EXPECT_NEAR(sim.joint(0).torque.z(), 0, 1e-5);  // the two together
    sim.set_motor(0, MotorCommand::speed(0, 1));    // a brake beside friction: two rows with one aim
    run(sim, 1000);
    EXPECT_NEAR(sim.joint(0).coordinate_rate, 0, 1e-8);
  }
}

// A motor of a given force is that force.
TEST_P(JointForces, AForceMotorGivesItsForce) {
  SceneDescription s = weightless(2);
  s.bodies = {ball_of("block", 4, 0.02)};
  JointDescription j = joint_of(JointKind::kSlider, "", "block");
  j.axis = Vector3d::UnitX(), j.motor_force = -3, j.motor_until = 0.5;
  s.joints = {j};
  Simulation sim(s);
  run(sim, 1000);
  const double v = verlet() ? -3.0 / 4 * 0.4995 : -3.0 / 4 * 0.5;  // at the end of the last step it is off
  EXPECT_NEAR(sim.joint(0).coordinate_rate, v, 1e-9);
  EXPECT_NEAR(sim.report().motor_work, 0.5 * 4 * v * v, 1e-9);
  EXPECT_LT(std::abs(sim.report().energy_balance), 1e-9);
}

// x″ = −(k/m)(x − rest) by the symplectic Euler method is x_{n+1} − 2 x_n + x_{n−1} = −h² (k/m)(x_n − rest), to the
// last digits; and a spring joint is the spring that scenes have had.
TEST_P(JointForces, ASpringIsTheSpringOfTheScene) {
  const auto course = [&](bool joint) {
    SceneDescription s = weightless(3);
    s.bodies = {ball_of("bob", 2, 0.02, {1, 0, 0})};
    s.bodies[0].velocity = Vector3d(0, 0.3, 0);
    if (joint) {
      JointDescription j = joint_of(JointKind::kSpring, "", "bob");
      j.point_a = Vector3d::Zero(), j.stiffness = 50, j.damping = 0.3, j.rest = 0.8;
      s.joints = {j};
    } else {
      SpringDescription spring;
      spring.body_b = "bob", spring.stiffness = 50, spring.damping = 0.3, spring.rest_length = 0.8;
      s.springs = {spring};
    }
    Simulation sim(s);
    run(sim, 1500);
    EXPECT_LT(std::abs(sim.report().energy_balance), 0.01);
    return sim.state(sim.find_body("bob")).center_of_mass;
  };
  EXPECT_LT((course(true) - course(false)).norm(), 1e-10);
}
TEST_P(JointForces, ASpringOnASliderFollowsItsDifferenceEquation) {
  SceneDescription s = weightless(2);
  s.bodies = {ball_of("block", 2, 0.02)};
  JointDescription j = joint_of(JointKind::kSlider, "", "block");
  j.axis = Vector3d(3, 4, 0), j.stiffness = 800, j.rest = 0.25;
  s.joints = {j};
  Simulation sim(s);
  std::vector<double> x{0};
  for (int i = 0; i < 500; ++i) {
    run(sim, 1);
    x.push_back(sim.joint(0).coordinate);
  }
  for (std::size_t i = 2; i < x.size(); ++i)
    ASSERT_NEAR(x[i] - 2 * x[i - 1] + x[i - 2], -1e-6 * 400 * (x[i - 1] - 0.25), 1e-9) << i;
  EXPECT_NEAR(*std::max_element(x.begin(), x.end()), 0.5, 1e-3);
}

// A torsion spring with a damper: ω_d = √(k/I − (c/2I)²), the amplitude falls as exp(−c t/2I).
TEST_P(JointForces, ATorsionSpringSwingsAndDecays) {
  for (const int d : {2, 3}) {
    SceneDescription s = weightless(d, 2e-4);
    s.bodies = {ball_of("wheel", 1, 0.5)};
    s.bodies[0].angular_velocity = turn_axis(d);
    JointDescription j = joint_of(JointKind::kHinge, "", "wheel");
    j.point = Vector3d::Zero(), j.stiffness = 20, j.damping = 1;
    if (d == 3) j.axis = turn_axis(3);
    s.joints = {j};
    Simulation sim(s);
    run(sim, 5000);
    const double decay = 1 / (2 * 0.5), swing = std::sqrt(20 / 0.5 - decay * decay);
    EXPECT_NEAR(sim.joint(0).coordinate, std::exp(-decay) / swing * std::sin(swing), 2e-4);  // order one in the step
  }
}

// Far from its place a target pulls with its force along the line; near it the error falls by 1 − h/τ in each step.
TEST_P(JointForces, ATargetPullsAndHolds) {
  for (const int d : {2, 3}) {
    SceneDescription s = weightless(d);
    s.bodies = {ball_of("bob", 2, 0.02)};
    JointDescription j = joint_of(JointKind::kTarget, "", "bob");
    j.point_a = in_plane(d, 30, 40), j.motor_max_force = 5;
    s.joints = {j};
    Simulation sim(s);
    run(sim, 400);
    EXPECT_LT((sim.state(sim.find_body("bob")).velocity - in_plane(d, 0.6, 0.8)).norm(), 1e-8);  // 5/2·0.4
    EXPECT_NEAR(sim.joint(0).force.norm(), 5, 1e-6);

    s.gravity = -kGravity * up(d);
    s.joints[0].point_a = in_plane(d, 0.03, 0.04), s.joints[0].motor_max_force = 1e4, s.joints[0].motor_response = 0.02;
    Simulation near(s);
    run(near, 100);
    const double left = 0.05 * std::pow(1 - 1e-3 / 0.02, 100);
    EXPECT_NEAR((near.state(near.find_body("bob")).center_of_mass - in_plane(d, 0.03, 0.04)).norm(), left,
                verlet() ? 0.05 * left : 1e-8);
    near.set_target(0, in_plane(d, -0.1, 0));
    run(near, 1000);
    EXPECT_LT((near.state(near.find_body("bob")).center_of_mass - in_plane(d, -0.1, 0)).norm(), 1e-8);
    EXPECT_LT((near.joint(0).force - 2 * kGravity * up(d)).norm(), 1e-4);  // it holds the weight
    near.set_motor(0, MotorCommand::off());
    run(near, 100);
    EXPECT_NEAR(near.state(near.find_body("bob")).velocity.dot(up(d)), -0.1 * kGravity, 1e-7);
  }
}

// A force that grows by 10 N/s: the weld breaks after the first step whose mean reaction is above its bound.
TEST_P(JointForces, AWeldBreaksAtItsLoad) {
  SceneDescription s = scene_of(2);
  s.bodies = {ball_of("bob", 1, 0.02)};
  JointDescription j = joint_of(JointKind::kFixed, "", "bob");
  j.break_force = 12.3451;
  s.joints = {j};
  Simulation sim(s);
  const auto load = [](int step) { return 0.01 * step; };
  int broke = 0;
  for (int i = 1; i <= 400 && broke == 0; ++i) {
    sim.apply_force(sim.find_body("bob"), Vector3d(0, -load(i), 0));
    run(sim, 1);
    if (!sim.joint_events().empty()) broke = i;
  }
  EXPECT_EQ(broke, 254);  // 9.81 + 2.53 = 12.34 holds, 12.35 breaks
  EXPECT_NEAR(sim.joint_events()[0].force.y(), 9.81 + 2.54, 1e-6);
  EXPECT_NEAR(sim.joint_events()[0].time, 0.254, 1e-12);
  EXPECT_TRUE(sim.joint(0).broken);
  run(sim, 100);
  EXPECT_TRUE(sim.joint_events().empty());
  EXPECT_NEAR(sim.state(sim.find_body("bob")).velocity.y(), -0.1 * kGravity, 1e-8);
  EXPECT_EQ(sim.joint(0).force.norm(), 0);
}

// The torque at the wall of a beam that is loaded at its end.
TEST_P(JointForces, ABeamBreaksByItsTorque) {
  SceneDescription s = scene_of(3);
  s.bodies = {ball_of("beam", 1, 0.1, {0.5, 0, 0})};
  JointDescription j = joint_of(JointKind::kFixed, "", "beam");
  j.point = Vector3d::Zero(), j.break_torque = 6;
  s.joints = {j};
  Simulation sim(s);
  run(sim, 10);
  EXPECT_LT((sim.joint(0).torque - Vector3d(0, -0.5 * kGravity, 0)).norm(), 1e-6);  // on the beam: holds its end up
  EXPECT_FALSE(sim.joint(0).broken);
  sim.apply_force_at(sim.find_body("beam"), Vector3d(0, 0, -2), Vector3d(1, 0, 0));  // 4.905 + 2 N·m
  run(sim, 1);
  EXPECT_TRUE(sim.joint(0).broken);
}

}  // namespace
}  // namespace touchstone::testing

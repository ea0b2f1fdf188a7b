// Each kind of joint under every model that takes joints, against formulas.
#include <gtest/gtest.h>

#include <cmath>

#include "physics/joint_models.h"

namespace touchstone::testing {
namespace {

using Eigen::Vector3d;

class JointKinds : public JointModel {};
INSTANTIATE_TEST_SUITE_P(Models, JointKinds, ::testing::ValuesIn(models_with_joints()),
                         [](const auto& test) { return test.param; });

// A nut on an upright screw: m g p = (m p² + I) α, so that it falls with g/(1 + I/(m p²)), turning; many turns.
TEST_P(JointKinds, ANutFallsOnItsScrew) {
  for (const double pitch : {0.05, -0.02}) {
    SceneDescription s = scene_of(3);
    constexpr double kMass = 2, kInertia = 0.01;
    s.bodies = {ball_of("nut", kMass, kInertia)};
    JointDescription j = joint_of(JointKind::kScrew, "", "nut");
    j.point = Vector3d::Zero(), j.axis = Vector3d(0, 0, 3), j.pitch = pitch;
    s.joints = {j};
    Simulation sim(s);
    run(sim, 2000);
    const double a = kGravity / (1 + kInertia / (kMass * pitch * pitch));
    const BodyState nut = sim.state(sim.find_body("nut"));
    EXPECT_NEAR(nut.velocity.z(), -2 * a, 1e-8);
    EXPECT_NEAR(nut.angular_velocity.z(), -2 * a / pitch, 1e-8 / std::abs(pitch));
    EXPECT_NEAR(sim.joint(0).coordinate, -way(a, 2000), 1e-7);
    EXPECT_GT(std::abs(sim.joint(0).coordinate / pitch), 2 * 2 * std::numbers::pi);
    // The thread carries what gravity does not get: on the nut, up, and its torque.
    EXPECT_NEAR(sim.joint(0).force.z(), kMass * (kGravity - a), 1e-5);
    EXPECT_NEAR(sim.joint(0).torque.z(), -kInertia * a / pitch, 1e-5);
  }
}

// τ = (I_a + ρ² I_b) α_a: the wheel behind a gear counts with the square of the ratio.
TEST_P(JointKinds, AGearReflectsInertia) {
  for (const double ratio : {-2.0, 0.5}) {
    SceneDescription s = scene_of(2);
    constexpr double kA = 0.3, kB = 0.05, kTorque = 2;
    s.bodies = {ball_of("a", 1, kA), ball_of("b", 2, kB, {1, 0, 0})};
    JointDescription pin_a = joint_of(JointKind::kHinge, "", "a"), pin_b = joint_of(JointKind::kHinge, "", "b");
    pin_a.point = Vector3d::Zero(), pin_b.point = Vector3d(1, 0, 0);
    pin_a.name = "pin_a", pin_b.name = "pin_b";
    pin_a.motor_force = kTorque;
    JointDescription gear = joint_of(JointKind::kGear, "a", "b");
    gear.ratio = ratio;
    s.joints = {pin_a, pin_b, gear};
    Simulation sim(s);
    run(sim, 1000);
    const double alpha = kTorque / (kA + ratio * ratio * kB);
    EXPECT_NEAR(sim.state(sim.find_body("a")).angular_velocity.z(), alpha, 1e-8);
    EXPECT_NEAR(sim.state(sim.find_body("b")).angular_velocity.z(), ratio * alpha, 1e-8);
    EXPECT_NEAR(sim.state(sim.find_body("b")).placement.angle, ratio * sim.state(sim.find_body("a")).placement.angle,
                1e-8);
    EXPECT_NEAR(sim.joint(2).torque.z(), kB * ratio * alpha, 1e-6);  // on b
    EXPECT_LT(sim.joint(2).force.norm(), 1e-9);
    EXPECT_NEAR(sim.report().motor_work, 0.5 * (kA + ratio * ratio * kB) * alpha * alpha, 1e-6);
    EXPECT_LT(std::abs(sim.report().energy_made()), 1e-6);
  }
}

// On a slope of 30°: down it with g sin 30°, across it and about its normal free.
TEST_P(JointKinds, APlanarJointSlidesAndSpinsInItsPlane) {
  SceneDescription s = scene_of(3);
  const Vector3d normal(std::sin(radians(30)), 0, std::cos(radians(30))), down(normal.z(), 0, -normal.x());
  s.bodies = {ball_of("puck", 2, 0.01)};
  s.bodies[0].velocity = Vector3d(0, 0.4, 0), s.bodies[0].angular_velocity = 3 * normal;
  JointDescription j = joint_of(JointKind::kPlanar, "", "puck");
  j.point = Vector3d::Zero(), j.axis = normal;
  s.joints = {j};
  Simulation sim(s);
  run(sim, 500);
  const BodyState puck = sim.state(sim.find_body("puck"));
  const double a = kGravity * std::sin(radians(30));
  EXPECT_LT((puck.velocity - Vector3d(0.5 * a * down + Vector3d(0, 0.4, 0))).norm(), 1e-9);
  EXPECT_LT((puck.angular_velocity - 3 * normal).norm(), 1e-9);
  EXPECT_LT(std::abs(puck.center_of_mass.dot(normal)), 1e-9);
  EXPECT_NEAR(sim.joint(0).coordinate, 1.5, 1e-9);
  EXPECT_NEAR(sim.joint(0).joint_force.x(), 2 * kGravity * std::cos(radians(30)), 1e-6);  // x: the normal
  EXPECT_LT(sim.joint(0).joint_torque.norm(), 1e-7);
}

// On an axis of 30°: down it with g sin 30°, about it free; what would tip it is held.
TEST_P(JointKinds, ACylindricalJointSlidesAndTurns) {
  SceneDescription s = scene_of(3);
  const Vector3d along(std::cos(radians(30)), 0, -std::sin(radians(30)));
  s.bodies = {ball_of("ring", 2, 0.01)};
  s.bodies[0].angular_velocity = 4 * along;
  JointDescription j = joint_of(JointKind::kCylindrical, "", "ring");
  j.point = Vector3d::Zero(), j.axis = along, j.upper = 2.0;
  s.joints = {j};
  Simulation sim(s);
  run(sim, 500);
  const double a = kGravity * std::sin(radians(30));
  const BodyState ring = sim.state(sim.find_body("ring"));
  EXPECT_LT((ring.velocity - 0.5 * a * along).norm(), 1e-9);
  EXPECT_LT((ring.angular_velocity - 4 * along).norm(), 1e-9);
  EXPECT_NEAR(sim.joint(0).coordinate, way(a, 500), 1e-9);
  run(sim, 1000);  // against its stop, still turning
  EXPECT_NEAR(sim.joint(0).coordinate, 2.0, 1e-6);
  EXPECT_NEAR(sim.joint(0).coordinate_rate, 0, 1e-6);
  EXPECT_LT((sim.state(sim.find_body("ring")).angular_velocity - 4 * along).norm(), 1e-9);
  EXPECT_NEAR(sim.joint(0).joint_force.x(), -2 * a, 1e-4);  // the stop pushes back up
}

// Slack it does nothing; taut it carries the weight, and the body stays within its length.
TEST_P(JointKinds, ARopeGoesTaut) {
  for (const int d : {2, 3}) {
    SceneDescription s = scene_of(d);
    s.bodies = {ball_of("weight", 3, 0.02)};
    JointDescription j = joint_of(JointKind::kRope, "", "weight");
    j.point_a = Vector3d::Zero(), j.length = 0.5;
    s.joints = {j};
    Simulation sim(s);
    int fell = 0;
    double longest = 0;
    for (int i = 1; i <= 1000; ++i) {
      ASSERT_EQ(sim.step().status, StepStatus::kOk) << i;
      const JointReport r = sim.joint(0);
      if (r.force.norm() == 0 && fell == i - 1) fell = i;
      longest = std::max(longest, r.coordinate);
    }
    // g h² n (n + 1)/2 passes 0.5 m in step 319; a model may slow the weight a step before, so that it arrives there.
    EXPECT_NEAR(fell, 318, 1);
    EXPECT_LT(longest, 0.5 + 1e-7);
    EXPECT_NEAR(sim.joint(0).coordinate, 0.5, 1e-6);
    EXPECT_LT((sim.joint(0).force - 3 * kGravity * up(d)).norm(), 1e-5);  // on the weight
  }
}

// The bead on a circle is the end of a rod; the same rows, by another way.
TEST_P(JointKinds, ABeadOnACircleIsAPendulum) {
  const auto swing = [&](bool bead, const std::string& curve) {
    SceneDescription s = scene_of(2);
    s.bodies = {ball_of("bob", 2, 0.02, {0.8, -0.6, 0})};
    JointDescription j = joint_of(bead ? JointKind::kBead : JointKind::kDistance, "", "bob");
    if (bead) j.curve = curve;
    s.joints = {j};
    Simulation sim(s);
    run(sim, 2000);
    EXPECT_LT(std::abs(sim.state(sim.find_body("bob")).center_of_mass.norm() - 1), 1e-8);
    return sim.state(sim.find_body("bob")).center_of_mass;
  };
  const Vector3d rod = swing(false, "");
  EXPECT_LT((swing(true, "x^2 + y^2 = 1") - rod).norm(), 1e-6);
  EXPECT_LT((swing(true, "1e-3*log(x^2 + y^2)") - rod).norm(), 1e-6);  // the scale of f does not matter
  EXPECT_LT((swing(true, "sqrt(1 - x^2) + y = 0") - rod).norm(), 1e-6);
}

// A bead on y = x²/2 against x″ = −x (x′² + g)/(1 + x²) by a fourth-order method in small steps: the error is of the
// model's order in time, the first at least.
TEST_P(JointKinds, ABeadOnAParabola) {
  const auto reference = [] {
    Eigen::Vector2d y(1, 0);  // x, x′
    const auto rate = [](const Eigen::Vector2d& s) {
      return Eigen::Vector2d(s[1], -s[0] * (s[1] * s[1] + kGravity) / (1 + s[0] * s[0]));
    };
    constexpr double h = 1e-4;
    for (int i = 0; i < 10000; ++i) {
      const Eigen::Vector2d a = rate(y), b = rate(y + 0.5 * h * a), c = rate(y + 0.5 * h * b), d = rate(y + h * c);
      y += h / 6 * (a + 2 * b + 2 * c + d);
    }
    return y[0];
  };
  const auto error = [&](double h) {
    SceneDescription s = scene_of(2, h);
    s.bodies = {ball_of("bead", 2, 0.02, {1, 0.5, 0})};
    JointDescription j = joint_of(JointKind::kBead, "", "bead");
    j.curve = "y = x^2/2";
    s.joints = {j};
    Simulation sim(s);
    run(sim, static_cast<int>(std::lround(1 / h)));
    const Vector3d at = sim.state(sim.find_body("bead")).center_of_mass;
    EXPECT_NEAR(at.y(), 0.5 * at.x() * at.x(), 1e-8);
    return std::abs(at.x() - reference());
  };
  const double coarse = error(2e-3), fine = error(5e-4);
  EXPECT_LT(fine, 2e-3);
  EXPECT_GT(coarse / fine, 3.4);  // four times shorter: order one gives 4
}

// A curve that is fixed to a body moves with it: both together fall as one, and the bead stays on the turning curve.
TEST_P(JointKinds, ABeadOnACurveOfAMovingBody) {
  SceneDescription s = weightless(2);
  s.bodies = {ball_of("wheel", 5, 0.5), ball_of("bead", 1, 0.01, {1, 1, 0})};
  s.bodies[0].placement.angle = std::numbers::pi / 2;  // its x is the world's y
  s.bodies[0].angular_velocity = Vector3d(0, 0, 2), s.bodies[1].velocity = Vector3d(-2, 2, 0);
  JointDescription j = joint_of(JointKind::kBead, "wheel", "bead");
  j.curve = "y = -x^2";  // (1, −1) is the bead
  s.joints = {j};
  Simulation sim(s);
  const Vector3d momentum = sim.report().momentum;
  const double spin = sim.report().angular_momentum.z();
  run(sim, 1000);
  EXPECT_LT((sim.report().momentum - momentum).norm(), 1e-12);
  EXPECT_NEAR(sim.report().angular_momentum.z(), spin, moves_afterwards() ? 1e-6 : 1e-9);
  EXPECT_LT(sim.joint(0).position_error, 1e-8);
}

// Two pins in one place are one pin.
TEST_P(JointKinds, TwoCoincidentPinsAreOne) {
  for (const int d : {2, 3}) {
    const auto swing = [&](int pins) {
      SceneDescription s = scene_of(d);
      s.bodies = {ball_of("bob", 2, 0.02, {0.5, 0, 0})};
      JointDescription j = joint_of(JointKind::kHinge, "", "bob");
      j.name.clear();
      j.point = Vector3d::Zero();
      if (d == 3) j.axis = turn_axis(3);
      s.joints.assign(static_cast<std::size_t>(pins), j);
      Simulation sim(s);
      run(sim, 500);
      Vector3d force = Vector3d::Zero();
      for (std::size_t i = 0; i < sim.joint_count(); ++i) force += sim.joint(i).force;
      return std::pair(sim.state(sim.find_body("bob")).center_of_mass, force);
    };
    const auto one = swing(1), two = swing(2);
    EXPECT_LT((one.first - two.first).norm(), moves_afterwards() ? 2e-6 : 1e-7) << d;
    EXPECT_LT((one.second - two.second).norm(), 1e-3) << d;  // the two share it somehow
  }
}

// Two welds that cannot both hold: a named error or a report, and the state before the step is kept if it is an error.
TEST_P(JointKinds, ContradictoryJointsAreReported) {
  SceneDescription s = scene_of(2);
  s.bodies = {ball_of("bob", 1, 0.02), ball_of("mover", 1, 0.02, {1, 0, 0})};
  s.bodies[1].kind = BodyKind::kKinematic;
  s.bodies[1].mass.reset(), s.bodies[1].inertia.reset();
  s.bodies[1].motion = PrescribedMotion{};
  s.bodies[1].motion->velocity = Vector3d(1, 0, 0);
  JointDescription to_world = joint_of(JointKind::kFixed, "", "bob"),
                   to_mover = joint_of(JointKind::kFixed, "mover", "bob");
  to_mover.name = "other";
  s.joints = {to_world, to_mover};
  Simulation sim(s);
  std::string said;
  for (int i = 0; i < 50 && said.empty(); ++i) {
    const BodyState before = sim.state(sim.find_body("bob"));
    try {
      if (sim.step().status != StepStatus::kOk) said = sim.report().reason;
    } catch (const Error& e) {
      said = e.what();
      EXPECT_EQ(sim.state(sim.find_body("bob")).center_of_mass, before.center_of_mass);
      EXPECT_NE(said.find("joint"), std::string::npos) << said;
    }
  }
  EXPECT_FALSE(said.empty());
  EXPECT_TRUE(sim.state(sim.find_body("bob")).center_of_mass.allFinite());
}

// Between steps: limits the wrong way round, a rod without length, a body that a joint holds. Each is named, and the
// run goes on as if nothing had been asked.
TEST_P(JointKinds, MistakesBetweenStepsAreNamedAndChangeNothing) {
  const auto scene = [&] {
    SceneDescription s = scene_of(2);
    s.bodies = {ball_of("upper", 1, 0.02, {0.5, 0, 0}), ball_of("lower", 1, 0.02, {1.5, 0, 0})};
    s.joints = {joint_of(JointKind::kHinge, "", "upper"), joint_of(JointKind::kHinge, "upper", "lower")};
    s.joints[0].point = Vector3d::Zero(), s.joints[1].point = Vector3d(1, 0, 0);
    s.joints[0].name = "first", s.joints[1].name = "second";
    return s;
  };
  Simulation sim(scene()), other(scene());
  const auto refused = [](const auto& change, const char* part) {
    try {
      change();
      ADD_FAILURE() << "was taken: " << part;
    } catch (const Error& e) {
      EXPECT_NE(std::string(e.what()).find(part), std::string::npos) << e.what();
    }
  };
  run(sim, 20), run(other, 20);
  const BodyId lower = sim.find_body("lower");
  JointDescription rod = joint_of(JointKind::kDistance, "", "lower");
  rod.name = "rod";
  rod.point_a = sim.state(lower).center_of_mass, rod.point_b = Vector3d::Zero();
  refused([&] { sim.add_joint(rod); }, "rod");
  rod.point_a = Vector3d::Zero(), rod.lower = 2, rod.upper = 1;
  refused([&] { sim.add_joint(rod); }, "lower must not be above upper");
  refused([&] { sim.set_limits(0, 0.5, -0.5); }, "lower must not be above upper");
  refused([&] { sim.remove_body(lower); }, "'second' is attached to it");
  run(sim, 20), run(other, 20);
  EXPECT_EQ(sim.state_hash(), other.state_hash());
  sim.remove_joint(1);
  sim.remove_body(lower);
  run(sim, 20);
}

}  // namespace
}  // namespace touchstone::testing

// Joints that are made, changed and removed while a world runs; broken ones; snapshots of all of it.
#include <gtest/gtest.h>

#include <limits>

#include "physics/scene_builders.h"

namespace touchstone::testing {
namespace {

using Eigen::Vector3d;
const double kNaN = std::numeric_limits<double>::quiet_NaN();

JointDescription named(const std::string& name, JointKind kind, const std::string& a, const std::string& b) {
  JointDescription j;
  j.name = name, j.kind = kind, j.body_a = a, j.body_b = b;
  return j;
}

// One of each kind that something can be changed of.
SceneDescription changeable() {
  SceneDescription s = empty_scene(2);
  for (int i = 0; i < 7; ++i) s.bodies.push_back(body("b" + std::to_string(i), box(0.2, 0.2), {2.0 * i, 0, 0}));
  s.bodies[6].gravity_scale = 0;  // nothing carries it
  JointDescription pin = named("pin", JointKind::kHinge, "", "b0"), rail = named("rail", JointKind::kSlider, "", "b1");
  pin.point = Vector3d(0, 0.5, 0), rail.axis = Vector3d(1, 0, 0);
  JointDescription rope = named("rope", JointKind::kRope, "", "b2"), rod = named("rod", JointKind::kDistance, "", "b3");
  rope.point_a = Vector3d(4, 1, 0), rope.length = 1.5, rod.point_a = Vector3d(6, 1, 0);
  JointDescription hand = named("hand", JointKind::kTarget, "", "b4"),
                   gear = named("gear", JointKind::kGear, "b5", "b6");
  hand.motor_max_force = 1e4, gear.ratio = 2;
  JointDescription weld = named("weld", JointKind::kFixed, "", "b5");
  s.joints = {pin, rail, rope, rod, hand, gear, weld};
  return s;
}

void refused(const std::function<void()>& change, const std::string& part) {
  try {
    change();
    ADD_FAILURE() << "was taken: " << part;
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::kBadInput);
    EXPECT_NE(std::string(e.what()).find(part), std::string::npos) << e.what();
  }
}

TEST(JointChanges, MistakesAreNamed) {
  Simulation sim(changeable());
  const auto at = [&](const char* name) { return sim.find_joint(name); };
  refused([&] { sim.set_target(at("pin"), Vector3d::Zero()); }, "joint 'pin': a pin joint has no target");
  refused([&] { sim.set_target(at("hand"), Vector3d(kNaN, 0, 0)); }, "must be finite");
  refused([&] { sim.set_target(at("hand"), Vector3d(0, 0, 1)); }, "z = 0");
  refused([&] { sim.set_limits(at("weld"), 0, 1); }, "a weld joint has no limits");
  refused([&] { sim.set_limits(at("pin"), 1, -1); }, "lower must not be above upper");
  refused([&] { sim.set_limits(at("pin"), -4, 1); }, "between -π and π");
  refused([&] { sim.set_limits(at("rail"), kNaN, 1); }, "must be finite");
  refused([&] { sim.set_limits(at("rail"), 0.5, 1); }, "outside the new limits; move it there first");
  refused([&] { sim.set_limits(at("rope"), 0.1, 2); }, "a rope has an upper limit");
  refused([&] { sim.set_limits(at("rope"), {}, 0.5); }, "outside the new limits");
  refused([&] { sim.set_limits(at("rod"), -1, {}); }, "must not be negative");
  refused([&] { sim.set_ratio(at("pin"), 2); }, "a pin joint has no ratio");
  refused([&] { sim.set_ratio(at("gear"), 0); }, "not zero");
  refused([&] { sim.set_spring(at("weld"), 1, 1, 0); }, "a weld joint has no spring");
  refused([&] { sim.set_spring(at("rod"), 1, 1, 0); }, "the coordinate is held");
  refused([&] { sim.set_spring(at("rail"), -1, 1, 0); }, "not negative");
  refused([&] { sim.set_friction(at("rail"), kNaN); }, "finite and not negative");
  refused([&] { sim.set_friction(at("gear"), 1); }, "a gear joint has no friction");
  refused([&] { sim.set_motor(at("hand"), MotorCommand::speed(1, 1)); }, "a target joint takes");
  refused([&] { sim.set_motor(at("gear"), MotorCommand::force(1)); }, "a gear joint has no motor");
  refused([&] { sim.set_motor(at("pin"), MotorCommand::force(kNaN)); }, "must be finite");
  refused([&] { sim.set_motor(at("rod"), MotorCommand::speed(1, 1)); }, "the length is held");
  refused([&] { sim.set_motor(at("rope"), MotorCommand::speed(1, 1)); }, "a rope joint has no motor");
  refused([&] { sim.set_collide(99, true); }, "there is no joint 99");
  sim.step();
}

TEST(JointChanges, LimitsSpringsFrictionAndRatioAct) {
  Simulation sim(changeable());
  const std::size_t rail = sim.find_joint("rail"), rope = sim.find_joint("rope"), gear = sim.find_joint("gear");
  sim.set_limits(rail, {}, 0.05);
  sim.set_motor(rail, MotorCommand::force(1000));
  sim.set_limits(rope, {}, 1.2);
  for (int i = 0; i < 1000; ++i) sim.step();
  EXPECT_NEAR(sim.joint(rail).coordinate, 0.05, 1e-6);
  EXPECT_NEAR(sim.joint(rope).coordinate, 1.2, 1e-6);
  sim.set_limits(rail, {}, {});
  sim.set_motor(rail, MotorCommand::off());
  const double balance = sim.report().energy_balance;
  sim.set_spring(rail, 1e4, 400, 0.02);  // 40 kg: critically damped at 1265 N·s/m
  for (int i = 0; i < 3000; ++i) sim.step();
  EXPECT_NEAR(sim.joint(rail).coordinate, 0.02, 1e-6);
  // Setting the spring, which then held 4.5 J, is nobody's work; before, 0.17 J were lost in Euler's free fall.
  EXPECT_NEAR(sim.report().energy_balance, balance, 0.01);
  sim.set_spring(rail, 0, 0, 0);
  sim.set_friction(rail, 500);
  sim.set_motor(rail, MotorCommand::force(499));
  for (int i = 0; i < 100; ++i) sim.step();
  EXPECT_NEAR(sim.joint(rail).coordinate_rate, 0, 1e-6);
  sim.set_motor(rail, MotorCommand::force(501));
  for (int i = 0; i < 100; ++i) sim.step();
  EXPECT_GT(sim.joint(rail).coordinate_rate, 1e-3);
  sim.set_ratio(gear, -1);
  for (int i = 0; i < 10; ++i) sim.step();
  EXPECT_LT(sim.joint(gear).angle_error, 1e-8);
}

// A rod that gets limits may move between them; without limits again it keeps the length that it then has.
TEST(JointChanges, ARodBecomesATelescopeAndARodAgain) {
  SceneDescription s = empty_scene(2);
  s.bodies = {body("bob", box(0.2, 0.2))};
  JointDescription rod = named("rod", JointKind::kDistance, "", "bob");
  rod.point_a = Vector3d(0, 1, 0);
  s.joints = {rod};
  Simulation sim(s);
  for (int i = 0; i < 10; ++i) sim.step();
  EXPECT_NEAR(sim.joint(0).coordinate, 1, 1e-8);
  sim.set_limits(0, 0.5, 1.5);
  for (int i = 0; i < 100; ++i) sim.step();
  const double now = sim.joint(0).coordinate;
  EXPECT_NEAR(now, 1 + 0.5 * 9.81 * 1e-6 * 100 * 101, 1e-4);
  sim.set_limits(0, {}, {});
  for (int i = 0; i < 100; ++i) sim.step();
  EXPECT_NEAR(sim.joint(0).coordinate, now, 1e-8);
}

// Two boxes, one on the other, joined by a slider: they go through each other unless they may collide.
TEST(JointChanges, CollisionsOfAPairGoOnAndOff) {
  SceneDescription s = empty_scene(2);
  s.bodies = {fixed("floor", box(2, 0.2)), body("box", box(0.2, 0.2), {0, 0.4, 0})};
  JointDescription rail = named("rail", JointKind::kSlider, "floor", "box");
  rail.axis = Vector3d(0, 1, 0);
  s.joints = {rail};
  Simulation sim(s);
  sim.set_collide(0, true);
  for (int i = 0; i < 1000; ++i) sim.step();
  EXPECT_NEAR(sim.state(sim.find_body("box")).center_of_mass.y(), 0.2, 1e-3);
  EXPECT_GT(sim.contact_count(), 0u);
  sim.set_collide(0, false);
  for (int i = 0; i < 100; ++i) sim.step();
  EXPECT_LT(sim.state(sim.find_body("box")).center_of_mass.y(), 0.17);
  EXPECT_EQ(sim.contact_count(), 0u);
  sim.remove_joint(0);
  JointDescription free = rail;
  free.collide = true;
  sim.add_joint(free);
  for (int i = 0; i < 1000; ++i) sim.step();
  EXPECT_GT(sim.state(sim.find_body("box")).center_of_mass.y(), 0.19);  // pushed out of the floor again
}

SceneDescription breaking() {
  SceneDescription s = changeable();
  s.joints[2].break_force = 100;  // the rope; 0.04 m² at 1000 kg/m² weigh 392 N
  return s;
}

TEST(JointChanges, ABrokenJointKeepsItsIndexAndHoldsNothing) {
  Simulation sim(breaking());
  const std::size_t rope = sim.find_joint("rope");
  int events = 0;
  for (int i = 0; i < 1000; ++i) {
    sim.step();
    for (const JointEvent& e : sim.joint_events()) {
      ++events;
      EXPECT_EQ(e.joint, rope);
      EXPECT_GT(e.force.norm(), 100);
      EXPECT_EQ(e.time, sim.time());
    }
  }
  EXPECT_EQ(events, 1);
  EXPECT_EQ(sim.joint_count(), 7u);
  EXPECT_TRUE(sim.joint(rope).broken);
  EXPECT_EQ(sim.joint(rope).coordinate, 0);
  EXPECT_EQ(sim.joint(rope).position_error, 0);
  refused([&] { sim.set_limits(rope, {}, 5); }, "joint 'rope' is broken");
  EXPECT_THROW(sim.remove_body(sim.find_body("b0")), Error);  // its pin holds it
  sim.remove_body(sim.find_body("b2"));
  sim.step();
  EXPECT_FALSE(sim.joint(rope).body_b);
  refused([&] { sim.add_joint(named("new", JointKind::kRope, "", "b2")); }, "there is no body 'b2'");
  sim.remove_joint(rope);
  EXPECT_EQ(sim.joint_count(), 6u);
  sim.step();
}

// A broken joint lets its bodies touch again; and the energy of a spring that breaks is accounted for.
TEST(JointChanges, WhatBreakingLeavesBehind) {
  SceneDescription s = empty_scene(2);
  s.bodies = {fixed("floor", box(2, 0.2)), body("box", box(0.2, 0.2), {0, 0.4, 0})};
  JointDescription spring = named("spring", JointKind::kSpring, "floor", "box");
  spring.stiffness = 4000, spring.rest = 0.4, spring.break_force = 600;
  s.joints = {spring};
  Simulation sim(s);
  for (int i = 0; i < 2000; ++i) sim.step();
  EXPECT_TRUE(sim.joint(0).broken);  // 392 N at rest, twice that at the lowest point
  EXPECT_EQ(sim.report().spring_energy, 0);
  EXPECT_NEAR(sim.report().joint_work, -0.5 * 600 * 600 / 4000, 1);
  EXPECT_LT(std::abs(sim.report().energy_balance), 0.3);  // of symplectic Euler: h·F·v/2 with 600 N and 1 m/s
  EXPECT_NEAR(sim.state(sim.find_body("box")).center_of_mass.y(), 0.2, 1e-3);
}

// A snapshot holds every field: what follows is the same bits, in the same world and in a new one.
TEST(JointChanges, SnapshotsHoldAll) {
  const auto prepared = [] {
    SceneDescription s = breaking();
    s.bodies.push_back(body("bead", box(0.1, 0.1), {-3, 0.5, 0}));
    JointDescription bead = named("wire", JointKind::kBead, "", "bead");
    bead.point_a = Vector3d(-2, 0, 0), bead.curve = "y = x^2/2";
    s.joints.push_back(bead);
    return s;
  };
  Simulation sim(prepared());
  const auto change = [](Simulation& w) {
    w.set_target(w.find_joint("hand"), Vector3d(8, 1, 0));
    w.set_spring(w.find_joint("pin"), 300, 2, 0.1);
    w.set_friction(w.find_joint("rail"), 20);
    w.set_limits(w.find_joint("rod"), 0.5, 1.5);
    w.set_ratio(w.find_joint("gear"), 0.5);
  };
  change(sim);
  std::vector<std::byte> kept;
  while (sim.joint_events().empty() && sim.time() < 1) sim.step();
  ASSERT_EQ(sim.joint_events().size(), 1u);
  kept = sim.snapshot();
  const Vector3d force = sim.joint(0).force;
  for (int i = 0; i < 200; ++i) sim.step();
  const std::uint64_t after = sim.state_hash();
  Simulation other(prepared());
  other.restore(kept);
  ASSERT_EQ(other.joint_events().size(), 1u);
  EXPECT_EQ(other.joint(0).force, force);
  EXPECT_TRUE(other.joint(other.find_joint("rope")).broken);
  for (int i = 0; i < 200; ++i) other.step();
  EXPECT_EQ(other.state_hash(), after);
  sim.restore(kept);
  for (int i = 0; i < 200; ++i) sim.step();
  EXPECT_EQ(sim.state_hash(), after);
}

// A spring that is too stiff for the step is refused by name, with the step that it needs.
TEST(JointChanges, AStepThatIsTooLongForASpring) {
  SceneDescription s = empty_scene(2, 0.01);
  s.bodies = {body("box", box(0.2, 0.2))};
  JointDescription rail = named("rail", JointKind::kSlider, "", "box");
  rail.axis = Vector3d(1, 0, 0), rail.stiffness = 40 * 4e4;  // ω = 200/s: at most 0.01 s, which is the step
  s.joints = {rail};
  for (const double stiffness : {40 * 4.1e4, 40 * 3.9e4}) {
    s.joints[0].stiffness = stiffness;
    Simulation sim(s);
    if (stiffness < 40 * 4e4) {
      for (int i = 0; i < 100; ++i) sim.step();
      continue;
    }
    try {
      sim.step();
      ADD_FAILURE() << "was taken";
    } catch (const Error& e) {
      EXPECT_EQ(e.kind(), ErrorKind::kUnstable);
      EXPECT_NE(std::string(e.what()).find("the spring of joint 'rail' needs a step of at most 0.0097"),
                std::string::npos)
          << e.what();
    }
  }
}

}  // namespace
}  // namespace touchstone::testing

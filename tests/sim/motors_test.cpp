// Motors that are commanded while a simulation runs, and joints that come and go.
#include <gtest/gtest.h>

#include <numbers>

#include "models/registry.h"
#include "physics/scene_builders.h"

namespace touchstone::testing {
namespace {

using Eigen::Vector3d;

std::string message_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

struct Case {
  std::string model;
  int dimension;
};
std::vector<Case> cases() {
  std::vector<Case> out;
  for (const ModelInfo& m : registered_models())
    if (m.capabilities.joints)
      for (const int d : {2, 3}) out.push_back({m.name, d});
  return out;
}

class Motors : public ::testing::TestWithParam<Case> {
 protected:
  // A block of 2 kg on a slider along x, and a bar on a hinge at its middle; no gravity, no motors yet.
  SceneDescription scene() const {
    const int d = GetParam().dimension;
    SceneDescription s = empty_scene(d);
    s.gravity.setZero();
    s.model.name = GetParam().model;
    BodyDescription block = body("block", plate(d, 0.2, 0.2, 0.2)), bar = body("bar", plate(d, 1, 0.1, 0.1), 2 * up(d));
    block.mass = 2;
    bar.mass = 1;
    s.bodies = {block, bar};
    JointDescription slider;
    slider.name = "rail", slider.kind = JointKind::kSlider, slider.body_b = "block", slider.axis = Vector3d::UnitX();
    s.joints = {slider, pivot("pivot")};
    return s;
  }
  JointDescription pivot(const std::string& name) const {
    JointDescription hinge;
    hinge.name = name, hinge.kind = JointKind::kHinge, hinge.body_b = "bar", hinge.point = 2 * up(GetParam().dimension);
    if (GetParam().dimension == 3) hinge.axis = Vector3d::UnitY();
    return hinge;
  }
};

TEST_P(Motors, DriveAtASpeedWithABoundedForce) {
  Simulation sim(scene());
  const std::size_t rail = sim.find_joint("rail");
  sim.set_motor(rail, MotorCommand::speed(0.5, 4));  // 4 N on 2 kg: 0.25 s to 0.5 m/s
  for (int i = 0; i < 100; ++i) sim.step();
  check_relative("speed after 0.1 s", sim.joint(rail).coordinate_rate, 0.2);
  for (int i = 0; i < 200; ++i) sim.step();
  check("speed in the end", sim.joint(rail).coordinate_rate, 0.5, 1e-6);
  sim.set_motor(rail, MotorCommand::off());
  for (int i = 0; i < 100; ++i) sim.step();
  check("coasting", sim.joint(rail).coordinate_rate, 0.5, 1e-6);
  EXPECT_EQ(sim.motor(rail).kind, MotorCommand::Kind::kOff);
}

// q̇ = (q* − q)/τ: the error falls by the same part in every step.
TEST_P(Motors, DriveToAPosition) {
  Simulation sim(scene());
  const std::size_t rail = sim.find_joint("rail"), hinge = sim.find_joint("pivot");
  MotorCommand command = MotorCommand::position(0.1, 1e4);
  command.response = 0.1;
  sim.set_motor(rail, command);
  sim.set_motor(hinge, MotorCommand::position(-1, 1e3, 2));
  for (int i = 0; i < 100; ++i) sim.step();
  check("error after one response time", 0.1 - sim.joint(rail).coordinate, 0.1 * std::pow(1 - 0.01, 100), 1e-5);
  check("no faster than it may", sim.joint(hinge).coordinate, -0.2, 1e-4);
  for (int i = 0; i < 2000; ++i) sim.step();
  check("position", sim.joint(rail).coordinate, 0.1, 1e-7);
  check("angle", sim.joint(hinge).coordinate, -1, 1e-7);
}

TEST_P(Motors, TakeTheShorterWayRound) {
  Simulation sim(scene());
  const std::size_t hinge = sim.find_joint("pivot");
  sim.set_motor(hinge, MotorCommand::position(3, 1e3));
  for (int i = 0; i < 1000; ++i) sim.step();
  sim.set_motor(hinge, MotorCommand::position(-3, 1e3));
  sim.step();
  EXPECT_GT(sim.joint(hinge).coordinate_rate, 0) << "through half a turn, not back through zero";
  for (int i = 0; i < 1000; ++i) sim.step();
  check("angle", std::remainder(sim.joint(hinge).coordinate + 3, 2 * std::numbers::pi), 0, 1e-6);
}

TEST_P(Motors, FollowWaypoints) {
  Simulation sim(scene());
  const std::size_t rail = sim.find_joint("rail");
  MotorCommand command = MotorCommand::position(0, 1e4);
  command.waypoints = {{0.1, 0}, {0.3, 0.2}, {0.5, 0.2}, {0.6, 0.1}};
  sim.set_motor(rail, command);
  const auto at = [&](double time) {
    while (sim.time() < time - 1e-9) sim.step();
    return sim.joint(rail).coordinate;
  };
  check("before the first", at(0.1), 0, 1e-9);
  check("on the way", at(0.2), 0.1, 1e-4);
  check("speed on the way", sim.joint(rail).coordinate_rate, 1, 1e-3);
  check("at the second", at(0.3), 0.2, 1e-4);
  check("held", at(0.5), 0.2, 1e-5);
  check("after the last", at(0.9), 0.1, 1e-4);
}

TEST_P(Motors, AreOffBeforeFromAndAfterUntil) {
  Simulation sim(scene());
  const std::size_t rail = sim.find_joint("rail");
  MotorCommand command = MotorCommand::speed(0.5, 1e4);
  command.from = 0.05, command.until = 0.1;
  sim.set_motor(rail, command);
  while (sim.step_count() < 50) sim.step();
  EXPECT_NEAR(sim.joint(rail).coordinate_rate, 0, 1e-12);
  sim.step();
  check("on", sim.joint(rail).coordinate_rate, 0.5, 1e-6);
  while (sim.step_count() < 100) sim.step();
  sim.apply_force(sim.find_body("block"),
                  20 * Vector3d::UnitX());  // 10 m/s² for one step; a motor would hold against it
  sim.step();
  check("off", sim.joint(rail).coordinate_rate, 0.51, 1e-6);
}

TEST_P(Motors, ASnapshotHoldsCommandsAndJoints) {
  Simulation sim(scene()), other(scene());
  sim.set_motor(0, MotorCommand::position(0.3, 20));
  sim.remove_joint(sim.find_joint("pivot"));
  JointDescription weld;
  weld.name = "weld", weld.kind = JointKind::kFixed, weld.body_a = "block", weld.body_b = "bar";
  sim.add_joint(weld);
  for (int i = 0; i < 100; ++i) sim.step();
  other.restore(sim.snapshot());
  EXPECT_EQ(other.joint_count(), 2u);
  EXPECT_EQ(other.joint_name(1), "weld");
  EXPECT_EQ(other.motor(0), sim.motor(0));
  for (int i = 0; i < 100; ++i) sim.step(), other.step();
  EXPECT_EQ(sim.state_hash(), other.state_hash());
}

TEST_P(Motors, JointsComeAndGo) {
  const int d = GetParam().dimension;
  SceneDescription s = scene();
  s.joints.clear();
  s.bodies[0].velocity = Vector3d::UnitX();
  Simulation sim(s);
  for (int i = 0; i < 100; ++i) sim.step();
  // The block is caught 0.1 m further on, the bar hangs where it is.
  JointDescription brake;
  brake.kind = JointKind::kSlider, brake.body_b = "block", brake.axis = Vector3d::UnitX();
  brake.motor_speed = 0, brake.motor_max_force = 20;
  EXPECT_EQ(sim.add_joint(brake), 0u);
  EXPECT_EQ(sim.joint_name(0), "joint_1");
  EXPECT_EQ(sim.add_joint(pivot("pivot")), 1u);
  EXPECT_EQ(sim.find_joint("pivot"), 1u);
  EXPECT_NEAR(sim.joint(0).coordinate, 0, 1e-12) << "zero where it was added";
  for (int i = 0; i < 200; ++i) sim.step();
  check("stopped by 10 m/s²", sim.joint(0).coordinate, 0.05, 1e-3);
  check("stands", sim.joint(0).coordinate_rate, 0, 1e-6);
  sim.remove_joint(0);
  EXPECT_EQ(sim.joint_count(), 1u);
  EXPECT_EQ(sim.joint_name(0), "pivot");
  sim.apply_force(sim.find_body("block"), 2000 * up(d));
  sim.step();
  EXPECT_NEAR(sim.state(sim.find_body("block")).velocity.dot(up(d)), 1, 1e-6) << "free again";
}

// Joined bodies do not collide; once the joint is gone they do.
TEST_P(Motors, BodiesOfARemovedJointTouchAgain) {
  const int d = GetParam().dimension;
  SceneDescription s = scene();
  s.joints.clear();
  s.bodies = {body("a", sphere(0.1)), body("b", sphere(0.1), 0.2 * Vector3d::UnitX())};
  Simulation sim(s);
  JointDescription rod;
  rod.name = "rod", rod.kind = JointKind::kDistance, rod.body_a = "a", rod.body_b = "b";
  rod.lower = 0.01, rod.upper = 1;
  sim.add_joint(rod);
  rod.name = "rod 2";
  sim.add_joint(rod);
  BodyState moving = sim.state(sim.find_body("b"));
  moving.velocity = -0.1 * Vector3d::UnitX();
  sim.set_state(sim.find_body("b"), moving);
  sim.step();
  EXPECT_EQ(sim.contact_count(), 0u);
  sim.remove_joint(0);
  sim.step();
  EXPECT_EQ(sim.contact_count(), 0u) << "the other joint still holds them apart";
  sim.remove_joint(0);
  sim.step();
  EXPECT_EQ(sim.contact_count(), 1u) << d;
}

INSTANTIATE_TEST_SUITE_P(Models, Motors, ::testing::ValuesIn(cases()),
                         [](const auto& i) { return i.param.model + "_" + std::to_string(i.param.dimension) + "D"; });

TEST(MotorCommands, AreCheckedWithASentence) {
  SceneDescription s = empty_scene(3);
  s.bodies = {body("a", sphere(0.1)), body("b", sphere(0.1), Vector3d::UnitX())};
  JointDescription weld, slider;
  weld.name = "weld", weld.kind = JointKind::kFixed, weld.body_a = "a", weld.body_b = "b";
  slider.name = "rail", slider.kind = JointKind::kSlider, slider.body_b = "a", slider.axis = Vector3d::UnitX();
  s.joints = {weld, slider};
  Simulation sim(s);
  const auto wrong = [&](std::size_t joint, const MotorCommand& m) {
    return message_of([&] { sim.set_motor(joint, m); });
  };
  EXPECT_EQ(wrong(0, MotorCommand::speed(1, 1)),
            "joint 'weld': the motor cannot do this: a fixed joint has no motor; a hinge and a slider have one");
  EXPECT_EQ(wrong(1, MotorCommand::speed(1, 0)),
            "joint 'rail': the motor cannot do this: max_force is 0; it must be positive and finite");
  EXPECT_NE(wrong(1, MotorCommand::speed(std::nan(""), 1)).find("the target is nan"), std::string::npos);
  EXPECT_NE(wrong(1, MotorCommand::position(1, 1, -2)).find("max_speed is -2"), std::string::npos);
  MotorCommand m = MotorCommand::position(0, 1);
  m.waypoints = {{1, 0}, {1, 2}};
  EXPECT_NE(wrong(1, m).find("waypoints must have increasing times, and 1 s follows 1 s"), std::string::npos);
  m.waypoints.clear(), m.until = -1;
  EXPECT_NE(wrong(1, m).find("until is -1 s and from 0 s"), std::string::npos);
  m.until = 2, m.response = 0;
  EXPECT_NE(wrong(1, m).find("response is 0 s"), std::string::npos);
  EXPECT_NE(wrong(7, m).find("there is no joint 7"), std::string::npos);
  EXPECT_EQ(message_of([&] { sim.find_joint("rial"); }), "there is no joint 'rial' (did you mean 'rail'?)");
  EXPECT_NE(message_of([&] { sim.remove_joint(2); }).find("there is no joint 2"), std::string::npos);
  EXPECT_NE(message_of([&] { sim.add_joint(weld); }).find("already a joint named 'weld'"), std::string::npos);
  EXPECT_EQ(sim.joint_count(), 2u) << "nothing half-made stays";
}

TEST(MotorCommands, AModelWithoutJointsRefusesThem) {
  SceneDescription s = empty_scene(2);
  s.model.name = "penalty";
  s.bodies = {body("a", sphere(0.1))};
  Simulation sim(s);
  JointDescription weld;
  weld.kind = JointKind::kFixed, weld.body_b = "a";
  EXPECT_NE(message_of([&] { sim.add_joint(weld); }).find("model 'penalty' does not support joints, and one is to be"),
            std::string::npos);
}

TEST(MotorCommands, AreRefusedWithinAStep) {
  SceneDescription s = empty_scene(2);
  s.bodies = {body("a", sphere(0.1))};
  JointDescription slider;
  slider.name = "rail", slider.kind = JointKind::kSlider, slider.body_b = "a", slider.axis = Vector3d::UnitX();
  s.joints = {slider};
  Simulation sim(s);
  std::string said;
  sim.set_force_callback(
      [&](ForceContext&) { said = message_of([&] { sim.set_motor(0, MotorCommand::speed(1, 1)); }); });
  sim.step();
  EXPECT_NE(said.find("commanding a motor is not possible from inside a callback"), std::string::npos);
}

// A motor that begins, by command or by time, wakes what it drives.
TEST(MotorsAndSleep, AMotorWakesWhatItDrives) {
  SceneDescription s = empty_scene(3, 0.005);
  s.model.options = {{"sleep", true}, {"sleep_time", 0.05}};
  s.materials = {material(0.1)};
  s.bodies = {fixed("floor", half_space(up(3))), body("a", plate(3, 0.2, 0.2, 0.2), 0.1 * up(3))};
  JointDescription slider;
  slider.name = "rail", slider.kind = JointKind::kSlider, slider.body_a = "floor", slider.body_b = "a";
  slider.axis = Vector3d::UnitX();
  slider.collide = true;
  s.joints = {slider};
  Simulation sim(s);
  const double push = 20 * 9.81;  // of 8 kg with friction 0.1
  for (int i = 0; i < 100; ++i) sim.step();
  const double before = sim.joint(0).coordinate;
  sim.set_motor(0, MotorCommand::speed(0.5, push));
  for (int i = 0; i < 20; ++i) sim.step();
  EXPECT_GT(sim.joint(0).coordinate, before + 0.02);
  MotorCommand later = MotorCommand::speed(-0.5, push);
  later.from = 2;
  sim.set_motor(0, later);
  while (sim.time() < 1.99) sim.step();
  EXPECT_EQ(sim.state(sim.find_body("a")).velocity.norm(), 0) << "asleep";
  for (int i = 0; i < 20; ++i) sim.step();
  EXPECT_LT(sim.joint(0).coordinate_rate, -0.4);
}

}  // namespace
}  // namespace touchstone::testing

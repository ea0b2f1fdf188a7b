// Controllers that change joints: the same as a program between steps, undone with a step that fails, never by numbers
// that make no sense.
#include <gtest/gtest.h>

#include <limits>

#include "sim/scripted_controller.h"

namespace touchstone::testing {
namespace {

using Eigen::Vector3d;
const double kNaN = std::numeric_limits<double>::quiet_NaN();

JointDescription joint(const std::string& name, JointKind kind, const std::string& a, const std::string& b) {
  JointDescription j;
  j.name = name, j.kind = kind, j.body_a = a, j.body_b = b;
  return j;
}

// Joints that each setter can change, on balls that are in nobody's way.
SceneDescription workshop(const std::string& model) {
  SceneDescription s = balls(8, model);
  for (std::size_t i = 0; i < s.bodies.size(); ++i) s.bodies[i].velocity = {0.1, 0.02 * static_cast<double>(i), 0};
  s.bodies[7].placement.position = {6.25, 0, 0};  // beside ball 6
  JointDescription pin = joint("pin", JointKind::kHinge, "", "ball_0"),
                   rail = joint("rail", JointKind::kSlider, "", "ball_1"),
                   rope = joint("rope", JointKind::kRope, "", "ball_2"),
                   hand = joint("hand", JointKind::kTarget, "", "ball_3"),
                   gear = joint("gear", JointKind::kGear, "ball_4", "ball_5"),
                   rod = joint("rod", JointKind::kDistance, "ball_6", "ball_7");
  pin.point = Vector3d(0, 0.5, 0), rail.axis = Vector3d(1, 0, 0);
  rope.point_a = Vector3d(2, 1, 0), rope.length = 1.5;
  hand.motor_max_force = 50;
  gear.ratio = 2;
  s.joints = {pin, rail, rope, hand, gear, rod};
  return s;
}

// A change of each kind, another one in every step. World: a ControllerContext, or a program's simulation by names.
template <class World>
void tinker(World& w, std::int64_t step) {
  const double x = 0.1 * static_cast<double>(step % 5);
  w.set_target("hand", {3 + x, x, 0});
  w.set_limits("rope", std::nullopt, 1.5 + x);
  w.set_limits("pin", -3.0, 3.0 - x);
  w.set_ratio("gear", 1 + x);
  w.set_spring("rail", 10 * x, x, 0.1);
  w.set_friction("pin", 0.1 * x);
  w.set_collide("rod", step % 3 == 1);
  MotorCommand motor;
  motor.kind = MotorCommand::Kind::kSpeed;
  motor.target = x, motor.max_force = 2;
  w.set_motor("rail", motor);
}

struct ByName {
  Simulation& sim;
  std::size_t at(const char* name) const { return sim.find_joint(name); }
  void set_target(const char* j, const Vector3d& place) const { sim.set_target(at(j), place); }
  void set_limits(const char* j, std::optional<double> lower, std::optional<double> upper) const {
    sim.set_limits(at(j), lower, upper);
  }
  void set_ratio(const char* j, double ratio) const { sim.set_ratio(at(j), ratio); }
  void set_spring(const char* j, double k, double c, double rest) const { sim.set_spring(at(j), k, c, rest); }
  void set_friction(const char* j, double greatest) const { sim.set_friction(at(j), greatest); }
  void set_collide(const char* j, bool collide) const { sim.set_collide(at(j), collide); }
  void set_motor(const char* j, const MotorCommand& motor) const { sim.set_motor(at(j), motor); }
};

ControllerDescription tinkerer() {
  return scripted("tinker", [](ControllerContext& w, std::int64_t call) { tinker(w, call); });
}

class ControlledJoints : public ::testing::TestWithParam<const char*> {};

TEST_P(ControlledJoints, ChangeAsAProgramWouldChangeThem) {
  SceneDescription plain = workshop(GetParam()), controlled = plain;
  controlled.controllers = {tinkerer()};
  Simulation by_program(plain), by_controller(controlled), untouched(plain);
  for (int i = 0; i < 60; ++i) {
    const ByName named{by_program};
    tinker(named, i);
    by_program.step(), by_controller.step(), untouched.step();
    ASSERT_EQ(by_controller.state_hash(), by_program.state_hash()) << i;
  }
  EXPECT_NE(by_controller.state_hash(), untouched.state_hash());
}

// By another controller, and by the model after all controllers: a callback that throws.
TEST_P(ControlledJoints, ChangesAreUndoneWithAStepThatFails) {
  for (const bool late : {false, true}) {
    SceneDescription s = workshop(GetParam());
    bool fails = false;
    s.controllers = {tinkerer(), scripted("fail", [&](ControllerContext&, std::int64_t) {
                       if (fails && !late) throw std::runtime_error("no luck");
                     })};
    Simulation sim(s), undisturbed(s);
    const auto callback = [&](ForceContext&) {
      if (fails && late) throw std::runtime_error("no luck");
    };
    sim.set_force_callback(callback);
    undisturbed.set_force_callback([](ForceContext&) {});
    for (int i = 0; i < 40; ++i) {
      const std::vector<std::byte> before = sim.snapshot();
      fails = true;
      EXPECT_ANY_THROW(sim.step());
      ASSERT_EQ(sim.snapshot(), before) << late << ", step " << i;
      fails = false;
      sim.step(), undisturbed.step();
      ASSERT_EQ(sim.state_hash(), undisturbed.state_hash()) << late << ", step " << i;
    }
  }
}

TEST_P(ControlledJoints, GoOnFromASnapshotWithTheSameBits) {
  SceneDescription s = workshop(GetParam());
  s.controllers = {tinkerer()};
  Simulation whole(s);
  for (const int more : {1, 2, 7, 20}) {
    for (int i = 0; i < more; ++i) whole.step();
    Simulation again(s);
    again.restore(whole.snapshot());
    for (int i = 0; i < 20; ++i) again.step(), whole.step();
    ASSERT_EQ(again.state_hash(), whole.state_hash());
  }
}

// A pin that comes and goes holds two balls together while it is there, and they fly on afterwards with what they have.
TEST_P(ControlledJoints, TemporaryPinsHoldAsLongAsTheyAreThere) {
  SceneDescription s = balls(2, GetParam());
  s.bodies[1].placement.position = {0.3, 0, 0};
  s.bodies[0].velocity = {0, 1, 0};
  s.controllers = {scripted("grip", [](ControllerContext& w, std::int64_t call) {
    if (call == 10) {
      JointDescription pin = joint("grip", JointKind::kHinge, "ball_0", "ball_1");
      pin.point = w.state(w.find_body("ball_1")).center_of_mass;
      w.add_joint(pin);
    }
    if (call == 60) w.remove_joint("grip");
  })};
  Simulation sim(s);
  const auto distance = [&] {
    const Vector3d d =
        sim.state(sim.find_body("ball_1")).center_of_mass - sim.state(sim.find_body("ball_0")).center_of_mass;
    return d.norm();
  };
  for (int i = 0; i < 10; ++i) sim.step();
  EXPECT_EQ(sim.joint_count(), 0u);
  const double gripped = distance();
  for (int i = 0; i < 50; ++i) {
    sim.step();
    ASSERT_EQ(sim.joint_count(), 1u);
    ASSERT_NEAR(distance(), gripped, 1e-4) << i;
  }
  EXPECT_NEAR(sim.report().momentum.y(), 1, 1e-9);
  sim.step();
  EXPECT_EQ(sim.joint_count(), 0u);
  const Vector3d u = sim.state(sim.find_body("ball_1")).velocity - sim.state(sim.find_body("ball_0")).velocity;
  const double before = distance();
  for (int i = 0; i < 10; ++i) sim.step();
  EXPECT_NE(distance(), before);
  EXPECT_NEAR((sim.state(sim.find_body("ball_1")).velocity - sim.state(sim.find_body("ball_0")).velocity - u).norm(), 0,
              1e-12);
}

INSTANTIATE_TEST_SUITE_P(Models, ControlledJoints, ::testing::Values("impulse", "ncp", "lcp", "convex", "lagrange"),
                         [](const auto& p) { return std::string(p.param); });

// Each is an error that names the controller and the joint, and nothing has changed.
TEST(ControlledJoint, MistakesFailTheStepByName) {
  struct Mistake {
    Script does;
    const char* part;
  };
  const auto motor = [](double target) {
    MotorCommand m;
    m.kind = MotorCommand::Kind::kSpeed, m.target = target, m.max_force = 1;
    return m;
  };
  const std::vector<Mistake> mistakes{
      {[](ControllerContext& w, std::int64_t) {
         w.set_target("hand", {kNaN, 0, 0});
       },
       "joint 'hand': the target is"},
      {[](ControllerContext& w, std::int64_t) {
         w.set_target("pin", {0, 0, 0});
       },
       "a pin joint has no target"},
      {[](ControllerContext& w, std::int64_t) { w.set_limits("pin", kNaN, 1); }, "a limit is nan"},
      {[](ControllerContext& w, std::int64_t) { w.set_limits("pin", 1, -1); }, "must not be above upper"},
      {[](ControllerContext& w, std::int64_t) { w.set_ratio("gear", kNaN); }, "the ratio is nan"},
      {[](ControllerContext& w, std::int64_t) { w.set_spring("rail", kNaN, 0, 0); }, "joint 'rail': the spring"},
      {[](ControllerContext& w, std::int64_t) { w.set_friction("pin", -1); }, "the friction is -1"},
      {[](ControllerContext& w, std::int64_t) { w.set_friction("pin", kNaN); }, "the friction is nan"},
      {[&](ControllerContext& w, std::int64_t) { w.set_motor("rail", motor(kNaN)); }, "joint 'rail': the motor"},
      {[](ControllerContext& w, std::int64_t) { w.set_collide("rood", true); }, "did you mean 'rod'"},
      {[](ControllerContext& w, std::int64_t) {
         JointDescription pin = joint("grip", JointKind::kHinge, "ball_0", "ball_1");
         pin.point = Vector3d(kNaN, 0, 0);
         w.add_joint(pin);
       },
       "joint 'grip': point"},
      {[](ControllerContext& w, std::int64_t) { w.add_joint(joint("grip", JointKind::kFixed, "ball_0", "nobody")); },
       "there is no body 'nobody'"},
      {[](ControllerContext& w, std::int64_t) { w.add_joint(joint("rod", JointKind::kFixed, "ball_0", "ball_1")); },
       "there is already a joint named 'rod'"}};
  for (std::size_t i = 0; i < mistakes.size(); ++i) {
    SceneDescription s = workshop("impulse");
    s.controllers = {tinkerer(), scripted("wrong", mistakes[i].does)};
    Simulation sim(s);
    const std::vector<std::byte> before = sim.snapshot();
    try {
      sim.step();
      ADD_FAILURE() << "was taken: " << mistakes[i].part;
    } catch (const Error& e) {
      EXPECT_EQ(e.kind(), ErrorKind::kController) << e.what();
      for (const char* part : {"controller 'wrong' (scripted) failed in step 1", mistakes[i].part})
        EXPECT_NE(std::string(e.what()).find(part), std::string::npos) << part << " is not in: " << e.what();
    }
    EXPECT_EQ(sim.snapshot(), before) << mistakes[i].part;
  }
}

// The restitution of one contact, for as long as a controller says so: it holds for the step that follows.
TEST(ControlledPairs, OneContactHasTheRestitutionThatItIsGiven) {
  for (const char* model : {"impulse", "ncp", "lcp", "lagrange"}) {
    for (const double e : {0.0, 0.5, 1.0}) {
      SceneDescription s = balls(4, model);
      s.materials = {material(0, 0.25)};
      s.bodies[1].placement.position = {0.3, 0, 0};
      s.bodies[2].placement.position = {0, 2, 0}, s.bodies[3].placement.position = {0.3, 2, 0};
      s.bodies[0].velocity = s.bodies[2].velocity = {1, 0, 0};
      s.controllers = {scripted("bounce", [e](ControllerContext& w, std::int64_t call) {
        if (call == 3) w.set_pair_restitution(w.find_body("ball_0"), w.find_body("ball_1"), e);
      })};
      Simulation sim(s);
      for (int i = 0; i < 30; ++i) sim.step();
      const auto v = [&](int ball) { return sim.state(sim.find_body("ball_" + std::to_string(ball))).velocity.x(); };
      EXPECT_NEAR(v(1) - v(0), e, 1e-6) << model;
      EXPECT_NEAR(v(3) - v(2), 0.25, 1e-6) << model;  // the others keep that of their material
    }
  }
}

}  // namespace
}  // namespace touchstone::testing

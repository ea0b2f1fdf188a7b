// Joints from their descriptions, and what a world does with them.
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <random>

#include "models/registry.h"
#include "physics/scene_builders.h"
#include "sim/joint_description.h"

namespace touchstone::testing {
namespace {

using Eigen::Vector3d;

const double kNaN = std::numeric_limits<double>::quiet_NaN(), kInfinity = std::numeric_limits<double>::infinity();

// Two bodies that stand apart and turned, with products of inertia in 3D.
BodyDescription odd_body(const std::string& name, int dimension, const Vector3d& position, double turn) {
  BodyDescription b = body(name, dimension == 2 ? box(1, 0.5) : box(1, 0.5, 0.3), position);
  b.shapes.push_back(sphere(0.2));
  b.shapes.back().placement.position = dimension == 2 ? Vector3d(0.4, 0.3, 0) : Vector3d(0.4, 0.3, 0.2);
  b.placement.angle = turn;
  if (dimension == 3) b.placement.orientation = Eigen::AngleAxisd(turn, Vector3d(1, 2, 3).normalized());
  return b;
}

JointDescription joint(JointKind kind, int dimension) {
  JointDescription d;
  d.name = "j";
  d.kind = kind;
  d.body_a = "a", d.body_b = "b";
  const bool flat = dimension == 2;
  if (kind != JointKind::kDistance) d.point = flat ? Vector3d(0.5, 0.7, 0) : Vector3d(0.5, 0.7, -0.2);
  if (kind == JointKind::kSlider || kind == JointKind::kUniversal || (kind == JointKind::kHinge && !flat))
    d.axis = flat ? Vector3d(3, 4, 0) : Vector3d(1, 2, 2);
  if (kind == JointKind::kUniversal) d.axis_b = Vector3d(0, 5, -5);
  return d;
}

std::vector<JointKind> kinds(int dimension) {
  using enum JointKind;
  if (dimension == 2) return {kHinge, kSlider, kFixed, kDistance};
  return {kBall, kHinge, kSlider, kFixed, kDistance, kUniversal};
}

struct Pair {
  BodyDescription a, b;
  explicit Pair(int dimension)
      : a(odd_body("a", dimension, {0, 0, 0}, 0.4)), b(odd_body("b", dimension, {2, 1, 0}, -1.1)) {}
};

std::string fault_of(const JointDescription& d, int dimension) {
  const Pair p(dimension);
  const auto fault = joint_fault(d, dimension, &p.a, &p.b);
  return fault ? std::string(fault->key) + " " + fault->what : "";
}
// The first words are expected.
void refused(JointKind kind, int dimension, const std::string& expected,
             const std::function<void(JointDescription&)>& change) {
  JointDescription d = joint(kind, dimension);
  change(d);
  EXPECT_TRUE(fault_of(d, dimension).starts_with(expected)) << fault_of(d, dimension) << " instead of " << expected;
}

TEST(JointDescription, RightOnesAreTaken) {
  for (const int dimension : {2, 3})
    for (const JointKind kind : kinds(dimension)) EXPECT_EQ(fault_of(joint(kind, dimension), dimension), "");
}

TEST(JointDescription, WhatItMayNotSay) {
  using enum JointKind;
  refused(kBall, 2, "kind must be pin", [](auto&) {});
  refused(kUniversal, 2, "kind must be", [](auto&) {});
  refused(static_cast<JointKind>(77), 3, "kind must be", [](auto&) {});
  refused(kHinge, 3, "axis is missing", [](auto& d) { d.axis.reset(); });
  refused(kSlider, 2, "axis is missing", [](auto& d) { d.axis.reset(); });
  refused(kHinge, 3, "axis must not be zero", [](auto& d) { d.axis = Vector3d::Zero(); });
  refused(kHinge, 3, "axis must be finite", [](auto& d) { d.axis = Vector3d(0, kNaN, 1); });
  refused(kSlider, 2, "axis must have no z", [](auto& d) { d.axis = Vector3d(1, 0, 1); });
  refused(kHinge, 2, "axis does not belong to a pin", [](auto& d) { d.axis = Vector3d(1, 0, 0); });
  refused(kBall, 3, "axis does not belong to a ball", [](auto& d) { d.axis = Vector3d(1, 0, 0); });
  refused(kHinge, 3, "axis_b does not belong", [](auto& d) { d.axis_b = Vector3d(1, 0, 0); });
  refused(kUniversal, 3, "axis_b is missing", [](auto& d) { d.axis_b.reset(); });
  refused(kUniversal, 3, "axis_b must not be zero", [](auto& d) { d.axis_b = Vector3d::Zero(); });
  refused(kUniversal, 3, "axis_b must be perpendicular", [](auto& d) { d.axis_b = Vector3d(1, 1, 0); });
  refused(kBall, 3, "point is missing", [](auto& d) { d.point.reset(); });
  refused(kHinge, 2, "point is missing", [](auto& d) { d.point.reset(); });
  refused(kBall, 3, "point is given beside", [](auto& d) { d.point_b = Vector3d::Zero(); });
  refused(kBall, 3, "point must be finite", [](auto& d) { d.point = Vector3d(kInfinity, 0, 0); });
  refused(kFixed, 2, "point must have no z", [](auto& d) { d.point = Vector3d(0, 0, 1); });
  refused(kDistance, 3, "point is one place", [](auto& d) { d.point = Vector3d::Zero(); });
  refused(kBall, 3, "length does not belong", [](auto& d) { d.length = 1; });
  refused(kDistance, 3, "length must be positive", [](auto& d) { d.length = 0; });
  refused(kDistance, 3, "length must be finite", [](auto& d) { d.length = kNaN; });
  refused(kDistance, 3, "length is given beside", [](auto& d) { d.length = 1, d.upper = 2; });
  refused(kBall, 3, "upper does not belong", [](auto& d) { d.upper = 1; });
  refused(kHinge, 3, "lower must not be above upper", [](auto& d) { d.lower = 0.1, d.upper = -0.1; });
  refused(kHinge, 2, "upper must lie between", [](auto& d) { d.upper = 3.2; });
  refused(kHinge, 3, "lower must be finite", [](auto& d) { d.lower = -kInfinity; });
  refused(kDistance, 2, "lower must not be negative", [](auto& d) { d.lower = -1; });
  refused(kDistance, 2, "upper must be positive", [](auto& d) { d.upper = 0; });
  refused(kFixed, 3, "motor_speed does not belong", [](auto& d) { d.motor_speed = 1, d.motor_max_force = 1; });
  refused(kHinge, 3, "motor_max_force is missing", [](auto& d) { d.motor_speed = 1; });
  refused(kSlider, 2, "motor_speed is missing", [](auto& d) { d.motor_max_force = 1; });
  refused(kSlider, 2, "motor_max_force must be positive", [](auto& d) { d.motor_speed = 1, d.motor_max_force = 0; });
  refused(kSlider, 2, "motor_max_force must be finite", [](auto& d) { d.motor_speed = 1, d.motor_max_force = kNaN; });
  refused(kHinge, 3, "motor_speed has no effect",
          [](auto& d) { d.motor_speed = d.motor_max_force = 1, d.lower = d.upper = 0; });
}

TEST(JointDescription, JointsThatDoNotHoldAtTheStart) {
  using enum JointKind;
  refused(kHinge, 3, "lower is passed by 0.5 rad", [](auto& d) { d.lower = 0.5; });
  refused(kSlider, 2, "upper is passed by 0.25 m", [](auto& d) { d.upper = -0.25; });
  refused(kDistance, 3, "length does not fit", [](auto& d) { d.length = 7; });
  refused(kDistance, 2, "upper is passed by 1.23607 m", [](auto& d) { d.upper = 1; });
  refused(kBall, 3, "point_b does not fit", [](auto& d) {
    d.point.reset();
    d.point_a = d.point_b = Vector3d(0.1, 0, 0);
  });
  const Pair p(3);
  JointDescription rod = joint(kDistance, 3);
  rod.point_a = Vector3d(2, 1, 0);  // in the world
  EXPECT_EQ(std::string(joint_fault(rod, 3, nullptr, &p.b)->key), "point_b");
  EXPECT_EQ(std::string(joint_fault(joint(kBall, 3), 3, nullptr, nullptr)->key), "body_b");
  EXPECT_EQ(std::string(joint_fault(joint(kBall, 3), 3, &p.a, &p.a)->key), "body_b");
  BodyDescription still = p.a;
  still.kind = BodyKind::kStatic;
  EXPECT_TRUE(joint_fault(joint(kBall, 3), 3, &still, nullptr)->what.starts_with("is not dynamic"));
}

// The first registered model that has joints; there may be none.
const ModelInfo* model_with_joints() {
  for (const ModelInfo& m : registered_models())
    if (m.capabilities.joints) return &m;
  return nullptr;
}

SceneDescription joined_scene(JointKind kind, int dimension) {
  const Pair p(dimension);
  SceneDescription scene = empty_scene(dimension);
  scene.bodies = {p.a, p.b};
  scene.joints = {joint(kind, dimension)};
  if (const ModelInfo* model = model_with_joints()) scene.model.name = model->name;
  return scene;
}

TEST(Joints, ModelsWithoutThemSaySo) {
  for (const ModelInfo& model : registered_models()) {
    if (model.capabilities.joints) continue;
    SceneDescription scene = joined_scene(JointKind::kHinge, 3);
    scene.model.name = model.name;
    try {
      Simulation sim(scene);
      ADD_FAILURE() << model.name << " took joints";
    } catch (const Error& e) {
      EXPECT_EQ(e.kind(), ErrorKind::kUnsupported);
      const std::string expected = "model '" + model.name + "' does not support joints, and the scene has 1; ";
      EXPECT_TRUE(std::string(e.what()).starts_with(expected)) << e.what();
    }
  }
}

class JointWorld : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_NE(model_with_joints(), nullptr); }
};

TEST_F(JointWorld, EveryKindHoldsAtTheStart) {
  for (const int dimension : {2, 3}) {
    for (const JointKind kind : kinds(dimension)) {
      const Simulation sim(joined_scene(kind, dimension));
      ASSERT_EQ(sim.joint_count(), 1u);
      EXPECT_EQ(sim.joint_name(0), "j");
      const JointReport r = sim.joint(0);
      EXPECT_EQ(r.body_a, sim.find_body("a"));
      EXPECT_EQ(r.body_b, sim.find_body("b"));
      EXPECT_LT(r.position_error, 1e-14);
      EXPECT_LT(r.angle_error, 1e-14);
      EXPECT_EQ(r.velocity_error, 0.0);
      if (kind != JointKind::kDistance) {
        EXPECT_LT((r.point - *joint(kind, dimension).point).norm(), 1e-14);
        EXPECT_NEAR(r.coordinate, 0, 1e-14);
      } else {
        EXPECT_NEAR(r.coordinate, std::sqrt(5.0), 1e-14);
      }
    }
  }
}

TEST_F(JointWorld, FaultsNameTheJoint) {
  const auto message = [](const std::function<void(SceneDescription&)>& change) {
    SceneDescription scene = joined_scene(JointKind::kHinge, 3);
    change(scene);
    try {
      Simulation sim(scene);
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_EQ(message([](auto& s) { s.joints[0].axis.reset(); }), "joint 'j': axis is missing: a hinge joint needs it");
  EXPECT_EQ(message([](auto& s) { s.joints[0].body_b = "bb"; }),
            "joint 'j': there is no body 'bb' (did you mean 'b'?)");
  EXPECT_EQ(message([](auto& s) { s.joints.push_back(s.joints[0]); }), "two joints are named 'j'");
  EXPECT_EQ(message([](auto& s) { s.joints[0].name.clear(); }), "");
  const Simulation sim(joined_scene(JointKind::kHinge, 3));
  EXPECT_THROW((void)sim.joint(1), Error);
  EXPECT_THROW((void)sim.joint_name(1), Error);
}

TEST_F(JointWorld, ReplacedBodiesKeepTheirPlace) {
  for (const int dimension : {2, 3}) {
    for (const JointKind kind : kinds(dimension)) {
      Simulation sim(joined_scene(kind, dimension));
      BodyDescription other = sim.description(sim.find_body("a"));
      other.shapes[1].placement.position *= -1.5;  // another centre of mass and other principal axes
      sim.replace_body(sim.find_body("a"), other);
      EXPECT_LT(sim.joint(0).position_error, 1e-13);
      EXPECT_LT(sim.joint(0).angle_error, 1e-13);
    }
  }
}

TEST_F(JointWorld, JoinedBodiesCannotBeRemoved) {
  Simulation sim(joined_scene(JointKind::kBall, 3));
  try {
    sim.remove_body(sim.find_body("a"));
    ADD_FAILURE() << "removed";
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "body 'a' cannot be removed: the joint 'j' is attached to it");
  }
  EXPECT_EQ(sim.bodies().size(), 2u);
}

TEST_F(JointWorld, JoinedBodiesTouchOnlyIfAsked) {
  for (const bool collide : {false, true}) {
    SceneDescription scene = empty_scene(3);
    scene.gravity.setZero();
    scene.model.name = model_with_joints()->name;
    scene.bodies = {body("a", sphere(1)), body("b", sphere(1), {1.5, 0, 0})};
    scene.bodies[1].velocity = {-1, 0, 0};  // contacts that carry nothing need not be reported
    scene.joints = {joint(JointKind::kBall, 3)};
    scene.joints[0].collide = collide;
    scene.bodies[1].angular_velocity = {0, 0, -1};  // about the joint, towards A
    scene.bodies[1].velocity = Vector3d(0, 0, -1).cross(Vector3d(1.0, -0.7, 0.2));
    Simulation sim(scene);
    sim.step();
    if (!model_with_joints()->capabilities.contacts) continue;
    EXPECT_EQ(sim.contact_count() > 0, collide);
  }
}

TEST_F(JointWorld, SnapshotsHoldThem) {
  for (const int dimension : {2, 3}) {
    for (const JointKind kind : kinds(dimension)) {
      const SceneDescription scene = joined_scene(kind, dimension);
      Simulation sim(scene);
      for (int i = 0; i < 5; ++i) sim.step();
      BodyDescription other = sim.description(sim.find_body("b"));
      other.shapes[1].placement.position *= -1.5;
      other.placement = sim.state(sim.find_body("b")).placement;
      sim.replace_body(sim.find_body("b"), other);
      const auto saved = sim.snapshot();
      const JointReport then = sim.joint(0);
      for (int i = 0; i < 5; ++i) sim.step();
      const std::uint64_t end = sim.state_hash();
      Simulation fresh(scene);
      fresh.restore(saved);
      EXPECT_EQ(fresh.snapshot(), saved);
      EXPECT_EQ(fresh.joint(0).coordinate, then.coordinate);
      EXPECT_EQ(fresh.joint(0).position_error, then.position_error);
      for (int i = 0; i < 5; ++i) fresh.step();
      EXPECT_EQ(fresh.state_hash(), end);
      // A world with another joint does not take it.
      SceneDescription changed = scene;
      changed.joints[0].collide = true;
      Simulation stranger(changed);
      EXPECT_THROW(stranger.restore(saved), Error);
    }
  }
}

// Its components are along axes that nobody sees.
TEST(Joints, TheErrorOfAPlaceIsADistance) {
  for (const JointKind kind : {JointKind::kBall, JointKind::kHinge}) {
    Simulation sim(joined_scene(kind, 3));
    const BodyId b = sim.find_body("b");
    BodyState s = sim.state(b);
    s.placement.position += Eigen::Vector3d(3e-3, 4e-3, 12e-3);
    sim.set_state(b, s);
    EXPECT_NEAR(sim.joint(0).position_error, 13e-3, 1e-12);
  }
}

}  // namespace
}  // namespace touchstone::testing

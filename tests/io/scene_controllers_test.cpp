// [[controller]] entries, and bodies that are scattered or made for each body of another entry.
#include <gtest/gtest.h>

#include "io/scene/reader.h"
#include "touchstone/touchstone.h"

namespace touchstone {
namespace {

using Eigen::Vector3d;

const std::string kWorld = "touchstone = 1\ndimension = 2\n[simulation]\ngravity = [0, 0]\n";

std::string complaint(const std::string& text) {
  try {
    parse_scene(text, "s");
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

void expect_has(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' in\n" << text;
}

const std::string kRobots = kWorld + R"([[body]]
name = "robot"
mass = 300
shape = { kind = "circle", radius = 10 }
scatter = { count = 3, from = [20, 20], to = [180, 150], gap = 7, velocity_jitter = 1, angular_velocity_jitter = 0.5, angle_jitter = 2 }
[[body]]
name = "left"
each = "robot"
position = [12, 6]
angle = 0.25
mass = 3
shape = { kind = "circle", radius = 1 }
[[body]]
name = "right"
each = "robot"
position = [12, -6]
mass = 3
shape = { kind = "circle", radius = 1 }
[[joint]]
name = "pin"
kind = "pin"
each = "robot"
body_a = "robot"
body_b = "left"
point_b = [0, 0]
)";

TEST(SceneEach, MakesBodiesThatMoveAlong) {
  const SceneDescription s = parse_scene(kRobots, "s");
  ASSERT_EQ(s.bodies.size(), 9u);
  ASSERT_EQ(s.joints.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    const BodyDescription &robot = s.bodies[i], &left = s.bodies[3 + i];
    EXPECT_EQ(robot.name, "robot_" + std::to_string(i));
    EXPECT_EQ(left.name, "left_" + std::to_string(i));
    const double a = robot.placement.angle, w = robot.angular_velocity.z();
    const Vector3d arm(12 * std::cos(a) - 6 * std::sin(a), 12 * std::sin(a) + 6 * std::cos(a), 0);
    EXPECT_LT((left.placement.position - robot.placement.position - arm).norm(), 1e-12);
    EXPECT_DOUBLE_EQ(left.placement.angle, a + 0.25);
    EXPECT_LT((left.velocity - robot.velocity - Vector3d(-w * arm.y(), w * arm.x(), 0)).norm(), 1e-12);
    EXPECT_EQ(left.angular_velocity, robot.angular_velocity);
    EXPECT_EQ(s.joints[i].name, "pin_" + std::to_string(i));
    EXPECT_EQ(s.joints[i].body_a, robot.name);
    EXPECT_EQ(s.joints[i].body_b, left.name);
  }
  Simulation sim(s);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_LT(sim.joint(k).velocity_error, 1e-12);
}

TEST(SceneEach, ReadsControllers) {
  const SceneDescription s = parse_scene(kRobots + R"([[controller]]
name = "driver"
kind = "robot"
each = "robot"
body = "robot"
parameters = { left = "left", right = "right", home = 100 }
[[controller]]
kind = "robot"
body = "robot_0"
parameters = { left = "left_1", right = "right_2" }
)",
                                         "s");
  ASSERT_EQ(s.controllers.size(), 4u);
  for (std::size_t i = 0; i < 3; ++i) {
    const ControllerDescription& c = s.controllers[i];
    EXPECT_EQ(c.name, "driver_" + std::to_string(i));
    EXPECT_EQ(c.body, "robot_" + std::to_string(i));
    EXPECT_EQ(std::get<std::string>(c.parameters.at("left")), "left_" + std::to_string(i));
    EXPECT_EQ(std::get<double>(c.parameters.at("home")), 100);
  }
  EXPECT_EQ(s.controllers[3].name, "controller_4");
  EXPECT_EQ(std::get<std::string>(s.controllers[3].parameters.at("right")), "right_2");
  EXPECT_EQ(Simulation(s).controller_count(), 4u);
}

TEST(SceneControllers, ListEveryMistakeAtOnce) {
  const std::string text = complaint(kRobots + R"([[controller]]
kind = "robto"
body = "robot_0"
[[controller]]
kind = "robot"
body = "robot_9"
parameters = { left = "lefft_0", home = "high", feild = 3 }
[[controller]]
kind = "robot"
)");
  expect_has(text,
             "s:31:8: key 'controller[0].kind' is 'robto': must be a registered kind of controller: robot (did you "
             "mean 'robot'?)");
  expect_has(text, "key 'controller[1].body' is 'robot_9': there is no body of that name (did you mean 'robot_0'?)");
  expect_has(
      text, "key 'controller[1].parameters.left' is 'lefft_0': there is no body of that name (did you mean 'left_0'?)");
  expect_has(text, "key 'controller[1].parameters.home' is 'high': must be a number");
  expect_has(text, "key 'controller[1].parameters.feild' is not known (did you mean 'field'?)");
  expect_has(text, "key 'controller[1].parameters.right' is missing");
  expect_has(text, "key 'controller[2].parameters.left' is missing");
  expect_has(text, "key 'controller[2].body' is missing: the body that the controller moves");
}

// Recordings are drawn by programs that do not know the kind.
TEST(SceneControllers, AreLeftOutOnRequest) {
  const std::string text = kRobots + "[[controller]]\nkind = 'of another program'\n";
  expect_has(complaint(text), "must be a registered kind");
  SceneLimits limits;
  limits.controllers = false;
  const SceneDescription s = load_scene_text(text, "s", {}, limits).scene;
  EXPECT_TRUE(s.controllers.empty());
  EXPECT_EQ(s.bodies.size(), 9u);
}

TEST(SceneControllers, RefuseWhatTheModelLacks) {
  expect_has(complaint(kRobots.substr(0, kRobots.find("[[joint]]")) +
                       "[[controller]]\nkind = 'robot'\nbody = 'robot_0'\nparameters = { left = 'left_0', right = "
                       "'right_0' }\n[model]\nname = 'mirtich'\n"),
             "model 'mirtich' does not support joints, and this controller adds some");
}

TEST(SceneScatter, PutsBodiesApart) {
  const std::string text = kWorld + R"([[body]]
kind = "static"
position = [0, 5]
shape = { kind = "box", size = [1, 20] }
[[body]]
name = "tile"
shape = { kind = "box", size = [1, 0.2] }
scatter = { count = 60, from = [0, 0], to = [9, 9], gap = 0.1, angle_jitter = 3 }
)";
  const SceneDescription s = parse_scene(text, "s");
  ASSERT_EQ(s.bodies.size(), 61u);
  Simulation sim(s);
  for (std::size_t i = 0; i < s.bodies.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const auto nearest = sim.closest_points(sim.find_body(s.bodies[i].name), sim.find_body(s.bodies[j].name));
      ASSERT_TRUE(nearest);
      EXPECT_GT(nearest->gap, 0.1 - 1e-9);
    }
  for (std::size_t i = 1; i < s.bodies.size(); ++i)
    for (int axis = 0; axis < 2; ++axis) {
      EXPECT_GE(s.bodies[i].placement.position[axis], 0);
      EXPECT_LE(s.bodies[i].placement.position[axis], 9);
    }
  EXPECT_EQ(parse_scene(text, "s").bodies, s.bodies);
  EXPECT_NE(parse_scene(text, "s", {{"simulation.seed", "2"}}).bodies[1], s.bodies[1]);
  EXPECT_EQ(parse_scene(text, "s", {{"body.tile.scatter.count", "0"}}).bodies.size(), 1u);
}

TEST(SceneScatter, WorksInSpace) {
  const SceneDescription s = parse_scene(R"(touchstone = 1
dimension = 3
[[body]]
name = "ball"
position = [0, 0, 5]
velocity = [1, 0, 0]
shape = { kind = "sphere", radius = 0.5 }
scatter = { count = 50, from = [-2, -2, -2], to = [2, 2, 2], velocity_jitter = 0.5 }
)",
                                         "s");
  for (std::size_t i = 0; i < 50; ++i) {
    EXPECT_LE((s.bodies[i].placement.position - Vector3d(0, 0, 5)).cwiseAbs().maxCoeff(), 2);
    EXPECT_LE((s.bodies[i].velocity - Vector3d(1, 0, 0)).cwiseAbs().maxCoeff(), 0.5);
    for (std::size_t j = 0; j < i; ++j)
      EXPECT_GT((s.bodies[i].placement.position - s.bodies[j].placement.position).norm(), 1.0);
  }
}

TEST(SceneScatter, MistakesAreNamed) {
  const auto with = [](const std::string& keys) {
    return complaint(kWorld + "[[body]]\nname = 'b'\nshape = { kind = 'circle', radius = 1 }\n" + keys);
  };
  expect_has(with("scatter = { count = 1000, from = [0, 0], to = [9, 9] }\n"), "found a place without touching others");
  expect_has(with("scatter = { count = 2, from = [0, 0], to = [9, -9] }\n"), "must not be below `from`");
  expect_has(with("scatter = { count = -2, from = [0, 0], to = [9, 9] }\n"), "must be between 0 and");
  expect_has(with("scatter = { from = [0, 0], to = [9, 9] }\n"), "key 'body.b.scatter.count' is missing");
  expect_has(
      with("scatter = { count = 2, from = [0, 0], to = [9, 9] }\nrepeat = { count = [1, 1], spacing = [1, 1] }\n"),
      "repeat is given too; an entry has one of them");
  expect_has(with("each = 'c'\n"), "there is no body entry of that name with repeat, scatter or each before it");
  expect_has(
      with("repeat = { count = [1, 1], spacing = [1, 1] }\n[[joint]]\nkind = 'pin'\neach = 'bb'\nbody_a = 'b'\n"),
      "(did you mean 'b'?)");
}

TEST(SceneTable, SpinIsBrakedUnlessTold) {
  for (const bool spin : {true, false}) {
    const SceneDescription s = parse_scene(
        kWorld + "step = 0.01\n[table]\nlaw = 'viscous'\nstatic_speed = 0\nspin = " + (spin ? "true" : "false") +
            "\n[[body]]\nname = 'b'\ntable_friction = 0.5\nvelocity = [1, "
            "0]\nangular_velocity = 2\nshape = { kind = 'circle', radius = 1 }\n",
        "s");
    Simulation sim(s);
    for (int i = 0; i < 100; ++i) sim.step();
    const BodyState b = sim.state(sim.find_body("b"));
    EXPECT_NEAR(b.velocity.x(), std::exp(-0.05), 1e-4);  // rate μ·0.1/s, for 1 s
    EXPECT_NEAR(b.angular_velocity.z(), spin ? 2 * std::exp(-0.05) : 2.0, 2e-4);
  }
}

}  // namespace
}  // namespace touchstone

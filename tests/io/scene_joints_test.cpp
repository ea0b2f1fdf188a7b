// [[joint]] entries of scene files, right and wrong.
#include <gtest/gtest.h>

#include "io/scene/reader.h"
#include "touchstone/error.h"

namespace touchstone {
namespace {

using Eigen::Vector3d;

const std::string k3D =
    "touchstone = 1\ndimension = 3\n"
    "[[body]]\nname = 'a'\nshape = { kind = 'sphere', radius = 0.5 }\n"
    "[[body]]\nname = 'b'\nposition = [3, 0, 0]\nshape = { kind = 'sphere', radius = 0.5 }\n"
    "[[joint]]\n";  // its keys begin on line 11
const std::string k2D =
    "touchstone = 1\ndimension = 2\n"
    "[[body]]\nname = 'a'\nshape = { kind = 'circle', radius = 0.5 }\n"
    "[[body]]\nname = 'b'\nposition = [3, 0]\nshape = { kind = 'circle', radius = 0.5 }\n"
    "[[joint]]\n";

std::string complaint(const std::string& text) {
  try {
    parse_scene(text, "s");
  } catch (const Error& e) {
    const std::string what = e.what();
    return what.substr(0, what.find('\n'));
  }
  return "no error";
}

TEST(SceneJoints, ReadsEveryKey) {
  const SceneDescription s = parse_scene(k3D + R"(name = "door"
kind = "hinge"
body_a = "a"
body_b = "b"
point = [1, 2, 3]
axis = [0, 0, 2]
lower = -1
upper = 2
motor_speed = 3
motor_max_force = 4
collide = true
[[joint]]
kind = "distance"
body_a = "b"
point_a = [0, 0, 1]
point_b = [3, 0, 0]
length = 1
[[joint]]
kind = "universal"
body_b = "a"
point_a = [1, 0, 0]
axis = [1, 0, 0]
axis_b = [0, 1, 0]
)",
                                         "s");
  ASSERT_EQ(s.joints.size(), 3u);
  const JointDescription &door = s.joints[0], &rod = s.joints[1], &cross = s.joints[2];
  EXPECT_EQ(door.name, "door");
  EXPECT_EQ(door.kind, JointKind::kHinge);
  EXPECT_EQ(door.body_a, "a");
  EXPECT_EQ(door.body_b, "b");
  EXPECT_EQ(door.point, Vector3d(1, 2, 3));
  EXPECT_FALSE(door.point_a || door.point_b || door.axis_b || door.length);
  EXPECT_EQ(door.axis, Vector3d(0, 0, 2));
  EXPECT_EQ(door.lower, -1);
  EXPECT_EQ(door.upper, 2);
  EXPECT_EQ(door.motor_speed, 3);
  EXPECT_EQ(door.motor_max_force, 4);
  EXPECT_TRUE(door.collide);
  EXPECT_EQ(rod.name, "joint_2");
  EXPECT_EQ(rod.kind, JointKind::kDistance);
  EXPECT_EQ(rod.body_b, "");
  EXPECT_EQ(rod.point_a, Vector3d(0, 0, 1));
  EXPECT_EQ(rod.point_b, Vector3d(3, 0, 0));
  EXPECT_EQ(rod.length, 1);
  EXPECT_FALSE(rod.collide);
  EXPECT_EQ(cross.kind, JointKind::kUniversal);
  EXPECT_EQ(cross.axis_b, Vector3d(0, 1, 0));
}

TEST(SceneJoints, ReadsMotorsThatFollowATime) {
  const SceneDescription s = parse_scene(k3D + R"(name = "rail"
kind = "slider"
body_b = "a"
axis = [1, 0, 0]
motor_waypoints = [[0, 0], [0.5, 0.1], [2, -0.1]]
motor_max_force = 4
motor_max_speed = 0.5
motor_response = 0.02
motor_from = 0.25
motor_until = 3
[[joint]]
name = "door"
kind = "hinge"
body_b = "b"
point = [0, 0, 0]
axis = [0, 0, 1]
motor_position = 1.5
motor_max_force = 2
)",
                                         "s");
  const JointDescription &rail = s.joints.at(0), &door = s.joints.at(1);
  EXPECT_EQ(rail.motor_waypoints, (std::vector<std::array<double, 2>>{{0, 0}, {0.5, 0.1}, {2, -0.1}}));
  EXPECT_EQ(rail.motor_max_speed, 0.5);
  EXPECT_EQ(rail.motor_response, 0.02);
  EXPECT_EQ(rail.motor_from, 0.25);
  EXPECT_EQ(rail.motor_until, 3);
  EXPECT_FALSE(rail.motor_speed || rail.motor_position);
  EXPECT_EQ(door.motor_position, 1.5);
}

TEST(SceneJoints, MistakesOfMotorsAreNamed) {
  const std::string rail = "name = 'r'\nkind = 'slider'\nbody_a = 'a'\naxis = [1, 0, 0]\nmotor_max_force = 1\n";
  const auto said = [&](const std::string& keys) { return complaint(k3D + rail + keys); };
  EXPECT_EQ(said("motor_position = 1\n"), "no error");
  EXPECT_EQ(
      said("motor_position = 1\nmotor_speed = 1\n"),
      "s:17:15: key 'joint.r.motor_speed' is 1: is given beside motor_position or motor_waypoints; use one of them");
  EXPECT_EQ(said("motor_position = 1\nmotor_waypoints = [[0, 1]]\n"),
            "s:16:18: key 'joint.r.motor_position' is 1: is given beside motor_waypoints; use one of them");
  EXPECT_EQ(said("motor_waypoints = [[0, 1], [0, 2]]\n"),
            "s:16:19: key 'joint.r.motor_waypoints' is a list of 2: must have increasing times, and 0 s follows 0 s");
  EXPECT_EQ(said("motor_waypoints = [[0, 1], [0, 2, 3]]\n"),
            "s:16:28: key 'joint.r.motor_waypoints[1]' is [0, 2, 3]: must be a list of 2 finite numbers");
  EXPECT_EQ(said("motor_speed = 1\nmotor_response = 1\n"),
            "s:17:18: key 'joint.r.motor_response' is 1: belongs to a motor with motor_position or motor_waypoints");
  EXPECT_EQ(said("motor_speed = 1\nmotor_from = 2\nmotor_until = 1\n"),
            "s:18:15: key 'joint.r.motor_until' is 1: must be after motor_from, which is 2 s");
  EXPECT_TRUE(said("motor_from = 2\n").starts_with("s:10:1: key 'joint.r.motor_speed' is missing"));
}

TEST(SceneStep, MayNotBeLongerThanTheRun) {
  const auto said = [](const std::string& keys) {
    return complaint("touchstone = 1\ndimension = 2\n[simulation]\n" + keys);
  };
  EXPECT_EQ(said("step = 0.2\nduration = 0.1\n"),
            "s:4:8: key 'simulation.step' is 0.2: must be at most the duration, 0.1 s (simulation.duration)");
  EXPECT_EQ(said("duration = 1e-4\n"),
            "s:4:12: key 'simulation.duration' is 0.0001: must be at least one step, 0.001 s (simulation.step)");
  EXPECT_EQ(said("step = 0.2\nduration = 0\n"), "no error");
  EXPECT_EQ(said("step = 0.1\nduration = 0.1\n"), "no error");
}

TEST(SceneJoints, KindsOfBothDimensions) {
  const auto kind = [](const std::string& text) { return parse_scene(text, "s").joints.at(0).kind; };
  EXPECT_EQ(kind(k3D + "kind = 'ball'\nbody_a = 'a'\npoint = [0, 0, 0]\n"), JointKind::kBall);
  EXPECT_EQ(kind(k3D + "kind = 'fixed'\nbody_a = 'a'\n"), JointKind::kFixed);
  EXPECT_EQ(kind(k3D + "kind = 'slider'\nbody_a = 'a'\naxis = [1, 0, 0]\n"), JointKind::kSlider);
  EXPECT_EQ(kind(k2D + "kind = 'pin'\nbody_a = 'a'\npoint = [0, 0]\n"), JointKind::kHinge);
  EXPECT_EQ(kind(k2D + "kind = 'weld'\nbody_a = 'a'\n"), JointKind::kFixed);
  EXPECT_EQ(kind(k2D + "kind = 'slider'\nbody_a = 'a'\naxis = [1, 0]\n"), JointKind::kSlider);
  EXPECT_EQ(kind(k2D + "kind = 'distance'\nbody_a = 'a'\nbody_b = 'b'\n"), JointKind::kDistance);
}

TEST(SceneJoints, ReadsTheKeysOfEveryKind) {
  const SceneDescription flat = parse_scene(k2D + R"(kind = "bead"
body_b = "b"
point_a = [3, 0]
curve = "y = x^2"
break_force = 7
[[joint]]
kind = "gear"
body_a = "a"
body_b = "b"
ratio = -2
break_torque = 8
[[joint]]
kind = "rope"
body_a = "a"
body_b = "b"
length = 4
[[joint]]
kind = "spring"
body_a = "a"
body_b = "b"
stiffness = 5
damping = 0.5
rest = 2
friction = 0.25
upper = 6
[[joint]]
kind = "target"
body_b = "a"
point_a = [1, 2]
motor_max_force = 9
motor_response = 0.1
motor_max_speed = 3
[[joint]]
kind = "pin"
body_b = "a"
point = [0, 0]
motor_force = -1.5
)",
                                            "s");
  ASSERT_EQ(flat.joints.size(), 6u);
  EXPECT_EQ(flat.joints[0].kind, JointKind::kBead);
  EXPECT_EQ(flat.joints[0].curve, "y = x^2");
  EXPECT_EQ(flat.joints[0].break_force, 7);
  EXPECT_EQ(flat.joints[1].kind, JointKind::kGear);
  EXPECT_EQ(flat.joints[1].ratio, -2);
  EXPECT_EQ(flat.joints[1].break_torque, 8);
  EXPECT_EQ(flat.joints[2].kind, JointKind::kRope);
  EXPECT_EQ(flat.joints[2].length, 4);
  EXPECT_EQ(flat.joints[3].kind, JointKind::kSpring);
  EXPECT_EQ(flat.joints[3].stiffness, 5);
  EXPECT_EQ(flat.joints[3].damping, 0.5);
  EXPECT_EQ(flat.joints[3].rest, 2);
  EXPECT_EQ(flat.joints[3].friction, 0.25);
  EXPECT_EQ(flat.joints[4].kind, JointKind::kTarget);
  EXPECT_EQ(flat.joints[4].point_a, Vector3d(1, 2, 0));
  EXPECT_EQ(flat.joints[4].motor_max_force, 9);
  EXPECT_EQ(flat.joints[5].motor_force, -1.5);
  const std::string axis = "body_b = 'a'\npoint = [0, 0, 0]\naxis = [0, 0, 1]\n";
  const SceneDescription deep =
      parse_scene(k3D + "kind = 'screw'\npitch = 0.01\n" + axis + "[[joint]]\nkind = 'planar'\n" + axis +
                      "[[joint]]\nkind = 'cylindrical'\nlower = -1\n" + axis,
                  "s");
  ASSERT_EQ(deep.joints.size(), 3u);
  EXPECT_EQ(deep.joints[0].kind, JointKind::kScrew);
  EXPECT_EQ(deep.joints[0].pitch, 0.01);
  EXPECT_EQ(deep.joints[1].kind, JointKind::kPlanar);
  EXPECT_EQ(deep.joints[2].kind, JointKind::kCylindrical);
}

TEST(SceneJoints, MistakesOfEveryKindAreNamed) {
  const auto flat = [](const std::string& keys) { return complaint(k2D + "name = 'j'\n" + keys); };
  const auto deep = [](const std::string& keys) { return complaint(k3D + "name = 'j'\n" + keys); };
  const std::string pair = "body_a = 'a'\nbody_b = 'b'\n", bead = "kind = 'bead'\nbody_b = 'b'\npoint_a = [3, 0]\n";
  EXPECT_EQ(flat("kind = 'planar'\nbody_b = 'a'\n"),
            "s:12:8: key 'joint.j.kind' is 'planar': needs a 3D scene, and dimension is 2");
  EXPECT_EQ(deep("kind = 'gear'\n" + pair),
            "s:12:8: key 'joint.j.kind' is 'gear': needs a 2D scene, and dimension is 3");
  EXPECT_TRUE(flat(bead).starts_with("s:10:1: key 'joint.j.curve' is missing"));
  EXPECT_EQ(flat(bead + "curve = 'y = x^'\n"),
            "s:15:9: key 'joint.j.curve' is 'y = x^': is not understood at its column 7: expected a number, x, y, a "
            "function or '(', not the end");
  EXPECT_TRUE(flat(bead + "curve = 'y = 1'\n")
                  .starts_with("s:15:9: key 'joint.j.curve' is 'y = 1': does not fit: the "
                               "bead is 1 m off the curve at the start"));
  EXPECT_TRUE(flat(bead + "curve = 'log(x)'\n").starts_with("s:15:9: key 'joint.j.curve' is 'log(x)': does not fit"));
  EXPECT_TRUE(flat("kind = 'pin'\nbody_b = 'b'\npoint = [0, 0]\ncurve = 'x'\n")
                  .starts_with("s:15:9: key 'joint.j.curve' is 'x': does not belong to a pin joint"));
  EXPECT_EQ(flat("kind = 'gear'\n" + pair),
            "s:10:1: key 'joint.j.ratio' is missing: a gear joint needs it (turns of "
            "body_b for a turn of body_a)");
  EXPECT_EQ(flat("kind = 'gear'\nratio = 0\n" + pair), "s:13:9: key 'joint.j.ratio' is 0: must not be zero");
  EXPECT_TRUE(
      flat("kind = 'gear'\nratio = 1\nbody_a = 'a'\n").starts_with("s:10:1: key 'joint.j.body_b' must be a body"));
  EXPECT_TRUE(flat("kind = 'gear'\nratio = 1\nbreak_force = 1\n" + pair)
                  .starts_with("s:14:15: key 'joint.j.break_force' is 1: has no effect"));
  EXPECT_TRUE(
      flat("kind = 'rope'\nbreak_torque = 1\n" + pair)
          .starts_with("s:13:16: key 'joint.j.break_torque' is 1: has no effect: a rope joint passes no torque"));
  EXPECT_EQ(flat("kind = 'rope'\nlength = 2\n" + pair),
            "s:13:10: key 'joint.j.length' is 2: is too short: the points are 3 m apart at the start");
  EXPECT_TRUE(flat("kind = 'rope'\npoint_a = [3, 0]\n" + pair)
                  .ends_with("give the rope a length, or two places that "
                             "are apart"));
  EXPECT_TRUE(
      flat("kind = 'rope'\nupper = 4\n" + pair).ends_with("does not belong to a rope joint: its limit is length"));
  EXPECT_TRUE(
      flat("kind = 'distance'\npoint_a = [3, 0]\n" + pair).ends_with("a distance joint needs two places; use a pin"));
  EXPECT_TRUE(flat("kind = 'distance'\nstiffness = 1\n" + pair)
                  .ends_with("has no effect: the length is held; give lower "
                             "or upper"));
  EXPECT_EQ(flat("kind = 'spring'\n" + pair),
            "s:10:1: key 'joint.j.stiffness' is missing: a spring joint needs it (N/m)");
  EXPECT_TRUE(flat("kind = 'spring'\nstiffness = 1\nrest = -1\n" + pair).ends_with("must not be negative: a length"));
  EXPECT_TRUE(flat("kind = 'weld'\nfriction = 1\n" + pair).ends_with("does not belong to a weld joint"));
  EXPECT_TRUE(flat("kind = 'target'\nbody_b = 'a'\n").starts_with("s:10:1: key 'joint.j.motor_max_force' is missing"));
  EXPECT_TRUE(flat("kind = 'target'\nmotor_max_force = 1\n" + pair)
                  .starts_with("s:14:10: key 'joint.j.body_a' is 'a': must be the world"));
  EXPECT_TRUE(flat("kind = 'target'\nmotor_max_force = 1\nmotor_speed = 1\nbody_b = 'a'\n")
                  .starts_with("s:14:15: key 'joint.j.motor_speed' is 1: does not belong to a target joint"));
  const std::string axis = "body_b = 'a'\npoint = [0, 0, 0]\naxis = [0, 0, 1]\n";
  EXPECT_EQ(deep("kind = 'screw'\n" + axis), "s:10:1: key 'joint.j.pitch' is missing: a screw joint needs it (m/rad)");
  EXPECT_EQ(deep("kind = 'screw'\npitch = 0\n" + axis),
            "s:13:9: key 'joint.j.pitch' is 0: must not be zero; a screw without pitch is a hinge");
  EXPECT_TRUE(
      deep("kind = 'planar'\nbody_b = 'a'\npoint = [0, 0, 0]\n").ends_with("is missing: a planar joint needs it"));
  EXPECT_TRUE(deep("kind = 'cylindrical'\nmotor_force = 1\nmotor_max_force = 1\n" + axis)
                  .starts_with("s:13:15: key 'joint.j.motor_force' is 1: is the motor's force itself"));
  EXPECT_TRUE(deep("kind = 'screw'\npitch = 1\nrest = 1\n" + axis).ends_with("has no effect without stiffness"));
  EXPECT_TRUE(
      deep("kind = 'screw'\npitch = 1\nstiffness = -1\n" + axis).starts_with("s:14:13: key 'joint.j.stiffness' is -1"));
}

TEST(SceneJoints, MistakesAreNamedWithTheirPlace) {
  const std::string ball = "kind = 'ball'\nbody_a = 'a'\n", hinge = "name = 'h'\nkind = 'hinge'\nbody_a = 'a'\n";
  EXPECT_TRUE(complaint(k3D + "body_a = 'a'\n").starts_with("s:10:1: key 'joint[0].kind' is missing: must be ball"));
  EXPECT_TRUE(complaint(k3D + "kind = 'hing'\nbody_a = 'a'\n").ends_with("(did you mean 'hinge'?)"))
      << complaint(k3D + "kind = 'hing'\nbody_a = 'a'\n");
  EXPECT_EQ(complaint(k3D + "kind = 'pin'\nbody_a = 'a'\n"),
            "s:11:8: key 'joint[0].kind' is 'pin': must be hinge in 3D");
  EXPECT_EQ(complaint(k2D + "kind = 'fixed'\nbody_a = 'a'\n"),
            "s:11:8: key 'joint[0].kind' is 'fixed': must be weld in 2D");
  EXPECT_EQ(complaint(k2D + ball), "s:11:8: key 'joint[0].kind' is 'ball': must be pin in 2D");
  EXPECT_EQ(complaint(k2D + "kind = 'universal'\nbody_a = 'a'\n"),
            "s:11:8: key 'joint[0].kind' is 'universal': needs a 3D scene, and dimension is 2");
  EXPECT_EQ(complaint(k3D + "kind = 'ball'\nbody_a = 'aa'\npoint = [0, 0, 0]\n"),
            "s:12:10: key 'joint[0].body_a' is 'aa': there is no body of that name (did you mean 'a'?)");
  EXPECT_EQ(complaint(k3D + "kind = 'ball'\n"),
            "s:10:1: key 'joint[0].body_b' must be another body than body_a, and one of the two not the world");
  EXPECT_EQ(
      complaint(k3D + ball + "body_b = 'a'\npoint = [0, 0, 0]\n"),
      "s:13:10: key 'joint[0].body_b' is 'a': must be another body than body_a, and one of the two not the world");
  EXPECT_EQ(complaint(k3D + ball), "s:10:1: key 'joint[0].point' is missing: a ball joint needs to know where it is");
  EXPECT_EQ(complaint(k3D + hinge + "point = [0, 0, 0]\n"),
            "s:10:1: key 'joint.h.axis' is missing: a hinge joint needs it");
  EXPECT_EQ(complaint(k3D + hinge + "point = [0, 0, 0]\naxis = [0, 0, 0]\n"),
            "s:15:8: key 'joint.h.axis' is [0, 0, 0]: must not be zero");
  const std::string right = hinge + "point = [0, 0, 0]\naxis = [0, 0, 1]\n";
  EXPECT_EQ(complaint(k3D + right), "no error");
  EXPECT_EQ(complaint(k3D + right + "lower = 1\nupper = -1\n"),
            "s:16:9: key 'joint.h.lower' is 1: must not be above upper, which is -1");
  EXPECT_EQ(complaint(k3D + right + "lower = 1\n"),
            "s:16:9: key 'joint.h.lower' is 1: is passed by 1 rad at the start");
  EXPECT_EQ(complaint(k3D + right + "motor_speed = 1\n"),
            "s:10:1: key 'joint.h.motor_max_force' is missing: a motor needs the greatest torque (N·m) that it has");
  EXPECT_TRUE(
      complaint(k3D + right + "lower = nan\n").starts_with("s:16:9: key 'joint.h.lower' is nan: must be finite"));
  EXPECT_TRUE(complaint(k3D + right + "colour = 1\n").starts_with("s:16:1: key 'joint.h.colour' is not known"));
  EXPECT_EQ(complaint(k3D + right + "[[joint]]\n" + right),
            "s:17:8: key 'joint.h.name' is 'h': there is already a joint named 'h'; names must be unique");
  EXPECT_TRUE(complaint(k2D + "kind = 'weld'\nbody_a = 'a'\naxis_b = [1, 0]\n")
                  .starts_with("s:13:10: key 'joint[0].axis_b' is for 3D scenes only"));
}

// All of them at once, whatever else is wrong with the file.
TEST(SceneJoints, EveryMistakeIsShownAtOnce) {
  try {
    parse_scene(
        "touchstone = 1\ndimension = 3\n[simulation]\nstep = -1\n[[body]]\nname = 'a'\nmass = 'heavy'\n"
        "shape = { kind = 'sphere', radius = 0.5 }\n"
        "[[joint]]\nname = 'h'\nkind = 'hinge'\nbody_a = 'a'\naxis = [0, 0, 0]\nlower = 4\nupper = -5\n"
        "motor_speed = 1\nlength = 2\n"
        "[[joint]]\nname = 'b'\nkind = 'ball'\nbody_a = 'a'\nbody_b = 'a'\ncolour = 1\n"
        "[[joint]]\nname = 's'\nkind = 'slider'\nbody_a = 'aa'\nmotor_max_force = 3\npoint_a = [1, 2]\n",
        "s");
    FAIL();
  } catch (const Error& e) {
    const std::string what = e.what();
    for (const char* part :
         {"'simulation.step'", "'body.a.mass'", "'joint.h.point' is missing",
          "'joint.h.axis' is [0, 0, 0]: must not be zero", "'joint.h.lower' is 4: must not be above upper",
          "'joint.h.upper' is -5: must lie between -π and π", "'joint.h.motor_max_force' is missing",
          "'joint.h.length' is 2: does not belong to a hinge joint", "'joint.b.body_b' is 'a': must be another body",
          "'joint.b.point' is missing", "'joint.b.colour' is not known", "'joint.s.body_a' is 'aa': there is no body",
          "'joint.s.axis' is missing", "'joint.s.motor_speed' is missing", "'joint.s.point_a' is [1, 2]"})
      EXPECT_NE(what.find(part), std::string::npos) << part << " is not in\n" << what;
    // Nothing is said of a key that was refused already, nor of what follows from it.
    EXPECT_EQ(what.find("'joint.s.point' "), std::string::npos) << what;
  }
}

}  // namespace
}  // namespace touchstone

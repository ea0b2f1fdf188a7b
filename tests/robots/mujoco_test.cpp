// MJCF files against MuJoCo's own compiler and kinematics: robots of ../shared/data, and models of our own that use
// every form of the format.
#ifdef TOUCHSTONE_MUJOCO
#include "robots/mujoco_peer.h"

#include <gtest/gtest.h>

#include <regex>

#include "robots/robots.h"

namespace touchstone::testing {
namespace {

namespace fs = std::filesystem;

// Debian's MuJoCo is older than some attributes, and counts the volume of concave meshes twice unless told not to.
std::string for_mujoco(std::string text, const fs::path& folder) {
  for (const char* newer : {"inheritrange", "dampratio"})
    text = std::regex_replace(text, std::regex(std::string(" ") + newer + "=\"[^\"]*\""), "");
  text = std::regex_replace(text, std::regex("<texture[^>]*/>| texture=\"[^\"]*\""), "");
  text = std::regex_replace(text, std::regex("integrator=\"implicitfast\""), "");
  // A mesh that is not in the collection.
  if (!fs::exists(folder / "assets" / "trunk.stl"))
    text = std::regex_replace(
        text, std::regex("<mesh class=\"go1\" file=\"trunk.stl\"/>|<geom[^>]*mesh=\"trunk\"[^>]*/>"), "");
  text = std::regex_replace(text, std::regex("<compiler "), "<compiler exactmeshinertia=\"true\" ");
  text = std::regex_replace(text, std::regex("(meshdir|texturedir)=\"assets\""),
                            "$1=\"" + (folder / "assets").string() + "\"");
  return text;
}

void expect_same(const std::string& text, double tolerance) {
  const RobotFolder folder;
  const std::string path = folder.write("model.xml", text);
  std::string error;
  const MujocoModel model = load_mujoco(path, error);
  ASSERT_TRUE(model) << error;
  expect_equal(load_robot(path), *model, tolerance);
}

TEST(MujocoCorpus, EveryRobotIsTheOneThatMujocoMakes) {
  if (!fs::exists(robots_folder())) GTEST_SKIP() << "no robots at " << robots_folder();
  int compared = 0;
  for (const std::string& name : mjcf_robots()) {
    if (name.find("scene") != std::string::npos) continue;
    SCOPED_TRACE(name);
    const fs::path path = robots_folder() / name;
    const RobotFolder folder;
    const std::string copy = folder.write("robot.xml", for_mujoco(text_of(path), path.parent_path()));
    std::string error;
    const MujocoModel model = load_mujoco(copy, error);
    ASSERT_TRUE(model) << error;
    RobotDescription robot = load_robot(copy);
    expect_equal(robot, *model, 1e-6);  // meshes in single precision
    ++compared;
  }
  EXPECT_EQ(compared, 6);
}

TEST(Mujoco, OrientationsInEveryForm) {
  expect_same(R"(<mujoco><compiler angle="degree" eulerseq="zYx" autolimits="true"/><worldbody>
    <body name="a" pos="0.1 0.2 0.3" quat="1 2 3 4"><joint type="hinge" axis="1 1 0" pos="0.1 0 0.2" range="-40 50" ref="10" springref="20"/>
      <geom type="box" size="0.1 0.2 0.3" pos="0.1 0 0"/>
      <body name="b" pos="0.5 0 0" axisangle="1 1 1 35"><joint type="slide" axis="0 1 1" range="-1 2" ref="0.3"/>
        <joint type="hinge" axis="0 0 2" pos="0 0.1 0"/><geom type="ellipsoid" size="0.1 0.2 0.3" euler="10 20 30"/>
        <body name="c" pos="0 0.5 0" euler="10 -20 30"><joint type="ball" range="0 60"/>
          <geom type="capsule" size="0.05" fromto="0 0 0 0.1 0.2 0.3"/>
          <body name="d" xyaxes="1 0.2 0 -0.1 1 0.3" pos="0 0 0.4"><joint axis="1 0 0"/>
            <geom type="cylinder" size="0.05 0.1" zaxis="1 2 -3"/>
            <body name="e" zaxis="0 0 -1" pos="0.1 0.1 0.1"><joint axis="0 1 0" damping="0.2" stiffness="3" armature="0.1" frictionloss="0.4"/>
              <geom type="box" size="0.05 0.06" fromto="0 0 0 0.3 0.1 0.2"/><geom type="ellipsoid" size="0.05" fromto="0 0 0 0 0.1 -0.2"/>
    </body></body></body></body></body>
    <body name="f" pos="1 2 3"><freejoint/><geom type="sphere" size="0.1" mass="2" pos="0.01 0.02 0.03"/><geom type="sphere" size="0.2" density="500"/></body>
    </worldbody></mujoco>)",
              1e-9);
}

TEST(Mujoco, MassesFromInertialsAndGeoms) {
  expect_same(
      R"(<mujoco><compiler angle="radian" autolimits="true" boundmass="0.05" boundinertia="1e-4" balanceinertia="true" settotalmass="7"/>
    <worldbody><body name="a"><inertial pos="0.1 0 0" mass="2" fullinertia="0.02 0.03 0.04 0.001 0.002 -0.003"/><joint/>
      <body name="b" pos="1 0 0"><inertial pos="0 0.1 0" quat="1 1 0 0" mass="1" diaginertia="0.01 0.02 0.09"/><joint/>
        <body name="c" pos="1 0 0"><joint/><geom size="0.1" group="1"/><geom size="0.2" mass="0"/></body>
      </body></body></worldbody></mujoco>)",
      1e-9);
  expect_same(R"(<mujoco><compiler inertiafromgeom="true" inertiagrouprange="2 3" autolimits="true"/>
    <worldbody><body name="a"><inertial pos="0.1 0 0" mass="2" diaginertia="1 1 1"/><joint/>
      <geom size="0.1" group="1"/><geom size="0.2" group="2" pos="0.3 0.1 0"/><geom type="box" size="0.2 0.1 0.3" group="3"/></body></worldbody></mujoco>)",
              1e-9);
}

TEST(Mujoco, DefaultClasses) {
  expect_same(R"(<mujoco><compiler angle="radian" autolimits="true"/>
    <default><joint damping="1" axis="1 0 0"/><geom size="0.1 0.2 0.3" friction="0.4"/><general biastype="affine" gear="3"/>
      <default class="x"><joint armature="0.5"/><geom type="box" friction="0.6 0.1"/><position kp="20"/>
        <default class="y"><joint damping="2" range="-1 1"/><geom size="0.4"/><velocity kv="4"/></default></default>
      <default class="z"><motor ctrlrange="-1 1"/><joint axis="0 0 1"/></default></default>
    <worldbody><body name="a" childclass="x"><joint name="j1"/><geom/>
      <body name="b"><joint name="j2" class="y"/><geom class="y"/>
        <body name="c" childclass="z"><joint name="j3"/><geom type="capsule"/></body></body></body></worldbody>
    <tendon><fixed name="t"><joint joint="j1" coef="0.5"/><joint joint="j2" coef="-2"/></fixed></tendon>
    <actuator><motor joint="j1"/><position joint="j1" class="x"/><velocity joint="j2" class="y"/><motor class="z" joint="j3" gear="2"/>
      <position joint="j2" class="x" kp="7" ctrlrange="-1 1" forcerange="-3 3"/><general tendon="t" gainprm="2" biasprm="0 -1 -2"/></actuator></mujoco>)",
              1e-9);
}

TEST(Mujoco, MeshesAndHeightFields) {
  const RobotFolder folder;
  // A wedge: its centre of mass and its principal axes are not those of its frame.
  folder.write("wedge.obj", "v 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 3\nv 0.2 0.1 0.5\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n");
  std::string field;
  const std::int32_t size[] = {3, 4};
  field.append(reinterpret_cast<const char*>(size), sizeof size);
  for (int i = 0; i < 12; ++i) {
    const float height = static_cast<float>((i * 7) % 5);
    field.append(reinterpret_cast<const char*>(&height), sizeof height);
  }
  folder.write("hills.bin", field);
  const std::string path = folder.write("model.xml", R"(<mujoco><compiler exactmeshinertia="true" autolimits="true"/>
    <asset><mesh file="wedge.obj" scale="0.1 0.2 -0.3" refpos="0.1 0.2 0.3" refquat="1 0.2 0.3 0.4"/>
      <mesh name="tetrahedron" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/><hfield name="hills" file="hills.bin" size="1 2 0.5 0.1"/></asset>
    <worldbody><geom type="hfield" hfield="hills"/>
      <body name="a" pos="0 0 1"><joint/><geom type="mesh" mesh="wedge" pos="0.1 0.2 0.3" euler="10 20 30"/></body>
      <body name="b" pos="0 0 2"><joint/><geom type="mesh" mesh="tetrahedron" contype="0" conaffinity="0"/></body>
      <body name="c" pos="0 0 3"><joint/><geom type="box" mesh="wedge" pos="0.1 0 0"/><geom type="sphere" mesh="tetrahedron"/>
        <geom type="capsule" mesh="wedge"/><geom type="cylinder" mesh="wedge" fitscale="2"/></body>
    </worldbody></mujoco>)");
  std::string error;
  const MujocoModel model = load_mujoco(path, error);
  ASSERT_TRUE(model) << error;
  expect_equal(load_robot(path), *model, 2e-6);  // MuJoCo keeps vertices in single precision
}

TEST(Mujoco, EqualityConstraints) {
  const std::string text = R"(<mujoco><compiler angle="radian" autolimits="true"/>
    <worldbody><body name="a" pos="0.1 0.2 0.3" quat="1 0.1 0.2 0.3"><joint name="j" axis="0 1 0" ref="0.4"/><geom size="0.1"/></body>
      <body name="b" pos="-0.3 0.2 0.5" quat="1 -0.4 0.2 0.1"><joint name="k" pos="0.1 0.1 0" axis="1 0 0"/><geom size="0.1"/></body></worldbody>
    <equality><connect body1="a" body2="b" anchor="0.1 0.2 0.3"/><connect body1="b" anchor="0.3 0 0"/><weld body1="a" body2="b"/>
      <weld body1="b" body2="a" relpose="0.1 0.2 0.3 1 0 0 1" active="false"/><joint joint1="j" joint2="k" polycoef="0.1 2 3 0 0"/></equality></mujoco>)";
  const RobotFolder folder;
  const std::string path = folder.write("model.xml", text);
  std::string error;
  const MujocoModel model = load_mujoco(path, error);
  ASSERT_TRUE(model) << error;
  const RobotDescription robot = load_robot(path);
  ASSERT_EQ(robot.equalities.size(), static_cast<std::size_t>(model->neq));
  const auto numbers = [&](int i) { return model->eq_data + mjNEQDATA * i; };
  for (int i = 0; i < 2; ++i) {
    const RobotEquality& e = robot.equalities[static_cast<std::size_t>(i)];
    EXPECT_EQ(e.kind, RobotEqualityKind::kConnect);
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(e.point_a[k], numbers(i)[k], 1e-12);
      EXPECT_NEAR(e.point_b[k], numbers(i)[3 + k], 1e-12);
    }
  }
  // MuJoCo 2.2.2 keeps the anchor in front of the relative pose.
  for (int i = 2; i < 4; ++i) {
    const RobotEquality& e = robot.equalities[static_cast<std::size_t>(i)];
    EXPECT_EQ(e.kind, RobotEqualityKind::kWeld);
    EXPECT_EQ(e.active, i == 2);
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(e.relative.position[k], numbers(i)[3 + k], 1e-12) << i;
    const Eigen::Quaterniond theirs(numbers(i)[6], numbers(i)[7], numbers(i)[8], numbers(i)[9]);
    EXPECT_LT(e.relative.orientation.angularDistance(theirs), 1e-7) << i;
  }
  EXPECT_EQ(robot.equalities[4].kind, RobotEqualityKind::kJoint);
  for (std::size_t k = 0; k < 5; ++k) EXPECT_EQ(robot.equalities[4].polynomial[k], numbers(4)[k]);
}

TEST(Mujoco, SpringsByTimeConstant) {
  expect_same(
      R"(<mujoco><compiler autolimits="true"/><worldbody><body name="a"><joint springdamper="0.2 0.7" armature="0.1" axis="0 1 0"/>
    <geom type="box" size="0.1 0.2 0.3"/><body name="b" pos="0 0 1"><joint type="slide" springdamper="0.1 1"/><geom size="0.2"/></body></body>
    </worldbody></mujoco>)",
      1e-9);
}

}  // namespace
}  // namespace touchstone::testing
#endif

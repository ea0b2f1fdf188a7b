// MJCF beyond what MuJoCo 2.2.2 knows, and what our description keeps of it.
#include "io/robot/kinematics.h"
#include "robots/robots.h"

namespace touchstone::testing {
namespace {

RobotDescription read(const std::string& text) { return parse_robot_text(text, "robot.xml"); }

TEST(Mjcf, DampingRatiosAndInheritedRanges) {
  const RobotDescription robot =
      read(R"(<mujoco><worldbody><body><joint name="j" axis="0 1 0" range="-90 30" armature="0.5"/>
      <geom type="box" size="0.1 0.2 0.3" mass="2" pos="0 0 1"/></body></worldbody>
    <default><position kp="50" dampratio="0.9" inheritrange="0.5"/></default>
    <actuator><general joint="j" biastype="affine" biasprm="0 -50 -2"/><position joint="j" gear="2"/><position joint="j" kp="10" kv="3" ctrlrange="-1 1"/></actuator></mujoco>)");
  // A box about y at 1 m: m (a² + c²) / 3 with half sizes, and m d².
  const double inertia = 2 * (0.01 + 0.09) / 3 + 2 + 0.5;
  ASSERT_EQ(robot.actuators.size(), 3u);
  EXPECT_EQ(robot.actuators[0].bias_terms[2], -2) << "its own word on the bias replaces the ratio of the default";
  const RobotActuator& a = robot.actuators[1];
  EXPECT_EQ(a.gain_terms[0], 50);
  EXPECT_EQ(a.bias_terms[1], -50);
  EXPECT_NEAR(a.bias_terms[2], -0.9 * 2 * std::sqrt(50 * inertia / 4), 1e-12);
  const double degree = std::numbers::pi / 180;
  ASSERT_TRUE(a.control_range);
  EXPECT_NEAR((*a.control_range)[0], -60 * degree, 1e-12);
  EXPECT_NEAR((*a.control_range)[1], 0, 1e-12);
  EXPECT_EQ(robot.actuators[2].bias_terms[2], -3);
  EXPECT_EQ((*robot.actuators[2].control_range)[1], 1);
}

TEST(Mjcf, FramesCarryWhatIsInThem) {
  const std::string inside =
      R"(<joint axis="1 0 0" pos="0 0.1 0"/><geom type="box" size="0.1 0.2 0.3" pos="0.1 0 0"/><site name="s" pos="1 0 0"/>)";
  const RobotDescription framed = read(
      "<mujoco><worldbody><frame pos=\"0 0 1\" euler=\"0 0 90\"><body name=\"a\"><frame pos=\"1 0 0\" euler=\"0 90 "
      "0\">" +
      inside + "</frame></body></frame></worldbody></mujoco>");
  const RobotDescription plain =
      read(R"(<mujoco><worldbody><body name="a" pos="0 0 1" euler="0 0 90"><joint axis="0 0 -1" pos="1 0.1 0"/>
    <geom type="box" size="0.1 0.2 0.3" pos="1 0 -0.1" euler="0 90 0"/><site name="s" pos="1 0 -1" euler="0 90 0"/></body></worldbody></mujoco>)");
  ASSERT_EQ(framed.links.size(), 1u);
  EXPECT_LT((framed.joints[0].axis - plain.joints[0].axis).norm(), 1e-12);
  EXPECT_LT((framed.joints[0].point - plain.joints[0].point).norm(), 1e-12);
  EXPECT_LT((framed.links[0].inertia - plain.links[0].inertia).norm(), 1e-12);
  EXPECT_LT((framed.links[0].center_of_mass - plain.links[0].center_of_mass).norm(), 1e-12);
  EXPECT_LT((framed.links[0].sites[0].pose.position - plain.links[0].sites[0].pose.position).norm(), 1e-12);
  EXPECT_LT((framed.links[0].pose.position - plain.links[0].pose.position).norm(), 1e-12);
}

TEST(Mjcf, KeyframesOfFreeBodiesAreRelativeToTheirPlace) {
  const RobotDescription robot = read(
      R"(<mujoco><compiler angle="radian"/><worldbody><body name="a" pos="0 0 1" euler="0 0 1.5707963267948966"><freejoint name="f"/><geom size="1"/>
    <body><joint ref="0.2"/><geom size="1"/></body></body></worldbody>
    <keyframe><key name="k" qpos="1 2 3 1 0 0 0 0.7" qvel="1 0 0 0 0 1 5"/></keyframe></mujoco>)");
  ASSERT_EQ(robot.keyframes.size(), 1u);
  const RobotKeyframe& key = robot.keyframes[0];
  const std::vector<RobotPose> poses = link_poses(robot, key.q);
  EXPECT_LT((poses[0].position - Eigen::Vector3d(1, 2, 3)).norm(), 1e-12);
  EXPECT_LT(poses[0].orientation.angularDistance(Eigen::Quaterniond::Identity()), 1e-7);
  EXPECT_EQ(key.q[7], 0.7);
  // 1 m/s along x of the world is −1 m/s along y of the place.
  EXPECT_NEAR(key.v[0], 0, 1e-12);
  EXPECT_NEAR(key.v[1], -1, 1e-12);
  EXPECT_EQ(key.v[5], 1);
  EXPECT_EQ(robot.find_keyframe("k"), 0u);
}

TEST(Mjcf, ContactsBetweenGroupsPairsAndExclusions) {
  const RobotDescription robot = read(
      R"(<mujoco><option><flag filterparent="disable" gravity="disable"/></option><worldbody><geom name="floor" type="plane" size="1 1 1"/>
    <body name="a"><geom name="g" size="1" contype="2" conaffinity="4" condim="1"/><geom name="h" size="1" contype="0" conaffinity="0"/>
      <geom size="1" contype="0" conaffinity="0"/></body></worldbody>
    <contact><exclude body1="a" body2="world"/><pair geom1="h" geom2="floor" friction="0.3 0.3"/></contact></mujoco>)");
  EXPECT_TRUE(robot.parents_collide);
  EXPECT_EQ(robot.gravity, Eigen::Vector3d::Zero());
  ASSERT_EQ(robot.links[0].shapes.size(), 2u);
  EXPECT_EQ(robot.links[0].shapes[0].category, 2u);
  EXPECT_EQ(robot.links[0].shapes[0].mask, 4u);
  EXPECT_EQ(robot.links[0].shapes[0].friction, 0.0);
  EXPECT_EQ(robot.links[0].visuals.size(), 1u);
  ASSERT_EQ(robot.exclusions.size(), 1u);
  EXPECT_EQ(robot.exclusions[0].link_b, RobotLink::kWorld);
  ASSERT_EQ(robot.pairs.size(), 1u);
  EXPECT_EQ(robot.pairs[0].shape_a, 1u);
  EXPECT_EQ(robot.pairs[0].link_b, RobotLink::kWorld);
  EXPECT_EQ(robot.pairs[0].friction, 0.3);
  ASSERT_EQ(robot.world.shapes.size(), 1u);
  EXPECT_EQ(robot.world.shapes[0].shape.kind, ShapeKind::kHalfSpace);
}

TEST(Mjcf, ActuatorsThatAreNotSimulatedAreNamedAndLeaveKeyframesRight) {
  const RobotDescription robot =
      read(R"(<mujoco><worldbody><site name="s"/><body><joint name="j"/><geom size="1"/></body></worldbody>
    <tendon><spatial name="t"><site site="s"/></spatial></tendon>
    <actuator><motor name="a" site="s"/>
      <motor name="b" joint="j"/>
      <motor name="c" tendon="t"/>
      <muscle name="d" joint="j"/></actuator>
    <keyframe><key ctrl="1 2 3 4"/></keyframe></mujoco>)");
  ASSERT_EQ(robot.actuators.size(), 1u);
  EXPECT_EQ(robot.actuators[0].name, "b");
  EXPECT_EQ(robot.keyframes[0].control, std::vector<double>{2});
  for (const char* each : {"<motor> 'a'", "<motor> 'c'", "<muscle> 'd'", "<spatial> 't'"}) {
    const ImportNote* note = find_note(robot, each);
    ASSERT_TRUE(note) << each;
    EXPECT_EQ(note->kind, ImportNote::Kind::kIgnored);
    EXPECT_TRUE(note->affects_motion);
  }
}

TEST(Mjcf, UnknownWordsInDefaultsAndElementsAreReported) {
  const RobotDescription robot = read(R"(<mujoco>
    <default><geom friction="0.3" colour="red"/><joint damping="1" dampng="2"/>
      <default class="unused"><geom size="3"/></default></default>
    <worldbody><body name="a">
      <geom size="1" solref="0.1 1"/>
      <colour/></body></worldbody></mujoco>)");
  EXPECT_EQ(robot.links[0].shapes[0].friction, 0.3);
  ASSERT_TRUE(find_note(robot, "colour of <geom>: unknown attribute"));
  EXPECT_EQ(find_note(robot, "colour of <geom>")->source.line, 2);
  ASSERT_TRUE(find_note(robot, "<colour>: unknown element"));
  EXPECT_EQ(find_note(robot, "<colour>")->source.line, 6);
  ASSERT_TRUE(find_note(robot, "solref of <geom>"));
  ASSERT_TRUE(find_note(robot, "size of <geom>"));
  EXPECT_EQ(find_note(robot, "size of <geom>")->kind, ImportNote::Kind::kUnused);
  ASSERT_TRUE(find_note(robot, "dampng of <joint>"));
}

TEST(Mjcf, IncludesStandInThePlaceOfTheirElement) {
  const RobotFolder folder;
  folder.write(
      "parts/arm.xml",
      "<mujocoinclude><body name=\"a\"><geom size=\"1\"/></body>\n<body name=\"b\"><odd/></body></mujocoinclude>");
  const std::string path = folder.write("scene.xml", R"(<mujoco><worldbody><body name="first"/>
    <include file="parts/arm.xml"/><body name="last"/></worldbody></mujoco>)");
  const RobotDescription robot = load_robot(path);
  ASSERT_EQ(robot.links.size(), 4u);
  EXPECT_EQ(robot.links[0].name, "first");
  EXPECT_EQ(robot.links[2].name, "b");
  EXPECT_EQ(robot.links[3].name, "last");
  const ImportNote* note = find_note(robot, "<odd>");
  ASSERT_TRUE(note);
  EXPECT_EQ(note->source.file, folder.path("parts/arm.xml"));
  EXPECT_EQ(note->source.line, 2);
}

TEST(Mjcf, ConstraintsBySites) {
  const RobotDescription robot = read(
      R"(<mujoco><worldbody><site name="w" pos="1 2 3"/><body name="a"><joint/><geom size="1"/><site name="s" pos="0.1 0.2 0.3" euler="0 0 90"/></body></worldbody>
    <equality><connect site1="s" site2="w"/><weld site1="s" site2="w"/></equality></mujoco>)");
  ASSERT_EQ(robot.equalities.size(), 2u);
  EXPECT_EQ(robot.equalities[0].link_b, RobotLink::kWorld);
  EXPECT_EQ(robot.equalities[0].point_b, Eigen::Vector3d(1, 2, 3));
  // Where the sites meet, the world's origin is at (0.1 + 2, 0.2 − 1, 0.3 − 3) in the body.
  EXPECT_LT((robot.equalities[1].relative.position - Eigen::Vector3d(2.1, -0.8, -2.7)).norm(), 1e-12);
}

}  // namespace
}  // namespace touchstone::testing

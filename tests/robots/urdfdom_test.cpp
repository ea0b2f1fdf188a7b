// URDF files against urdfdom's reader: masses, centres, inertias, joints, and poses of links at random coordinates.
#ifdef TOUCHSTONE_URDFDOM
#include <gtest/gtest.h>
#include <urdf_parser/urdf_parser.h>

#include "io/robot/kinematics.h"
#include "robots/robots.h"

namespace touchstone::testing {
namespace {

namespace fs = std::filesystem;

RobotPose pose_of(const urdf::Pose& p) {
  return {{p.position.x, p.position.y, p.position.z}, {p.rotation.w, p.rotation.x, p.rotation.y, p.rotation.z}};
}

class UrdfdomComparison {
 public:
  UrdfdomComparison(const RobotDescription& robot, const urdf::ModelInterface& model) : robot_(robot), model_(model) {}

  void compare() {
    ASSERT_EQ(robot_.links.size(), model_.links_.size());
    ASSERT_EQ(robot_.joints.size(), model_.joints_.size());
    for (const RobotLink& link : robot_.links) compare_link(link);
    for (const RobotJoint& joint : robot_.joints) compare_joint(joint);
    std::mt19937_64 random(3);
    for (int i = 0; i < 10; ++i) compare_poses(random_coordinates(robot_, random));
  }

 private:
  void compare_link(const RobotLink& link) const {
    const auto theirs = model_.getLink(link.name);
    ASSERT_TRUE(theirs) << link.name;
    EXPECT_EQ(link.shapes.size(), theirs->collision_array.size()) << link.name;
    EXPECT_EQ(link.visuals.size(), theirs->visual_array.size()) << link.name;
    if (!theirs->inertial) {
      EXPECT_EQ(link.mass, 0) << link.name;
      return;
    }
    const urdf::Inertial& in = *theirs->inertial;
    const RobotPose origin = pose_of(in.origin);
    Eigen::Matrix3d about;
    about << in.ixx, in.ixy, in.ixz, in.ixy, in.iyy, in.iyz, in.ixz, in.iyz, in.izz;
    const Eigen::Matrix3d R = origin.orientation.toRotationMatrix();
    about = R * about * R.transpose();
    EXPECT_EQ(link.mass, in.mass) << link.name;
    EXPECT_LT((link.center_of_mass - origin.position).norm(), 1e-15) << link.name;
    EXPECT_LT((link.inertia - about).cwiseAbs().maxCoeff(), 1e-13 * (1 + about.norm())) << link.name;
  }

  void compare_joint(const RobotJoint& joint) const {
    const auto theirs = model_.getJoint(joint.name);
    ASSERT_TRUE(theirs) << joint.name;
    EXPECT_EQ(robot_.links[joint.link].name, theirs->child_link_name);
    const RobotLink& link = robot_.links[joint.link];
    EXPECT_EQ(robot_.links[link.parent].name, theirs->parent_link_name);
    const Eigen::Vector3d axis(theirs->axis.x, theirs->axis.y, theirs->axis.z);
    if (coordinates_of(joint.kind) == 1 || joint.kind == RobotJointKind::kPlanar) {
      EXPECT_LT((joint.axis - axis.normalized()).norm(), 1e-12) << joint.name;
    }
    if (joint.lower && theirs->limits) {
      EXPECT_EQ(*joint.lower, theirs->limits->lower) << joint.name;
      EXPECT_EQ(*joint.upper, theirs->limits->upper) << joint.name;
      EXPECT_EQ(*joint.max_effort, theirs->limits->effort) << joint.name;
      EXPECT_EQ(*joint.max_speed, theirs->limits->velocity) << joint.name;
    }
    EXPECT_EQ(joint.damping, theirs->dynamics ? theirs->dynamics->damping : 0) << joint.name;
    EXPECT_EQ(joint.friction, theirs->dynamics ? theirs->dynamics->friction : 0) << joint.name;
    ASSERT_EQ(joint.mimic.has_value(), theirs->mimic != nullptr) << joint.name;
    if (!joint.mimic) return;
    EXPECT_EQ(robot_.joints[joint.mimic->joint].name, theirs->mimic->joint_name);
    EXPECT_EQ(joint.mimic->multiplier, theirs->mimic->multiplier);
    EXPECT_EQ(joint.mimic->offset, theirs->mimic->offset);
  }

  // From the root to the link, by matrices of this test.
  Eigen::Isometry3d theirs_of(const std::string& link, const std::vector<double>& q) const {
    const auto here = model_.getLink(link);
    if (!here->parent_joint) return Eigen::Isometry3d::Identity();
    const urdf::Joint& joint = *here->parent_joint;
    const RobotPose origin = pose_of(joint.parent_to_joint_origin_transform);
    Eigen::Isometry3d step = Eigen::Translation3d(origin.position) * Eigen::Isometry3d(origin.orientation);
    std::size_t at = 0;
    for (std::size_t i = 0; robot_.joints[i].name != joint.name; ++i)
      at += static_cast<std::size_t>(coordinates_of(robot_.joints[i].kind));
    const Eigen::Vector3d axis = Eigen::Vector3d(joint.axis.x, joint.axis.y, joint.axis.z).normalized();
    if (joint.type == urdf::Joint::REVOLUTE || joint.type == urdf::Joint::CONTINUOUS)
      step = step * Eigen::AngleAxisd(q[at], axis);
    if (joint.type == urdf::Joint::PRISMATIC) step = step * Eigen::Translation3d(q[at] * axis);
    if (joint.type == urdf::Joint::FLOATING)
      step = step * Eigen::Translation3d(q[at], q[at + 1], q[at + 2]) *
             Eigen::Quaterniond(q[at + 3], q[at + 4], q[at + 5], q[at + 6]);
    return theirs_of(joint.parent_link_name, q) * step;
  }

  void compare_poses(const std::vector<double>& q) const {
    const std::vector<RobotPose> poses = link_poses(robot_, q);
    for (std::size_t i = 0; i < poses.size(); ++i) {
      const Eigen::Isometry3d theirs = theirs_of(robot_.links[i].name, q);
      EXPECT_LT((poses[i].position - theirs.translation()).norm(), 1e-12) << robot_.links[i].name;
      EXPECT_LT((poses[i].orientation.toRotationMatrix() - theirs.linear()).cwiseAbs().maxCoeff(), 1e-12);
    }
  }

  const RobotDescription& robot_;
  const urdf::ModelInterface& model_;
};

TEST(UrdfdomCorpus, EveryRobotIsTheOneThatUrdfdomReads) {
  if (!fs::exists(robots_folder())) GTEST_SKIP() << "no robots at " << robots_folder();
  for (const std::string& name : urdf_robots()) {
    SCOPED_TRACE(name);
    const auto model = urdf::parseURDFFile((robots_folder() / name).string());
    ASSERT_TRUE(model);
    const RobotDescription robot = load_robot((robots_folder() / name).string());
    UrdfdomComparison(robot, *model).compare();
  }
}

TEST(Urdfdom, JointsOfEveryKind) {
  const std::string text = R"(<robot name="r"><link name="base"/>
    <link name="a"><inertial><origin xyz="0.1 0.2 0.3" rpy="0.4 0.5 0.6"/><mass value="2"/>
      <inertia ixx="0.3" iyy="0.4" izz="0.5" ixy="0.01" ixz="0.02" iyz="-0.03"/></inertial>
      <collision><origin xyz="1 0 0" rpy="0 1 0"/><geometry><cylinder radius="0.1" length="0.3"/></geometry></collision></link>
    <link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
    <link name="c"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
    <link name="d"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
    <joint name="fix" type="fixed"><parent link="base"/><child link="a"/><origin xyz="0 0 1" rpy="0.1 0.2 0.3"/></joint>
    <joint name="turn" type="revolute"><parent link="a"/><child link="b"/><origin xyz="0.3 0 0" rpy="1 -2 0.3"/><axis xyz="1 2 3"/>
      <limit lower="-1" upper="2" effort="3" velocity="4"/><dynamics damping="0.5" friction="0.6"/></joint>
    <joint name="slide" type="prismatic"><parent link="b"/><child link="c"/><axis xyz="0 1 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/>
      <mimic joint="turn" multiplier="-2" offset="0.1"/></joint>
    <joint name="free" type="floating"><parent link="b"/><child link="d"/><origin xyz="0 1 0" rpy="0.5 0 0"/></joint></robot>)";
  const auto model = urdf::parseURDF(text);
  ASSERT_TRUE(model);
  UrdfdomComparison(parse_robot_text(text, "robot.urdf"), *model).compare();
}

}  // namespace
}  // namespace touchstone::testing
#endif

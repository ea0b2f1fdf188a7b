// Descriptions of robots as trees: poses by the formula of touchstone/robot.h, masses, orders of coordinates, floating
// bases, and what is refused.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "dynamics/tree/random_trees.h"
#include "dynamics/tree/robot_tree.h"
#include "touchstone/error.h"

namespace touchstone {
namespace {

using Affine = Eigen::Isometry3d;

Affine affine(const Eigen::Vector3d& p, const Eigen::Quaterniond& r) {
  Affine out = Affine::Identity();
  out.translate(p).rotate(r);
  return out;
}
Affine about(const Eigen::Vector3d& point, const Eigen::Quaterniond& r) {
  return affine(point, Eigen::Quaterniond::Identity()) * affine({0, 0, 0}, r) *
         affine(-point, Eigen::Quaterniond::Identity());
}
Eigen::Quaterniond turn(const Eigen::Vector3d& axis, double angle) {
  return Eigen::Quaterniond(Eigen::AngleAxisd(angle, axis));
}

// J(q) of a joint in the frame of its link.
Affine moved(const RobotJoint& j, const double* q) {
  const Eigen::Quaterniond none = Eigen::Quaterniond::Identity();
  switch (j.kind) {
    case RobotJointKind::kRevolute:
    case RobotJointKind::kContinuous:
      return about(j.point, turn(j.axis, q[0] - j.reference));
    case RobotJointKind::kPrismatic:
      return affine(j.axis * (q[0] - j.reference), none);
    case RobotJointKind::kUniversal:
      return about(j.point, turn(j.axis, q[0]) * turn(j.axis_b, q[1]));
    case RobotJointKind::kPlanar: {
      const auto xy = planar_axes(j.axis);
      return affine(q[0] * xy[0] + q[1] * xy[1], none) * about(j.point, turn(j.axis, q[2]));
    }
    case RobotJointKind::kSpherical:
      return about(j.point, Eigen::Quaterniond(q[0], q[1], q[2], q[3]));
    case RobotJointKind::kFloating:
      return affine({q[0], q[1], q[2]}, none) * about(j.point, Eigen::Quaterniond(q[3], q[4], q[5], q[6]));
    case RobotJointKind::kFixed:
      return Affine::Identity();
  }
  return Affine::Identity();
}

RobotDescription random_robot(std::size_t links, TreeDice& dice) {
  using enum RobotJointKind;
  const std::vector<RobotJointKind> kinds{kRevolute, kContinuous, kPrismatic, kUniversal,
                                          kPlanar,   kSpherical,  kFloating,  kFixed};
  RobotDescription robot;
  robot.name = "robot";
  for (std::size_t i = 0; i < links; ++i) {
    RobotLink link;
    link.name = "link" + std::to_string(i);
    link.parent = i == 0 ? RobotLink::kWorld : dice.below(i);
    link.pose = {dice.vector(0.5), dice.rotation()};
    TreeLink body;
    give_mass(body, dice);
    link.mass = body.mass, link.center_of_mass = body.center, link.inertia = body.inertia;
    for (std::size_t k = dice.below(4); k > 0; --k) {
      RobotJoint joint;
      joint.name = "joint" + std::to_string(robot.joints.size());
      joint.link = i, joint.kind = kinds[dice.below(kinds.size())];
      joint.point = dice.vector(0.3), joint.axis = dice.direction();
      joint.axis_b = joint.axis.unitOrthogonal();
      joint.armature = 0.1;  // several joints of one link may move the same way
      if (coordinates_of(joint.kind) == 1) joint.reference = dice.number(-0.5, 0.5);
      link.joints.push_back(robot.joints.size());
      robot.joints.push_back(joint);
    }
    robot.links.push_back(link);
  }
  return robot;
}

TEST(RobotTree, PosesAreThoseOfTheDescription) {
  TreeDice dice(61);
  for (int trial = 0; trial < 40; ++trial) {
    const RobotDescription robot = random_robot(8, dice);
    const Pose<3> base = dice.pose(1.0);
    const RobotTree tree = make_robot_tree(robot, base);
    const TreeModel model = make_tree(tree.links);
    ASSERT_EQ(model.nq(), robot.coordinates());
    ASSERT_EQ(model.nv(), robot.rates());
    EXPECT_NEAR(model.mass(), robot.mass(), 1e-12);
    TreeData data(model);
    const std::vector<double> q = random_coordinates(model, dice);
    place_links(model, q, data);
    std::vector<Affine> poses;
    for (std::size_t i = 0; i < robot.links.size(); ++i) {
      const RobotLink& link = robot.links[i];
      Affine pose = link.parent == RobotLink::kWorld ? affine(base.p, base.R) : poses[link.parent];
      pose = pose * affine(link.pose.position, link.pose.orientation);
      for (const std::size_t j : link.joints) pose = pose * moved(robot.joints[j], &q[tree.first_q[j]]);
      poses.push_back(pose);
      const Pose<3> found = link_pose(model, data, tree.link_of[i]);
      ASSERT_LE((found.p - pose.translation()).norm(), 1e-12) << "trial " << trial << ", link " << i;
      ASSERT_LE((found.R.toRotationMatrix() - pose.rotation()).norm(), 1e-12) << "trial " << trial << ", link " << i;
    }
  }
}

TEST(RobotTree, FloatingBasesKeepTheOrderOfJoints) {
  TreeDice dice(67);
  RobotDescription robot = random_robot(4, dice);
  robot.links[0].joints.clear();
  std::erase_if(robot.joints, [](const RobotJoint& j) { return j.link == 0; });
  for (RobotLink& link : robot.links) link.joints.clear();
  for (std::size_t j = 0; j < robot.joints.size(); ++j) robot.links[robot.joints[j].link].joints.push_back(j);
  const RobotDescription floating = with_floating_base(robot);
  ASSERT_EQ(floating.joints.size(), robot.joints.size() + 1);
  EXPECT_EQ(floating.joints[0].kind, RobotJointKind::kFloating);
  EXPECT_EQ(floating.joints[0].name, "link0_floating");
  for (std::size_t j = 0; j < robot.joints.size(); ++j) {
    EXPECT_EQ(floating.joints[j + 1].name, robot.joints[j].name);
    EXPECT_EQ(floating.links[robot.joints[j].link].joints.back() >= 1, true);
  }
  EXPECT_EQ(make_tree(make_robot_tree(floating, {}).links).nv(), robot.rates() + 6);
}

// Of rigid links only: token masses of files.
TEST(RobotTree, ImpossibleInertiasOfRigidLinksGrow) {
  TreeDice dice(73);
  RobotDescription robot = random_robot(3, dice);
  for (RobotLink& link : robot.links) link.joints.clear(), link.mass = 1e-6;
  robot.joints.clear();
  robot.links[0].inertia.setConstant(1e-6);  // moments 0, 0 and 3e-6
  robot.links[1].inertia.setZero();
  const Eigen::Matrix3d fine = robot.links[2].inertia;
  const RobotDescription possible = with_possible_inertias(robot);
  for (int i = 0; i < 2; ++i) {
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(possible.links[static_cast<std::size_t>(i)].inertia);
    const Eigen::Vector3d m = solver.eigenvalues();
    EXPECT_GT(m[0], 0);
    EXPECT_GE(m[0] + m[1], m[2]);
    EXPECT_LT(m[0], i == 0 ? 3.1e-6 : 1e-14);
  }
  EXPECT_EQ(possible.links[2].inertia, fine);
}

TEST(RobotTree, UnsupportedPartsAreNamed) {
  TreeDice dice(71);
  RobotDescription robot = random_robot(2, dice);
  RobotJoint ball;
  ball.name = "shoulder", ball.link = 0, ball.kind = RobotJointKind::kSpherical, ball.stiffness = 3;
  robot.joints.push_back(ball);
  robot.links[0].joints.push_back(robot.joints.size() - 1);
  try {
    make_robot_tree(robot, {});
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::kUnsupported);
    EXPECT_NE(std::string(e.what()).find("'shoulder'"), std::string::npos);
  }
}

}  // namespace
}  // namespace touchstone

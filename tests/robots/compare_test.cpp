// One robot in two files, and robots that differ.
#include "io/robot/compare.h"

#include "io/robot/kinematics.h"
#include "robots/robots.h"

namespace touchstone::testing {
namespace {

const char* const kUrdf = R"(<robot name="arm"><link name="base"/>
  <link name="upper"><inertial><origin xyz="0 0 0.25" rpy="0 0 0.3"/><mass value="2"/><inertia ixx="0.05" iyy="0.06" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="lower"><inertial><origin xyz="0.1 0 0.2"/><mass value="1"/><inertia ixx="0.02" iyy="0.02" izz="0.005" ixy="0.001" ixz="0" iyz="0"/></inertial></link>
  <link name="tool"><inertial><mass value="0.5"/><inertia ixx="0.001" iyy="0.001" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><axis xyz="0 1 0"/><limit lower="-2" upper="2" effort="9" velocity="9"/></joint>
  <joint name="elbow" type="continuous"><parent link="upper"/><child link="lower"/><origin xyz="0 0 0.5" rpy="0.4 0 0"/><axis xyz="1 0 0"/></joint>
  <joint name="flange" type="fixed"><parent link="lower"/><child link="tool"/><origin xyz="0 0 0.4"/></joint></robot>)";

// The same with other frames: the elbow by an anchor, the tool inside of the lower body's inertial by a body of its
// own.
std::string mjcf(double mass) {
  return R"(<mujoco><compiler angle="radian" autolimits="true"/><worldbody>
    <body name="U"><inertial pos="0 0 0.25" euler="0 0 0.3" mass=")" +
         std::to_string(mass) +
         R"(" diaginertia="0.05 0.06 0.01"/><joint name="shoulder" axis="0 1 0" range="-2 2"/>
      <body name="L" pos="0 0 0.3"><joint name="elbow" pos="0 0 0.2" axis="1 0 0"/>
        <body name="frame" pos="0 0 0.2" euler="0.4 0 0"><inertial pos="0.1 0 0.2" mass="1" fullinertia="0.02 0.02 0.005 0.001 0 0"/>
          <body name="T" pos="0 0 0.4"><inertial pos="0 0 0" mass="0.5" diaginertia="0.001 0.001 0.001"/></body></body>
      </body></body></worldbody></mujoco>)";
}

TEST(RobotComparisons, OneRobotInTwoFormats) {
  const RobotDescription a = parse_robot_text(kUrdf, "a.urdf"), b = parse_robot_text(mjcf(2), "b.xml");
  const RobotComparison c = compare_robots(a, b, 50, 1);
  EXPECT_EQ(c.joints, 2u);
  EXPECT_TRUE(c.by_name);
  EXPECT_LT(c.worst(), 1e-13);
  ASSERT_EQ(c.quantities.size(), 4u);
  EXPECT_GT(c.quantities[3].size, 1.0) << "no torque was compared";
}

TEST(RobotComparisons, AHeavierLinkIsFound) {
  const RobotComparison c =
      compare_robots(parse_robot_text(kUrdf, "a.urdf"), parse_robot_text(mjcf(2.1), "b.xml"), 50, 1);
  EXPECT_NEAR(c.quantities[0].difference, 0.1, 1e-12);
  EXPECT_GT(c.quantities[3].relative(), 1e-3);
  EXPECT_EQ(c.quantities[3].where, "shoulder");
}

TEST(RobotComparisons, JointsWithoutPartners) {
  RobotDescription a = parse_robot_text(kUrdf, "a.urdf"), b = a;
  b.joints[0].name = "shoulder_2";
  const RobotComparison c = compare_robots(a, b, 5, 1);
  EXPECT_EQ(c.joints, 1u);
  EXPECT_EQ(c.only_a, std::vector<std::string>{"shoulder"});
  EXPECT_EQ(c.only_b, std::vector<std::string>{"shoulder_2"});
  b.joints[1].name = "elbow_2";
  EXPECT_FALSE(compare_robots(a, b, 5, 1).by_name);
  EXPECT_LT(compare_robots(a, b, 5, 1).worst(), 1e-15);
  b.joints[1].kind = RobotJointKind::kPrismatic;
  EXPECT_THROW(compare_robots(a, b, 5, 1), Error);
}

// The mass matrix against differences of the kinetic energy of a pendulum that is solved by hand.
TEST(RobotKinematics, DoublePendulumByHand) {
  const RobotDescription robot = parse_robot_text(R"(<mujoco><compiler angle="radian"/><worldbody>
    <body><inertial pos="0 0 -0.5" mass="2" diaginertia="0.1 0.2 0.3"/><joint axis="0 1 0"/>
      <body pos="0 0 -1"><inertial pos="0 0 -0.25" mass="3" diaginertia="0.1 0.4 0.3"/><joint axis="0 1 0" armature="0.7"/></body></body>
    </worldbody></mujoco>)",
                                                  "robot.xml");
  const double q1 = 0.4, q2 = -1.1, c = std::cos(q2);
  const Eigen::MatrixXd M = mass_matrix(robot, {q1, q2});
  EXPECT_NEAR(M(1, 1), 0.4 + 3 * 0.0625 + 0.7, 1e-12);
  EXPECT_NEAR(M(0, 1), 0.4 + 3 * (0.0625 + 0.25 * c), 1e-12);
  EXPECT_NEAR(M(0, 0), 0.2 + 2 * 0.25 + 0.4 + 3 * (1 + 0.0625 + 0.5 * c), 1e-12);
  const Eigen::VectorXd g = gravity_torques(robot, {q1, q2}, {0, 0, -9.81});
  EXPECT_NEAR(g[1], 9.81 * 3 * 0.25 * std::sin(q1 + q2), 1e-12);
  EXPECT_NEAR(g[0], 9.81 * (2 * 0.5 * std::sin(q1) + 3 * (std::sin(q1) + 0.25 * std::sin(q1 + q2))), 1e-12);
  // At the reference, by subtrees.
  const Eigen::VectorXd reflected = reflected_inertias(robot);
  const Eigen::MatrixXd at_zero = mass_matrix(robot, {0, 0});
  for (int i = 0; i < 2; ++i) EXPECT_NEAR(reflected[i], at_zero(i, i), 1e-12);
}

// Columns of planar, universal, spherical and floating joints are the derivatives of the poses.
TEST(RobotKinematics, RatesAreDerivatives) {
  RobotDescription robot;
  const RobotJointKind kinds[] = {RobotJointKind::kFloating,  RobotJointKind::kPlanar,    RobotJointKind::kUniversal,
                                  RobotJointKind::kSpherical, RobotJointKind::kPrismatic, RobotJointKind::kRevolute};
  for (std::size_t i = 0; i < std::size(kinds); ++i) {
    RobotLink link;
    link.parent = i == 0 ? RobotLink::kWorld : i - 1;
    link.pose = {{0.1, 0.2, 0.3}, Eigen::Quaterniond(1, 0.2, -0.3, 0.4).normalized()};
    link.joints = {i};
    RobotJoint joint;
    joint.kind = kinds[i];
    joint.link = i;
    joint.axis = Eigen::Vector3d(1, 2, -2) / 3;
    joint.axis_b = Eigen::Vector3d(2, 1, 2) / 3;
    if (joint.kind != RobotJointKind::kFloating) joint.point = {0.3, -0.1, 0.2};
    robot.links.push_back(link), robot.joints.push_back(joint);
  }
  std::mt19937_64 random(4);
  const std::vector<double> q = random_coordinates(robot, random);
  const RobotMotion motion = motion_of(robot, q);
  const Eigen::Vector3d point(0.2, 0.5, -0.4);  // of the last link
  const RobotPose last = motion.poses.back();
  const Eigen::Vector3d world = last.orientation * point + last.position;
  std::size_t column = 0, at = 0;
  for (const RobotJoint& joint : robot.joints) {
    const int rates = rates_of(joint.kind), numbers = coordinates_of(joint.kind);
    for (int r = 0; r < rates; ++r, ++column) {
      const double h = 1e-6;
      const auto moved = [&](double step) {
        std::vector<double> p = q;
        const bool turns = numbers > rates && r >= rates - 3;  // of a quaternion: q · exp(ω h / 2)
        if (!turns) {
          p[at + static_cast<std::size_t>(r)] += step;
        } else {
          const std::size_t w = at + static_cast<std::size_t>(numbers - 4);
          const Eigen::Quaterniond turned =
              Eigen::Quaterniond(q[w], q[w + 1], q[w + 2], q[w + 3]) *
              Eigen::Quaterniond(Eigen::AngleAxisd(step, Eigen::Vector3d(Eigen::Vector3d::Unit(r - (rates - 3)))));
          p[w] = turned.w(), p[w + 1] = turned.x(), p[w + 2] = turned.y(), p[w + 3] = turned.z();
        }
        const RobotPose pose = link_poses(robot, p).back();
        return Eigen::Vector3d(pose.orientation * point + pose.position);
      };
      const Eigen::Vector3d by_difference = (moved(h) - moved(-h)) / (2 * h);
      const RateColumn& c = motion.columns[column];
      EXPECT_LT((c.linear + c.angular.cross(world) - by_difference).norm(), 1e-8) << column;
    }
    at += static_cast<std::size_t>(numbers);
  }
  EXPECT_EQ(column, motion.columns.size());
}

}  // namespace
}  // namespace touchstone::testing

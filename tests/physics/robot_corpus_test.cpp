// Robots that others wrote stand or hang for 5 s under ncp, held by drives at their keyframe or at zero: no joint
// leaves its equation, and what rests is at rest.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "touchstone/robot_state.h"
#include "touchstone/simulation.h"

namespace touchstone {
namespace {

std::string folder() { return std::string(TOUCHSTONE_SOURCE_DIR) + "/../shared/data/robots/"; }

struct Case {
  const char* file;
  bool floor;  // below the robot, at z = 0
};

// Of mimic joints [rad, m] and of points that equalities connect [m].
double greatest_error(const Simulation& s, std::size_t r, const RobotDescription& robot) {
  double worst = 0;
  for (const RobotJoint& j : robot.joints)
    if (j.mimic)
      worst = std::max(worst, std::abs(s.robot_joint(r, j.name).q[0] - j.mimic->offset -
                                       j.mimic->multiplier * s.robot_joint(r, robot.joints[j.mimic->joint].name).q[0]));
  const auto place = [&](std::size_t link, const Eigen::Vector3d& point) -> Eigen::Vector3d {
    if (link == RobotLink::kWorld) return point;
    const Placement p = s.state(*s.robot_link(r, robot.links[link].name)).placement;
    return p.position + p.orientation * point;
  };
  for (const RobotEquality& e : robot.equalities)
    if (e.kind == RobotEqualityKind::kConnect)
      worst = std::max(worst, (place(e.link_a, e.point_a) - place(e.link_b, e.point_b)).norm());
  return worst;
}

class RobotCorpus : public testing::TestWithParam<Case> {};

TEST_P(RobotCorpus, StandsOrHangsUnderNcp) {
  const std::string path = folder() + GetParam().file;
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not there";
  const RobotDescription robot = load_robot(path);
  SceneDescription scene;
  scene.model.name = "ncp";
  scene.step = 2e-3;
  BodyDescription floor;
  floor.name = "floor", floor.kind = BodyKind::kStatic;
  floor.shapes = {ShapeDescription::half_space(Eigen::Vector3d::UnitZ())};
  if (GetParam().floor) scene.bodies.push_back(floor);
  Simulation s(scene);
  RobotPlacement placement;
  if (robot.find_keyframe("home")) placement.keyframe = "home";
  const std::size_t r = s.add_robot(robot, placement);
  for (const std::string& joint : s.robot_joints(r)) {
    const RobotJointState now = s.robot_joint(r, joint);
    if (now.v.size() != 1) continue;
    RobotDrive hold;
    hold.position = now.q[0], hold.stiffness = 1000, hold.damping = 100;
    s.set_robot_drive(r, joint, hold);
  }
  std::int64_t failed = 0;
  for (int i = 0; i < 2500; ++i) failed += s.step().status != StepStatus::kOk;
  EXPECT_EQ(failed, 0);
  double speed = 0;
  for (const double v : s.robot_rates(r)) speed = std::max(speed, std::abs(v));
  EXPECT_LT(speed, 1e-3);
  EXPECT_LT(greatest_error(s, r, robot), 1e-8);
}

INSTANTIATE_TEST_SUITE_P(Nine, RobotCorpus,
                         testing::Values(Case{"mjcf/kuka_iiwa_14/iiwa14.xml", true},
                                         Case{"mjcf/trossen_wx250s/wx250s.xml", true},
                                         Case{"mjcf/unitree_go1/go1.xml", true},
                                         Case{"mjcf/robotiq_2f85/2f85.xml", false},
                                         Case{"mjcf/wonik_allegro/right_hand.xml", false},
                                         Case{"urdf/panda_description/urdf/panda.urdf", true},
                                         Case{"urdf/hyq_description/robots/hyq_no_sensors.urdf", false},
                                         Case{"urdf/double_pendulum_description/urdf/double_pendulum.urdf", false},
                                         Case{"urdf/simple_humanoid_description/urdf/simple_humanoid.urdf", false}),
                         [](const testing::TestParamInfo<Case>& one) {
                           std::string name = std::filesystem::path(one.param.file).stem().string();
                           for (char& c : name)
                             if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
                           return name;
                         });

}  // namespace
}  // namespace touchstone

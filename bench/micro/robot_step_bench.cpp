// A whole step of a quadruped that stands on four spherical feet, held by position drives: under ncp, and under MuJoCo
// where it is installed (Newton's method, elliptic cones, its other settings as they come).
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "touchstone/robot_state.h"
#include "touchstone/simulation.h"
#ifdef TOUCHSTONE_MUJOCO
#include <mujoco/mujoco.h>

#include <cstring>
#include <memory>
#include <stdexcept>
#endif

namespace touchstone::bench {
namespace {

constexpr double kStep = 2e-3, kStiffness = 300, kDamping = 8;
constexpr double kTrunk = 8, kThigh = 1, kShank = 0.3, kLength = 0.2, kFoot = 0.02, kHip = 0.6, kKnee = -1.2;

std::size_t add(RobotDescription& robot, const std::string& name, std::size_t parent, const Eigen::Vector3d& place,
                double mass, const Eigen::Vector3d& center, const Eigen::Vector3d& moments) {
  RobotLink link;
  link.name = name, link.parent = parent, link.pose.position = place, link.mass = mass, link.center_of_mass = center;
  link.inertia = moments.asDiagonal();
  robot.links.push_back(link);
  return robot.links.size() - 1;
}
void hinge(RobotDescription& robot, std::size_t link, const Eigen::Vector3d& axis) {
  RobotJoint joint;
  joint.name = robot.links[link].name, joint.link = link, joint.axis = axis;
  robot.links[link].joints.push_back(robot.joints.size());
  robot.joints.push_back(joint);
}

RobotDescription quadruped() {
  RobotDescription robot;
  robot.name = "quadruped";
  const std::size_t trunk = add(robot, "trunk", RobotLink::kWorld, {0, 0, 0}, kTrunk, {0, 0, 0}, {0.05, 0.2, 0.22});
  for (const double x : {-0.2, 0.2})
    for (const double y : {-0.1, 0.1}) {
      const std::string name = fmt::format("{}{}", x, y);
      const std::size_t hip = add(robot, "hip" + name, trunk, {x, y, 0}, 0.5, {0, 0, 0}, {5e-4, 5e-4, 5e-4});
      hinge(robot, hip, Eigen::Vector3d::UnitX());
      const std::size_t thigh = add(robot, "thigh" + name, hip, {0, 0.05 * (y > 0 ? 1 : -1), 0}, kThigh,
                                    {0, 0, -0.5 * kLength}, {4e-3, 4e-3, 1e-3});
      hinge(robot, thigh, Eigen::Vector3d::UnitY());
      const std::size_t shank =
          add(robot, "shank" + name, thigh, {0, 0, -kLength}, kShank, {0, 0, -0.5 * kLength}, {1e-3, 1e-3, 1e-4});
      hinge(robot, shank, Eigen::Vector3d::UnitY());
      RobotShape foot;
      foot.shape = ShapeDescription::sphere(kFoot).at({0, 0, -kLength}, Eigen::Quaterniond::Identity());
      robot.links[shank].shapes.push_back(foot);
    }
  return robot;
}
double start_height() { return kLength * (std::cos(kHip) + std::cos(kHip + kKnee)) + kFoot; }

void quadruped_step_ncp(benchmark::State& bench) {
  SceneDescription scene;
  scene.model.name = "ncp", scene.step = kStep;
  BodyDescription floor;
  floor.name = "floor", floor.kind = BodyKind::kStatic;
  floor.shapes = {ShapeDescription::half_space(Eigen::Vector3d::UnitZ())};
  scene.bodies = {floor};
  Simulation s(scene);
  RobotPlacement placement;
  placement.floating = true, placement.base.position = {0, 0, start_height()};
  const std::size_t robot = s.add_robot(quadruped(), placement);
  std::vector<double> q = s.robot_coordinates(robot), v = s.robot_rates(robot);
  for (std::size_t leg = 0; leg < 4; ++leg) q[7 + 3 * leg + 1] = kHip, q[7 + 3 * leg + 2] = kKnee;
  s.set_robot_state(robot, q, v);
  const std::vector<std::string> joints = s.robot_joints(robot);
  for (std::size_t j = 1; j < joints.size(); ++j) {
    RobotDrive drive;
    drive.position = q[6 + j], drive.stiffness = kStiffness, drive.damping = kDamping;
    s.set_robot_drive(robot, joints[j], drive);
  }
  for (int i = 0; i < 500; ++i) s.step();
  for (auto _ : bench) s.step();
  bench.counters["contacts"] = static_cast<double>(s.contact_count());
}
BENCHMARK(quadruped_step_ncp)->Unit(benchmark::kMicrosecond);

#ifdef TOUCHSTONE_MUJOCO
std::string quadruped_text() {
  std::string body = fmt::format(
      "<body pos=\"0 0 {}\"><freejoint/><inertial pos=\"0 0 0\" mass=\"{}\" diaginertia=\"0.05 0.2 0.22\"/>",
      start_height(), kTrunk);
  std::string drives;
  for (int leg = 0; leg < 4; ++leg) {
    const double x = leg < 2 ? -0.2 : 0.2, y = leg % 2 ? 0.1 : -0.1;
    body += fmt::format(
        "<body pos=\"{} {} 0\"><joint name=\"a{}\" axis=\"1 0 0\"/><inertial pos=\"0 0 0\" mass=\"0.5\" "
        "diaginertia=\"5e-4 5e-4 "
        "5e-4\"/><body pos=\"0 {} 0\"><joint name=\"b{}\" axis=\"0 1 0\"/><inertial pos=\"0 0 {}\" mass=\"{}\" "
        "diaginertia=\"4e-3 4e-3 1e-3\"/><body pos=\"0 0 {}\"><joint name=\"c{}\" axis=\"0 1 0\"/><inertial pos=\"0 0 "
        "{}\" "
        "mass=\"{}\" diaginertia=\"1e-3 1e-3 1e-4\"/><geom type=\"sphere\" size=\"{}\" pos=\"0 0 {}\" condim=\"3\" "
        "friction=\"0.5 0 "
        "0\"/></body></body></body>",
        x, y, leg, y > 0 ? 0.05 : -0.05, leg, -0.5 * kLength, kThigh, -kLength, leg, -0.5 * kLength, kShank, kFoot,
        -kLength);
    for (const char* joint : {"a", "b", "c"})
      drives += fmt::format("<position joint=\"{}{}\" kp=\"{}\"/>", joint, leg, kStiffness);
  }
  return fmt::format(
      "<mujoco><compiler angle=\"radian\" inertiafromgeom=\"false\"/><option timestep=\"{}\" cone=\"elliptic\" "
      "solver=\"Newton\"/><default><joint damping=\"{}\"/></default><worldbody><geom type=\"plane\" size=\"5 5 1\" "
      "condim=\"3\" "
      "friction=\"0.5 0 0\"/>{}</body></worldbody><actuator>{}</actuator></mujoco>",
      kStep, kDamping, body, drives);
}

void quadruped_step_mujoco(benchmark::State& bench) {
  const std::string text = quadruped_text();
  const auto files = std::make_unique<mjVFS>();
  mj_defaultVFS(files.get());
  mj_makeEmptyFileVFS(files.get(), "robot.xml", static_cast<int>(text.size()));
  std::memcpy(files->filedata[0], text.data(), text.size());
  char message[1000] = "";
  mjModel* model = mj_loadXML("robot.xml", files.get(), message, sizeof message);
  mj_deleteVFS(files.get());
  if (!model) throw std::runtime_error(message);
  mjData* data = mj_makeData(model);
  for (int leg = 0; leg < 4; ++leg) {
    data->qpos[7 + 3 * leg + 1] = data->ctrl[3 * leg + 1] = kHip;
    data->qpos[7 + 3 * leg + 2] = data->ctrl[3 * leg + 2] = kKnee;
  }
  for (int i = 0; i < 500; ++i) mj_step(model, data);
  for (auto _ : bench) mj_step(model, data);
  bench.counters["contacts"] = data->ncon;
  mj_deleteData(data), mj_deleteModel(model);
}
BENCHMARK(quadruped_step_mujoco)->Unit(benchmark::kMicrosecond);
#endif

}  // namespace
}  // namespace touchstone::bench

// Purpose: keyframes of MJCF files. Source: MuJoCo, XML reference, "keyframe". Letters: X pose in the world, J factor
// of a joint. Deviations: states of actuators and of mocap bodies are left out. Fails: with an Error at a wrong count.
#include <fmt/format.h>

#include "base/text.h"
#include "io/robot/mjcf.h"
#include "io/robot/pose.h"

namespace touchstone {
namespace {

Eigen::Quaterniond unit(const XmlNode& node, double* wxyz) {
  const Eigen::Quaterniond q(wxyz[0], wxyz[1], wxyz[2], wxyz[3]);
  if (!(q.norm() > 1e-10)) node.refuse_attribute("qpos", "has a quaternion that is zero");
  return q.normalized();
}

void store(const Eigen::Quaterniond& q, double* wxyz) {
  wxyz[0] = q.w(), wxyz[1] = q.x(), wxyz[2] = q.y(), wxyz[3] = q.z();
}

// The pose of a free body becomes the one relative to its place in the file: X = pose · J.
void make_relative(const XmlNode& node, const RobotDescription& robot, std::vector<double>& q) {
  std::size_t at = 0;
  for (const RobotJoint& joint : robot.joints) {
    double* const here = q.data() + at;
    if (joint.kind == RobotJointKind::kSpherical) store(unit(node, here), here);
    if (joint.kind == RobotJointKind::kFloating) {
      const RobotPose world{{here[0], here[1], here[2]}, unit(node, here + 3)};
      const RobotPose relative = inverse(robot.links[joint.link].pose) * world;
      for (int i = 0; i < 3; ++i) here[i] = relative.position[i];
      store(relative.orientation, here + 3);
    }
    at += static_cast<std::size_t>(coordinates_of(joint.kind));
  }
}

void turn_velocities(const RobotDescription& robot, std::vector<double>& v) {
  std::size_t at = 0;
  for (const RobotJoint& joint : robot.joints) {
    if (joint.kind == RobotJointKind::kFloating) {
      const Eigen::Vector3d world(v[at], v[at + 1], v[at + 2]);
      const Eigen::Vector3d local = robot.links[joint.link].pose.orientation.conjugate() * world;
      for (std::size_t i = 0; i < 3; ++i) v[at + i] = local[static_cast<Eigen::Index>(i)];
    }
    at += static_cast<std::size_t>(rates_of(joint.kind));
  }
}

// Nothing if the attribute is missing.
std::vector<double> list(const XmlNode& node, const char* attribute, std::size_t count, const char* noun) {
  const auto given = node.numbers(attribute, 0, 10'000'000);
  if (!given || given->empty()) return {};
  if (given->size() != count)
    node.refuse_attribute(attribute,
                          fmt::format("has {}; the model has {} {}", counted(given->size(), "number"), count, noun));
  return *given;
}

}  // namespace

void read_mjcf_keyframes(const XmlNode& mujoco, MjcfContext& context) {
  const RobotDescription& robot = context.out;
  for (const XmlNode& node : mjcf_section(mujoco, "keyframe", "key")) {
    RobotKeyframe key;
    key.name = node.text("name", "");
    key.time = node.number("time", 0.0);
    key.source = node.source();
    key.q = list(node, "qpos", robot.coordinates(), "coordinates");
    key.v = list(node, "qvel", robot.rates(), "rates");
    const std::vector<double> control = list(node, "ctrl", context.actuators.size(), "actuators");
    if (!key.q.empty()) make_relative(node, robot, key.q);
    if (!key.v.empty()) turn_velocities(robot, key.v);
    for (std::size_t i = 0; i < control.size(); ++i)
      if (context.actuators[i]) key.control.push_back(control[i]);
    context.out.keyframes.push_back(std::move(key));
  }
}

}  // namespace touchstone

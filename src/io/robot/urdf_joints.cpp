// Purpose: joints of URDF files. Source: http://wiki.ros.org/urdf/XML/joint. Letters: none. Deviations: none. Fails:
// with an Error at the line of the element.
#include <fmt/format.h>

#include "base/text.h"
#include "io/robot/pose.h"
#include "io/robot/urdf.h"

namespace touchstone {
namespace {

RobotJointKind kind_of(const XmlNode& node) {
  static const std::vector<std::string> words{"revolute", "continuous", "prismatic", "fixed",
                                              "floating", "planar",     "spherical", "universal"};
  static const RobotJointKind kinds[] = {
      RobotJointKind::kRevolute, RobotJointKind::kContinuous, RobotJointKind::kPrismatic, RobotJointKind::kFixed,
      RobotJointKind::kFloating, RobotJointKind::kPlanar,     RobotJointKind::kSpherical, RobotJointKind::kUniversal};
  node.required("type");
  const std::string word = node.word("type", words);
  return kinds[std::find(words.begin(), words.end(), word) - words.begin()];
}

bool has_axis(RobotJointKind kind) {
  return kind != RobotJointKind::kFixed && kind != RobotJointKind::kFloating && kind != RobotJointKind::kSpherical;
}

void read_axis(const XmlNode& node, RobotJoint& joint, UrdfContext& context) {
  joint.axis = Eigen::Vector3d::UnitX();  // the format's default
  const auto axis = node.child("axis");
  if (axis) joint.axis = axis->vector("xyz", joint.axis);
  if (axis && !has_axis(joint.kind))
    context.notes.unused(*axis, "", "a joint of this type has no axis");
  else if (axis && !(joint.axis.norm() > 1e-12))
    axis->refuse_attribute("xyz", fmt::format("must not be zero: it is the axis of joint '{}'", joint.name));
  joint.axis = has_axis(joint.kind) ? Eigen::Vector3d(joint.axis.normalized()) : Eigen::Vector3d::UnitZ();
  // A second axis is not part of the format: the one that the least rotation takes x to.
  joint.axis_b = planar_axes(joint.axis)[0];
}

void read_limits(const XmlNode& node, RobotJoint& joint, UrdfContext& context) {
  const bool needs = joint.kind == RobotJointKind::kRevolute || joint.kind == RobotJointKind::kPrismatic;
  const auto limit = node.child("limit");
  if (!limit) {
    if (needs)
      node.refuse(
          "a <limit lower=\"…\" upper=\"…\" effort=\"…\" velocity=\"…\"/> is missing; without limits a "
          "revolute joint is called continuous");
    return;
  }
  const double lower = limit->number("lower", 0.0), upper = limit->number("upper", 0.0);
  joint.max_effort = limit->limit("effort");
  joint.max_speed = limit->limit("velocity");
  for (const char* each : {"effort", "velocity"})
    if (const auto value = limit->limit(each); value && *value < 0)
      limit->refuse_attribute(each, "must not be negative");
  if (!needs) {
    for (const char* each : {"lower", "upper"})
      if (limit->has(each))
        context.notes.unused(*limit, fmt::format("{} of ", each), "a joint of this type has no position limits");
    return;
  }
  if (lower > upper)
    limit->refuse(fmt::format("lower = {:g} is above upper = {:g} (joint '{}')", lower, upper, joint.name));
  joint.lower = lower, joint.upper = upper;
}

void read_dynamics(const XmlNode& node, RobotJoint& joint) {
  const auto dynamics = node.child("dynamics");
  if (!dynamics) return;
  joint.damping = dynamics->number("damping", 0.0);
  joint.friction = dynamics->number("friction", 0.0);
  for (const char* each : {"damping", "friction"})
    if (dynamics->number(each, 0.0) < 0) dynamics->refuse_attribute(each, "must not be negative");
}

std::string link_of(const XmlNode& node, const char* side) {
  const auto end = node.child(side);
  if (!end) node.refuse(fmt::format("a <{} link=\"…\"/> is missing", side));
  return end->required("link");
}

}  // namespace

UrdfJoint read_urdf_joint(const XmlNode& node, UrdfContext& context) {
  UrdfJoint out;
  RobotJoint& joint = out.joint;
  joint.name = node.required("name");
  joint.source = node.source();
  joint.kind = kind_of(node);
  out.parent = link_of(node, "parent");
  out.child = link_of(node, "child");
  out.origin = read_urdf_origin(node);
  read_axis(node, joint, context);
  read_limits(node, joint, context);
  read_dynamics(node, joint);
  if (const auto mimic = node.child("mimic")) {
    if (coordinates_of(joint.kind) != 1) mimic->refuse("a joint that mimics another must have one coordinate");
    out.mimicked = mimic->required("joint");
    joint.mimic = RobotMimic{0, mimic->number("multiplier", 1.0), mimic->number("offset", 0.0)};
  }
  return out;
}

}  // namespace touchstone

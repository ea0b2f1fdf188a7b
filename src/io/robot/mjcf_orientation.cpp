// Purpose: poses of MJCF elements in all forms of orientation. Source: MuJoCo, "Frame orientations". Letters: none.
// Deviations: of several forms on one element an error; over a default class the element's own form counts. Fails: with
// an Error at the attribute.
#include <fmt/format.h>

#include <cctype>
#include <numbers>

#include "io/robot/mjcf.h"

namespace touchstone {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

constexpr double kLeastLength = 1e-10;  // below it a direction is rounding

Vector3d direction(const XmlNode& node, const char* attribute, const Vector3d& v) {
  if (!(v.norm() > kLeastLength)) node.refuse_attribute(attribute, "must not be zero: it is a direction");
  return v.normalized();
}

Quaterniond of_euler(const XmlNode& node, const MjcfCompiler& compiler) {
  const Vector3d angles = *node.vector("euler");
  Quaterniond q = Quaterniond::Identity();
  for (int i = 0; i < 3; ++i) {
    const char letter = compiler.euler_sequence[static_cast<std::size_t>(i)];
    const char axis = static_cast<char>(std::tolower(letter));
    const Quaterniond turn(Eigen::AngleAxisd(compiler.angle(angles[i]), Vector3d(Vector3d::Unit(axis - 'x'))));
    q = axis == letter ? q * turn : turn * q;  // lower case: about the turned axes; upper case: about the fixed ones
  }
  return q.normalized();
}

Quaterniond of_axes(const XmlNode& node) {
  const std::vector<double> n = *node.numbers("xyaxes", 6, 6);
  const Vector3d x = direction(node, "xyaxes", {n[0], n[1], n[2]});
  const Vector3d second(n[3], n[4], n[5]);
  const Vector3d y = direction(node, "xyaxes", second - x.dot(second) * x);
  Eigen::Matrix3d R;
  R << x, y, x.cross(y);
  return Quaterniond(R).normalized();
}

}  // namespace

double MjcfCompiler::angle(double value) const { return degrees ? value * (std::numbers::pi / 180.0) : value; }

RobotPose read_mjcf_pose(const XmlNode& node, const MjcfCompiler& compiler) {
  RobotPose pose;
  pose.position = node.vector("pos", Vector3d::Zero());
  const auto quat = node.numbers("quat", 4, 4);
  const auto axis_angle = node.numbers("axisangle", 4, 4);
  const bool euler = node.has("euler"), axes = node.has("xyaxes"), z = node.has("zaxis");
  if (axis_angle.has_value() + euler + axes + z > 1)
    node.refuse("has more than one of axisangle, euler, xyaxes and zaxis; keep one");
  if (axis_angle) {
    const auto& a = *axis_angle;
    pose.orientation = Eigen::AngleAxisd(compiler.angle(a[3]), direction(node, "axisangle", {a[0], a[1], a[2]}));
  } else if (euler) {
    pose.orientation = of_euler(node, compiler);
  } else if (axes) {
    pose.orientation = of_axes(node);
  } else if (z) {
    const Vector3d axis = direction(node, "zaxis", *node.vector("zaxis"));
    Eigen::Matrix3d R;
    const auto [x, y] = planar_axes(axis);
    R << x, y, axis;
    pose.orientation = Quaterniond(R).normalized();
  } else if (quat) {
    const Eigen::Vector4d q((*quat)[0], (*quat)[1], (*quat)[2], (*quat)[3]);
    if (!(q.norm() > kLeastLength)) node.refuse_attribute("quat", "must not be zero; no rotation is 1 0 0 0");
    pose.orientation = Quaterniond(q[0], q[1], q[2], q[3]).normalized();
  }
  return pose;
}

}  // namespace touchstone

// Sizes and look-ups of robot descriptions (touchstone/robot.h).
#include <algorithm>

#include "touchstone/robot.h"

namespace touchstone {
namespace {

template <class List>
std::optional<std::size_t> find_name(const List& list, const std::string& name) {
  const auto found = std::find_if(list.begin(), list.end(), [&](const auto& entry) { return entry.name == name; });
  if (found == list.end()) return std::nullopt;
  return static_cast<std::size_t>(found - list.begin());
}

}  // namespace

int coordinates_of(RobotJointKind kind) {
  switch (kind) {
    case RobotJointKind::kFixed:
      return 0;
    case RobotJointKind::kRevolute:
    case RobotJointKind::kContinuous:
    case RobotJointKind::kPrismatic:
      return 1;
    case RobotJointKind::kUniversal:
      return 2;
    case RobotJointKind::kPlanar:
      return 3;
    case RobotJointKind::kSpherical:
      return 4;
    case RobotJointKind::kFloating:
      return 7;
  }
  return 0;
}

int rates_of(RobotJointKind kind) {
  if (kind == RobotJointKind::kSpherical) return 3;
  return kind == RobotJointKind::kFloating ? 6 : coordinates_of(kind);
}

std::size_t RobotDescription::coordinates() const {
  std::size_t sum = 0;
  for (const RobotJoint& joint : joints) sum += static_cast<std::size_t>(coordinates_of(joint.kind));
  return sum;
}

std::size_t RobotDescription::rates() const {
  std::size_t sum = 0;
  for (const RobotJoint& joint : joints) sum += static_cast<std::size_t>(rates_of(joint.kind));
  return sum;
}

double RobotDescription::mass() const {
  double sum = 0.0;
  for (const RobotLink& link : links) sum += link.mass;
  return sum;
}

std::optional<std::size_t> RobotDescription::find_link(const std::string& wanted) const {
  return find_name(links, wanted);
}

std::optional<std::size_t> RobotDescription::find_joint(const std::string& wanted) const {
  return find_name(joints, wanted);
}

std::optional<std::size_t> RobotDescription::find_keyframe(const std::string& wanted) const {
  return find_name(keyframes, wanted);
}

std::array<Eigen::Vector3d, 2> planar_axes(const Eigen::Vector3d& normal) {
  // The rotation z → n with the least angle has the axis (−n_y, n_x, 0); its matrix in closed form. At n = −z any axis
  // of the plane will do: x is taken.
  const double c = normal.z();
  if (c < -1.0 + 1e-12) return {Eigen::Vector3d::UnitX(), Eigen::Vector3d(0, -1, 0)};
  const double f = 1.0 / (1.0 + c), x = normal.x(), y = normal.y();
  return {Eigen::Vector3d(1 - f * x * x, -f * x * y, -x), Eigen::Vector3d(-f * x * y, 1 - f * y * y, -y)};
}

}  // namespace touchstone

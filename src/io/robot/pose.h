#pragma once
// Products of poses.
#include "touchstone/robot.h"

namespace touchstone {

inline RobotPose operator*(const RobotPose& a, const RobotPose& b) {
  return {a.orientation * b.position + a.position, (a.orientation * b.orientation).normalized()};
}
inline Eigen::Vector3d operator*(const RobotPose& a, const Eigen::Vector3d& point) {
  return a.orientation * point + a.position;
}
inline RobotPose inverse(const RobotPose& a) {
  const Eigen::Quaterniond back = a.orientation.conjugate();
  return {-(back * a.position), back};
}

}  // namespace touchstone

#pragma once
// A body's pose and velocity out of a Frame, the same in 2D and 3D.
#include <Eigen/Core>
#include <Eigen/Geometry>

#include "recording/frame.h"

namespace touchstone {

struct FramePose {
  Eigen::Vector3d position = Eigen::Vector3d::Zero();
  Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();
};
struct FrameVelocity {
  Eigen::Vector3d linear = Eigen::Vector3d::Zero(), angular = Eigen::Vector3d::Zero();
};

// Whether the slot holds a body whose pose is known and finite.
inline bool has_pose(const Frame& frame, std::size_t slot, int dimension) {
  if (slot >= frame.slots || !frame.alive[slot] || frame.poses.empty()) return false;
  const Eigen::Index width = pose_width(dimension);
  return Eigen::Map<const Eigen::VectorXd>(frame.poses.data() + slot * static_cast<std::size_t>(width), width)
      .allFinite();
}

// The identity where there is none.
inline FramePose pose_in(const Frame& frame, std::size_t slot, int dimension) {
  FramePose pose;
  if (!has_pose(frame, slot, dimension)) return pose;
  const double* p = frame.poses.data() + slot * static_cast<std::size_t>(pose_width(dimension));
  if (dimension == 2) {
    pose.position = {p[0], p[1], 0};
    pose.rotation = Eigen::AngleAxisd(p[2], Eigen::Vector3d::UnitZ());
  } else {
    pose.position = {p[0], p[1], p[2]};
    pose.rotation = Eigen::Quaterniond(p[3], p[4], p[5], p[6]);
  }
  return pose;
}

// Zero where there is none.
inline FrameVelocity velocity_in(const Frame& frame, std::size_t slot, int dimension) {
  FrameVelocity velocity;
  if (slot >= frame.slots || !frame.alive[slot] || frame.velocities.empty()) return velocity;
  const double* v = frame.velocities.data() + slot * static_cast<std::size_t>(velocity_width(dimension));
  if (dimension == 2) {
    velocity.linear = {v[0], v[1], 0};
    velocity.angular = {0, 0, v[2]};
  } else {
    velocity.linear = {v[0], v[1], v[2]};
    velocity.angular = {v[3], v[4], v[5]};
  }
  return velocity;
}

}  // namespace touchstone

#pragma once
// Poses, mass matrix and gravity torques of a robot description, by sums over links. Small and independent of the
// simulator's articulated trees: it serves the import (points of constraints, reflected inertias) and the comparison of
// files. The base frame of the robot is the world's.
#include <Eigen/Core>
#include <vector>

#include "touchstone/robot.h"

namespace touchstone {

// The coordinates at which every link has its `pose`.
std::vector<double> reference_coordinates(const RobotDescription& robot);

// Poses of all links in the base frame. Quaternions are normalised first; one that is zero counts as the identity.
std::vector<RobotPose> link_poses(const RobotDescription& robot, const std::vector<double>& q);

// A unit rate of one coordinate moves a link with this velocity field: ω, and v at the point x: v + ω × x.
struct RateColumn {
  std::size_t joint = 0;
  Eigen::Vector3d angular = Eigen::Vector3d::Zero();  // ω [rad/s], base axes
  Eigen::Vector3d linear = Eigen::Vector3d::Zero();   // v at the base's origin [m/s]
};
struct RobotMotion {
  std::vector<RobotPose> poses;                    // of links
  std::vector<RateColumn> columns;                 // one for each rate
  std::vector<std::vector<std::size_t>> moved_by;  // for each link the columns that move it
};
RobotMotion motion_of(const RobotDescription& robot, const std::vector<double>& q);

// M = Σ m Jᵀ J + J_ωᵀ I J_ω over links, and armatures on the diagonal.
Eigen::MatrixXd mass_matrix(const RobotDescription& robot, const std::vector<double>& q);

// The diagonal of the mass matrix with all joints at their reference, in O(n) by inertias of subtrees.
Eigen::VectorXd reflected_inertias(const RobotDescription& robot);

// Forces on the rates that hold the robot at rest against gravity: −Σ m Jᵀ g. Springs are left out.
Eigen::VectorXd gravity_torques(const RobotDescription& robot, const std::vector<double>& q,
                                const Eigen::Vector3d& gravity);

}  // namespace touchstone

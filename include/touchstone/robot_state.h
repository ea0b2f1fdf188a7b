#pragma once
/// A robot in a simulation: where it is put, and what drives its joints.
#include <limits>
#include <string>
#include <vector>

#include "touchstone/robot.h"

namespace touchstone {

/// Reduced: coordinates and rates of the joints are the unknowns. Maximal: links are free bodies, joints are joints;
/// for every model that takes joints.
enum class RobotCoordinates : std::uint8_t { kReduced, kMaximal };

/// How a robot enters a simulation. It starts at its keyframe, or with all coordinates at their reference; a coordinate
/// that is outside its limits there starts at the nearest one, and equalities are closed by the least motion.
struct RobotPlacement {
  std::string name;            ///< unique; empty: the description's. Its links are the bodies "<name>/<link>"
  Placement base;              ///< of the robot's base frame
  bool floating = false;       ///< links that are connected to the base without a joint float instead
  bool self_collision = true;  ///< whether links of the robot touch each other, neighbours and exclusions apart
  std::string keyframe;        ///< a keyframe of the description; empty: none
  std::string material = "default";
  RobotCoordinates coordinates = RobotCoordinates::kReduced;
};

/// Drives a rate. In reduced coordinates by force + clamp(stiffness · (position − q) + damping · (speed − v)), taken at
/// the end of each step, so that no stiffness is too great for the step. Of joints with a quaternion only the damping
/// part acts. In maximal coordinates it is the joint's spring, damper and motor: for joints with one coordinate,
/// without speed and max_force, and the step must be short enough for it.
struct RobotDrive {
  double force = 0.0;                                          ///< [N·m], [N]
  double position = 0.0, speed = 0.0;                          ///< [rad], [m]; [rad/s], [m/s]
  double stiffness = 0.0;                                      ///< [N·m/rad], [N/m]
  double damping = 0.0;                                        ///< [N·m·s/rad], [N·s/m]
  double max_force = std::numeric_limits<double>::infinity();  ///< of the clamped part [N·m], [N]
  friend bool operator==(const RobotDrive&, const RobotDrive&) = default;
};

/// The numbers of one joint (touchstone/robot.h says which).
struct RobotJointState {
  std::vector<double> q, v;
  std::vector<RobotDrive> drives;  ///< one for each number of v
};

/// The bodies and joints of a robot in maximal coordinates, as add_robot() adds them. Bodies and joints have the names
/// "<name>/<link>" and "<name>/<joint>"; the coordinates of the joints are zero at the start.
struct RobotParts {
  std::vector<BodyDescription> bodies;
  std::vector<JointDescription> joints;
};
/// Throws Error (kUnsupported) that names what maximal coordinates do not have: armatures, mimic joints and equalities,
/// several joints of one link, planar and spherical joints with limits or friction.
RobotParts maximal_robot(const RobotDescription& robot, const RobotPlacement& placement = {});

}  // namespace touchstone

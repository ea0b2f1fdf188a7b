#pragma once
// A robot's description as an articulated tree: a link with several joints becomes a chain of links, of which all but
// the last have no mass. Coordinates and rates keep the order of the description's joints.
#include <string>
#include <vector>

#include "dynamics/tree/tree_constraints.h"
#include "dynamics/tree/tree_model.h"
#include "touchstone/robot.h"

namespace touchstone {

struct RateSpring {
  double stiffness = 0, rest = 0;  // Q = −stiffness·(q − rest)
};

struct RobotTree {
  std::vector<TreeLink> links;
  std::vector<std::uint32_t> link_of;           // tree link of a robot's link
  std::vector<std::uint32_t> first_q, first_v;  // of a joint
  std::vector<RateSpring> springs;              // by rate
  std::vector<TreeConstraint> constraints;      // mimic joints and equalities
};

// Base: where the robot's base frame is in the world. Throws Error (kUnsupported) that names what trees do not have:
// springs of spherical and floating joints, equalities of tendons.
RobotTree make_robot_tree(const RobotDescription& robot, const Pose<3>& base);

// The same robot with inertias that bodies can have on links that are rigidly connected to others: each moment grows by
// the least that makes the sum of two at least the third, and none is zero. Files give such frames a token mass; what
// counts is the sum of the connected links. Links with joints keep theirs, and make_tree() refuses impossible ones.
RobotDescription with_possible_inertias(const RobotDescription& robot);

// The same robot with a floating joint at each link that is connected to the base without one; `floating` names them
// "<link>_floating".
RobotDescription with_floating_base(const RobotDescription& robot);

}  // namespace touchstone

#include "dynamics/tree/robot_tree.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>

#include "touchstone/error.h"

namespace touchstone {
namespace {

Pose<3> pose_of(const RobotPose& pose) { return {pose.position, pose.orientation.normalized()}; }
Pose<3> composed(const Pose<3>& a, const Pose<3>& b) { return {a.p + a.R * b.p, a.R * b.R}; }

TreeJoint tree_joint(RobotJointKind kind) {
  switch (kind) {
    case RobotJointKind::kFixed:
      return TreeJoint::kFixed;
    case RobotJointKind::kRevolute:
    case RobotJointKind::kContinuous:
      return TreeJoint::kRevolute;
    case RobotJointKind::kPrismatic:
      return TreeJoint::kPrismatic;
    case RobotJointKind::kUniversal:
      return TreeJoint::kUniversal;
    case RobotJointKind::kPlanar:
      return TreeJoint::kPlanar;
    case RobotJointKind::kSpherical:
      return TreeJoint::kSpherical;
    case RobotJointKind::kFloating:
      return TreeJoint::kFloating;
  }
  return TreeJoint::kFixed;
}

std::vector<TreeRate> rates_of_joint(const RobotJoint& joint, TreeJoint kind) {
  TreeRate rate;
  rate.damping = joint.damping, rate.armature = joint.armature, rate.friction = joint.friction;
  std::vector<TreeRate> out(static_cast<std::size_t>(rates_of(kind)), rate);
  const bool one = out.size() == 1 && joint.kind != RobotJointKind::kContinuous;
  if (one && joint.lower) out[0].lower = *joint.lower;
  if ((one || kind == TreeJoint::kSpherical) && joint.upper) out[0].upper = *joint.upper;
  return out;
}

// The chain of links for one link of the robot.
void add_link(const RobotDescription& robot, std::size_t index, const Pose<3>& base, RobotTree& out) {
  const RobotLink& link = robot.links[index];
  TreeLink node;
  node.name = link.name;
  node.joint_in_parent = pose_of(link.pose);
  node.parent = TreeLink::kWorld;
  if (link.parent == RobotLink::kWorld)
    node.joint_in_parent = composed(base, node.joint_in_parent);
  else
    node.parent = static_cast<std::int32_t>(out.link_of[link.parent]);
  std::vector<TreeLink> chain;
  for (const std::size_t place : link.joints) {
    const RobotJoint& joint = robot.joints[place];
    TreeLink next = node;
    if (!chain.empty())
      next.joint_in_parent = {}, next.parent = static_cast<std::int32_t>(out.links.size() + chain.size()) - 1;
    next.joint = tree_joint(joint.kind);
    if (next.joint == TreeJoint::kFixed) continue;
    const Pose<3> at{joint.point, Eigen::Quaterniond::Identity()};
    next.joint_in_parent = composed(next.joint_in_parent, at), next.joint_in_link = at;
    next.axis = joint.axis.normalized(), next.axis_b = joint.axis_b.normalized();
    next.reference = joint.reference;
    next.rates = rates_of_joint(joint, next.joint);
    chain.push_back(next);
  }
  if (chain.empty()) chain.push_back(node);
  chain.back().mass = link.mass, chain.back().center = link.center_of_mass, chain.back().inertia = link.inertia;
  out.links.insert(out.links.end(), chain.begin(), chain.end());
  out.link_of.push_back(static_cast<std::uint32_t>(out.links.size()) - 1);
}

void add_spring(const RobotJoint& joint, RobotTree& out) {
  if (joint.stiffness != 0 && (joint.kind == RobotJointKind::kSpherical || joint.kind == RobotJointKind::kFloating))
    throw Error(
        ErrorKind::kUnsupported,
        fmt::format("joint '{}': trees have no spring on a spherical or floating joint; set its stiffness of {} "
                    "N·m/rad to zero, or add springs between bodies",
                    joint.name, joint.stiffness));
  out.springs.insert(out.springs.end(), static_cast<std::size_t>(rates_of(joint.kind)),
                     RateSpring{joint.stiffness, joint.spring_reference});
}

void add_equality(const RobotDescription& robot, const RobotEquality& e, RobotTree& out) {
  if (!e.active) return;
  const auto link = [&](std::size_t place) {
    return place == RobotLink::kWorld ? TreeConstraint::kNone : static_cast<std::int32_t>(out.link_of[place]);
  };
  TreeConstraint c;
  switch (e.kind) {
    case RobotEqualityKind::kTendon:
      throw Error(ErrorKind::kUnsupported,
                  fmt::format("equality '{}': trees have no equalities of tendons; use one of joints", e.name));
    case RobotEqualityKind::kJoint: {
      c.kind = TreeConstraint::Kind::kCoordinates;
      c.a = static_cast<std::int32_t>(out.first_v[e.a]);
      c.reference_a = robot.joints[e.a].reference;
      if (e.b) c.b = static_cast<std::int32_t>(out.first_v[*e.b]), c.reference_b = robot.joints[*e.b].reference;
      c.polynomial = e.polynomial;
      break;
    }
    case RobotEqualityKind::kConnect:
    case RobotEqualityKind::kWeld:
      c.kind = e.kind == RobotEqualityKind::kConnect ? TreeConstraint::Kind::kConnect : TreeConstraint::Kind::kWeld;
      c.a = link(e.link_a), c.b = link(e.link_b);
      c.point_a = e.point_a, c.point_b = e.point_b;
      c.relative = pose_of(e.relative);
      break;
  }
  out.constraints.push_back(c);
}

}  // namespace

RobotTree make_robot_tree(const RobotDescription& robot, const Pose<3>& base) {
  RobotTree out;
  for (std::size_t i = 0; i < robot.links.size(); ++i) add_link(robot, i, base, out);
  std::uint32_t q = 0, v = 0;
  for (const RobotJoint& joint : robot.joints) {
    out.first_q.push_back(q), out.first_v.push_back(v);
    q += static_cast<std::uint32_t>(coordinates_of(joint.kind)), v += static_cast<std::uint32_t>(rates_of(joint.kind));
    add_spring(joint, out);
  }
  for (std::size_t i = 0; i < robot.joints.size(); ++i)
    if (const auto& mimic = robot.joints[i].mimic)
      out.constraints.push_back(
          TreeConstraint::mimic(out.first_v[i], out.first_v[mimic->joint], mimic->multiplier, mimic->offset));
  for (const RobotEquality& e : robot.equalities) add_equality(robot, e, out);
  return out;
}

RobotDescription with_possible_inertias(const RobotDescription& robot) {
  constexpr double kBeyond = 1e-6;    // of what is missing: rounding does not break the rule again
  constexpr double kSmallest = 3e-5;  // [m], radius of gyration of a point mass
  RobotDescription out = robot;
  for (RobotLink& link : out.links) {
    const bool rigid = std::all_of(link.joints.begin(), link.joints.end(),
                                   [&](std::size_t j) { return robot.joints[j].kind == RobotJointKind::kFixed; });
    if (!rigid || !(link.mass > 0) || !link.inertia.allFinite()) continue;
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(link.inertia, Eigen::EigenvaluesOnly);
    const Eigen::Vector3d m = solver.eigenvalues();
    const double missing = (1 + kBeyond) * std::max({m[2] - m[0] - m[1], -m[0], 0.0});
    const double least = kSmallest * kSmallest * link.mass;
    link.inertia.diagonal().array() += std::max({missing, least - m[0], 0.0});
  }
  return out;
}

RobotDescription with_floating_base(const RobotDescription& robot) {
  RobotDescription out = robot;
  std::vector<std::size_t> place(robot.joints.size());
  out.joints.clear();
  for (std::size_t i = 0; i < out.links.size(); ++i) {
    RobotLink& link = out.links[i];
    const bool free = link.parent == RobotLink::kWorld && link.joints.empty();
    std::vector<std::size_t> joints;
    if (free) {
      RobotJoint joint;
      joint.name = link.name + "_floating", joint.link = i, joint.kind = RobotJointKind::kFloating;
      joints.push_back(out.joints.size());
      out.joints.push_back(joint);
    }
    for (const std::size_t j : link.joints) {
      place[j] = out.joints.size();
      joints.push_back(place[j]);
      out.joints.push_back(robot.joints[j]);
    }
    link.joints = joints;
  }
  for (RobotJoint& joint : out.joints)
    if (joint.mimic) joint.mimic->joint = place[joint.mimic->joint];
  for (RobotEquality& e : out.equalities) {
    if (e.kind != RobotEqualityKind::kJoint) continue;
    e.a = place[e.a];
    if (e.b) e.b = place[*e.b];
  }
  for (RobotTendon& tendon : out.tendons)
    for (RobotTendon::Term& term : tendon.terms) term.joint = place[term.joint];
  for (RobotActuator& actuator : out.actuators)
    if (actuator.target_kind == RobotActuator::Target::kJoint) actuator.target = place[actuator.target];
  out.keyframes.clear();  // of other coordinates
  return out;
}

}  // namespace touchstone

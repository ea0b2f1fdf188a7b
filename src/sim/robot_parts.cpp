// A robot in maximal coordinates: its links as bodies, its joints as joints.
#include <fmt/format.h>

#include <algorithm>

#include "dynamics/tree/coordinates.h"
#include "dynamics/tree/kinematics.h"
#include "dynamics/tree/robot_tree.h"
#include "touchstone/error.h"
#include "touchstone/robot_state.h"

namespace touchstone {
namespace {

[[noreturn]] void refuse(const std::string& what) {
  throw Error(ErrorKind::kUnsupported, what + "; take reduced coordinates (Simulation::add_robot)");
}

JointKind joint_kind(RobotJointKind kind) {
  switch (kind) {
    case RobotJointKind::kPrismatic:
      return JointKind::kSlider;
    case RobotJointKind::kUniversal:
      return JointKind::kUniversal;
    case RobotJointKind::kPlanar:
      return JointKind::kPlanar;
    case RobotJointKind::kSpherical:
      return JointKind::kBall;
    case RobotJointKind::kFixed:
      return JointKind::kFixed;
    default:
      return JointKind::kHinge;
  }
}

void check(const RobotDescription& robot) {
  if (!robot.equalities.empty()) refuse("equality '" + robot.equalities[0].name + "' has no maximal counterpart");
  for (const RobotJoint& j : robot.joints) {
    if (j.mimic) refuse("joint '" + j.name + "' follows another one, which maximal coordinates do not have");
    if (j.armature > 0) refuse("joint '" + j.name + "' has an armature, which maximal coordinates do not have");
    if (coordinates_of(j.kind) > 1 && (j.lower || j.upper || j.friction > 0 || j.damping > 0 || j.stiffness > 0))
      refuse("joint '" + j.name + "' has limits, friction or a spring on several coordinates");
  }
  for (const RobotLink& l : robot.links)
    if (l.joints.size() > 1) refuse("link '" + l.name + "' has several joints");
}

struct Start {
  TreeModel model;
  TreeData data;
  RobotTree tree;
  std::vector<double> q, v;
};

Start start_of(const RobotDescription& robot, const RobotPlacement& placement) {
  Start out;
  out.tree = make_robot_tree(robot, {placement.base.position, placement.base.orientation.normalized()});
  out.model = make_tree(out.tree.links);
  out.data = TreeData(out.model);
  out.q = out.model.neutral();
  out.v.assign(out.model.nv(), 0.0);
  if (const auto key = robot.find_keyframe(placement.keyframe)) {
    if (!robot.keyframes[*key].q.empty()) out.q = robot.keyframes[*key].q;
    if (!robot.keyframes[*key].v.empty()) out.v = robot.keyframes[*key].v;
  } else if (!placement.keyframe.empty()) {
    throw Error(ErrorKind::kBadInput, fmt::format("robot '{}' has no keyframe '{}'", robot.name, placement.keyframe));
  }
  for (std::size_t i = 0; i < out.model.nv(); ++i)
    if (const std::uint32_t at = out.model.coordinate[i]; at != TreeModel::kNone)
      out.q[at] = std::clamp(out.q[at], out.model.rates[i].lower, out.model.rates[i].upper);
  place_links(out.model, out.q, out.data);
  move_links(out.model, out.v, out.data);
  return out;
}

BodyDescription body_of(const RobotLink& link, std::size_t tree_link, const Start& start) {
  BodyDescription out;
  const Pose<3> pose = link_pose(start.model, start.data, tree_link);
  out.placement.position = pose.p, out.placement.orientation = pose.R;
  const Spatial v = velocity_at(start.data, tree_link, center_of_link(start.model, start.data, tree_link));
  out.gravity_scale = link.gravity_scale;
  for (const RobotShape& s : link.shapes)
    if (s.category || s.mask) out.shapes.push_back(s.shape);
  if (last_rate(start.model, tree_link) == TreeModel::kNone) {
    out.kind = BodyKind::kStatic;
    return out;
  }
  out.mass = link.mass, out.inertia = link.inertia, out.center_of_mass = link.center_of_mass;
  out.velocity = v.tail<3>(), out.angular_velocity = v.head<3>();
  return out;
}

JointDescription joint_of(const RobotDescription& robot, const RobotLink& link, std::size_t tree_link,
                          const Start& start) {
  JointDescription out;
  const Pose<3> pose = link_pose(start.model, start.data, tree_link);
  if (link.joints.empty()) {
    out.name = link.name + "_fixed", out.kind = JointKind::kFixed;
    out.point = pose.p;
    return out;
  }
  const RobotJoint& joint = robot.joints[link.joints[0]];
  out.name = joint.name, out.kind = joint_kind(joint.kind);
  out.point = pose.p + pose.R * joint.point;
  if (out.kind != JointKind::kFixed && out.kind != JointKind::kBall) out.axis = pose.R * joint.axis;
  if (out.kind == JointKind::kUniversal) {
    out.axis_b = pose.R * joint.axis_b;
    const double back = -start.q[start.tree.first_q[link.joints[0]] + 1];  // the first axis is carried by the parent
    out.axis = pose.R * (Eigen::AngleAxisd(back, joint.axis_b) * joint.axis);
  }
  if (coordinates_of(joint.kind) != 1) return out;
  const double now = start.q[start.tree.first_q[link.joints[0]]];
  if (joint.kind != RobotJointKind::kContinuous) {
    if (joint.lower) out.lower = *joint.lower - now;
    if (joint.upper) out.upper = *joint.upper - now;
  }
  if (joint.friction > 0) out.friction = joint.friction;
  if (joint.damping > 0) out.damping = joint.damping;
  if (joint.stiffness > 0) out.stiffness = joint.stiffness, out.rest = joint.spring_reference - now;
  return out;
}

}  // namespace

RobotParts maximal_robot(const RobotDescription& given, const RobotPlacement& placement) {
  const RobotDescription possible = with_possible_inertias(given);
  const RobotDescription robot = placement.floating ? with_floating_base(possible) : possible;
  check(robot);
  const Start start = start_of(robot, placement);
  const std::string prefix = (placement.name.empty() ? robot.name : placement.name) + "/";
  RobotParts out;
  for (std::size_t i = 0; i < robot.links.size(); ++i) {
    const RobotLink& link = robot.links[i];
    const std::size_t tree_link = start.tree.link_of[i];
    if (link.mass == 0 && link.joints.empty() && link.shapes.empty()) continue;  // a frame
    BodyDescription body = body_of(link, tree_link, start);
    body.name = prefix + link.name, body.material = placement.material;
    const bool moves = body.kind == BodyKind::kDynamic;
    out.bodies.push_back(body);
    if (!moves || (!link.joints.empty() && robot.joints[link.joints[0]].kind == RobotJointKind::kFloating)) continue;
    JointDescription joint = joint_of(robot, link, tree_link, start);
    joint.name = prefix + joint.name, joint.body_b = body.name;
    if (link.parent != RobotLink::kWorld) joint.body_a = prefix + robot.links[link.parent].name;
    out.joints.push_back(joint);
  }
  return out;
}

}  // namespace touchstone

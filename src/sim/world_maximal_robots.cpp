// Robots in maximal coordinates: bodies and joints of the world, read and driven by the names of the robot's joints.
// And what is read of a robot in either coordinates.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/world.h"

namespace touchstone {
namespace {

[[noreturn]] void unsupported(const std::string& message) {
  throw Error(ErrorKind::kUnsupported, message + "; take reduced coordinates");
}

}  // namespace

template <int D>
std::size_t World<D>::add_maximal_robot(const RobotDescription& given, const RobotPlacement& placement) {
  WorldRobot out;
  out.name = placement.name.empty() ? given.name : placement.name;
  out.maximal = true, out.base = placement.base;
  require_capability(*model_info_, &Capabilities::joints, "joints",
                     fmt::format("the robot '{}' in maximal coordinates has them", out.name));
  const RobotDescription robot = placement.floating ? with_floating_base(given) : given;
  const RobotParts parts = maximal_robot(given, placement);
  std::vector<double> start;
  for (const RobotKeyframe& key : given.keyframes)
    if (key.name == placement.keyframe) start = key.q;
  std::vector<std::uint32_t> slots;
  const std::size_t joints = joints_.size();
  try {
    for (const BodyDescription& body : parts.bodies) slots.push_back(add_body(body).index);
    for (const JointDescription& joint : parts.joints) add_joint(joint);
  } catch (...) {
    while (joints_.size() > joints) remove_joint(joints_.size() - 1);
    drop_links(slots);
    throw;
  }
  for (const RobotLink& link : robot.links) {
    const auto body = by_name_.find(out.name + "/" + link.name, bodies_.name);
    out.links.push_back(link.name), out.slots.push_back(body.value_or(TreeBody::kNone));
  }
  for (const RobotJoint& j : robot.joints) {
    WorldRobot::Joint joint;
    joint.name = j.name;
    joint.first_q = out.nq, joint.first_v = out.nv;
    out.nq += joint.nq = static_cast<std::uint32_t>(coordinates_of(j.kind));
    out.nv += joint.nv = static_cast<std::uint32_t>(rates_of(j.kind));
    joint.start = start.empty() ? j.reference : start[joint.first_q];
    if (joint.nq == 1 && j.kind != RobotJointKind::kContinuous)
      joint.start = std::clamp(joint.start, j.lower.value_or(-HUGE_VAL), j.upper.value_or(HUGE_VAL));
    joint.stiffness = j.stiffness, joint.damping = j.damping, joint.rest = j.spring_reference;
    if (j.kind == RobotJointKind::kFloating) joint.body = out.slots[j.link];
    out.joints.push_back(joint);
  }
  robots_.push_back(std::move(out));
  ignore_overlaps(robots_.back());
  trees_.emplace_back();
  trees_.back().name = robots_.back().name;
  trees_.back().model = make_tree({});
  trees_.back().first_q = static_cast<std::uint32_t>(state_.q.size());
  trees_.back().first_v = static_cast<std::uint32_t>(state_.v.size());
  return robots_.size() - 1;
}

// The drive beside the joint's own spring: one spring that gives the sum of both.
template <int D>
void World<D>::drive_maximal(WorldRobot& robot, WorldRobot::Joint& joint, const RobotDrive& d) {
  if (joint.nv != 1 || joint.nq != 1)
    unsupported(
        fmt::format("joint '{}' has {} rates, and maximal coordinates drive joints with one", joint.name, joint.nv));
  if (d.speed != 0 || std::isfinite(d.max_force))
    unsupported(fmt::format("joint '{}': drives with a speed or a greatest force", joint.name));
  const std::size_t index = find_joint(robot.name + "/" + joint.name);
  const double stiffness = joint.stiffness + d.stiffness;
  const double rest =
      stiffness > 0 ? (joint.stiffness * joint.rest + d.stiffness * d.position) / stiffness : joint.start;
  set_spring(index, stiffness, joint.damping + d.damping, rest - joint.start);
  set_motor(index, d.force == 0 ? MotorCommand::off() : MotorCommand::force(d.force));
  joint.drive = {d.force, d.position, d.speed, d.stiffness, d.damping, d.max_force};
}

template <int D>
std::vector<double> World<D>::robot_coordinates(std::size_t index) const {
  const WorldRobot& r = robot(index);
  std::vector<double> out(r.nq, 0.0);
  if (!r.maximal) {
    std::copy_n(state_.q.begin() + trees_[index].first_q, r.nq, out.begin());
    return out;
  }
  if constexpr (D == 3) {
    for (const WorldRobot::Joint& j : r.joints) {
      if (j.nq == 1) out[j.first_q] = j.start + joint_report(find_joint(r.name + "/" + j.name)).coordinate;
      if (j.nq == 7) {
        const Placement now = body_state(j.body, state_).placement;
        const Eigen::Quaterniond back = r.base.orientation.normalized().conjugate();
        const Vec<3> p = back * (now.position - r.base.position);
        const Eigen::Quaterniond q = back * now.orientation;
        const double numbers[] = {p[0], p[1], p[2], q.w(), q.x(), q.y(), q.z()};
        std::copy_n(numbers, 7, out.begin() + j.first_q);
      }
      if (j.nq > 1 && j.nq != 7) unsupported(fmt::format("joint '{}': coordinates of its kind are not known", j.name));
    }
  }
  return out;
}

template <int D>
std::vector<double> World<D>::robot_rates(std::size_t index) const {
  const WorldRobot& r = robot(index);
  std::vector<double> out(r.nv, 0.0);
  if (!r.maximal) {
    std::copy_n(state_.v.begin() + trees_[index].first_v, r.nv, out.begin());
    return out;
  }
  if constexpr (D == 3) {
    for (const WorldRobot::Joint& j : r.joints) {
      if (j.nv == 1) out[j.first_v] = joint_report(find_joint(r.name + "/" + j.name)).coordinate_rate;
      if (j.nv == 6) {
        const BodyState now = body_state(j.body, state_);
        const Vec<3> arm = now.placement.position - now.center_of_mass;
        const Vec<3> v =
            r.base.orientation.normalized().conjugate() * Vec<3>(now.velocity + cross(now.angular_velocity, arm));
        const Vec<3> w = now.placement.orientation.conjugate() * now.angular_velocity;
        for (int k = 0; k < 3; ++k) out[j.first_v + static_cast<std::size_t>(k)] = v[k];
        for (int k = 0; k < 3; ++k) out[j.first_v + 3 + static_cast<std::size_t>(k)] = w[k];
      }
      if (j.nv > 1 && j.nv != 6) unsupported(fmt::format("joint '{}': rates of its kind are not known", j.name));
    }
  }
  return out;
}

template <int D>
RateDrive World<D>::robot_drive(std::size_t index, const WorldRobot::Joint& joint, std::uint32_t k) const {
  return robots_[index].maximal ? joint.drive : trees_[index].drives[joint.first_v + k];
}

#define TOUCHSTONE_INSTANTIATE(D)                                                                   \
  template std::size_t World<D>::add_maximal_robot(const RobotDescription&, const RobotPlacement&); \
  template void World<D>::drive_maximal(WorldRobot&, WorldRobot::Joint&, const RobotDrive&);        \
  template std::vector<double> World<D>::robot_coordinates(std::size_t) const;                      \
  template std::vector<double> World<D>::robot_rates(std::size_t) const;                            \
  template RateDrive World<D>::robot_drive(std::size_t, const WorldRobot::Joint&, std::uint32_t) const;
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone

// Robots of a world: read, set, driven and kept in snapshots.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "contact/body_measures.h"
#include "dynamics/tree/coordinates.h"
#include "sim/world.h"

namespace touchstone {
namespace {

constexpr double kPastLimit = 1e-9;  // [rad, m]: rounding of a coordinate at its limit

[[noreturn]] void bad(const std::string& message) { throw Error(ErrorKind::kBadInput, message); }

}  // namespace

template <int D>
const WorldRobot& World<D>::robot(std::size_t index) const {
  if (index >= robots_.size()) bad(fmt::format("there is no robot {}; the world has {}", index, robots_.size()));
  return robots_[index];
}

template <int D>
void World<D>::refuse_if_link(std::uint32_t slot, const char* what) const {
  for (const WorldRobot& robot : robots_)
    if (!robot.maximal && std::find(robot.slots.begin(), robot.slots.end(), slot) != robot.slots.end())
      bad(fmt::format("body '{}' cannot be {}: it is a link of the robot '{}'; set the robot's joints instead",
                      bodies_.name[slot], what, robot.name));
}

template <int D>
double World<D>::tree_energy() const {
  double sum = 0;
  if constexpr (D == 3)
    for (const TreeBody& tree : trees_) sum += armature_energy(tree, state_) + tree_spring_energy(tree, state_);
  return sum;
}

template <int D>
double World<D>::total_energy() const {
  const BodyMeasures m = measure_bodies(bodies_, state_, forces_.gravity);
  return m.kinetic_energy + m.gravity_energy + spring_energy(forces_, state_) + tree_energy();
}

template <int D>
void World<D>::set_robot_state(std::size_t index, std::span<const double> q, std::span<const double> v) {
  refuse_in_step("setting a state");
  const WorldRobot& named = robot(index);
  const TreeBody& tree = trees_[index];
  if (named.maximal)
    throw Error(
        ErrorKind::kUnsupported,
        fmt::format("robot '{}' is in maximal coordinates: put it at a keyframe when it is added, or take reduced "
                    "coordinates",
                    named.name));
  if (q.size() != tree.model.nq() || v.size() != tree.model.nv())
    bad(fmt::format("robot '{}' has {} coordinates and {} rates, not {} and {}", named.name, tree.model.nq(),
                    tree.model.nv(), q.size(), v.size()));
  const auto finite = [](double x) { return std::isfinite(x); };
  if (!std::all_of(q.begin(), q.end(), finite) || !std::all_of(v.begin(), v.end(), finite))
    bad(fmt::format("robot '{}': its coordinates and rates must be finite", named.name));
  for (const WorldRobot::Joint& joint : named.joints)
    for (std::uint32_t k = 0; k < joint.nv; ++k) {
      const std::uint32_t at = tree.model.coordinate[joint.first_v + k];
      const TreeRate& rate = tree.model.rates[joint.first_v + k];
      if (at == TreeModel::kNone || (q[at] >= rate.lower - kPastLimit && q[at] <= rate.upper + kPastLimit)) continue;
      bad(fmt::format("joint '{}' of robot '{}' has limits from {} to {}; its coordinate cannot be {}", joint.name,
                      named.name, rate.lower, rate.upper, q[at]));
    }
  if constexpr (D == 3) {
    const double before = total_energy();
    const std::vector<double> still(tree.model.nv(), 0.0);
    move_coordinates(tree.model, q, still, 0.0, tree.q(state_));  // with quaternions of unit length
    std::copy(v.begin(), v.end(), tree.v(state_).begin());
    write_tree(tree);
    for (const std::uint32_t slot : tree.bodies) model_->forget(slot);
    start_energy_ += total_energy() - before;
    guard_.restart();
    queries_.invalidate();
    yardstick_.forget_slips();
  }
}

template <int D>
const WorldRobot::Joint& World<D>::robot_joint(std::size_t index, std::string_view name) const {
  const WorldRobot& named = robot(index);
  const auto joint =
      std::find_if(named.joints.begin(), named.joints.end(), [&](const auto& j) { return j.name == name; });
  std::vector<std::string> names;
  for (const WorldRobot::Joint& j : named.joints) names.push_back(j.name);
  if (joint == named.joints.end())
    bad(fmt::format("robot '{}' has no joint '{}'{}", named.name, name, did_you_mean(name, names)));
  return *joint;
}

template <int D>
void World<D>::set_robot_drive(std::size_t index, std::string_view name, std::span<const RobotDrive> drives) {
  refuse_in_step("setting a drive");
  const std::string& named = robot(index).name;
  const WorldRobot::Joint* joint = &robot_joint(index, name);
  if (drives.size() != joint->nv)
    bad(fmt::format("joint '{}' of robot '{}' has {} rates, but {} drives are given", name, named, joint->nv,
                    drives.size()));
  for (const RobotDrive& d : drives) {
    if (!std::isfinite(d.force) || !std::isfinite(d.position) || !std::isfinite(d.speed))
      bad(fmt::format("joint '{}': force, position and speed of its drive must be finite", name));
    if (!(d.stiffness >= 0 && std::isfinite(d.stiffness) && d.damping >= 0 && std::isfinite(d.damping)) ||
        !(d.max_force >= 0))
      bad(fmt::format("joint '{}': stiffness, damping and greatest force of its drive must not be negative", name));
  }
  if (robots_[index].maximal) {
    if (drives.empty()) return;
    WorldRobot& owner = robots_[index];
    return drive_maximal(owner, owner.joints[static_cast<std::size_t>(joint - owner.joints.data())], drives[0]);
  }
  for (std::size_t k = 0; k < drives.size(); ++k) {
    const RobotDrive& d = drives[k];
    trees_[index].drives[joint->first_v + k] = {d.force, d.position, d.speed, d.stiffness, d.damping, d.max_force};
  }
  for (const std::uint32_t slot : trees_[index].bodies) model_->disturb(slot);
}

template <int D>
void World<D>::serialize_robots(Archive& ar) {
  ar(robots_), ar(trees_);
  if (ar.saving()) return;
  bool fine = robots_.size() == trees_.size() && (D == 3 || trees_.empty());
  std::size_t q = 0, v = 0;
  for (std::size_t i = 0; fine && i < trees_.size(); ++i) {
    TreeBody& tree = trees_[i];
    const auto exists = [&](std::uint32_t slot) {
      return slot == TreeBody::kNone || (slot < bodies_.size() && bodies_.alive[slot]);
    };
    fine &= std::all_of(tree.slot.begin(), tree.slot.end(), exists);
    fine &= std::all_of(robots_[i].slots.begin(), robots_[i].slots.end(), exists);
    fine &= robots_[i].slots.size() == robots_[i].links.size() && tree.first_q == q && tree.first_v == v;
    const WorldRobot& robot = robots_[i];
    fine &= robot.maximal || (robot.nq == tree.model.nq() && robot.nv == tree.model.nv());
    for (const WorldRobot::Joint& j : robot.joints)
      fine &= j.first_q <= robot.nq && j.nq <= robot.nq - j.first_q && j.first_v <= robot.nv &&
              j.nv <= robot.nv - j.first_v && exists(j.body);
    tree.find_bodies();
    q += tree.model.nq(), v += tree.model.nv();
  }
  if (!fine || state_.q.size() != q || state_.v.size() != v)
    throw Error(ErrorKind::kBadInput, "the snapshot is damaged");
}

#define TOUCHSTONE_INSTANTIATE(D)                                                                         \
  template const WorldRobot::Joint& World<D>::robot_joint(std::size_t, std::string_view) const;           \
  template const WorldRobot& World<D>::robot(std::size_t) const;                                          \
  template void World<D>::refuse_if_link(std::uint32_t, const char*) const;                               \
  template double World<D>::tree_energy() const;                                                          \
  template double World<D>::total_energy() const;                                                         \
  template void World<D>::set_robot_state(std::size_t, std::span<const double>, std::span<const double>); \
  template void World<D>::set_robot_drive(std::size_t, std::string_view, std::span<const RobotDrive>);    \
  template void World<D>::serialize_robots(Archive&);
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone

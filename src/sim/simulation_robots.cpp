// Robots of the public face.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "sim/simulation_impl.h"

namespace touchstone {
namespace {

template <class List>
std::size_t place_of(const List& names, std::string_view name, const std::string& what) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end())
    throw Error(ErrorKind::kBadInput, fmt::format("there is no {} '{}'{}", what, name, did_you_mean(name, names)));
  return static_cast<std::size_t>(found - names.begin());
}

std::vector<std::string> joint_names(const WorldRobot& robot) {
  std::vector<std::string> out;
  for (const WorldRobot::Joint& j : robot.joints) out.push_back(j.name);
  return out;
}

}  // namespace

std::size_t Simulation::add_robot(const RobotDescription& robot, const RobotPlacement& placement) {
  return impl_->visit([&](auto& w) { return w.add_robot(robot, placement); });
}
std::size_t Simulation::robot_count() const {
  return impl_->visit([](auto& w) { return w.robots().size(); });
}
const std::string& Simulation::robot_name(std::size_t robot) const {
  return impl_->visit([&](auto& w) -> const std::string& { return w.robot(robot).name; });
}
std::size_t Simulation::find_robot(std::string_view name) const {
  return impl_->visit([&](auto& w) {
    std::vector<std::string> names;
    for (const WorldRobot& r : w.robots()) names.push_back(r.name);
    return place_of(names, name, "robot");
  });
}
std::optional<BodyId> Simulation::robot_link(std::size_t robot, std::string_view link) const {
  return impl_->visit([&](auto& w) -> std::optional<BodyId> {
    const WorldRobot& r = w.robot(robot);
    const std::uint32_t slot = r.slots[place_of(r.links, link, "link")];
    if (slot == TreeBody::kNone) return std::nullopt;
    return w.id_of(slot);
  });
}
std::vector<std::string> Simulation::robot_joints(std::size_t robot) const {
  return impl_->visit([&](auto& w) { return joint_names(w.robot(robot)); });
}

std::vector<double> Simulation::robot_coordinates(std::size_t robot) const {
  return impl_->visit([&](auto& w) { return w.robot_coordinates(robot); });
}
std::vector<double> Simulation::robot_rates(std::size_t robot) const {
  return impl_->visit([&](auto& w) { return w.robot_rates(robot); });
}
void Simulation::set_robot_state(std::size_t robot, std::span<const double> q, std::span<const double> v) {
  impl_->visit([&](auto& w) { w.set_robot_state(robot, q, v); });
}

RobotJointState Simulation::robot_joint(std::size_t robot, std::string_view joint) const {
  return impl_->visit([&](auto& w) {
    const WorldRobot::Joint& j = w.robot_joint(robot, joint);
    const std::vector<double> q = w.robot_coordinates(robot), v = w.robot_rates(robot);
    RobotJointState out;
    out.q.assign(q.begin() + j.first_q, q.begin() + j.first_q + j.nq);
    out.v.assign(v.begin() + j.first_v, v.begin() + j.first_v + j.nv);
    for (std::uint32_t k = 0; k < j.nv; ++k) {
      const RateDrive d = w.robot_drive(robot, j, k);
      out.drives.push_back({d.force, d.position, d.speed, d.stiffness, d.damping, d.max_force});
    }
    return out;
  });
}
void Simulation::set_robot_drive(std::size_t robot, std::string_view joint, std::span<const RobotDrive> drives) {
  impl_->visit([&](auto& w) { w.set_robot_drive(robot, joint, drives); });
}
void Simulation::set_robot_drive(std::size_t robot, std::string_view joint, const RobotDrive& drive) {
  set_robot_drive(robot, joint, std::span(&drive, 1));
}

}  // namespace touchstone

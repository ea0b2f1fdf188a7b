#include "io/scene/joints.h"

#include <fmt/format.h>

#include <optional>

#include "sim/joint_description.h"

namespace touchstone {
namespace {

// By its name in either dimension.
std::optional<JointKind> kind_called(const std::string& name) {
  for (unsigned k = 0; k <= static_cast<unsigned>(kLastJointKind); ++k)
    for (const int dimension : {2, 3})
      if (const auto kind = static_cast<JointKind>(k); name == joint_kind_name(kind, dimension)) return kind;
  return std::nullopt;
}

std::optional<Eigen::Vector3d> optional_vector(const SceneTable& table, const char* key) {
  if (!table.find(key)) return std::nullopt;
  return table.vector(key);
}

}  // namespace

void SceneJoints::read_kind(const SceneTable& table, JointDescription& joint) const {
  const std::string name = table.text("kind", "");
  const std::optional<JointKind> kind = kind_called(name);
  if (!kind) return;  // the format check said so
  joint.kind = *kind;
  const int dimension = table.dimension();
  const bool only_2d = *kind == JointKind::kBead || *kind == JointKind::kGear;
  const bool only_3d = *kind == JointKind::kUniversal || *kind == JointKind::kCylindrical ||
                       *kind == JointKind::kPlanar || *kind == JointKind::kScrew;
  if (dimension == 2 && joint.kind == JointKind::kBall)
    table.error("kind", "must be pin in 2D");
  else if (dimension == 2 ? only_3d : only_2d)
    table.error("kind", fmt::format("needs a {}D scene, and dimension is {}", 5 - dimension, dimension));
  else if (name != joint_kind_name(joint.kind, dimension))
    table.error("kind", fmt::format("must be {} in {}D", joint_kind_name(joint.kind, dimension), dimension));
}

void SceneJoints::check_name(const SceneTable& table, const JointDescription& joint) {
  if (table.find("name") && table.text("name", "").empty())
    table.error("name", "must not be empty; leave it out for a name by place");
  else if (!taken_.insert(joint.name).second)
    table.error("name", fmt::format("there is already a joint named '{}'; names must be unique", joint.name));
}

// Every mistake that the entry has on its own. Keys that were refused already are absent here: nothing is said of them.
void SceneJoints::report_faults(const SceneTable& table, const JointDescription& joint) const {
  const auto refused = [&](const char* key) { return table.has(key) && !table.find(key); };
  const auto report = [&](const JointFault& fault) {
    const bool place = std::string_view(fault.key) == "point" && (refused("point_a") || refused("point_b"));
    const bool motor = std::string_view(fault.key) == "motor_speed" &&
                       (refused("motor_position") || refused("motor_waypoints") || refused("motor_force"));
    if (!place && !motor && !refused(fault.key)) table.error(fault.key, fault.what);
  };
  const auto known = [&](const char* key, const std::string& name) {
    const auto found = names_.bodies.find(name);
    return !refused(key) && (name.empty() || (found != names_.bodies.end() && found->second < scene_.bodies.size()));
  };
  if (known("body_a", joint.body_a) && known("body_b", joint.body_b))
    if (const auto fault = joined_bodies_fault(joint.kind, body(joint.body_a), body(joint.body_b))) report(*fault);
  if (!table.find("kind")) return;
  for (const JointFault& fault : description_faults(joint, table.dimension())) report(fault);
}

const BodyDescription* SceneJoints::body(const std::string& name) const {
  return name.empty() ? nullptr : &scene_.bodies[names_.bodies.at(name)];
}

void SceneJoints::add(const SceneTable& table) {
  const std::size_t before = errors_.count();
  JointDescription joint;
  joint.name =
      table.has("name") ? names_.numbered(table.text("name", "")) : fmt::format("joint_{}", scene_.joints.size() + 1);
  check_name(table, joint);
  read_kind(table, joint);
  joint.body_a = read_body_name(table, "body_a", names_);
  joint.body_b = read_body_name(table, "body_b", names_);
  joint.point = optional_vector(table, "point");
  joint.point_a = optional_vector(table, "point_a");
  joint.point_b = optional_vector(table, "point_b");
  joint.axis = optional_vector(table, "axis");
  joint.axis_b = optional_vector(table, "axis_b");
  joint.length = table.number("length");
  joint.pitch = table.number("pitch");
  joint.ratio = table.number("ratio");
  joint.curve = table.text("curve", "");
  joint.lower = table.number("lower");
  joint.upper = table.number("upper");
  joint.stiffness = table.number("stiffness");
  joint.damping = table.number("damping");
  joint.rest = table.number("rest");
  joint.friction = table.number("friction");
  joint.motor_speed = table.number("motor_speed");
  joint.motor_position = table.number("motor_position");
  joint.motor_waypoints = table.pairs("motor_waypoints");
  joint.motor_force = table.number("motor_force");
  joint.motor_max_force = table.number("motor_max_force");
  joint.motor_max_speed = table.number("motor_max_speed");
  joint.motor_response = table.number("motor_response");
  joint.motor_from = table.number("motor_from");
  joint.motor_until = table.number("motor_until");
  joint.break_force = table.number("break_force");
  joint.break_torque = table.number("break_torque");
  joint.collide = table.boolean("collide", joint.collide);
  report_faults(table, joint);
  // Where it is can only be judged with bodies and keys that are right.
  if (bodies_right_ && errors_.count() == before && !errors_.is_bad(table.toml()))
    if (const auto fault = joint_fault(joint, table.dimension(), body(joint.body_a), body(joint.body_b)))
      table.error(fault->key, fault->what);
  scene_.joints.push_back(std::move(joint));
}

}  // namespace touchstone

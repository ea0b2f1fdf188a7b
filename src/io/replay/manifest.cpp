#include "io/replay/manifest.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "base/json_text.h"
#include "base/text.h"
#include "io/curve_line.h"
#include "models/registry.h"
#include "sim/joint_description.h"

namespace touchstone {
namespace {

const char* kind_name(BodyKind kind) {
  return kind == BodyKind::kStatic ? "static" : kind == BodyKind::kKinematic ? "kinematic" : "dynamic";
}

// The page has one name for both dimensions.
const char* page_name(JointKind kind) { return joint_kind_name(kind, 3); }

// Bodies by name; an empty name is the world.
class Slots {
 public:
  explicit Slots(const std::vector<BodyDescription>& bodies) : bodies_(bodies) {
    for (std::size_t i = 0; i < bodies.size(); ++i) slots_.try_emplace(bodies[i].name, static_cast<int>(i));
  }
  int slot(const std::string& name) const {
    const auto found = name.empty() ? slots_.end() : slots_.find(name);
    return found == slots_.end() ? -1 : found->second;
  }
  const BodyDescription* body(const std::string& name) const {
    const int i = slot(name);
    return i < 0 ? nullptr : &bodies_[static_cast<std::size_t>(i)];
  }

 private:
  const std::vector<BodyDescription>& bodies_;
  std::map<std::string, int> slots_;
};

// xx, yy, zz, xy, xz, yz; in 2D the one moment there is.
ReplayJson inertia_json(const Eigen::Matrix3d& j, int dimension) {
  if (dimension == 2) return j(2, 2);
  return {j(0, 0), j(1, 1), j(2, 2), j(0, 1), j(0, 2), j(1, 2)};
}

ReplayJson bodies_json(const ReplayWorld& world, GeometryTable& geometries) {
  ReplayJson bodies = ReplayJson::array();
  for (std::size_t i = 0; i < world.scene.bodies.size(); ++i) {
    const BodyDescription& b = world.scene.bodies[i];
    ReplayJson shapes = ReplayJson::array();
    for (const ShapeDescription& s : b.shapes) shapes.push_back(geometries.shape(s));
    bodies.push_back({{"name", b.name},
                      {"kind", kind_name(b.kind)},
                      {"mass", std::isfinite(world.masses[i]) ? ReplayJson(world.masses[i]) : ReplayJson()},
                      {"material", b.material},
                      {"com", json_of(world.centers[i])},
                      {"shapes", std::move(shapes)}});
    if (std::isfinite(world.masses[i]) && i < world.inertias.size())
      bodies.back()["inertia"] = inertia_json(world.inertias[i], world.scene.dimension);
  }
  return bodies;
}

// Where a point of a body is at the start.
Eigen::Vector2d placed(const BodyDescription* body, const Eigen::Vector2d& point) {
  if (!body) return point;
  return body->placement.position.head<2>() + Eigen::Rotation2Dd(body->placement.angle) * point;
}

// The distance between the two bodies that are farthest from each other along an axis [m]; 1 m for one body alone.
double size_of(const std::vector<BodyDescription>& bodies) {
  Eigen::AlignedBox3d box;
  for (const BodyDescription& b : bodies) box.extend(b.placement.position);
  const double size = box.isEmpty() ? 0.0 : box.diagonal().norm();
  return size > 0 ? size : 1.0;
}

// The wire of a bead: x, y, x, y, ... in the frame of A.
ReplayJson curve_json(const Joint<2>& joint, const BodyDescription* a, const BodyDescription* b, double size) {
  const double angle = a ? a->placement.angle : 0.0;
  const Eigen::Vector2d bead = placed(b, joint.described_b),
                        start = Eigen::Rotation2Dd(-angle) * (bead - placed(a, joint.described_a));
  ReplayJson out = ReplayJson::array();
  for (const Eigen::Vector2d& p : curve_line(*joint.curve, start, kCurveLength * size))
    for (const double x : {p.x() + joint.described_a.x(), p.y() + joint.described_a.y()})
      out.push_back(static_cast<float>(x));
  return out;
}

template <int D>
ReplayJson joint_json(const JointDescription& d, const Slots& slots, double size) {
  const BodyDescription *a = slots.body(d.body_a), *b = slots.body(d.body_b);
  const Joint<D> joint = described_joint<D>(d, a, b);
  ReplayJson axis, axis_b, curve;
  if (d.axis) axis = json_of(widen<D>(Vec<D>(matrix_of(joint.described_frame_a) * Vec<D>::UnitX())));
  if (d.axis_b) axis_b = json_of(widen<D>(Vec<D>(matrix_of(joint.described_frame_b) * Vec<D>::UnitY())));
  if constexpr (D == 2)
    if (joint.curve) curve = curve_json(joint, a, b, size);
  return {{"name", d.name},
          {"kind", page_name(d.kind)},
          {"a", slots.slot(d.body_a)},
          {"b", slots.slot(d.body_b)},
          {"point_a", json_of(widen<D>(joint.described_a))},
          {"point_b", json_of(widen<D>(joint.described_b))},
          {"axis_a", std::move(axis)},
          {"axis_b", std::move(axis_b)},
          {"curve", std::move(curve)}};
}

void add_joints(const ReplayWorld& world, ReplayJson& out) {
  const Slots slots(world.scene.bodies);
  const double size = size_of(world.scene.bodies);
  out["joints"] = ReplayJson::array();
  for (const JointDescription& d : world.scene.joints)
    out["joints"].push_back(world.scene.dimension == 2 ? joint_json<2>(d, slots, size) : joint_json<3>(d, slots, size));
  out["springs"] = ReplayJson::array();
  for (const SpringDescription& s : world.scene.springs)
    out["springs"].push_back({{"a", slots.slot(s.body_a)},
                              {"b", slots.slot(s.body_b)},
                              {"point_a", json_of(s.point_a)},
                              {"point_b", json_of(s.point_b)}});
}

ReplayJson materials_json(const SceneDescription& scene) {
  ReplayJson materials = ReplayJson::array();
  for (const MaterialDescription& m : scene.materials)
    materials.push_back({{"name", m.name},
                         {"static_friction", m.static_friction},
                         {"dynamic_friction", m.dynamic_friction},
                         {"restitution", m.restitution},
                         {"density", m.density}});
  return materials;
}

ReplayJson options_json(const Options& options) {
  ReplayJson json = ReplayJson::object();
  for (const auto& [name, value] : options) {
    const std::string& key = name;  // clang 14 captures no structured bindings
    std::visit([&](const auto& v) { json[key] = v; }, value);
  }
  return json;
}

template <class Infos>
ReplayJson described(const Infos& infos) {
  ReplayJson json = ReplayJson::array();
  for (const auto& i : infos) json.push_back({{"name", i.name}, {"unit", i.unit}, {"help", i.help}});
  return json;
}

// What does not depend on where the run comes from; the order is that of docs/viewer.md.
void add_scene(const ReplayWorld& world, ReplayJson& out) {
  GeometryTable geometries(world.scene.dimension);
  out["materials"] = materials_json(world.scene);
  out["bodies"] = bodies_json(world, geometries);
  out["geometries"] = geometries.take();
  add_joints(world, out);
  out["fields"] = described(report_fields());
  out["measures"] = described(measure_infos());
}

void add_recorded(ReplayJson& out, std::size_t frames, const RecordDescription& record) {
  out["frames"] = frames;
  out["has"] = {{"poses", record.poses}, {"velocities", record.velocities}, {"contacts", record.contacts}};
  out["frame_every"] = record.every;
  out["decimation"] = "";
}

ReplayJson head(const std::string& program, const std::string& name, const std::string& model,
                const ReplayWorld& world) {
  return {{"format", 1},
          {"program", "touchstone " + program},
          {"name", name},
          {"model", model},
          {"model_options", options_json(world.scene.model.options)},
          {"dimension", world.scene.dimension}};
}

}  // namespace

std::string truncation_of(const Recording& recording) {
  if (recording.truncated_bytes() > 0)
    return fmt::format("The recording is cut short. Left out: {} behind its last complete record.",
                       counted(recording.truncated_bytes(), "byte"));
  if (recording.complete()) return "";
  return fmt::format("The run did not reach its end: it was to last {:.6g} s.", recording.info().duration);
}

ReplayJson replay_manifest(const Recording& recording, const ReplayWorld& world) {
  const RecordingInfo& info = recording.info();
  ReplayJson out = head(info.program_version, info.scene_name, info.model, world);
  out["step_size"] = info.step_size;
  out["duration"] = info.duration;
  out["gravity"] = json_of(world.scene.gravity);
  out["complete"] = recording.complete();
  out["truncated"] = truncation_of(recording);
  out["source"] = std::filesystem::path(recording.path()).filename().string();
  add_scene(world, out);
  add_recorded(out, recording.frame_count(), info.record);
  return out;
}

ReplayJson replay_manifest(const Simulation& simulation, const ReplayWorld& world, bool offers_models) {
  ReplayJson out = head(version(), world.scene.name, simulation.model_name(), world);
  out["step_size"] = simulation.step_size();
  out["duration"] = world.scene.duration;
  out["gravity"] = json_of(world.scene.gravity);
  out["complete"] = false;
  out["truncated"] = "";
  out["source"] = "";
  add_scene(world, out);
  out["models"] = ReplayJson::array();
  const bool joints = simulation.joint_count() > 0;
  for (const ModelInfo& m : registered_models())
    if (offers_models && supports(m, world.scene.integrator, joints))
      out["models"].push_back({{"name", m.name}, {"help", m.summary}});
  RecordDescription all;
  all.every = 1;
  add_recorded(out, 0, all);
  return out;
}

ReplayJson replay_manifest(const ReplayWorld& world) {
  ReplayJson out = head(version(), world.scene.name, "", world);
  out["step_size"] = world.scene.step;
  out["duration"] = 0;
  out["gravity"] = json_of(world.scene.gravity);
  out["complete"] = true;
  out["truncated"] = out["source"] = "";
  add_scene(world, out);
  out["fields"] = out["measures"] = ReplayJson::array();
  RecordDescription none;
  none.every = 1, none.velocities = none.contacts = false;
  add_recorded(out, 0, none);
  return out;
}

std::string replay_text(const ReplayJson& json) { return json_text(json); }

}  // namespace touchstone

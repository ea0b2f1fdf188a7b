#include "io/replay/world.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "io/scene/reader.h"
#include "math/rotation.h"
#include "touchstone/error.h"

namespace touchstone {
namespace {

Eigen::Quaterniond rotation_of(const Placement& p, int dimension) {
  if (dimension == 3) return p.orientation.normalized();
  return Eigen::Quaterniond(Eigen::AngleAxisd(p.angle, Eigen::Vector3d::UnitZ()));
}

}  // namespace

SceneDescription recorded_scene(const Recording& recording) {
  const RecordingInfo& info = recording.info();
  if (info.scene_text.empty())
    throw Error(ErrorKind::kBadInput, fmt::format("{} holds no scene, so its shapes are not known", recording.path()));
  std::vector<SceneOverride> overrides;
  for (const auto& [key, value] : info.overrides) overrides.push_back({key, value});
  SceneLimits limits;
  limits.controllers = false;
  return load_scene_text(info.scene_text, info.scene_path, overrides, limits, info.scene_files).scene;
}

ReplayWorld replay_world(const Simulation& simulation, const SceneDescription& scene) {
  ReplayWorld world;
  world.scene = scene;
  const std::size_t slots = simulation.slot_count();
  BodyDescription nobody;
  nobody.kind = BodyKind::kStatic;
  world.scene.bodies.assign(slots, nobody);
  world.masses.assign(slots, std::numeric_limits<double>::infinity());
  world.centers.assign(slots, Eigen::Vector3d::Zero());
  world.inertias.assign(slots, Eigen::Matrix3d::Zero());
  for (const BodyId id : simulation.bodies()) {
    BodyDescription& body = world.scene.bodies[id.index];
    body = simulation.description(id);
    body.name = simulation.body_name(id);
    world.masses[id.index] = simulation.mass(id);
    world.inertias[id.index] = simulation.inertia(id);
    const BodyState s = simulation.state(id);
    world.centers[id.index] =
        rotation_of(s.placement, simulation.dimension()).inverse() * (s.center_of_mass - s.placement.position);
  }
  return world;
}

ReplayWorld replay_world(const Recording& recording) {
  const SceneDescription scene = recorded_scene(recording);
  // Masses do not depend on the model, and the recorded one may refuse what this version knows of it.
  SceneDescription bodies = scene;
  bodies.model = {.name = "free", .options = {}};
  bodies.joints.clear();
  ReplayWorld world = replay_world(Simulation(bodies), scene);
  std::size_t slots = std::max(world.scene.bodies.size(), recording.info().body_names.size());
  if (recording.frame_count() > 0)
    slots = std::max<std::size_t>(slots, recording.read_frame(recording.frame_count() - 1).slots);
  for (std::size_t i = world.scene.bodies.size(); i < slots; ++i) {  // bodies that came later
    BodyDescription body;
    body.name = fmt::format("body_{}", i + 1);
    world.scene.bodies.push_back(body);
  }
  world.masses.resize(slots, std::numeric_limits<double>::infinity());
  world.centers.resize(slots, Eigen::Vector3d::Zero());
  return world;
}

}  // namespace touchstone

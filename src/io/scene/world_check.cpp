#include "io/scene/world_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "sim/world.h"

namespace touchstone {
namespace {

SceneDescription without_bodies(const SceneDescription& scene) {
  SceneDescription out;
  out.dimension = scene.dimension;
  out.gravity = scene.gravity;
  out.step = scene.step;
  out.integrator = scene.integrator;
  out.model = scene.model;
  out.materials = scene.materials;
  out.material_pairs = scene.material_pairs;
  out.table = scene.table;
  return out;
}

// The world says which body; the path says it here.
std::string without_prefix(std::string message, const std::string& body) {
  const std::string prefix = fmt::format("body '{}': ", body);
  return message.starts_with(prefix) ? message.substr(prefix.size()) : message;
}

// At the key that the message begins with or is about, if the entry has it; otherwise at the entry.
void report(const BodyEntry& entry, const std::string& message, int dimension, SceneErrors& errors) {
  const std::string name = (*entry.table)["name"].value_or(std::string());
  const ScenePath top, path{&top, "body", entry.index, name};
  const SceneTable table(*entry.table, path, dimension, errors);
  for (const char* key : {"motion", "inertia", "mass", "density"})
    if (message.find(key) != std::string::npos && table.has(key)) return table.error(key, message);
  table.error("cannot be made: " + message);
}

template <int D>
void check_bodies(const SceneDescription& scene, const std::vector<BodyEntry>& entries, SceneErrors& errors) {
  World<D> world(without_bodies(scene));
  for (const BodyEntry& entry : entries) {
    if (!entry.right) continue;
    for (std::size_t i = 0; i < std::min<std::size_t>(entry.count, 2); ++i) {
      const BodyDescription& body = scene.bodies[entry.first + i];
      try {
        world.add_body(body);
      } catch (const Error& e) {
        report(entry, without_prefix(e.what(), body.name), D, errors);
        break;
      }
    }
  }
}

}  // namespace

void check_in_world(const SceneDescription& scene, const std::vector<BodyEntry>& entries, SceneErrors& errors) {
  try {
    if (scene.dimension == 2)
      check_bodies<2>(scene, entries, errors);
    else
      check_bodies<3>(scene, entries, errors);
  } catch (const Error& e) {  // the world without bodies: what the stages before should have caught
    if (errors.count() == 0) errors.add({{1, 1}, {1, 1}, nullptr}, e.what());
  }
}

}  // namespace touchstone

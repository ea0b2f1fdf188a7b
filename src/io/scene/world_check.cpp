#include "io/scene/world_check.h"

#include <algorithm>

#include "base/key_error.h"
#include "touchstone/simulation.h"

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

// At the key that the error is about, if the entry has it; otherwise at the entry.
void report(const BodyEntry& entry, const std::string& key, const std::string& message, int dimension,
            SceneErrors& errors) {
  const std::string name = (*entry.table)["name"].value_or(std::string());
  const ScenePath top, path{&top, "body", entry.index, name};
  const SceneTable table(*entry.table, path, dimension, errors);
  const std::string first = key.substr(0, key.find('.'));
  if (!first.empty() && table.has(first.c_str())) return table.error(first.c_str(), message);
  table.error("cannot be made: " + message);
}

void check_bodies(const SceneDescription& scene, const std::vector<BodyEntry>& entries, SceneErrors& errors) {
  Simulation simulation(without_bodies(scene));
  for (const BodyEntry& entry : entries) {
    if (!entry.right) continue;
    for (std::size_t i = 0; i < std::min<std::size_t>(entry.count, 2); ++i) {
      const BodyDescription& body = scene.bodies[entry.first + i];
      try {
        simulation.add_body(body);
      } catch (const KeyError& e) {
        report(entry, e.key(), e.detail(), scene.dimension, errors);
        break;
      } catch (const Error& e) {
        report(entry, "", e.what(), scene.dimension, errors);
        break;
      }
    }
  }
}

}  // namespace

void check_in_world(const SceneDescription& scene, const std::vector<BodyEntry>& entries, SceneErrors& errors) {
  try {
    check_bodies(scene, entries, errors);
  } catch (const Error& e) {  // the world without bodies: what the stages before should have caught
    if (errors.count() == 0) errors.add({{1, 1}, {1, 1}, nullptr}, e.what());
  }
}

}  // namespace touchstone

#pragma once
// The [[body]] entries with their shapes and lattices.
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "io/scene/meshes.h"
#include "io/scene/reader.h"
#include "io/scene/table.h"

namespace touchstone {

// Names that others refer to, and the meshes behind names of files.
struct SceneNames {
  std::unordered_set<std::string> materials;
  std::unordered_map<std::string, std::size_t> bodies;  // → index in SceneDescription::bodies
  SceneMeshes& meshes;
};

// One [[body]] entry and the bodies it made.
struct BodyEntry {
  const toml::table* table;
  std::size_t index;         // in the file
  std::size_t first, count;  // in SceneDescription::bodies
  bool right;                // no mistake was found in it
};

std::vector<BodyEntry> build_bodies(const toml::table& root, const SceneLimits& limits, SceneNames& names,
                                    SceneDescription& scene, SceneErrors& errors);

// The body that a key names: empty for the world, which is what it means to leave the key out. A name that does not
// exist is reported.
std::string read_body_name(const SceneTable& table, const char* key, const SceneNames& names);

// The words for a "did you mean", unless there are too many to compare.
std::vector<std::string> hints(const std::unordered_set<std::string>& names);
std::vector<std::string> hints(const std::unordered_map<std::string, std::size_t>& names);

}  // namespace touchstone

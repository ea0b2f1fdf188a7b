#pragma once
// The [[body]] entries with their shapes and lattices.
#include <optional>
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
  struct Several {
    std::size_t first = 0, count = 0;  // in SceneDescription::bodies
  };
  std::unordered_map<std::string, Several> entries = {};  // of several bodies: repeat, scatter, each
  // While an entry with `each` is read for the n-th of them: n.
  std::optional<std::size_t> member = {};
  std::string numbered(const std::string& name) const {
    return member && !name.empty() ? name + '_' + std::to_string(*member) : name;
  }
};

// The bodies for each of which an entry with the key `each` is read; reports a name that is none of an entry of several
// bodies. Empty: there is no such key, or it is wrong.
std::optional<SceneNames::Several> read_each(const SceneTable& table, const SceneNames& names);

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

#pragma once
// The stages of reading a scene: text, TOML tree, overrides, check against the format, description.
#include <cstddef>
#include <string>
#include <vector>

#include "touchstone/scene_file.h"

namespace touchstone {

// Beyond these a scene is refused before anything large is allocated.
struct SceneLimits {
  std::size_t bytes = std::size_t{64} << 20;
  std::size_t bodies = 1'000'000;
  std::size_t materials = 1000;                   // the world keeps a table of all pairs
  std::size_t mesh_bytes = std::size_t{1} << 30;  // of one mesh file
  // False: [[controller]] entries are left out. What was recorded can be drawn without the program that brought them.
  bool controllers = true;
};

struct LoadedScene {
  SceneDescription scene;
  std::string text;                // the file as it was read; recordings keep it,
  SceneFiles files;                // and the meshes that it refers to
  std::vector<std::string> notes;  // what was put right in them
};

LoadedScene read_scene(const std::string& path, const std::vector<SceneOverride>& overrides = {},
                       const SceneLimits& limits = {});
LoadedScene load_scene_text(const std::string& text, const std::string& path,
                            const std::vector<SceneOverride>& overrides, const SceneLimits& limits,
                            const SceneFiles& kept = {});
SceneDescription parse_scene_text(const std::string& text, const std::string& path,
                                  const std::vector<SceneOverride>& overrides, const SceneLimits& limits);

}  // namespace touchstone

#pragma once
#include <map>
#include <string>
#include <vector>

#include "touchstone/description.h"
#include "touchstone/error.h"

namespace touchstone {

/// A change to a scene from outside the file: a dotted key and a TOML value, as in "model.stiffness=1e5".
struct SceneOverride {
  std::string key, value;
};

/// Reads a scene file. Throws Error (kBadInput) with one line per mistake, each with file, line, column,
/// key, value and what would be right; all semantic mistakes are listed at once.
SceneDescription load_scene(const std::string& path, const std::vector<SceneOverride>& overrides = {});

/// Meshes that a scene refers to, by their names in it, as the text in which recordings keep them.
using SceneFiles = std::map<std::string, std::string>;

/// The same from text; `path` is only used in messages and to find files beside it. Meshes that are in `files` are not
/// sought there.
SceneDescription parse_scene(const std::string& text, const std::string& path,
                             const std::vector<SceneOverride>& overrides = {}, const SceneFiles& files = {});

}  // namespace touchstone

#pragma once
// The text of a scene file, before it is TOML.
#include <string>

#include "io/scene/reader.h"

namespace touchstone {

// Throws Error for what cannot be read. Stops one piece after the limit: check_scene_text refuses the rest.
std::string read_scene_text(const std::string& path, const SceneLimits& limits);
// Throws Error for a text that is too large, empty or binary, or whose keys are nested too deeply for the parser.
void check_scene_text(const std::string& text, const std::string& path, const SceneLimits& limits);

}  // namespace touchstone

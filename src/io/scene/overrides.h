#pragma once
// Changes from outside the file (--set key=value), made in the TOML tree before it is checked.
#include <vector>

#include "io/scene/errors.h"
#include "touchstone/scene_file.h"

namespace touchstone {

// A key is dotted; entries of a list are named or counted from 0: body.ball.position, body.0.mass, shapes[1].radius.
// A value is TOML, or else a string. A model.name that changes the model drops the options that the file has for
// its own model: the scene switches model with one string.
void apply_overrides(toml::table& root, const std::vector<SceneOverride>& overrides, SceneErrors& errors);

}  // namespace touchstone

#pragma once
// Second stage of reading: the description of a tree that was checked against the format, with the checks that span
// several keys. It goes on after mistakes, so that all are found at once.
#include "io/scene/errors.h"
#include "io/scene/format.h"
#include "io/scene/meshes.h"
#include "io/scene/reader.h"

namespace touchstone {

SceneDescription build_scene(const toml::table& root, int dimension, const SceneLimits& limits, SceneMeshes& meshes,
                             SceneErrors& errors);

}  // namespace touchstone

#pragma once
// First stage of reading: the TOML tree against the table of the format. Unknown and missing keys, types, ranges,
// lengths of lists, NaN and infinity. What only makes sense across keys is the second stage's (scene_build).
#include "io/scene/errors.h"
#include "io/scene/format.h"

namespace touchstone {

// dimension 0: not known, then nothing that depends on it is checked.
void check_against_format(const toml::table& root, int dimension, SceneErrors& errors);

}  // namespace touchstone

#pragma once
// A benchmark scene as Touchstone's own description.
#include "scenes/scene.h"
#include "touchstone/description.h"

namespace touchstone::bench {

// Dynamic bodies come first, in the scene's order, as body_0, body_1, ...; the ground is static_0. No model is chosen.
SceneDescription describe(const Scene& scene);

}  // namespace touchstone::bench

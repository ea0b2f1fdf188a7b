#pragma once
// Collisions, velocities, contacts by passes and shock propagation, positions. See docs/models/guendelman.md.
#include "models/registry.h"

namespace touchstone {

ModelInfo guendelman_model();

}  // namespace touchstone

#pragma once
// Collisions followed over their impulse, resting contact by micro-collisions. See docs/models/mirtich.md.
#include "models/registry.h"

namespace touchstone {

ModelInfo mirtich_model();

}  // namespace touchstone

#pragma once
#include "models/registry.h"

namespace touchstone {

// Smooth motion only: bodies pass through each other. For studies of integrators and for orbits and tops.
ModelInfo free_motion_model();

}  // namespace touchstone

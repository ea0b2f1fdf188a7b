#pragma once
#include "models/registry.h"

namespace touchstone {

// Contact by impulses, iterated to a tolerance [bender2006]: the default model. See docs/models/impulse.md.
ModelInfo impulse_model();

}  // namespace touchstone

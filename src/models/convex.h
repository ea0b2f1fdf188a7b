#pragma once
#include "models/registry.h"

namespace touchstone {

// Velocity-level time stepping with the two convex phases of drumwright2009. See docs/models/convex.md.
ModelInfo convex_model();

}  // namespace touchstone

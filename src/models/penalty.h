#pragma once
#include "models/registry.h"

namespace touchstone {

// Contact by springs and dampers; see docs/models/penalty.md.
ModelInfo penalty_model();

}  // namespace touchstone

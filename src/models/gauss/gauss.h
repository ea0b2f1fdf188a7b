#pragma once
#include "models/registry.h"

namespace touchstone {

// Collisions and contact by Gauss' principle of least restraint; see docs/models/gauss.md.
ModelInfo gauss_model();

}  // namespace touchstone

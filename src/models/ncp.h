#pragma once
#include "models/registry.h"

namespace touchstone {

// Velocity-level time stepping with the exact cone of Coulomb's law, solved to a tolerance: the reference for other
// velocity-level models. See docs/models/ncp.md.
ModelInfo ncp_model();

}  // namespace touchstone

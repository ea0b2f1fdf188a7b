#pragma once
#include "models/registry.h"

namespace touchstone {

// Velocity-level time stepping with friction pyramids, solved by Lemke's method. See docs/models/lcp.md.
ModelInfo lcp_model();

}  // namespace touchstone

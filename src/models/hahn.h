#pragma once
// Every contact a collision, one pair at a time. See docs/models/hahn.md.
#include "models/registry.h"

namespace touchstone {

ModelInfo hahn_model();

}  // namespace touchstone

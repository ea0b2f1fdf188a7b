#pragma once
// The model `lagrange`: joints by Lagrange multipliers, collisions at their times, contacts at rest as inequalities.
#include "models/registry.h"

namespace touchstone {

ModelInfo lagrange_model();

}  // namespace touchstone

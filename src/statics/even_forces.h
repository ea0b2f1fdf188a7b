#pragma once
// Normal forces that balance the loads without friction, as even as they can be. See even_forces.cpp.
#include "statics/balance.h"

namespace touchstone::statics {

// Empty if none were found: there may be none, or rounding hid them.
Forces even_forces(const Equations& equations, const StopFlag& stop);

}  // namespace touchstone::statics

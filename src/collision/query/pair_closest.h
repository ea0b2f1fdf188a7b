#pragma once
// Closest points of any pair of convex shapes, half-spaces included.
#include "collision/narrow/closest.h"

namespace touchstone {

// See ClosestRoutine. Two half-spaces have no closest points; they count as far apart.
template <int D>
bool pair_closest(const Placed<D>& a, const Placed<D>& b, double margin, PairMemory& memory, Closest<D>& out);

}  // namespace touchstone

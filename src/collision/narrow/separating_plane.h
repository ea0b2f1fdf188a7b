#pragma once
// Search for a plane between two polytopes (2D: a line), which is remembered and tried first the next time.
#include "collision/narrow/closest.h"

namespace touchstone {

// See ClosestRoutine. For shapes whose core is a polytope.
template <int D>
bool separating_plane(const Placed<D>& a, const Placed<D>& b, double margin, PairMemory& memory, Closest<D>& out);

}  // namespace touchstone

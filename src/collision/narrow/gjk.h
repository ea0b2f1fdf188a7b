#pragma once
// Distance of any two convex shapes, and their penetration depth, by GJK with EPA.
#include "collision/narrow/closest.h"

namespace touchstone {

// For every pair of convex kinds (not half-spaces, not meshes). See ClosestRoutine.
template <int D>
bool gjk(const Placed<D>& a, const Placed<D>& b, double margin, PairMemory& memory, Closest<D>& out);

}  // namespace touchstone

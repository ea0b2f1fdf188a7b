#pragma once
// Closest features of two convex polyhedra by Voronoi regions, from a remembered pair.
#include "collision/narrow/closest.h"

namespace touchstone {

// See ClosestRoutine. For shapes whose core is a polytope.
bool vclip(const Placed<3>& a, const Placed<3>& b, double margin, PairMemory& memory, Closest<3>& out);

}  // namespace touchstone

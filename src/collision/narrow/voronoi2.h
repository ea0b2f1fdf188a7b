#pragma once
// Closest features of two convex polygons by Voronoi regions, from a remembered pair.
#include "collision/narrow/closest.h"

namespace touchstone {

// See ClosestRoutine. For shapes whose core is a polygon, a segment or a point.
bool voronoi2(const Placed<2>& a, const Placed<2>& b, double margin, PairMemory& memory, Closest<2>& out);

}  // namespace touchstone

#pragma once
// Convex hulls of point sets, by qhull. 3D faces are polygons (coplanar facets merged), counter-clockwise
// seen from outside; 2D vertices are in counter-clockwise order.
#include <vector>

#include "geometry/polytope.h"

namespace touchstone {

// Throws Error for fewer than D+1 points, NaN or infinite coordinates, and flat sets.
template <int D>
Polytope<D> convex_hull(const std::vector<Vec<D>>& points);

}  // namespace touchstone

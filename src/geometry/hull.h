#pragma once
// Convex hulls of point sets, by qhull. 3D faces are polygons (coplanar facets merged), counter-clockwise
// seen from outside; 2D vertices are in counter-clockwise order.
#include <cstdint>
#include <vector>

#include "math/types.h"

namespace touchstone {

template <int D>
struct ConvexHull {
  std::vector<Vec<D>> vertices;
  std::vector<std::vector<std::uint32_t>> faces;  // 3D only
};

// Throws Error for fewer than D+1 points, NaN or infinite coordinates, and flat sets.
template <int D>
ConvexHull<D> convex_hull(const std::vector<Vec<D>>& points);

}  // namespace touchstone

#pragma once
// Penetration depth of two convex cores by the expanding polytope algorithm; see epa2.cpp and epa3.cpp.
#include "collision/narrow/minkowski.h"

namespace touchstone {

// For cores that overlap or touch (up to rounding): the shortest way apart, its length and direction. Which points it
// is between, gjk.cpp finds by parting the cores.
template <int D>
CoreClosest<D> epa(const MinkowskiDifference<D>& m);

}  // namespace touchstone

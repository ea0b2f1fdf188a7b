#pragma once
// Direct routines for spheres and capsules: among each other, and against boxes. See ClosestRoutine.
#include "collision/narrow/closest.h"

namespace touchstone {

// Both are spheres or capsules.
template <int D>
bool round_round(const Placed<D>& a, const Placed<D>& b, double margin, PairMemory& memory, Closest<D>& out);

// A box against a sphere or a capsule, in this order.
bool box_round(const Placed<3>& box, const Placed<3>& round, double margin, PairMemory& memory, Closest<3>& out);

// Where on the segment p + t·d, t in [0, 1], it is nearest to the box of the given half lengths about the origin. Where
// a whole piece of it is equally near, the middle of that piece.
double nearest_on_segment_to_box(const Vec<3>& p, const Vec<3>& d, const Vec<3>& half);

}  // namespace touchstone

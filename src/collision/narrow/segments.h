#pragma once
// Spheres and capsules in 3D: a point or a segment with a radius, against each other and against a box.
#include "collision/narrow/narrow.h"

namespace touchstone {

void round_round(const Placed<3>& a, const Placed<3>& b, double margin, ContactPoints<3>& out);
void box_round(const Placed<3>& box, const Placed<3>& round, double margin, ContactPoints<3>& out);

// The point of the axis-aligned box |x_i| <= half_i that is nearest to the segment p + t·d, 0 <= t <= 1, and
// that t: the squared distance is convex and piecewise quadratic in t, its pieces end where the segment
// crosses a face's plane, so the minimum is found exactly.
double nearest_on_segment_to_box(const Vec<3>& p, const Vec<3>& d, const Vec<3>& half);

}  // namespace touchstone

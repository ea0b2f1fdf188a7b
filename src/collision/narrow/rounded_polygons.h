#pragma once
// All 2D pairs but those with a half-space or an ellipse: every shape is a convex polygon with a radius
// (circle: one vertex; capsule: two; box and convex: radius zero).
#include "collision/narrow/narrow.h"

namespace touchstone {

void rounded_polygons(const Placed<2>& a, const Placed<2>& b, double margin, ContactPoints<2>& out);

}  // namespace touchstone

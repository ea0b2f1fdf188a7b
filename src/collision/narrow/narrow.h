#pragma once
// Contact points of a pair of shapes, by a table over their kinds. Provisional: half-spaces against
// everything, and spheres, capsules and boxes among each other (2D: convex polygons too).
#include "collision/contact.h"
#include "collision/narrow/closest.h"

namespace touchstone {

// Whether this pair of kinds has a routine.
template <int D>
bool narrow_supports(ShapeKind a, ShapeKind b);

// Appends the contact points with gap <= margin. Deterministic; the order of the points is stable.
template <int D>
void collide(const Placed<D>& a, const Placed<D>& b, double margin, ContactPoints<D>& out);

}  // namespace touchstone

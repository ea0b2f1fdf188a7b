#pragma once
// A half-space against any convex shape: the shape's extreme points below the plane. Exact for every kind.
#include "collision/contact.h"
#include "collision/narrow/closest.h"

namespace touchstone {

// Appends the points with gap <= margin: all such corners of a hull, the corners of a box's lowest face.
template <int D>
void half_space_against(const Placed<D>& half_space, const Placed<D>& other, double margin, PairMemory& memory,
                        ContactPoints<D>& out);

// The lowest point over the plane alone. See ClosestRoutine.
template <int D>
bool half_space_closest(const Placed<D>& half_space, const Placed<D>& other, double margin, PairMemory& memory,
                        Closest<D>& out);

}  // namespace touchstone

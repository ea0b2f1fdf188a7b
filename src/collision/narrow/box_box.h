#pragma once
// Contact points of two boxes in space, the pair that piles and towers are made of.
#include "collision/contact.h"
#include "collision/narrow/closest.h"

namespace touchstone {

// Appends the points with gap <= margin. See manifold.h for their names.
void box_box(const Placed<3>& a, const Placed<3>& b, double margin, PairMemory& memory, ContactPoints<3>& out);

}  // namespace touchstone

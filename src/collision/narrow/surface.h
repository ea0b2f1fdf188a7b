#pragma once
// Contacts of surfaces made of pieces (meshes, height fields, chains) with convex shapes, half-spaces and each other.
#include "collision/contact.h"
#include "collision/narrow/closest.h"

namespace touchstone {

// Appends the points with gap <= margin, ordered by feature. A is the surface; B may be any shape.
template <int D>
void surface_against(const Placed<D>& surface, const Placed<D>& other, double margin, PairMemory& memory,
                     ContactPoints<D>& out);

// The distance of the surface itself; see ClosestRoutine. Unlike contacts it knows no neighbours: it is the least over
// all pieces. In surface_closest.cpp.
template <int D>
bool surface_closest(const Placed<D>& surface, const Placed<D>& other, double margin, PairMemory& memory,
                     Closest<D>& out);

}  // namespace touchstone

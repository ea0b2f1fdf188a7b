#pragma once
// Contact points of two boxes whose faces look at each other: what add_manifold says, by arithmetic of parallelograms.
#include "collision/contact.h"
#include "collision/narrow/closest.h"

namespace touchstone {

// Two boxes in A's frame: centre and axes of B, half edges of A and of B.
struct BoxPair {
  Vec<3> c;
  Mat<3> Q;
  const Vec<3>&h, &g;
};

// `normal`: unit, from A to B, in A's frame. Appends the corners with gap <= margin, in order of their features, and
// tells the least of their gaps (infinite if there is none). False, and nothing is appended, where a corner of one face
// lies too near to an edge of the other for arithmetic to tell which side it is on: add_manifold decides then.
bool add_box_manifold(const BoxPair& boxes, const Vec<3>& normal, const Placed<3>& a, double margin,
                      ContactPoints<3>& out, double& least);

}  // namespace touchstone

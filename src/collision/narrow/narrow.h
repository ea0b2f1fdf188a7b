#pragma once
// Which routine answers for which pair of shapes: one table, in narrow.cpp.
#include <span>

#include "collision/contact.h"
#include "collision/narrow/closest.h"

namespace touchstone {

// A routine that works for all pairs of some kinds of shapes, by name: what a scene can force, and what tests compare.
template <int D>
struct NarrowRoutine {
  NarrowPhaseKind phase;
  const char* name;
  const char* summary;
  ClosestRoutine<D> closest;
  bool curved;  // whether it takes ellipsoids and cylinders too
  bool supports(ShapeKind a, ShapeKind b) const;
};
template <int D>
std::span<const NarrowRoutine<D>> narrow_routines();

// Whether this pair of kinds has a routine.
template <int D>
bool narrow_supports(ShapeKind a, ShapeKind b);

// Appends the contact points with gap <= margin, ordered by feature. `phase` forces one routine where it takes the
// pair.
template <int D>
void collide(const Placed<D>& a, const Placed<D>& b, double margin, NarrowPhaseKind phase, PairMemory& memory,
             ContactPoints<D>& out);

// Where the two shapes are nearest to, or deepest in, each other, for any pair that is supported. False if the gap is
// larger than `margin`.
template <int D>
bool closest_of(const Placed<D>& a, const Placed<D>& b, double margin, PairMemory& memory, Closest<D>& out);

}  // namespace touchstone

#pragma once
// The judge of a pair: brute force over directions, with support functions written for this purpose alone. For every
// unit vector n from A to B the separation along it is at most the gap, and the best one is the gap itself; the
// distance of any point of A from any point of B is at least the gap.
#include "peers/pairs.h"

namespace touchstone::testing {

// How far apart the extents are along n (unit, from A to B).
template <int D>
double separation(const PairCase<D>& pair, const Vec<D>& n);

// How far outside the shape a point of its own frame is; at most 0 inside. To first order for ellipsoids.
template <int D>
double outside_by(const Shape<D>& shape, const Vec<D>& x);

// The best separation that a sweep finds: axes and faces of both, the line of centres, directions all around, all pairs
// of edges if `edges` is set (then it is exact for overlapping polytopes), and a refinement around the best and `hint`.
template <int D>
struct Sweep {
  double gap;
  Vec<D> normal;
};
template <int D>
Sweep<D> sweep(const PairCase<D>& pair, const Vec<D>& hint, bool edges);

}  // namespace touchstone::testing

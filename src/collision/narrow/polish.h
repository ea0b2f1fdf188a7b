#pragma once
// The exact normal of two cores of which at least one is curved, from a normal that is nearly right.
#include "collision/narrow/minkowski.h"

namespace touchstone {

template <int D>
struct Polished {
  Vec<D> normal;
  double separation = 0;  // n·w along the normal
  // Whether a pair of points proves the normal: they lie on both surfaces and are apart by the separation along it.
  bool exact = false;
  Vec<D> on_a, on_b;  // those points, if exact
};

// `n`: unit, in A's frame, from A to B. The answer's separation is at least that along n.
template <int D>
Polished<D> polish(const MinkowskiDifference<D>& m, const Vec<D>& n);

// Takes it for the answer; the points only if it is exact.
template <int D>
void take_polished(const Polished<D>& polished, CoreClosest<D>& out) {
  out.normal = polished.normal;
  out.distance = polished.separation;
  out.exact = polished.exact;
  if (!polished.exact) return;
  out.on_a = polished.on_a;
  out.on_b = polished.on_b;
}

}  // namespace touchstone

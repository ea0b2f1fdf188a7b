#pragma once
// Tests of bounds without branches: which way they go cannot be foretold, and a wrong guess costs more than the test.
#include "geometry/shape.h"

namespace touchstone {

// The same as a.overlaps(b).
template <int D>
bool meet(const Bounds<D>& a, const Bounds<D>& b) {
  bool all = true;
  for (int i = 0; i < D; ++i) all = static_cast<bool>(all & (a.lower[i] <= b.upper[i]) & (b.lower[i] <= a.upper[i]));
  return all;
}

template <int D>
bool holds(const Bounds<D>& outer, const Bounds<D>& inner) {
  bool all = true;
  for (int i = 0; i < D; ++i)
    all = static_cast<bool>(all & (outer.lower[i] <= inner.lower[i]) & (inner.upper[i] <= outer.upper[i]));
  return all;
}

}  // namespace touchstone

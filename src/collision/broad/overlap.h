#pragma once
// Tests of bounds without branches: which way they go cannot be foretold, and a wrong guess costs more than the test.
#include "geometry/shape.h"

namespace touchstone {

// The same as a.overlaps(b).
template <int D>
bool meet(const Bounds<D>& a, const Bounds<D>& b) {
  int all = 1;
  for (int i = 0; i < D; ++i)
    all &= static_cast<int>(a.lower[i] <= b.upper[i]) & static_cast<int>(b.lower[i] <= a.upper[i]);
  return all != 0;
}

template <int D>
bool holds(const Bounds<D>& outer, const Bounds<D>& inner) {
  int all = 1;
  for (int i = 0; i < D; ++i)
    all &= static_cast<int>(outer.lower[i] <= inner.lower[i]) & static_cast<int>(inner.upper[i] <= outer.upper[i]);
  return all != 0;
}

}  // namespace touchstone

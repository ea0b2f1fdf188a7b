#pragma once
// Tests of bounds without branches: which way they go cannot be foretold, and a wrong guess costs more than the test.
#include <limits>

#include "geometry/shape.h"

namespace touchstone {

// Bounds in single precision, for lists of candidates: never smaller than those that they are made of.
template <int D>
struct NarrowBounds {
  SingleVec<D> lower, upper;
};

template <int D>
NarrowBounds<D> widened_bounds(const Bounds<D>& b) {
  // More than conversion rounds by, whatever way it goes, and more than nothing.
  constexpr float kPart = 1.2e-7f, kLeast = 1e-37f;
  const double most = std::numeric_limits<float>::max();  // beyond it, neither end is infinite on the wrong side
  const SingleVec<D> lower = b.lower.cwiseMin(most).template cast<float>(),
                     upper = b.upper.cwiseMax(-most).template cast<float>();
  return {lower.array() - (kPart * lower.array().abs() + kLeast),
          upper.array() + (kPart * upper.array().abs() + kLeast)};
}

// Both are bounds of either kind.
template <class A, class B>
bool meet(const A& a, const B& b) {
  int all = 1;
  for (int i = 0; i < static_cast<int>(a.lower.size()); ++i)
    all &= static_cast<int>(a.lower[i] <= b.upper[i]) & static_cast<int>(b.lower[i] <= a.upper[i]);
  return all != 0;
}

template <class A, class B>
bool holds(const A& outer, const B& inner) {
  int all = 1;
  for (int i = 0; i < static_cast<int>(outer.lower.size()); ++i)
    all &= static_cast<int>(outer.lower[i] <= inner.lower[i]) & static_cast<int>(inner.upper[i] <= outer.upper[i]);
  return all != 0;
}

}  // namespace touchstone

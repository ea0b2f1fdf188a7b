#pragma once
// Separating axes: face normals, and in 3D the common perpendiculars of an edge of each. Complete for penetration; for
// polytopes that are apart the greatest separation is a lower bound of the distance, made exact by the features.
#include <limits>

#include "collision/narrow/core_pair.h"

namespace touchstone {

namespace axes {

// Relative to the size of the pair: how much better a later axis must be to be preferred, and how deep a vertex lies
// that counts as being as deep as the deepest. Both are above rounding.
inline constexpr double kTie = 1e-12, kDeepest = 1e-11;

}  // namespace axes

template <int D>
struct SeparatingAxis {
  enum class Kind : std::uint8_t { kFaceA, kFaceB, kEdges };
  double separation = -std::numeric_limits<double>::infinity();  // of the cores: radii are not subtracted [m]
  Vec<D> normal = Vec<D>::Zero();                                // unit, from A to B
  Kind kind = Kind::kFaceA;
  std::uint32_t a = 0, b = 0;  // the face, in the member of its side; or the edges
};

// The axis along which the cores are farthest apart. World axes.
template <int D>
SeparatingAxis<D> greatest_separation(const Placed<D>& a, const Placed<D>& b);
// The same in A's axes; stops at the first axis that separates by more than `enough`.
template <int D>
SeparatingAxis<D> greatest_separation(const CorePair<D>& pair, double enough = std::numeric_limits<double>::infinity());

template <>
SeparatingAxis<2> greatest_separation(const CorePair<2>& pair, double enough);
template <>
SeparatingAxis<3> greatest_separation(const CorePair<3>& pair, double enough);

// A pair of points of the axis' features that are as far apart as the separation, in the middle of where such points
// are. False if there is none: then other features are nearer to each other, and the points are only roughly right.
template <int D>
bool axis_points(const CorePair<D>& pair, const SeparatingAxis<D>& axis, double size, CoreAnswer<D>& out);

template <>
bool axis_points(const CorePair<2>& pair, const SeparatingAxis<2>& axis, double size, CoreAnswer<2>& out);
template <>
bool axis_points(const CorePair<3>& pair, const SeparatingAxis<3>& axis, double size, CoreAnswer<3>& out);

// Distance or penetration depth from the greatest separation: exact, with the help of all features if need be.
template <int D>
CoreAnswer<D> answer_from_axis(const CorePair<D>& pair, const SeparatingAxis<D>& axis);

// See ClosestRoutine. Remembers nothing.
template <int D>
bool sat(const Placed<D>& a, const Placed<D>& b, double margin, PairMemory& memory, Closest<D>& out);

}  // namespace touchstone

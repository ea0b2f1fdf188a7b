#pragma once
// What every narrow phase answers about a pair of shapes, before contact points are made of it.
#include <array>
#include <cstdint>

#include "base/archive.h"
#include "geometry/shape.h"

namespace touchstone {

// A shape at its place in the world.
template <int D>
struct Placed {
  const Shape<D>& shape;
  Vec<D> p;
  Mat<D> R;
};

// Where two convex shapes are nearest to each other, or deepest in each other.
template <int D>
struct Closest {
  double gap = 0;                  // distance, or minus the penetration depth: the shortest way apart [m]
  Vec<D> normal = Vec<D>::Zero();  // unit, from A to B: moving B by −gap along it makes them touch
  Vec<D> on_a = Vec<D>::Zero();    // a pair of points of the surfaces that are that far apart
  Vec<D> on_b = Vec<D>::Zero();
  int iterations = 0;
  bool converged = true;  // false: an iteration cap was met; gap is the best separation along `normal` that was found
};

// What a routine keeps about a pair from one step to the next. It decides how fast the answer is found, and, where two
// answers are equally good, which one: so it belongs to the state of a world.
struct PairMemory {
  enum class Kind : std::uint8_t { kNone, kDirection, kSimplex, kFeatures, kPlane };
  Kind kind = Kind::kNone;
  std::uint8_t count = 0;                 // vertices of the simplex
  std::array<std::uint16_t, 4> a{}, b{};  // vertices of the simplex, or features, or the plane's face and edges
  std::array<float, 3> direction{};       // that separated the shapes, world axes, from A to B
  void serialize(Archive& ar) { ar(kind), ar(count), ar(a), ar(b), ar(direction); }
};

// The answer if the gap is at most `margin`; false if it is larger. A routine may stop early once it knows that.
template <int D>
using ClosestRoutine = bool (*)(const Placed<D>& a, const Placed<D>& b, double margin, PairMemory& memory,
                                Closest<D>& out);

}  // namespace touchstone

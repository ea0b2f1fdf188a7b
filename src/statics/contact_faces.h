#pragma once
// All contact points of two convex polytopes that touch: every corner of the common face, without the slack and the
// reduction that detection has for simulation.
#include "collision/narrow/closest.h"

namespace touchstone::statics {

template <int D>
struct TouchPoints {
  enum class Kind : std::uint8_t {
    kApart,   // farther than the tolerance
    kTouch,   // `points` and `normal`
    kDeep,    // deeper than the tolerance
    kCorner,  // a corner on a corner, an edge on an edge: no direction is the contact's own
  };
  Kind kind = Kind::kApart;
  double gap = 0;  // of the closest points [m]
  Vec<D> normal = Vec<D>::Zero();
  std::vector<Vec<D>> points;
};

// `tolerance` [m]: how far from touching, either way, still counts as touching.
template <int D>
TouchPoints<D> touch_points(const Placed<D>& a, const Placed<D>& b, double gap_margin, double tolerance,
                            NarrowPhaseKind narrow);

}  // namespace touchstone::statics

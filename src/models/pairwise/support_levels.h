#pragma once
// Which body lies on which: the contact graph of shock propagation.
#include <span>
#include <vector>

#include "models/pairwise/collision_point.h"

namespace touchstone {

// The points of two colliders, next to each other in the list of points.
struct PointPair {
  std::uint32_t first = 0, count = 0;
  std::uint32_t level = 0;              // of the lower body; kNoLevel if neither hangs on what does not move
  bool moves_a = true, moves_b = true;  // in shock propagation: what lies below does not
};
inline constexpr std::uint32_t kNoLevel = 0xffffffff;

template <int D>
class SupportLevels {
 public:
  // Sets level and moves_* of the pairs, and gives them in the order of their levels (those without one come last).
  // `up` is a unit vector against gravity, or zero: then nothing lies on anything.
  std::span<const std::uint32_t> sort(std::span<const CollisionPoint<D>> points, const Bodies<D>& bodies,
                                      const Vec<D>& up, std::span<PointPair> pairs);

 private:
  void climb(const Bodies<D>& bodies);

  std::vector<std::uint32_t> level_, first_, above_, front_, next_;  // by body; what lies on each
  std::vector<std::uint32_t> order_;
};

}  // namespace touchstone

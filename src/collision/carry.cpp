// Purpose: contact points of pairs that hardly move, without a search. Points keep their places on both surfaces and
//   their normal in A's frame; the gap is measured between those places.
// Letters: r, Q the pose of the smaller shape in the larger one's frame; a point x of it is at r + Q·x.
// Deviations: none; the gap is exact to first order in the motion, and the error of the place is at most the motion.
// Fails: a corner of an overlap that comes or goes within the tolerance comes or goes late.
#include "collision/carry.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace touchstone {

template <int D>
void CarriedPoints<D>::clear() {
  pairs.clear();
  anchors.clear();
}

template <int D>
void CarriedPoints<D>::prepare(std::size_t pair_count, double search_tolerance) {
  if (tolerance != search_tolerance || pairs.size() != pair_count) clear();
  tolerance = search_tolerance;
  pairs.resize(pair_count);
}

template <int D>
void CarriedPoints<D>::Pair::note(const Placed<D>& a, const Placed<D>& b) {
  const bool b_is_smaller = reach_of(b.shape) <= reach_of(a.shape);
  const Placed<D>&large = b_is_smaller ? a : b, &small = b_is_smaller ? b : a;
  r = large.R.transpose() * (small.p - large.p);
  Q = large.R.transpose() * small.R;
  known = true;
}

template <int D>
bool CarriedPoints<D>::still_holds(Pair& pair, const Placed<D>& a, const Placed<D>& b, double margin) const {
  Pair now;
  now.note(a, b);
  // The difference of two rotations stretches vectors by at most its Frobenius norm over √2.
  const double turned = (now.Q - pair.Q).norm() * (std::numbers::sqrt2 / 2);
  const double reach = std::min(reach_of(a.shape), reach_of(b.shape));
  if (pair.known && margin + tolerance <= pair.margin && (now.r - pair.r).norm() + turned * reach <= tolerance)
    return true;
  pair.r = now.r;
  pair.Q = now.Q;
  pair.known = true;
  return false;
}

template <int D>
void CarriedPoints<D>::serialize(Archive& ar) {
  ar(tolerance), ar(pairs), ar(anchors);
  if (ar.saving()) return;
  for (const Pair& pair : pairs)
    if (pair.first > anchors.size() || pair.count > anchors.size() - pair.first)
      throw Error(ErrorKind::kBadInput, "snapshot is damaged: contact points of a pair are missing");
}

template <int D>
void place_points(std::span<const Anchor<D>> anchors, const Placed<D>& a, const Placed<D>& b, ContactPoints<D>& out) {
  for (const Anchor<D>& anchor : anchors) {
    const Vec<D> on_a = a.p + a.R * anchor.on_a, on_b = b.p + b.R * anchor.on_b, normal = a.R * anchor.normal;
    out.push_back({0.5 * (on_a + on_b), normal, normal.dot(on_b - on_a), anchor.feature});
  }
}

template <int D>
void add_anchors(const ContactPoints<D>& points, const Placed<D>& a, const Placed<D>& b, std::vector<Anchor<D>>& out) {
  for (const ContactPoint<D>& point : points) {
    const Vec<D> half = 0.5 * point.gap * point.normal;
    out.push_back({a.R.transpose() * (point.point - half - a.p), b.R.transpose() * (point.point + half - b.p),
                   a.R.transpose() * point.normal, point.feature});
  }
}

#define TOUCHSTONE_INSTANTIATE(D)                                                                                \
  template struct CarriedPoints<D>;                                                                              \
  template void place_points(std::span<const Anchor<D>>, const Placed<D>&, const Placed<D>&, ContactPoints<D>&); \
  template void add_anchors(const ContactPoints<D>&, const Placed<D>&, const Placed<D>&, std::vector<Anchor<D>>&);
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone

// Purpose: contact points of pairs that hardly move, without a search. Points keep their places on both surfaces and
//   their normal in A's frame; the gap is measured between those places.
// Precision: place, normal and Q are kept in single precision, which moves points by 1e-7 of the smaller shape's size.
//   The gap is kept by itself: it is right to 1e-7 of itself, and of how far the shapes have moved since.
// Letters: r, Q the pose of the smaller shape in the larger one's frame; a point x of it is at r + Q·x.
// Deviations: none; the gap is exact to first order in the motion, and the error of the place is at most the motion.
// Fails: a corner of an overlap that comes or goes within the tolerance comes or goes late.
#include "collision/carry.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace touchstone {

namespace {

template <int D>
bool smaller_is_b(const Placed<D>& a, const Placed<D>& b) {
  return reach_of(b.shape) <= reach_of(a.shape);
}

}  // namespace

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
  const bool b_is_smaller = smaller_is_b(a, b);
  const Placed<D>&large = b_is_smaller ? a : b, &small = b_is_smaller ? b : a;
  r = large.R.transpose() * (small.p - large.p);
  Q = (large.R.transpose() * small.R).template cast<float>();
  known = 1;
}

template <int D>
bool CarriedPoints<D>::still_holds(Pair& pair, const Placed<D>& a, const Placed<D>& b, double margin) const {
  Pair now;
  now.note(a, b);
  // The difference of two rotations stretches vectors by at most its Frobenius norm over √2.
  const double turned = static_cast<double>((now.Q - pair.Q).norm()) * (std::numbers::sqrt2 / 2);
  const double reach = std::min(reach_of(a.shape), reach_of(b.shape));
  if (pair.known && margin + tolerance <= static_cast<double>(pair.margin) &&
      (now.r - pair.r).norm() + turned * reach <= tolerance)
    return true;
  pair.r = now.r;
  pair.Q = now.Q;
  pair.known = 1;
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
void place_points(std::span<const Anchor<D>> anchors, const typename CarriedPoints<D>::Pair& pair, const Placed<D>& a,
                  const Placed<D>& b, ContactPoints<D>& out) {
  const bool b_is_smaller = smaller_is_b(a, b);
  const Placed<D>&large = b_is_smaller ? a : b, &small = b_is_smaller ? b : a;
  const Mat<D> Q = pair.Q.template cast<double>();
  for (const Anchor<D>& anchor : anchors) {
    const double gap = static_cast<double>(anchor.gap);
    const Vec<D> place = anchor.place.template cast<double>(), n = anchor.normal.template cast<double>().normalized();
    // Where the larger shape's point was when they were searched for, which is where it is in its frame.
    const Vec<D> there = pair.r + Q * place;
    const Vec<D> opposite = b_is_smaller ? Vec<D>(there - gap * n) : Vec<D>(there + gap * (Q * n));
    const Vec<D> on_small = small.p + small.R * place, on_large = large.p + large.R * opposite, normal = a.R * n;
    const Vec<D> apart = b_is_smaller ? Vec<D>(on_small - on_large) : Vec<D>(on_large - on_small);
    out.push_back({0.5 * (on_small + on_large), normal, normal.dot(apart), anchor.feature});
  }
}

template <int D>
void add_anchors(const ContactPoints<D>& points, const typename CarriedPoints<D>::Pair& pair, const Placed<D>& a,
                 const Placed<D>& b, std::vector<Anchor<D>>& out) {
  const bool b_is_smaller = smaller_is_b(a, b);
  const Placed<D>&large = b_is_smaller ? a : b, &small = b_is_smaller ? b : a;
  const Mat<D> Q = pair.Q.template cast<double>();
  for (const ContactPoint<D>& point : points) {
    const Vec<D> half = (b_is_smaller ? 0.5 : -0.5) * point.gap * point.normal;
    const SingleVec<D> place = (small.R.transpose() * (point.point + half - small.p)).template cast<float>(),
                       normal = (a.R.transpose() * point.normal).template cast<float>();
    // What rounding Q moves the point by along the normal is taken out of the gap: place_points() puts it back.
    const Vec<D> rounded = place.template cast<double>();
    const Vec<D> beside = small.p + small.R * rounded - (large.p + large.R * (pair.r + Q * rounded));
    const double gap = point.gap - (b_is_smaller ? 1 : -1) * point.normal.dot(beside);
    out.push_back({place, normal, static_cast<float>(gap), point.feature});
  }
}

#define TOUCHSTONE_INSTANTIATE(D)                                                                                  \
  template struct CarriedPoints<D>;                                                                                \
  template void place_points(std::span<const Anchor<D>>, const typename CarriedPoints<D>::Pair&, const Placed<D>&, \
                             const Placed<D>&, ContactPoints<D>&);                                                 \
  template void add_anchors(const ContactPoints<D>&, const typename CarriedPoints<D>::Pair&, const Placed<D>&,     \
                            const Placed<D>&, std::vector<Anchor<D>>&);
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone

// Purpose: distance and penetration depth of two polytopes with radii from their separating axes. Where the axes alone
// underestimate a distance, the nearest features are looked for among all.
// Source: [yang2020] separating axes in 2D and 3D; the search itself is in sat2.cpp and sat3.cpp.
// Letters: n axis from A to B, L size of the pair.
// Deviations: 1. Polytopes without volume (points, segments, polygons in space) need axes within their own plane when
//   both lie in it; there the distance of the features decides.
// Fails: never; slow for many edges.
#include "collision/narrow/sat.h"

#include "collision/narrow/exhaustive.h"

namespace touchstone {
namespace {

// Relative to the size of the pair. Two flat cores whose depth is below kFlatDepth may lie in one plane and be apart in
// it: rounding tilts them by 1e-16, and hulls are planar to about 1e-13. Penetrating by δ, features are at most δ
// apart.
constexpr double kFlatDepth = 1e-10;
constexpr double kTouching = 1e-12;

// The difference of two points that nearly coincide is noise, and a vertex that should lie in the plane across it, or
// behind, reaches over it by that noise times its distance: the direction, turned until such vertices are level.
template <int D>
Vec<D> levelled(const CorePair<D>& pair, const ClosestFeatures<D>& nearest) {
  Vec<D> n = nearest.normal, best = n, level[D - 1];
  double most = pair.separation(n), along;
  for (int count = 0; count < D - 1; ++count) {
    const Vec<D> over_a = pair.a.vertex(pair.a.farthest(n, along)) - nearest.on_a,
                 over_b = pair.b.vertex(pair.b.farthest(Vec<D>(-n), along)) - nearest.on_b;
    Vec<D> d = n.dot(over_a) >= -n.dot(over_b) ? over_a : over_b;
    if (!(std::abs(n.dot(d)) > 0)) break;
    for (int i = 0; i < count; ++i) d -= level[i] * level[i].dot(d);
    if (!(d.norm() > 0)) break;
    level[count] = d.normalized();
    n = nearest.normal;
    for (int twice = 0; twice < 2; ++twice)
      for (int i = 0; i <= count; ++i) n -= level[i] * level[i].dot(n);
    if (!(n.norm() > 0.5)) break;  // far from where it was: no noise
    n.normalize();
    if (const double now = pair.separation(n); now > most) most = now, best = n;
  }
  return best;
}

// Of the direction between the points and the axis, the one that separates better. Far apart it is the direction unless
// the axis gains more than rounding.
template <int D>
CoreAnswer<D> from_features(const CorePair<D>& pair, const SeparatingAxis<D>& axis, const ClosestFeatures<D>& nearest) {
  const double size = pair.size();
  const bool far = nearest.distance > 1e-6 * size;
  if (!(nearest.distance > 0)) return {nearest.distance, axis.normal, nearest.on_a, nearest.on_b};
  const Vec<D> direction = far ? nearest.normal : levelled(pair, nearest);
  const bool use_axis = pair.separation(direction) < axis.separation - (far ? kTouching * size : 0.0);
  return {nearest.distance, use_axis ? axis.normal : direction, nearest.on_a, nearest.on_b};
}

// Moved apart by their depth, the cores touch: there. For an axis that is the best up to a tie only, so that the points
// of its own features do not face each other.
template <int D>
CoreAnswer<D> where_they_part(CorePair<D> pair, const SeparatingAxis<D>& axis) {
  const Vec<D> way = axis.separation * axis.normal;
  pair.b.p -= way;
  const ClosestFeatures<D> touch = closest_features_exhaustive(pair);
  return {axis.separation, axis.normal, touch.on_a, touch.on_b + way};
}

}  // namespace

template <int D>
CoreAnswer<D> answer_from_axis(const CorePair<D>& pair, const SeparatingAxis<D>& axis) {
  const double size = pair.size();
  if (pair.a.flat() && pair.b.flat() && axis.separation > -kFlatDepth * size) {
    const ClosestFeatures<D> nearest = closest_features_exhaustive(pair);
    if (nearest.distance > 2 * std::max(0.0, -axis.separation) + kTouching * size)
      return from_features(pair, axis, nearest);
    return {std::min(axis.separation, nearest.distance), axis.normal, nearest.on_a, nearest.on_b};
  }
  CoreAnswer<D> out;
  out.normal = axis.normal;
  out.gap = axis.separation;
  if (axis_points(pair, axis, size, out)) return out;
  if (axis.separation > 0) return from_features(pair, axis, closest_features_exhaustive(pair));
  return where_they_part(pair, axis);
}

template <int D>
SeparatingAxis<D> greatest_separation(const Placed<D>& a, const Placed<D>& b) {
  SeparatingAxis<D> axis = greatest_separation(CorePair<D>(a, b));
  axis.normal = a.R * axis.normal;
  return axis;
}

template <int D>
bool sat(const Placed<D>& a, const Placed<D>& b, double margin, PairMemory&, Closest<D>& out) {
  const CorePair<D> pair(a, b);
  const double enough = margin + pair.radii();
  const SeparatingAxis<D> axis = greatest_separation(pair, enough);
  out.iterations = 1;
  out.converged = true;
  if (axis.separation > enough) return false;
  return finish(a, pair, answer_from_axis(pair, axis), margin, out);
}

template SeparatingAxis<2> greatest_separation(const Placed<2>&, const Placed<2>&);
template SeparatingAxis<3> greatest_separation(const Placed<3>&, const Placed<3>&);
template CoreAnswer<2> answer_from_axis(const CorePair<2>&, const SeparatingAxis<2>&);
template CoreAnswer<3> answer_from_axis(const CorePair<3>&, const SeparatingAxis<3>&);
template bool sat(const Placed<2>&, const Placed<2>&, double, PairMemory&, Closest<2>&);
template bool sat(const Placed<3>&, const Placed<3>&, double, PairMemory&, Closest<3>&);

}  // namespace touchstone

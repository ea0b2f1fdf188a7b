#pragma once
// Two polytope cores in A's frame, relative to A's centre: so that nothing is lost to the world's origin being far
// away, and A's vertices need no work at all. B's vertices are moved one by one, when they are asked for.
#include <algorithm>
#include <cmath>

#include "collision/narrow/core.h"

namespace touchstone {

template <int D>
struct PlacedCore {
  Core<D> core;
  Vec<D> p;
  Mat<D> R;
  bool moved;    // false: p = 0 and R = 1
  double reach;  // of the core, from its frame's origin

  const Polytope<D>& polytope() const { return *core.polytope; }
  std::size_t vertex_count() const { return core.polytope->vertices.size(); }
  Vec<D> vertex(std::size_t i) const {
    const Vec<D> x = core.vertex(i);
    return moved ? Vec<D>(p + R * x) : x;
  }
  Vec<D> normal(std::size_t f) const {
    return moved ? Vec<D>(R * core.polytope->normals[f]) : core.polytope->normals[f];
  }
  // The vertex farthest along n, and how far: n·x. Of equals the one with the lowest index.
  std::size_t farthest(const Vec<D>& n, double& along) const {
    const Vec<D> local = core.scale.cwiseProduct(moved ? Vec<D>(R.transpose() * n) : n);
    const auto& vertices = core.polytope->vertices;
    std::size_t best = 0;
    double most = vertices[0].dot(local);
    for (std::size_t i = 1; i < vertices.size(); ++i)
      if (const double h = vertices[i].dot(local); h > most) most = h, best = i;
    along = moved ? most + n.dot(p) : most;
    return best;
  }
  double extent(const Vec<D>& n) const {
    double along;
    farthest(n, along);
    return along;
  }
  // A direction, and a point, in the core's own frame.
  Vec<D> local_direction(const Vec<D>& d) const { return moved ? Vec<D>(R.transpose() * d) : d; }
  Vec<D> local_point(const Vec<D>& x) const { return moved ? Vec<D>(R.transpose() * (x - p)) : x; }
  // Whether it has no volume (2D: no area): a point, a segment, a polygon in space.
  bool flat() const {
    if constexpr (D == 2)
      return vertex_count() <= 2;
    else
      return core.polytope->face_count() <= 2;
  }
};

template <int D>
struct CorePair {
  PlacedCore<D> a, b;
  CorePair(const Placed<D>& placed_a, const Placed<D>& placed_b)
      : a{core_of(placed_a.shape), Vec<D>::Zero(), Mat<D>::Identity(), false, 0},
        b{core_of(placed_b.shape), placed_a.R.transpose() * (placed_b.p - placed_a.p),
          placed_a.R.transpose() * placed_b.R, true, 0} {
    a.reach = reach_of(placed_a.shape) - a.core.radius;
    b.reach = reach_of(placed_b.shape) - b.core.radius;
  }

  double radii() const { return a.core.radius + b.core.radius; }
  // How far apart the cores are along a unit vector; never more than their distance.
  double separation(const Vec<D>& n) const { return -b.extent(Vec<D>(-n)) - a.extent(n); }
  // Of the pair [m]: what tolerances are relative to.
  double size() const { return a.reach + b.reach + b.p.norm(); }
};

// What is known about two cores, in A's frame.
template <int D>
struct CoreAnswer {
  double gap = 0;  // of the cores
  Vec<D> normal = Vec<D>::Zero();
  Vec<D> on_a = Vec<D>::Zero(), on_b = Vec<D>::Zero();
};

// The answer about the shapes, in the world; false if they are farther apart than the margin.
template <int D>
bool finish(const Placed<D>& a, const CorePair<D>& pair, const CoreAnswer<D>& cores, double margin, Closest<D>& out) {
  out.gap = cores.gap - pair.radii();
  if (out.gap > margin) return false;
  out.normal = a.R * cores.normal;
  out.on_a = a.p + a.R * Vec<D>(cores.on_a + pair.a.core.radius * cores.normal);
  out.on_b = a.p + a.R * Vec<D>(cores.on_b - pair.b.core.radius * cores.normal);
  return true;
}

// Parameters in [0, 1] of the points of two segments that are nearest to each other; of several pairs (parallel
// segments) one with an end in it.
struct SegmentParameters {
  double s, t;
};

namespace detail {
inline double cross_of(const Vec<2>& a, const Vec<2>& b) { return a[0] * b[1] - a[1] * b[0]; }
inline Vec<3> cross_of(const Vec<3>& a, const Vec<3>& b) { return cross(a, b); }
inline double dot_of(double a, double b) { return a * b; }
inline double dot_of(const Vec<3>& a, const Vec<3>& b) { return a.dot(b); }
}  // namespace detail

template <int D>
SegmentParameters closest_on_segments(const Vec<D>& a0, const Vec<D>& a1, const Vec<D>& b0, const Vec<D>& b1) {
  using Cross = std::conditional_t<D == 2, double, Vec<3>>;
  const Vec<D> u = a1 - a0, v = b1 - b0, r = b0 - a0;
  const double u2 = u.squaredNorm(), v2 = v.squaredNorm();
  if (u2 > 0 && v2 > 0) {
    const double length_u = std::sqrt(u2), length_v = std::sqrt(v2);
    const Vec<D> eu = u / length_u, ev = v / length_v;
    // The difference of nearly parallel unit vectors is exact, so that their cross product is too.
    const Vec<D> across = eu.dot(ev) < 0 ? Vec<D>(ev + eu) : Vec<D>(ev - eu);
    const Cross c = detail::cross_of(eu, across);
    const double c2 = detail::dot_of(c, c);
    constexpr double kParallel2 = 1e-26;  // square of an angle [rad]: below it the crossing is noise
    if (c2 > kParallel2) {
      // The nearest points of the lines, then clamped one after the other. Comparing distances instead would leave the
      // direction between the points undecided by the root of the rounding error.
      const auto unit = [](double x) { return std::clamp(x, 0.0, 1.0); };
      double s = unit(detail::dot_of(detail::cross_of(r, ev), c) / (c2 * length_u));
      double t = detail::dot_of(detail::cross_of(r, eu), c) / (c2 * length_v);
      if (s > 0 && s < 1 && t > 0 && t < 1) return {s, t};
      t = (s * u - r).dot(v) / v2;
      if (t > 0 && t < 1) return {s, t};
      t = unit(t);
      s = unit((r + t * v).dot(u) / u2);
      return {s, t};
    }
  }
  const auto clamp = [](double x, double length2) { return length2 > 0 ? std::clamp(x / length2, 0.0, 1.0) : 0.0; };
  const SegmentParameters ends[4] = {{clamp(r.dot(u), u2), 0},
                                     {clamp((b1 - a0).dot(u), u2), 1},
                                     {0, clamp(-r.dot(v), v2)},
                                     {1, clamp((a1 - b0).dot(v), v2)}};
  SegmentParameters best = ends[0];
  double least = (r - best.s * u).squaredNorm();
  for (int k = 1; k < 4; ++k) {
    const double d2 = (r + ends[k].t * v - ends[k].s * u).squaredNorm();
    if (d2 < least) least = d2, best = ends[k];
  }
  return best;
}

}  // namespace touchstone

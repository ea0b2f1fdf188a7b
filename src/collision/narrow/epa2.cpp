// Purpose: penetration depth of two convex cores in the plane. An inner polygon of their Minkowski difference grows at
//   the edge nearest to the origin until that edge lies on its border.
// Source: G. van den Bergen, Proximity queries and penetration depth computation on 3D game objects, GDC 2001.
// Deviations: (1) it starts from a wide triangle of support points that need not hold the origin: distances are signed,
//   and an edge that has the origin outside is the first to grow.
// Fails: never; a difference without area gives depth zero across it.
#include <algorithm>
#include <cmath>

#include "collision/narrow/epa.h"
#include "collision/narrow/polish.h"
#include "collision/narrow/refine.h"

namespace touchstone {
namespace {

constexpr int kMaxIterations = 128;
constexpr double kPolytopeTolerance = 1e-14, kCurvedTolerance = 2e-7;  // of L
constexpr double kFlat = 1e-15;                                        // of L: no area below this width

struct Edge {
  Vec<2> normal = Vec<2>::Zero();
  double distance = 0;
};

Edge edge_between(const Vec<2>& from, const Vec<2>& to) {
  const Vec<2> e = to - from;
  const double length = e.norm();
  if (!(length > 0)) return {Vec<2>::Zero(), std::numeric_limits<double>::infinity()};
  const Vec<2> n = Vec<2>(e[1], -e[0]) / length;
  return {n, n.dot(from)};
}

struct Polygon {
  MinkowskiVertex<2> vertex[kMaxIterations + 3];
  Edge edge[kMaxIterations + 3];  // from vertex i to the next
  int count = 0;
  int next(int i) const { return i + 1 == count ? 0 : i + 1; }
  void update(int i) { edge[i] = edge_between(vertex[i].w, vertex[next(i)].w); }
  void insert_after(int i, const MinkowskiVertex<2>& w) {
    for (int k = count; k > i + 1; --k) vertex[k] = vertex[k - 1], edge[k] = edge[k - 1];
    vertex[i + 1] = w;
    ++count;
    update(i);
    update(i + 1);
  }
};

CoreClosest<2> flat(const MinkowskiDifference<2>& m, const MinkowskiVertex<2>& p, const MinkowskiVertex<2>& q) {
  CoreClosest<2> out;
  const Vec<2> e = q.w - p.w;
  out.normal = e.norm() > 0 ? Vec<2>(Vec<2>(e[1], -e[0]).normalized()) : Vec<2>(Vec<2>::Unit(0));
  if (out.normal.dot(m.offset()) < 0) out.normal = -out.normal;
  out.distance = out.normal.dot(p.w);
  return out;
}

}  // namespace

template <>
CoreClosest<2> epa<2>(const MinkowskiDifference<2>& m) {
  const double L = m.size(), tolerance = (m.curved() ? kCurvedTolerance : kPolytopeTolerance) * L;
  MinkowskiVertex<2> p = m.support(Vec<2>(1, 0)), q = m.support(Vec<2>(-1, 0));
  const MinkowskiVertex<2> top = m.support(Vec<2>(0, 1)), bottom = m.support(Vec<2>(0, -1));
  if ((top.w - bottom.w).squaredNorm() > (p.w - q.w).squaredNorm()) p = top, q = bottom;
  const Edge across = edge_between(p.w, q.w);
  if (!std::isfinite(across.distance)) return flat(m, p, q);
  const MinkowskiVertex<2> left = m.support(Vec<2>(-across.normal)), right = m.support(across.normal);
  const double below = across.distance - across.normal.dot(left.w),
               above = across.normal.dot(right.w) - across.distance;
  if (std::max(below, above) <= kFlat * L) return flat(m, p, q);
  Polygon polygon;
  polygon.count = 3;
  polygon.vertex[0] = p;
  polygon.vertex[1] =
      below > above ? q : right;  // counter-clockwise: the normal of (p, q) points out of its right side
  polygon.vertex[2] = below > above ? left : q;
  for (int i = 0; i < 3; ++i) polygon.update(i);
  CoreClosest<2> out;
  int best = 0;
  for (out.iterations = 1;; ++out.iterations) {
    best = 0;
    for (int i = 1; i < polygon.count; ++i)
      if (polygon.edge[i].distance < polygon.edge[best].distance) best = i;
    const MinkowskiVertex<2> w = m.support(polygon.edge[best].normal);
    if (polygon.edge[best].normal.dot(w.w) - polygon.edge[best].distance <= tolerance) break;
    if (out.iterations == kMaxIterations) {
      out.converged = false;
      break;
    }
    polygon.insert_after(best, w);
  }
  out.distance = -polygon.edge[best].distance;
  out.normal = -polygon.edge[best].normal;  // M lies behind the edge's outward normal
  if (m.curved()) {
    if (!out.converged) refine_from_axes(m, out.normal);
    take_polished(polish(m, out.normal), out);
  }
  return out;
}

}  // namespace touchstone

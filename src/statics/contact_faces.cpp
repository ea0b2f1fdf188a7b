// Purpose: the contact points of a pair for statics, where a place that is off by 1e-7 changes a verdict.
// Method: if two convex polytopes touch, a plane separates them. Where a face of one lies in it, the contact is the
//   overlap of that face and of the vertices of the other that are in the plane: a polygon, a segment or a point. Where
//   no face does, two edges cross, and the closest points are the contact.
// Source: clipping of convex polygons by I. E. Sutherland, G. W. Hodgman, Reentrant polygon clipping, CACM 17 (1974).
// Deviations: (1) without slack; (2) of several separating faces the one with the largest overlap in dimension counts.
//   Where two of different directions are equal (a corner on a corner), the contact has no normal: kCorner.
// Fails: for shapes without flat faces (balls, cylinders, capsules) detection's own points are used.
#include "statics/contact_faces.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "collision/narrow/core.h"
#include "collision/narrow/narrow.h"

namespace touchstone::statics {
namespace {

constexpr double kSameDirection = 1e-7;  // sine: faces of two bodies that are meant to be parallel
constexpr double kSamePoint = 1e-13;     // of the size: two corners computed in two ways are one

template <int D>
struct Solid {
  std::vector<Vec<D>> vertices;  // in the world
  std::vector<std::vector<std::size_t>> faces;
  std::vector<Vec<D>> normals;
};

template <int D>
bool is_flat(const Shape<D>& shape) {
  return shape.kind == ShapeKind::kBox || shape.kind == ShapeKind::kConvex;
}

template <int D>
Solid<D> solid_of(const Placed<D>& s) {
  Solid<D> out;
  const Core<D> core = core_of(s.shape);
  const Polytope<D>& p = *core.polytope;
  for (std::size_t i = 0; i < p.vertices.size(); ++i) out.vertices.push_back(s.p + s.R * core.vertex(i));
  for (const Vec<D>& n : p.normals) out.normals.push_back(s.R * n);
  if constexpr (D == 2)
    for (std::size_t i = 0; i < p.vertices.size(); ++i) out.faces.push_back({i, p.next(i)});
  else
    for (std::size_t f = 0; f < p.face_count(); ++f) out.faces.emplace_back(p.face(f).begin(), p.face(f).end());
  return out;
}

// The vertices of a solid that lie in a plane which has the solid on its outer side.
template <int D>
bool vertices_in_plane(const Solid<D>& solid, const Vec<D>& n, const Vec<D>& origin, double tolerance,
                       std::vector<Vec<D>>& out) {
  out.clear();
  for (const Vec<D>& v : solid.vertices) {
    const double height = n.dot(v - origin);
    if (height < -tolerance) return false;
    if (height <= tolerance) out.push_back(v);
  }
  return !out.empty();
}

std::vector<Vec<2>> overlap(const Solid<2>& solid, std::size_t face, std::vector<Vec<2>> points, double) {
  const Vec<2>&p = solid.vertices[solid.faces[face][0]], &q = solid.vertices[solid.faces[face][1]];
  const Vec<2> t = (q - p).normalized();
  const auto along = [&](const Vec<2>& x) { return t.dot(x - p); };
  const auto [low, high] = std::minmax_element(points.begin(), points.end(),
                                               [&](const Vec<2>& x, const Vec<2>& y) { return along(x) < along(y); });
  const Vec<2> from = along(*low) > 0 ? *low : p, to = along(*high) < along(q) ? *high : q;
  if (along(from) >= along(to)) return {from};
  return {from, to};
}

// In order around their middle, about n.
void order_around(const Vec<3>& n, std::vector<Vec<3>>& points) {
  if (points.size() < 3) return;
  Vec<3> middle = Vec<3>::Zero();
  for (const Vec<3>& p : points) middle += p / static_cast<double>(points.size());
  int least = 0;
  n.cwiseAbs().minCoeff(&least);
  const Vec<3> u = cross(n, Vec<3>(Vec<3>::Unit(least))).normalized(), v = cross(n, u);
  std::sort(points.begin(), points.end(), [&](const Vec<3>& x, const Vec<3>& y) {
    return std::atan2(v.dot(x - middle), u.dot(x - middle)) < std::atan2(v.dot(y - middle), u.dot(y - middle));
  });
}

std::vector<Vec<3>> overlap(const Solid<3>& solid, std::size_t face, std::vector<Vec<3>> polygon, double slack) {
  const Vec<3>& n = solid.normals[face];
  order_around(n, polygon);
  const auto& ring = solid.faces[face];
  std::vector<Vec<3>> next;
  for (std::size_t e = 0; e < ring.size() && !polygon.empty(); ++e) {
    const Vec<3>&p = solid.vertices[ring[e]], &q = solid.vertices[ring[(e + 1) % ring.size()]];
    const Vec<3> out = cross(Vec<3>(q - p), n).normalized();
    next.clear();
    for (std::size_t i = 0; i < polygon.size(); ++i) {
      const Vec<3>&x = polygon[i], &y = polygon[(i + 1) % polygon.size()];
      const double dx = out.dot(x - p), dy = out.dot(y - p);
      if (dx <= slack) next.push_back(x);
      if ((dx < -slack && dy > slack) || (dx > slack && dy < -slack)) next.push_back(x + (y - x) * (dx / (dx - dy)));
    }
    polygon.swap(next);
  }
  return polygon;
}

template <int D>
void remove_doubles(std::vector<Vec<D>>& points, double size) {
  std::vector<Vec<D>> kept;
  for (const Vec<D>& p : points)
    if (std::none_of(kept.begin(), kept.end(), [&](const Vec<D>& k) { return (k - p).norm() <= kSamePoint * size; }))
      kept.push_back(p);
  points.swap(kept);
}

template <int D>
int dimension_of(const std::vector<Vec<D>>& points, double tolerance) {
  if (points.empty()) return -1;
  std::size_t far = 0;
  for (std::size_t i = 0; i < points.size(); ++i)
    if ((points[i] - points[0]).norm() > (points[far] - points[0]).norm()) far = i;
  const Vec<D> along = points[far] - points[0];
  if (along.norm() <= tolerance) return 0;
  double width = 0;
  for (const Vec<D>& p : points)
    width = std::max(width, (p - points[0] - along * (along.dot(p - points[0]) / along.squaredNorm())).norm());
  return width <= tolerance ? 1 : 2;
}

template <int D>
struct Candidate {
  int dimension = -1;
  bool separated = false;  // a face's plane lies between the two
  bool ambiguous = false;
  Vec<D> normal = Vec<D>::Zero();
  std::vector<Vec<D>> points;
};

// Faces of one solid; `sign`: +1 if it is A.
template <int D>
void consider(const Solid<D>& one, const Solid<D>& other, double sign, double size, double tolerance,
              Candidate<D>& best) {
  std::vector<Vec<D>> in_plane;
  for (std::size_t f = 0; f < one.faces.size(); ++f) {
    if (!vertices_in_plane(other, one.normals[f], one.vertices[one.faces[f][0]], tolerance, in_plane)) continue;
    best.separated = true;
    std::vector<Vec<D>> points = overlap(one, f, in_plane, kSamePoint * size);
    remove_doubles(points, size);
    const int dimension = dimension_of(points, tolerance);
    const Vec<D> normal = sign * one.normals[f];
    if (dimension < 0 || dimension < best.dimension) continue;
    const bool same = best.dimension == dimension && (normal - best.normal).norm() <= kSameDirection * 10;
    if (best.dimension == dimension && !same) best.ambiguous = true;
    if (dimension > best.dimension) best = {dimension, true, false, normal, std::move(points)};
  }
}

}  // namespace

template <int D>
TouchPoints<D> touch_points(const Placed<D>& a, const Placed<D>& b, double margin, double tolerance,
                            NarrowPhaseKind narrow) {
  TouchPoints<D> out;
  PairMemory memory;
  Closest<D> closest;
  if (!closest_of(a, b, margin, memory, closest)) return out;
  out.gap = closest.gap, out.normal = closest.normal;
  if (closest.gap > tolerance) return out;
  out.kind = closest.gap < -tolerance ? TouchPoints<D>::Kind::kDeep : TouchPoints<D>::Kind::kTouch;
  if (out.kind == TouchPoints<D>::Kind::kDeep) return out;
  if (is_flat(a.shape) && is_flat(b.shape)) {
    const Solid<D> sa = solid_of(a), sb = solid_of(b);
    const double size = std::max(a.shape.reach, b.shape.reach);
    Candidate<D> best;
    consider(sa, sb, 1.0, size, tolerance, best);
    consider(sb, sa, -1.0, size, tolerance, best);
    if (best.separated) {
      out.normal = best.normal, out.points = std::move(best.points);
      if (best.ambiguous || best.dimension < 0) out.kind = TouchPoints<D>::Kind::kCorner;
      return out;
    }
  }
  ContactPoints<D> points;
  PairMemory fresh;
  collide(a, b, tolerance, narrow, fresh, points);
  if (!points.empty()) out.normal = points.front().normal;
  for (const ContactPoint<D>& p : points) out.points.push_back(p.point);
  return out;
}

template TouchPoints<2> touch_points(const Placed<2>&, const Placed<2>&, double, double, NarrowPhaseKind);
template TouchPoints<3> touch_points(const Placed<3>&, const Placed<3>&, double, double, NarrowPhaseKind);

}  // namespace touchstone::statics

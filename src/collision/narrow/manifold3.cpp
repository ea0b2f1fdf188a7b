// Purpose: all contact points of two convex shapes in space. The face of each that looks along the normal is projected
//   onto the contact plane; the corners of the overlap of the two polygons are the points, each with its own gap.
// Source: clipping of convex polygons by I. E. Sutherland, G. W. Hodgman, Reentrant polygon clipping, CACM 17 (1974).
// Letters: n normal from A to B, (u, v) axes of the contact plane, h height along n.
// Deviations: (1) the overlap is symmetric in A and B, so that neither a reference face nor its change from step to
// step
//   shows in the points: a corner is a vertex of A, a vertex of B, or a crossing of their edges, and is named so.
// Fails: never; where no corner is as near as the closest points, those are added.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "collision/narrow/core.h"
#include "collision/narrow/feature.h"
#include "collision/narrow/manifold.h"

namespace touchstone {
namespace {

constexpr int kRimPoints = 8;    // of a cylinder's cap: enough to roll on it without a jolt, few enough to solve
constexpr double kSteep = 0.05;  // cosine: a face so nearly along the normal does not look at the other shape

// What a shape turns to the other: a polygon, a segment or a point, with the height of its plane.
struct Side {
  struct Corner {
    double u, v;
    std::uint32_t vertex, edge;  // edge: to the next corner
  };
  std::vector<Corner> corner;
  double h0 = 0, hu = 0, hv = 0;
  double height(double u, double v) const { return h0 + hu * u + hv * v; }
};

// A corner of the overlap, and what the edge to the next corner lies on: edge i of the side that is cut as i, edge i of
// the side that cuts as −1 − i.
struct Clipped {
  double u, v;
  int after;
  std::uint16_t name;
};

struct Frame {
  Vec<3> origin, u, v, n;
  Side::Corner project(const Vec<3>& x, std::uint32_t vertex, std::uint32_t edge) const {
    const Vec<3> r = x - origin;
    return {u.dot(r), v.dot(r), vertex, edge};
  }
};

struct Workspace {
  Side a, b;
  std::vector<Clipped> polygon, next;
};

Frame frame_around(const Vec<3>& origin, const Vec<3>& n) {
  int least = 0;
  n.cwiseAbs().minCoeff(&least);
  const Vec<3> u = cross(n, Vec<3>(Vec<3>::Unit(least))).normalized();
  return {origin, u, cross(n, u), n};
}

// The face of the polytope with the normal nearest to `towards` among those at the farthest vertex.
std::size_t facing(const Placed<3>& s, const Core<3>& core, const Vec<3>& towards) {
  const Polytope<3>& p = *core.polytope;
  if (s.shape.kind == ShapeKind::kBox) {
    int axis = 0;
    towards.cwiseAbs().maxCoeff(&axis);
    return static_cast<std::size_t>(2 * axis + (towards[axis] > 0));
  }
  std::size_t best = 0;
  double most = -2;
  for (const std::uint32_t e : p.edges_at(support(s.shape, core, towards).vertex))
    for (const std::uint32_t f : {p.edges[e].left, p.edges[e].right})
      if (const double along = p.normals[f].dot(towards); along > most) most = along, best = f;
  return best;
}

// The plane's height over (u, v), and whether a ring that is counter-clockwise about the normal is so in (u, v) too.
// All of the plane in its shape's own frame; (ou, ov, on) is that frame's origin in the contact's.
struct Turned {
  Vec<3> u, v, n;  // the contact's axes in the shape's frame
  double ou, ov, on;
  Turned(const Placed<3>& s, const Frame& frame)
      : u(s.R.transpose() * frame.u), v(s.R.transpose() * frame.v), n(s.R.transpose() * frame.n) {
    const Vec<3> o = s.p - frame.origin;
    ou = frame.u.dot(o), ov = frame.v.dot(o), on = frame.n.dot(o);
  }
  Side::Corner corner(const Vec<3>& x, std::uint32_t vertex, std::uint32_t edge) const {
    return {ou + u.dot(x), ov + v.dot(x), vertex, edge};
  }
  bool set_plane(const Vec<3>& normal, const Vec<3>& point, Side& side) const {
    const double along = n.dot(normal);
    if (std::abs(along) < kSteep) return false;
    side.hu = -u.dot(normal) / along;
    side.hv = -v.dot(normal) / along;
    side.h0 = on + n.dot(point) - side.hu * (ou + u.dot(point)) - side.hv * (ov + v.dot(point));
    return true;
  }
};

void add_segment(const Frame& frame, const Vec<3>& x0, const Vec<3>& x1, Side& side) {
  side.corner.push_back(frame.project(x0, 0, 0));
  side.corner.push_back(frame.project(x1, 1, 0));
  const double du = side.corner[1].u - side.corner[0].u, dv = side.corner[1].v - side.corner[0].v;
  const double dd = du * du + dv * dv, dh = frame.n.dot(x1 - x0);
  if (dd < kSteep * kSteep * dh * dh || !(dd > 0)) {
    side.corner.clear();
    return;
  }
  side.hu = dh * du / dd;
  side.hv = dh * dv / dd;
  side.h0 = frame.n.dot(x0 - frame.origin) - side.hu * side.corner[0].u - side.hv * side.corner[0].v;
}

// The cap, seen within 45° of the axis; the line of the mantle otherwise.
void fill_cylinder(const Placed<3>& s, const Frame& frame, const Vec<3>& towards, Side& side) {
  const Vec<3> axis = s.R.col(2);
  if (std::abs(towards[2]) > std::sqrt(0.5)) {
    const double top = towards[2] > 0 ? s.shape.half_length : -s.shape.half_length;
    const Turned turned(s, frame);
    if (!turned.set_plane(Vec<3>::UnitZ(), Vec<3>(0, 0, top), side)) return;
    for (int i = 0; i < kRimPoints; ++i) {
      // Counter-clockwise about n: backwards where the axis points against it. An edge has the name of its lower end.
      const bool backwards = turned.n[2] < 0;
      const int k = backwards ? kRimPoints - 1 - i : i, e = backwards ? (k + kRimPoints - 1) % kRimPoints : k;
      const double angle = 2 * std::numbers::pi * k / kRimPoints;
      const Vec<3> x(s.shape.radius * std::cos(angle), s.shape.radius * std::sin(angle), top);
      const int lid = top > 0 ? kRimPoints : 0;
      side.corner.push_back(turned.corner(x, static_cast<std::uint32_t>(k + lid), static_cast<std::uint32_t>(e + lid)));
    }
    return;
  }
  const Vec<3> out = s.R * Vec<3>(towards[0], towards[1], 0).normalized() * s.shape.radius;
  add_segment(frame, s.p + out - axis * s.shape.half_length, s.p + out + axis * s.shape.half_length, side);
}

// `sign`: +1 for A, which looks along n, −1 for B. The polygon runs counter-clockwise in (u, v).
void fill(const Placed<3>& s, const Frame& frame, double sign, Side& side) {
  side.corner.clear();
  side.h0 = side.hu = side.hv = 0;
  if (s.shape.kind == ShapeKind::kCylinder) return fill_cylinder(s, frame, s.R.transpose() * (sign * frame.n), side);
  const Core<3> core = core_of(s.shape);
  if (!core.polytope || core.polytope->edges.empty()) return;  // a point: the closest one
  const Polytope<3>& p = *core.polytope;
  if (p.face_count() == 0) return add_segment(frame, s.p + s.R * core.vertex(0), s.p + s.R * core.vertex(1), side);
  const Turned turned(s, frame);
  const std::size_t f = facing(s, core, Vec<3>(sign * turned.n));
  const auto ring = p.face(f), edges = p.face_ring_edges(f);
  if (!turned.set_plane(p.normals[f], core.vertex(ring[0]), side)) return;
  const bool backwards = turned.n.dot(p.normals[f]) < 0;
  const std::size_t count = ring.size();
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t k = backwards ? count - 1 - i : i, e = backwards ? (k == 0 ? count : k) - 1 : k;
    side.corner.push_back(turned.corner(core.vertex(ring[k]), ring[k], edges[e]));
  }
}

// One polygon, `cutter`, clips the other, `cut`; which of the two is A decides the names only.
struct Clip {
  const Side &cutter, &cut;
  bool cutter_is_a;
  double slack;
  std::vector<Clipped>&polygon, &next;

  bool closed() const { return cut.corner.size() > 2; }
  void start();
  void keep_inside_of(int edge);
  std::uint16_t name_at(int old_edge, int edge, bool leaving) const;
};

void Clip::start() {
  polygon.clear();
  for (std::size_t i = 0; i < cut.corner.size(); ++i) {
    const Side::Corner& c = cut.corner[i];
    polygon.push_back({c.u, c.v, static_cast<int>(i), cutter_is_a ? vertex_of_b(c.vertex) : vertex_of_a(c.vertex)});
  }
}

// Where the cutter's edge meets an edge of the polygon: a crossing, or a corner of the cutter itself.
std::uint16_t Clip::name_at(int old_edge, int edge, bool leaving) const {
  if (old_edge < 0) {
    const auto begins = static_cast<std::size_t>(leaving ? edge : -1 - old_edge);
    const std::uint32_t v = cutter.corner[begins].vertex;
    return cutter_is_a ? vertex_of_a(v) : vertex_of_b(v);
  }
  const std::uint32_t mine = cutter.corner[static_cast<std::size_t>(edge)].edge,
                      other = cut.corner[static_cast<std::size_t>(old_edge)].edge;
  return cutter_is_a ? crossing(mine, other) : crossing(other, mine);
}

// A corner on the line or within the slack outside of it stays, and then stands for the crossing beside it.
void Clip::keep_inside_of(int edge) {
  const auto i0 = static_cast<std::size_t>(edge);
  const Side::Corner &from = cutter.corner[i0], &to = cutter.corner[i0 + 1 == cutter.corner.size() ? 0 : i0 + 1];
  const double du = to.u - from.u, dv = to.v - from.v, length = std::sqrt(du * du + dv * dv);
  if (!(length > 0)) return;
  const double nu = dv / length, nv = -du / length;
  const auto outside = [&](const Clipped& c) { return (c.u - from.u) * nu + (c.v - from.v) * nv; };
  const std::size_t n = polygon.size();
  std::size_t first = 0;
  while (first < n && outside(polygon[first]) <= slack) ++first;
  if (first == n) return;  // the common case of a small face on a large one
  next.clear();
  double dy = n > 0 ? outside(polygon[0]) : 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    const Clipped &x = polygon[i], &y = polygon[i + 1 == n ? 0 : i + 1];
    const double dx = dy;
    dy = outside(y);
    const bool inside = dx <= slack;
    if (inside) next.push_back(x);
    if ((i + 1 == n && !closed()) || inside == (dy <= slack)) continue;
    if (inside && dx >= 0) {
      next.back().after = -1 - edge;
    } else if (inside || dy < 0) {
      const double t = dx / (dx - dy);
      next.push_back(
          {x.u + t * (y.u - x.u), x.v + t * (y.v - x.v), inside ? -1 - edge : x.after, name_at(x.after, edge, inside)});
    }
  }
  polygon.swap(next);
}

// Two segments that run side by side: the ends of what they share.
void overlap_segments(const Side& a, const Side& b, double slack, std::vector<Clipped>& out) {
  out.clear();
  const double du = a.corner[1].u - a.corner[0].u, dv = a.corner[1].v - a.corner[0].v, aa = std::hypot(du, dv);
  const double eu = b.corner[1].u - b.corner[0].u, ev = b.corner[1].v - b.corner[0].v, bb = std::hypot(eu, ev);
  constexpr double kParallel = 1e-3;  // sine: beyond it one end opens faster than it carries
  if (std::abs(du * ev - dv * eu) > kParallel * aa * bb) return;
  const auto along = [&](const Side::Corner& c) {
    return ((c.u - a.corner[0].u) * du + (c.v - a.corner[0].v) * dv) / aa;
  };
  std::size_t low = 0, high = 1;
  if (along(b.corner[0]) > along(b.corner[1])) std::swap(low, high);
  const double from = along(b.corner[low]), to = along(b.corner[high]);
  if (std::min(to, aa) - std::max(from, 0.0) <= slack) return;
  const auto end_of_a = [&](std::size_t i) {
    return Clipped{a.corner[i].u, a.corner[i].v, 0, vertex_of_a(a.corner[i].vertex)};
  };
  const auto end_of_b = [&](std::size_t i) {
    const double t = along(b.corner[i]) / aa;
    return Clipped{a.corner[0].u + t * du, a.corner[0].v + t * dv, 0, vertex_of_b(b.corner[i].vertex)};
  };
  out.push_back(from >= -slack ? end_of_b(low) : end_of_a(0));
  out.push_back(to <= aa + slack ? end_of_b(high) : end_of_a(1));
}

void overlap_sides(Workspace& w, double slack) {
  if (w.a.corner.size() == 2 && w.b.corner.size() == 2) return overlap_segments(w.a, w.b, slack, w.polygon);
  const bool cutter_is_a = w.a.corner.size() > 2;
  Clip clip{cutter_is_a ? w.a : w.b, cutter_is_a ? w.b : w.a, cutter_is_a, slack, w.polygon, w.next};
  clip.start();
  for (int e = 0; e < static_cast<int>(clip.cutter.corner.size()) && !w.polygon.empty(); ++e) clip.keep_inside_of(e);
}

}  // namespace

template <>
void add_manifold<3>(const Placed<3>& a, const Placed<3>& b, const Closest<3>& closest, double margin,
                     ContactPoints<3>& out, bool corners_only) {
  thread_local Workspace w;
  const std::size_t first = out.size();
  const Vec<3>& n = closest.normal;
  const Vec<3> middle = 0.5 * (closest.on_a + closest.on_b);
  const Frame frame = frame_around(middle, n);
  const double size = std::min(reach_of(a.shape), reach_of(b.shape)), slack = kEdgeSlack * size;
  fill(a, frame, 1.0, w.a);
  if (w.a.corner.size() > 1) fill(b, frame, -1.0, w.b);
  double least = std::numeric_limits<double>::infinity();
  if (w.a.corner.size() > 1 && w.b.corner.size() > 1) {
    overlap_sides(w, slack);
    const double ra = round_radius(a.shape), rb = round_radius(b.shape);
    w.next.clear();
    for (std::size_t i = 0; i < w.polygon.size(); ++i) {
      const Clipped &c = w.polygon[i], &before = w.polygon[i == 0 ? w.polygon.size() - 1 : i - 1];
      if (i > 0 && std::abs(c.u - before.u) + std::abs(c.v - before.v) <= slack) continue;
      if (w.b.height(c.u, c.v) - rb - w.a.height(c.u, c.v) - ra <= margin) w.next.push_back(c);
    }
    std::sort(w.next.begin(), w.next.end(), [](const Clipped& x, const Clipped& y) { return x.name < y.name; });
    for (const Clipped& c : w.next) {
      const double top_a = w.a.height(c.u, c.v) + ra, bottom_b = w.b.height(c.u, c.v) - rb, gap = bottom_b - top_a;
      least = std::min(least, gap);
      out.push_back({middle + frame.u * c.u + frame.v * c.v + n * (0.5 * (top_a + bottom_b)), n, gap, c.name});
    }
  }
  if (!corners_only && !(least <= closest.gap + kSameGap * size))
    out.push_back({middle, n, closest.gap, nearest_point()});
  if (out.size() > first + 1) keep_distinct(out, first);
}

}  // namespace touchstone

// Purpose: the contact points of two convex shapes in the plane: the ends of the overlap of the two edges that look at
//   each other along the normal, each with its own gap; one point where only a corner or a round side touches.
// Letters: n normal from A to B, t tangent, s place along t, h height along n.
// Fails: never; where neither end is as near as the closest points, those are added.
#include <cmath>
#include <limits>

#include "collision/narrow/core.h"
#include "collision/narrow/feature.h"
#include "collision/narrow/manifold.h"

namespace touchstone {
namespace {

// The same meaning as in space: see manifold3.cpp.
constexpr double kSteep = 0.05;

struct End {
  double s, h;
  std::uint32_t vertex;
};

// An edge over the contact line, from low to high s.
struct Side {
  End low, high;
  bool is_edge = false;
  double height(double s) const { return low.h + (high.h - low.h) * (s - low.s) / (high.s - low.s); }
};

Side side_of(const Placed<2>& shape, const Vec<2>& origin, const Vec<2>& n, double sign) {
  Side side;
  const Core<2> core = core_of(shape.shape);
  if (!core.polytope || core.polytope->vertices.size() < 2) return side;
  const Polytope<2>& p = *core.polytope;
  const Vec<2> towards = shape.R.transpose() * (sign * n);
  // The edge at the farthest vertex that looks along `towards` most.
  const std::size_t v = support(shape.shape, core, towards).vertex, before = (v == 0 ? p.vertices.size() : v) - 1;
  const std::size_t e = p.normals[v].dot(towards) >= p.normals[before].dot(towards) ? v : before;
  const Vec<2> t(-n[1], n[0]);
  const auto end = [&](std::size_t i) {
    const Vec<2> r = shape.p + shape.R * core.vertex(i) - origin;
    return End{t.dot(r), n.dot(r), static_cast<std::uint32_t>(i)};
  };
  side.low = end(e);
  side.high = end(p.next(e));
  if (side.low.s > side.high.s) std::swap(side.low, side.high);
  side.is_edge = side.high.s - side.low.s > kSteep * std::abs(side.high.h - side.low.h);
  return side;
}

}  // namespace

template <>
void add_manifold<2>(const Placed<2>& a, const Placed<2>& b, const Closest<2>& closest, double margin,
                     ContactPoints<2>& out, bool corners_only) {
  const std::size_t first = out.size();
  const Vec<2>& n = closest.normal;
  const Vec<2> middle = 0.5 * (closest.on_a + closest.on_b), t(-n[1], n[0]);
  const double size = std::min(reach_of(a.shape), reach_of(b.shape)), slack = kEdgeSlack * size;
  const Side sa = side_of(a, middle, n, 1.0), sb = side_of(b, middle, n, -1.0);
  double least = std::numeric_limits<double>::infinity();
  const double ra = round_radius(a.shape), rb = round_radius(b.shape);
  const auto add = [&](double s, std::uint16_t name) {
    const double top_a = sa.height(s) + ra, bottom_b = sb.height(s) - rb, gap = bottom_b - top_a;
    if (gap > margin) return;
    least = std::min(least, gap);
    out.push_back({middle + t * s + n * (0.5 * (top_a + bottom_b)), n, gap, name});
  };
  if (sa.is_edge && sb.is_edge && std::min(sa.high.s, sb.high.s) - std::max(sa.low.s, sb.low.s) > slack) {
    // B's ends are preferred within the slack, so that equal boxes on top of each other keep their points.
    const bool low_b = sb.low.s >= sa.low.s - slack, high_b = sb.high.s <= sa.high.s + slack;
    add(low_b ? sb.low.s : sa.low.s, low_b ? vertex_of_b(sb.low.vertex) : vertex_of_a(sa.low.vertex));
    add(high_b ? sb.high.s : sa.high.s, high_b ? vertex_of_b(sb.high.vertex) : vertex_of_a(sa.high.vertex));
  }
  if (!corners_only && !(least <= closest.gap + kSameGap * size))
    out.push_back({middle, n, closest.gap, nearest_point()});
  if (out.size() > first + 1) make_distinct(out, first);
}

}  // namespace touchstone

// Purpose: the separating axes of two convex polygons, and the points that realise one. The axes are the normals of the
// sides; a segment has two sides, a point none.
// Source: [yang2020] separating axes in 2D.
// Letters: n axis from A to B, t along a side.
// Deviations: 1. Two points have no side: the line between them is the axis, or A's first axis if they coincide.
// Fails: never.
#include "collision/narrow/sat.h"

namespace touchstone {
namespace {

using Kind = SeparatingAxis<2>::Kind;

using axes::kDeepest, axes::kTie;

void try_sides(const CorePair<2>& pair, Kind kind, double tie, double enough, SeparatingAxis<2>& best) {
  const bool of_a = kind == Kind::kFaceA;
  const PlacedCore<2>&own = of_a ? pair.a : pair.b, &other = of_a ? pair.b : pair.a;
  for (std::size_t i = 0; i < own.polytope().normals.size() && !(best.separation > enough); ++i) {
    const Vec<2> n = own.normal(i);
    const double near = -other.extent(Vec<2>(-n));
    if (!(near - n.dot(own.vertex(i)) > best.separation + tie)) continue;
    const double separation = near - own.extent(n);  // a short side's normal need not be that of the whole polygon
    if (!(separation > best.separation + tie)) continue;
    best.separation = separation;
    best.normal = of_a ? n : Vec<2>(-n);
    best.kind = kind;
    best.a = of_a ? static_cast<std::uint32_t>(i) : 0;
    best.b = of_a ? 0 : static_cast<std::uint32_t>(i);
  }
}

}  // namespace

template <>
SeparatingAxis<2> greatest_separation(const CorePair<2>& pair, double enough) {
  SeparatingAxis<2> best;
  const double tie = kTie * pair.size();
  try_sides(pair, Kind::kFaceA, tie, enough, best);
  try_sides(pair, Kind::kFaceB, tie, enough, best);
  if (best.normal.isZero()) {
    const Vec<2> between = pair.b.vertex(0) - pair.a.vertex(0);
    const double distance = between.norm();
    best.normal = distance > 0 ? Vec<2>(between / distance) : Vec<2>::UnitX();
    best.separation = pair.separation(best.normal);
    best.kind = Kind::kEdges;
  }
  return best;
}

template <>
bool axis_points(const CorePair<2>& pair, const SeparatingAxis<2>& axis, double size, CoreAnswer<2>& out) {
  const bool of_a = axis.kind == Kind::kFaceA;
  const PlacedCore<2>&own = of_a ? pair.a : pair.b, &other = of_a ? pair.b : pair.a;
  const std::size_t side = of_a ? axis.a : axis.b;
  const Vec<2> n = of_a ? axis.normal : Vec<2>(-axis.normal), t(-n[1], n[0]);
  double along;
  const std::size_t deepest = other.farthest(Vec<2>(-n), along);
  const Vec<2> origin = own.vertex(side);
  double low = t.dot(other.vertex(deepest) - origin), high = low;
  const std::size_t count = other.vertex_count();
  for (const std::size_t v : {other.polytope().next(deepest), (deepest == 0 ? count : deepest) - 1}) {
    const Vec<2> x = other.vertex(v);
    if (-n.dot(x) < along - kDeepest * size) continue;
    low = std::min(low, t.dot(x - origin));
    high = std::max(high, t.dot(x - origin));
  }
  const double length = t.dot(own.vertex(own.polytope().next(side)) - origin);
  const double from = std::max(low, 0.0), to = std::min(high, length);
  const bool realised = from <= to + kTie * size;
  const Vec<2> on_own = origin + t * (realised ? 0.5 * (from + to) : std::clamp(low, 0.0, length));
  const Vec<2> on_other = on_own + n * axis.separation;
  out.on_a = of_a ? on_own : on_other;
  out.on_b = of_a ? on_other : on_own;
  return realised;
}

}  // namespace touchstone

// Purpose: the points of two convex polyhedra that realise the separation along one of their axes. Where a face rests
// on a face or an edge, that is the middle of their overlap, so that it does not jump between corners.
// Source: none.
// Letters: n outward normal of the face; "deep" vertices are those of the other polytope that are nearest to its plane.
// Deviations: 1. The middle is the mean of the overlap's corners, found in three groups (vertices of one over the
// other,
//   both ways, and crossings of their edges); corners that are found twice count twice.
// Fails: returns false if no corner is found; then the features are not those nearest to each other.
#include <vector>

#include "collision/narrow/sat.h"

namespace touchstone {
namespace {

using Kind = SeparatingAxis<3>::Kind;

constexpr double kInside = 1e-12;  // relative to the size: over a face, up to rounding
using axes::kDeepest;

// Whether x lies within the prism that stands on the face. `turn` is +1 for a ring that is counter-clockwise about n.
bool over(const PlacedCore<3>& c, std::size_t f, const Vec<3>& n, double turn, const Vec<3>& x, double tolerance) {
  const auto ring = c.polytope().face(f);
  Vec<3> from = c.vertex(ring.back());
  for (const std::uint32_t v : ring) {
    const Vec<3> to = c.vertex(v), u = to - from;
    if (turn * cross(n, u).dot(x - from) < -tolerance * u.norm()) return false;
    from = to;
  }
  return true;
}

class FaceOverlap {
 public:
  FaceOverlap(const PlacedCore<3>& own, std::size_t face, const PlacedCore<3>& other, const Vec<3>& n, double size)
      : own_(own), face_(face), other_(other), n_(n), tolerance_(kInside * size) {
    double along;
    deepest_ = other.farthest(Vec<3>(-n), along);
    deep_.assign(other.vertex_count(), false);
    for (std::size_t i = 0; i < deep_.size(); ++i) deep_[i] = -n.dot(other.vertex(i)) >= along - kDeepest * size;
    deep_[deepest_] = true;
  }

  // The middle of the overlap on the other polytope, or its deepest vertex.
  bool middle(Vec<3>& out) {
    add_deep_vertices();
    if (count_deep_ > 1) add_crossings();
    if (count_deep_ > 2) add_own_vertices();
    out = count_ ? Vec<3>(sum_ / count_) : other_.vertex(deepest_);
    return count_ > 0;
  }

 private:
  void add(const Vec<3>& x) {
    sum_ += x;
    ++count_;
  }

  void add_deep_vertices() {
    for (std::size_t i = 0; i < deep_.size(); ++i) {
      if (!deep_[i]) continue;
      ++count_deep_;
      const Vec<3> x = other_.vertex(i);
      if (over(own_, face_, n_, 1, x, tolerance_)) add(x);
    }
  }

  // Deep edges against the face's edges, seen along n.
  void add_crossings() {
    for (const auto& e : other_.polytope().edges) {
      if (!deep_[e.tail] || !deep_[e.head]) continue;
      const Vec<3> tail = other_.vertex(e.tail), u = other_.vertex(e.head) - tail;
      const auto ring = own_.polytope().face(face_);
      Vec<3> from = own_.vertex(ring.back());
      for (const std::uint32_t v : ring) {
        const Vec<3> to = own_.vertex(v), w = to - from, r = from - tail;
        from = to;
        const double area = n_.dot(cross(u, w));
        if (std::abs(area) <= 1e-12 * u.norm() * w.norm()) continue;  // parallel: the ends are found as vertices
        const double s = n_.dot(cross(r, w)) / area, t = n_.dot(cross(r, u)) / area;
        if (s >= 0 && s <= 1 && t >= 0 && t <= 1) add(tail + s * u);
      }
    }
  }

  void add_own_vertices() {
    const Polytope<3>& p = other_.polytope();
    for (std::size_t f = 0; f < p.face_count(); ++f) {
      bool deep = other_.normal(f).dot(n_) < 0;
      for (const std::uint32_t v : p.face(f)) deep = deep && deep_[v];
      if (!deep) continue;
      const double height = n_.dot(other_.vertex(p.face(f)[0]));
      for (const std::uint32_t v : own_.polytope().face(face_)) {
        const Vec<3> x = own_.vertex(v);
        if (over(other_, f, n_, -1, x, tolerance_)) add(x + n_ * (height - n_.dot(x)));
      }
    }
  }

  const PlacedCore<3>& own_;
  std::size_t face_;
  const PlacedCore<3>& other_;
  Vec<3> n_;
  double tolerance_;
  std::size_t deepest_ = 0;
  int count_ = 0, count_deep_ = 0;
  Vec<3> sum_ = Vec<3>::Zero();
  static thread_local std::vector<char> deep_;
};
thread_local std::vector<char> FaceOverlap::deep_;

bool edge_points(const CorePair<3>& pair, const SeparatingAxis<3>& axis, double size, CoreAnswer<3>& out) {
  const auto ends = [](const PlacedCore<3>& c, std::uint32_t e, Vec<3>& tail, Vec<3>& head) {
    const auto& edges = c.polytope().edges;
    tail = c.vertex(edges.empty() ? 0 : edges[e].tail);
    head = c.vertex(edges.empty() ? 0 : edges[e].head);
  };
  Vec<3> a0, a1, b0, b1;
  ends(pair.a, axis.a, a0, a1);
  ends(pair.b, axis.b, b0, b1);
  const SegmentParameters at = closest_on_segments<3>(a0, a1, b0, b1);
  out.on_a = a0 + at.s * (a1 - a0);
  out.on_b = b0 + at.t * (b1 - b0);
  return (out.on_b - out.on_a - axis.separation * axis.normal).norm() <= kInside * size;
}

}  // namespace

template <>
bool axis_points(const CorePair<3>& pair, const SeparatingAxis<3>& axis, double size, CoreAnswer<3>& out) {
  if (axis.kind == Kind::kEdges) return edge_points(pair, axis, size, out);
  const bool of_a = axis.kind == Kind::kFaceA;
  const PlacedCore<3>&own = of_a ? pair.a : pair.b, &other = of_a ? pair.b : pair.a;
  const Vec<3> n = of_a ? axis.normal : Vec<3>(-axis.normal);
  Vec<3> on_other;
  const bool realised = FaceOverlap(own, of_a ? axis.a : axis.b, other, n, size).middle(on_other);
  const Vec<3> on_own = on_other - n * axis.separation;
  out.on_a = of_a ? on_own : on_other;
  out.on_b = of_a ? on_other : on_own;
  return realised;
}

}  // namespace touchstone

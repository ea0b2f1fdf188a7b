// Purpose: the axis along which two convex polyhedra are farthest apart: all face normals, and the common
// perpendiculars of all pairs of edges that can support such an axis.
// Source: [yang2020] separating axes in 3D; which pairs of edges count follows from the Gauss map (an edge stands for
//   the arc between its faces' normals; the axes are where an arc of A meets the reverse of an arc of B).
// Letters: n axis from A to B; e, f unit vectors along an edge of A and of B.
// Deviations: 1. Every axis that would be better than the best so far is measured against all vertices, so that a bad
//   normal or cross product can make the answer too small by its own error only, never too large. 2. Polytopes without
//   any face (points, segments) have perpendiculars of their own.
// Fails: never. Pairs of edges within 1e-13 rad of parallel are skipped: the strip of directions that only they support
//   is that wide, and faces or other edges come within 1e-13 of the size.
#include <vector>

#include "collision/narrow/sat.h"

namespace touchstone {
namespace {

using Kind = SeparatingAxis<3>::Kind;

using axes::kTie;
constexpr double kParallel = 1e-13;  // sine of the angle of two edges
constexpr double kArc = 1e-9;        // sine: arcs count as meeting if they do within this; more only costs time

// An edge in A's frame, with what the Gauss map needs.
struct EdgeArc {
  Vec<3> tail, along;  // unit
  Vec<3> left, right;  // normals of its faces
  bool lone;           // no faces: the arc is the whole circle
  bool usable;         // has a length
};

void collect(const PlacedCore<3>& c, std::vector<EdgeArc>& out) {
  out.clear();
  for (const auto& e : c.polytope().edges) {
    EdgeArc arc;
    arc.tail = c.vertex(e.tail);
    const Vec<3> u = c.vertex(e.head) - arc.tail;
    const double length = u.norm();
    arc.usable = length > 0;
    arc.along = arc.usable ? Vec<3>(u / length) : Vec<3>::Zero();
    arc.lone = e.left == Polytope<3>::kNoFace;
    arc.left = arc.lone ? Vec<3>::Zero() : c.normal(e.left);
    arc.right = arc.lone ? Vec<3>::Zero() : c.normal(e.right);
    out.push_back(arc);
  }
}

// Whether the edge supports the axis own × other (sign +1) or its reverse (−1).
bool supports(const EdgeArc& own, const Vec<3>& other, double sign) {
  return own.lone || (sign * own.left.dot(other) >= -kArc && sign * own.right.dot(other) <= kArc);
}

class Search {
 public:
  Search(const CorePair<3>& pair, double enough) : pair_(pair), tie_(kTie * pair.size()), enough_(enough) {}

  void try_faces(Kind kind) {
    const bool of_a = kind == Kind::kFaceA;
    const PlacedCore<3>&own = of_a ? pair_.a : pair_.b, &other = of_a ? pair_.b : pair_.a;
    for (std::uint32_t f = 0; f < own.polytope().face_count() && !done(); ++f) {
      const Vec<3> n = own.normal(f);
      if (n.isZero()) continue;  // of a face without area
      const double near = -other.extent(Vec<3>(-n));
      if (!better(near - n.dot(own.vertex(own.polytope().face(f)[0])))) continue;
      offer(near - own.extent(n), of_a ? n : Vec<3>(-n), kind, of_a ? f : 0, of_a ? 0 : f);
    }
  }

  void try_edges() {
    thread_local std::vector<EdgeArc> arcs_a, arcs_b;
    collect(pair_.a, arcs_a);
    collect(pair_.b, arcs_b);
    for (std::uint32_t i = 0; i < arcs_a.size(); ++i)
      for (std::uint32_t j = 0; j < arcs_b.size() && !done(); ++j)
        for (const double sign : {1.0, -1.0})
          if (supports(arcs_a[i], arcs_b[j].along, sign) && supports(arcs_b[j], arcs_a[i].along, sign))
            try_pair(arcs_a[i], arcs_b[j], sign, i, j);
  }

  // Points and parallel segments: the perpendicular from one to the other, or any, the same each time.
  void try_lone() {
    if (best_.separation > -std::numeric_limits<double>::infinity()) return;
    Vec<3> between = pair_.b.vertex(0) - pair_.a.vertex(0), along = Vec<3>::Zero();
    for (const PlacedCore<3>* c : {&pair_.b, &pair_.a})
      if (c->vertex_count() > 1) along = (c->vertex(1) - c->vertex(0)).normalized();
    between -= along * along.dot(between);
    const double distance = between.norm();
    Vec<3> n = Vec<3>::UnitX();
    if (distance > tie_)
      n = (between - along * along.dot(between)).normalized();  // again: what was left of it may be mostly rounding
    else if (!along.isZero())
      n = along.unitOrthogonal();
    offer(pair_.separation(n), n, Kind::kEdges, 0, 0);
  }

  const SeparatingAxis<3>& best() const { return best_; }

 private:
  bool done() const { return best_.separation > enough_; }
  bool better(double separation) const { return separation > best_.separation + tie_; }

  void offer(double separation, const Vec<3>& n, Kind kind, std::uint32_t a, std::uint32_t b) {
    if (better(separation)) best_ = {separation, n, kind, a, b};
  }

  void try_pair(const EdgeArc& a, const EdgeArc& b, double sign, std::uint32_t i, std::uint32_t j) {
    // The difference of nearly parallel unit vectors is exact, so that their cross product is too.
    const Vec<3> across = a.along.dot(b.along) < 0 ? Vec<3>(b.along + a.along) : Vec<3>(b.along - a.along);
    const Vec<3> s = cross(a.along, across);
    const double length = s.norm();
    if (!(length > kParallel) || !a.usable || !b.usable) return;
    const Vec<3> n = s * (sign / length);
    if (better(n.dot(b.tail - a.tail))) offer(pair_.separation(n), n, Kind::kEdges, i, j);
  }

  const CorePair<3>& pair_;
  double tie_, enough_;
  SeparatingAxis<3> best_;
};

}  // namespace

template <>
SeparatingAxis<3> greatest_separation(const CorePair<3>& pair, double enough) {
  Search search(pair, enough);
  search.try_faces(Kind::kFaceA);
  search.try_faces(Kind::kFaceB);
  search.try_edges();
  search.try_lone();
  return search.best();
}

}  // namespace touchstone

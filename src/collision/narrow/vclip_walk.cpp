// Purpose: from a pair of features of two convex polyhedra to the closest one, through neighbours. A pair is closest if
// the nearest point of each feature lies in the Voronoi region of the other.
// Source: B. Mirtich, V-Clip: fast and robust polyhedral collision detection, ACM Transactions on Graphics 17 (1998).
// Letters: x_i nearest point of body i's feature; n face normal; u edge; t direction in a face, away from its edge.
// Deviations: 1. Two features' nearest points are computed and tested against regions, where V-Clip clips edges and
// looks
//   at signs of derivatives; edges are clipped only against the prism over a face. 2. A plane counts as crossed from
//   kSlope on, so that parallel features do not chase each other; two pairs that follow each other end the walk. 3.
//   Under a face (V-Clip's local minimum) an edge's highest point is treated as a vertex is.
// Fails: may lose its way on ties of three pairs and more, and stops at kMostSteps; the caller then searches.
#include "collision/narrow/feature_walk.h"

namespace touchstone {
namespace {

using namespace walking;

// Unit. Of nearly parallel vectors by the difference of their directions, which is exact.
Vec<3> perpendicular(const Vec<3>& u, const Vec<3>& w) {
  const Vec<3> c = cross(u, w);
  constexpr double kSquareOfSine = 1e-4;  // above it the cross product is good to 1e-14
  const double square = c.squaredNorm();
  if (square > kSquareOfSine * u.squaredNorm() * w.squaredNorm()) return c / std::sqrt(square);
  const Vec<3> e = u.normalized(), f = w.normalized();
  return cross(e, e.dot(f) < 0 ? Vec<3>(f + e) : Vec<3>(f - e)).normalized();
}

class Walk {
 public:
  Walk(const CorePair<3>& pair, Feature a, Feature b) : body_{&pair.a, &pair.b}, f{a, b} {}

  Step step() {
    const int low = f[0].type <= f[1].type ? 0 : 1, high = 1 - low;
    if (f[high].type == FeatureType::kVertex) return vertex_vertex();
    if (f[high].type == FeatureType::kEdge)
      return f[low].type == FeatureType::kVertex ? vertex_edge(low, high) : edge_edge();
    if (f[low].type == FeatureType::kVertex) return vertex_face(low, high);
    if (f[low].type == FeatureType::kEdge) return edge_face(low, high);
    return move(0, {FeatureType::kVertex, body_[0]->polytope().face(f[0].index)[0]});
  }

 private:
  const PlacedCore<3>* body_[2];

 public:
  Feature f[2];
  Vec<3> x[2] = {Vec<3>::Zero(), Vec<3>::Zero()};
  Vec<3> normal = Vec<3>::Zero();  // from A to B
  bool sure = true;

 private:
  Step move(int i, Feature to) {
    f[i] = to;
    return Step::kMoved;
  }
  double scale() const { return x[0].lpNorm<1>() + x[1].lpNorm<1>() + body_[1]->p.lpNorm<1>(); }

  // With points as the only source of direction. `along`: an edge that the direction is perpendicular to, or zero.
  Step found_between_points(const Vec<3>& along) {
    Vec<3> d = x[1] - x[0];
    if (const double square = along.squaredNorm(); square > 0) d -= along * (along.dot(d) / square);
    const double distance = d.norm();
    if (!(distance > kTouching * scale())) return Step::kPenetrates;
    normal = d / distance;
    sure = distance > kPoorDirection * scale();
    return Step::kFound;
  }

  // The edge at body i's vertex that leads towards the point most directly.
  bool leave_vertex(int i, const Vec<3>& point) {
    const Polytope<3>& p = body_[i]->polytope();
    const Core<3>& core = body_[i]->core;
    const std::uint32_t v = f[i].index;
    const Vec<3> d = body_[i]->local_direction(point - x[i]), here = core.vertex(v);
    double most = -1;  // looked at only where an edge leads there at all
    bool leaves = false;
    for (const std::uint32_t e : p.edges_at(v)) {
      const Vec<3> u = core.vertex(p.edges[e].tail == v ? p.edges[e].head : p.edges[e].tail) - here;
      const double along = d.dot(u);
      if (!(along > 0)) continue;
      if (most < 0) most = kSlope * d.norm() + kNoise * scale();
      const double slope = along / u.norm();
      if (slope > most) most = slope, leaves = true, f[i] = {FeatureType::kEdge, e};
    }
    return leaves;
  }

  // The face beside body i's edge that leads towards d most directly; `least` is what counts as such.
  bool leave_edge(int i, const Vec<3>& u, const Vec<3>& d, double least) {
    const auto& e = body_[i]->polytope().edges[f[i].index];
    if (e.left == Polytope<3>::kNoFace) return false;
    const Polytope<3>& p = body_[i]->polytope();
    const Vec<3> across = body_[i]->local_direction(cross(u, d));
    const double left = p.normals[e.left].dot(across), right = -p.normals[e.right].dot(across);
    if (const double most = std::max(left, right); !(most > 0) || !(most > least * u.norm())) return false;
    f[i] = {FeatureType::kFace, left >= right ? e.left : e.right};
    return true;
  }

  // The face of body i whose plane is farthest below the point: its index, and how far.
  std::uint32_t highest_face(int i, const Vec<3>& point, double& height) const {
    const Polytope<3>& p = body_[i]->polytope();
    std::uint32_t best = 0;
    for (std::uint32_t g = 0; g < p.face_count(); ++g) {
      const double h = body_[i]->normal(g).dot(point - body_[i]->vertex(p.face(g)[0]));
      if (g == 0 || h > height) height = h, best = g;
    }
    return best;
  }

  // The point is under body j's face: another face is above it, or it is inside.
  Step from_below(int j, const Vec<3>& point) {
    double height = 0;
    const std::uint32_t g = highest_face(j, point, height);
    if (height <= 0 || g == f[j].index) return Step::kPenetrates;
    return move(j, {FeatureType::kFace, g});
  }

  Step vertex_vertex() {
    for (int i = 0; i < 2; ++i) x[i] = body_[i]->vertex(f[i].index);
    if (leave_vertex(0, x[1]) || leave_vertex(1, x[0])) return Step::kMoved;
    return found_between_points(Vec<3>::Zero());
  }

  Step vertex_edge(int i, int j) {
    const auto& e = body_[j]->polytope().edges[f[j].index];
    x[i] = body_[i]->vertex(f[i].index);
    const Vec<3> tail = body_[j]->vertex(e.tail), u = body_[j]->vertex(e.head) - tail;
    const double square = u.squaredNorm(), s = square > 0 ? (x[i] - tail).dot(u) / square : 0;
    x[j] = tail + std::clamp(s, 0.0, 1.0) * u;
    if (!(s > 0)) return move(j, {FeatureType::kVertex, e.tail});
    if (s >= 1) return move(j, {FeatureType::kVertex, e.head});
    const Vec<3> d = x[i] - x[j];
    if (leave_edge(j, u, d, kSlope * d.norm() + kNoise * scale())) return Step::kMoved;
    if (leave_vertex(i, x[j])) return Step::kMoved;
    return found_between_points(u);
  }

  Step edge_edge() {
    Vec<3> tail[2], u[2];
    for (int i = 0; i < 2; ++i) {
      const auto& e = body_[i]->polytope().edges[f[i].index];
      tail[i] = body_[i]->vertex(e.tail);
      u[i] = body_[i]->vertex(e.head) - tail[i];
    }
    const SegmentParameters at = closest_on_segments<3>(tail[0], tail[0] + u[0], tail[1], tail[1] + u[1]);
    const double parameter[2] = {at.s, at.t};
    bool at_end = false;
    for (int i = 0; i < 2; ++i) {
      x[i] = tail[i] + parameter[i] * u[i];
      if (parameter[i] > 0 && parameter[i] < 1) continue;
      const auto& e = body_[i]->polytope().edges[f[i].index];
      f[i] = {FeatureType::kVertex, parameter[i] > 0 ? e.head : e.tail};
      at_end = true;
    }
    if (at_end) return Step::kMoved;
    Vec<3> n = perpendicular(u[0], u[1]);
    const double height = n.dot(x[1] - x[0]);
    if (height < 0) n = -n;
    if (!(std::abs(height) > kTouching * scale())) return Step::kPenetrates;
    if (leave_edge(0, u[0], n, kSlope) || leave_edge(1, u[1], Vec<3>(-n), kSlope)) return Step::kMoved;
    normal = n;
    return Step::kFound;
  }

  Step vertex_face(int i, int j) {
    const Polytope<3>& p = body_[j]->polytope();
    const auto ring = p.face(f[j].index), edges = p.face_ring_edges(f[j].index);
    const Core<3>& core = body_[j]->core;
    x[i] = body_[i]->vertex(f[i].index);
    // In the face's own frame, where its vertices need no work.
    const Vec<3> own = p.normals[f[j].index], y = body_[j]->local_point(x[i]), origin = core.vertex(ring[0]);
    const Vec<3> n = body_[j]->normal(f[j].index);
    const double height = own.dot(y - origin);
    x[j] = x[i] - height * n;
    double most = kNoise * scale();
    Feature outside = f[j];
    Vec<3> from = origin;
    for (std::size_t k = 0; k < ring.size(); ++k) {
      const Vec<3> to = k + 1 == ring.size() ? origin : core.vertex(ring[k + 1]), u = to - from;
      const double out = -cross(own, u).dot(y - from);
      if (out > 0 && out > most * u.norm()) most = out / u.norm(), outside = {FeatureType::kEdge, edges[k]};
      from = to;
    }
    if (outside.type == FeatureType::kEdge) return move(j, outside);
    if (height <= kTouching * scale()) return from_below(j, x[i]);
    if (descend(i, n)) return Step::kMoved;
    normal = j == 0 ? n : Vec<3>(-n);
    return Step::kFound;
  }

  // The edge at body i's vertex that goes down most steeply against n.
  bool descend(int i, const Vec<3>& n) {
    const Polytope<3>& p = body_[i]->polytope();
    const Core<3>& core = body_[i]->core;
    const std::uint32_t v = f[i].index;
    const Vec<3> own = body_[i]->local_direction(n), here = core.vertex(v);
    const double noise = kNoise * scale();
    double most = kSlope;
    bool leaves = false;
    for (const std::uint32_t e : p.edges_at(v)) {
      const Vec<3> u = core.vertex(p.edges[e].tail == v ? p.edges[e].head : p.edges[e].tail) - here;
      const double down = -own.dot(u);
      if (!(down > noise)) continue;
      const double slope = down / u.norm();
      if (slope > most) most = slope, leaves = true, f[i] = {FeatureType::kEdge, e};
    }
    return leaves;
  }

  struct Clipped {
    double from = 0, to = 1;
    int entered = -1, left = -1;  // ring edges; −1: the edge's own end
    bool empty = false;
  };

  Clipped clip_to_prism(int j, const Vec<3>& n, const Vec<3>& tail, const Vec<3>& u) const {
    const auto ring = body_[j]->polytope().face(f[j].index);
    Clipped out;
    Vec<3> from = body_[j]->vertex(ring[0]);
    const Vec<3> origin = from;
    for (std::size_t k = 0; k < ring.size() && !out.empty; ++k) {
      const Vec<3> to = k + 1 == ring.size() ? origin : body_[j]->vertex(ring[k + 1]);
      const Vec<3> inward = cross(n, Vec<3>(to - from));
      const double start = inward.dot(tail - from), rate = inward.dot(u);
      from = to;
      if (rate == 0) {
        out.empty = start < 0;
        continue;
      }
      const double at = -start / rate;
      if (rate > 0 && at > out.from) out.from = at, out.entered = static_cast<int>(k);
      if (rate < 0 && at < out.to) out.to = at, out.left = static_cast<int>(k);
      out.empty = out.from > out.to;
    }
    return out;
  }

  // The edge passes beside the face: the face's nearest edge.
  Step beside(int j, const Vec<3>& tail, const Vec<3>& u) {
    const Polytope<3>& p = body_[j]->polytope();
    double least = std::numeric_limits<double>::infinity();
    Feature nearest;
    for (const std::uint32_t e : p.face_ring_edges(f[j].index)) {
      const Vec<3> from = body_[j]->vertex(p.edges[e].tail), to = body_[j]->vertex(p.edges[e].head);
      const SegmentParameters at = closest_on_segments<3>(tail, tail + u, from, to);
      const Vec<3> on_edge = tail + at.s * u, on_ring = from + at.t * (to - from);
      const double square = (on_ring - on_edge).squaredNorm();
      if (!(square < least)) continue;
      least = square;
      nearest = {FeatureType::kEdge, e};
      x[1 - j] = on_edge;
      x[j] = on_ring;
    }
    return move(j, nearest);
  }

  Step edge_face(int i, int j) {
    const auto& e = body_[i]->polytope().edges[f[i].index];
    const Polytope<3>& p = body_[j]->polytope();
    const Vec<3> n = body_[j]->normal(f[j].index), origin = body_[j]->vertex(p.face(f[j].index)[0]);
    const Vec<3> tail = body_[i]->vertex(e.tail), u = body_[i]->vertex(e.head) - tail;
    const Clipped c = clip_to_prism(j, n, tail, u);
    if (c.empty) return beside(j, tail, u);
    const double start = n.dot(tail + c.from * u - origin), end = n.dot(tail + c.to * u - origin);
    const double rise = end - start;
    if ((start < 0) != (end < 0)) return Step::kPenetrates;
    if (start < 0) return from_below(j, tail + (rise > 0 ? c.to : c.from) * u);
    // Over a parallel face an end of the edge itself is preferred, if it has one there.
    const bool level = std::abs(rise) <= kSlope * u.norm();
    const bool at_start = level ? c.entered < 0 || c.left >= 0 : rise > 0;
    x[i] = tail + (at_start ? c.from : c.to) * u;
    x[j] = x[i] - n * (at_start ? start : end);
    const int crossed = at_start ? c.entered : c.left;
    if (crossed < 0) return move(i, {FeatureType::kVertex, at_start ? e.tail : e.head});
    return move(j, {FeatureType::kEdge, p.face_ring_edges(f[j].index)[static_cast<std::size_t>(crossed)]});
  }
};

}  // namespace

template <>
WalkEnd walk_features(const CorePair<3>& pair, Feature a, Feature b, FeatureWalk<3>& out) {
  Walk walk(pair, a, b);
  return walking::follow<3>(walk, out);
}

}  // namespace touchstone

// Purpose: the nearest pair of features of two polytopes by trying all of them. It is what the fast routines fall back
// on, and what tests compare them with.
// Source: none; the distance of two convex sets that are apart is taken between boundary points, and those lie in a
//   vertex and a face, or in two edges.
// Letters: x vertices, n face normals, u edge directions.
// Deviations: none.
// Fails: the answer means nothing for cores that penetrate; time grows with the product of the numbers of edges.
#include "collision/narrow/exhaustive.h"

#include <limits>

namespace touchstone {
namespace {

// Relative to the square of the distance. Pairs of points whose distances are the same up to this can lie in directions
// that differ by its root.
constexpr double kTie = 1e-14;

template <int D>
struct Nearest {
  const CorePair<D>& pair;
  double square = std::numeric_limits<double>::infinity();
  ClosestFeatures<D> best;

  void offer(const Vec<D>& on_a, const Vec<D>& on_b, Feature fa, Feature fb) {
    const Vec<D> d = on_b - on_a;
    const double d2 = d.squaredNorm();
    if (d2 > square * (1 + kTie)) return;
    const bool tied = d2 >= square * (1 - kTie);
    if (tied && !separates_better(d, d2)) return;
    square = d2;
    best = {std::sqrt(d2), on_a, on_b, Vec<D>::Zero(), fa, fb};
  }

  // Of two directions with the same distance the one along which the cores are farther apart is right.
  bool separates_better(const Vec<D>& d, double d2) const {
    const Vec<D> before = best.on_b - best.on_a;
    if (!(d2 > 0) || (d - before).squaredNorm() <= 1e-24 * d2) return false;
    return pair.separation(d.normalized()) > pair.separation(before.normalized());
  }
};

template <int D>
struct Segment {
  Vec<D> tail, head;
};

std::size_t edge_count(const Polytope<2>& p) { return p.normals.size(); }
std::size_t edge_count(const Polytope<3>& p) { return p.edges.size(); }
Segment<2> edge_of(const PlacedCore<2>& c, std::size_t e) { return {c.vertex(e), c.vertex(c.polytope().next(e))}; }
Segment<3> edge_of(const PlacedCore<3>& c, std::size_t e) {
  const auto& edge = c.polytope().edges[e];
  return {c.vertex(edge.tail), c.vertex(edge.head)};
}

// In a workspace that keeps its capacity.
template <int D>
void collect(const PlacedCore<D>& c, std::vector<Segment<D>>& edges) {
  edges.clear();
  const std::size_t count = edge_count(c.polytope());
  for (std::size_t e = 0; e < count; ++e) edges.push_back(edge_of(c, e));
  // A lone point is an edge of no length, so that pairs of edges cover everything but the inside of faces.
  if (count == 0) edges.push_back({c.vertex(0), c.vertex(0)});
}

Feature feature_at(const Polytope<2>& p, std::size_t e, double s) {
  if (s > 0 && s < 1) return {FeatureType::kEdge, static_cast<std::uint32_t>(e)};
  return {FeatureType::kVertex, static_cast<std::uint32_t>(s > 0 ? p.next(e) : e)};
}
Feature feature_at(const Polytope<3>& p, std::size_t e, double s) {
  if (p.edges.empty()) return {FeatureType::kVertex, 0};
  if (s > 0 && s < 1) return {FeatureType::kEdge, static_cast<std::uint32_t>(e)};
  return {FeatureType::kVertex, s > 0 ? p.edges[e].head : p.edges[e].tail};
}

template <int D>
void edges_against_edges(const CorePair<D>& pair, Nearest<D>& nearest) {
  thread_local std::vector<Segment<D>> edges_a, edges_b;
  collect(pair.a, edges_a);
  collect(pair.b, edges_b);
  for (std::size_t i = 0; i < edges_a.size(); ++i)
    for (std::size_t j = 0; j < edges_b.size(); ++j) {
      const Segment<D>&a = edges_a[i], &b = edges_b[j];
      const SegmentParameters at = closest_on_segments<D>(a.tail, a.head, b.tail, b.head);
      nearest.offer(a.tail + at.s * (a.head - a.tail), b.tail + at.t * (b.head - b.tail),
                    feature_at(pair.a.polytope(), i, at.s), feature_at(pair.b.polytope(), j, at.t));
    }
}

// Whether the point lies over the face: on the inner side of all the planes that stand on its edges.
bool over_face(const PlacedCore<3>& c, std::size_t f, const Vec<3>& n, const Vec<3>& x) {
  const auto ring = c.polytope().face(f);
  Vec<3> from = c.vertex(ring.back());
  for (const std::uint32_t v : ring) {
    const Vec<3> to = c.vertex(v);
    if (cross(n, Vec<3>(to - from)).dot(x - from) < 0) return false;
    from = to;
  }
  return true;
}

void vertices_against_faces(const PlacedCore<3>& points, const PlacedCore<3>& faces, bool faces_are_a,
                            Nearest<3>& nearest) {
  for (std::size_t f = 0; f < faces.polytope().face_count(); ++f) {
    const Vec<3> n = faces.normal(f), origin = faces.vertex(faces.polytope().face(f)[0]);
    const Feature face{FeatureType::kFace, static_cast<std::uint32_t>(f)};
    for (std::size_t i = 0; i < points.vertex_count(); ++i) {
      const Vec<3> x = points.vertex(i);
      const double height = n.dot(x - origin);
      if (height < 0 || height * height > nearest.square * (1 + kTie) || !over_face(faces, f, n, x)) continue;
      const Vec<3> foot = x - height * n;
      const Feature vertex{FeatureType::kVertex, static_cast<std::uint32_t>(i)};
      faces_are_a ? nearest.offer(foot, x, face, vertex) : nearest.offer(x, foot, vertex, face);
    }
  }
}

}  // namespace

template <int D>
ClosestFeatures<D> closest_features_exhaustive(const CorePair<D>& pair) {
  Nearest<D> nearest{pair, std::numeric_limits<double>::infinity(), {}};
  edges_against_edges(pair, nearest);
  if constexpr (D == 3) {
    vertices_against_faces(pair.b, pair.a, true, nearest);
    vertices_against_faces(pair.a, pair.b, false, nearest);
  }
  if (nearest.best.distance > 0) nearest.best.normal = (nearest.best.on_b - nearest.best.on_a) / nearest.best.distance;
  return nearest.best;
}

template ClosestFeatures<2> closest_features_exhaustive(const CorePair<2>&);
template ClosestFeatures<3> closest_features_exhaustive(const CorePair<3>&);

}  // namespace touchstone

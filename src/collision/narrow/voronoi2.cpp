// Purpose: the narrow phase `voronoi2`: distance and penetration depth of two convex polygons with radii, from the pair
// of closest features. A pair is closest if the nearest point of each feature lies in the Voronoi region of the other.
// Source: [thompson2003] narrow phase (after Lin and Canny), with the pair kept from step to step.
// Letters: x_i nearest point of body i's feature; n outward normal of a side; u along a side; v from a vertex to a
// point. Deviations: 1. A vertex' region is v·u1 ≥ 0 and v·u2 ≤ 0 for the sides before and after it; the paper's test
// by the
//   other ray is right for right angles only. 2. The search moves to the neighbour whose region was entered instead of
//   trying all pairs. 3. Parallel sides: the end of a side against the other side, whichever the walk meets first.
//   4. If no pair fits they penetrate, and separating axes give the depth; the paper goes back in time instead.
//   5. What two boxes remember is tried in closed form before anything is prepared (kept_boxes.cpp).
// Fails: may lose its way on ties and stops at kMostSteps; closest_by_features then searches.
#include "collision/narrow/voronoi2.h"

#include "collision/narrow/feature_walk.h"
#include "collision/narrow/kept_boxes.h"

namespace touchstone {
namespace {

using namespace walking;

struct Walk {
  const PlacedCore<2>* body[2];
  Feature f[2];
  Vec<2> x[2] = {Vec<2>::Zero(), Vec<2>::Zero()};
  Vec<2> normal = Vec<2>::Zero();  // from A to B
  bool sure = true;

  Step step() {
    const bool edge[2] = {f[0].type == FeatureType::kEdge, f[1].type == FeatureType::kEdge};
    if (edge[0] && edge[1]) return edge_edge();
    if (edge[0] || edge[1]) return edge[1] ? vertex_edge(0, 1) : vertex_edge(1, 0);
    return vertex_vertex();
  }

  double scale() const { return x[0].lpNorm<1>() + x[1].lpNorm<1>() + body[1]->p.lpNorm<1>(); }

  // To the side at body i's vertex that leads along d by a slope of more than `least`, the more direct one of the two.
  bool leave_vertex(int i, const Vec<2>& d, double least) {
    const Polytope<2>& p = body[i]->polytope();
    const Core<2>& core = body[i]->core;
    const std::size_t v = f[i].index, count = p.vertices.size(), before = v == 0 ? count - 1 : v - 1;
    if (count == 1) return false;
    const Vec<2> own = body[i]->local_direction(d), here = core.vertex(v);
    bool leaves = false;
    for (const bool ahead : {true, false}) {
      const Vec<2> u = core.vertex(ahead ? p.next(v) : before) - here;
      const double along = own.dot(u);
      if (!(along > 0)) continue;
      const double slope = along / u.norm();
      if (!(slope > least)) continue;
      least = slope;
      leaves = true;
      f[i] = {FeatureType::kEdge, static_cast<std::uint32_t>(ahead ? v : before)};
    }
    return leaves;
  }

  Step vertex_vertex() {
    for (int i = 0; i < 2; ++i) x[i] = body[i]->vertex(f[i].index);
    const Vec<2> d = x[1] - x[0];
    const double distance = d.norm(), least = kSlope * distance + kNoise * scale();
    if (leave_vertex(0, d, least) || leave_vertex(1, Vec<2>(-d), least)) return Step::kMoved;
    if (!(distance > kTouching * scale())) return Step::kPenetrates;
    normal = d / distance;
    sure = distance > kPoorDirection * scale();
    return Step::kFound;
  }

  // In the side's own frame, where its ends need no work.
  Step vertex_edge(int i, int j) {
    const Polytope<2>& p = body[j]->polytope();
    const Core<2>& core = body[j]->core;
    const std::size_t side = f[j].index;
    x[i] = body[i]->vertex(f[i].index);
    const Vec<2> tail = core.vertex(side), u = core.vertex(p.next(side)) - tail, r = body[j]->local_point(x[i]) - tail;
    const double along = r.dot(u);
    if (!(along > 0) || along >= u.squaredNorm()) {
      f[j] = {FeatureType::kVertex, static_cast<std::uint32_t>(along > 0 ? p.next(side) : side)};
      x[j] = body[j]->vertex(f[j].index);
      return Step::kMoved;
    }
    const Vec<2> n = body[j]->normal(side);
    const double height = p.normals[side].dot(r);
    x[j] = x[i] - height * n;
    if (height <= kTouching * scale()) return from_below(j, x[i]);
    if (leave_vertex(i, Vec<2>(-n), kSlope)) return Step::kMoved;
    normal = j == 0 ? n : Vec<2>(-n);
    return Step::kFound;
  }

  // The point is behind body j's side: another side is in front of it, or it is inside.
  Step from_below(int j, const Vec<2>& point) {
    const std::size_t count = body[j]->polytope().normals.size();
    std::size_t best = 0;
    double most = 0;
    for (std::size_t g = 0; g < count; ++g)
      if (const double h = body[j]->normal(g).dot(point - body[j]->vertex(g)); h > most) most = h, best = g;
    if (!(most > 0) || best == f[j].index) return Step::kPenetrates;
    f[j].index = static_cast<std::uint32_t>(best);
    return Step::kMoved;
  }

  Step edge_edge() {
    Vec<2> tail[2], head[2];
    for (int i = 0; i < 2; ++i) {
      tail[i] = body[i]->vertex(f[i].index);
      head[i] = body[i]->vertex(body[i]->polytope().next(f[i].index));
    }
    const SegmentParameters at = closest_on_segments<2>(tail[0], head[0], tail[1], head[1]);
    const double parameter[2] = {at.s, at.t};
    Step step = Step::kPenetrates;  // unless an end is nearest, they cross
    for (int i = 0; i < 2; ++i) {
      x[i] = tail[i] + parameter[i] * (head[i] - tail[i]);
      if (parameter[i] > 0 && parameter[i] < 1) continue;
      const std::size_t v = parameter[i] > 0 ? body[i]->polytope().next(f[i].index) : f[i].index;
      f[i] = {FeatureType::kVertex, static_cast<std::uint32_t>(v)};
      step = Step::kMoved;
    }
    return step;
  }
};

}  // namespace

template <>
WalkEnd walk_features(const CorePair<2>& pair, Feature a, Feature b, FeatureWalk<2>& out) {
  Walk walk{{&pair.a, &pair.b}, {a, b}};
  return walking::follow<2>(walk, out);
}

bool voronoi2(const Placed<2>& a, const Placed<2>& b, double margin, PairMemory& memory, Closest<2>& out) {
  const bool remembered = memory.kind == PairMemory::Kind::kFeatures;
  if (remembered && both_boxes(a, b))
    if (const Kept kept = kept_box_features(a, b, margin, memory, 0, out); kept != Kept::kNo)
      return kept == Kept::kWithin;
  const CorePair<2> pair(a, b);
  out.iterations = 0;
  out.converged = true;
  memory.kind = PairMemory::Kind::kFeatures;
  const CoreAnswer<2> cores = closest_by_features(pair, margin + pair.radii(), memory, 0, remembered, out.iterations);
  return finish(a, pair, cores, margin, out);
}

}  // namespace touchstone

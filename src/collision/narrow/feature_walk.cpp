// Purpose: the frame around walks over pairs of features: where they start, when their end is believed, and what is
// done if they do not end. Nothing here is proportional to the number of vertices as long as the remembered pair holds.
// Source: [thompson2003] section on the narrow phase; B. Mirtich, V-Clip: fast and robust polyhedral collision
//   detection, ACM Transactions on Graphics 17 (1998).
// Letters: n unit normal from A to B.
// Deviations: 1. An end that was reached by walking, or is not beyond doubt, must be proven: the cores must be as far
//   apart along n as the points are. Otherwise all features are searched. 2. Depth comes from separating axes.
// Fails: never; slow where it has to search.
#include "collision/narrow/feature_walk.h"

#include "collision/narrow/sat.h"

namespace touchstone {
namespace {

constexpr double kProven = 1e-11;  // relative to the size: how far separation and distance may differ

std::size_t count_of(const Polytope<2>& p, FeatureType type) {
  return type == FeatureType::kVertex ? p.vertices.size() : type == FeatureType::kEdge ? p.normals.size() : 0;
}
std::size_t count_of(const Polytope<3>& p, FeatureType type) {
  return type == FeatureType::kVertex ? p.vertices.size()
         : type == FeatureType::kEdge ? p.edges.size()
         : type == FeatureType::kFace ? p.face_count()
                                      : 0;
}

void store(const Feature& f, std::array<std::uint16_t, 4>& entries, std::size_t slot) {
  entries[slot] = static_cast<std::uint16_t>(f.index);
  entries[slot + 1] = static_cast<std::uint16_t>(f.type);
}

// A remembered feature may be of another shape, or wrong: any that exists will do as a start.
Feature recall(const std::array<std::uint16_t, 4>& entries, std::size_t slot) {
  return {static_cast<FeatureType>(entries[slot + 1]), entries[slot]};
}
template <int D>
bool exists(const Polytope<D>& p, const Feature& f) {
  return f.index < count_of(p, f.type);
}

template <int D>
Feature vertex_towards(const PlacedCore<D>& c, const Vec<D>& direction) {
  double along;
  return {FeatureType::kVertex, static_cast<std::uint32_t>(c.farthest(direction, along))};
}

// Calls use(side) for the normals of the sides and faces that meet in the feature, until it returns true.
template <class F>
bool any_face_at(const Polytope<2>& p, const Feature& f, F use) {
  if (p.normals.empty()) return false;
  return use(f.index) || (f.type == FeatureType::kVertex && use((f.index + p.normals.size() - 1) % p.normals.size()));
}
template <class F>
bool any_face_at(const Polytope<3>& p, const Feature& f, F use) {
  const auto at_edge = [&](std::uint32_t e) {
    return p.edges[e].left != Polytope<3>::kNoFace && (use(p.edges[e].left) || use(p.edges[e].right));
  };
  if (f.type == FeatureType::kFace) return use(f.index);
  if (f.type == FeatureType::kEdge) return at_edge(f.index);
  for (const std::uint32_t e : p.edges_at(f.index))
    if (at_edge(e)) return true;
  return false;
}

// Whether the cores are as far apart along the normal as the points are. Of points that nearly coincide the direction
// is noise; then the normal of a face beside them may prove it, and is the better normal.
template <int D>
bool prove(const CorePair<D>& pair, FeatureWalk<D>& walk) {
  CoreAnswer<D>& answer = walk.answer;
  const double least = answer.gap - kProven * pair.size();
  if (pair.separation(answer.normal) >= least) return true;
  const auto try_side = [&](const PlacedCore<D>& c, double sign) {
    return [&c, sign, &pair, &answer, least](std::size_t f) {
      const Vec<D> n = sign * c.normal(f);
      if (!(pair.separation(n) >= least)) return false;
      answer.normal = n;
      return true;
    };
  };
  return any_face_at(pair.a.polytope(), walk.a, try_side(pair.a, 1)) ||
         any_face_at(pair.b.polytope(), walk.b, try_side(pair.b, -1));
}

}  // namespace

template <int D>
CoreAnswer<D> closest_by_features(const CorePair<D>& pair, double enough, PairMemory& memory, std::size_t slot,
                                  bool remembered, int& iterations) {
  FeatureWalk<D> walk;
  WalkEnd end = WalkEnd::kLost;
  const auto keep = [&] {
    store(walk.a, memory.a, slot);
    store(walk.b, memory.b, slot);
  };
  Feature a = recall(memory.a, slot), b = recall(memory.b, slot);
  remembered = remembered && exists(pair.a.polytope(), a) && exists(pair.b.polytope(), b);
  for (const bool cold : {false, true}) {
    if (!cold && !remembered) continue;
    if (cold) {
      a = vertex_towards(pair.a, pair.b.p);
      b = vertex_towards(pair.b, Vec<D>(-pair.b.p));
    }
    walk.steps = 0;
    walk.sure = true;
    end = walk_features(pair, a, b, walk);
    iterations += walk.steps + 1;
    if (end == WalkEnd::kFound && ((walk.sure && walk.steps == 0) || prove(pair, walk))) {
      keep();
      return walk.answer;
    }
    if (end == WalkEnd::kPenetrates) break;
  }
  keep();
  const SeparatingAxis<D> axis = greatest_separation(pair, enough);
  if (axis.separation > enough) return {axis.separation, axis.normal, Vec<D>::Zero(), Vec<D>::Zero()};
  return answer_from_axis(pair, axis);
}

template CoreAnswer<2> closest_by_features(const CorePair<2>&, double, PairMemory&, std::size_t, bool, int&);
template CoreAnswer<3> closest_by_features(const CorePair<3>&, double, PairMemory&, std::size_t, bool, int&);

}  // namespace touchstone

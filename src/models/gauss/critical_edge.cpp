// Purpose: the sidedness constraints between two convex polygons that are near each other.
// Source: [rote2012 §8.5]: for each pair one critical edge that separates them.
// Letters: e critical edge, E its polygon, K the other one, f the edge of K that faces e, α place along an edge.
// Deviations:
//   (1) The paper takes the less satisfied of the two best edges. For a corner over the middle of a side that is the
//       corner's own edge, beyond which the other polygon lies far; the better satisfied one is taken here.
//   (2) The paper constrains all vertices of K by e. Vertices beyond its ends (α outside [0, 1]) then carry loads that
//       nothing is under, and unstable towers stand. Here those over e are, and those of E over f.
// Fails: never; polygons that touch corner to corner have no constraint.
#include "models/gauss/critical_edge.h"

#include <algorithm>
#include <limits>

namespace touchstone {
namespace {

using Outline = std::span<const std::uint32_t>;
constexpr double kBeyond = 1e-9;  // of an edge: rounding of a vertex that is over its end

std::size_t next(Outline o, std::size_t i) { return i + 1 == o.size() ? 0 : i + 1; }

Vec<2> outward(Outline o, std::size_t i, std::span<const Vec<2>> p) {
  const Vec<2> e = p[o[next(o, i)]] - p[o[i]];
  return Vec<2>(e.y(), -e.x()).normalized();
}

struct Separation {
  std::size_t edge = 0;
  double distance = -std::numeric_limits<double>::infinity();
};

// The edge from which the other polygon is farthest.
Separation best_edge(Outline a, Outline b, std::span<const Vec<2>> p) {
  Separation best;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Vec<2> n = outward(a, i, p);
    double least = std::numeric_limits<double>::infinity();
    for (const std::uint32_t k : b) least = std::min(least, n.dot(p[k] - p[a[i]]));
    if (least > best.distance) best = {i, least};
  }
  return best;
}

std::size_t facing_edge(Outline o, const Vec<2>& n, std::span<const Vec<2>> p) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < o.size(); ++i)
    if (outward(o, i, p).dot(n) < outward(o, best, p).dot(n)) best = i;
  return best;
}

// Vertices of `other` over an edge, which is turned round so that A >= 0 outside.
void add_vertices(Outline o, std::size_t edge, Outline other, std::span<const Vec<2>> p, double margin,
                  std::vector<Sidedness<2>>& out) {
  const double length = (p[o[next(o, edge)]] - p[o[edge]]).norm();
  for (const std::uint32_t k : other) {
    const Sidedness<2> s{o[next(o, edge)], o[edge], k};
    if (k == s[0] || k == s[1]) continue;  // polygons that are attached to each other share it
    if (side_frame<2>(s, p).within(kBeyond) && signed_volume<2>(s, p) <= margin * length) out.push_back(s);
  }
}

}  // namespace

void add_critical_sides(Outline a, Outline b, std::span<const Vec<2>> p, double margin,
                        std::vector<Sidedness<2>>& out) {
  const Separation of_a = best_edge(a, b, p), of_b = best_edge(b, a, p);
  const bool a_first = of_a.distance >= of_b.distance;
  if (std::max(of_a.distance, of_b.distance) > margin) return;
  const Outline e = a_first ? a : b, k = a_first ? b : a;
  const std::size_t edge = a_first ? of_a.edge : of_b.edge;
  add_vertices(e, edge, k, p, margin, out);
  add_vertices(k, facing_edge(k, outward(e, edge, p), p), e, p, margin, out);
}

void critical_sides(const Framework<2>& framework, std::span<const Vec<2>> p, double margin,
                    std::vector<Sidedness<2>>& out) {
  struct Box {
    Vec<2> low, high;
    bool moves = false;
  };
  std::vector<Box> boxes;
  for (const auto& outline : framework.outlines) {
    Box box{p[outline.front()], p[outline.front()]};
    for (const std::uint32_t i : outline) {
      box.low = box.low.cwiseMin(p[i]), box.high = box.high.cwiseMax(p[i]);
      box.moves |= framework.mass[i] > 0;
    }
    boxes.push_back(box);
  }
  out.clear();
  for (std::size_t a = 0; a < boxes.size(); ++a) {
    for (std::size_t b = a + 1; b < boxes.size(); ++b) {
      if (!boxes[a].moves && !boxes[b].moves) continue;
      const Vec<2> apart = (boxes[b].low - boxes[a].high).cwiseMax(boxes[a].low - boxes[b].high);
      if (apart.maxCoeff() <= margin) add_critical_sides(framework.outlines[a], framework.outlines[b], p, margin, out);
    }
  }
}

}  // namespace touchstone

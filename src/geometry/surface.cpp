// Purpose: what meshes and chains share: welding vertices that are one, and a tree of bounds over the pieces.
// Source: textbook median split; nodes lie depth first, so that a walk needs no stack (skip pointers).
// Letters: none.
// Deviations: none.
// Fails: never; all sizes are finite when it is called.
#include "geometry/surface.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace touchstone {
namespace {

constexpr std::uint32_t kLeaf = 4;  // pieces; fewer make the tree larger than what it saves

template <int D>
Bounds<D> bounds_of_piece(const Surface<D>& s, std::uint32_t piece) {
  Bounds<D> b{s.vertices[s.pieces[piece][0]], s.vertices[s.pieces[piece][0]]};
  for (const std::uint32_t v : s.pieces[piece])
    b.lower = b.lower.cwiseMin(s.vertices[v]), b.upper = b.upper.cwiseMax(s.vertices[v]);
  return b;
}

template <int D>
class TreeBuilder {
 public:
  explicit TreeBuilder(Surface<D>& surface) : surface_(surface), order_(surface.pieces.size()) {
    std::iota(order_.begin(), order_.end(), 0u);
    for (std::uint32_t i = 0; i < order_.size(); ++i) {
      bounds_.push_back(bounds_of_piece(surface, i));
      middles_.push_back(0.5 * (bounds_[i].lower + bounds_[i].upper));
    }
  }

  const std::vector<std::uint32_t>& build() {
    surface_.nodes.clear();
    split(0, static_cast<std::uint32_t>(order_.size()));
    return order_;
  }

 private:
  // The depth is the logarithm of the number of pieces, because every split halves it.
  void split(std::uint32_t first, std::uint32_t last) {
    const std::size_t node = surface_.nodes.size();
    surface_.nodes.push_back({bounds_[order_[first]], first, last - first, 0});
    Bounds<D>& b = surface_.nodes[node].bounds;
    Vec<D> lower = middles_[order_[first]], upper = lower;
    for (std::uint32_t i = first; i < last; ++i) {
      const std::uint32_t p = order_[i];
      b.lower = b.lower.cwiseMin(bounds_[p].lower), b.upper = b.upper.cwiseMax(bounds_[p].upper);
      lower = lower.cwiseMin(middles_[p]), upper = upper.cwiseMax(middles_[p]);
    }
    const auto begin = order_.begin() + first, end = order_.begin() + last;
    if (last - first <= kLeaf) {
      std::sort(begin, end);  // the order within a half is the library's own; here it becomes ours
    } else {
      int axis = 0;
      (upper - lower).maxCoeff(&axis);
      const std::uint32_t half = (last - first) / 2;
      std::nth_element(begin, begin + half, end, [&](std::uint32_t x, std::uint32_t y) {
        return std::pair(middles_[x][axis], x) < std::pair(middles_[y][axis], y);
      });
      surface_.nodes[node].count = 0;
      split(first, first + half);
      split(first + half, last);
    }
    surface_.nodes[node].next = static_cast<std::uint32_t>(surface_.nodes.size());
  }

  Surface<D>& surface_;
  std::vector<std::uint32_t> order_;
  std::vector<Bounds<D>> bounds_;
  std::vector<Vec<D>> middles_;
};

template <class T>
void permute(std::vector<T>& values, const std::vector<std::uint32_t>& order) {
  const std::vector<T> old = values;
  for (std::size_t i = 0; i < order.size(); ++i) values[i] = old[order[i]];
}

}  // namespace

template <int D>
void build_tree(Surface<D>& s) {
  const std::vector<std::uint32_t> order = TreeBuilder<D>(s).build();
  std::vector<std::uint32_t> now(order.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) now[order[i]] = i;
  permute(s.pieces, order), permute(s.normals, order), permute(s.neighbours, order), permute(s.edges, order),
      permute(s.sources, order);
  for (auto& of_piece : s.neighbours)
    for (std::uint32_t& n : of_piece)
      if (n != Surface<D>::kNone) n = now[n];
  s.bounds = s.nodes[0].bounds;
  s.reach = 0;
  for (const Vec<D>& v : s.vertices) s.reach = std::max(s.reach, v.norm());
}

template <int D>
double size_of(std::span<const Vec<D>> vertices) {
  if (vertices.empty()) return 0;
  Vec<D> lower = vertices[0], upper = vertices[0];
  for (const Vec<D>& v : vertices) lower = lower.cwiseMin(v), upper = upper.cwiseMax(v);
  return (upper - lower).norm();
}

// Along a direction that no grid follows, few vertices lie beside each other, so that a sweep finds near ones fast.
template <int D>
std::vector<std::uint32_t> weld(std::span<const Vec<D>> vertices, double tolerance) {
  Vec<D> direction;
  for (int i = 0; i < D; ++i) direction[i] = std::sqrt(2.0 + 3.0 * i + i * i * 0.7);
  direction.normalize();
  std::vector<std::uint32_t> place(vertices.size()), order(vertices.size());
  std::iota(place.begin(), place.end(), 0u);
  std::iota(order.begin(), order.end(), 0u);
  std::vector<double> along;
  for (const Vec<D>& v : vertices) along.push_back(v.dot(direction));
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t x, std::uint32_t y) { return std::pair(along[x], x) < std::pair(along[y], y); });
  const double reach =
      tolerance * std::sqrt(static_cast<double>(D)) +
      1e-15 * (along.empty() ? 0.0 : std::max(std::abs(along[order[0]]), std::abs(along[order.back()])));
  std::vector<char> taken(vertices.size(), 0);
  std::vector<std::uint32_t> group;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (taken[order[i]]) continue;
    group.assign(1, order[i]);
    for (std::size_t j = i + 1; j < order.size() && along[order[j]] - along[order[i]] <= reach; ++j)
      if (!taken[order[j]] && (vertices[order[j]] - vertices[order[i]]).cwiseAbs().maxCoeff() <= tolerance)
        group.push_back(order[j]);
    const std::uint32_t first = *std::min_element(group.begin(), group.end());
    for (const std::uint32_t v : group) place[v] = first, taken[v] = 1;
  }
  return place;
}

template <int D>
std::string place_text(const Vec<D>& p) {
  return D == 2 ? fmt::format("({:.6g}, {:.6g})", p[0], p[1])
                : fmt::format("({:.6g}, {:.6g}, {:.6g})", p[0], p[1], p[D - 1]);
}

std::string repair_text(const SurfaceRepair& r) {
  std::vector<std::string> words;
  const auto say = [&](std::uint32_t n, const char* one, const char* many) {
    if (n > 0) words.push_back(fmt::format("{} {}", n, n == 1 ? one : many));
  };
  say(r.welded, "duplicate vertex was welded", "duplicate vertices were welded");
  say(r.dropped, "piece without area or there twice was dropped", "pieces without area or there twice were dropped");
  say(r.flipped, "triangle wound against its neighbours was turned",
      "triangles wound against their neighbours were turned");
  if (r.turned) words.emplace_back("the surface was inside-out and was turned round");
  return fmt::format("{}", fmt::join(words, ", "));
}

template void build_tree(Surface<2>&);
template void build_tree(Surface<3>&);
template double size_of<2>(std::span<const Vec<2>>);
template double size_of<3>(std::span<const Vec<3>>);
template std::vector<std::uint32_t> weld<2>(std::span<const Vec<2>>, double);
template std::vector<std::uint32_t> weld<3>(std::span<const Vec<3>>, double);
template std::string place_text<2>(const Vec<2>&);
template std::string place_text<3>(const Vec<3>&);

}  // namespace touchstone

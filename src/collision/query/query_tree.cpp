#include "collision/query/query_tree.h"

#include <algorithm>

namespace touchstone {
namespace {

template <int D>
Bounds<D> united(const Bounds<D>& a, const Bounds<D>& b) {
  return {a.lower.cwiseMin(b.lower), a.upper.cwiseMax(b.upper)};
}

}  // namespace

template <int D>
void QueryTree<D>::update(const ColliderTable<D>& colliders, std::span<const Vec<D>> position,
                          std::span<const Rotation<D>> orientation) {
  pose_.resize(colliders.size());
  bounds_.resize(colliders.size());
  std::vector<std::uint32_t> bounded;
  unbounded_.clear();
  for (std::uint32_t i = 0; i < colliders.size(); ++i) {
    const Collider<D>& c = colliders[i];
    if (!c.alive) continue;
    const Mat<D> R = matrix_of(orientation[c.body]);
    pose_[i] = {position[c.body] + R * c.p_local(), R * c.R_local()};
    bounds_[i] = bounds_of(c.shape(), pose_[i].p, pose_[i].R);
    const bool finite = bounds_[i].lower.allFinite() && bounds_[i].upper.allFinite();
    (finite ? bounded : unbounded_).push_back(i);
  }
  // Boxes twice as large as when they were made are met too often.
  constexpr double kGrown = 2.0;
  if (bounded != bounded_ || refit() > kGrown * built_size_) {
    bounded_ = std::move(bounded);
    build();
  }
}

template <int D>
void QueryTree<D>::build() {
  nodes_.clear();
  items_ = bounded_;
  if (items_.empty()) return;
  nodes_.reserve(2 * items_.size());
  nodes_.emplace_back();
  split(0, 0, static_cast<std::uint32_t>(items_.size()));
  built_size_ = refit();
}

template <int D>
void QueryTree<D>::split(std::uint32_t node, std::uint32_t begin, std::uint32_t end) {
  if (end - begin <= kLeaf) {
    nodes_[node].first = begin;
    nodes_[node].count = end - begin;
    return;
  }
  const auto middle_of = [&](std::uint32_t slot) { return Vec<D>(0.5 * (bounds_[slot].lower + bounds_[slot].upper)); };
  Bounds<D> middles{middle_of(items_[begin]), middle_of(items_[begin])};
  for (std::uint32_t i = begin; i < end; ++i) middles = united(middles, {middle_of(items_[i]), middle_of(items_[i])});
  int axis = 0;
  (middles.upper - middles.lower).maxCoeff(&axis);
  const std::uint32_t half = begin + (end - begin) / 2;
  std::nth_element(items_.begin() + begin, items_.begin() + half, items_.begin() + end,
                   [&](std::uint32_t a, std::uint32_t b) {
                     const double xa = bounds_[a].lower[axis] + bounds_[a].upper[axis];
                     const double xb = bounds_[b].lower[axis] + bounds_[b].upper[axis];
                     return xa < xb || (xa == xb && a < b);
                   });
  const auto left = static_cast<std::uint32_t>(nodes_.size());
  nodes_.emplace_back();
  nodes_.emplace_back();
  nodes_[node].first = left;
  split(left, begin, half);
  split(left + 1, half, end);
}

// Children stand behind their parents, so one pass from the back fits every box. The sum of the boxes' sizes.
template <int D>
double QueryTree<D>::refit() {
  double total = 0;
  for (std::size_t n = nodes_.size(); n-- > 0;) {
    Node& node = nodes_[n];
    if (node.count > 0) {
      node.bounds = bounds_[items_[node.first]];
      for (std::uint32_t i = 1; i < node.count; ++i) node.bounds = united(node.bounds, bounds_[items_[node.first + i]]);
    } else {
      node.bounds = united(nodes_[node.first].bounds, nodes_[node.first + 1].bounds);
    }
    total += (node.bounds.upper - node.bounds.lower).sum();
  }
  return total;
}

template <int D>
template <class Pass, class Leaf>
void QueryTree<D>::visit(Pass pass, Leaf leaf) const {
  // The tree halves its items: so deep that 2^63 of them would fit.
  std::uint32_t stack[64];
  std::size_t depth = 0;
  if (!nodes_.empty()) stack[depth++] = 0;
  while (depth > 0) {
    const Node& node = nodes_[stack[--depth]];
    if (!pass(node.bounds)) continue;
    if (node.count == 0) {
      stack[depth++] = node.first + 1;
      stack[depth++] = node.first;
      continue;
    }
    for (std::uint32_t i = node.first; i < node.first + node.count; ++i) leaf(items_[i]);
  }
}

template <int D>
void QueryTree<D>::overlapping(const Bounds<D>& bounds, std::vector<std::uint32_t>& out) const {
  const auto test = [&](std::uint32_t slot) {
    if (bounds_[slot].overlaps(bounds)) out.push_back(slot);
  };
  for (const std::uint32_t slot : unbounded_) test(slot);
  visit([&](const Bounds<D>& b) { return b.overlaps(bounds); }, test);
  std::sort(out.begin(), out.end());
}

template <int D>
void QueryTree<D>::along(const Ray<D>& ray, const Vec<D>& half, std::vector<Entry>& out) const {
  double first = 0;
  const auto meets = [&](const Bounds<D>& b) {
    return ray_bounds(ray, Bounds<D>{b.lower - half, b.upper + half}, first);
  };
  const auto test = [&](std::uint32_t slot) {
    if (meets(bounds_[slot])) out.push_back({first, slot});
  };
  for (const std::uint32_t slot : unbounded_) test(slot);
  visit(meets, test);
  std::sort(out.begin(), out.end(), [](const Entry& a, const Entry& b) {
    return a.distance < b.distance || (a.distance == b.distance && a.slot < b.slot);
  });
}

template class QueryTree<2>;
template class QueryTree<3>;

}  // namespace touchstone

// Purpose: pairs of overlapping bounds by descending a tree against itself.
// Source: refitted trees are folklore; the pair search is the simultaneous descent of two subtrees.
// Fails: never; many bounds in one point degrade it to brute force within a leaf.
#include "collision/broad/bvh.h"

#include <algorithm>

namespace touchstone {
namespace {

template <int D>
double size_of(const Bounds<D>& b) {
  return (b.upper - b.lower).sum();
}

template <int D>
Bounds<D> united(const Bounds<D>& a, const Bounds<D>& b) {
  return {a.lower.cwiseMin(b.lower), a.upper.cwiseMax(b.upper)};
}

}  // namespace

// Sorts living colliders into bounded and unbounded ones; whether that differs from what the tree was built of.
template <int D>
bool Bvh<D>::outdated(const BroadInput<D>& in) {
  scratch_.clear();
  scratch_unbounded_.clear();
  for (std::uint32_t i = 0; i < in.colliders.size(); ++i) {
    if (!in.colliders[i].alive) continue;
    const bool bounded = in.bounds[i].lower.allFinite() && in.bounds[i].upper.allFinite();
    (bounded ? scratch_ : scratch_unbounded_).push_back(i);
  }
  std::swap(unbounded_, scratch_unbounded_);
  if (scratch_ == bounded_) return false;
  std::swap(bounded_, scratch_);
  return true;
}

template <int D>
void Bvh<D>::build(const BroadInput<D>& in) {
  nodes_.clear();
  items_ = bounded_;
  centre_.resize(in.colliders.size());
  for (const std::uint32_t i : items_) centre_[i] = 0.5 * (in.bounds[i].lower + in.bounds[i].upper);
  if (items_.empty()) return;
  nodes_.reserve(2 * items_.size());
  nodes_.emplace_back();
  split(in, 0, 0, static_cast<std::uint32_t>(items_.size()));
  built_size_ = refit(in);
}

template <int D>
void Bvh<D>::split(const BroadInput<D>& in, std::uint32_t node, std::uint32_t begin, std::uint32_t end) {
  if (end - begin <= kLeaf) {
    nodes_[node].first = begin;
    nodes_[node].count = end - begin;
    return;
  }
  Bounds<D> centres{centre_[items_[begin]], centre_[items_[begin]]};
  for (std::uint32_t i = begin; i < end; ++i) centres = united(centres, {centre_[items_[i]], centre_[items_[i]]});
  int axis = 0;
  (centres.upper - centres.lower).maxCoeff(&axis);
  const std::uint32_t middle = begin + (end - begin) / 2;
  // Ties are broken by slot, so that the tree does not depend on the order of its items.
  std::nth_element(items_.begin() + begin, items_.begin() + middle, items_.begin() + end,
                   [&](std::uint32_t a, std::uint32_t b) {
                     return centre_[a][axis] < centre_[b][axis] || (centre_[a][axis] == centre_[b][axis] && a < b);
                   });
  const auto left = static_cast<std::uint32_t>(nodes_.size());
  nodes_.emplace_back();
  nodes_.emplace_back();
  nodes_[node].first = left;
  split(in, left, begin, middle);
  split(in, left + 1, middle, end);
}

// Children stand behind their parents, so one pass from the back fits every box. The sum of the boxes' sizes.
template <int D>
double Bvh<D>::refit(const BroadInput<D>& in) {
  item_bounds_.resize(items_.size());
  for (std::size_t i = 0; i < items_.size(); ++i) item_bounds_[i] = in.bounds[items_[i]];
  double total = 0;
  for (std::size_t n = nodes_.size(); n-- > 0;) {
    Node& node = nodes_[n];
    if (node.count > 0) {
      node.bounds = item_bounds_[node.first];
      for (std::uint32_t i = 1; i < node.count; ++i) node.bounds = united(node.bounds, item_bounds_[node.first + i]);
    } else {
      node.bounds = united(nodes_[node.first].bounds, nodes_[node.first + 1].bounds);
    }
    total += size_of(node.bounds);
  }
  return total;
}

// All overlapping pairs between two subtrees, or within one (a == b).
template <int D>
void Bvh<D>::collect(const BroadInput<D>& in, std::uint32_t a, std::uint32_t b, std::vector<ColliderPair>& out) const {
  const Node &na = nodes_[a], &nb = nodes_[b];
  if (a == b) {
    if (na.count == 0) {
      collect(in, na.first, na.first, out);
      collect(in, na.first + 1, na.first + 1, out);
      collect(in, na.first, na.first + 1, out);
      return;
    }
  } else if (!na.bounds.overlaps(nb.bounds)) {
    return;
  }
  if (na.count > 0 && nb.count > 0) {
    for (std::uint32_t i = na.first; i < na.first + na.count; ++i)
      for (std::uint32_t j = a == b ? i + 1 : nb.first; j < nb.first + nb.count; ++j)
        if (item_bounds_[i].overlaps(item_bounds_[j]) && may_meet(in, items_[i], items_[j]))
          out.emplace_back(std::min(items_[i], items_[j]), std::max(items_[i], items_[j]));
    return;
  }
  // The larger one is opened.
  if (nb.count > 0 || (na.count == 0 && size_of(na.bounds) >= size_of(nb.bounds))) {
    collect(in, na.first, b, out);
    collect(in, na.first + 1, b, out);
  } else {
    collect(in, a, nb.first, out);
    collect(in, a, nb.first + 1, out);
  }
}

template <int D>
void Bvh<D>::collect_unbounded(const BroadInput<D>& in, std::vector<ColliderPair>& out) const {
  const auto test = [&](std::uint32_t a, std::uint32_t b) {
    if (in.bounds[a].overlaps(in.bounds[b]) && may_meet(in, a, b)) out.emplace_back(std::min(a, b), std::max(a, b));
  };
  for (std::size_t i = 0; i < unbounded_.size(); ++i) {
    for (std::size_t j = i + 1; j < unbounded_.size(); ++j) test(unbounded_[i], unbounded_[j]);
    for (const std::uint32_t b : bounded_) test(unbounded_[i], b);
  }
}

template <int D>
void Bvh<D>::find(const BroadInput<D>& in, std::vector<ColliderPair>& pairs) {
  // Boxes twice as large as when they were made overlap too often; building costs about ten refits.
  constexpr double kGrown = 2.0;
  if (outdated(in) || refit(in) > kGrown * built_size_) build(in);
  pairs.clear();
  collect_unbounded(in, pairs);
  if (!nodes_.empty()) {
    // A fixed number of pieces, whatever the number of threads: the pairs of subtrees a few levels down.
    constexpr std::size_t kPieces = 64;
    tasks_.assign(1, {0, 0});
    for (std::size_t t = 0; t < tasks_.size() && tasks_.size() < kPieces;) {
      const auto [a, b] = tasks_[t];
      if (a != b || nodes_[a].count > 0) {
        ++t;
        continue;
      }
      const std::uint32_t left = nodes_[a].first;
      tasks_[t] = {left, left + 1};
      tasks_.emplace_back(left, left);
      tasks_.emplace_back(left + 1, left + 1);
    }
    parts_.resize(std::max(parts_.size(), tasks_.size()));
    in.parallel.for_ranges(tasks_.size(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t t = begin; t < end; ++t) {
        parts_[t].clear();
        collect(in, tasks_[t].first, tasks_[t].second, parts_[t]);
      }
    });
    for (std::size_t t = 0; t < tasks_.size(); ++t) pairs.insert(pairs.end(), parts_[t].begin(), parts_[t].end());
  }
  std::sort(pairs.begin(), pairs.end());
}

template class Bvh<2>;
template class Bvh<3>;

}  // namespace touchstone

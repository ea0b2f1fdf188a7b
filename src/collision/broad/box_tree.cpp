// Purpose: pairs of overlapping boxes by descending a tree against itself.
// Source: refitted trees are folklore; the pair search is the simultaneous descent of two subtrees.
// Fails: never; many boxes in one point degrade it to brute force.
#include "collision/broad/box_tree.h"

#include <algorithm>

#include "base/room.h"
#include "collision/broad/overlap.h"

namespace touchstone {
namespace {

template <int D>
double size_of(const NarrowBounds<D>& b) {
  return static_cast<double>((b.upper - b.lower).sum());
}

template <int D>
NarrowBounds<D> united(const NarrowBounds<D>& a, const NarrowBounds<D>& b) {
  return {a.lower.cwiseMin(b.lower), a.upper.cwiseMax(b.upper)};
}

}  // namespace

template <int D>
void BoxTree<D>::build(std::span<const std::uint32_t> slots, std::span<const Box> box) {
  nodes_.clear();
  items_.assign(slots.begin(), slots.end());
  if (items_.empty()) return;
  nodes_.reserve(items_.size());  // halves of more than four: leaves hold two at least
  nodes_.emplace_back();
  split(0, 0, static_cast<std::uint32_t>(items_.size()), box);
  built_size_ = fit(box);
}

template <int D>
void BoxTree<D>::split(std::uint32_t node, std::uint32_t begin, std::uint32_t end, std::span<const Box> box) {
  if (end - begin <= kLeaf) {
    nodes_[node].first = begin;
    nodes_[node].count = end - begin;
    return;
  }
  const auto centre = [&](std::uint32_t slot) -> SingleVec<D> { return 0.5f * (box[slot].lower + box[slot].upper); };
  Box centres{centre(items_[begin]), centre(items_[begin])};
  for (std::uint32_t i = begin; i < end; ++i) {
    const SingleVec<D> c = centre(items_[i]);
    centres = united(centres, {c, c});
  }
  int axis = 0;
  (centres.upper - centres.lower).maxCoeff(&axis);
  const std::uint32_t middle = begin + (end - begin) / 2;
  // Ties are broken by slot, so that the tree does not depend on the order of its items.
  std::nth_element(
      items_.begin() + begin, items_.begin() + middle, items_.begin() + end, [&](std::uint32_t a, std::uint32_t b) {
        const float at_a = box[a].lower[axis] + box[a].upper[axis], at_b = box[b].lower[axis] + box[b].upper[axis];
        return at_a < at_b || (at_a == at_b && a < b);
      });
  const auto left = static_cast<std::uint32_t>(nodes_.size());
  nodes_.emplace_back();
  nodes_.emplace_back();
  nodes_[node].first = left;
  split(left, begin, middle, box);
  split(left + 1, middle, end, box);
}

// Children stand behind their parents, so one pass from the back fits every box. The sum of the boxes' sizes.
template <int D>
double BoxTree<D>::fit(std::span<const Box> box) {
  double total = 0;
  for (std::size_t n = nodes_.size(); n-- > 0;) {
    Node& node = nodes_[n];
    if (node.count > 0) {
      node.bounds = box[items_[node.first]];
      for (std::uint32_t i = 1; i < node.count; ++i) node.bounds = united(node.bounds, box[items_[node.first + i]]);
    } else {
      node.bounds = united(nodes_[node.first].bounds, nodes_[node.first + 1].bounds);
    }
    total += size_of(node.bounds);
  }
  return total;
}

template <int D>
bool BoxTree<D>::refit(std::span<const Box> box) {
  // Boxes twice as large as when they were made overlap too often; building costs about ten refits.
  constexpr double kGrown = 2.0;
  return fit(box) <= kGrown * built_size_;
}

template <int D>
std::size_t BoxTree<D>::cut_into_pieces() {
  pieces_.clear();
  if (nodes_.empty()) return 0;
  constexpr std::size_t kPieces = 64;  // the pairs of subtrees a few levels down
  pieces_.emplace_back(0, 0);
  for (std::size_t t = 0; t < pieces_.size() && pieces_.size() < kPieces;) {
    const auto [a, b] = pieces_[t];
    if (a != b || nodes_[a].count > 0) {
      ++t;
      continue;
    }
    const std::uint32_t left = nodes_[a].first;
    pieces_[t] = {left, left + 1};
    pieces_.emplace_back(left, left);
    pieces_.emplace_back(left + 1, left + 1);
  }
  return pieces_.size();
}

template <int D>
void BoxTree<D>::search_piece(std::size_t piece, std::span<const Box> box, std::vector<ColliderPair>& out) const {
  search(pieces_[piece].first, pieces_[piece].second, box, out);
}

template <int D>
void BoxTree<D>::leaves(const Node& a, const Node& b, bool same, std::span<const Box> box,
                        std::vector<ColliderPair>& out) const {
  for (std::uint32_t i = a.first; i < a.first + a.count; ++i)
    for (std::uint32_t j = same ? i + 1 : b.first; j < b.first + b.count; ++j)
      if (meet(box[items_[i]], box[items_[j]])) {
        make_room(out, out.size() + 1);
        out.emplace_back(std::min(items_[i], items_[j]), std::max(items_[i], items_[j]));
      }
}

// All overlapping pairs between two subtrees, or within one (a == b).
template <int D>
void BoxTree<D>::search(std::uint32_t a, std::uint32_t b, std::span<const Box> box,
                        std::vector<ColliderPair>& out) const {
  const Node &na = nodes_[a], &nb = nodes_[b];
  if (a == b) {
    if (na.count > 0) return leaves(na, na, true, box, out);
    search(na.first, na.first, box, out);
    search(na.first + 1, na.first + 1, box, out);
    search(na.first, na.first + 1, box, out);
    return;
  }
  if (!meet(na.bounds, nb.bounds)) return;
  if (na.count > 0 && nb.count > 0) return leaves(na, nb, false, box, out);
  // The larger one is opened.
  if (nb.count > 0 || (na.count == 0 && size_of(na.bounds) >= size_of(nb.bounds))) {
    search(na.first, b, box, out);
    search(na.first + 1, b, box, out);
  } else {
    search(a, nb.first, box, out);
    search(a, nb.first + 1, box, out);
  }
}

template <int D>
void BoxTree<D>::search_below(std::uint32_t node, std::uint32_t slot, std::span<const Box> box,
                              std::vector<ColliderPair>& out) const {
  const Node& n = nodes_[node];
  if (!meet(n.bounds, box[slot])) return;
  if (n.count == 0) {
    search_below(n.first, slot, box, out);
    search_below(n.first + 1, slot, box, out);
    return;
  }
  for (std::uint32_t i = n.first; i < n.first + n.count; ++i)
    if (items_[i] != slot && meet(box[items_[i]], box[slot]))
      out.emplace_back(std::min(items_[i], slot), std::max(items_[i], slot));
}

template <int D>
void BoxTree<D>::search_one(std::uint32_t slot, std::span<const Box> box, std::vector<ColliderPair>& out) const {
  if (!nodes_.empty()) search_below(0, slot, box, out);
}

template class BoxTree<2>;
template class BoxTree<3>;

}  // namespace touchstone

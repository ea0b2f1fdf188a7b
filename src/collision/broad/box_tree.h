#pragma once
// A tree of boxes in single precision that is built once by halving the longest axis, then refitted: its shape stays
// while boxes move a little. It finds overlapping pairs among all of them, or with one of them.
#include <cstdint>
#include <span>
#include <vector>

#include "collision/broad/broad_phase.h"
#include "collision/broad/overlap.h"

namespace touchstone {

template <int D>
class BoxTree {
 public:
  using Box = NarrowBounds<D>;
  // `box` is indexed by slot; only those of `slots` are looked at. Searches are for the boxes of the last build or
  // refit.
  void build(std::span<const std::uint32_t> slots, std::span<const Box> box);
  // Takes the boxes as they are now. False if they have grown so much since it was built that it should be built anew.
  bool refit(std::span<const Box> box);

  // All pairs, in a number of pieces that does not depend on threads: each may be searched on its own.
  std::size_t cut_into_pieces();
  void search_piece(std::size_t piece, std::span<const Box> box, std::vector<ColliderPair>& out) const;
  // Slots other than `slot` whose boxes overlap its own, as pairs with it.
  void search_one(std::uint32_t slot, std::span<const Box> box, std::vector<ColliderPair>& out) const;

 private:
  struct Node {
    Box bounds;
    std::uint32_t first = 0;  // leaf: first item; inner: left child (the right one follows it)
    std::uint32_t count = 0;  // items of a leaf; 0: inner
  };
  static constexpr std::uint32_t kLeaf = 4;

  void split(std::uint32_t node, std::uint32_t begin, std::uint32_t end, std::span<const Box> box);
  double fit(std::span<const Box> box);
  void search(std::uint32_t a, std::uint32_t b, std::span<const Box> box, std::vector<ColliderPair>& out) const;
  void search_below(std::uint32_t node, std::uint32_t slot, std::span<const Box> box,
                    std::vector<ColliderPair>& out) const;
  void leaves(const Node& a, const Node& b, bool same, std::span<const Box> box, std::vector<ColliderPair>& out) const;

  std::vector<std::uint32_t> items_;  // the slots in tree order
  std::vector<Node> nodes_;
  double built_size_ = 0;  // sum of the boxes' sizes when it was built
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pieces_;
};

}  // namespace touchstone

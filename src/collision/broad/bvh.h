#pragma once
// Bounding-volume tree. It is built once by halving the longest axis, then refitted every time: the shape of the tree
// stays while bodies move a little. It is built anew when colliders came or went, or when moving has made its boxes
// much larger than they were.
#include "collision/broad/broad_phase.h"

namespace touchstone {

template <int D>
class Bvh : public BroadPhase<D> {
 public:
  void find(const BroadInput<D>& in, std::vector<ColliderPair>& pairs) override;

 private:
  struct Node {
    Bounds<D> bounds;
    std::uint32_t first = 0;  // leaf: first item; inner: left child (the right one follows it)
    std::uint32_t count = 0;  // items of a leaf; 0: inner
  };
  static constexpr std::uint32_t kLeaf = 4;

  bool outdated(const BroadInput<D>& in);
  void build(const BroadInput<D>& in);
  void split(const BroadInput<D>& in, std::uint32_t node, std::uint32_t begin, std::uint32_t end);
  double refit(const BroadInput<D>& in);
  void collect(const BroadInput<D>& in, std::uint32_t a, std::uint32_t b, std::vector<ColliderPair>& out) const;
  void collect_unbounded(const BroadInput<D>& in, std::vector<ColliderPair>& out) const;

  std::vector<std::uint32_t> bounded_, unbounded_;  // collider slots; unbounded ones (half-spaces) are outside the tree
  std::vector<std::uint32_t> items_;                // the slots in tree order
  std::vector<Bounds<D>> item_bounds_;
  std::vector<Vec<D>> centre_;
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> scratch_, scratch_unbounded_;
  double built_size_ = 0;  // sum of the boxes' sizes when it was built
  std::vector<std::pair<std::uint32_t, std::uint32_t>> tasks_;
  std::vector<std::vector<ColliderPair>> parts_;
};

}  // namespace touchstone

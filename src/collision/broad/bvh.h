#pragma once
// Bounding-volume tree over fattened bounds. Pairs whose fat bounds overlap are kept from step to step as candidates
// and only judged by their true bounds, until some collider leaves its fat bounds: then the tree is asked again, for
// the few that left, or for all where many did.
#include "collision/broad/box_tree.h"

namespace touchstone {

template <int D>
class Bvh : public BroadPhase<D> {
 public:
  void find(const BroadInput<D>& in, std::vector<ColliderPair>& pairs) override;

 private:
  // What may_meet looks at, packed: colliders are large.
  struct Filter {
    std::uint32_t body = 0, groups = 0, ignores = 0, movable = 0;
  };

  bool outdated(const BroadInput<D>& in);
  // Shapes of one body do not meet, nor two that cannot move: no candidates. Groups may change from step to step.
  bool may_ever_meet(const ColliderPair& p) const {
    const Filter &a = filter_[p.first], &b = filter_[p.second];
    return a.body != b.body && (a.movable | b.movable) != 0;
  }
  void set_origin(const BroadInput<D>& in);
  Bounds<D> from_origin(const Bounds<D>& b) const { return {b.lower - origin_, b.upper - origin_}; }
  void fatten(const BroadInput<D>& in, std::uint32_t slot, double skin);
  void note_places(const BroadInput<D>& in);
  void find_leavers(const BroadInput<D>& in);
  void search_all(const BroadInput<D>& in, bool build);
  void search_leavers(const BroadInput<D>& in);
  void sort_candidates(std::size_t slots);
  void judge_candidates(const BroadInput<D>& in, std::vector<ColliderPair>& pairs);
  void judge_unbounded(const BroadInput<D>& in, std::vector<ColliderPair>& pairs);

  std::vector<std::uint32_t> bounded_, unbounded_;  // collider slots; unbounded ones (half-spaces) are outside the tree
  std::vector<std::uint32_t> scratch_, scratch_unbounded_;
  std::vector<Filter> filter_;                    // by slot
  Vec<D> origin_ = Vec<D>::Zero();                // near the colliders, so that single precision has digits enough
  std::vector<NarrowBounds<D>> fat_;              // by slot
  std::vector<SingleVec<D>> before_;              // by slot: lower ends of the bounds in the last step
  std::vector<ColliderPair> candidates_, added_;  // sorted
  std::vector<std::uint32_t> leavers_;
  std::vector<std::uint32_t> next_, ends_;  // by slot: while candidates are sorted
  std::vector<char> left_;                  // by slot: among the leavers
  BoxTree<D> tree_;
  bool searched_ = false;  // all, in the last step
  int hurry_ = 0;          // searches for which fattening is not worth its while
  std::vector<std::vector<ColliderPair>> parts_;
};

}  // namespace touchstone

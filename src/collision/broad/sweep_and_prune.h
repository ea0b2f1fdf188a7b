#pragma once
// Sweep and prune: the end points of all bounds are kept sorted along every axis. Between two steps they hardly change
// their order, so an insertion sort takes nearly linear time, and every exchange of two end points tells that an
// overlap began or ended. Memory is linear in bodies and overlaps.
#include "collision/broad/broad_phase.h"

namespace touchstone {

template <int D>
class SweepAndPrune : public BroadPhase<D> {
 public:
  void find(const BroadInput<D>& in, std::vector<ColliderPair>& pairs) override;

 private:
  struct EndPoint {
    double value;
    std::uint32_t collider;
    bool upper;
  };

  bool outdated(const BroadInput<D>& in);
  void rebuild(const BroadInput<D>& in);
  bool sort_axis(const BroadInput<D>& in, int axis, std::size_t budget);

  std::vector<std::uint32_t> alive_, scratch_;
  std::vector<EndPoint> ends_[D];
  std::vector<ColliderPair> overlaps_;       // all overlapping bounds, sorted
  std::vector<ColliderPair> begun_, ended_;  // by the sort at hand
};

}  // namespace touchstone

#pragma once
// Every pair of bounds against every other: the reference that no other broad phase may differ from.
#include "collision/broad/broad_phase.h"

namespace touchstone {

template <int D>
class BruteForce : public BroadPhase<D> {
 public:
  void find(const BroadInput<D>& in, std::vector<ColliderPair>& pairs) override;

 private:
  std::vector<std::uint32_t> alive_;
  std::vector<Bounds<D>> packed_;
  std::vector<std::vector<ColliderPair>> parts_;  // one per range, concatenated in order
};

}  // namespace touchstone

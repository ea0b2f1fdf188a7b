#pragma once
// Every pair of bounds against every other: the reference that no other broad phase may differ from.
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "collision/collider.h"

namespace touchstone {

using ColliderPair = std::pair<std::uint32_t, std::uint32_t>;  // first < second

// Body pairs that never meet, sorted, first < second.
using IgnoredPairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

template <int D>
class BruteForce {
 public:
  // Fills `pairs` with the colliders that may meet and whose bounds overlap, in order of their slots.
  void find(const ColliderTable<D>& colliders, std::span<const Bounds<D>> bounds, const IgnoredPairs& ignored,
            const Parallel& parallel, std::vector<ColliderPair>& pairs);

 private:
  std::vector<std::uint32_t> alive_;
  std::vector<Bounds<D>> packed_;
  std::vector<std::vector<ColliderPair>> parts_;  // one per range, concatenated in order
};

}  // namespace touchstone

#pragma once
// The interface of the broad phases: which colliders may touch, judged by their bounds. All of them give the same pairs
// in the same order; brute force is the reference.
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "collision/collider.h"

namespace touchstone {

using ColliderPair = std::pair<std::uint32_t, std::uint32_t>;  // first < second

// Body pairs that never meet, sorted, first < second.
using IgnoredPairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

template <int D>
struct BroadInput {
  const ColliderTable<D>& colliders;
  std::span<const Bounds<D>> bounds;  // by collider slot; those of dead slots are not read
  const IgnoredPairs& ignored;
  const Parallel& parallel;
};

template <int D>
class BroadPhase {
 public:
  virtual ~BroadPhase() = default;
  // Fills `pairs` with the colliders that may meet and whose bounds overlap, in order of their slots.
  virtual void find(const BroadInput<D>& in, std::vector<ColliderPair>& pairs) = 0;
};

// Whether the two colliders may meet at all: groups, bodies, ignored pairs.
template <int D>
bool may_meet(const BroadInput<D>& in, std::uint32_t a, std::uint32_t b);

template <int D>
std::unique_ptr<BroadPhase<D>> make_broad_phase(BroadPhaseKind kind);

}  // namespace touchstone

#include "collision/broad/broad_phase.h"

#include <algorithm>

#include "collision/broad/brute_force.h"
#include "collision/broad/bvh.h"
#include "collision/broad/sweep_and_prune.h"

namespace touchstone {

template <int D>
bool may_meet(const BroadInput<D>& in, std::uint32_t a, std::uint32_t b) {
  const Collider<D>&ca = in.colliders[a], &cb = in.colliders[b];
  if (!may_collide(ca, cb)) return false;
  if (in.ignored.empty()) return true;
  const auto bodies = std::minmax(ca.body, cb.body);
  return !std::binary_search(in.ignored.begin(), in.ignored.end(), std::pair(bodies.first, bodies.second));
}

template <int D>
std::unique_ptr<BroadPhase<D>> make_broad_phase(BroadPhaseKind kind) {
  switch (kind) {
    case BroadPhaseKind::kBruteForce:
      return std::make_unique<BruteForce<D>>();
    case BroadPhaseKind::kSweepAndPrune:
      return std::make_unique<SweepAndPrune<D>>();
    case BroadPhaseKind::kBvh:
      break;
  }
  return std::make_unique<Bvh<D>>();
}

template bool may_meet(const BroadInput<2>&, std::uint32_t, std::uint32_t);
template bool may_meet(const BroadInput<3>&, std::uint32_t, std::uint32_t);
template std::unique_ptr<BroadPhase<2>> make_broad_phase(BroadPhaseKind);
template std::unique_ptr<BroadPhase<3>> make_broad_phase(BroadPhaseKind);

}  // namespace touchstone

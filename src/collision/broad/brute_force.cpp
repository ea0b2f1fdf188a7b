#include "collision/broad/brute_force.h"

#include <algorithm>

namespace touchstone {
namespace {

template <int D>
bool ignored_pair(const IgnoredPairs& ignored, const Collider<D>& a, const Collider<D>& b) {
  if (ignored.empty()) return false;
  const auto bodies = std::minmax(a.body, b.body);
  return std::binary_search(ignored.begin(), ignored.end(), std::pair(bodies.first, bodies.second));
}

}  // namespace

template <int D>
void BruteForce<D>::find(const ColliderTable<D>& colliders, std::span<const Bounds<D>> bounds,
                         const IgnoredPairs& ignored, const Parallel& parallel, std::vector<ColliderPair>& pairs) {
  alive_.clear();
  packed_.clear();
  for (std::uint32_t i = 0; i < colliders.size(); ++i) {
    if (!colliders[i].alive) continue;
    alive_.push_back(i);
    packed_.push_back(bounds[i]);
  }
  constexpr std::size_t kRows = 64;  // rows a range: enough work to be worth a task, fixed for determinism
  const std::size_t n = alive_.size();
  parts_.resize(std::max(parts_.size(), (n + kRows - 1) / kRows));
  parallel.for_ranges(n, kRows, [&](std::size_t begin, std::size_t end) {
    std::vector<ColliderPair>& part = parts_[begin / kRows];
    part.clear();
    for (std::size_t i = begin; i < end; ++i) {
      const Bounds<D> mine = packed_[i];
      const Collider<D>& a = colliders[alive_[i]];
      for (std::size_t j = i + 1; j < n; ++j) {
        if (!mine.overlaps(packed_[j])) continue;
        const Collider<D>& b = colliders[alive_[j]];
        if (may_collide(a, b) && !ignored_pair(ignored, a, b)) part.emplace_back(alive_[i], alive_[j]);
      }
    }
  });
  pairs.clear();
  for (std::size_t begin = 0; begin < n; begin += kRows) {
    const auto& part = parts_[begin / kRows];
    pairs.insert(pairs.end(), part.begin(), part.end());
  }
}

template class BruteForce<2>;
template class BruteForce<3>;

}  // namespace touchstone

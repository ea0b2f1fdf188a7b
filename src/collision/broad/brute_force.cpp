#include "collision/broad/brute_force.h"

#include <algorithm>

namespace touchstone {

template <int D>
void BruteForce<D>::find(const BroadInput<D>& in, std::vector<ColliderPair>& pairs) {
  alive_.clear();
  packed_.clear();
  for (std::uint32_t i = 0; i < in.colliders.size(); ++i) {
    if (!in.colliders[i].alive) continue;
    alive_.push_back(i);
    packed_.push_back(in.bounds[i]);
  }
  constexpr std::size_t kRows = 64;  // rows a range: enough work to be worth a task, fixed for determinism
  const std::size_t n = alive_.size();
  parts_.resize(std::max(parts_.size(), (n + kRows - 1) / kRows));
  in.parallel.for_ranges(n, kRows, [&](std::size_t begin, std::size_t end) {
    std::vector<ColliderPair>& part = parts_[begin / kRows];
    part.clear();
    for (std::size_t i = begin; i < end; ++i) {
      const Bounds<D> mine = packed_[i];
      for (std::size_t j = i + 1; j < n; ++j)
        if (mine.overlaps(packed_[j]) && may_meet(in, alive_[i], alive_[j])) part.emplace_back(alive_[i], alive_[j]);
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

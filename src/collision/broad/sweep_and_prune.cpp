// Source: [thompson2003, broad phase], after I-COLLIDE.
// Deviations: (1) overlaps are a sorted list that is merged with what began and ended, not a table of all pairs (N²
//   memory). (2) A sort that would exchange too many end points (many bodies added at once, or a scene in motion along
//   an axis on which all overlap) is replaced by a new sweep along the axis with the widest spread.
// Fails: never.
#include "collision/broad/sweep_and_prune.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace touchstone {
namespace {

// A lower end stands before an upper end of the same value, so that touching bounds overlap.
template <class EndPoint>
bool before(const EndPoint& a, const EndPoint& b) {
  if (a.value != b.value) return a.value < b.value;
  return !a.upper && b.upper;
}

ColliderPair ordered(std::uint32_t a, std::uint32_t b) { return {std::min(a, b), std::max(a, b)}; }

}  // namespace

template <int D>
bool SweepAndPrune<D>::outdated(const BroadInput<D>& in) {
  scratch_.clear();
  for (std::uint32_t i = 0; i < in.colliders.size(); ++i)
    if (in.colliders[i].alive) scratch_.push_back(i);
  if (scratch_ == alive_) return false;
  std::swap(alive_, scratch_);
  return true;
}

// One sweep along the axis of greatest spread finds every overlap; the other axes are only sorted.
template <int D>
void SweepAndPrune<D>::rebuild(const BroadInput<D>& in) {
  Vec<D> spread = Vec<D>::Zero(), mean = Vec<D>::Zero();
  double count = 0;
  for (const std::uint32_t i : alive_) {
    const Vec<D> centre = 0.5 * (in.bounds[i].lower + in.bounds[i].upper);
    if (!centre.allFinite()) continue;
    count += 1;
    const Vec<D> delta = centre - mean;
    mean += delta / count;
    spread += delta.cwiseProduct(centre - mean);
  }
  int axis = 0;
  spread.maxCoeff(&axis);
  for (int d = 0; d < D; ++d) {
    ends_[d].clear();
    for (const std::uint32_t i : alive_) {
      ends_[d].push_back({in.bounds[i].lower[d], i, false});
      ends_[d].push_back({in.bounds[i].upper[d], i, true});
    }
    std::sort(ends_[d].begin(), ends_[d].end(), [](const EndPoint& a, const EndPoint& b) {
      if (before(a, b) || before(b, a)) return before(a, b);
      return a.collider < b.collider;
    });
  }
  overlaps_.clear();
  std::vector<std::uint32_t>& open = scratch_;
  open.clear();
  for (const EndPoint& e : ends_[axis]) {
    if (e.upper) {
      *std::find(open.begin(), open.end(), e.collider) = open.back();
      open.pop_back();
      continue;
    }
    for (const std::uint32_t other : open)
      if (in.bounds[e.collider].overlaps(in.bounds[other])) overlaps_.push_back(ordered(e.collider, other));
    open.push_back(e.collider);
  }
  std::sort(overlaps_.begin(), overlaps_.end());
}

// Insertion sort; false if it takes more than `budget` exchanges and was given up.
template <int D>
bool SweepAndPrune<D>::sort_axis(const BroadInput<D>& in, int axis, std::size_t budget) {
  std::vector<EndPoint>& ends = ends_[axis];
  for (EndPoint& e : ends) e.value = e.upper ? in.bounds[e.collider].upper[axis] : in.bounds[e.collider].lower[axis];
  std::size_t exchanges = 0;
  for (std::size_t i = 1; i < ends.size(); ++i) {
    const EndPoint moving = ends[i];
    std::size_t j = i;
    for (; j > 0 && before(moving, ends[j - 1]); --j) {
      const EndPoint& passed = ends[j - 1];
      if (++exchanges > budget) return false;
      if (moving.upper != passed.upper)
        (moving.upper ? ended_ : begun_).push_back(ordered(moving.collider, passed.collider));
      ends[j] = passed;
    }
    ends[j] = moving;
  }
  return true;
}

template <int D>
void SweepAndPrune<D>::find(const BroadInput<D>& in, std::vector<ColliderPair>& pairs) {
  bool sorted = !outdated(in);
  begun_.clear();
  ended_.clear();
  const std::size_t budget = 16 * alive_.size() + 64;
  for (int axis = 0; sorted && axis < D; ++axis) sorted = sort_axis(in, axis, budget);
  if (!sorted) {
    rebuild(in);
  } else {
    // What changed on some axis is judged by the bounds themselves: an exchange on one axis is only a hint.
    begun_.insert(begun_.end(), ended_.begin(), ended_.end());
    std::sort(begun_.begin(), begun_.end());
    begun_.erase(std::unique(begun_.begin(), begun_.end()), begun_.end());
    ended_.clear();
    std::set_difference(overlaps_.begin(), overlaps_.end(), begun_.begin(), begun_.end(), std::back_inserter(ended_));
    std::erase_if(begun_, [&](const ColliderPair& p) { return !in.bounds[p.first].overlaps(in.bounds[p.second]); });
    overlaps_.clear();
    std::merge(ended_.begin(), ended_.end(), begun_.begin(), begun_.end(), std::back_inserter(overlaps_));
  }
  pairs.clear();
  for (const ColliderPair& p : overlaps_)
    if (may_meet(in, p.first, p.second)) pairs.push_back(p);
}

template class SweepAndPrune<2>;
template class SweepAndPrune<3>;

}  // namespace touchstone

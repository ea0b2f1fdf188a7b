// Purpose: pairs of overlapping bounds from a tree and a list of candidates that outlives the step.
// Source: refitted trees and fattened bounds are folklore; the list is Verlet's neighbour list
//   [L. Verlet, Computer "experiments" on classical fluids, Phys. Rev. 159 (1967)].
// Deviations: (1) fat bounds instead of a radius; only the colliders that left theirs are looked up anew.
// Fails: never. Where everything moves fast it is the tree alone.
#include "collision/broad/bvh.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

#include "base/room.h"
#include "collision/broad/overlap.h"

namespace touchstone {
namespace {

// Of the shortest edge of the bounds, on every side: a body at rest stays inside for ever, one that moves for a few
// steps, and there are about half as many candidates again as pairs.
constexpr double kSkin = 0.05;
// As many steps as a body that goes on as it does stays inside, and by how much of that edge bounds grow for it at
// most: bodies that fall side by side would all become candidates of each other.
constexpr double kAhead = 4, kFarthest = 0.5;
constexpr int kHurry = 8;  // steps without fattening after it did not last a step

}  // namespace

// Sorts living colliders into bounded and unbounded ones; whether that differs from what the tree was built of.
template <int D>
bool Bvh<D>::outdated(const BroadInput<D>& in) {
  scratch_.clear();
  scratch_unbounded_.clear();
  filter_.resize(in.colliders.size());
  bool changed = false;
  for (std::uint32_t i = 0; i < in.colliders.size(); ++i) {
    const Collider<D>& c = in.colliders[i];
    if (!c.alive) continue;
    changed = changed || filter_[i].body != c.body || filter_[i].movable != static_cast<std::uint32_t>(c.movable);
    filter_[i] = {c.body, c.groups, c.ignores, c.movable};
    const bool bounded = in.bounds[i].lower.allFinite() && in.bounds[i].upper.allFinite();
    (bounded ? scratch_ : scratch_unbounded_).push_back(i);
  }
  std::swap(unbounded_, scratch_unbounded_);
  changed = changed || scratch_ != bounded_;
  std::swap(bounded_, scratch_);
  return changed;
}

template <int D>
void Bvh<D>::set_origin(const BroadInput<D>& in) {
  constexpr double kFar = 1000;  // edges of a box
  const auto movable =
      std::find_if(bounded_.begin(), bounded_.end(), [&](std::uint32_t i) { return filter_[i].movable; });
  if (movable == bounded_.end()) return;
  const Bounds<D>& b = in.bounds[*movable];
  const Vec<D> way = b.lower - origin_;
  if (!(way.norm() > kFar * (b.upper - b.lower).norm())) return;
  origin_ = b.lower;
  note_places(in);
}

template <int D>
void Bvh<D>::fatten(const BroadInput<D>& in, std::uint32_t slot, double skin) {
  const Bounds<D> b = from_origin(in.bounds[slot]);
  if (!filter_[slot].movable) return void(fat_[slot] = widened_bounds(b));
  const double edge = (b.upper - b.lower).minCoeff(), by = skin * edge, farthest = skin > 0 ? kFarthest * edge : 0.0;
  const Vec<D> way = kAhead * (b.lower - before_[slot].template cast<double>());
  const Vec<D> ahead = way.cwiseMax(-farthest).cwiseMin(farthest);
  Bounds<D> fat{b.lower + ahead.cwiseMin(0.0), b.upper + ahead.cwiseMax(0.0)};
  fat.lower.array() -= by, fat.upper.array() += by;
  fat_[slot] = widened_bounds(fat);
}

template <int D>
void Bvh<D>::note_places(const BroadInput<D>& in) {
  before_.resize(in.colliders.size());
  for (const std::uint32_t i : bounded_) before_[i] = (in.bounds[i].lower - origin_).template cast<float>();
}

template <int D>
void Bvh<D>::find_leavers(const BroadInput<D>& in) {
  leavers_.clear();
  for (const std::uint32_t i : bounded_)
    if (!holds(fat_[i], from_origin(in.bounds[i]))) leavers_.push_back(i);
}

template <int D>
void Bvh<D>::search_all(const BroadInput<D>& in, bool build) {
  if (searched_ && hurry_ == 0) hurry_ = kHurry;
  const double skin = hurry_ > 0 ? 0.0 : kSkin;
  hurry_ = std::max(0, hurry_ - 1);
  set_origin(in);
  fat_.resize(in.colliders.size());
  for (const std::uint32_t i : bounded_) fatten(in, i, skin);
  if (build || !tree_.refit(fat_)) tree_.build(bounded_, fat_);
  const std::size_t pieces = tree_.cut_into_pieces();
  const auto never_meet = [&](const ColliderPair& p) { return !may_ever_meet(p); };
  candidates_.clear();
  if (in.parallel.threads() == 1) {  // no need to hold them twice
    for (std::size_t t = 0; t < pieces; ++t) tree_.search_piece(t, fat_, candidates_);
    std::erase_if(candidates_, never_meet);
  } else {
    parts_.resize(std::max(parts_.size(), pieces));
    in.parallel.for_ranges(pieces, 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t t = begin; t < end; ++t) {
        parts_[t].clear();
        tree_.search_piece(t, fat_, parts_[t]);
      }
    });
    for (std::size_t t = 0; t < pieces; ++t)
      std::remove_copy_if(parts_[t].begin(), parts_[t].end(), std::back_inserter(candidates_), never_meet);
  }
  sort_candidates(in.colliders.size());
}

// By counting how many begin with each slot, and then exchanging them in their own room; the few that begin with the
// same one are sorted among themselves.
template <int D>
void Bvh<D>::sort_candidates(std::size_t slots) {
  next_.assign(slots, 0);
  ends_.resize(slots);
  for (const ColliderPair& p : candidates_) ++next_[p.first];
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < slots; ++i) {
    sum += next_[i];
    next_[i] = sum - next_[i], ends_[i] = sum;
  }
  for (std::size_t i = 0; i < slots; ++i) {
    const std::uint32_t begin = i == 0 ? 0 : ends_[i - 1];
    while (next_[i] < ends_[i]) {
      ColliderPair& p = candidates_[next_[i]];
      if (p.first == i)
        ++next_[i];
      else
        std::swap(p, candidates_[next_[p.first]++]);
    }
    std::sort(candidates_.begin() + begin, candidates_.begin() + ends_[i]);
  }
}

template <int D>
void Bvh<D>::search_leavers(const BroadInput<D>& in) {
  left_.assign(in.colliders.size(), 0);
  for (const std::uint32_t i : leavers_) left_[i] = 1, fatten(in, i, kSkin);
  if (!tree_.refit(fat_)) tree_.build(bounded_, fat_);
  added_.clear();
  for (const std::uint32_t i : leavers_) tree_.search_one(i, fat_, added_);
  std::erase_if(added_, [&](const ColliderPair& p) { return !may_ever_meet(p); });
  std::sort(added_.begin(), added_.end());
  added_.erase(std::unique(added_.begin(), added_.end()), added_.end());  // two leavers find each other
  std::erase_if(candidates_, [&](const ColliderPair& p) { return left_[p.first] || left_[p.second]; });
  merge_into(candidates_, added_, std::less<>());
}

template <int D>
void Bvh<D>::judge_candidates(const BroadInput<D>& in, std::vector<ColliderPair>& pairs) {
  constexpr std::size_t kGrain = 4096;
  const std::size_t count = candidates_.size();
  // As many as there are of a range into a buffer; returns how many.
  const auto judge = [&](std::size_t begin, std::size_t end, ColliderPair* out) {
    std::size_t found = 0;
    for (std::size_t k = begin; k < end; ++k) {
      const ColliderPair p = candidates_[k];
      const Filter &a = filter_[p.first], &b = filter_[p.second];
      const bool may = ((a.groups & b.ignores) | (b.groups & a.ignores)) == 0;
      out[found] = p;  // taken back by the next one if it is none
      found += static_cast<std::size_t>(may & meet(in.bounds[p.first], in.bounds[p.second]));
    }
    if (in.ignored.empty()) return found;
    ColliderPair* const last =
        std::remove_if(out, out + found, [&](const ColliderPair& p) { return !may_meet(in, p.first, p.second); });
    return static_cast<std::size_t>(last - out);
  };
  const bool alone = in.parallel.threads() == 1;
  parts_.resize(std::max(parts_.size(), alone ? 1 : (count + kGrain - 1) / kGrain));
  if (!alone)
    in.parallel.for_ranges(count, kGrain, [&](std::size_t begin, std::size_t end) {
      std::vector<ColliderPair>& part = parts_[begin / kGrain];
      part.resize(end - begin);
      part.resize(judge(begin, end, part.data()));
    });
  pairs.clear();
  for (std::size_t begin = 0; begin < count; begin += kGrain) {
    std::vector<ColliderPair>& part = parts_[alone ? 0 : begin / kGrain];
    if (alone) part.resize(kGrain), part.resize(judge(begin, std::min(count, begin + kGrain), part.data()));
    make_room(pairs, pairs.size() + part.size());
    pairs.insert(pairs.end(), part.begin(), part.end());
  }
}

template <int D>
void Bvh<D>::judge_unbounded(const BroadInput<D>& in, std::vector<ColliderPair>& pairs) {
  if (unbounded_.empty()) return;
  added_.clear();
  const auto test = [&](std::uint32_t a, std::uint32_t b) {
    if (meet(in.bounds[a], in.bounds[b]) && may_meet(in, a, b)) added_.emplace_back(std::min(a, b), std::max(a, b));
  };
  for (std::size_t i = 0; i < unbounded_.size(); ++i) {
    for (std::size_t j = i + 1; j < unbounded_.size(); ++j) test(unbounded_[i], unbounded_[j]);
    for (const std::uint32_t b : bounded_) test(unbounded_[i], b);
  }
  if (!std::is_sorted(added_.begin(), added_.end())) std::sort(added_.begin(), added_.end());
  merge_into(pairs, added_, std::less<>());
}

template <int D>
void Bvh<D>::find(const BroadInput<D>& in, std::vector<ColliderPair>& pairs) {
  const bool changed = outdated(in);
  if (changed) note_places(in);
  if (!changed) find_leavers(in);
  const bool all = changed || leavers_.size() * 8 > bounded_.size();
  if (all)
    search_all(in, changed);
  else if (!leavers_.empty())
    search_leavers(in);
  searched_ = all;
  note_places(in);
  judge_candidates(in, pairs);
  judge_unbounded(in, pairs);
}

template class Bvh<2>;
template class Bvh<3>;

}  // namespace touchstone

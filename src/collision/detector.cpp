#include "collision/detector.h"

#include <algorithm>
#include <iterator>

#include "base/room.h"
#include "collision/narrow/feature.h"
#include "collision/narrow/narrow.h"

namespace touchstone {
namespace {

constexpr std::size_t kBodyGrain = 256, kPairGrain = 64;
constexpr double kReserve =
    1.25;  // margins change with speeds from step to step: points to be carried are found within more

template <int D>
void rotations_of(std::span<const Rotation<D>> orientation, const Parallel& parallel, std::vector<Mat<D>>& rotation) {
  rotation.resize(orientation.size());
  parallel.for_ranges(orientation.size(), kBodyGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) rotation[i] = matrix_of(orientation[i]);
  });
}

// Anchors that are read from one list and written to another.
template <int D>
struct AnchorsApart {
  std::span<const Anchor<D>> known;
  std::vector<Anchor<D>>& list;
  std::size_t size() const { return list.size(); }
  std::span<const Anchor<D>> old(std::size_t first, std::size_t count) const { return known.subspan(first, count); }
  void release(std::size_t) {}
  void add(const Anchor<D>& anchor) {
    make_room(list, list.size() + 1);
    list.push_back(anchor);
  }
};

}  // namespace

template <int D>
void Detector<D>::configure(const CollisionDescription& description) {
  broad_ = make_broad_phase<D>(description.broad_phase);
  narrow_ = description.narrow_phase;
  carried_.clear();
}

template <int D>
void Detector<D>::place_bodies(std::span<const Vec<D>> position, std::span<const Rotation<D>> orientation,
                               const Parallel& parallel) {
  placed_position_.assign(position.begin(), position.end());
  rotations_of<D>(orientation, parallel, rotation_);
}

template <int D>
void Detector<D>::find_pairs(std::span<const Vec<D>> position, std::span<const Rotation<D>> orientation,
                             std::span<const double> reach, const Parallel& parallel,
                             std::span<const Vec<D>> displacement) {
  place_bodies(position, orientation, parallel);
  bounds_.resize(colliders_.size());
  parallel.for_ranges(colliders_.size(), kBodyGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      if (colliders_[i].alive) set_bounds(static_cast<std::uint32_t>(i), reach, displacement);
  });
  broad_->find({colliders_, bounds_, ignored_, parallel}, pairs_);
  carry_memory();
}

template <int D>
void Detector<D>::set_bounds(std::uint32_t i, std::span<const double> reach, std::span<const Vec<D>> displacement) {
  const Collider<D>& c = colliders_[i];
  Bounds<D>& bounds = bounds_[i];
  const Placed<D> place = placed(i);
  bounds = bounds_of(place.shape, place.p, place.R);
  if (!displacement.empty()) {
    bounds.lower += displacement[c.body].cwiseMin(0.0);
    bounds.upper += displacement[c.body].cwiseMax(0.0);
  }
  bounds.lower.array() -= reach[c.body];
  bounds.upper.array() += reach[c.body];
}

template <int D>
void Detector<D>::find_pairs_beyond(std::span<const std::uint32_t> bodies, std::span<const Vec<D>> displacement,
                                    std::span<const double> reach, const Parallel& parallel,
                                    std::vector<ColliderPair>& out) {
  out.clear();
  if (bodies.empty()) return;
  moved_on_.assign(reach.size(), 0);
  for (const std::uint32_t body : bodies) moved_on_[body] = 1;
  for (std::uint32_t i = 0; i < colliders_.size(); ++i)
    if (colliders_[i].alive && moved_on_[colliders_[i].body]) set_bounds(i, reach, displacement);
  broad_->find({colliders_, bounds_, ignored_, parallel}, beyond_);
  std::set_difference(beyond_.begin(), beyond_.end(), pairs_.begin(), pairs_.end(), std::back_inserter(out));
}

// Both lists are in order of the pairs. What was before the step before is of no use any more: its room is, once a
// step; then in place, first what stays to the front, and from there to where it belongs, the last first.
template <int D>
void Detector<D>::carry_memory() {
  using Carried = typename CarriedPoints<D>::Pair;
  const auto pair_of = [](const Known& k) { return ColliderPair(k.a, k.b); };
  const auto belongs = [&](const Known& k, const ColliderPair& pair) { return pair_of(k) == pair; };
  if (std::equal(known_.begin(), known_.end(), pairs_.begin(), pairs_.end(), belongs)) return;
  const bool carries = !carried_.pairs.empty();
  const bool apart = !kept_pairs_;
  std::vector<Known>& stays = apart ? kept_ : known_;
  std::vector<Carried>& stays_carried = apart ? kept_carried_.pairs : carried_.pairs;
  if (apart) size_to(stays, pairs_.size()), size_to(stays_carried, carries ? pairs_.size() : 0);
  std::size_t count = 0;
  for (std::size_t i = 0, old = 0; i < pairs_.size(); ++i) {
    while (old < known_.size() && pair_of(known_[old]) < pairs_[i]) ++old;
    if (old == known_.size()) break;
    if (pair_of(known_[old]) != pairs_[i]) continue;
    if (carries) stays_carried[count] = carried_.pairs[old];
    stays[count++] = known_[old++];
  }
  if (!apart) {
    make_room(stays, pairs_.size()), stays.resize(pairs_.size());
    if (carries) make_room(stays_carried, pairs_.size()), stays_carried.resize(pairs_.size());
  }
  for (std::size_t i = pairs_.size(); i-- > 0;) {
    const bool stayed = count > 0 && pair_of(stays[count - 1]) == pairs_[i];
    if (stayed) --count;
    if (carries) stays_carried[i] = stayed ? stays_carried[count] : Carried{};
    stays[i] = stayed ? stays[count] : Known{pairs_[i].first, pairs_[i].second, {}};
  }
  if (!apart) return;
  std::swap(kept_, known_);
  std::swap(kept_carried_.pairs, carried_.pairs);
  kept_carried_.tolerance = carried_.tolerance;
  kept_pairs_ = true;
}

// Nothing is copied until it changes; what is replaced as a whole is not copied at all.
template <int D>
void Detector<D>::keep_memory() {
  kept_pairs_ = kept_anchors_ = false;
}

template <int D>
void Detector<D>::restore_memory() {
  if (kept_pairs_) {
    std::swap(known_, kept_);
    std::swap(carried_.pairs, kept_carried_.pairs);
    carried_.tolerance = kept_carried_.tolerance;
  }
  if (kept_anchors_) std::swap(carried_.anchors, kept_carried_.anchors);
  keep_memory();
  pairs_.clear();
}

template <int D>
void Detector<D>::prepare_carrying(double reuse) {
  if (!kept_pairs_) {
    kept_ = known_;
    kept_carried_.pairs = carried_.pairs;
    kept_carried_.tolerance = carried_.tolerance;
    kept_pairs_ = true;
  }
  const bool starts_anew = reuse == 0 || carried_.tolerance != reuse || carried_.pairs.size() != pairs_.size();
  if (starts_anew && !kept_anchors_) std::swap(carried_.anchors, kept_carried_.anchors), kept_anchors_ = true;
  if (reuse > 0)
    carried_.prepare(pairs_.size(), reuse);
  else
    carried_.clear();
}

template <int D>
void Detector<D>::forget(std::uint32_t collider) {
  for (std::size_t k = 0; k < known_.size(); ++k) {
    if (known_[k].a != collider && known_[k].b != collider) continue;
    known_[k].memory = {};
    if (k < carried_.pairs.size()) carried_.pairs[k] = {};
  }
}

template <int D>
void Detector<D>::serialize(Archive& ar) {
  ar(known_), ar(carried_);
  if (ar.saving()) return;
  if (!carried_.pairs.empty() && carried_.pairs.size() != known_.size())
    throw Error(ErrorKind::kBadInput, "snapshot is damaged: not every pair has its contact points");
  pairs_.clear();
}

template <int D>
template <class Anchors>
void Detector<D>::find_points(std::size_t pair, const PairMargin<D>& margins, Part& part, Anchors& anchors) {
  const auto [ia, ib] = pairs_[pair];
  const double margin = margins.of(colliders_[ia].body, colliders_[ib].body);
  const Placed<D> a = placed(ia), b = placed(ib);
  ContactPoints<D>& points = part.points;
  points.clear();
  if (carried_.pairs.empty()) return collide(a, b, margin, narrow_, known_[pair].memory, points);
  typename CarriedPoints<D>::Pair& carried = carried_.pairs[pair];
  const auto first = static_cast<std::uint32_t>(anchors.size());
  // To ask the direction that kept two boxes apart takes less than to see whether they have moved.
  const bool apart = known_[pair].memory.kind == PairMemory::Kind::kDirection;
  if (!apart && carried_.still_holds(carried, a, b, margin)) {
    place_points(anchors.old(carried.first, carried.count), carried, a, b, points);
    for (std::size_t i = carried.first; i < carried.first + std::size_t{carried.count}; ++i) {
      const Anchor<D> kept = anchors.old(i, 1).front();
      anchors.release(i + 1);
      anchors.add(kept);
    }
  } else {
    // Farther than asked, so that what comes into the margin while it is carried is there.
    const double searched = (margins.h > 0 ? kReserve : 1.0) * margin + 2 * carried_.tolerance;
    carried.margin = static_cast<float>(searched);
    collide(a, b, searched, narrow_, known_[pair].memory, points);
    if (apart && !points.empty()) carried.note(a, b);
    if (carried.count > 0) anchors.release(carried.first + std::size_t{carried.count});
    part.fresh.clear();
    add_anchors(points, carried, a, b, part.fresh);
    for (const Anchor<D>& anchor : part.fresh) anchors.add(anchor);
  }
  carried.first = first;
  carried.count = (static_cast<std::uint32_t>(anchors.size()) - first) & 0x7fffffff;
  std::erase_if(points, [margin](const ContactPoint<D>& p) { return !(p.gap <= margin); });
}

template <int D>
void Detector<D>::add_contacts(const ColliderPair& pair, const ContactPoints<D>& points,
                               std::vector<Contact<D>>& out) const {
  const auto [ia, ib] = pair;
  make_room(out, out.size() + points.size());
  const std::uint32_t body_a = colliders_[ia].body, body_b = colliders_[ib].body;
  for (const ContactPoint<D>& p : points) {
    const std::uint64_t key = std::uint64_t{ia} << 40 | std::uint64_t{ib} << 16 | p.feature;
    out.push_back({body_a, body_b, key, p.point, p.normal, p.gap});
  }
}

template <int D>
void Detector<D>::look_at(std::span<const std::uint32_t> some, std::span<const Vec<D>> position,
                          std::span<const Rotation<D>> orientation, double margin, std::vector<Contact<D>>& contacts) {
  contacts.clear();
  for (const std::uint32_t k : some) look_at_pair(pairs_[k], position, orientation, margin, known_[k].memory, contacts);
}

template <int D>
void Detector<D>::look_at(std::span<const ColliderPair> some, std::span<const Vec<D>> position,
                          std::span<const Rotation<D>> orientation, double margin, std::vector<Contact<D>>& contacts) {
  contacts.clear();
  for (const ColliderPair& pair : some) look_at_pair(pair, position, orientation, margin, {}, contacts);
}

template <int D>
void Detector<D>::look_at_pair(const ColliderPair& pair, std::span<const Vec<D>> position,
                               std::span<const Rotation<D>> orientation, double margin, PairMemory memory,
                               std::vector<Contact<D>>& contacts) {
  const auto there = [&](std::uint32_t i) {
    const Collider<D>& c = colliders_[i];
    const Mat<D> R = matrix_of(orientation[c.body]);
    return Placed<D>{c.shape(), position[c.body] + R * c.p_local(), R * c.R_local()};
  };
  if (parts_.empty()) parts_.resize(1);
  ContactPoints<D>& points = parts_[0].points;
  points.clear();
  collide(there(pair.first), there(pair.second), margin, narrow_, memory, points);
  add_contacts(pair, points, contacts);
}

template <int D>
bool Detector<D>::find_nearest(std::uint32_t a, std::uint32_t b, double margin, Contact<D>& out) const {
  PairMemory memory;
  Closest<D> closest;
  if (!closest_of(placed(a), placed(b), margin, memory, closest)) return false;
  const std::uint64_t key = std::uint64_t{a} << 40 | std::uint64_t{b} << 16 | nearest_point();
  out = {colliders_[a].body, colliders_[b].body, key, 0.5 * (closest.on_a + closest.on_b), closest.normal, closest.gap};
  return true;
}

// Contacts of a range of pairs, in order.
template <int D>
template <class Anchors>
void Detector<D>::search(std::size_t begin, std::size_t end, const PairMargin<D>& margin, Part& part,
                         Anchors&& anchors) {
  part.contacts.clear();
  for (std::size_t k = begin; k < end; ++k) {
    find_points(k, margin, part, anchors);
    add_contacts(pairs_[k], part.points, part.contacts);
  }
}

template <int D>
void Detector<D>::find_contacts(std::span<const Vec<D>> position, std::span<const Rotation<D>> orientation,
                                double margin, const Parallel& parallel, std::vector<Contact<D>>& contacts,
                                double reuse) {
  find_contacts(position, orientation, PairMargin<D>{margin, 0, {}, {}, {}}, parallel, contacts, reuse);
}

template <int D>
void Detector<D>::find_contacts(std::span<const Vec<D>> position, std::span<const Rotation<D>> orientation,
                                const PairMargin<D>& margin, const Parallel& parallel,
                                std::vector<Contact<D>>& contacts, double reuse) {
  place_bodies(position, orientation, parallel);
  find_parts(margin, parallel, reuse);
  contacts.clear();
  for (std::size_t i = 0; i < part_count_; ++i)
    contacts.insert(contacts.end(), parts_[i].contacts.begin(), parts_[i].contacts.end());
}

template <int D>
void Detector<D>::find_parts(const PairMargin<D>& margin, const Parallel& parallel, double reuse) {
  part_count_ = 0;
  if (pairs_.empty()) return;
  prepare_carrying(reuse);
  // What was there when the step began stays; what later searches of the step find is written over what they read.
  const bool over = kept_anchors_;
  if (!over) std::swap(carried_.anchors, kept_carried_.anchors), kept_anchors_ = true;
  const std::vector<Anchor<D>>& known = over ? carried_.anchors : kept_carried_.anchors;
  part_count_ = parallel.threads() == 1 ? 1 : (pairs_.size() + kPairGrain - 1) / kPairGrain;
  if (parts_.size() < part_count_) parts_.resize(part_count_);
  if (part_count_ > 1) {
    parallel.for_ranges(pairs_.size(), kPairGrain, [&](std::size_t begin, std::size_t end) {
      Part& part = parts_[begin / kPairGrain];
      part.anchors.clear();
      search(begin, end, margin, part, AnchorsApart<D>{known, part.anchors});
    });
    join_anchors(parallel);
  } else if (over) {
    Rewriting<Anchor<D>> anchors(carried_.anchors);
    search(0, pairs_.size(), margin, parts_[0], anchors);
    anchors.finish();
  } else {
    carried_.anchors.clear();
    search(0, pairs_.size(), margin, parts_[0], AnchorsApart<D>{known, carried_.anchors});
  }
}

template <int D>
void Detector<D>::join_anchors(const Parallel& parallel) {
  part_begin_.assign(1, 0);
  for (std::size_t i = 0; i < part_count_; ++i) part_begin_.push_back(part_begin_[i] + parts_[i].anchors.size());
  size_to(carried_.anchors, part_begin_.back());
  if (carried_.pairs.empty()) return;
  parallel.for_ranges(part_count_, 1, [&](std::size_t i, std::size_t) {
    const std::vector<Anchor<D>>& anchors = parts_[i].anchors;
    std::copy(anchors.begin(), anchors.end(), carried_.anchors.begin() + static_cast<std::ptrdiff_t>(part_begin_[i]));
    const std::size_t end = std::min((i + 1) * kPairGrain, carried_.pairs.size());
    for (std::size_t k = i * kPairGrain; k < end; ++k)
      carried_.pairs[k].first += static_cast<std::uint32_t>(part_begin_[i]);
  });
}

template class Detector<2>;
template class Detector<3>;

}  // namespace touchstone

// What contacts hand on from step to step: the forces that they carried, slips, and which of them stick. After a step
// that is in its records, and the next search takes it from there before it replaces them: into a list of its own at
// the beginning of a step, which a step that fails goes back to, and later in a step into room that it only borrows.
#include <algorithm>
#include <limits>

#include "base/room.h"
#include "models/impulse/contact_list.h"

namespace touchstone {

template <int D>
void ContactList<D>::remember(double substep, std::span<const Vec<D>> position, std::span<const Mat<D>> rotation,
                              const Parallel& parallel) {
  const auto counts = [&](std::size_t i) { return !records_[i].impulse.isZero(0); };
  resting_ = static_cast<std::int64_t>(count_by_range(parallel, counts, memory_place_));
  substep_ = substep, found_position_ = position, found_rotation_ = rotation;
  pending_ = true;
}

template <int D>
void ContactList<D>::write_memory(std::span<ContactMemory<D>> out, const Parallel& parallel) const {
  parallel.for_ranges(records_.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    std::size_t to = memory_place_[begin / kGrain];
    for (std::size_t i = begin; i < end; ++i) {
      const ContactRecord<D>& r = records_[i];
      if (r.impulse.isZero(0)) continue;
      const Contact<D>& c = *r.contact;
      const std::uint32_t a = c.body_a;
      const SingleVec<D> point =
          (found_rotation_[a].transpose() * (c.point - found_position_[a])).template cast<float>();
      out[to++] = {c.key, a, c.body_b, r.stuck, r.impulse / substep_, r.slip, point};
    }
  });
}

// A search begins.
template <int D>
void ContactList<D>::recall(Scratch& room, const Parallel& parallel) {
  if (pending_ && begun_) {
    const std::span<ContactMemory<D>> known = room.take<ContactMemory<D>>(static_cast<std::size_t>(resting_));
    write_memory(known, parallel);
    known_ = known;
  } else if (pending_) {
    size_to(memory_, static_cast<std::size_t>(resting_));
    write_memory(memory_, parallel);
  }
  if (!begun_) known_ = memory_;
  pending_ = false;
  begun_ = true;
}

template <int D>
std::span<const ContactMemory<D>> ContactList<D>::memory() {
  if (pending_) {
    size_to(memory_, static_cast<std::size_t>(resting_));
    write_memory(memory_, Parallel(1));
    pending_ = false;
  }
  return memory_;
}

template <int D>
void ContactList<D>::serialize(Archive& ar) {
  if (ar.saving()) memory();
  ar(memory_);
  pending_ = false, known_ = {};
}

template <int D>
void ContactList<D>::forget(std::uint32_t body) {
  memory();
  std::erase_if(memory_, [body](const ContactMemory<D>& m) { return m.body_a == body || m.body_b == body; });
  const auto touches = [body](const Contact<D>& c) { return c.body_a == body || c.body_b == body; };
  std::erase_if(reported_, [&](std::uint32_t at) {
    return touches(at & kAside ? aside_[at & ~kAside].contact : *records_[at].contact);
  });
}

// What a contact knew goes to the one of the same name among the pair's points, or else to the nearest one: points come
// and go as faces slide over each other, and the load that they carried must not be lost with them.
template <int D>
void ContactList<D>::inherit(const State<D>& state, std::span<const Mat<D>> rotation, const ContactMemory<D>& known,
                             std::size_t begin, std::size_t end, double substep) {
  ContactRecord<D>* heir = nullptr;
  bool same = false;
  for (std::size_t i = begin; i < end && !same; ++i)
    if (records_[i].contact->key == known.key) heir = &records_[i], same = true;
  if (!same) {
    double nearest = std::numeric_limits<double>::infinity();
    const Vec<D> point = state.position[known.body_a] + rotation[known.body_a] * known.point.template cast<double>();
    for (std::size_t i = begin; i < end; ++i) {
      const double distance = (records_[i].contact->point - point).squaredNorm();
      if (distance < nearest) nearest = distance, heir = &records_[i];
    }
  }
  const Vec<D>& n = heir->contact->normal;
  heir->impulse += substep * known.force;
  if (!same && heir->stuck) return;
  heir->stuck = known.stuck;
  const Vec<D> slip = known.slip.template cast<double>();
  heir->slip = (slip - n * n.dot(slip)).template cast<float>();
}

// Both lists are in the order of their keys, and the points of a pair of shapes stand together in each.
template <int D>
void ContactList<D>::match(const State<D>& state, std::span<const Mat<D>> rotation, double substep,
                           const Parallel& parallel) {
  const auto pair_of = [](std::uint64_t key) { return key >> 16; };
  const auto known_pair = [&](std::size_t i) { return pair_of(known_[i].key); };
  const auto pair_begin = [&](std::size_t i) {  // of the first pair that begins at i or after it
    while (i > 0 && i < known_.size() && known_pair(i) == known_pair(i - 1)) ++i;
    return i;
  };
  parallel.for_ranges(known_.size(), kGrain, [&](std::size_t first, std::size_t last) {
    std::size_t i = pair_begin(first);
    const std::size_t stop = pair_begin(last);
    if (i >= stop) return;
    std::size_t begin = static_cast<std::size_t>(std::lower_bound(records_.begin(), records_.end(), known_pair(i),
                                                                  [&](const ContactRecord<D>& r, std::uint64_t pair) {
                                                                    return pair_of(r.contact->key) < pair;
                                                                  }) -
                                                 records_.begin());
    for (std::size_t end = begin; i < stop; ++i) {
      while (begin < records_.size() && pair_of(records_[begin].contact->key) < known_pair(i)) ++begin;
      if (begin == records_.size()) return;
      if (pair_of(records_[begin].contact->key) != known_pair(i)) continue;
      for (end = std::max(begin, end); end < records_.size() && pair_of(records_[end].contact->key) == known_pair(i);)
        ++end;
      inherit(state, rotation, known_[i], begin, end, substep);
    }
  });
}

#define TOUCHSTONE_INSTANTIATE(D)                                                                                    \
  template void ContactList<D>::remember(double, std::span<const Vec<D>>, std::span<const Mat<D>>, const Parallel&); \
  template void ContactList<D>::recall(Scratch&, const Parallel&);                                                   \
  template std::span<const ContactMemory<D>> ContactList<D>::memory();                                               \
  template void ContactList<D>::serialize(Archive&);                                                                 \
  template void ContactList<D>::forget(std::uint32_t);                                                               \
  template void ContactList<D>::match(const State<D>&, std::span<const Mat<D>>, double, const Parallel&);
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone

// What the impulse model reports of a step: mostly the records of its contacts, which stay where they are until the
// next step. Only where a step finds contacts several times is something set aside.
#include <algorithm>

#include "base/room.h"
#include "models/impulse/contact_list.h"

namespace touchstone {

template <int D>
void ContactList<D>::start_report() {
  reported_.clear();
  aside_.clear();
  unreported_ = false;
}

// The records are about to be replaced; bodies are where contacts are found anew.
template <int D>
std::span<typename ContactList<D>::Passed> ContactList<D>::set_aside(const Bodies<D>& bodies, const State<D>& state,
                                                                     Scratch& scratch) const {
  const auto counts = [](const ContactRecord<D>& r) { return !r.total.isZero(0); };
  const std::span<Passed> passed =
      scratch.take<Passed>(static_cast<std::size_t>(std::count_if(records_.begin(), records_.end(), counts)));
  std::size_t to = 0;
  for (const ContactRecord<D>& r : records_) {
    if (!counts(r)) continue;
    const Contact<D>& c = *r.contact;
    const Vec<D>& centre = state.position[bodies.dynamic(c.body_a) ? c.body_a : c.body_b];
    passed[to++] = {c.key,
                    r.total,
                    (c.point - centre).template cast<float>(),
                    c.normal.template cast<float>(),
                    static_cast<float>(c.gap),
                    r.stuck};
  }
  return passed;
}

// What is there again has what it had; what is not is kept for the report.
template <int D>
void ContactList<D>::claim(const StepInput<D>& in, const State<D>& state, std::span<const Passed> passed) {
  const ColliderTable<D>& colliders = in.detector.colliders();
  std::size_t at = 0;
  for (const Passed& p : passed) {
    while (at < records_.size() && records_[at].contact->key < p.key) ++at;
    if (at < records_.size() && records_[at].contact->key == p.key) {
      records_[at].total = p.impulse;
      continue;
    }
    Contact<D> c;
    c.key = p.key;
    c.body_a = colliders[c.collider_a()].body, c.body_b = colliders[c.collider_b()].body;
    c.point = state.position[in.bodies.dynamic(c.body_a) ? c.body_a : c.body_b] + p.point.template cast<double>();
    c.normal = p.normal.template cast<double>().normalized();
    c.gap = static_cast<double>(p.gap);
    ContactSides<D> sides;
    describe_pair(in, state, in.detector.rotations(), c, sides);
    aside_.push_back({c, p.impulse, sides.skin, p.sticking});
  }
}

// A record is about to go.
template <int D>
void ContactList<D>::lose(const ContactRecord<D>& r) {
  if (!r.total.isZero(0)) aside_.push_back({*r.contact, r.total, r.sides->skin, r.stuck});
}

template <int D>
void ContactList<D>::finish_report(const Parallel& parallel) {
  unreported_ = false;
  // Those of one name count once: what was lost twice, and what is there again, which is reported with the record.
  std::stable_sort(aside_.begin(), aside_.end(),
                   [](const auto& x, const auto& y) { return x.contact.key < y.contact.key; });
  std::size_t kept = 0, at = 0;
  for (std::size_t i = 0; i < aside_.size(); ++i) {
    const StepContact<D> c = aside_[i];
    while (at < records_.size() && records_[at].contact->key < c.contact.key) ++at;
    if (at < records_.size() && records_[at].contact->key == c.contact.key) {
      if (records_[at].total.isZero(0)) records_[at].stuck = c.sticking;
      records_[at].total += c.impulse;
    } else if (kept > 0 && aside_[kept - 1].contact.key == c.contact.key) {
      const Vec<D> before = aside_[kept - 1].impulse;
      aside_[kept - 1] = c;
      aside_[kept - 1].impulse += before;
    } else {
      aside_[kept++] = c;
    }
  }
  aside_.resize(kept);
  const auto counts = [&](std::size_t i) { return !records_[i].total.isZero(0); };
  const std::size_t count = count_by_range(parallel, counts, reported_place_);
  size_to(reported_, count + kept);
  parallel.for_ranges(records_.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    std::size_t to = reported_place_[begin / kGrain];
    for (std::size_t i = begin; i < end; ++i)
      if (counts(i)) reported_[to++] = static_cast<std::uint32_t>(i);
  });
  // Both are in order: merged from the back, so that nothing is in the way.
  std::size_t from = count, to = count + kept;
  for (std::size_t k = kept; k-- > 0;) {
    const std::uint64_t key = aside_[k].contact.key;
    while (from > 0 && records_[reported_[from - 1]].contact->key > key) reported_[--to] = reported_[--from];
    reported_[--to] = kAside | static_cast<std::uint32_t>(k);
  }
}

template <int D>
ReportedContact<D> ContactList<D>::reported(std::size_t i) const {
  if (reported_[i] & kAside) {
    const StepContact<D>& c = aside_[reported_[i] & ~kAside];
    return {c.contact, c.impulse, c.sticking};
  }
  const ContactRecord<D>& r = records_[reported_[i]];
  return {*r.contact, r.total, r.stuck};
}

template <int D>
const Vec<D>& ContactList<D>::skin(std::size_t i) const {
  return reported_[i] & kAside ? aside_[reported_[i] & ~kAside].relative_velocity : records_[reported_[i]].sides->skin;
}

template <int D>
Vec<D> ContactList<D>::reported_velocity(std::size_t i, const State<D>& state) const {
  const Contact<D>& c = reported(i).contact;
  return state.point_velocity(c.body_b, c.point) - state.point_velocity(c.body_a, c.point) + skin(i);
}

template <int D>
void ContactList<D>::serialize_report(Archive& ar) {
  if (ar.saving()) {
    std::vector<StepContact<D>> all;
    for (std::size_t i = 0; i < reported_.size(); ++i) {
      const ReportedContact<D> c = reported(i);
      all.push_back({c.contact, c.impulse, skin(i), c.sticking});
    }
    return ar(all);
  }
  start_report();
  records_.clear();
  gaps_.clear();
  ar(aside_);
  for (std::uint32_t i = 0; i < aside_.size(); ++i) reported_.push_back(kAside | i);
}

#define TOUCHSTONE_INSTANTIATE(D)                                                                                   \
  template void ContactList<D>::start_report();                                                                     \
  template std::span<ContactList<D>::Passed> ContactList<D>::set_aside(const Bodies<D>&, const State<D>&, Scratch&) \
      const;                                                                                                        \
  template void ContactList<D>::claim(const StepInput<D>&, const State<D>&, std::span<const Passed>);               \
  template void ContactList<D>::lose(const ContactRecord<D>&);                                                      \
  template void ContactList<D>::finish_report(const Parallel&);                                                     \
  template ReportedContact<D> ContactList<D>::reported(std::size_t) const;                                          \
  template Vec<D> ContactList<D>::reported_velocity(std::size_t, const State<D>&) const;                            \
  template void ContactList<D>::serialize_report(Archive&);
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone

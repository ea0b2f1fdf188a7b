#pragma once
// Begin, persist and end of contacts, from what the model reports after each step.
#include <limits>
#include <span>
#include <vector>

#include "base/archive.h"
#include "base/room.h"
#include "models/contact_model.h"
#include "touchstone/query.h"

namespace touchstone {

class ContactEvents {
 public:
  // The contacts of a step that succeeded, ordered by key. id_of gives the id of the body in a slot. If there is no
  // memory for them, there are none.
  template <int D, class IdOf>
  void update(const ReportedContacts<D>& contacts, const ColliderTable<D>& colliders, IdOf id_of);
  std::span<const ContactEvent> events() const { return events_; }
  void serialize(Archive& ar);

 private:
  template <int D, class IdOf>
  void compare(const ReportedContacts<D>& contacts, const ColliderTable<D>& colliders, IdOf id_of);
  // The events of a step, written over those of the step before as far as they have been compared.
  class Comparison {
   public:
    explicit Comparison(ContactEvents& e) : pairs_(e.pairs_), events_(e.events_) {}
    void add(std::uint64_t pair, const ContactEvent& event);
    void finish();

   private:
    std::uint64_t next_pair() const { return pairs_.old(next_, 1).front(); }
    ContactEvent next_event();
    void end_before(std::uint64_t pair);
    void push(std::uint64_t pair, const ContactEvent& event, ContactEvent::Kind kind);
    Rewriting<std::uint64_t> pairs_;
    Rewriting<ContactEvent> events_;
    std::size_t next_ = 0;  // of those before that has not been compared yet
  };

  // Ordered by pair of colliders, which is a contact's key without its feature. What ended stands there too.
  std::vector<std::uint64_t> pairs_;
  std::vector<ContactEvent> events_;
};

template <int D, class IdOf>
void ContactEvents::update(const ReportedContacts<D>& contacts, const ColliderTable<D>& colliders, IdOf id_of) {
  try {
    compare(contacts, colliders, id_of);
  } catch (...) {
    pairs_.clear(), events_.clear();
    throw;
  }
}

template <int D, class IdOf>
void ContactEvents::compare(const ReportedContacts<D>& contacts, const ColliderTable<D>& colliders, IdOf id_of) {
  Comparison comparison(*this);
  const std::size_t count = contacts.size();
  ContactEvent event;
  std::uint64_t pair = 0;
  for (std::size_t i = 0; i < count; ++i) {  // each is asked for once: models make them up
    const ReportedContact<D> reported = contacts[i];
    const Contact<D>& c = reported.contact;
    if (i == 0 || c.key >> 16 != pair) {
      if (i > 0) comparison.add(pair, event);
      pair = c.key >> 16;
      event = {};
      event.body_a = id_of(c.body_a), event.body_b = id_of(c.body_b);
      event.shape_a = colliders[c.collider_a()].shape_index, event.shape_b = colliders[c.collider_b()].shape_index;
      event.gap = std::numeric_limits<double>::infinity();
    }
    if (c.gap < event.gap) event.gap = c.gap, event.point = widen<D>(c.point), event.normal = widen<D>(c.normal);
    event.impulse += widen<D>(reported.impulse);
  }
  if (count > 0) comparison.add(pair, event);
  comparison.finish();
}

}  // namespace touchstone

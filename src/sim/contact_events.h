#pragma once
// Begin, persist and end of contacts, from what the model reports after each step.
#include <limits>
#include <span>
#include <vector>

#include "base/archive.h"
#include "models/contact_model.h"
#include "touchstone/query.h"

namespace touchstone {

class ContactEvents {
 public:
  // The contacts of a step that succeeded, ordered by key. id_of gives the id of the body in a slot.
  template <int D, class IdOf>
  void update(const ReportedContacts<D>& contacts, const ColliderTable<D>& colliders, IdOf id_of);
  std::span<const ContactEvent> events() const { return now_.events; }
  void serialize(Archive& ar);

 private:
  // Of a step, ordered by pair of colliders, which is a contact's key without its feature. What ended stands there too.
  struct Events {
    std::vector<std::uint64_t> pairs;
    std::vector<ContactEvent> events;
    std::size_t size() const { return pairs.size(); }
    void clear() { pairs.clear(), events.clear(); }
  };
  void start();
  void add(std::uint64_t pair, const ContactEvent& event);
  void finish();
  void end_before(std::uint64_t pair);
  void push(std::uint64_t pair, const ContactEvent& event, ContactEvent::Kind kind);

  Events now_, before_;
  std::size_t next_ = 0;  // of those before that has not been compared yet
};

template <int D, class IdOf>
void ContactEvents::update(const ReportedContacts<D>& contacts, const ColliderTable<D>& colliders, IdOf id_of) {
  start();
  const std::size_t count = contacts.size();
  for (std::size_t i = 0; i < count;) {
    const Contact<D>& first = contacts[i].contact;
    const std::uint64_t pair = first.key >> 16;
    ContactEvent event;
    event.body_a = id_of(first.body_a), event.body_b = id_of(first.body_b);
    event.shape_a = colliders[first.collider_a].shape_index, event.shape_b = colliders[first.collider_b].shape_index;
    event.gap = std::numeric_limits<double>::infinity();
    for (; i < count; ++i) {
      const ReportedContact<D> reported = contacts[i];
      const Contact<D>& c = reported.contact;
      if (c.key >> 16 != pair) break;
      if (c.gap < event.gap) event.gap = c.gap, event.point = widen<D>(c.point), event.normal = widen<D>(c.normal);
      event.impulse += widen<D>(reported.impulse);
    }
    add(pair, event);
  }
  finish();
}

}  // namespace touchstone

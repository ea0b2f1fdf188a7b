#pragma once
// Begin, persist and end of contacts, from what the model reports after each step.
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
  void update(std::span<const StepContact<D>> contacts, const ColliderTable<D>& colliders, IdOf id_of);
  std::span<const ContactEvent> events() const { return events_; }
  void serialize(Archive& ar);

 private:
  struct Touching {
    std::uint64_t pair = 0;  // of the colliders: a contact's key without its feature
    ContactEvent last;
    void serialize(Archive& ar);
  };
  void compare();

  std::vector<Touching> now_, before_;  // by pair
  std::vector<ContactEvent> events_;
};

template <int D, class IdOf>
void ContactEvents::update(std::span<const StepContact<D>> contacts, const ColliderTable<D>& colliders, IdOf id_of) {
  std::swap(now_, before_);
  now_.clear();
  for (const StepContact<D>& s : contacts) {
    const Contact<D>& c = s.contact;
    if (now_.empty() || now_.back().pair != c.key >> 16) {
      Touching t;
      t.pair = c.key >> 16;
      t.last.body_a = id_of(c.body_a), t.last.body_b = id_of(c.body_b);
      t.last.shape_a = colliders[c.collider_a].shape_index, t.last.shape_b = colliders[c.collider_b].shape_index;
      t.last.gap = std::numeric_limits<double>::infinity();
      now_.push_back(t);
    }
    ContactEvent& e = now_.back().last;
    if (c.gap < e.gap) e.gap = c.gap, e.point = widen<D>(c.point), e.normal = widen<D>(c.normal);
    e.impulse += widen<D>(s.impulse);
  }
  compare();
}

}  // namespace touchstone

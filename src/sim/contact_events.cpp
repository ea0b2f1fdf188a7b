#include "sim/contact_events.h"

#include <utility>

#include "base/room.h"

namespace touchstone {

static void serialize_fields(Archive& ar, ContactEvent& e) {
  ar(e.kind), ar(e.body_a), ar(e.body_b), ar(e.shape_a), ar(e.shape_b), ar(e.point), ar(e.normal), ar(e.gap),
      ar(e.impulse);
}

// What is remembered of the step before the last is not needed: update overwrites it.
void ContactEvents::serialize(Archive& ar) {
  ar(now_.pairs), ar(now_.events);
  if (now_.pairs.size() != now_.events.size())
    throw Error(ErrorKind::kBadInput, "snapshot is damaged: contact events without their pairs");
}

void ContactEvents::start() {
  std::swap(now_, before_);
  now_.clear();
  next_ = 0;
}

void ContactEvents::push(std::uint64_t pair, const ContactEvent& event, ContactEvent::Kind kind) {
  make_room(now_.pairs, now_.size() + 1), make_room(now_.events, now_.size() + 1);
  now_.pairs.push_back(pair);
  now_.events.push_back(event);
  ContactEvent& pushed = now_.events.back();
  pushed.kind = kind;
  if (kind == ContactEvent::Kind::kEnd) pushed.impulse.setZero();
}

// What touched before in pairs below this one, and no longer does.
void ContactEvents::end_before(std::uint64_t pair) {
  for (; next_ < before_.size() && before_.pairs[next_] < pair; ++next_)
    if (before_.events[next_].kind != ContactEvent::Kind::kEnd)
      push(before_.pairs[next_], before_.events[next_], ContactEvent::Kind::kEnd);
}

// A collider slot may have gone to another body since: that is another contact.
void ContactEvents::add(std::uint64_t pair, const ContactEvent& event) {
  end_before(pair);
  bool persists = false;
  for (; next_ < before_.size() && before_.pairs[next_] == pair; ++next_) {
    const ContactEvent& old = before_.events[next_];
    if (old.kind == ContactEvent::Kind::kEnd) continue;
    persists = old.body_a == event.body_a && old.body_b == event.body_b;
    if (!persists) push(pair, old, ContactEvent::Kind::kEnd);
  }
  push(pair, event, persists ? ContactEvent::Kind::kPersist : ContactEvent::Kind::kBegin);
}

void ContactEvents::finish() { end_before(std::numeric_limits<std::uint64_t>::max()); }

}  // namespace touchstone

#include "sim/contact_events.h"

namespace touchstone {

static void serialize_fields(Archive& ar, ContactEvent& e) {
  ar(e.kind), ar(e.body_a), ar(e.body_b), ar(e.shape_a), ar(e.shape_b), ar(e.point), ar(e.normal), ar(e.gap),
      ar(e.impulse);
}

void ContactEvents::serialize(Archive& ar) {
  ar(pairs_), ar(events_);
  if (pairs_.size() != events_.size())
    throw Error(ErrorKind::kBadInput, "snapshot is damaged: contact events without their pairs");
}

void ContactEvents::Comparison::push(std::uint64_t pair, const ContactEvent& event, ContactEvent::Kind kind) {
  ContactEvent pushed = event;
  pushed.kind = kind;
  if (kind == ContactEvent::Kind::kEnd) pushed.impulse.setZero();
  pairs_.add(pair);
  events_.add(pushed);
}

// It is compared now, and its place may be written over.
ContactEvent ContactEvents::Comparison::next_event() {
  const ContactEvent event = events_.old(next_, 1).front();
  ++next_;
  pairs_.release(next_), events_.release(next_);
  return event;
}

// What touched before in pairs below this one, and no longer does.
void ContactEvents::Comparison::end_before(std::uint64_t pair) {
  while (next_ < pairs_.old_size() && next_pair() < pair) {
    const std::uint64_t ended = next_pair();
    const ContactEvent event = next_event();
    if (event.kind != ContactEvent::Kind::kEnd) push(ended, event, ContactEvent::Kind::kEnd);
  }
}

// A collider slot may have gone to another body since: that is another contact.
void ContactEvents::Comparison::add(std::uint64_t pair, const ContactEvent& event) {
  end_before(pair);
  bool persists = false;
  while (next_ < pairs_.old_size() && next_pair() == pair) {
    const ContactEvent old = next_event();
    if (old.kind == ContactEvent::Kind::kEnd) continue;
    persists = old.body_a == event.body_a && old.body_b == event.body_b;
    if (!persists) push(pair, old, ContactEvent::Kind::kEnd);
  }
  push(pair, event, persists ? ContactEvent::Kind::kPersist : ContactEvent::Kind::kBegin);
}

void ContactEvents::Comparison::finish() {
  end_before(std::numeric_limits<std::uint64_t>::max());
  pairs_.finish(), events_.finish();
}

}  // namespace touchstone

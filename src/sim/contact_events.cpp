#include "sim/contact_events.h"

namespace touchstone {

static void serialize_fields(Archive& ar, ContactEvent& e) {
  ar(e.kind), ar(e.body_a), ar(e.body_b), ar(e.shape_a), ar(e.shape_b), ar(e.point), ar(e.normal), ar(e.gap),
      ar(e.impulse);
}

void ContactEvents::Touching::serialize(Archive& ar) { ar(pair), serialize_fields(ar, last); }

// What is remembered of the step before the last is not needed: update overwrites it.
void ContactEvents::serialize(Archive& ar) { ar(now_), ar(events_); }

// Both lists are ordered by pair. A collider slot may have gone to another body since: that is another contact.
void ContactEvents::compare() {
  events_.clear();
  const auto add = [&](const ContactEvent& event, ContactEvent::Kind kind) {
    events_.push_back(event);
    events_.back().kind = kind;
    if (kind == ContactEvent::Kind::kEnd) events_.back().impulse.setZero();
  };
  std::size_t b = 0;
  for (const Touching& t : now_) {
    for (; b < before_.size() && before_[b].pair < t.pair; ++b) add(before_[b].last, ContactEvent::Kind::kEnd);
    if (b == before_.size() || before_[b].pair != t.pair) {
      add(t.last, ContactEvent::Kind::kBegin);
      continue;
    }
    const ContactEvent& old = before_[b++].last;
    if (old.body_a == t.last.body_a && old.body_b == t.last.body_b) {
      add(t.last, ContactEvent::Kind::kPersist);
    } else {
      add(old, ContactEvent::Kind::kEnd);
      add(t.last, ContactEvent::Kind::kBegin);
    }
  }
  for (; b < before_.size(); ++b) add(before_[b].last, ContactEvent::Kind::kEnd);
}

}  // namespace touchstone

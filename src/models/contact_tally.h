#pragma once
// The contacts of a step by key, with impulses summed over its substeps. Mostly the same points work in every substep,
// and the list is added to in place; new ones are sorted in at the end of the substep.
#include <algorithm>
#include <span>
#include <vector>

#include "base/room.h"
#include "models/contact_model.h"

namespace touchstone {

template <int D>
class ContactTally {
 public:
  std::span<const StepContact<D>> contacts() const { return cleared_ ? std::span<const StepContact<D>>() : list_; }
  void clear() { cleared_ = true; }
  bool empty() const { return contacts().empty(); }
  // Between begin() and end(), contacts come in the order of their keys.
  void begin() {
    if (cleared_) list_.clear(), cleared_ = false;
    fresh_.clear();
    next_ = 0;
    first_ = list_.empty();
  }
  // The entry of this contact; its geometry is the newest.
  StepContact<D>& at(const Contact<D>& contact) {
    while (!first_ && next_ < list_.size() && list_[next_].contact.key < contact.key) ++next_;
    const bool known = !first_ && next_ < list_.size() && list_[next_].contact.key == contact.key;
    if (first_) make_room(list_, list_.size() + 1);
    StepContact<D>& entry = known ? list_[next_++] : first_ ? list_.emplace_back() : fresh_.emplace_back();
    entry.contact = contact;
    return entry;
  }
  void end() {
    merge_into(list_, fresh_, [](const auto& x, const auto& y) { return x.contact.key < y.contact.key; });
  }
  void forget(std::uint32_t body) {
    if (cleared_) return;
    std::erase_if(list_,
                  [body](const StepContact<D>& c) { return c.contact.body_a == body || c.contact.body_b == body; });
  }
  void serialize(Archive& ar) {
    if (cleared_) list_.clear(), cleared_ = false;
    ar(list_);
  }

 private:
  std::vector<StepContact<D>> list_, fresh_;
  std::size_t next_ = 0;
  bool cleared_ = false, first_ = false;
};

// A model that reports what it has tallied.
template <int D>
class TalliedModel : public ContactModel<D> {
 public:
  std::size_t contact_count() const override { return tally_.contacts().size(); }
  ReportedContact<D> contact(std::size_t i) const override {
    const StepContact<D>& c = tally_.contacts()[i];
    return {c.contact, c.impulse, c.sticking};
  }
  Vec<D> contact_velocity(std::size_t i, const State<D>&) const override {
    return tally_.contacts()[i].relative_velocity;
  }

 protected:
  ContactTally<D> tally_;
};

}  // namespace touchstone

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
  void clear() { cleared_ = true; }  // the list stays as it is, for start()
  bool empty() const { return contacts().empty(); }
  // Room for so many contacts, all of them new; the caller sets them, in the order of their keys.
  std::span<StepContact<D>> start(std::size_t count) {
    size_to(list_, count);
    cleared_ = false;
    return list_;
  }
  // Between begin() and end(), contacts come in the order of their keys.
  void begin() {
    if (cleared_) list_.clear(), cleared_ = false;
    fresh_.clear();
    next_ = 0;
  }
  // The entry of this contact; its geometry is the newest.
  StepContact<D>& at(const Contact<D>& contact) {
    while (next_ < list_.size() && list_[next_].contact.key < contact.key) ++next_;
    const bool known = next_ < list_.size() && list_[next_].contact.key == contact.key;
    StepContact<D>& entry = known ? list_[next_++] : fresh_.emplace_back();
    entry.contact = contact;
    return entry;
  }
  void end() {
    if (fresh_.empty()) return;
    if (list_.empty()) return list_.swap(fresh_);
    // Both are in order: merged from the back, so that nothing is in the way.
    std::size_t old = list_.size(), more = fresh_.size();
    make_room(list_, old + more);
    list_.resize(old + more);
    for (std::size_t to = list_.size(); more > 0;) {
      const bool from_old = old > 0 && list_[old - 1].contact.key > fresh_[more - 1].contact.key;
      list_[--to] = from_old ? list_[--old] : fresh_[--more];
    }
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
  bool cleared_ = false;
};

}  // namespace touchstone

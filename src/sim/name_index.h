#pragma once
// Which body has a name. The names themselves are kept with the bodies, so that this is a number a body.
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone {

// A hash table of slots, in which the next free place is taken. `names` is by slot, and the same in every call but for
// names that are not in the index.
class NameIndex {
 public:
  std::optional<std::uint32_t> find(std::string_view name, std::span<const std::string> names) const {
    if (places_.empty()) return std::nullopt;
    const std::uint32_t slot = places_[place_of(name, names)];
    return slot == kFree ? std::nullopt : std::optional(slot);
  }
  // The name of this slot, which is not there yet.
  void add(std::uint32_t slot, std::span<const std::string> names) {
    if (4 * (count_ + 1) > 3 * places_.size()) grow(names);
    places_[place_of(names[slot], names)] = slot;
    ++count_;
  }
  // A name that may be there.
  void remove(std::string_view name, std::span<const std::string> names) {
    if (places_.empty()) return;
    std::size_t gap = place_of(name, names);
    if (places_[gap] == kFree) return;
    // What would not be found behind the gap moves into it.
    for (std::size_t i = next(gap); places_[i] != kFree; i = next(i)) {
      const std::size_t first = first_place(names[places_[i]]);
      const bool reached = gap < i ? first <= gap || first > i : first <= gap && first > i;
      if (reached) places_[gap] = places_[i], gap = i;
    }
    places_[gap] = kFree;
    --count_;
  }
  void clear() { places_.clear(), count_ = 0; }

 private:
  static constexpr std::uint32_t kFree = 0xffffffff;
  std::size_t next(std::size_t place) const { return (place + 1) & (places_.size() - 1); }
  std::size_t first_place(std::string_view name) const {
    return std::hash<std::string_view>{}(name) & (places_.size() - 1);
  }
  // Where it is, or where it would go.
  std::size_t place_of(std::string_view name, std::span<const std::string> names) const {
    std::size_t at = first_place(name);
    while (places_[at] != kFree && names[places_[at]] != name) at = next(at);
    return at;
  }
  void grow(std::span<const std::string> names) {
    std::vector<std::uint32_t> old(places_.empty() ? 16 : 2 * places_.size(), kFree);
    old.swap(places_);
    for (const std::uint32_t slot : old)
      if (slot != kFree) places_[place_of(names[slot], names)] = slot;
  }
  std::vector<std::uint32_t> places_;  // a power of two of them
  std::size_t count_ = 0;
};

}  // namespace touchstone

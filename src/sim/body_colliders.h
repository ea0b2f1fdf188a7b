#pragma once
// Which colliders a body has: nearly always one, which needs no list of its own.
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "base/archive.h"

namespace touchstone {

class BodyColliders {
 public:
  std::size_t size() const { return only_.size(); }
  void reserve(std::size_t bodies) { only_.reserve(bodies); }
  void resize(std::size_t bodies) { only_.resize(bodies, kNone); }
  std::span<const std::uint32_t> operator[](std::uint32_t body) const {
    if (only_[body] == kNone) return {};
    if (only_[body] == kSeveral) return several_.at(body);
    return {&only_[body], 1};
  }
  void add(std::uint32_t body, std::uint32_t collider) {
    if (only_[body] == kNone) return void(only_[body] = collider);
    std::vector<std::uint32_t>& list = several_[body];
    if (only_[body] != kSeveral) list.push_back(only_[body]);
    list.push_back(collider);
    only_[body] = kSeveral;
  }
  void clear(std::uint32_t body) {
    if (only_[body] == kSeveral) several_.erase(body);
    only_[body] = kNone;
  }
  void serialize(Archive& ar) {
    std::vector<std::vector<std::uint32_t>> lists(size());
    for (std::uint32_t i = 0; ar.saving() && i < size(); ++i) lists[i].assign((*this)[i].begin(), (*this)[i].end());
    ar(lists);
    if (ar.saving()) return;
    only_.assign(lists.size(), kNone), several_.clear();
    for (std::uint32_t i = 0; i < size(); ++i)
      for (const std::uint32_t c : lists[i]) {
        if (c >= kSeveral) throw Error(ErrorKind::kBadInput, "the snapshot is damaged");
        add(i, c);
      }
  }

 private:
  static constexpr std::uint32_t kNone = 0xffffffff, kSeveral = 0xfffffffe;  // beyond what a key can hold
  std::vector<std::uint32_t> only_;
  std::map<std::uint32_t, std::vector<std::uint32_t>> several_;
};

}  // namespace touchstone

#pragma once
// The tags of the bodies: one bit each, so that a search by tag reads one word a body.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/archive.h"

namespace touchstone {

class BodyTags {
 public:
  void resize(std::size_t bodies) { bits_.resize(bodies, 0); }
  void reserve(std::size_t bodies) { bits_.reserve(bodies); }
  std::uint64_t of(std::uint32_t body) const { return bits_[body]; }
  void put(std::uint32_t body, std::uint64_t bits) { bits_[body] = bits; }
  void clear(std::uint32_t body) { bits_[body] = 0; }
  void clear() { names_.clear(), bits_.clear(); }
  // 0: no body ever had it.
  std::uint64_t bit(std::string_view tag) const {
    const auto found = std::find(names_.begin(), names_.end(), tag);
    return found == names_.end() ? 0 : std::uint64_t{1} << (found - names_.begin());
  }
  std::uint64_t bits(const std::vector<std::string>& tags) const {
    std::uint64_t out = 0;
    for (const std::string& tag : tags) out |= bit(tag);
    return out;
  }
  void set(std::uint32_t body, std::string_view tag, bool on) {
    if (!on) return void(bits_[body] &= ~bit(tag));
    bits_[body] |= made_bit(tag);
  }
  // Makes a new tag known; throws Error if there are too many.
  std::uint64_t made_bit(std::string_view tag) {
    constexpr std::size_t kMost = 64;
    if (const std::uint64_t known = bit(tag)) return known;
    if (tag.empty()) throw Error(ErrorKind::kBadInput, "a tag must not be empty");
    if (names_.size() == kMost)
      throw Error(ErrorKind::kUnsupported, fmt::format("tag '{}' is one too many: a world has at most {}", tag, kMost));
    names_.emplace_back(tag);
    return std::uint64_t{1} << (names_.size() - 1);
  }
  std::vector<std::string> names(std::uint32_t body) const {
    std::vector<std::string> out;
    for (std::size_t i = 0; i < names_.size(); ++i)
      if (bits_[body] >> i & 1) out.push_back(names_[i]);
    return out;
  }
  std::size_t size() const { return bits_.size(); }
  void serialize(Archive& ar) {
    ar(names_), ar(bits_);
    if (names_.size() > 64) throw Error(ErrorKind::kBadInput, "the snapshot is damaged");
  }

 private:
  std::vector<std::string> names_;
  std::vector<std::uint64_t> bits_;  // by body
};

}  // namespace touchstone

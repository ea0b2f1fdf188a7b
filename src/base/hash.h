#pragma once
// A 64-bit hash of words: multiply-and-fold with the finaliser of splitmix64. Not cryptographic; its job is
// that two states which differ in one bit get different hashes.
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace touchstone {

class Hash64 {
 public:
  void word(std::uint64_t w) {
    std::uint64_t z = (state_ ^ w) + 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    state_ = z ^ (z >> 31);
  }
  void bytes(const void* data, std::size_t size) {
    const auto* p = static_cast<const unsigned char*>(data);
    for (; size >= 8; size -= 8, p += 8) {
      std::uint64_t w;
      std::memcpy(&w, p, 8);
      word(w);
    }
    std::uint64_t tail = 0;
    std::memcpy(&tail, p, size);
    word(tail ^ (static_cast<std::uint64_t>(size) << 56));
  }
  void numbers(const double* values, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      std::uint64_t w;
      std::memcpy(&w, values + i, 8);
      word(w);
    }
  }
  std::uint64_t value() const { return state_; }

 private:
  std::uint64_t state_ = 0x746f756368737400ull;
};

}  // namespace touchstone

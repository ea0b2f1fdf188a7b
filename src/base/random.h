#pragma once
// The generator behind seeded jitter: a 64-bit linear congruential generator whose upper 31 bits are mapped
// to [-1, 1]. It is fixed here so that a scene gives the same bodies on every machine and in every version.
#include <cstdint>

namespace touchstone {

class JitterGenerator {
 public:
  explicit JitterGenerator(std::uint64_t seed) : state_(seed) {}
  double next() {
    state_ = state_ * 6364136223846793005ull + 1442695040888963407ull;
    return 2.0 * static_cast<double>((state_ >> 33) & 0x7fffffffull) / static_cast<double>(0x7fffffff) - 1.0;
  }

 private:
  std::uint64_t state_;
};

// Uniform numbers, at least 0 and below 1, whose whole state is one word: splitmix64.
class UniformGenerator {
 public:
  explicit UniformGenerator(std::uint64_t& state) : state_(state) {}
  double next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
  }

 private:
  std::uint64_t& state_;
};

}  // namespace touchstone

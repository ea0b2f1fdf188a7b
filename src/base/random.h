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

}  // namespace touchstone

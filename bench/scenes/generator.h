#pragma once
// The generator of the scenes' jitter: a linear congruence modulo 2^64, of which the 31 bits from bit 33 on are used.
#include <cstdint>

namespace touchstone::bench {

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : state_(seed) {}
  // Uniform in [-1, 1].
  double next() {
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return 2.0 * static_cast<double>((state_ >> 33) & 0x7fffffffULL) / 2147483647.0 - 1.0;
  }

 private:
  std::uint64_t state_;
};

}  // namespace touchstone::bench

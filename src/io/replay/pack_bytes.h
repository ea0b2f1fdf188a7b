#pragma once
// Building blocks of the compact form (pack.h): columns of whole numbers that deflate well.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace touchstone {

// Small numbers of either sign become small numbers: 0, −1, 1, −2, ... → 0, 1, 2, 3, ... All arithmetic is modulo 2³².
constexpr std::uint32_t zigzag(std::uint32_t n) { return n << 1 ^ (0u - (n >> 31)); }

// The nearest multiple of the quantum, counted in quanta; kept within ±2³⁰, and 0 for what is no number.
std::int32_t quantised(double value, double quantum);

// A float in 20 bits: eleven bits of mantissa, rounded; relative error at most 2⁻¹². Equal steps of the number are
// equal steps of the value's logarithm, so numbers near each other differ by little.
constexpr double kFloatError = 1.0 / 4096;
std::int32_t short_float(float value);

class PackSection {
 public:
  void bytes(const void* data, std::size_t size);
  void byte(std::uint8_t value) { bytes_ += static_cast<char>(value); }
  void word(std::uint32_t value) { bytes(&value, sizeof value); }
  void number(double value) { bytes(&value, sizeof value); }
  // All lowest bytes of the numbers, then all second ones, ...
  void planes(std::span<const std::uint32_t> numbers);
  void planes(std::span<const double> numbers);
  // One series over time: differences to the number before, or to the line through the two before, whichever are
  // smaller; they are added to `residuals`. Returns which: 0 or 1.
  static std::uint8_t predict(std::span<const std::int32_t> series, std::vector<std::uint32_t>& residuals);

  const std::string& content() const { return bytes_; }

 private:
  std::string bytes_;
};

// What a residual costs, about, in bits.
double residual_cost(std::uint32_t zigzagged);

// As a zlib stream (RFC 1950).
std::string deflated(const std::string& bytes);

}  // namespace touchstone

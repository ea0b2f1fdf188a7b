#include "io/replay/pack_bytes.h"

#include <zlib.h>

#include <bit>
#include <cmath>
#include <cstring>

#include "touchstone/error.h"

namespace touchstone {

std::int32_t quantised(double value, double quantum) {
  constexpr double kMost = 1 << 30;
  const double n = std::round(value / quantum);
  if (std::isnan(n)) return 0;
  return static_cast<std::int32_t>(std::fmax(-kMost, std::fmin(kMost, n)));
}

std::int32_t short_float(float value) {
  constexpr std::int32_t kNotANumber = 0x7fc00;
  if (std::isnan(value)) return kNotANumber;
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const auto size = static_cast<std::int32_t>(((bits & 0x7fffffffu) + 0x800u) >> 12);
  return bits >> 31 ? -size : size;
}

void PackSection::bytes(const void* data, std::size_t size) {
  if (size > 0) bytes_.append(static_cast<const char*>(data), size);
}

void PackSection::planes(std::span<const std::uint32_t> numbers) {
  for (int shift = 0; shift < 32; shift += 8)
    for (const std::uint32_t n : numbers) byte(static_cast<std::uint8_t>(n >> shift));
}

void PackSection::planes(std::span<const double> numbers) {
  for (int shift = 0; shift < 64; shift += 8)
    for (const double n : numbers) byte(static_cast<std::uint8_t>(std::bit_cast<std::uint64_t>(n) >> shift));
}

double residual_cost(std::uint32_t n) { return static_cast<double>(std::bit_width(n)); }

std::uint8_t PackSection::predict(std::span<const std::int32_t> series, std::vector<std::uint32_t>& residuals) {
  const std::size_t start = residuals.size();
  std::vector<std::uint32_t> along;
  double cost = 0, cost_along = 0;
  std::uint32_t before = 0, earlier = 0;
  for (const std::int32_t number : series) {
    const auto n = static_cast<std::uint32_t>(number);
    residuals.push_back(zigzag(n - before));
    along.push_back(zigzag(n - (2 * before - earlier)));
    cost += residual_cost(residuals.back());
    cost_along += residual_cost(along.back());
    earlier = before;
    before = n;
  }
  if (cost <= cost_along) return 0;
  std::copy(along.begin(), along.end(), residuals.begin() + static_cast<std::ptrdiff_t>(start));
  return 1;
}

std::string deflated(const std::string& bytes) {
  constexpr int kLevel = 6;  // 9 takes five times as long for one hundredth
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  std::string out(size, '\0');
  const int result = compress2(reinterpret_cast<Bytef*>(out.data()), &size,
                               reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uLong>(bytes.size()), kLevel);
  if (result != Z_OK) throw Error(ErrorKind::kIo, "the replay could not be compressed: there is not enough memory");
  out.resize(size);
  return out;
}

}  // namespace touchstone

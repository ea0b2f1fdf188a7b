#include "io/plot/ticks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace touchstone {
namespace {

std::string superscript(int exponent) {
  static const std::array<const char*, 10> kDigits{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text;
  for (const char c : std::to_string(exponent)) text += c == '-' ? "⁻" : kDigits[static_cast<std::size_t>(c - '0')];
  return text;
}

// Units whose first letter may carry a prefix. A kilogram cannot, nor can an angle.
bool takes_prefix(const std::string& unit) {
  static const std::array<const char*, 8> kUnits{"m", "s", "J", "N", "W", "Hz", "m/s", "N·s"};
  return std::find(kUnits.begin(), kUnits.end(), unit) != kUnits.end();
}

const char* prefix_of(int exponent) {
  switch (exponent) {
    case -12:
      return "p";
    case -9:
      return "n";
    case -6:
      return "µ";
    case -3:
      return "m";
    case 3:
      return "k";
    case 6:
      return "M";
    case 9:
      return "G";
    case 12:
      return "T";
    default:
      return nullptr;
  }
}

}  // namespace

double nice_step(double range, int parts) {
  const double rough = range / parts;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double factor : {5.0, 2.0})
    if (factor * power <= rough * (1 + 1e-9)) return factor * power;
  return power;
}

std::vector<double> tick_values(double low, double high, double step) {
  std::vector<double> ticks;
  const double slack = 1e-9 * step;
  const double first = std::ceil((low - slack) / step), last = std::floor((high + slack) / step);
  for (double i = first; i <= last && ticks.size() < 100; ++i) ticks.push_back(i == 0 ? 0.0 : i * step);
  return ticks;
}

std::string tick_text(double value, double step) {
  const int decimals = std::clamp(static_cast<int>(-std::floor(std::log10(step) + 1e-9)), 0, 15);
  const std::string digits = fmt::format("{:.{}f}", std::abs(value), decimals);
  return (value < 0 ? "−" : "") + digits;
}

ScaledLabel scaled_label(const std::string& label, double largest) {
  if (!(largest > 0) || (largest >= 1e-2 && largest < 1e4)) return {label, 1.0};
  const int exponent = 3 * static_cast<int>(std::floor(std::log10(largest) / 3 + 1e-9));
  const double factor = std::pow(10.0, -exponent);
  if (exponent == 0 || !std::isfinite(factor)) return {label, 1.0};
  const std::size_t open = label.rfind('[');
  if (open == std::string::npos || label.empty() || label.back() != ']')
    return {label + (label.empty() ? "" : " ") + "[10" + superscript(exponent) + "]", factor};
  const std::string unit = label.substr(open + 1, label.size() - open - 2), before = label.substr(0, open);
  if (takes_prefix(unit) && prefix_of(exponent) && !(unit == "s" && exponent > 0))
    return {before + "[" + prefix_of(exponent) + unit + "]", factor};
  return {before + "[10" + superscript(exponent) + (unit.empty() ? "" : " ") + unit + "]", factor};
}

}  // namespace touchstone

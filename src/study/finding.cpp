#include "study/finding.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

namespace touchstone {
namespace {

using Json = nlohmann::ordered_json;

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

}  // namespace

Json finding_json(const Finding& f) {
  return {{"kind", f.kind},
          {"model", f.model},
          {"bodies", f.bodies},
          {"time", f.time ? number(*f.time) : Json(nullptr)},
          {"value", number(f.value)},
          {"unit", f.unit},
          {"bound", number(f.bound)},
          {"fault", f.fault},
          {"text", f.text}};
}

Json findings_json(const std::vector<Finding>& findings) {
  Json out = Json::array();
  for (const Finding& each : findings) out.push_back(finding_json(each));
  return out;
}

std::string at_time(double time) { return fmt::format("at t = {:.3f} s", time); }

std::string place_text(const std::vector<std::string>& bodies, double time) {
  if (bodies.empty()) return at_time(time);
  if (bodies.size() == 1) return fmt::format("of {} {}", bodies[0], at_time(time));
  if (bodies.size() == 2) return fmt::format("between {} and {} {}", bodies[0], bodies[1], at_time(time));
  return fmt::format("of {} {}", fmt::join(bodies, ", "), at_time(time));
}

std::string with_unit(double value, const std::string& unit) {
  struct Prefix {
    double factor;
    const char* text;
  };
  constexpr std::array kPrefixes{Prefix{1e-9, "n"}, Prefix{1e-6, "µ"}, Prefix{1e-3, "m"}, Prefix{1, ""},
                                 Prefix{1e3, "k"}};
  const double size = std::abs(value);
  const bool takes_prefix =
      unit == "m" || unit == "m/s" || unit == "s" || unit == "J" || unit == "N·s" || unit == "rad";
  if (!takes_prefix || !(size >= 1e-12) || size >= 1e6) return fmt::format("{:.3g} {}", value, unit);
  const Prefix* fits = &kPrefixes[0];
  for (const Prefix& p : kPrefixes)
    if (size >= p.factor * 0.9995 && !(p.factor > 1 && unit[0] != 'J')) fits = &p;
  return fmt::format("{:.3g} {}{}", value / fits->factor, fits->text, unit);
}

std::string percent(double fraction) {
  return fraction >= 0.0995 ? fmt::format("{:.0f} %", 100 * fraction) : fmt::format("{:.2g} %", 100 * fraction);
}

}  // namespace touchstone

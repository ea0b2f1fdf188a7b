#include "io/picture/palette.h"

#include <array>
#include <cctype>
#include <map>
#include <string>

#include "base/hash.h"

namespace touchstone {
namespace {

// Okabe and Ito's seven colours without black, softened towards white for large areas.
constexpr std::array kPalette{from_hex(0x4f8fc6), from_hex(0xe9a23b), from_hex(0x3fa58c), from_hex(0xd96c4e),
                              from_hex(0x8cc4e8), from_hex(0xc686ae), from_hex(0xe3cf6a)};
constexpr Color kStatic = from_hex(0xb9bec6);
constexpr std::array kLightness{0.0, 0.10, -0.08, 0.20, -0.04};

std::uint64_t hash_of(const std::string& text) {
  Hash64 hash;
  hash.bytes(text.data(), text.size());
  return hash.value();
}

std::string base_of(const std::string& name) {
  std::size_t end = name.size();
  while (end > 0 && (std::isdigit(static_cast<unsigned char>(name[end - 1])) || name[end - 1] == '_')) --end;
  return end == 0 ? name : name.substr(0, end);
}

// Where a name's hash points, or the next place that is free, as long as there is one.
std::size_t choose(const std::string& base, std::array<bool, kPalette.size()>& taken) {
  const std::size_t first = hash_of(base) % kPalette.size();
  for (std::size_t i = 0; i < kPalette.size(); ++i) {
    const std::size_t at = (first + i) % kPalette.size();
    if (taken[at]) continue;
    taken[at] = true;
    return at;
  }
  return first;
}

Color varied(const Color& color, const std::string& name) {
  const double shift = kLightness[hash_of(name) % kLightness.size()];
  return shift < 0 ? mix(color, {0, 0, 0}, -shift) : mix(color, {1, 1, 1}, shift);
}

}  // namespace

std::vector<Color> body_colors(const std::vector<BodyDescription>& bodies) {
  std::map<std::string, std::size_t> places;
  std::array<bool, kPalette.size()> taken{};
  std::vector<Color> colors;
  for (const BodyDescription& body : bodies) {
    if (body.kind == BodyKind::kStatic) {
      colors.push_back(kStatic);
      continue;
    }
    const std::string base = base_of(body.name);
    const auto known = places.find(base);
    const std::size_t place = known != places.end() ? known->second : places[base] = choose(base, taken);
    const bool member = base.size() != body.name.size();
    colors.push_back(member ? varied(kPalette[place], body.name) : kPalette[place]);
  }
  return colors;
}

}  // namespace touchstone

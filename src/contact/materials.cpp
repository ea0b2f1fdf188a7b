#include "contact/materials.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "touchstone/error.h"

namespace touchstone {

void check_surface(const std::string& what, double mu_s, double mu_d, double e) {
  if (!(mu_d >= 0) || !(mu_s >= mu_d) || !std::isfinite(mu_s))
    throw Error(
        ErrorKind::kBadInput,
        fmt::format(
            "{}: static_friction is {} and dynamic_friction {}; they must be finite with 0 <= dynamic <= static", what,
            mu_s, mu_d));
  if (!(e >= 0 && e <= 1))
    throw Error(ErrorKind::kBadInput, fmt::format("{}: restitution is {}; it must be between 0 and 1", what, e));
}

MaterialTable::MaterialTable(const std::vector<MaterialDescription>& materials,
                             const std::vector<MaterialPairDescription>& pairs) {
  const auto is_default = [](const MaterialDescription& m) { return m.name == "default"; };
  if (std::none_of(materials.begin(), materials.end(), is_default)) materials_.push_back({});
  for (const MaterialDescription& m : materials) {
    check_surface(fmt::format("material '{}'", m.name), m.static_friction, m.dynamic_friction, m.restitution);
    if (!(m.density > 0) || !std::isfinite(m.density))
      throw Error(ErrorKind::kBadInput,
                  fmt::format("material '{}': density is {}; it must be positive and finite", m.name, m.density));
    for (const MaterialDescription& other : materials_)
      if (other.name == m.name) throw Error(ErrorKind::kBadInput, fmt::format("two materials are named '{}'", m.name));
    materials_.push_back(m);
  }
  const std::size_t n = materials_.size();
  pairs_.resize(n * n);
  for (std::uint32_t a = 0; a < n; ++a)
    for (std::uint32_t b = 0; b < n; ++b)
      pairs_[pair_index(a, b)] = {std::sqrt(materials_[a].static_friction * materials_[b].static_friction),
                                  std::sqrt(materials_[a].dynamic_friction * materials_[b].dynamic_friction),
                                  std::max(materials_[a].restitution, materials_[b].restitution)};
  for (const MaterialPairDescription& p : pairs) {
    check_surface(fmt::format("material pair '{}', '{}'", p.first, p.second), p.static_friction, p.dynamic_friction,
                  p.restitution);
    const std::uint32_t a = find(p.first), b = find(p.second);
    pairs_[pair_index(a, b)] = pairs_[pair_index(b, a)] = {p.static_friction, p.dynamic_friction, p.restitution};
  }
}

std::optional<double> MaterialTable::restitution_of(std::uint32_t body_a, std::uint32_t body_b) const {
  const auto [first, second] = std::minmax({body_a, body_b});
  const std::pair<std::uint32_t, std::uint32_t> wanted(first, second);
  const auto place = std::lower_bound(set_.begin(), set_.end(), wanted, [](const BodyPair& p, const auto& w) {
    return std::pair(p.first, p.second) < w;
  });
  if (place == set_.end() || std::pair(place->first, place->second) != wanted) return std::nullopt;
  return place->restitution;
}

std::size_t MaterialTable::own_index(std::uint32_t body_a, std::uint32_t body_b, std::size_t base) const {
  const std::optional<double> e = restitution_of(body_a, body_b);
  for (std::size_t i = 0; e && i < of_bodies_.size(); ++i)
    if (of_bodies_[i].base == base && of_bodies_[i].material.restitution == *e) return pairs_.size() + i;
  return base;
}

void MaterialTable::prepare(double restitution, std::size_t base) {
  for (const OwnMaterial& own : of_bodies_)
    if (own.base == base && own.material.restitution == restitution) return;
  PairMaterial material = pairs_[base];
  material.restitution = restitution;
  of_bodies_.push_back({base, material});
}

std::uint32_t MaterialTable::find(const std::string& name) const {
  for (std::uint32_t i = 0; i < size(); ++i)
    if (materials_[i].name == name) return i;
  std::vector<std::string> names;
  for (const MaterialDescription& m : materials_) names.push_back(m.name);
  throw Error(ErrorKind::kBadInput, fmt::format("there is no material '{}'{}", name, did_you_mean(name, names)));
}

}  // namespace touchstone

#pragma once
// Materials and what a pair of them does. The rule: friction is the geometric mean, restitution the larger of
// the two; an override for a pair of materials replaces all three numbers.
#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "touchstone/description.h"

namespace touchstone {

struct PairMaterial {
  double static_friction = 0, dynamic_friction = 0, restitution = 0;
};

class MaterialTable {
 public:
  // Adds "default" if the scene has none. Throws Error for numbers out of range and for unknown names.
  MaterialTable(const std::vector<MaterialDescription>& materials, const std::vector<MaterialPairDescription>& pairs);
  std::uint32_t find(const std::string& name) const;  // throws if there is none
  const MaterialDescription& operator[](std::uint32_t index) const { return materials_[index]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(materials_.size()); }
  const PairMaterial& pair(std::uint32_t a, std::uint32_t b) const { return pairs_[a * materials_.size() + b]; }
  std::size_t pair_index(std::uint32_t a, std::uint32_t b) const { return a * materials_.size() + b; }
  std::size_t pair_count() const { return pairs_.size(); }
  const PairMaterial& pair_at(std::size_t index) const { return pairs_[index]; }
  bool bounces() const {  // whether some pair has a restitution
    return std::any_of(pairs_.begin(), pairs_.end(), [](const PairMaterial& p) { return p.restitution > 0; });
  }

 private:
  std::vector<MaterialDescription> materials_;
  std::vector<PairMaterial> pairs_;  // dense: scenes have few materials
};

// Throws Error that names the material unless 0 <= μ_d <= μ_s, both finite, and 0 <= e <= 1.
void check_surface(const std::string& what, double static_friction, double dynamic_friction, double restitution);

}  // namespace touchstone

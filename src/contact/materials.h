#pragma once
// Materials and what a pair of them does. The rule: friction is the geometric mean, restitution the larger of
// the two; an override for a pair of materials replaces all three numbers. Two bodies may have a restitution of their
// own instead, which is set during a run.
#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
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
  std::size_t pair_count() const { return pairs_.size() + of_bodies_.size(); }
  const PairMaterial& pair_at(std::size_t index) const {
    return index < pairs_.size() ? pairs_[index] : of_bodies_[index - pairs_.size()].material;
  }
  bool bounces() const {  // whether some pair has a restitution
    return std::any_of(pairs_.begin(), pairs_.end(), [](const PairMaterial& p) { return p.restitution > 0; }) ||
           std::any_of(set_.begin(), set_.end(), [](const BodyPair& p) { return p.restitution > 0; });
  }

  // Of shapes of materials a and b on two bodies (slots): as pair_index, or with the restitution of the bodies.
  std::size_t index_of(std::uint32_t body_a, std::uint32_t body_b, std::uint32_t a, std::uint32_t b) const {
    const std::size_t base = pair_index(a, b);
    return set_.empty() ? base : own_index(body_a, body_b, base);
  }
  const PairMaterial& of(std::uint32_t body_a, std::uint32_t body_b, std::uint32_t a, std::uint32_t b) const {
    return pair_at(index_of(body_a, body_b, a, b));
  }
  // The restitution of two bodies, in order of their slots; for every pair of materials that their shapes may have, it
  // must be prepared. References and indices that were given out stay valid.
  struct BodyPair {
    std::uint32_t first = 0, second = 0;  // first < second
    double restitution = 0;
  };
  const std::vector<BodyPair>& body_pairs() const { return set_; }
  void set_body_pairs(std::vector<BodyPair> sorted) { set_ = std::move(sorted); }
  void prepare(double restitution, std::size_t base);
  std::optional<double> restitution_of(std::uint32_t body_a, std::uint32_t body_b) const;

 private:
  std::size_t own_index(std::uint32_t body_a, std::uint32_t body_b, std::size_t base) const;
  struct OwnMaterial {
    std::size_t base = 0;  // pair of materials
    PairMaterial material;
  };
  std::vector<MaterialDescription> materials_;
  std::vector<PairMaterial> pairs_;    // dense: scenes have few materials
  std::vector<BodyPair> set_;          // sorted
  std::deque<OwnMaterial> of_bodies_;  // one for each pair of materials and restitution; it only grows
};

// Throws Error that names the material unless 0 <= μ_d <= μ_s, both finite, and 0 <= e <= 1.
void check_surface(const std::string& what, double static_friction, double dynamic_friction, double restitution);

}  // namespace touchstone

#pragma once
// What detection returns. The normal points from A to B, gap < 0 is penetration, the point lies midway
// between the two surfaces (docs/conventions.md).
#include <cstdint>
#include <vector>

#include "math/types.h"

namespace touchstone {

// A contact point of one pair of shapes. The feature names what touches (which vertex, edge or face), so
// that the same point is recognised in the next step.
template <int D>
struct ContactPoint {
  Vec<D> point, normal;
  double gap;
  std::uint16_t feature;
};

template <int D>
using ContactPoints = std::vector<ContactPoint<D>>;

inline constexpr std::uint32_t kMaxColliders = 1u << 24;  // a contact key has 24 bits for each

// A contact point in the world: which bodies, and a key that is unique in a step and persists from step to step:
// collider of A (24 bits), collider of B (24 bits), feature (16 bits).
template <int D>
struct Contact {
  std::uint32_t body_a, body_b;
  std::uint64_t key;
  Vec<D> point, normal;
  double gap;
  std::uint32_t collider_a() const { return static_cast<std::uint32_t>(key >> 40); }
  std::uint32_t collider_b() const { return static_cast<std::uint32_t>(key >> 16 & (kMaxColliders - 1)); }
};

}  // namespace touchstone

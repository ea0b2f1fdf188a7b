#pragma once
// Sidedness: the signed area (2D) or volume (3D) that a side of one body spans with a vertex of another, and what its
// derivatives ask of that vertex.
#include <array>
#include <span>
#include <vector>

#include "models/gauss/framework.h"

namespace touchstone {

// The corners of a side (an edge in 2D, a triangle in 3D), then the vertex: A >= 0 while it is outside.
template <int D>
using Sidedness = std::array<std::uint32_t, D + 1>;

// A(p_i, p_j, p_k), twice the area; in 3D six times the volume.
template <int D>
double signed_volume(const Sidedness<D>& s, std::span<const Vec<D>> p);

// The part of d²A/dt² that velocities make: 2·A(v_i, v_j, v_k) in 2D (4.4).
template <int D>
double second_order(const Sidedness<D>& s, std::span<const Vec<D>> p, std::span<const Vec<D>> v);

// The side's normal, of the length (area) of the side, and the weights α of its corners at the foot of the vertex.
template <int D>
struct SideFrame {
  Vec<D> normal = Vec<D>::Zero();
  std::array<double, D> weight{};
  bool within(double slack) const {  // 0 <= α <= 1
    for (const double w : weight)
      if (w < -slack) return false;
    return true;
  }
};
template <int D>
SideFrame<D> side_frame(const Sidedness<D>& s, std::span<const Vec<D>> p);

}  // namespace touchstone

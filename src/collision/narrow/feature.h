#pragma once
// 16-bit names of contact features: what touches, in the shapes' own numbering. Two bits say which kind; the rest holds
// the vertex or the two edges. Large hulls fold into it; a pair's points are made distinct afterwards.
#include <cstdint>

namespace touchstone {

inline constexpr std::uint32_t kFeatureBits = 14, kFeatureMask = (1u << kFeatureBits) - 1;

inline std::uint16_t vertex_of_b(std::uint32_t v) { return static_cast<std::uint16_t>(v & kFeatureMask); }
inline std::uint16_t vertex_of_a(std::uint32_t v) {
  return static_cast<std::uint16_t>(1u << kFeatureBits | (v & kFeatureMask));
}
// Edges are folded by a multiplier without small factors: boxes (12 × 12) never collide.
inline std::uint16_t crossing(std::uint32_t edge_a, std::uint32_t edge_b) {
  return static_cast<std::uint16_t>(2u << kFeatureBits | ((edge_a * 127u + edge_b) & kFeatureMask));
}
// The nearest pair of points, where no corner stands for it; `which` tells several of them apart.
inline std::uint16_t nearest_point(std::uint32_t which = 0) {
  return static_cast<std::uint16_t>(3u << kFeatureBits | (which & kFeatureMask));
}

}  // namespace touchstone

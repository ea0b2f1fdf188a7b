#pragma once
// Heights over a regular grid: over x and y in 3D, over x in 2D. The pieces are found by counting, so that there is
// nothing to keep but the heights.
#include <array>
#include <cstdint>
#include <vector>

#include "geometry/shape.h"

namespace touchstone {

template <int D>
struct HeightField {
  std::array<std::uint32_t, D - 1> count;  // of heights along each axis, at least 2
  double spacing = 0;
  std::vector<double> heights;  // those along x next to each other
  double lowest = 0, highest = 0;
  bool two_sided = false;

  // The grid is centred about the frame's origin.
  double coordinate(int axis, std::uint32_t i) const {
    return (i - 0.5 * (count[static_cast<std::size_t>(axis)] - 1)) * spacing;
  }
  Bounds<D> bounds() const {
    Bounds<D> b;
    for (int a = 0; a + 1 < D; ++a)
      b.lower[a] = coordinate(a, 0), b.upper[a] = coordinate(a, count[static_cast<std::size_t>(a)] - 1);
    b.lower[D - 1] = lowest, b.upper[D - 1] = highest;
    return b;
  }
};

// Throws Error for a grid of less than two heights along an axis, one that the heights do not fill, and heights that
// are not finite.
template <int D>
HeightField<D> make_height_field(const ShapeDescription& description);

// What geometry/concave.h promises.
template <int D>
struct Piece;
void pieces_in(const HeightField<2>& field, const Bounds<2>& bounds, std::vector<Piece<2>>& out);
void pieces_in(const HeightField<3>& field, const Bounds<3>& bounds, std::vector<Piece<3>>& out);

}  // namespace touchstone

#pragma once
// Shapes for the pairs: sizes, thin ones, and places on their surfaces.
#include <optional>

#include "peers/pairs.h"

namespace touchstone::testing {

// Lengths of about `size`; if thin, one of them is a millionth of it.
template <int D>
Shape<D> make_random_shape(Dice& dice, double size, bool thin);

enum class Feature { kPoint, kEdge, kFace };

// A point of the surface in the shape's frame, with an outward normal for which it is extreme.
template <int D>
struct SurfacePoint {
  Vec<D> x, normal;
};
template <int D>
SurfacePoint<D> surface_point(const Shape<D>& shape, Feature feature, Dice& dice);

}  // namespace touchstone::testing

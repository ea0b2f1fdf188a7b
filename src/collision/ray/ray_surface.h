#pragma once
// Rays against surfaces made of pieces.
#include "collision/ray/ray_cast.h"

namespace touchstone {

// The ray is in the frame of the surface, and so is the answer. A surface of one side is hit from its front only; a
// closed one is solid: from inside it is hit at distance 0, as any other solid.
template <int D>
bool ray_surface(const Ray<D>& ray, const Shape<D>& surface, RayStrike<D>& out);

}  // namespace touchstone

#pragma once
// Where a ray first meets a shape.
//
// Shapes are solid. A ray that starts inside hits at distance 0, with `inside` set, the normal against the ray and the
// point at its origin. A ray that starts on the surface and leads away does not hit; one that only grazes a surface, to
// the last bits, may hit or miss. Surfaces made of pieces are hit from their front, those with two sides from both;
// closed ones are solid.
#include <array>

#include "collision/narrow/closest.h"

namespace touchstone {

template <int D>
struct Ray {
  Vec<D> origin;
  Vec<D> direction;  // unit
  double length;     // [m], may be infinite
};

template <int D>
struct RayStrike {
  double distance = 0;             // along the ray [m]
  Vec<D> point = Vec<D>::Zero();   // on the surface
  Vec<D> normal = Vec<D>::Zero();  // of the surface, outward, unit
  bool inside = false;             // the ray starts in the shape
};

// Whether the ray meets the shape within its length.
template <int D>
bool ray_cast(const Ray<D>& ray, const Placed<D>& target, RayStrike<D>& out);

// The same for the pieces of a surface, from both sides; the normal is against the ray, `inside` is never set. Rays
// through a common edge or corner of several pieces hit at least one of them; a ray in the plane of the piece misses.
bool ray_triangle(const Ray<3>& ray, const std::array<Vec<3>, 3>& vertices, RayStrike<3>& out);
bool ray_segment(const Ray<2>& ray, const std::array<Vec<2>, 2>& ends, RayStrike<2>& out);

// Whether the ray meets the bounds; `first` is where it enters them, 0 if it starts inside.
template <int D>
bool ray_bounds(const Ray<D>& ray, const Bounds<D>& bounds, double& first);

}  // namespace touchstone

#pragma once
// Convex shapes as a core with a radius around it: a sphere is a point, a capsule a segment, a box and a hull are
// themselves. Distances are taken between cores, so that the round part is exact. Ellipsoids and cylinders have a
// curved core, known by its support function only.
#include "collision/narrow/closest.h"

namespace touchstone {

template <int D>
struct Core {
  const Polytope<D>* polytope = nullptr;  // null: curved
  Vec<D> scale = Vec<D>::Ones();          // of the polytope along its axes; other than 1 only for boxes and segments
  double radius = 0;
  Vec<D> vertex(std::size_t i) const { return scale.cwiseProduct(polytope->vertices[i]); }
};

template <int D>
Core<D> core_of(const Shape<D>& shape);

// The radius around the core.
template <int D>
double round_radius(const Shape<D>& shape) {
  return shape.kind == ShapeKind::kSphere || shape.kind == ShapeKind::kCapsule ? shape.radius : 0.0;
}

// The point of the core farthest along a direction, in the shape's own frame; and for polytopes its vertex.
template <int D>
struct SupportPoint {
  Vec<D> x;
  std::uint32_t vertex = 0;
};
template <int D>
SupportPoint<D> support(const Shape<D>& shape, const Core<D>& core, const Vec<D>& direction);

// How far apart the two shapes are along a unit vector from A to B: negative where their extents overlap. Never more
// than the gap, whatever the direction.
template <int D>
double separation_along(const Placed<D>& a, const Placed<D>& b, const Vec<D>& n);

}  // namespace touchstone

#pragma once
// A shape in its own frame: convex, or a surface made of pieces (geometry/concave.h). One struct for all kinds: bodies
// hold few shapes, and the detector dispatches on the kind. Capsules and cylinders lie along the last axis (y in 2D, z
// in 3D).
#include <memory>
#include <string>

#include "geometry/hull.h"
#include "math/rotation.h"
#include "touchstone/description.h"

namespace touchstone {

template <int D>
struct Surface;
template <int D>
struct HeightField;

template <int D>
struct Shape {
  ShapeKind kind = ShapeKind::kSphere;
  double radius = 0.0;                      // sphere, capsule, cylinder
  double half_length = 0.0;                 // capsule, cylinder
  Vec<D> half = Vec<D>::Zero();             // box: half edge lengths; ellipsoid: radii
  Vec<D> normal = Vec<D>::Zero();           // half-space: outward, unit; the plane passes through the frame's origin
  double reach = 0.0;                       // radius of the smallest ball about the frame's origin that holds it
  std::shared_ptr<const Polytope<D>> hull;  // convex
  std::shared_ptr<const Surface<D>> mesh;   // mesh: triangles in 3D, a chain in 2D
  std::shared_ptr<const HeightField<D>> field;  // height field
  bool two_sided = false;                       // mesh, height field: whether the back is touched too
  bool operator==(const Shape&) const = default;
};

// The checked shape of a description; throws Error that names what is wrong ("radius is -1 m, ...").
template <int D>
Shape<D> make_shape(const ShapeDescription& description);

template <int D>
struct Bounds {
  Vec<D> lower, upper;
  bool overlaps(const Bounds& other) const {
    return (lower.array() <= other.upper.array()).all() && (other.lower.array() <= upper.array()).all();
  }
};

// Axis-aligned bounds of a shape whose frame is at p with rotation matrix R. A half-space is unbounded
// unless its plane is parallel to an axis.
template <int D>
Bounds<D> bounds_of(const Shape<D>& shape, const Vec<D>& p, const Mat<D>& R);

// "sphere", "circle" ...: the name used in scene files for this dimension.
std::string shape_name(ShapeKind kind, int dimension);

// Its reach; infinite for a half-space.
template <int D>
double reach_of(const Shape<D>& shape) {
  return shape.reach;
}

}  // namespace touchstone

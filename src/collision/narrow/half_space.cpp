#include "collision/narrow/half_space.h"

#include <cmath>

#include "collision/narrow/core.h"

namespace touchstone {
namespace {

// Collects points of the other shape's surface against the plane.
template <int D>
struct PlaneTest {
  Vec<D> origin, normal;
  double margin;
  ContactPoints<D>& out;

  // x: a point of the shape; radius: of the ball around it that belongs to the shape.
  void point(const Vec<D>& x, double radius, std::uint16_t feature) {
    const double gap = normal.dot(x - origin) - radius;
    if (gap > margin) return;
    out.push_back({x - normal * (radius + 0.5 * gap), normal, gap, feature});
  }
};

// The corners of the face that looks down most: a thin box lies on four points, not on eight.
template <int D>
void box_corners(const Placed<D>& box, PlaneTest<D>& plane) {
  const Vec<D> down = -(box.R.transpose() * plane.normal);
  int face = 0;
  down.cwiseAbs().maxCoeff(&face);
  for (int corner = 0; corner < (1 << D); ++corner) {
    if ((down[face] > 0) != (corner >> face & 1)) continue;
    Vec<D> local;
    for (int i = 0; i < D; ++i) local[i] = (corner >> i & 1) ? box.shape.half[i] : -box.shape.half[i];
    plane.point(box.p + box.R * local, 0.0, static_cast<std::uint16_t>(corner));
  }
}

// Four points on the rim of each end: the deepest one and three more at right angles. Where the axis is
// along the normal no rim point is deepest, and the shape's own x axis starts the four, so that they stay put.
void cylinder_rims(const Placed<3>& cylinder, PlaneTest<3>& plane) {
  const Vec<3> axis = cylinder.R.col(2);
  Vec<3> towards = axis * axis.dot(plane.normal) - plane.normal;
  const double tilt = towards.norm();
  const double kFlat = 1e-4;  // rad: below it the gap differs by less than 1e-4 of the radius along the rim
  towards = tilt > kFlat ? Vec<3>(towards / tilt) : Vec<3>(cylinder.R.col(0));
  const Vec<3> aside = cross(axis, towards);
  for (int end = 0; end < 2; ++end) {
    const Vec<3> centre = cylinder.p + axis * (end ? cylinder.shape.half_length : -cylinder.shape.half_length);
    const Vec<3> rim[4] = {towards, aside, -towards, -aside};
    for (int i = 0; i < 4; ++i)
      plane.point(centre + cylinder.shape.radius * rim[i], 0.0, static_cast<std::uint16_t>(4 * end + i));
  }
}

}  // namespace

template <int D>
void half_space_against(const Placed<D>& half_space, const Placed<D>& other, double margin, PairMemory&,
                        ContactPoints<D>& out) {
  PlaneTest<D> plane{half_space.p, half_space.R * half_space.shape.normal, margin, out};
  const Shape<D>& shape = other.shape;
  switch (shape.kind) {
    case ShapeKind::kSphere:
      plane.point(other.p, shape.radius, 0);
      break;
    case ShapeKind::kCapsule:
      for (int end = 0; end < 2; ++end)
        plane.point(other.p + other.R.col(D - 1) * (end ? shape.half_length : -shape.half_length), shape.radius,
                    static_cast<std::uint16_t>(end));
      break;
    case ShapeKind::kBox:
      box_corners(other, plane);
      break;
    case ShapeKind::kConvex:
      for (std::size_t i = 0; i < shape.hull->vertices.size(); ++i)
        plane.point(other.p + other.R * shape.hull->vertices[i], 0.0, static_cast<std::uint16_t>(i));
      break;
    case ShapeKind::kEllipsoid: {
      const Vec<D> local = shape.half.cwiseProduct(other.R.transpose() * plane.normal);
      plane.point(other.p - other.R * Vec<D>(shape.half.cwiseProduct(local) / local.norm()), 0.0, 0);
      break;
    }
    case ShapeKind::kCylinder:
      if constexpr (D == 3) cylinder_rims(other, plane);
      break;
    default:
      break;
  }
}

template <int D>
bool half_space_closest(const Placed<D>& half_space, const Placed<D>& other, double margin, PairMemory&,
                        Closest<D>& out) {
  out.normal = half_space.R * half_space.shape.normal;
  const Core<D> core = core_of(other.shape);
  const Vec<D> down = -(other.R.transpose() * out.normal);
  const Vec<D> lowest = other.p + other.R * support(other.shape, core, down).x;
  out.gap = out.normal.dot(lowest - half_space.p) - core.radius;
  out.on_b = lowest - out.normal * core.radius;
  out.on_a = out.on_b - out.normal * out.gap;
  out.iterations = 1;
  return out.gap <= margin;
}

#define TOUCHSTONE_INSTANTIATE(D)                                                                               \
  template void half_space_against(const Placed<D>&, const Placed<D>&, double, PairMemory&, ContactPoints<D>&); \
  template bool half_space_closest(const Placed<D>&, const Placed<D>&, double, PairMemory&, Closest<D>&);
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone

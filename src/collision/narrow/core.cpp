#include "collision/narrow/core.h"

#include <cmath>

namespace touchstone {
namespace {

template <int D>
SupportPoint<D> support_of_polytope(const Core<D>& core, const Vec<D>& direction) {
  const Vec<D> scaled = core.scale.cwiseProduct(direction);
  const auto& vertices = core.polytope->vertices;
  std::size_t best = 0;
  double most = vertices[0].dot(scaled);
  for (std::size_t i = 1; i < vertices.size(); ++i)
    if (const double along = vertices[i].dot(scaled); along > most) most = along, best = i;
  return {core.vertex(best), static_cast<std::uint32_t>(best)};
}

template <int D>
SupportPoint<D> support_of_box(const Vec<D>& half, const Vec<D>& direction) {
  SupportPoint<D> out;
  std::uint32_t bits = 0;
  for (int i = 0; i < D; ++i) {
    const bool up = direction[i] >= 0;
    out.x[i] = up ? half[i] : -half[i];
    bits |= static_cast<std::uint32_t>(up) << i;
  }
  constexpr std::uint32_t kPlanar[4] = {0, 1, 3, 2};  // 2D vertices run counter-clockwise
  out.vertex = D == 2 ? kPlanar[bits & 3] : bits;
  return out;
}

}  // namespace

template <int D>
Core<D> core_of(const Shape<D>& shape) {
  Core<D> core;
  switch (shape.kind) {
    case ShapeKind::kSphere:
      core.polytope = &single_point<D>();
      core.radius = shape.radius;
      break;
    case ShapeKind::kCapsule:
      core.polytope = &unit_segment<D>();
      core.scale[D - 1] = shape.half_length;
      core.radius = shape.radius;
      break;
    case ShapeKind::kBox:
      core.polytope = &unit_box<D>();
      core.scale = shape.half;
      break;
    case ShapeKind::kConvex:
      core.polytope = shape.hull.get();
      break;
    default:
      break;
  }
  return core;
}

template <int D>
SupportPoint<D> support(const Shape<D>& shape, const Core<D>& core, const Vec<D>& direction) {
  switch (shape.kind) {
    case ShapeKind::kBox:
      return support_of_box<D>(shape.half, direction);
    case ShapeKind::kSphere:
      return {Vec<D>::Zero(), 0};
    case ShapeKind::kCapsule: {
      SupportPoint<D> out{Vec<D>::Zero(), direction[D - 1] >= 0 ? 1u : 0u};
      out.x[D - 1] = out.vertex ? shape.half_length : -shape.half_length;
      return out;
    }
    case ShapeKind::kEllipsoid: {
      const Vec<D> scaled = shape.half.cwiseProduct(direction);
      const double length = scaled.norm();
      if (!(length > 0)) return {Vec<D>::Unit(0) * shape.half[0], 0};
      return {shape.half.cwiseProduct(scaled) / length, 0};
    }
    case ShapeKind::kCylinder: {
      SupportPoint<D> out{Vec<D>::Zero(), 0};
      const double side = direction.template head<D - 1>().norm();
      if (side > 0) out.x.template head<D - 1>() = direction.template head<D - 1>() * (shape.radius / side);
      out.x[D - 1] = direction[D - 1] >= 0 ? shape.half_length : -shape.half_length;
      return out;
    }
    default:
      return support_of_polytope(core, direction);
  }
}

template <int D>
double separation_along(const Placed<D>& a, const Placed<D>& b, const Vec<D>& n) {
  const Core<D> ca = core_of(a.shape), cb = core_of(b.shape);
  const Vec<D> na = a.R.transpose() * n, nb = b.R.transpose() * n;
  const double far_a = support(a.shape, ca, na).x.dot(na), near_b = support(b.shape, cb, Vec<D>(-nb)).x.dot(nb);
  return n.dot(b.p - a.p) + near_b - far_a - ca.radius - cb.radius;
}

template Core<2> core_of(const Shape<2>&);
template Core<3> core_of(const Shape<3>&);
template SupportPoint<2> support(const Shape<2>&, const Core<2>&, const Vec<2>&);
template SupportPoint<3> support(const Shape<3>&, const Core<3>&, const Vec<3>&);
template double separation_along(const Placed<2>&, const Placed<2>&, const Vec<2>&);
template double separation_along(const Placed<3>&, const Placed<3>&, const Vec<3>&);

}  // namespace touchstone

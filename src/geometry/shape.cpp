#include "geometry/shape.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "geometry/height_field.h"
#include "geometry/surface.h"
#include "touchstone/error.h"

namespace touchstone {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

void check_length(double value, const char* key) {
  if (!(value > 0) || !std::isfinite(value))
    throw Error(ErrorKind::kBadInput, fmt::format("{} is {} m; it must be positive and finite", key, value));
}

template <int D>
void check_size(const Vec<D>& value, const char* key) {
  for (int i = 0; i < D; ++i) check_length(value[i], key);
}

template <int D>
double measure_reach(const Shape<D>& shape) {
  switch (shape.kind) {
    case ShapeKind::kSphere:
      return shape.radius;
    case ShapeKind::kBox:
      return shape.half.norm();
    case ShapeKind::kCapsule:
      return shape.half_length + shape.radius;
    case ShapeKind::kCylinder:
      return std::hypot(shape.half_length, shape.radius);
    case ShapeKind::kEllipsoid:
      return shape.half.maxCoeff();
    case ShapeKind::kHalfSpace:
      return kInfinity;
    case ShapeKind::kMesh:
      return shape.mesh->reach;
    case ShapeKind::kHeightField: {
      const Bounds<D> b = shape.field->bounds();
      return b.lower.cwiseAbs().cwiseMax(b.upper.cwiseAbs()).norm();
    }
    case ShapeKind::kConvex:
      break;
  }
  double reach = 0;
  for (const Vec<D>& v : shape.hull->vertices) reach = std::max(reach, v.norm());
  return reach;
}

// The bounds of a box in a frame at p with rotation R.
template <int D>
Bounds<D> bounds_of_box(const Bounds<D>& local, const Vec<D>& p, const Mat<D>& R) {
  const Vec<D> middle = p + R * Vec<D>(0.5 * (local.lower + local.upper));
  const Vec<D> half = R.cwiseAbs() * Vec<D>(0.5 * (local.upper - local.lower));
  return {middle - half, middle + half};
}

template <int D>
std::shared_ptr<const Surface<D>> surface_of(const ShapeDescription& d) {
  if constexpr (D == 2)
    return std::make_shared<const Surface<2>>(make_chain(d.vertices, d.closed, d.two_sided));
  else
    return std::make_shared<const Surface<3>>(make_triangle_mesh(d.vertices, d.triangles, d.two_sided));
}

}  // namespace

std::string shape_name(ShapeKind kind, int dimension) {
  switch (kind) {
    case ShapeKind::kSphere:
      return dimension == 2 ? "circle" : "sphere";
    case ShapeKind::kBox:
      return "box";
    case ShapeKind::kCapsule:
      return "capsule";
    case ShapeKind::kHalfSpace:
      return "half_space";
    case ShapeKind::kConvex:
      return "convex";
    case ShapeKind::kEllipsoid:
      return dimension == 2 ? "ellipse" : "ellipsoid";
    case ShapeKind::kCylinder:
      return "cylinder";
    case ShapeKind::kMesh:
      return dimension == 2 ? "chain" : "mesh";
    case ShapeKind::kHeightField:
      return "height_field";
  }
  return "unknown";
}

template <int D>
Shape<D> make_shape(const ShapeDescription& description) {
  Shape<D> shape;
  shape.kind = description.kind;
  switch (description.kind) {
    case ShapeKind::kSphere:
      check_length(shape.radius = description.radius, "radius");
      break;
    case ShapeKind::kBox:
      check_size<D>(narrow<D>(description.size), "size");
      shape.half = 0.5 * narrow<D>(description.size);
      break;
    case ShapeKind::kCylinder:
      if (D == 2) throw Error(ErrorKind::kBadInput, "a cylinder needs a 3D scene; in 2D use a box or a circle");
      [[fallthrough]];
    case ShapeKind::kCapsule:
      check_length(shape.radius = description.radius, "radius");
      check_length(description.length, "length");
      shape.half_length = 0.5 * description.length;
      break;
    case ShapeKind::kEllipsoid:
      check_size<D>(shape.half = narrow<D>(description.size), "radii");
      break;
    case ShapeKind::kHalfSpace: {
      shape.normal = narrow<D>(description.normal);
      const double length = shape.normal.norm();
      if (!(length > 0) || !std::isfinite(length))
        throw Error(ErrorKind::kBadInput, "normal must be a finite vector that is not zero");
      shape.normal /= length;
      break;
    }
    case ShapeKind::kConvex: {
      std::vector<Vec<D>> points;
      for (const Eigen::Vector3d& v : description.vertices) points.push_back(narrow<D>(v));
      shape.hull = std::make_shared<const Polytope<D>>(convex_hull<D>(points));
      // A contact's feature has room for so many.
      constexpr std::size_t kMost = D == 2 ? 64 : 65536;
      if (shape.hull->vertices.size() > kMost)
        throw Error(ErrorKind::kUnsupported, fmt::format("the hull has {} vertices; at most {} are supported",
                                                         shape.hull->vertices.size(), kMost));
      break;
    }
    case ShapeKind::kMesh:
      shape.mesh = surface_of<D>(description);
      shape.two_sided = description.two_sided;
      break;
    case ShapeKind::kHeightField:
      shape.field = std::make_shared<const HeightField<D>>(make_height_field<D>(description));
      shape.two_sided = description.two_sided;
      break;
  }
  shape.reach = measure_reach(shape);
  return shape;
}

template <int D>
Bounds<D> bounds_of(const Shape<D>& shape, const Vec<D>& p, const Mat<D>& R) {
  Vec<D> half = Vec<D>::Constant(shape.radius);
  switch (shape.kind) {
    case ShapeKind::kSphere:
      break;
    case ShapeKind::kBox:
      half = R.cwiseAbs() * shape.half;
      break;
    case ShapeKind::kCapsule:
      half += shape.half_length * R.col(D - 1).cwiseAbs();
      break;
    case ShapeKind::kCylinder:
      for (int i = 0; i < D; ++i) {
        const double axis = R(i, D - 1);
        half[i] = std::abs(axis) * shape.half_length + shape.radius * std::sqrt(std::max(0.0, 1.0 - axis * axis));
      }
      break;
    case ShapeKind::kEllipsoid:
      for (int i = 0; i < D; ++i) half[i] = R.row(i).transpose().cwiseProduct(shape.half).norm();
      break;
    case ShapeKind::kHalfSpace: {
      // Bounded on one side if the normal is an axis to the last bits; otherwise everywhere.
      Bounds<D> bounds{Vec<D>::Constant(-kInfinity), Vec<D>::Constant(kInfinity)};
      const Vec<D> n = R * shape.normal;
      for (int i = 0; i < D; ++i) {
        if (std::abs(std::abs(n[i]) - 1.0) > 1e-15) continue;
        if (n[i] > 0)
          bounds.upper[i] = p[i];
        else
          bounds.lower[i] = p[i];
      }
      return bounds;
    }
    case ShapeKind::kConvex: {
      Bounds<D> bounds{Vec<D>::Constant(kInfinity), Vec<D>::Constant(-kInfinity)};
      for (const Vec<D>& v : shape.hull->vertices) {
        const Vec<D> w = p + R * v;
        bounds.lower = bounds.lower.cwiseMin(w);
        bounds.upper = bounds.upper.cwiseMax(w);
      }
      return bounds;
    }
    case ShapeKind::kMesh:
      return bounds_of_box(shape.mesh->bounds, p, R);
    case ShapeKind::kHeightField:
      return bounds_of_box(shape.field->bounds(), p, R);
  }
  return {p - half, p + half};
}

template Shape<2> make_shape(const ShapeDescription&);
template Shape<3> make_shape(const ShapeDescription&);
template Bounds<2> bounds_of(const Shape<2>&, const Vec<2>&, const Mat<2>&);
template Bounds<3> bounds_of(const Shape<3>&, const Vec<3>&, const Mat<3>&);

}  // namespace touchstone

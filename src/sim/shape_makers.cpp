// The short makers of shapes. What they describe is checked where a body is made of it.
#include <utility>

#include "touchstone/description.h"

namespace touchstone {
namespace {

ShapeDescription made(ShapeKind kind) {
  ShapeDescription out;
  out.kind = kind;
  return out;
}

ShapeDescription sized(ShapeKind kind, const Eigen::Vector3d& size) {
  ShapeDescription out = made(kind);
  out.size = size;
  return out;
}

ShapeDescription round(ShapeKind kind, double radius, double length) {
  ShapeDescription out = made(kind);
  out.radius = radius;
  out.length = length;
  return out;
}

}  // namespace

ShapeDescription ShapeDescription::sphere(double radius) { return round(ShapeKind::kSphere, radius, 0); }
ShapeDescription ShapeDescription::box(double x, double y) { return sized(ShapeKind::kBox, {x, y, 0}); }
ShapeDescription ShapeDescription::box(double x, double y, double z) { return sized(ShapeKind::kBox, {x, y, z}); }
ShapeDescription ShapeDescription::capsule(double radius, double length) {
  return round(ShapeKind::kCapsule, radius, length);
}
ShapeDescription ShapeDescription::cylinder(double radius, double length) {
  return round(ShapeKind::kCylinder, radius, length);
}
ShapeDescription ShapeDescription::ellipsoid(double x, double y) { return sized(ShapeKind::kEllipsoid, {x, y, 0}); }
ShapeDescription ShapeDescription::ellipsoid(double x, double y, double z) {
  return sized(ShapeKind::kEllipsoid, {x, y, z});
}

ShapeDescription ShapeDescription::half_space(const Eigen::Vector3d& normal) {
  ShapeDescription out = made(ShapeKind::kHalfSpace);
  out.normal = normal;
  return out;
}

ShapeDescription ShapeDescription::convex(std::vector<Eigen::Vector3d> points) {
  ShapeDescription out = made(ShapeKind::kConvex);
  out.vertices = std::move(points);
  return out;
}

ShapeDescription ShapeDescription::mesh(std::vector<Eigen::Vector3d> vertices,
                                        std::vector<std::array<std::uint32_t, 3>> triangles) {
  ShapeDescription out = made(ShapeKind::kMesh);
  out.vertices = std::move(vertices);
  out.triangles = std::move(triangles);
  return out;
}

ShapeDescription ShapeDescription::chain(std::vector<Eigen::Vector3d> vertices, bool closed) {
  ShapeDescription out = made(ShapeKind::kMesh);
  out.vertices = std::move(vertices);
  out.closed = closed;
  return out;
}

ShapeDescription ShapeDescription::height_field(std::array<std::uint32_t, 2> grid, double spacing,
                                                std::vector<double> heights) {
  ShapeDescription out = made(ShapeKind::kHeightField);
  out.grid = grid;
  out.spacing = spacing;
  out.heights = std::move(heights);
  return out;
}

ShapeDescription ShapeDescription::at(const Eigen::Vector3d& position, double angle) const {
  ShapeDescription out = *this;
  out.placement.position = position;
  out.placement.angle = angle;
  return out;
}

ShapeDescription ShapeDescription::at(const Eigen::Vector3d& position, const Eigen::Quaterniond& orientation) const {
  ShapeDescription out = *this;
  out.placement.position = position;
  out.placement.orientation = orientation;
  return out;
}

ShapeDescription ShapeDescription::of(const std::string& name) const {
  ShapeDescription out = *this;
  out.material = name;
  return out;
}

}  // namespace touchstone

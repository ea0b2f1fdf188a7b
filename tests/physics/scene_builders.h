#pragma once
// Scenes by code, for tests.
#include <cmath>
#include <numbers>
#include <string>

#include "touchstone/simulation.h"

namespace touchstone::testing {

inline constexpr double kGravity = 9.81;
inline double radians(double degrees) { return degrees * std::numbers::pi / 180; }

inline ShapeDescription sphere(double radius) {
  ShapeDescription s;
  s.kind = ShapeKind::kSphere;
  s.radius = radius;
  return s;
}
inline ShapeDescription box(double x, double y, double z = 0) {
  ShapeDescription s;
  s.kind = ShapeKind::kBox;
  s.size = {x, y, z};
  return s;
}
inline ShapeDescription capsule(double radius, double length) {
  ShapeDescription s;
  s.kind = ShapeKind::kCapsule;
  s.radius = radius;
  s.length = length;
  return s;
}
inline ShapeDescription half_space(const Eigen::Vector3d& normal) {
  ShapeDescription s;
  s.kind = ShapeKind::kHalfSpace;
  s.normal = normal;
  return s;
}
inline MaterialDescription material(double friction, double restitution = 0) {
  MaterialDescription m;
  m.static_friction = m.dynamic_friction = friction;
  m.restitution = restitution;
  return m;
}
inline BodyDescription body(const std::string& name, const ShapeDescription& shape,
                            const Eigen::Vector3d& position = Eigen::Vector3d::Zero()) {
  BodyDescription b;
  b.name = name;
  b.shapes = {shape};
  b.placement.position = position;
  return b;
}
inline BodyDescription fixed(const std::string& name, const ShapeDescription& shape,
                             const Eigen::Vector3d& position = Eigen::Vector3d::Zero()) {
  BodyDescription b = body(name, shape, position);
  b.kind = BodyKind::kStatic;
  return b;
}

// Up is the last axis.
inline Eigen::Vector3d up(int dimension) {
  return dimension == 2 ? Eigen::Vector3d::UnitY() : Eigen::Vector3d::UnitZ();
}

inline SceneDescription empty_scene(int dimension, double h = 1e-3) {
  SceneDescription s;
  s.dimension = dimension;
  s.gravity = -kGravity * up(dimension);
  s.step = h;
  return s;
}

// A block that touches a slope; x is downhill along the slope's surface before it is tilted about -y (3D) or -z (2D).
struct Incline {
  SceneDescription scene;
  Eigen::Vector3d downhill, normal;
};
inline Incline block_on_incline(int dimension, double degrees, double friction, double speed, double h = 1e-3) {
  Incline out;
  const double a = radians(degrees);
  out.scene = empty_scene(dimension, h);
  out.scene.materials = {material(friction)};
  BodyDescription block = body("block", dimension == 2 ? box(0.4, 0.2) : box(0.4, 0.3, 0.2));
  if (dimension == 2) {
    out.downhill = {std::cos(a), -std::sin(a), 0};
    out.normal = {std::sin(a), std::cos(a), 0};
    block.placement.angle = -a;
  } else {
    out.downhill = {std::cos(a), 0, -std::sin(a)};
    out.normal = {std::sin(a), 0, std::cos(a)};
    block.placement.orientation = Eigen::AngleAxisd(a, Eigen::Vector3d::UnitY());
  }
  block.placement.position = 0.1 * out.normal;
  block.velocity = speed * out.downhill;
  out.scene.bodies = {fixed("slope", half_space(out.normal)), block};
  return out;
}

}  // namespace touchstone::testing

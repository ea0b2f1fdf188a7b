#pragma once
// Scenes by code, for tests.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

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
inline ShapeDescription cylinder(double radius, double length) {
  ShapeDescription s = capsule(radius, length);
  s.kind = ShapeKind::kCylinder;
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

// The plane of a 2D world is the xz plane of a 3D one: x to the right, y up, and turns that are counter-clockwise in
// the picture are about z in 2D and about −y in 3D.
inline Eigen::Vector3d in_plane(int dimension, double x, double y) {
  return dimension == 2 ? Eigen::Vector3d(x, y, 0) : Eigen::Vector3d(x, 0, y);
}
inline Eigen::Vector3d turn_axis(int dimension) {
  return dimension == 2 ? Eigen::Vector3d(0, 0, 1) : Eigen::Vector3d(0, -1, 0);
}
inline ShapeDescription plate(int dimension, double width, double height, double depth) {
  return dimension == 2 ? box(width, height) : box(width, depth, height);
}
inline ShapeDescription prism(int dimension, const std::vector<Eigen::Vector2d>& outline, double depth) {
  ShapeDescription s;
  s.kind = ShapeKind::kConvex;
  for (const Eigen::Vector2d& p : outline) {
    s.vertices.push_back(in_plane(dimension, p.x(), p.y()));
    if (dimension == 2) continue;
    s.vertices.back().y() = 0.5 * depth;
    s.vertices.push_back({p.x(), -0.5 * depth, p.y()});
  }
  return s;
}
inline Placement turned(int dimension, double angle, const Eigen::Vector3d& position) {
  Placement p;
  p.position = position;
  if (dimension == 2)
    p.angle = angle;
  else
    p.orientation = Eigen::AngleAxisd(angle, turn_axis(3));
  return p;
}
inline double turn_of(int dimension, const BodyState& s) {
  if (dimension == 2) return s.placement.angle;
  const Eigen::Vector3d x = s.placement.orientation * Eigen::Vector3d::UnitX();
  return std::atan2(x.z(), x.x());
}
// The moment of inertia for turns in the plane; in 3D the same about all axes.
inline void set_inertia(BodyDescription& body, double mass, double inertia) {
  body.mass = mass;
  body.inertia = inertia * Eigen::Matrix3d::Identity();
}

inline void use_impulse(SceneDescription& scene, const std::string& preset = "accurate") {
  scene.model.name = "impulse";
  scene.model.options = {{"preset", preset}};
}
inline SceneDescription impulse_scene(int dimension, double h = 1e-3, const std::string& preset = "accurate") {
  SceneDescription s = empty_scene(dimension, h);
  use_impulse(s, preset);
  return s;
}
// A level floor, or one that falls to the right by `degrees`: it is gravity that is tilted.
inline SceneDescription floor_scene(int dimension, const MaterialDescription& m, double h = 1e-3, double degrees = 0) {
  SceneDescription s = empty_scene(dimension, h);
  s.gravity = kGravity * in_plane(dimension, std::sin(radians(degrees)), -std::cos(radians(degrees)));
  s.materials = {m};
  s.bodies = {fixed("floor", half_space(up(dimension)))};
  return s;
}
inline SceneDescription impulse_floor(int dimension, const MaterialDescription& m, double h = 1e-3,
                                      double degrees = 0) {
  SceneDescription s = floor_scene(dimension, m, h, degrees);
  use_impulse(s);
  return s;
}
inline void run(Simulation& sim, double seconds) {
  for (auto n = std::llround(seconds / sim.step_size()); n > 0; --n) sim.step();
}

// Keeps the value in the report of the tests (--gtest_output) next to judging it.
inline void check(const std::string& what, double value, double reference, double tolerance) {
  ::testing::Test::RecordProperty(what, std::to_string(value) + " / " + std::to_string(reference));
  EXPECT_NEAR(value, reference, tolerance) << what;
}
inline void check_relative(const std::string& what, double value, double reference, double part = 0.005) {
  check(what, value, reference, part * std::abs(reference));
}
inline std::string dimension_name(const ::testing::TestParamInfo<int>& i) { return std::to_string(i.param) + "D"; }

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

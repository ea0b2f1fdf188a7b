#include "scenes/describe.h"

#include <cmath>

namespace touchstone::bench {
namespace {

ShapeDescription shape_of(const Item& item) {
  ShapeDescription shape;
  const bool angular = item.form == Form::kBox || item.form == Form::kRectangle;
  shape.kind = angular ? ShapeKind::kBox : ShapeKind::kSphere;
  if (item.form == Form::kBox)
    shape.size = {2 * item.half[0], 2 * item.half[1], 2 * item.half[2]};
  else if (item.form == Form::kRectangle)
    shape.size = {2 * item.half[0], 2 * item.half[2], 0};
  else
    shape.radius = item.half[0];
  return shape;
}

BodyDescription describe(const Item& item, BodyKind kind, std::string name, bool planar) {
  BodyDescription body;
  body.name = std::move(name);
  body.kind = kind;
  body.shapes.push_back(shape_of(item));
  const auto& [p, q] = item.pose;
  const Vec3& v = item.velocity;
  if (planar) {
    body.placement.position = {p[0], p[2], 0};
    body.placement.angle = 2 * std::atan2(-q[2], q[0]);
    body.velocity = {v[0], v[2], 0};
    return body;
  }
  body.placement.orientation = Eigen::Quaterniond(q[0], q[1], q[2], q[3]);
  body.velocity = {v[0], v[1], v[2]};
  body.placement.position = {p[0], p[1], p[2]};
  body.placement.orientation = Eigen::Quaterniond(q[0], q[1], q[2], q[3]);
  return body;
}

}  // namespace

SceneDescription describe(const Scene& scene) {
  SceneDescription description;
  description.name = scene.name;
  description.gravity = {0, 0, -scene.gravity};
  if (scene.planar) description.dimension = 2, description.gravity = {0, -scene.gravity, 0};
  description.step = scene.step;
  description.duration = scene.step * scene.steps;
  MaterialDescription material;
  material.static_friction = material.dynamic_friction = scene.friction;
  material.restitution = scene.restitution;
  material.density = scene.density;
  description.materials.push_back(material);
  for (std::size_t i = 0; i < scene.bodies.size(); ++i)
    description.bodies.push_back(
        describe(scene.bodies[i], BodyKind::kDynamic, "body_" + std::to_string(i), scene.planar));
  for (std::size_t i = 0; i < scene.statics.size(); ++i)
    description.bodies.push_back(
        describe(scene.statics[i], BodyKind::kStatic, "static_" + std::to_string(i), scene.planar));
  return description;
}

}  // namespace touchstone::bench

#include "scenes/describe.h"

namespace touchstone::bench {
namespace {

BodyDescription describe(const Item& item, BodyKind kind, std::string name) {
  ShapeDescription shape;
  shape.kind = item.form == Form::kBox ? ShapeKind::kBox : ShapeKind::kSphere;
  if (item.form == Form::kBox)
    shape.size = {2 * item.half[0], 2 * item.half[1], 2 * item.half[2]};
  else
    shape.radius = item.half[0];
  BodyDescription body;
  body.name = std::move(name);
  body.kind = kind;
  body.shapes.push_back(shape);
  const auto& [p, q] = item.pose;
  body.placement.position = {p[0], p[1], p[2]};
  body.placement.orientation = Eigen::Quaterniond(q[0], q[1], q[2], q[3]);
  return body;
}

}  // namespace

SceneDescription describe(const Scene& scene) {
  SceneDescription description;
  description.name = scene.name;
  description.gravity = {0, 0, -scene.gravity};
  description.step = scene.step;
  description.duration = scene.step * scene.steps;
  MaterialDescription material;
  material.static_friction = material.dynamic_friction = scene.friction;
  material.restitution = scene.restitution;
  material.density = scene.density;
  description.materials.push_back(material);
  for (std::size_t i = 0; i < scene.bodies.size(); ++i)
    description.bodies.push_back(describe(scene.bodies[i], BodyKind::kDynamic, "body_" + std::to_string(i)));
  for (std::size_t i = 0; i < scene.statics.size(); ++i)
    description.bodies.push_back(describe(scene.statics[i], BodyKind::kStatic, "static_" + std::to_string(i)));
  return description;
}

}  // namespace touchstone::bench

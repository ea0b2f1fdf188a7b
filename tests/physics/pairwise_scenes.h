#pragma once
// Scenes for the models that handle contact by impulses at one point after the other.
#include "physics/scene_builders.h"

namespace touchstone::testing {

inline SceneDescription with_model(SceneDescription scene, const std::string& model) {
  scene.model.name = model;
  scene.model.options = {};
  scene.integrator = Integrator::kSemiImplicitEuler;
  return scene;
}
inline SceneDescription floor_scene(const std::string& model, int d, const MaterialDescription& m, double h = 1e-3) {
  return with_model(impulse_floor(d, m, h), model);
}
inline SceneDescription stack_scene(const std::string& model, int d, int count, double h = 2e-3) {
  SceneDescription s = floor_scene(model, d, material(0.5), h);
  for (int i = 0; i < count; ++i)
    s.bodies.push_back(body("b" + std::to_string(i), plate(d, 0.5, 0.5, 0.5), (0.25 + 0.5 * i) * up(d)));
  return s;
}
// How far the bodies have gone from where they were described, at most.
inline double greatest_drift(const SceneDescription& scene, const Simulation& sim) {
  double worst = 0;
  for (const BodyDescription& b : scene.bodies)
    worst = std::max(worst, (sim.state(sim.find_body(b.name)).placement.position - b.placement.position).norm());
  return worst;
}

}  // namespace touchstone::testing

#pragma once
// Scenes of joints for every model that takes joints.
#include "models/registry.h"
#include "physics/scene_builders.h"

namespace touchstone::testing {

inline std::vector<std::string> models_with_joints() {
  std::vector<std::string> out;
  for (const ModelInfo& m : registered_models())
    if (m.capabilities.joints) out.push_back(m.name);
  out.insert(out.end(), {"lcp_acceleration", "impulse_accurate"});
  return out;
}

// A model, or a model with an option: "lcp_acceleration".
inline void use_model(SceneDescription& scene, const std::string& name) {
  const std::size_t option = name.find('_');
  scene.model.name = name.substr(0, option);
  if (name == "lcp_acceleration") scene.model.options["level"] = "acceleration";
  if (name == "impulse_accurate") scene.model.options["preset"] = "accurate";
}

class JointModel : public ::testing::TestWithParam<std::string> {
 protected:
  SceneDescription scene_of(int dimension, double h = 1e-3) const {
    SceneDescription s = empty_scene(dimension, h);
    use_model(s, GetParam());
    s.integrator = Integrator::kSemiImplicitEuler;
    return s;
  }
  // Its scheme is Verlet's: second order, forces at both ends of a step.
  bool verlet() const { return GetParam() == "impulse_accurate"; }
  // It takes errors of position back by moving bodies after the step, which has no velocity.
  bool moves_afterwards() const { return GetParam() == "lcp_acceleration"; }
  // How far a body comes with a constant acceleration from rest: as the sum of its speeds, or exactly.
  double way(double acceleration, int steps, double h = 1e-3) const {
    return 0.5 * acceleration * h * h * steps * (verlet() ? steps : steps + 1);
  }
  SceneDescription weightless(int dimension, double h = 1e-3) const {
    SceneDescription s = scene_of(dimension, h);
    s.gravity.setZero();
    return s;
  }
};

// A body of given mass and of the same inertia about every axis, whose frame is at its centre of mass.
inline BodyDescription ball_of(const std::string& name, double mass, double inertia,
                               const Eigen::Vector3d& position = Eigen::Vector3d::Zero()) {
  BodyDescription b = body(name, sphere(0.1), position);
  set_inertia(b, mass, inertia);
  return b;
}

inline JointDescription joint_of(JointKind kind, const std::string& body_a, const std::string& body_b) {
  JointDescription j;
  j.name = "joint";
  j.kind = kind;
  j.body_a = body_a, j.body_b = body_b;
  return j;
}

// Steps that must all converge.
inline void run(Simulation& sim, int steps) {
  for (int i = 0; i < steps; ++i)
    ASSERT_EQ(sim.step().status, StepStatus::kOk) << "step " << i << ": " << sim.report().reason;
}

}  // namespace touchstone::testing

// A bar on a universal joint swings and tumbles: no model may feed it energy through the turning of its axes.
#include <gtest/gtest.h>

#include "models/registry.h"
#include "physics/scene_builders.h"

namespace touchstone::testing {
namespace {

using Eigen::Vector3d;

std::vector<std::string> models_with_joints() {
  std::vector<std::string> names;
  for (const ModelInfo& model : registered_models())
    if (model.capabilities.joints) names.push_back(model.name);
  return names;
}

class TumblingUnder : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Model, TumblingUnder, ::testing::ValuesIn(models_with_joints()),
                         [](const auto& i) { return i.param; });

TEST_P(TumblingUnder, KeepsItsEnergy) {
  SceneDescription scene = empty_scene(3, 4e-3);
  scene.model.name = GetParam();
  scene.bodies = {body("bar", box(1, 0.2, 0.1), {0.5, 0, 0})};
  scene.bodies[0].mass = 1;
  scene.bodies[0].angular_velocity = {3, 0, 0.5};
  JointDescription j;
  j.kind = JointKind::kUniversal;
  j.body_b = "bar";
  j.point = Vector3d::Zero();
  j.axis = Vector3d::UnitY(), j.axis_b = Vector3d::UnitX();
  scene.joints = {j};
  Simulation sim(scene);
  const double swing = kGravity * 0.5;  // m·g·L/2 [J]
  const double start = sim.step().energy();
  double most = 0;
  for (int i = 0; i < 10'000; ++i) most = std::max(most, std::abs(sim.step().energy() - start));
  EXPECT_LT(most, 0.05 * swing);  // it swings about the right one by the order of h
  EXPECT_LT(sim.joint(0).position_error, 1e-6);
}

}  // namespace
}  // namespace touchstone::testing

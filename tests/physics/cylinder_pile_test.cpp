// Two cylinders side by side on a floor and a third on top of them, with friction enough: nothing may move. Normals of
// touching cylinders that are off by 5e-4 rad make the pile roll away at 0.4 mm/s.
#include <gtest/gtest.h>

#include "models/registry.h"
#include "physics/scene_builders.h"

namespace touchstone::testing {
namespace {

constexpr double kRadius = 0.1, kLength = 0.4;  // m

SceneDescription pile_of(const ShapeDescription& shape, const std::string& model) {
  SceneDescription scene = floor_scene(3, material(0.8));
  scene.model.name = model;
  const auto lay = [&](const std::string& name, const Eigen::Vector3d& at) {
    BodyDescription b = body(name, shape, at);
    b.placement.orientation = Eigen::AngleAxisd(0.5 * std::numbers::pi, Eigen::Vector3d::UnitX());
    scene.bodies.push_back(b);
  };
  lay("left", {-kRadius, 0, kRadius});
  lay("right", {kRadius, 0, kRadius});
  lay("top", {0, 0, kRadius * (1 + std::sqrt(3.0))});
  return scene;
}

// The mean speed of the body that has gone farthest over the last second of two [m/s].
double drift(const SceneDescription& scene) {
  Simulation sim(scene);
  while (sim.time() < 1) sim.step();
  std::vector<Eigen::Vector3d> before;
  for (const char* name : {"left", "right", "top"}) before.push_back(sim.state(sim.find_body(name)).center_of_mass);
  while (sim.time() < 2) sim.step();
  double worst = 0;
  for (std::size_t i = 0; const char* name : {"left", "right", "top"})
    worst = std::max(worst, (sim.state(sim.find_body(name)).center_of_mass - before[i++]).norm());
  return worst;
}

// Models under which no such pile rests, whatever it is made of (their pages say so): contacts by collisions creep, and
// the convex model has no wedging.
bool creeps(const std::string& model) {
  return model == "guendelman" || model == "hahn" || model == "mirtich" || model == "convex";
}

std::vector<std::string> models_with_friction() {
  std::vector<std::string> names;
  for (const ModelInfo& model : registered_models())
    if (model.capabilities.contacts && model.make3 && model.name != std::string("gauss")) names.push_back(model.name);
  return names;
}

class CylinderPileUnder : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Model, CylinderPileUnder, ::testing::ValuesIn(models_with_friction()),
                         [](const auto& i) { return i.param; });

TEST_P(CylinderPileUnder, StaysWhereItIs) {
  const double rolls = drift(pile_of(cylinder(kRadius, kLength), GetParam()));
  RecordProperty("drift_um_per_s", std::to_string(1e6 * rolls));
  // Capsules have their normals in closed form: cylinders may do no worse.
  EXPECT_LT(rolls, creeps(GetParam()) ? 1.2 * drift(pile_of(capsule(kRadius, kLength), GetParam())) : 1e-6);
}

}  // namespace
}  // namespace touchstone::testing

// The guendelman model: what its order of a step and shock propagation are for, and what they cost.
#include <gtest/gtest.h>

#include "physics/pairwise_scenes.h"

namespace touchstone::testing {
namespace {

class GuendelmanIn : public ::testing::TestWithParam<int> {
 protected:
  const int d_ = GetParam();
};
INSTANTIATE_TEST_SUITE_P(Dimension, GuendelmanIn, ::testing::Values(2, 3), dimension_name);

// Collisions come before the forces of the step: what rests does not bounce, whatever its restitution.
TEST_P(GuendelmanIn, ABoxOfFullRestitutionRests) {
  SceneDescription scene = floor_scene("guendelman", d_, material(0.5, 1));
  scene.bodies.push_back(body("box", plate(d_, 0.4, 0.2, 0.4), 0.1 * up(d_)));
  Simulation sim(scene);
  double fastest = 0;
  for (int i = 0; i < 1000; ++i) fastest = std::max(fastest, sim.step().max_speed);
  EXPECT_LT(fastest, 2e-3);
  EXPECT_LT(greatest_drift(scene, sim), 1e-3);
}

// Without shock propagation a tall stack sinks into itself; with it, it does not.
TEST_P(GuendelmanIn, ShockPropagationCarriesAStack) {
  double penetration[2];
  for (const bool shock : {false, true}) {
    SceneDescription scene = stack_scene("guendelman", d_, 15);
    scene.model.options["shock"] = shock;
    scene.model.options["push_out"] = false;
    Simulation sim(scene);
    sim.set_yardstick(true);
    double worst = 0;
    for (int i = 0; i < 500; ++i) worst = std::max(worst, sim.step().measures.penetration.worst);
    penetration[shock] = worst;
    EXPECT_LT(greatest_drift(scene, sim), shock ? 0.02 : 1.0);
  }
  EXPECT_GT(penetration[false], 1e-3);
  EXPECT_LT(penetration[true], 1e-6);
}

// The price: what lies below gets no reaction, and the yardstick says so.
TEST_P(GuendelmanIn, ShockPropagationDoesNotKeepMomentum) {
  SceneDescription scene = stack_scene("guendelman", d_, 5);
  double error[2];
  for (const bool shock : {false, true}) {
    scene.model.options["shock"] = shock;
    Simulation sim(scene);
    sim.set_yardstick(true);
    error[shock] = 0;
    for (int i = 0; i < 100; ++i) error[shock] = std::max(error[shock], sim.step().measures.momentum_error.worst);
  }
  EXPECT_LT(error[false], 1e-12);
  EXPECT_GT(error[true], 1e-3);
}

// Sequential friction creeps: a block below the limit slides, slowly.
TEST_P(GuendelmanIn, B01BelowTheLimitItCreepsALittle) {
  const Incline incline = block_on_incline(d_, 20, 0.5, 0);
  Simulation sim(with_model(incline.scene, "guendelman"));
  run(sim, 2);
  EXPECT_LT(sim.state(sim.find_body("block")).center_of_mass.dot(incline.downhill), 1e-3);
  EXPECT_LT(sim.state(sim.find_body("block")).velocity.norm(), 1e-3);
}

TEST(Guendelman, WhatIsLeftOverIsReported) {
  SceneDescription scene = stack_scene("guendelman", 2, 10);
  scene.model.options["shock"] = false;
  scene.model.options["contact_passes"] = std::int64_t{2};
  Simulation sim(scene);
  EXPECT_EQ(sim.step().status, StepStatus::kNotConverged);
}

}  // namespace
}  // namespace touchstone::testing

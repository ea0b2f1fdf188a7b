// The hahn model: resting contact as a row of small collisions, and where that ends.
#include <gtest/gtest.h>

#include "physics/pairwise_scenes.h"

namespace touchstone::testing {
namespace {

class HahnIn : public ::testing::TestWithParam<int> {
 protected:
  const int d_ = GetParam();
};
INSTANTIATE_TEST_SUITE_P(Dimension, HahnIn, ::testing::Values(2, 3), dimension_name);

// A ball that rests collides in every step, at the speed that gravity gave it, and goes nowhere.
TEST_P(HahnIn, WhatRestsCollidesInEveryStep) {
  SceneDescription scene = floor_scene("hahn", d_, material(0.5));
  scene.bodies.push_back(body("ball", sphere(0.1), 0.1 * up(d_)));
  scene.bodies.back().mass = 1;
  Simulation sim(scene);
  for (int i = 0; i < 100; ++i) {
    ASSERT_EQ(sim.step().collisions, 1);
    ASSERT_NEAR(sim.body_impulse(sim.find_body("ball")).dot(up(d_)), kGravity * 1e-3, 1e-12);
  }
  EXPECT_LT(greatest_drift(scene, sim), 1e-12);
  EXPECT_NEAR(sim.report().contact_work, 0, 1e-12);
}

// With restitution it hops: e·g·h up in every other step, no more.
TEST_P(HahnIn, RestitutionMakesItHopByMicrometres) {
  SceneDescription scene = floor_scene("hahn", d_, material(0.5, 0.5));
  scene.bodies.push_back(body("ball", sphere(0.1), 0.1 * up(d_)));
  Simulation sim(scene);
  double highest = 0;
  for (int i = 0; i < 1000; ++i) {
    sim.step();
    highest = std::max(highest, sim.state(sim.find_body("ball")).center_of_mass.dot(up(d_)) - 0.1);
  }
  EXPECT_GT(highest, 1e-7);
  EXPECT_LT(highest, 2e-5);
}

// Two that fly at a third: who comes first is hit first.
TEST_P(HahnIn, CollisionsGoInTheOrderOfTime) {
  SceneDescription scene = with_model(empty_scene(d_, 0.1), "hahn");
  scene.gravity.setZero();
  scene.materials = {material(0, 0)};
  scene.bodies = {body("middle", sphere(0.1)), body("left", sphere(0.1), {-0.25, 0, 0}),
                  body("right", sphere(0.1), {0.22, 0, 0})};
  scene.bodies[1].velocity = {1, 0, 0};
  scene.bodies[2].velocity = {-1, 0, 0};
  Simulation sim(scene);
  sim.step();
  // right at 0.02 s takes middle along at −1/2, left meets both at 0.02 + 0.03/1.5 = 0.04 s: middle goes to 1/4, away
  // from nobody: right is at −1/2 and is met again, and so on until all go at the mean, 0.
  for (const char* name : {"left", "middle", "right"})
    EXPECT_NEAR(sim.state(sim.find_body(name)).velocity.x(), 0, 1e-7) << name;
  // left is stopped at 0.04 s on its way from −0.25, right at 0.5·(its speed of before) from 0.02 to 0.04 s.
  EXPECT_NEAR(sim.state(sim.find_body("left")).center_of_mass.x(), -0.21, 1e-6);
  EXPECT_NEAR(sim.state(sim.find_body("right")).center_of_mass.x(), 0.22 - 0.02 - 0.01, 1e-6);
}

// Many contacts at once do not end within the cap; the step says so and goes on.
TEST_P(HahnIn, AStackIsReportedAndSinks) {
  SceneDescription scene = stack_scene("hahn", d_, 8);
  scene.model.options["push_out"] = false;
  Simulation sim(scene);
  sim.set_yardstick(true);
  int cut = 0;
  double deepest = 0;
  for (int i = 0; i < 200; ++i) {
    const StepReport& r = sim.step();
    cut += r.status == StepStatus::kNotConverged;
    deepest = std::max(deepest, r.measures.penetration.worst);
  }
  EXPECT_GT(cut, 100);
  EXPECT_GT(deepest, 1e-5);
}

// A plate on which spheres lie: every collision changes the collision times of all of them, and the work of a step
// grows like the square of their number. It is bounded, and the report says so.
TEST(Hahn, AStepWithTooMuchWorkEndsAndSaysWhy) {
  SceneDescription scene = with_model(empty_scene(3), "hahn");
  scene.materials = {material(0.5)};
  scene.bodies = {fixed("floor", half_space(Eigen::Vector3d::UnitZ())), body("plate", box(5, 5, 0.1), {0, 0, 0.05})};
  constexpr int kSide = 45;
  for (int i = 0; i < kSide * kSide; ++i)
    scene.bodies.push_back(
        body("s" + std::to_string(i), sphere(0.05), {-2.4 + 0.105 * (i % kSide), -2.4 + 0.105 * (i / kSide), 0.15}));
  Simulation sim(scene);
  const StepReport& report = sim.step();
  EXPECT_EQ(report.status, StepStatus::kNotConverged);
  EXPECT_STREQ(report.reason, "the step needed more than 20 million updates of collision times");
  EXPECT_LT(report.iterations, 50 * (kSide * kSide + 4));  // what max_collisions alone would have allowed
  for (int i = 0; i < kSide * kSide; i += 100)
    EXPECT_GT(sim.state(sim.find_body("s" + std::to_string(i))).velocity.z(), -0.05) << i;
}

}  // namespace
}  // namespace touchstone::testing

// The mirtich model: exact times of impact, micro-collisions and their envelope. The law of a collision is tested in
// routh_impact_test.cpp.
#include <gtest/gtest.h>

#include "physics/pairwise_scenes.h"

namespace touchstone::testing {
namespace {

class MirtichIn : public ::testing::TestWithParam<int> {
 protected:
  const int d_ = GetParam();
};
INSTANTIATE_TEST_SUITE_P(Dimension, MirtichIn, ::testing::Values(2, 3), dimension_name);

constexpr double kEnvelope = 1e-5;  // the default [m]

// Between collisions bodies fly on parabolas and collisions are met on time: an elastic ball keeps its energy.
TEST_P(MirtichIn, AnElasticBallBouncesOnForEver) {
  SceneDescription scene = floor_scene("mirtich", d_, material(0, 1), 0.01);
  scene.bodies.push_back(body("ball", sphere(0.1), 0.6 * up(d_)));
  Simulation sim(scene);
  const double energy = sim.step().energy();
  for (int i = 0; i < 2000; ++i) sim.step();
  EXPECT_GT(sim.report().contact_work, -1e-9 * energy);
  EXPECT_NEAR(sim.report().energy(), energy, 1e-9 * energy);
  EXPECT_NEAR(sim.report().energy_balance, 0, 1e-9 * energy);
}

// A ball that has come to rest hops at u_c = √(2·g·ε) above the envelope's lower side: between ε and 2·ε.
TEST_P(MirtichIn, RestIsHoppingWithinTheEnvelope) {
  SceneDescription scene = floor_scene("mirtich", d_, material(0.5, 0.3));
  scene.bodies.push_back(body("ball", sphere(0.1), 0.15 * up(d_)));
  scene.bodies.back().mass = 1;
  Simulation sim(scene);
  run(sim, 1);
  const double hop = std::sqrt(2 * kGravity * kEnvelope);
  double lowest = 1, highest = 0, fastest = 0, up_impulse = 0;
  for (int i = 0; i < 1000; ++i) {
    fastest = std::max(fastest, sim.step().max_speed);
    const double gap = sim.state(sim.find_body("ball")).center_of_mass.dot(up(d_)) - 0.1;
    lowest = std::min(lowest, gap), highest = std::max(highest, gap);
    up_impulse += sim.body_impulse(sim.find_body("ball")).dot(up(d_));
  }
  EXPECT_GT(lowest, 0.99 * kEnvelope);
  EXPECT_LT(highest, 2.01 * kEnvelope);
  EXPECT_LT(fastest, 1.01 * hop);
  EXPECT_NEAR(up_impulse, kGravity, 0.01 * kGravity);  // it carries the weight all the same
}

TEST_P(MirtichIn, AStackVibratesAndIsNotPenetrated) {
  SceneDescription scene = stack_scene("mirtich", d_, 4);
  scene.model.options["push_out"] = false;
  Simulation sim(scene);
  sim.set_yardstick(true);
  for (int i = 0; i < 500; ++i) {
    const StepReport& r = sim.step();
    ASSERT_LT(r.measures.penetration.worst, 1e-9) << i;
    ASSERT_GT(r.collisions, 0);
  }
  EXPECT_LT(greatest_drift(scene, sim), 2e-3);
}

// Turning slip round holds a body on a slope, but not as still as static friction does.
TEST_P(MirtichIn, B01BelowTheLimitItCreeps) {
  const Incline incline = block_on_incline(d_, 20, 0.5, 0);
  Simulation sim(with_model(incline.scene, "mirtich"));
  run(sim, 2);
  const double slid = sim.state(sim.find_body("block")).center_of_mass.dot(incline.downhill);
  EXPECT_GT(slid, 1e-6);
  EXPECT_LT(slid, 0.03);  // without friction it would be 6.7 m
}

// More collisions than the cap: the step says so, stops what approaches, and goes on.
TEST_P(MirtichIn, TheCapIsReported) {
  SceneDescription scene = stack_scene("mirtich", d_, 10);
  scene.model.options["max_collisions"] = std::int64_t{1};
  Simulation sim(scene);
  int cut = 0;
  for (int i = 0; i < 200; ++i) cut += sim.step().status == StepStatus::kNotConverged;
  EXPECT_GT(cut, 10);
  EXPECT_LT(sim.report().max_speed, 1);
}

}  // namespace
}  // namespace touchstone::testing

// What is particular to the penalty model: stiction on springs, sag, contact time, restitution. The catalogue's other
// cases are in tests/conformance.
#include <gtest/gtest.h>

#include "physics/scene_builders.h"

namespace touchstone::testing {
namespace {

SceneDescription penalty_scene(int dimension, double h = 1e-3) {
  SceneDescription scene = empty_scene(dimension, h);
  scene.model.name = "penalty";
  return scene;
}
Incline penalty_incline(int dimension, double degrees, double friction, double speed) {
  Incline out = block_on_incline(dimension, degrees, friction, speed);
  out.scene.model.name = "penalty";
  return out;
}

class PenaltyIn : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Dimension, PenaltyIn, ::testing::Values(2, 3),
                         [](const auto& i) { return std::to_string(i.param) + "D"; });

TEST_P(PenaltyIn, B01BlockSticksBelowTheFrictionAngleAndSlipsAbove) {
  const double threshold = 26.5651;  // atan 0.5
  const Incline below = penalty_incline(GetParam(), threshold - 0.1, 0.5, 0);
  Simulation sim(below.scene);
  const BodyId block = sim.find_body("block");
  const Eigen::Vector3d start = sim.state(block).center_of_mass;
  while (sim.time() < 10) sim.step();
  EXPECT_LT(std::abs((sim.state(block).center_of_mass - start).dot(below.downhill)), 1e-3);
  // True stiction: once settled it does not creep at all.
  const Eigen::Vector3d settled = sim.state(block).center_of_mass;
  while (sim.time() < 12) sim.step();
  EXPECT_LT((sim.state(block).center_of_mass - settled).norm(), 1e-9);
  // Sag under its own weight, at most 1e-4 m.
  EXPECT_NEAR(sim.report().max_penetration, 5e-5, 5e-5);

  const Incline above = penalty_incline(GetParam(), threshold + 0.1, 0.5, 0);
  Simulation slips(above.scene);
  while (slips.time() < 10) slips.step();
  const double a = kGravity * (std::sin(radians(threshold + 0.1)) - 0.5 * std::cos(radians(threshold + 0.1)));
  EXPECT_NEAR(slips.state(slips.find_body("block")).center_of_mass.dot(above.downhill), 0.5 * a * 100, 0.03 * 50 * a);
}

TEST_P(PenaltyIn, B62SagAndContactTime) {
  const int d = GetParam();
  SceneDescription scene = penalty_scene(d);
  scene.model.options["stiffness"] = 1e4;
  scene.materials = {material(0.5, 1.0)};
  BodyDescription ball = body("ball", sphere(0.1), 0.1 * up(d));
  ball.mass = 1;
  scene.bodies = {fixed("floor", half_space(up(d))), ball};
  Simulation rest(scene);
  while (rest.time() < 3) rest.step();
  const double sag = 0.1 - rest.state(rest.find_body("ball")).center_of_mass.dot(up(d));
  EXPECT_NEAR(sag, 9.81e-4, 1e-3 * 9.81e-4);

  scene.gravity.setZero();  // the contact time π√(m/k) is that of the spring alone
  scene.step = 1e-4;
  scene.bodies[1].placement.position = 0.11 * up(d);
  scene.bodies[1].velocity = -1.0 * up(d);
  Simulation impact(scene);
  double touching = 0;
  while (impact.time() < 0.1) {
    impact.step();
    if (impact.contact_count() > 0) touching += scene.step;
  }
  EXPECT_NEAR(touching, 0.0314159, 0.03 * 0.0314159);
  EXPECT_NEAR(impact.state(impact.find_body("ball")).velocity.dot(up(d)), 1.0, 0.01);
}

TEST(Penalty, RestitutionFollowsTheCoefficientOverItsWholeRange) {
  for (const double e : {0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0}) {
    for (const double speed : {0.5, 5.0}) {
      SceneDescription scene = penalty_scene(3, 1e-4);
      scene.gravity.setZero();
      scene.materials = {material(0.5, e)};
      BodyDescription ball = body("ball", sphere(0.1), {0, 0, 0.11});
      ball.velocity = {0, 0, -speed};
      scene.bodies = {fixed("floor", half_space({0, 0, 1})), ball};
      Simulation sim(scene);
      while (sim.time() < 0.2) sim.step();
      EXPECT_NEAR(sim.state(sim.find_body("ball")).velocity.z() / speed, e, 0.02) << "e = " << e << ", speed " << speed;
    }
  }
}

}  // namespace
}  // namespace touchstone::testing

// Reference values of the validation catalogue for the penalty model: 3 % (its tolerance), h = 1 ms, or as stated.
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

struct Slide {
  double distance = 0, time = 0;
  bool stopped = false;
};
// Runs until the block is at rest along the slope, at most for `longest` seconds.
Slide slide(const Incline& incline, double longest) {
  Simulation sim(incline.scene);
  const BodyId block = sim.find_body("block");
  const Eigen::Vector3d start = sim.state(block).center_of_mass;
  Slide out;
  while (sim.time() < longest) {
    sim.step();
    out.distance = (sim.state(block).center_of_mass - start).dot(incline.downhill);
    if (!out.stopped && sim.state(block).velocity.dot(incline.downhill) < 1e-4) {
      out.stopped = true;
      out.time = sim.time();
      return out;
    }
  }
  return out;
}

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

TEST_P(PenaltyIn, B02StopsOn20Degrees) {
  const Slide s = slide(penalty_incline(GetParam(), 20, 0.5, 2), 5);
  ASSERT_TRUE(s.stopped);
  EXPECT_NEAR(s.distance, 1.594929, 0.03 * 1.594929);
  EXPECT_NEAR(s.time, 1.594929, 0.03 * 1.594929);
}

TEST_P(PenaltyIn, B03StopsOn10Degrees) {
  const Slide s = slide(penalty_incline(GetParam(), 10, 0.3, 3), 5);
  ASSERT_TRUE(s.stopped);
  EXPECT_NEAR(s.distance, 3.766319, 0.03 * 3.766319);
  EXPECT_NEAR(s.time, 2.510879, 0.03 * 2.510879);
}

TEST_P(PenaltyIn, B04StopsNearTheThreshold) {
  const Slide s = slide(penalty_incline(GetParam(), 26, 0.49, 1), 60);
  ASSERT_TRUE(s.stopped);
  EXPECT_NEAR(s.distance, 25.0098, 0.02 * 25.0098);
  EXPECT_NEAR(s.time, 50.020, 0.02 * 50.020);
}

TEST_P(PenaltyIn, B05SlidesFromRest) {
  const Incline incline = penalty_incline(GetParam(), 30, 0.3, 0);
  Simulation sim(incline.scene);
  while (sim.time() < 2 - 1e-9) sim.step();
  EXPECT_NEAR(sim.state(sim.find_body("block")).center_of_mass.dot(incline.downhill), 4.712574, 0.03 * 4.712574);
}

TEST(Penalty, B09SphereSlidesThenRolls) {
  SceneDescription scene = penalty_scene(3);
  scene.materials = {material(0.2)};
  BodyDescription ball = body("ball", sphere(0.1), {0, 0, 0.1});
  ball.velocity = {5, 0, 0};
  scene.bodies = {fixed("floor", half_space({0, 0, 1})), ball};
  Simulation sim(scene);
  const BodyId id = sim.find_body("ball");
  double rolls_at = 0, distance = 0;
  while (sim.time() < 2) {
    sim.step();
    const BodyState s = sim.state(id);
    if (rolls_at == 0 && s.velocity.x() - 0.1 * s.angular_velocity.y() < 1e-3)
      rolls_at = sim.time(), distance = s.center_of_mass.x();
  }
  EXPECT_NEAR(rolls_at, 0.728120, 0.03 * 0.728120);
  EXPECT_NEAR(distance, 3.120514, 0.03 * 3.120514);
  EXPECT_NEAR(sim.state(id).velocity.x(), 25.0 / 7, 0.03 * 25 / 7);
  // Rolling goes on without slip, about the point midway through the sag: at R − sag/2 below the centre.
  EXPECT_NEAR(sim.state(id).angular_velocity.y() * (0.1 - 0.5 * 5e-5), sim.state(id).velocity.x(), 1e-6);
}

TEST_P(PenaltyIn, B14BallBouncesToTheRightHeights) {
  const int d = GetParam();
  SceneDescription scene = penalty_scene(d);
  scene.materials = {material(0.5, 0.8)};
  const double r = 0.1;
  scene.bodies = {fixed("floor", half_space(up(d))), body("ball", sphere(r), (1 + r) * up(d))};
  Simulation sim(scene);
  const BodyId ball = sim.find_body("ball");
  std::vector<double> heights;
  double before = -1;  // velocity
  while (sim.time() < 4 && heights.size() < 4) {
    sim.step();
    const BodyState s = sim.state(ball);
    const double v = s.velocity.dot(up(d));
    if (before > 0 && v <= 0) heights.push_back(s.center_of_mass.dot(up(d)) - r);
    before = v;
  }
  ASSERT_EQ(heights.size(), 4u);
  const double expected[] = {0.64, 0.4096, 0.262144, 0.167772};
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(heights[i], expected[i], 0.05 * expected[i]) << "bounce " << i + 1;
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

// The lcp model on the level of accelerations, after Baraff and in ODE's manner, against the catalogue.
#include <gtest/gtest.h>

#include "physics/scene_builders.h"
#include "touchstone/error.h"

namespace touchstone::testing {
namespace {

using Eigen::Vector3d;

// Dimension, regularisation.
class LcpAcceleration : public ::testing::TestWithParam<std::tuple<int, double>> {
 protected:
  const int d_ = std::get<0>(GetParam());
  const double soft_ = std::get<1>(GetParam());
  SceneDescription with(SceneDescription scene) const {
    scene.model.name = "lcp";
    scene.model.options["level"] = "acceleration";
    if (soft_ > 0) scene.model.options["regularisation"] = soft_;
    scene.integrator = Integrator::kSemiImplicitEuler;
    return scene;
  }
};
INSTANTIATE_TEST_SUITE_P(Style, LcpAcceleration,
                         ::testing::Combine(::testing::Values(2, 3), ::testing::Values(0, 1e-8)), [](const auto& i) {
                           return std::string(std::get<1>(i.param) > 0 ? "Ode" : "Baraff") +
                                  std::to_string(std::get<0>(i.param)) + "D";
                         });

void expect_fine(Simulation& sim, int steps) {
  for (int i = 0; i < steps; ++i) {
    const StepReport& r = sim.step();
    ASSERT_EQ(r.status, StepStatus::kOk) << "step " << i << ": " << r.reason;
    ASSERT_STREQ(r.reason, "") << "step " << i;
  }
}

TEST_P(LcpAcceleration, B02StopsWhereItShould) {
  const Incline incline = block_on_incline(d_, 20, 0.5, 2);
  Simulation sim(with(incline.scene));
  const BodyId block = sim.find_body("block");
  const Vector3d start = sim.state(block).center_of_mass;
  expect_fine(sim, 1700);
  check("distance", (sim.state(block).center_of_mass - start).dot(incline.downhill), 1.594929, 2e-3);
  EXPECT_LT(sim.state(block).velocity.norm(), 1e-6);
}

TEST_P(LcpAcceleration, B05SlidesFromRest) {
  const Incline incline = block_on_incline(d_, 30, 0.3, 0);
  Simulation sim(with(incline.scene));
  expect_fine(sim, 1000);
  check("speed", sim.state(sim.find_body("block")).velocity.dot(incline.downhill), 2.356287, 1e-4);
}

TEST_P(LcpAcceleration, B14BounceHeights) {
  SceneDescription scene = with(empty_scene(d_, 1e-4));
  scene.materials = {material(0.5, 0.8)};
  scene.bodies = {fixed("floor", half_space(up(d_))), body("ball", sphere(0.1), 1.1 * up(d_))};
  Simulation sim(scene);
  const BodyId ball = sim.find_body("ball");
  std::vector<double> heights;
  double before = -1, height = 0;
  while (sim.time() < 1.8) {
    sim.step();
    const BodyState s = sim.state(ball);
    const double v = s.velocity.dot(up(d_));
    if (before > 0 && v <= 0) heights.push_back(height);
    height = s.center_of_mass.dot(up(d_)) - 0.1;
    before = v;
  }
  ASSERT_GE(heights.size(), 2u);
  EXPECT_NEAR(heights[0], 0.64, 0.0064);
  EXPECT_NEAR(heights[1], 0.4096, 0.0041);
}

// A solid ball thrown without spin comes to roll at 5/7 of its speed (B09): contacts that slide, then stick.
TEST_P(LcpAcceleration, B09ABallComesToRoll) {
  SceneDescription scene = with(empty_scene(d_));
  scene.materials = {material(0.2)};
  BodyDescription ball = body("ball", sphere(0.1), 0.1 * up(d_));
  set_inertia(ball, 1, 0.4 * 0.01);
  ball.velocity = 5 * Vector3d::UnitX();
  scene.bodies = {fixed("floor", half_space(up(d_))), ball};
  Simulation sim(scene);
  expect_fine(sim, 728);
  const double there = sim.state(sim.find_body("ball")).center_of_mass.x();
  check("distance", there, 3.120514, 0.01);
  expect_fine(sim, 200);
  check("rolling speed", sim.state(sim.find_body("ball")).velocity.x(), 25.0 / 7, 0.01);
}

TEST_P(LcpAcceleration, AStackStands) {
  SceneDescription scene = with(empty_scene(d_, 2e-3));
  scene.materials = {material(0.5)};
  scene.bodies = {fixed("floor", half_space(up(d_)))};
  for (int i = 0; i < 5; ++i)
    scene.bodies.push_back(body("b" + std::to_string(i), plate(d_, 0.25, 0.25, 0.25), (0.125 + 0.25 * i) * up(d_)));
  Simulation sim(scene);
  sim.set_yardstick(true);
  for (int i = 0; i < 200; ++i) {
    const StepReport& r = sim.step();
    ASSERT_EQ(r.status, StepStatus::kOk) << i << ": " << r.reason;
    ASSERT_LT(r.measures.momentum_error.worst, 1e-9);
    ASSERT_EQ(r.measures.pulling.worst, 0);
  }
  for (int i = 0; i < 5; ++i) {
    const BodyState s = sim.state(sim.find_body("b" + std::to_string(i)));
    EXPECT_LT(s.velocity.norm(), 1e-6);
    EXPECT_NEAR(s.center_of_mass.dot(up(d_)), 0.125 + 0.25 * i, 1e-6);
  }
}

// A ball on a rope against the law of the pendulum: J̇·v is in the forces of joints.
TEST_P(LcpAcceleration, APendulumSwingsInTime) {
  SceneDescription scene = with(empty_scene(d_));
  scene.bodies = {body("ball", sphere(0.05), in_plane(d_, 1, 0))};
  JointDescription rope;
  rope.kind = JointKind::kDistance;
  rope.body_b = "ball";
  scene.joints = {rope};
  Simulation sim(scene);
  const BodyId ball = sim.find_body("ball");
  double crossed = 0, before = 1;
  for (int i = 0; i < 1000 && crossed == 0; ++i) {
    expect_fine(sim, 1);
    const double x = sim.state(ball).center_of_mass.x();
    if (before > 0 && x <= 0) crossed = sim.time();
    before = x;
    ASSERT_NEAR(sim.state(ball).center_of_mass.norm(), 1, 1e-6);
  }
  check("a quarter swing from level", crossed, 0.5920, 2e-3);  // K(1/√2)/√g = 1.85407/3.13209
}

// Painlevé's rod (B63): no forces exist. Said by name, and solved by an impulse without collision.
TEST_P(LcpAcceleration, B63PainlevesRodIsNamed) {
  SceneDescription scene = with(empty_scene(d_, 1e-8));
  scene.materials = {material(2)};
  BodyDescription rod = body("rod", sphere(0.01));
  set_inertia(rod, 1, 1.0 / 3);
  rod.center_of_mass = Vector3d::Zero();
  const double a = radians(60);
  rod.shapes[0].placement.position = in_plane(d_, -std::cos(a), 0.01 - std::sin(a));
  rod.placement.position = std::sin(a) * up(d_);
  rod.velocity = -Vector3d::UnitX();
  scene.bodies = {fixed("floor", half_space(up(d_))), rod};
  Simulation sim(scene);
  const StepReport& r = sim.step();
  EXPECT_EQ(r.status, StepStatus::kOk);
  const BodyState s = sim.state(sim.find_body("rod"));
  if (soft_ > 0) {  // ODE's box takes the bound from the normal without friction: it slides on, and says nothing
    EXPECT_STREQ(r.reason, "");
    EXPECT_LT(s.velocity.x(), -0.95);
    return;
  }
  EXPECT_NE(std::string(r.reason).find("Painleve"), std::string::npos) << r.reason;
  EXPECT_NEAR(s.velocity.x(), -0.5625, 1e-6);
  EXPECT_NEAR(s.velocity.dot(up(d_)), 0.324760, 1e-6);
  EXPECT_NEAR(s.angular_velocity.dot(turn_axis(d_)), 0.649519, 1e-6);
}

TEST_P(LcpAcceleration, AHeapComesToRest) {
  SceneDescription s = with(empty_scene(d_, 2e-3));
  s.materials = {material(0.4)};
  s.bodies = {fixed("floor", half_space(up(d_)))};
  for (int i = 0; i < 6; ++i) {
    BodyDescription b = body("b" + std::to_string(i), plate(d_, 0.2, 0.2, 0.2), (0.15 + 0.24 * (i / 3)) * up(d_));
    b.placement.position.x() = 0.22 * (i % 3) + 0.05 * (i / 3 % 2);
    b.placement.angle = 0.3 * (i % 4);
    if (d_ == 3) b.placement.orientation = Eigen::AngleAxisd(0.3 * (i % 4), Vector3d(1, 2, i % 3).normalized());
    s.bodies.push_back(b);
  }
  Simulation sim(s);
  sim.set_yardstick(true);
  int missed = 0;
  for (int i = 0; i < 600; ++i) {
    const StepReport& r = sim.step();
    missed += r.status != StepStatus::kOk;
    ASSERT_LT(r.measures.momentum_error.worst, 1e-9);
    ASSERT_LT(r.measures.pulling.worst, 1e-12);  // a box may keep friction where its normal has come to nothing
  }
  check("not converged", missed, 0, 30);
  check("penetration", sim.report().measures.penetration.worst, 0, 1e-4);
  for (int i = 0; i < 6; ++i)
    EXPECT_LT(sim.state(sim.find_body("b" + std::to_string(i))).velocity.norm(), soft_ > 0 ? 0.05 : 0.01);
}

TEST_P(LcpAcceleration, AStepIsTheSameAfterRestoring) {
  const Incline incline = block_on_incline(d_, 20, 0.5, 2);
  Simulation a(with(incline.scene)), b(with(incline.scene));
  b.set_threads(3);
  for (int i = 0; i < 30; ++i) a.step(), b.step();
  EXPECT_EQ(a.state_hash(), b.state_hash());
  Simulation c(with(incline.scene));
  c.restore(a.snapshot());
  for (int i = 0; i < 10; ++i) a.step(), c.step();
  EXPECT_EQ(a.state_hash(), c.state_hash());
}

TEST(LcpLevels, RegularisationIsOfAccelerations) {
  SceneDescription scene = empty_scene(2);
  scene.model.name = "lcp";
  scene.integrator = Integrator::kSemiImplicitEuler;
  scene.bodies = {body("ball", sphere(0.1))};
  scene.model.options["regularisation"] = 1e-8;
  EXPECT_THROW(Simulation{scene}, Error);
  scene.model.options["level"] = "jerk";
  EXPECT_THROW(Simulation{scene}, Error);
}

}  // namespace
}  // namespace touchstone::testing

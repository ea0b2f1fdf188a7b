// Every law broken on purpose: its measure sees it, the measures of all laws together see it, and no other does.
#include <numbers>

#include "contact/hand_made.h"
#include "physics/scene_builders.h"

namespace touchstone::testing {
namespace {

template <int N>
struct Dimension {
  static constexpr int value = N;
};
template <class T>
class Wrong : public ::testing::Test {};
using Dimensions = ::testing::Types<Dimension<2>, Dimension<3>>;
TYPED_TEST_SUITE(Wrong, Dimensions);

// All contacts here are at the centre of mass (2 kg), so that nothing turns: ρ = 2 kg.

TYPED_TEST(Wrong, AnImpulsePulls) {
  constexpr int D = TypeParam::value;
  HandMade<D> m;
  m.before[1].linear = 0.625 * m.normal();
  m.fall();
  m.touch(Vec<D>::Zero(), Vec<D>(-m.normal()), 0.5);  // takes off the 0.5 m/s that are left
  m.solve();
  const StepMeasures measures = m.measure();
  expect_only(measures, with_natural_map({"pulling"}));
  EXPECT_EQ(measures.pulling.worst, 1);
  EXPECT_NEAR(measures.natural_map_velocity.worst, 0.5, 1e-15);  // 1 N·s on 2 kg
  EXPECT_NEAR(measures.natural_map.worst, 1, 1e-15);             // of the 0.5 m/s
  EXPECT_EQ(measures.natural_map.body_a, 0u);
  EXPECT_EQ(measures.natural_map.body_b, 1u);
}

TYPED_TEST(Wrong, ABodyFallsIntoTheFloor) {
  constexpr int D = TypeParam::value;
  HandMade<D> m;
  m.fall();
  m.touch(Vec<D>::Zero(), Vec<D>::Zero(), 0.5);
  m.solve();
  const StepMeasures measures = m.measure();
  expect_only(measures, with_natural_map({"closing"}));
  EXPECT_EQ(measures.closing.worst, 0.125);
  EXPECT_NEAR(measures.natural_map.worst, 1, 1e-15);
}

TYPED_TEST(Wrong, AContactPushesWhileItSeparates) {
  constexpr int D = TypeParam::value;
  HandMade<D> m;
  m.before[1].linear = -0.875 * m.normal();
  m.fall();
  m.touch(Vec<D>::Zero(), Vec<D>(3 * m.normal()), 0.5);  // 1 m/s down becomes 0.5 up without any restitution
  m.solve();
  const StepMeasures measures = m.measure();
  expect_only(measures, with_natural_map({"normal_work", "complementarity"}));
  EXPECT_NEAR(measures.normal_work.worst, 1.5, 1e-15);
  EXPECT_NEAR(measures.natural_map_velocity.worst, 0.5, 1e-15);
}

TYPED_TEST(Wrong, ABallBouncesHigherThanItsMaterialDoes) {
  constexpr int D = TypeParam::value;
  HandMade<D> m;
  m.impact = true;
  m.before[1].linear = -2 * m.normal();
  m.fall();
  SolvedContact<D>& c = m.touch(Vec<D>::Zero(), Vec<D>(2 * 3.5 * m.normal()), 0.0, 0.5);
  c.restitution = 0.75;  // the model says so, the material does not
  m.solve();
  expect_only(m.measure(), with_natural_map({"normal_work", "complementarity"}));
}

TYPED_TEST(Wrong, FrictionIsBeyondTheCone) {
  constexpr int D = TypeParam::value;
  HandMade<D> m;
  m.before[1].linear = 0.25 * m.along();
  m.fall();
  m.touch(Vec<D>::Zero(), Vec<D>(2 * (0.125 * m.normal() - 0.25 * m.along())), 0.5);  // twice the normal impulse
  m.solve();
  EXPECT_EQ(m.after[1].linear, (Vec<D>::Zero()));
  const StepMeasures measures = m.measure();
  expect_only(measures, with_natural_map({"cone"}));
  EXPECT_NEAR(measures.cone.worst, 3, 1e-14);                                         // four times the limit
  EXPECT_NEAR(measures.natural_map_velocity.worst, 0.1875 / std::sqrt(1.25), 1e-15);  // distance to the cone
}

TYPED_TEST(Wrong, SlidingFrictionIsThatOfRest) {
  constexpr int D = TypeParam::value;
  HandMade<D> m;
  m.before[1].linear = m.along();
  m.fall();
  m.touch(Vec<D>::Zero(), Vec<D>(2 * 0.125 * (m.normal() - 0.5 * m.along())), 0.25).material.static_friction = 0.5;
  m.solve();
  const StepMeasures measures = m.measure();
  expect_only(measures, with_natural_map({"cone", "complementarity"}));
  EXPECT_NEAR(measures.cone.worst, 1, 1e-14);
}

TYPED_TEST(Wrong, FrictionIsTooWeak) {
  constexpr int D = TypeParam::value;
  HandMade<D> m;
  m.before[1].linear = m.along();
  m.fall();
  m.touch(Vec<D>::Zero(), Vec<D>(2 * 0.125 * (m.normal() - 0.25 * m.along())), 0.5);
  m.solve();
  const StepMeasures measures = m.measure();
  expect_only(measures, with_natural_map({"dissipation", "complementarity"}));
  EXPECT_NEAR(measures.dissipation.worst, 0.25 * 0.25 * m.after[1].linear.x(), 1e-15);
  EXPECT_GT(measures.natural_map_velocity.worst, 0.03125 / 1.3);  // 1/4 of 1/8 m/s is missing
}

TEST(Wrong3D, FrictionIsTurnedByThirtyDegrees) {
  HandMade<3> m;
  const double turn = std::numbers::pi / 6, mu = 0.5, r_N = 0.25;
  m.touch(Vec<3>::Zero(), {-mu * r_N * std::cos(turn), mu * r_N * std::sin(turn), r_N}, mu);
  m.after[1].linear = m.along();
  m.free[1].linear = m.after[1].linear - 0.5 * m.contacts[0].impulse;
  const StepMeasures measures = m.measure();
  expect_only(measures, with_natural_map({"dissipation", "friction_angle", "complementarity"}));
  EXPECT_NEAR(measures.friction_angle.worst, turn, 1e-14);
  EXPECT_NEAR(measures.dissipation.worst, mu * r_N * (1 - std::cos(turn)), 1e-15);
}

TYPED_TEST(Wrong, FrictionDrivesTheSliding) {
  constexpr int D = TypeParam::value;
  HandMade<D> m;
  m.before[1].linear = m.along();
  m.fall();
  m.touch(Vec<D>::Zero(), Vec<D>(2 * 0.125 * (m.normal() + 0.5 * m.along())), 0.5);
  m.solve();
  const StepMeasures measures = m.measure();
  expect_only(measures, with_natural_map({"dissipation", "friction_angle", "complementarity", "contact_gain"}));
  EXPECT_NEAR(measures.friction_angle.worst, std::numbers::pi, 1e-14);
}

TYPED_TEST(Wrong, MomentumIsLostWithoutAnImpulse) {
  constexpr int D = TypeParam::value;
  HandMade<D> m;
  const std::uint32_t lonely = m.add_body(4, 1);
  m.before[lonely].linear = 2 * m.along();
  m.before[lonely].angular.setConstant(1);
  m.free = m.after = m.before;
  expect_only(m.measure(), {});
  m.after[lonely].linear *= 0.5;
  StepMeasures measures = m.measure();
  expect_only(measures, {"momentum_error"});
  EXPECT_NEAR(measures.momentum_error.worst, 0.5, 1e-15);
  EXPECT_EQ(measures.momentum_error.body_a, lonely);
  m.after = m.before;
  m.after[lonely].angular *= 0.5;
  expect_only(m.measure(), {"momentum_error"});
  // A joint that took it explains it.
  m.joints.resize(m.bodies.size());
  m.joints[lonely].angular = -0.5 * m.before[lonely].angular;
  expect_only(m.measure(), {});
}

// Kane's paradox: Newton's restitution and Coulomb's friction at once, both obeyed to the letter, can gain energy. A
// body of 1 kg and 1 kg·m², struck at (1, −1) from its centre; all numbers are exact in binary.
TEST(Wrong2D, AnImpactGainsEnergyThoughItObeysNewtonAndCoulomb) {
  HandMade<2> m;
  m.impact = true;
  const std::uint32_t rod = m.add_body(1, 1);
  m.before[rod].linear = {-0.625, -1};
  m.fall();
  m.touch({1, -1}, {-0.25, 1.125}, 0.5, 1.0, 0, rod);
  m.solve();
  EXPECT_EQ(m.after[rod].linear, Vec<2>(-0.875, 0.125));
  EXPECT_EQ(m.after[rod].angular[0], 0.875);
  const StepMeasures measures = m.measure();
  expect_only(measures, {"impact_gain", "contact_gain"});
  EXPECT_NEAR(measures.contact_gain.worst, 0.078125, 1e-15);
  EXPECT_NEAR(measures.impact_gain.worst, 0.078125 / 0.7734375, 1e-15);
  EXPECT_EQ(measures.impact_gain.body_b, rod);
}

// A motor that pushes along the ground during a landing gives 4.5 J; the contact takes 0.5 J, and is not accused of the
// motor's work. Where the contact throws the body back with 2 m/s it gives 1.5 J.
TEST(Wrong2D, WhatAMotorGivesInAnImpactIsNotGivenByContacts) {
  HandMade<2> m;
  m.impact = true;
  const std::uint32_t car = m.add_body(1, 1);
  m.before[car].linear = {0, -1};
  m.fall();
  m.touch({0, 0}, {0, 1}, 0, 0, 0, car);
  m.joints.resize(m.bodies.size());
  m.joints[car].linear = {3, 0};
  m.after = m.free;
  m.after[car].linear = {3, 0};
  expect_only(m.measure(), {});
  m.after[car].linear = {3, 2};
  m.contacts[0].impulse = {0, 3};
  EXPECT_NEAR(m.measure().contact_gain.worst, 1.5, 1e-15);
  EXPECT_NEAR(m.measure().impact_gain.worst, 1.5 / 6.5, 1e-15);
}

TYPED_TEST(Wrong, AnImpactActsAcrossAGap) {
  constexpr int D = TypeParam::value;
  HandMade<D> m;
  m.impact = true;
  m.before[1].linear = -m.normal();
  m.fall();
  m.touch(Vec<D>::Zero(), Vec<D>(2 * m.normal()), 0.5).contact.gap = 0.01;
  m.solve();
  const StepMeasures measures = m.measure();
  expect_only(measures, {"open_gap"});
  EXPECT_EQ(measures.open_gap.worst, 0.01);
}

TYPED_TEST(Wrong, APenetrationIsPushedOutAndTheMeasureSaysSo) {
  constexpr int D = TypeParam::value;
  HandMade<D> m;
  m.fall();
  SolvedContact<D>& c = m.touch(Vec<D>::Zero(), Vec<D>(2 * 0.1875 * m.normal()), 0.5);
  m.solve();  // up with 1/16 m/s
  c.contact.gap = -0.0625 * m.kStep;
  StepMeasures measures = m.measure();
  expect_only(measures, {"correction"});
  EXPECT_EQ(measures.correction.worst, 0.0625);
  // Faster than that is no correction any more.
  c.contact.gap *= 0.5;
  measures = m.measure();
  expect_only(measures, with_natural_map({"correction", "normal_work", "complementarity"}));
  EXPECT_EQ(measures.correction.worst, 0.03125);
  EXPECT_NEAR(measures.natural_map_velocity.worst, 0.03125, 1e-15);
  // An impact is an instant: nothing is pushed out in it.
  m.impact = true;
  m.before = m.free;
  EXPECT_EQ(m.measure().correction.worst, 0);
}

// A model that looks for no contact at all: the yardstick finds the overlap by itself.
TYPED_TEST(Wrong, BodiesAreInEachOther) {
  constexpr int D = TypeParam::value;
  SceneDescription scene = empty_scene(D);
  scene.gravity.setZero();
  scene.model.name = "free";
  scene.bodies = {fixed("floor", half_space(up(D))), body("box", D == 2 ? box(1, 1) : box(1, 1, 1), 0.49 * up(D)),
                  body("near", sphere(0.5), 0.5001 * up(D) + 3 * Eigen::Vector3d::UnitX()),
                  body("ball", sphere(0.25), 0.98 * up(D) + 9 * Eigen::Vector3d::UnitX()),
                  body("other ball", sphere(0.25), 0.5 * up(D) + 9 * Eigen::Vector3d::UnitX())};
  Simulation simulation(scene);
  simulation.set_yardstick(true);
  simulation.step();
  const StepMeasures& m = simulation.measures();
  expect_only(m, {"penetration", "penetration_ratio"});
  EXPECT_NEAR(m.penetration.worst, 0.02, 1e-12);  // of the balls
  EXPECT_EQ(m.penetration.body_a, 3u);
  EXPECT_EQ(m.penetration.body_b, 4u);
  EXPECT_NEAR(m.penetration_ratio.worst, 0.04, 1e-12);
  // Three pairs touch or nearly do: 0.02, 0.01 and the near one's 0.
  EXPECT_NEAR(m.penetration.mean, std::sqrt((4e-4 + 1e-4) / 3), 1e-12);
}

TYPED_TEST(Wrong, AJointIsOff) {
  constexpr int D = TypeParam::value;
  Yardstick<D> yardstick;
  const Parallel one(1);
  yardstick.begin(8, one);
  HandMade<D> made;  // slots 0 and 1, the second of radius 1 m
  for (int i = 0; i < 2; ++i) made.add_body(1, 1);
  made.bodies.radius[3] = 0.1;
  const std::uint32_t world = Measure::kNobody;
  yardstick.joint(made.bodies, 1, 2, 0.01, 0, 0.5);
  yardstick.joint(made.bodies, 2, 3, 0.02, 0, 0);
  yardstick.joint(made.bodies, world, 1, 0, 0, 0);
  const StepMeasures m = yardstick.finish();
  expect_only(m, {"joint_position", "joint_position_ratio", "joint_velocity"});
  EXPECT_DOUBLE_EQ(m.joint_position_ratio.worst, 0.1);  // 0.02 m of the smaller body's 0.2 m
  EXPECT_EQ(m.joint_position.worst, 0.02);
  EXPECT_EQ(m.joint_position.body_b, 3u);
  EXPECT_NEAR(m.joint_position.mean, 0.01, 1e-15);
}

}  // namespace
}  // namespace touchstone::testing

// The lcp model against reference values of the validation catalogue, its own discrete trajectories, and `ncp`, which
// it must equal in 2D.
#include <gtest/gtest.h>

#include <numbers>

#include "physics/scene_builders.h"
#include "touchstone/error.h"

namespace touchstone::testing {
namespace {

using Eigen::Vector3d;

class LcpIn : public ::testing::TestWithParam<int> {
 protected:
  const int d_ = GetParam();
};
INSTANTIATE_TEST_SUITE_P(Dimension, LcpIn, ::testing::Values(2, 3), dimension_name);

SceneDescription with(const std::string& model, SceneDescription scene) {
  scene.model.name = model;
  scene.integrator = Integrator::kSemiImplicitEuler;
  return scene;
}
SceneDescription with_lcp(SceneDescription scene) { return with("lcp", std::move(scene)); }
ShapeDescription block_of(int d, double x, double y) { return d == 2 ? box(x, y) : box(x, x, y); }

void expect_fine(Simulation& sim, int steps) {
  for (int i = 0; i < steps; ++i) {
    const StepReport& r = sim.step();
    ASSERT_EQ(r.status, StepStatus::kOk) << "step " << i << " of " << steps << ", " << r.iterations << " pivots";
  }
}

TEST_P(LcpIn, FreeFallIsThatOfTheIntegrator) {
  SceneDescription scene = with_lcp(empty_scene(d_));
  scene.bodies = {body("ball", sphere(0.1), 10 * up(d_))};
  Simulation sim(scene);
  expect_fine(sim, 1000);
  EXPECT_NEAR(sim.state(sim.find_body("ball")).velocity.dot(up(d_)), -kGravity, 1e-10);
  EXPECT_NEAR(sim.state(sim.find_body("ball")).center_of_mass.dot(up(d_)), 10 - kGravity * 0.5 * 1.001, 1e-10);
}

// The price of a pyramid (B08): along an edge of it the distance is that of the cone; between two edges friction is
// weaker by cos(π/k) and leads aside, but not by more than a pyramid explains.
TEST(Lcp, B08PyramidsKnowDirections) {
  for (const std::int64_t facets : {4, 8, 16}) {
    double shortest = 1e9, longest = 0;
    for (const double degrees : {0.0, 15.0, 30.0, 45.0, 77.0}) {
      SceneDescription scene = with_lcp(empty_scene(3, 2e-3));
      scene.model.options["facets"] = facets;
      scene.materials = {material(0.4)};
      BodyDescription ball = body("ball", box(0.4, 0.4, 0.1), {0, 0, 0.05});
      ball.velocity = 2 * Vector3d(std::cos(radians(degrees)), std::sin(radians(degrees)), 0);
      scene.bodies = {fixed("floor", half_space({0, 0, 1})), ball};
      Simulation sim(scene);
      expect_fine(sim, 400);
      const double d = sim.state(sim.find_body("ball")).center_of_mass.head<2>().norm();
      shortest = std::min(shortest, d), longest = std::max(longest, d);
      EXPECT_LT(sim.state(sim.find_body("ball")).velocity.norm(), 1e-9);
    }
    const double exact = 4 / (0.8 * kGravity), weakest = std::cos(std::numbers::pi / static_cast<double>(facets));
    EXPECT_GT(shortest, exact - 5e-3) << facets;
    EXPECT_LT(longest, exact / weakest + 5e-3) << facets;
    RecordProperty("longest_over_exact_" + std::to_string(facets), std::to_string(longest / exact));
  }
}

TEST_P(LcpIn, ASmallStackStands) {
  SceneDescription scene = with_lcp(empty_scene(d_, 5e-3));
  scene.materials = {material(0.5)};
  scene.bodies = {fixed("floor", half_space(up(d_)))};
  for (int i = 0; i < 5; ++i)
    scene.bodies.push_back(body("b" + std::to_string(i), block_of(d_, 0.25, 0.25), (0.125 + 0.25 * i) * up(d_)));
  Simulation sim(scene);
  sim.set_yardstick(true);
  for (int i = 0; i < 100; ++i) {
    const StepReport& r = sim.step();
    ASSERT_EQ(r.status, StepStatus::kOk) << i;
    ASSERT_LT(r.measures.natural_map_velocity.worst, 1e-9)
        << i;  // nothing slides: within the pyramid, so within the cone
    ASSERT_LT(r.measures.momentum_error.worst, 1e-10);
  }
  for (int i = 0; i < 5; ++i) {
    const BodyState s = sim.state(sim.find_body("b" + std::to_string(i)));
    EXPECT_LT(s.velocity.norm(), 1e-9);
    EXPECT_NEAR(s.center_of_mass.dot(up(d_)), 0.125 + 0.25 * i, 1e-8);
  }
}

// In 2D both models have the same laws. Balls: one point a pair, so that the answer is unique.
TEST(Lcp, InThePlaneItIsNcp) {
  SceneDescription scene = empty_scene(2, 2e-3);
  scene.materials = {material(0.3, 0.3)};
  scene.bodies = {fixed("floor", half_space({0, 1, 0}))};
  for (const double side : {-1.0, 1.0})
    scene.bodies.push_back(fixed(side < 0 ? "left" : "right", half_space(Vector3d(-side, 0.5, 0).normalized()),
                                 0.25 * side * Vector3d::UnitX()));
  for (int i = 0; i < 9; ++i)
    scene.bodies.push_back(
        body("b" + std::to_string(i), sphere(0.09), {0.19 * (i % 3) - 0.19 + 0.03 * (i / 3), 0.1 + 0.19 * (i / 3), 0}));
  Simulation ncp(with("ncp", scene));
  std::size_t compared = 0;
  for (int round = 0; round < 20; ++round) {
    for (int i = 0; i < 20; ++i) ncp.step();
    Simulation lcp(with_lcp(scene));
    Simulation one(with("ncp", scene));  // anew: slips that sticking contacts have gathered belong to a model
    for (int i = 0; i < 9; ++i) {
      const std::string name = "b" + std::to_string(i);
      lcp.set_state(lcp.find_body(name), ncp.state(ncp.find_body(name)));
      one.set_state(one.find_body(name), ncp.state(ncp.find_body(name)));
    }
    one.step();
    EXPECT_EQ(lcp.step().status, StepStatus::kOk);
    compared += lcp.contact_count();
    for (int i = 0; i < 9; ++i) {
      const std::string name = "b" + std::to_string(i);
      const BodyState x = one.state(one.find_body(name)), y = lcp.state(lcp.find_body(name));
      EXPECT_LT((x.velocity - y.velocity).norm(), 1e-8) << name << " in round " << round;
      EXPECT_LT((x.angular_velocity - y.angular_velocity).norm(), 1e-7) << name << " in round " << round;
    }
  }
  EXPECT_GT(compared, 100u);
}

// A heap of tumbling boxes: every solve is judged; what fails is said.
TEST_P(LcpIn, AHeapComesToRest) {
  SceneDescription s = with_lcp(empty_scene(d_, 5e-3));
  s.model.options["facets"] = std::int64_t{4};
  s.materials = {material(0.4)};
  s.bodies = {fixed("floor", half_space(up(d_)))};
  const int count = d_ == 2 ? 12 : 5;
  for (int i = 0; i < count; ++i) {
    BodyDescription b = body("b" + std::to_string(i), block_of(d_, 0.2, 0.2), (0.15 + 0.24 * (i / 3)) * up(d_));
    b.placement.position.x() = 0.17 * (i % 3) + 0.05 * (i / 3 % 2);
    b.placement.angle = 0.3 * (i % 4);
    if (d_ == 3) b.placement.orientation = Eigen::AngleAxisd(0.3 * (i % 4), Vector3d(1, 2, i % 3).normalized());
    s.bodies.push_back(b);
  }
  Simulation sim(s);
  sim.set_yardstick(true);
  int failed = 0;
  for (int i = 0; i < (d_ == 2 ? 400 : 200); ++i) {
    const StepReport& r = sim.step();
    failed += r.status != StepStatus::kOk;
    EXPECT_LT(r.measures.momentum_error.worst, 1e-10);
    EXPECT_EQ(r.measures.pulling.worst, 0);
    EXPECT_LT(r.measures.cone.worst, 1e-9);
  }
  EXPECT_LE(failed, 3);
  RecordProperty("failed", failed);
  EXPECT_LT(sim.report().measures.penetration.worst, 1e-4);
  for (int i = 0; i < count; ++i) EXPECT_LT(sim.state(sim.find_body("b" + std::to_string(i))).velocity.norm(), 1e-2);
}

TEST_P(LcpIn, OverlapsArePushedApartWithoutSpeed) {
  SceneDescription scene = with_lcp(empty_scene(d_));
  scene.gravity.setZero();
  scene.bodies = {body("a", block_of(d_, 0.2, 0.2)), body("b", block_of(d_, 0.2, 0.2), 0.19 * up(d_))};
  Simulation sim(scene);
  sim.set_yardstick(true);
  for (int i = 0; i < 100; ++i) {
    sim.step();
    EXPECT_LT(sim.report().kinetic_energy, 1e-20);
  }
  EXPECT_LT(sim.report().measures.penetration.worst, 2e-7);
}

// A hinged or pinned rod swings as under ncp, whose joints are tested on their own.
TEST_P(LcpIn, JointsHold) {
  SceneDescription scene = empty_scene(d_, 1e-3);
  scene.bodies = {body("rod", d_ == 2 ? box(1, 0.1) : box(1, 0.1, 0.1), 0.5 * Vector3d::UnitX()),
                  body("next", d_ == 2 ? box(1, 0.1) : box(1, 0.1, 0.1), 1.5 * Vector3d::UnitX())};
  for (int i = 0; i < 2; ++i) {
    JointDescription j;
    j.name = "j" + std::to_string(i);
    j.kind = d_ == 2 ? JointKind::kHinge : JointKind::kBall;
    j.body_b = i ? "next" : "rod";
    if (i) j.body_a = "rod";
    j.point = i * Vector3d::UnitX();
    scene.joints.push_back(j);
  }
  Simulation lcp(with_lcp(scene)), ncp(with("ncp", scene));
  expect_fine(lcp, 500);
  for (int i = 0; i < 500; ++i) ncp.step();
  for (const char* name : {"rod", "next"})
    EXPECT_LT((lcp.state(lcp.find_body(name)).center_of_mass - ncp.state(ncp.find_body(name)).center_of_mass).norm(),
              1e-6);
}

TEST(Lcp, WhatCannotBeIsSaidWhenLoaded) {
  SceneDescription scene = with_lcp(empty_scene(3));
  scene.bodies = {body("ball", sphere(0.1))};
  scene.model.options["facets"] = std::int64_t{7};
  EXPECT_THROW(Simulation{scene}, Error);
  scene.model.options["facets"] = std::int64_t{2};
  EXPECT_THROW(Simulation{scene}, Error);
  scene.model.options.clear();
  scene.integrator = Integrator::kRk4;
  EXPECT_THROW(Simulation{scene}, Error);
}

// An island with more rows than max_unknowns is solved otherwise, and the step says so.
TEST_P(LcpIn, AFallbackIsReported) {
  Incline incline = block_on_incline(d_, 20, 0.5, 0);
  incline.scene.model.options["max_unknowns"] = std::int64_t{3};
  Simulation sim(with_lcp(incline.scene));
  for (int i = 0; i < 20; ++i) EXPECT_EQ(sim.step().status, StepStatus::kNotConverged);
  EXPECT_LT(sim.state(sim.find_body("block")).velocity.norm(), 1e-8);  // it stands all the same
}

}  // namespace
}  // namespace touchstone::testing

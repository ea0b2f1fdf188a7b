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

TEST_P(LcpIn, B01BelowTheLimitNothingCreeps) {
  const Incline incline = block_on_incline(d_, 26.4651, 0.5, 0);
  Simulation sim(with_lcp(incline.scene));
  const BodyId block = sim.find_body("block");
  const Vector3d start = sim.state(block).center_of_mass;
  expect_fine(sim, 2000);
  EXPECT_LT(sim.state(block).velocity.norm(), 1e-9);
  EXPECT_LT((sim.state(block).center_of_mass - start).norm(), 1e-9);
  const Incline above = block_on_incline(d_, 26.6651, 0.5, 0);
  Simulation slips(with_lcp(above.scene));
  expect_fine(slips, 1000);
  const double a = kGravity * (std::sin(radians(26.6651)) - 0.5 * std::cos(radians(26.6651)));
  EXPECT_NEAR(slips.state(slips.find_body("block")).velocity.dot(above.downhill), a, 1e-3 * a);
}

TEST_P(LcpIn, B02StopsWhereTheDiscreteTrajectoryDoes) {
  const Incline incline = block_on_incline(d_, 20, 0.5, 2);
  Simulation sim(with_lcp(incline.scene));
  const BodyId block = sim.find_body("block");
  const Vector3d start = sim.state(block).center_of_mass;
  expect_fine(sim, 1700);
  const double distance = (sim.state(block).center_of_mass - start).dot(incline.downhill);
  EXPECT_NEAR(distance, 1.594929, 2e-3);
  const double a = kGravity * (std::sin(radians(20)) - 0.5 * std::cos(radians(20)));
  double expected = 0;
  for (double v = 2 + a * 1e-3; v > 0; v += a * 1e-3) expected += 1e-3 * v;
  EXPECT_NEAR(distance, expected, 1e-7);
  EXPECT_LT(sim.state(block).velocity.norm(), 1e-9);
}

TEST_P(LcpIn, B05SlidesFromRest) {
  const Incline incline = block_on_incline(d_, 30, 0.3, 0);
  Simulation sim(with_lcp(incline.scene));
  expect_fine(sim, 1000);
  EXPECT_NEAR(sim.state(sim.find_body("block")).velocity.dot(incline.downhill), 2.356287, 1e-5);
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

TEST_P(LcpIn, B14BounceHeights) {
  SceneDescription scene = with_lcp(empty_scene(d_, 1e-4));
  scene.materials = {material(0.5, 0.8)};
  scene.bodies = {fixed("floor", half_space(up(d_))), body("ball", sphere(0.1), 1.1 * up(d_))};
  Simulation sim(scene);
  const BodyId ball = sim.find_body("ball");
  std::vector<double> heights;
  double before = -1, height = 0;
  while (sim.time() < 2.6) {
    sim.step();
    const BodyState s = sim.state(ball);
    const double v = s.velocity.dot(up(d_));
    if (before > 0 && v <= 0) heights.push_back(height);
    height = s.center_of_mass.dot(up(d_)) - 0.1;
    before = v;
  }
  ASSERT_GE(heights.size(), 3u);
  EXPECT_NEAR(heights[0], 0.64, 0.0064);
  EXPECT_NEAR(heights[1], 0.4096, 0.0041);
  EXPECT_NEAR(heights[2], 0.262144, 0.0027);
}

TEST(Lcp, B19SphereBounceWithFriction) {
  const struct { double friction, vx, w; } cases[] = {{0.3, 1.428571, 14.285714}, {0.05, 1.64, 9.0}};
  for (const auto& c : cases) {  // along x, which is an edge of the pyramid
    SceneDescription scene = with_lcp(empty_scene(2));
    scene.gravity.setZero();
    scene.materials = {material(c.friction, 0.8)};
    BodyDescription ball = body("ball", sphere(0.1), {0, 0.1, 0});
    set_inertia(ball, 1, 0.4 * 0.01);
    ball.velocity = {2, -4, 0};
    scene.bodies = {fixed("floor", half_space({0, 1, 0})), ball};
    Simulation sim(scene);
    sim.step();
    const BodyState s = sim.state(sim.find_body("ball"));
    EXPECT_NEAR(s.velocity.x(), c.vx, 1e-6);
    EXPECT_NEAR(s.velocity.y(), 3.2, 1e-9);
    EXPECT_NEAR(std::abs(s.angular_velocity.z()), c.w, 1e-5);
  }
}

// Painlevé's rod: no force would do, so the step must find an impact without collision. Half-length, mass 1; 60°, μ
// = 2. The same under ncp.
TEST_P(LcpIn, B63PainleveRodJams) {
  for (const char* model : {"lcp", "ncp"}) {
    SceneDescription scene = with(model, empty_scene(d_, 1e-8));
    scene.materials = {material(2)};
    BodyDescription rod = body("rod", sphere(0.01));
    set_inertia(rod, 1, 1.0 / 3);
    rod.center_of_mass = Vector3d::Zero();
    const double a = radians(60);
    rod.shapes[0].placement.position = in_plane(d_, -std::cos(a), 0.01 - std::sin(a));  // touches where the tip is
    rod.placement.position = std::sin(a) * up(d_);
    rod.velocity = -Vector3d::UnitX();
    scene.bodies = {fixed("floor", half_space(up(d_))), rod};
    Simulation sim(scene);
    expect_fine(sim, 1);
    const BodyState s = sim.state(sim.find_body("rod"));
    EXPECT_NEAR(s.velocity.x(), -0.5625, 1e-6) << model;
    EXPECT_NEAR(s.velocity.dot(up(d_)), 0.324760, 1e-6) << model;
    EXPECT_NEAR(s.angular_velocity.dot(turn_axis(d_)), 0.649519, 1e-6) << model;
    ASSERT_EQ(sim.contact_count(), 1u) << model;
    const Vector3d p = sim.contact(0).impulse;
    EXPECT_NEAR(std::abs(p.x()), 0.4375, 1e-6) << model;
    EXPECT_NEAR(std::abs(p.dot(up(d_))), 0.324760, 1e-6) << model;
  }
}

// 1 kg under 1000 kg.
TEST_P(LcpIn, B34AHeavyBlockOnALightOne) {
  SceneDescription scene = with_lcp(empty_scene(d_));
  scene.materials = {material(0.5)};
  scene.bodies = {fixed("floor", half_space(up(d_))), body("light", block_of(d_, 0.5, 0.25), 0.125 * up(d_)),
                  body("heavy", block_of(d_, 0.5, 0.25), 0.375 * up(d_))};
  scene.bodies[1].mass = 1, scene.bodies[2].mass = 1000;
  Simulation sim(scene);
  expect_fine(sim, 50);
  double force = 0;
  for (std::size_t i = 0; i < sim.contact_count(); ++i)
    if (sim.contact(i).point.dot(up(d_)) < 0.1) force += sim.contact(i).impulse.dot(up(d_)) / 1e-3;
  EXPECT_NEAR(std::abs(force), 9819.81, 1e-3);
}

// m2 on a smooth floor is pulled from under m1.
TEST_P(LcpIn, B35PulledFromUnder) {
  for (const double pull : {11.7, 20.0}) {
    SceneDescription scene = with_lcp(empty_scene(d_));
    scene.materials = {material(0.4), material(0)};
    scene.materials[1].name = "smooth";
    BodyDescription top = body("top", block_of(d_, 0.25, 0.125), 0.3125 * up(d_)),
                    bottom = body("bottom", block_of(d_, 1, 0.25), 0.125 * up(d_));
    top.mass = 1, bottom.mass = 2;
    BodyDescription floor = fixed("floor", half_space(up(d_)));
    floor.shapes[0].material = "smooth";
    scene.bodies = {floor, bottom, top};
    Simulation sim(scene);
    for (int i = 0; i < 100; ++i) {
      sim.apply_force(sim.find_body("bottom"), pull * Vector3d::UnitX());
      ASSERT_EQ(sim.step().status, StepStatus::kOk) << i;
    }
    const double v1 = sim.state(sim.find_body("top")).velocity.x(),
                 v2 = sim.state(sim.find_body("bottom")).velocity.x();
    EXPECT_NEAR(v1, pull == 20 ? 0.3924 : 0.39, 1e-7);
    EXPECT_NEAR(v2, pull == 20 ? 0.8038 : 0.39, 1e-7);
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

TEST_P(LcpIn, TwoCoefficients) {
  for (const double speed : {0.0, 0.5}) {  // at an angle between the two friction angles
    Incline incline = block_on_incline(d_, 24, 0.5, speed);
    incline.scene.materials[0].dynamic_friction = 0.4;
    Simulation sim(with_lcp(incline.scene));
    expect_fine(sim, 500);
    const double a = kGravity * (std::sin(radians(24)) - 0.4 * std::cos(radians(24)));
    EXPECT_NEAR(sim.state(sim.find_body("block")).velocity.dot(incline.downhill), speed > 0 ? speed + 0.5 * a : 0,
                1e-7);
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
    for (int i = 0; i < 9; ++i) {
      const std::string name = "b" + std::to_string(i);
      lcp.set_state(lcp.find_body(name), ncp.state(ncp.find_body(name)));
    }
    Simulation one(with("ncp", scene));
    one.restore(ncp.snapshot());
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

TEST_P(LcpIn, AStepIsTheSameAfterRestoring) {
  const Incline incline = block_on_incline(d_, 20, 0.5, 2);
  Simulation a(with_lcp(incline.scene)), b(with_lcp(incline.scene));
  b.set_threads(3);
  for (int i = 0; i < 30; ++i) a.step(), b.step();
  EXPECT_EQ(a.state_hash(), b.state_hash());
  Simulation c(with_lcp(incline.scene));
  c.restore(a.snapshot());
  for (int i = 0; i < 10; ++i) a.step(), c.step();
  EXPECT_EQ(a.state_hash(), c.state_hash());
}

}  // namespace
}  // namespace touchstone::testing

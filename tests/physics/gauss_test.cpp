// The model `gauss` in worlds of each kind: pins, prescribed bodies, friction by the associated law, bodies as points,
// and the collapse of a tower against another model.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "physics/scene_builders.h"
#include "study/towers.h"
#include "touchstone/error.h"

namespace touchstone::testing {
namespace {

using Eigen::Vector3d;

SceneDescription with(SceneDescription scene, const Options& options) {
  scene.model.name = "gauss";
  scene.model.options = options;
  return scene;
}
const Options kAcceleration{{"form", std::string("acceleration")}}, kCone{{"friction", std::string("cone")}};

std::string refusal(const SceneDescription& scene) {
  try {
    Simulation sim(scene);
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

class Gauss : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Dimension, Gauss, ::testing::Values(2, 3), dimension_name);

// A box on a floor without friction keeps its speed and its height, and takes no energy.
TEST_P(Gauss, ABoxSlidesOnForEver) {
  const int d = GetParam();
  for (const Options& options : {Options{}, kAcceleration}) {
    SceneDescription scene = with(floor_scene(d, material(0.5)), options);
    scene.bodies.push_back(body("box", plate(d, 0.4, 0.2, 0.3), 0.1 * up(d)));
    scene.bodies.back().velocity = {2, 0, 0};
    Simulation sim(scene);
    run(sim, 1);
    const BodyState s = sim.state(sim.find_body("box"));
    EXPECT_NEAR(s.velocity.x(), 2, 1e-12);
    EXPECT_NEAR(s.center_of_mass.dot(up(d)), 0.1, 1e-9);
    EXPECT_LT(std::abs(sim.report().energy_balance), 1e-9);
  }
}

// A box dropped flat stops without bounce (Q*).
TEST_P(Gauss, ADroppedBoxStops) {
  const int d = GetParam();
  for (const Options& options : {Options{}, kAcceleration}) {
    SceneDescription scene = with(floor_scene(d, material(0)), options);
    scene.bodies.push_back(body("box", plate(d, 0.4, 0.2, 0.3), 0.2 * up(d)));
    Simulation sim(scene);
    run(sim, 1);
    const BodyState s = sim.state(sim.find_body("box"));
    EXPECT_LT(s.velocity.norm(), 1e-9);
    EXPECT_NEAR(s.center_of_mass.dot(up(d)), 0.1, 1.1e-4);
    EXPECT_LT(sim.report().energy_made(), 1e-6);
  }
}

// Against `ncp`, whose joints are the same and whose contacts are not used here.
TEST_P(Gauss, PinnedBoxesSwingAsUnderNcp) {
  const int d = GetParam();
  SceneDescription scene = empty_scene(d);
  for (int k = 0; k < 2; ++k)
    scene.bodies.push_back(body(fmt::format("b{}", k), plate(d, 1, 0.25, 0.3), in_plane(d, 0.5 + k, -0.25 * k)));
  for (int k = 0; k < 2; ++k) {
    JointDescription pin;
    pin.kind = d == 2 ? JointKind::kHinge : JointKind::kBall;
    pin.body_a = k ? "b0" : "", pin.body_b = fmt::format("b{}", k);
    pin.point = in_plane(d, k, -0.125 * k);
    scene.joints.push_back(pin);
  }
  Simulation ours(with(scene, {}));
  scene.model.name = "ncp";
  Simulation theirs(scene);
  run(ours, 0.5), run(theirs, 0.5);
  for (const char* name : {"b0", "b1"})
    EXPECT_LT(
        (ours.state(ours.find_body(name)).center_of_mass - theirs.state(theirs.find_body(name)).center_of_mass).norm(),
        1e-7);
  EXPECT_LT(ours.joint(0).position_error, 1e-8);
}

// A lift carries a box up, and the work is its.
TEST_P(Gauss, APrescribedBodyCarries) {
  const int d = GetParam();
  SceneDescription scene = with(empty_scene(d), {});
  scene.bodies = {body("lift", plate(d, 2, 0.2, 2), -0.1 * up(d)), body("box", plate(d, 0.4, 0.2, 0.3), 0.1 * up(d))};
  scene.bodies[0].kind = BodyKind::kKinematic;
  scene.bodies[0].motion.emplace();
  scene.bodies[0].motion->velocity = 0.5 * up(d);
  scene.bodies[1].velocity = 0.5 * up(d);
  scene.bodies[1].mass = 2;
  Simulation sim(scene);
  run(sim, 1);
  EXPECT_NEAR(sim.state(sim.find_body("box")).center_of_mass.dot(up(d)), 0.6, 1e-8);
  EXPECT_NEAR(sim.report().driven_work, 2 * kGravity * 0.5, 1e-6);
}

// A box between a wall and a prescribed one that comes nearer: the program has no solution, and the step says so.
TEST_P(Gauss, WallsThatCloseAreReported) {
  const int d = GetParam();
  SceneDescription scene = with(empty_scene(d), {});
  scene.gravity.setZero();
  scene.bodies = {fixed("wall", plate(d, 0.2, 2, 2), in_plane(d, -0.3, 0)),
                  body("jaw", plate(d, 0.2, 2, 2), in_plane(d, 0.3, 0)), body("box", plate(d, 0.4, 0.2, 0.3))};
  scene.bodies[1].kind = BodyKind::kKinematic;
  scene.bodies[1].motion.emplace();
  scene.bodies[1].motion->velocity = in_plane(d, -0.1, 0);
  Simulation sim(scene);
  const StepReport& report = sim.step();
  EXPECT_EQ(report.status, StepStatus::kNotConverged);
  EXPECT_NE(std::string(report.reason).find("ray"), std::string::npos) << report.reason;
}

// The associated law: what stands does, and what slides lifts off, which the yardstick sees.
TEST_P(Gauss, FrictionHoldsAndDilates) {
  const int d = GetParam();
  Incline holds = block_on_incline(d, 25, 0.5, 0);
  Simulation still(with(holds.scene, kCone));
  still.set_yardstick(true);
  const Vector3d start = still.state(still.find_body("block")).center_of_mass;
  run(still, 0.5);
  EXPECT_LT((still.state(still.find_body("block")).center_of_mass - start).norm(), 1e-8);
  EXPECT_LT(still.report().measures.natural_map.worst, 1e-8);
  Incline slides = block_on_incline(d, 35, 0.5, 0);
  Simulation sim(with(slides.scene, kCone));
  sim.set_yardstick(true);
  double worst = 0;
  for (int k = 0; k < 100; ++k) worst = std::max(worst, sim.step().measures.natural_map.worst);
  EXPECT_GT(worst, 1e-3) << "the yardstick does not see that it lifts off";
  EXPECT_GT(sim.state(sim.find_body("block")).velocity.dot(slides.downhill), 0.05);
}

TEST_P(Gauss, WhatIsNotSupportedIsSaidWhenLoaded) {
  const int d = GetParam();
  SceneDescription scene = floor_scene(d, material(0));
  scene.bodies.push_back(body("ball", sphere(0.1), 0.1 * up(d)));
  EXPECT_EQ(refusal(with(scene, {})), "");
  EXPECT_NE(refusal(with(scene, {{"bodies", std::string("lumped")}})).find("'ball'"), std::string::npos);
  scene.bodies.back() = body("brick", plate(d, 1, 0.25, 0.5), 0.125 * up(d));
  EXPECT_EQ(refusal(with(scene, {{"bodies", std::string("lumped")}})), "");
  EXPECT_NE(refusal(with(scene, {{"bodies", std::string("corners")}})).find("moment of inertia"), std::string::npos);
  if (d == 3) {
    EXPECT_NE(refusal(with(scene, {{"bodies", std::string("nine_points")}})).find("lumped"), std::string::npos);
  }
  JointDescription pin;
  pin.kind = d == 2 ? JointKind::kHinge : JointKind::kBall;
  pin.body_b = "brick", pin.point = Vector3d::Zero();
  scene.joints = {pin};
  Options mean = kAcceleration;
  mean["update"] = std::string("mean");
  EXPECT_NE(refusal(with(scene, mean)).find("joints"), std::string::npos);
}

// Points with bars fall as the body does, whatever their bars are.
TEST_P(Gauss, BodiesAsPointsCollapseAsReducedOnes) {
  const int d = GetParam();
  TowerOptions o;
  o.dimension = d;
  SceneDescription scene = tower_scene(triangle_rows(3, o), o);
  Simulation reduced(scene);
  run(reduced, 0.1);
  for (const char* bars : {"equations", "independent", "penalty"}) {
    scene.model.options = {{"bodies", std::string("lumped")}, {"bars", std::string(bars)}, {"penalty", 1e6}};
    Simulation points(scene);
    run(points, 0.1);
    for (std::size_t i = 1; i < scene.bodies.size(); ++i) {
      const std::string& name = scene.bodies[i].name;
      EXPECT_LT(
          (points.state(points.find_body(name)).center_of_mass - reduced.state(reduced.find_body(name)).center_of_mass)
              .norm(),
          1e-5)
          << name << ", " << bars;
    }
  }
}

TEST(GaussCollapse, AgreesWithNcpInTheFirstTenMilliseconds) {
  TowerOptions o;
  SceneDescription scene = tower_scene(diamond_rows(5, o), o);
  Simulation ours(scene);
  scene.model = {"ncp", {}};
  Simulation theirs(scene);
  run(ours, 0.01), run(theirs, 0.01);
  for (std::size_t i = 1; i < scene.bodies.size(); ++i) {
    const BodyState a = ours.state(ours.find_body(scene.bodies[i].name)),
                    b = theirs.state(theirs.find_body(scene.bodies[i].name));
    EXPECT_LT((a.velocity - b.velocity).norm() + (a.angular_velocity - b.angular_velocity).norm(), 1e-5)
        << scene.bodies[i].name;
  }
}

// 1000 steps, of 0.5 ms: until the first bricks meet the ground, rounding has grown to 1e-11 m.
TEST(GaussCollapse, StaysMirrorSymmetricAndMakesNoEnergy) {
  TowerOptions o;
  SceneDescription scene = tower_scene(diamond_rows(5, o), o);
  scene.step = 5e-4;
  Simulation sim(scene);
  double made = 0;
  for (int k = 0; k < 1000; ++k) {
    const StepReport& r = sim.step();
    ASSERT_EQ(r.status, StepStatus::kOk) << k << ": " << r.reason;
    made = std::max(made, r.energy_made());
  }
  EXPECT_LT(made, 1e-6);
  EXPECT_GT(std::abs(sim.state(sim.find_body("brick_5_1")).placement.angle), 0.1) << "it does not fall";
  for (int row = 1; row <= 9; ++row) {
    const int n = row <= 5 ? row : 10 - row;
    for (int k = 1; k <= n; ++k) {
      const BodyState a = sim.state(sim.find_body(fmt::format("brick_{}_{}", row, k)));
      const BodyState b = sim.state(sim.find_body(fmt::format("brick_{}_{}", row, n + 1 - k)));
      EXPECT_LT(std::abs(a.center_of_mass.x() + b.center_of_mass.x()), 1e-9);
      EXPECT_LT(std::abs(a.center_of_mass.y() - b.center_of_mass.y()), 1e-9);
      EXPECT_LT(std::abs(a.placement.angle + b.placement.angle), 1e-9);
    }
  }
}

// A snapshot in the middle of the collapse goes on with the same bits.
TEST(GaussCollapse, GoesOnFromASnapshot) {
  TowerOptions o;
  Simulation sim(tower_scene(diamond_rows(5, o), o));
  for (int k = 0; k < 50; ++k) sim.step();
  const auto snapshot = sim.snapshot();
  for (int k = 0; k < 20; ++k) sim.step();
  const std::uint64_t hash = sim.state_hash();
  sim.restore(snapshot);
  for (int k = 0; k < 20; ++k) sim.step();
  EXPECT_EQ(sim.state_hash(), hash);
}

}  // namespace
}  // namespace touchstone::testing

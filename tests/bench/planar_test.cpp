// The planar benchmark scenes, and the judge in the plane.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "judge/judge.h"
#include "scenes/describe.h"
#include "touchstone/simulation.h"

namespace touchstone::bench {
namespace {

Item rectangle(double half_x, double half_z, double x, double z, double angle = 0) {
  return {Form::kRectangle, {half_x, 1, half_z}, {{x, 0, z}, {std::cos(angle / 2), 0, -std::sin(angle / 2), 0}}, {}};
}
Item disk(double radius, double x, double z) {
  return {Form::kDisk, {radius, radius, radius}, {{x, 0, z}, {1, 0, 0, 0}}, {}};
}
double gap(const Item& a, const Item& b) {
  const double one = gap_between(posed(a, a.pose), posed(b, b.pose), 1e9);
  EXPECT_NEAR(one, gap_between(posed(b, b.pose), posed(a, a.pose), 1e9), 1e-15);
  return one;
}

TEST(PlanarJudge, KnowsGapsAndDepths) {
  constexpr double kQuarter = std::numbers::pi / 2;
  EXPECT_NEAR(gap(rectangle(1, 0.5, 0, 0), rectangle(1, 0.5, 2.25, 0)), 0.25, 1e-15);
  EXPECT_NEAR(gap(rectangle(1, 0.5, 0, 0), rectangle(1, 0.5, 1.75, 0)), -0.25, 1e-15);
  EXPECT_NEAR(gap(rectangle(1, 0.5, 0, 0), rectangle(1, 0.5, 1.75, 0, kQuarter)), 0.25, 1e-15);
  // A corner over a face, turned counter-clockwise from x to z.
  const double corner = std::hypot(0.5, 0.5);
  EXPECT_NEAR(gap(rectangle(5, 0.5, 0, -0.5), rectangle(0.5, 0.5, 0, 1, kQuarter / 2)), 1 - corner, 1e-15);
  EXPECT_NEAR(gap(rectangle(3, 1, 0, 0, std::numbers::pi / 6), disk(0.5, 3 * std::cos(std::numbers::pi / 6), 1.5)),
              -0.5, 1e-12);  // the disk's centre is on the end face
  EXPECT_NEAR(gap(rectangle(1, 1, 0, 0), disk(0.5, 1 + 3, 1 + 4)), 4.5, 1e-15);
  EXPECT_NEAR(gap(rectangle(1, 1, 0, 0), disk(0.5, 1.25, 0)), -0.25, 1e-15);
  EXPECT_NEAR(gap(disk(0.5, 0, 0), disk(1, 3, 4)), 3.5, 1e-15);
}

TEST(PlanarScenes, HaveTheirBodiesApart) {
  const std::vector<std::pair<std::string, std::size_t>> expected{
      {"collisions_1000", 1000},   {"collisions_10000", 10000}, {"collisions_30000", 30000},
      {"collisions_second", 1000}, {"pyramid2d", 820},          {"pile2d", 5000}};
  ASSERT_EQ(planar_scene_names().size(), expected.size());
  for (const auto& [name, bodies] : expected) {
    SCOPED_TRACE(name);
    const Scene scene = make_planar_scene(name);
    EXPECT_EQ(scene.bodies.size(), bodies);
    std::vector<Motion> start;
    for (const Item& body : scene.bodies) start.push_back({body.pose, body.velocity, {}});
    Judge judge(scene);
    EXPECT_LT(judge.depths(start).all, 1e-12);
    const Verdict verdict = judge.judge(start);
    EXPECT_EQ(verdict.lost, 0);
    EXPECT_NEAR(verdict.kinetic_energy, start_energy(scene), 1e-9 * start_energy(scene));
    EXPECT_EQ(scene.conserves, start_energy(scene) > 0);
  }
  EXPECT_THROW(make_planar_scene("pyramid"), std::invalid_argument);
}

TEST(PlanarScenes, CollisionsHaveTheDemosDensityAndMasses) {
  const Scene scene = make_planar_scene("collisions_1000");
  const double width = scene.room.high[0] - scene.room.low[0];
  EXPECT_NEAR(width * width / 1000, 194.0 * 194 / 10, 1e-9);
  EXPECT_NEAR(mass_of(scene.bodies[0], 1), std::numbers::pi * 49, 1e-12);
  EXPECT_NEAR(inertia_of(scene.bodies[0], 1), std::numbers::pi * 49 * 49 / 2, 1e-9);
  EXPECT_NEAR(mass_of(scene.bodies[1], 1), 7 * 14, 1e-12);
  EXPECT_NEAR(inertia_of(scene.bodies[1], 1), 7 * 14 * (7 * 7 + 14 * 14) / 12.0, 1e-9);
}

// The world that is made of a scene has its bodies where the scene has them.
TEST(PlanarScenes, AreDescribedInTwoDimensions) {
  const Scene scene = make_planar_scene("collisions_1000");
  Simulation sim(describe(scene));
  const BodyState s = sim.state(sim.find_body("body_1"));
  const Item& item = scene.bodies[1];
  EXPECT_EQ(s.placement.position.x(), item.pose.position[0]);
  EXPECT_EQ(s.placement.position.y(), item.pose.position[2]);
  EXPECT_NEAR(std::cos(s.placement.angle / 2), item.pose.orientation[0], 1e-15);
  EXPECT_NEAR(std::sin(s.placement.angle / 2), -item.pose.orientation[2], 1e-15);
  EXPECT_EQ(s.velocity.y(), item.velocity[2]);
}

double worst_of(Scene scene, int steps, Verdict& verdict) {
  SceneDescription description = describe(scene);
  description.model.name = "impulse";
  Simulation sim(description);
  Judge judge(scene);
  double deepest = 0;
  std::vector<Motion> motions(scene.bodies.size());
  for (int i = 0; i < steps; ++i) {
    sim.step();
    for (std::size_t k = 0; k < motions.size(); ++k) {
      const BodyState s = sim.state(sim.find_body("body_" + std::to_string(k)));
      motions[k].pose.position = {s.placement.position.x(), 0, s.placement.position.y()};
      motions[k].pose.orientation = {std::cos(s.placement.angle / 2), 0, -std::sin(s.placement.angle / 2), 0};
    }
    deepest = std::max(deepest, judge.depths(motions).made);
  }
  verdict = judge.judge(motions);
  return deepest;
}

// 820 bodies in one island, which are solved at once.
TEST(PlanarScenes, ThePyramidStands) {
  Verdict verdict;
  EXPECT_LT(worst_of(make_planar_scene("pyramid2d"), 60, verdict), 1e-8);
  EXPECT_LT(verdict.sag, 1e-8);
  EXPECT_LT(verdict.drift, 1e-8);
}

// 2080 bodies are too many for that: sweeps and position correction have to hold them.
TEST(PlanarScenes, ALargerPyramidDoesNotFallApart) {
  constexpr int kBase = 64;
  Scene scene = make_planar_scene("pyramid2d");
  scene.bodies.clear();
  for (int row = 0; row < kBase; ++row)
    for (int i = 0; i < kBase - row; ++i)
      scene.bodies.push_back(rectangle(0.5, 0.5, (i - 0.5 * (kBase - row - 1)) * 1.05, 0.5 + row));
  Verdict verdict;
  EXPECT_LT(worst_of(scene, 30, verdict), 0.1);
  EXPECT_LT(verdict.sag, 0.01);
}

}  // namespace
}  // namespace touchstone::bench

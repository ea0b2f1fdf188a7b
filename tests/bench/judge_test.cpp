// The judge finds overlaps that were made on purpose, to rounding, and agrees with Touchstone's own queries and with
// every pair tried.
#include "judge/judge.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "scenes/describe.h"
#include "touchstone/simulation.h"

namespace touchstone::bench {
namespace {

constexpr double kMillimetre = 1e-3;

Quaternion turned(double angle, const Vec3& axis) {
  const double n = std::sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]), s = std::sin(angle / 2) / n;
  return {std::cos(angle / 2), s * axis[0], s * axis[1], s * axis[2]};
}

Quaternion product(const Quaternion& a, const Quaternion& b) {
  return {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3], a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
          a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1], a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
}

Posed cube(const Vec3& position, const Quaternion& orientation = {1, 0, 0, 0}) {
  return posed({Form::kBox, {0.5, 0.5, 0.5}, {}}, {position, orientation});
}

Posed ball(const Vec3& position) { return posed({Form::kSphere, {0.5, 0.5, 0.5}, {}}, {position, {1, 0, 0, 0}}); }

TEST(BenchJudge, FaceToFace) {
  EXPECT_NEAR(gap_between(cube({0, 0, 0}), cube({0.3, 0.2, 1 - kMillimetre}), kTouching), -kMillimetre, 1e-15);
  EXPECT_NEAR(gap_between(cube({0, 0, 0}), cube({0.3, 0.2, 1 + 5e-5}), kTouching), 5e-5, 1e-15);
  // Turned about the normal, and nearly parallel: the edges' products are short and must not spoil the answer.
  EXPECT_NEAR(gap_between(cube({0, 0, 0}), cube({0, 0, 1 - kMillimetre}, turned(0.7, {0, 0, 1})), kTouching),
              -kMillimetre, 1e-15);
  for (const double angle : {1e-4, 1e-6, 1e-8, 1e-10}) {
    const double depth =
        gap_between(cube({0, 0, 0}), cube({0, 0, 1 - kMillimetre}, turned(angle, {1, 2, 0})), kTouching);
    EXPECT_NEAR(depth, -kMillimetre, angle + 1e-9) << angle;  // one corner is deeper by at most 0.7 · angle
    EXPECT_LE(depth, -kMillimetre + 1e-9);
  }
}

// One cube stands on an edge along x, the other lies on an edge along y: edge crosses edge.
TEST(BenchJudge, EdgeAcrossEdge) {
  const Quaternion about_x = turned(M_PI / 4, {1, 0, 0}), about_y = turned(M_PI / 4, {0, 1, 0});
  const double height = 2 * std::sqrt(0.5) - kMillimetre;
  EXPECT_NEAR(gap_between(cube({0, 0, 0}, about_x), cube({0.1, 0.05, height}, about_y), kTouching), -kMillimetre,
              1e-14);
  EXPECT_GT(gap_between(cube({0, 0, 0}, about_x), cube({0.1, 0.05, height + 3e-3}, about_y), kTouching), kTouching);
}

// A cube on its corner, its diagonal upright, over the middle of a face.
TEST(BenchJudge, CornerIntoFace) {
  const Quaternion diagonal_up = turned(std::acos(std::sqrt(1.0 / 3)), {1, -1, 0});
  for (const Quaternion& spin : {turned(0, {0, 0, 1}), turned(1.1, {0, 0, 1})}) {
    const Quaternion q = product(spin, diagonal_up);
    const double height = 0.5 + std::sqrt(3.0) / 2 - kMillimetre;
    EXPECT_NEAR(gap_between(cube({0, 0, 0}), cube({0.1, -0.2, height}, q), kTouching), -kMillimetre, 1e-14);
    EXPECT_NEAR(gap_between(cube({0.1, -0.2, height}, q), cube({0, 0, 0}), kTouching), -kMillimetre, 1e-14);
  }
}

TEST(BenchJudge, Spheres) {
  EXPECT_NEAR(gap_between(ball({0, 0, 0}), ball({0.6, 0, 0.8 - kMillimetre}), kTouching),
              std::hypot(0.6, 0.8 - kMillimetre) - 1, 1e-15);
  const Posed box = cube({0, 0, 0}, turned(M_PI / 2, {0, 0, 1}));
  EXPECT_NEAR(gap_between(ball({0.2, 0.3, 1 - kMillimetre}), box, kTouching), -kMillimetre, 1e-15);  // face
  const double edge = 0.5 + (0.5 - kMillimetre) * std::sqrt(0.5);
  EXPECT_NEAR(gap_between(box, ball({0.1, edge, edge}), kTouching), -kMillimetre, 1e-15);
  const double corner = 0.5 + (0.5 - kMillimetre) / std::sqrt(3.0);
  EXPECT_NEAR(gap_between(ball({corner, -corner, corner}), box, kTouching), -kMillimetre, 1e-15);
  EXPECT_NEAR(gap_between(ball({0, 0, 0.3}), box, kTouching), -0.7, 1e-15);  // the centre inside: out by the top
}

TEST(BenchJudge, SumsUpWhatTouches) {
  Scene scene = make_scene("stack");
  Judge judge(scene);
  std::vector<Motion> motions;
  for (const Item& body : scene.bodies) motions.push_back({body.pose, {}, {}});
  for (std::size_t i = 0; i < 20; ++i) motions[i].pose.position[2] -= kMillimetre * static_cast<double>(i);
  motions[19].pose.position[2] -= 4 * kMillimetre;  // the topmost is 5 mm deep, the lowest not at all
  motions[7].velocity = {3, 0, 4};
  motions[8].angular_velocity = {0, 6, 0};
  const Verdict v = judge.judge(motions);
  EXPECT_EQ(v.touching, 20);
  EXPECT_NEAR(v.penetration_max, 5e-3, 1e-12);
  EXPECT_NEAR(v.penetration_p99, 5e-3, 1e-12);  // of 20 pairs, 99 % are all of them
  EXPECT_NEAR(v.penetration_mean, (18 * 1e-3 + 5e-3) / 20, 1e-12);
  EXPECT_NEAR(v.kinetic_energy, 0.5 * 1000 * 25 + 0.5 * 1000.0 / 6 * 36, 1e-9);
  EXPECT_NEAR(v.sag, 23e-3, 1e-12);
  EXPECT_EQ(v.lost, 0);
  EXPECT_EQ(judge.depths(motions).all, v.penetration_max);
}

// An overlap of the description is not the engine's doing until the two have come apart once.
TEST(BenchJudge, TellsMadeOverlapsFromInheritedOnes) {
  Scene scene = make_scene("stack");
  scene.bodies.resize(3);
  scene.bodies[1].pose.position[2] -= 5 * kMillimetre;  // sunk into the lowest; the third is 5 mm above it
  Judge judge(scene);
  std::vector<Motion> motions;
  for (const Item& body : scene.bodies) motions.push_back({body.pose, {}, {}});
  motions[2].pose.position[2] -= 7 * kMillimetre;
  Judge::Depths depths = judge.depths(motions);
  EXPECT_NEAR(depths.all, 5 * kMillimetre, 1e-12);
  EXPECT_NEAR(depths.made, 2 * kMillimetre, 1e-12);
  motions[1].pose.position[2] += 6 * kMillimetre;
  depths = judge.depths(motions);  // apart from the lowest now, and 8 mm into the third
  EXPECT_NEAR(depths.made, 8 * kMillimetre, 1e-12);
  motions[1].pose.position[2] -= 6 * kMillimetre;
  depths = judge.depths(motions);
  EXPECT_NEAR(depths.made, 5 * kMillimetre, 1e-12);  // it came back
}

TEST(BenchJudge, CountsTheLostAndTheBroken) {
  const Scene scene = make_scene("towers");
  std::vector<Motion> motions;
  for (const Item& body : scene.bodies) motions.push_back({body.pose, {}, {}});
  motions[1].pose.position = {7.2, 0, 3};  // in a wall
  motions[2].pose.position = {0, 9, 3};    // outside the pit
  motions[3].pose.position = {0, 0, -50};  // below the ground
  motions[4].velocity[1] = std::numeric_limits<double>::quiet_NaN();
  motions[5].pose.position[0] = std::numeric_limits<double>::infinity();
  motions[6].pose.position = {1e300, 0, 3};
  const Verdict v = Judge(scene).judge(motions);
  EXPECT_EQ(v.lost, 4);
  EXPECT_EQ(v.broken, 2);
  EXPECT_TRUE(std::isfinite(v.kinetic_energy));
}

// The grid must miss no pair: here the lattice is pressed together until everything overlaps.
TEST(BenchJudge, GridFindsWhatTryingAllPairsFinds) {
  const Scene scene = make_scene("towers");
  std::vector<Motion> motions;
  std::vector<Posed> bodies;
  for (const Item& body : scene.bodies) {
    Motion m{body.pose, {}, {}};
    for (double& x : m.pose.position) x *= 0.88;
    m.pose.position[2] += 3.0;
    motions.push_back(m);
    bodies.push_back(posed(body, m.pose));
  }
  long touching = 0;
  double deepest = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const double gap = gap_between(bodies[j], bodies[i], kTouching);
      if (gap <= kTouching) ++touching, deepest = std::max(deepest, -gap);
    }
  const Verdict v = Judge(scene).judge(motions);
  EXPECT_GT(touching, 2700);
  EXPECT_EQ(v.touching, touching);
  EXPECT_NEAR(v.penetration_max, deepest, 1e-12);
}

// Another route to the same depths: Touchstone's own nearest points, for boxes turned at random and half sunk.
TEST(BenchJudge, AgreesWithTheQueriesOfTheLibrary) {
  Scene scene = make_scene("heap");
  scene.bodies.resize(2);
  const std::vector<Item> turned_boxes = make_scene("heap").bodies;
  int overlapping = 0;
  for (std::size_t i = 0; i + 1 < 200; i += 2) {
    scene.bodies = {turned_boxes[i], turned_boxes[i + 1]};
    scene.bodies[0].pose.position = {0, 0, 10};
    scene.bodies[1].pose.position = {0.6, 0.5, 10.6 + 0.002 * static_cast<double>(i)};
    const double gap = gap_between(posed(scene.bodies[0], scene.bodies[0].pose),
                                   posed(scene.bodies[1], scene.bodies[1].pose), kTouching);
    const Simulation simulation(describe(scene));
    const auto points = simulation.closest_points(simulation.bodies()[0], simulation.bodies()[1]);
    ASSERT_TRUE(points.has_value());
    if (gap > 0) {
      EXPECT_GT(points->gap, 0);
      continue;
    }
    ++overlapping;
    EXPECT_NEAR(gap, points->gap, 1e-9) << i;
  }
  EXPECT_GT(overlapping, 20);
  EXPECT_LT(overlapping, 100);
}

}  // namespace
}  // namespace touchstone::bench

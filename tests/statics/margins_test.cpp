// Margins and ranges of forces with exact values (B67-B70), initial accelerations (B37, B42, B43, B45).
#include <gtest/gtest.h>

#include "statics/accelerations.h"
#include "statics/structures.h"
#include "study/statics/buildings.h"
#include "study/towers.h"

namespace touchstone::statics::testing {
namespace {

const BalanceSettings kExact{FrictionLaw::kCircle, {true, 2000, {}}};

Structure block(double mu) {  // B70: 0.4 wide, 1 high
  Maker m;
  const std::uint32_t ground = m.held("ground"), b = m.free("block", 1, {0, 0.5, 0});
  for (const double x : {-0.2, 0.2}) m.touch(ground, b, {x, 0, 0}, {0, 1, 0}, mu);
  return nondimensional(m.s).structure;
}

TEST(Margins, BlockTipsOrSlides) {
  for (const auto& [mu, limit] : {std::pair(0.5, Rational(2, 5)), std::pair(0.3, Rational(3, 10))}) {
    const Structure s = block(mu);
    Margins margins(s, exactly());
    const auto directions = margins.horizontal();
    ASSERT_EQ(directions.size(), 2u);
    for (const Eigen::Vector3d& d : directions)
      for (const Margin& m : {margins.push(d), margins.tilt(d)}) {
        ASSERT_TRUE(m.limit.is_exact);
        EXPECT_EQ(m.limit.exact, limit) << m.name;
        EXPECT_EQ(m.within, Verdict::kStands) << m.name;
        EXPECT_EQ(m.beyond, Verdict::kFalls) << m.name;
      }
    EXPECT_EQ(margins.least_friction().limit.value, 0);
  }
}

TEST(Margins, LeastFrictionOfAWedgeIsTheTangent) {
  const Scaled scaled = nondimensional(wedge(2, false));
  StableSettings settings = exactly();
  Margins margins(scaled.structure, settings);
  const Margin m = margins.least_friction();
  EXPECT_NEAR(m.limit.value, 0.75, 1e-10);
  EXPECT_EQ(m.within, Verdict::kMayStand);
  EXPECT_EQ(m.beyond, Verdict::kFalls);
}

// B68: each leg from 0 to W/2. With legs at (∓1, ∓1) the moments give −N₀ + N₁ + N₂ − N₃ = 0 and −N₀ − N₁ + N₂ + N₃ =
// 0: opposite legs are equal, N₀ = N₂ and N₁ = N₃, so that neighbours carry W/2 together, and opposite legs from 0 to
// W.
// What is left out of a large structure is said.
TEST(Margins, LargeStructuresSayThatMarginalWasNotSearched) {
  WallOptions wall;
  wall.dimension = 2, wall.friction = 0;
  wall.rows = wall.columns = 40;
  const auto said = [&] {
    const StableReport r = judge(wall_scene(wall), request(false));
    EXPECT_EQ(r.assessment.verdict, Verdict::kStands);
    return stable_text(r).find("not searched above 6000 contact points") != std::string::npos;
  };
  EXPECT_TRUE(said());
  wall.rows = wall.columns = 4;
  EXPECT_FALSE(said());
}

TEST(Ranges, TableOnFourLegs) {
  Maker m(3);
  const std::uint32_t ground = m.held("ground"), table = m.free("table", 8, {0, 0, 1});
  for (const auto& [x, y] : {std::pair(-1, -1), std::pair(1, -1), std::pair(1, 1), std::pair(-1, 1)})
    m.touch(ground, table, Eigen::Vector3d(x, y, 0), {0, 0, 1}, 0);
  const Judged j = judge_structure(m.s);
  EXPECT_EQ(j.assessment.verdict, Verdict::kStands);
  const Rational weight = rational_of(8 * kGravity / j.scaled.units.force);
  const auto ranges = force_ranges(j.equations, kExact, {{0}, {1}, {2}, {3}, {0, 1}, {1, 2}, {0, 2}, {0, 1, 2, 3}});
  for (std::size_t leg = 0; leg < 4; ++leg) {
    EXPECT_EQ(ranges[leg].least.exact, 0);
    EXPECT_EQ(ranges[leg].greatest.exact, Rational(weight / 2));
    EXPECT_TRUE(ranges[leg].least.is_exact && ranges[leg].greatest.is_exact);
  }
  for (const std::size_t pair : {4u, 5u}) {
    EXPECT_EQ(ranges[pair].least.exact, Rational(weight / 2));
    EXPECT_EQ(ranges[pair].greatest.exact, Rational(weight / 2));
  }
  EXPECT_EQ(ranges[6].least.exact, 0);
  EXPECT_EQ(ranges[6].greatest.exact, weight);
  EXPECT_EQ(ranges[7].least.exact, weight);
}

// B69.
TEST(Ranges, BeamOnThreeSupports) {
  Maker m;
  const std::uint32_t ground = m.held("ground"), beam = m.free("beam", 3, {0, 0, 0});
  for (const double x : {-2.0, 0.0, 2.0}) m.touch(ground, beam, {x, 0, 0}, {0, 1, 0}, 0);
  const Judged j = judge_structure(m.s);
  EXPECT_EQ(j.assessment.verdict, Verdict::kStands);
  const Rational weight = rational_of(3 * kGravity / j.scaled.units.force);
  const auto ranges = force_ranges(j.equations, kExact, {{0}, {1}, {2}});
  EXPECT_EQ(ranges[1].least.exact, 0);
  EXPECT_EQ(ranges[1].greatest.exact, weight);
  for (const std::size_t outer : {0u, 2u}) {
    EXPECT_EQ(ranges[outer].least.exact, 0);
    EXPECT_EQ(ranges[outer].greatest.exact, Rational(weight / 2));
  }
}

// B67: frictionless m·g/(2·sin β) a side, sin β = 3/5; with friction a range. The sum of all normal forces is the same
// for an answer and its mirror image, so that the extremes have symmetric answers; those of one side alone have not.
TEST(Ranges, WedgeInAGroove) {
  const Judged smooth = judge_structure(wedge(0, true)), rough = judge_structure(wedge(0.5, true));
  const Rational side = rational_of(kGravity / smooth.scaled.units.force) * Rational(5, 6);
  const auto one = force_ranges(smooth.equations, kExact, {{0, 2}, {1, 3}});
  for (const ForceRange& r : one) {
    EXPECT_EQ(r.least.exact, side);
    EXPECT_EQ(r.greatest.exact, side);
  }
  const auto wide = force_ranges(rough.equations, kExact, {{0, 1, 2, 3}});
  // 2·N·(sin β ± μ·cos β) = m·g with μ = ½: sin β + μ cos β = 1, sin β − μ cos β = 1/5.
  const Rational weight = rational_of(kGravity / rough.scaled.units.force);
  EXPECT_EQ(wide[0].least.exact, weight);
  EXPECT_EQ(wide[0].greatest.exact, Rational(weight * 5));
}

TEST(Ranges, SqueezedForcesHaveNoLimit) {
  const Judged j = judge_structure(wedge(2, false));
  const auto ranges = force_ranges(j.equations, kExact, {{0, 2}});
  EXPECT_TRUE(ranges[0].least.finite);
  EXPECT_FALSE(ranges[0].greatest.finite);
}

Eigen::VectorXd accelerations(const SceneDescription& scene) {
  const Scaled scaled = nondimensional(structure_of(scene, {}).structure);
  const InitialMotion motion = initial_motion(scaled.structure, {});
  EXPECT_TRUE(motion.converged);
  Eigen::VectorXd a = motion.acceleration;
  for (Eigen::Index k = 0; k < a.size(); ++k)
    a[k] *= k % 3 == 2 ? scaled.units.angular_acceleration() : scaled.units.acceleration();
  return a;
}

// B37: α = gs/(I + ms²), a_y = −αs.
TEST(Accelerations, BrickPastTheEdge) {
  const double inertia = (1 + 0.0625) / 12;
  for (const double s : {0.05, 0.1, 0.25}) {
    Bricks b(0, 0);
    b.add(s, 0);
    const Eigen::VectorXd a = accelerations(b.scene);
    const double spin = kGravity * s / (inertia + s * s);
    EXPECT_NEAR(a[2], -spin, 1e-8) << s;
    EXPECT_NEAR(a[1], -spin * s, 1e-8) << s;
  }
}

// B43.
TEST(Accelerations, TwoBricksAtAnEdge) {
  const auto check = [](double first, double second, double ay1, double ay2, double spin1, double spin2) {
    Bricks b(0, 0);
    b.add(first, 0), b.add(second, 1);
    const Eigen::VectorXd a = accelerations(b.scene);
    EXPECT_NEAR(a[1], ay1, 1e-6);
    EXPECT_NEAR(a[4], ay2, 1e-6);
    EXPECT_NEAR(a[2], spin1, 1e-6);
    EXPECT_NEAR(a[5], spin2, 1e-6);
  };
  check(0.2, 0.5, -3.052707, -7.244308, -15.263533, -14.488615);
  check(-0.1, 0.3, 0.708090, -2.124271, -7.080902, -7.080902);
}

// B42 with sides that touch: q/g = 0.214286; B45: 0.0364004.
TEST(Accelerations, TriangleAndDiamond) {
  TowerOptions o;
  const Eigen::VectorXd triangle = accelerations(tower_scene(triangle_rows(3, o), o));
  const double inertia = (1 + 0.0625) / 12 + 0.0625 / 4;
  const double q = kGravity / (3 + 16 * inertia);
  EXPECT_NEAR(q / kGravity, 0.214286, 1e-6);
  EXPECT_NEAR(triangle[3 * 3 + 1], -q, 1e-8);
  EXPECT_NEAR(triangle[4 * 3 + 1], q, 1e-8);
  EXPECT_NEAR(triangle[5 * 3 + 1], -q, 1e-8);
  const Eigen::VectorXd diamond = accelerations(tower_scene(diamond_rows(5, o), o));
  EXPECT_NEAR(diamond[(1 + 2 + 3 + 4) * 3 + 1], -7 * 6 * kGravity / (134 + 296 * inertia), 1e-7);
}

}  // namespace
}  // namespace touchstone::statics::testing

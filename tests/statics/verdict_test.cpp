// Verdicts of the catalogue: statics with and without friction (B25-B33, B37-B45, B65-B72).
#include <gtest/gtest.h>

#include <numbers>

#include "statics/structures.h"
#include "study/statics/buildings.h"
#include "study/towers.h"

namespace touchstone::statics::testing {
namespace {

bool balanced(const SceneDescription& scene) {
  const Detected found = structure_of(scene, {});
  const Scaled scaled = nondimensional(found.structure);
  BalanceSettings settings;
  return find_balance(equations_of(scaled.structure), settings).status == BalanceStatus::kBalanced;
}

// B37, B72: a brick whose centre is s beyond the edge.
TEST(Verdict, BrickOverAnEdgeStandsOrFallsByATrillionth) {
  for (const double s : {1e-12, 1e-4, 0.05}) {
    Bricks out(0, 0), in(0, 0);
    out.add(s, 0), in.add(-s, 0);
    EXPECT_EQ(verdict_of(out.scene), Verdict::kFalls) << s;
    EXPECT_EQ(verdict_of(in.scene), Verdict::kStands) << s;
  }
}

TEST(Verdict, BrickExactlyOverTheEdgeStandsWithMarginZero) {
  Bricks b(0, 0);
  b.add(0, 0);
  const StableReport r = judge(b.scene, request());
  EXPECT_EQ(r.assessment.verdict, Verdict::kStands);
  EXPECT_TRUE(r.assessment.exact);
  EXPECT_TRUE(r.assessment.marginal);
  EXPECT_TRUE(r.assessment.marginal_exact);
  Bricks inside(0, 0);
  inside.add(-1e-12, 0);
  EXPECT_FALSE(judge(inside.scene, request()).assessment.marginal);
}

SceneDescription harmonic(int n, double shift) {
  const TowerOptions o;
  return tower_scene(harmonic_rows(n, shift, o), o, true);
}

// B38. Every brick is exactly at its limit, so that only stacks whose positions are decimal numbers (3/4 for two
// bricks) have an exact verdict; of 25/24 for four, the digits that are cut off decide between two bricks.
TEST(Verdict, HarmonicStacksStandWithinTheirLimit) {
  for (const int n : {1, 2}) {
    EXPECT_EQ(verdict_of(harmonic(n, -1e-12)), Verdict::kStands) << n;
    EXPECT_EQ(verdict_of(harmonic(n, 1e-12)), Verdict::kFalls) << n;
  }
  for (const int n : {1, 2, 4, 10}) {
    EXPECT_TRUE(balanced(harmonic(n, -1e-3))) << n;
    EXPECT_FALSE(balanced(harmonic(n, 1e-3))) << n;
  }
}

// B39: bottom at 0, tops at ±½, edge at 0.
TEST(Verdict, BestTowerOfThree) {
  const auto at = [](double shift) {
    Bricks b(0, 0);
    b.add(shift, 0), b.add(shift - 0.5, 1), b.add(shift + 0.5, 1);
    return verdict_of(b.scene);
  };
  EXPECT_EQ(at(0), Verdict::kStands);
  EXPECT_EQ(at(1e-4), Verdict::kFalls);
  EXPECT_EQ(at(1e-12), Verdict::kFalls);
  EXPECT_EQ(at(-1e-4), Verdict::kStands);
}

// B40: the optimum is marginal and its positions are rounded: 1e-4 to the safe side, and to the other.
TEST(Verdict, BestTowerOfFour) {
  const auto at = [](double safe) {
    Bricks b(0, -0.021187 + safe);
    b.add(0, 0), b.add(0.646706 - safe, 1), b.add(-0.675111 + safe, 1), b.add(-0.056344, 2);
    return verdict_of(b.scene);
  };
  EXPECT_EQ(at(1e-4), Verdict::kStands);
  EXPECT_EQ(at(-1e-4), Verdict::kFalls);
}

// B41, B44.
TEST(Verdict, TrianglesAndDiamonds) {
  TowerOptions o;
  for (int m = 2; m <= 4; ++m)
    EXPECT_EQ(verdict_of(tower_scene(triangle_rows(m, o), o)), m == 2 ? Verdict::kStands : Verdict::kFalls) << m;
  for (int m = 2; m <= 6; ++m)
    EXPECT_EQ(verdict_of(tower_scene(diamond_rows(m, o), o)), m <= 4 ? Verdict::kStands : Verdict::kFalls) << m;
}

// B25: without friction at the wall 51.3402°, with 0.3 there 47.7263°.
TEST(Verdict, LadderOnAFloor) {
  const auto at = [](double degrees, double wall) {
    const double angle = degrees * std::numbers::pi / 180;
    Maker m;
    const Eigen::Vector3d top(std::cos(angle), std::sin(angle), 0);
    const std::uint32_t floor = m.held("floor"), side = m.held("wall"), ladder = m.free("ladder", 1, 0.5 * top);
    m.touch(floor, ladder, {0, 0, 0}, {0, 1, 0}, 0.4);
    m.touch(side, ladder, top, {-1, 0, 0}, wall);
    return verdict_of(m.s);
  };
  EXPECT_EQ(at(51.3403, 0), Verdict::kStands);
  EXPECT_EQ(at(51.3401, 0), Verdict::kFalls);
  EXPECT_NE(at(47.7264, 0.3), Verdict::kFalls);
  EXPECT_EQ(at(47.7262, 0.3), Verdict::kFalls);
}

// B28: two cylinders side by side and one on top.
TEST(Verdict, ThreeCylinders) {
  const auto at = [](double between, double floor) {
    SceneDescription scene;
    scene.dimension = 2, scene.gravity = {0, -kGravity, 0};
    for (const char* name : {"ground", "cylinder"}) {
      MaterialDescription m;
      m.name = name;
      scene.materials.push_back(m);
    }
    scene.material_pairs = {{"ground", "cylinder", floor, floor, 0}, {"cylinder", "cylinder", between, between, 0}};
    BodyDescription ground;
    ground.name = "ground", ground.kind = BodyKind::kStatic, ground.material = "ground";
    ground.shapes = {ShapeDescription::half_space({0, 1, 0})};
    scene.bodies = {ground};
    for (const Eigen::Vector3d& p :
         {Eigen::Vector3d(-1, 1, 0), Eigen::Vector3d(1, 1, 0), Eigen::Vector3d(0, 1 + std::sqrt(3), 0)}) {
      BodyDescription b;
      b.material = "cylinder", b.shapes = {ShapeDescription::sphere(1)}, b.placement.position = p;
      scene.bodies.push_back(b);
    }
    return balanced(scene);
  };
  EXPECT_TRUE(at(0.267949 + 1e-4, 0.089316 + 1e-4));
  EXPECT_FALSE(at(0.267949 - 1e-4, 1));
  EXPECT_FALSE(at(1, 0.089316 - 1e-4));
}

// B29: circular cones, straddled within the band of the finest pyramid.
TEST(Verdict, FourSpheres) {
  const auto at = [](double between, double floor) {
    Maker m(3);
    const std::uint32_t ground = m.held("ground");
    std::vector<std::uint32_t> base;
    std::vector<Eigen::Vector3d> centers;
    for (int k = 0; k < 3; ++k) {
      const double angle = 2 * std::numbers::pi * k / 3;
      centers.emplace_back(2 / std::sqrt(3) * std::cos(angle), 2 / std::sqrt(3) * std::sin(angle), 1);
      base.push_back(m.free("base", 1, centers.back()));
      m.touch(ground, base.back(), centers.back() - Eigen::Vector3d::UnitZ(), Eigen::Vector3d::UnitZ(), floor);
    }
    const Eigen::Vector3d top(0, 0, 1 + 2 * std::sqrt(2.0 / 3));
    const std::uint32_t ball = m.free("top", 1, top);
    for (std::size_t k = 0; k < 3; ++k)
      m.touch(base[k], ball, 0.5 * (top + centers[k]), (top - centers[k]).normalized(), between);
    const Scaled scaled = nondimensional(m.s);
    return find_balance(equations_of(scaled.structure), {}).status;
  };
  EXPECT_EQ(at(0.317837 + 1e-3, 0.079459 + 1e-3), BalanceStatus::kBalanced);
  EXPECT_EQ(at(0.317837 - 1e-3, 1), BalanceStatus::kImpossible);
  EXPECT_EQ(at(1, 0.079459 - 1e-3), BalanceStatus::kImpossible);
}

// B32, B33: annular and straight-sided voussoirs.
TEST(Verdict, ArchesNeedThicknessAndFriction) {
  struct Case {
    int n;
    double annular, straight, mu20, mu15;
  };
  for (const Case& c : {Case{7, 0.09625, 0.09571, 0.29816, 0.33404}, Case{11, 0.10491, 0.10459, 0.30703, 0.34540},
                        Case{25, 0.10703, 0.10696, 0.30769, 0.34948}}) {
    ArchOptions o;
    o.voussoirs = c.n;
    const auto at = [&](double thickness, double mu, bool annular) {
      o.thickness = thickness, o.friction = mu, o.annular = annular;
      return balanced(arch_scene(o));
    };
    EXPECT_TRUE(at(c.annular + 2e-5, 1000, true)) << c.n;
    EXPECT_FALSE(at(c.annular - 2e-5, 1000, true)) << c.n;
    EXPECT_TRUE(at(c.straight + 2e-5, 1000, false)) << c.n;
    EXPECT_FALSE(at(c.straight - 2e-5, 1000, false)) << c.n;
    EXPECT_TRUE(at(0.2, c.mu20 + 2e-5, true)) << c.n;
    EXPECT_FALSE(at(0.2, c.mu20 - 2e-5, true)) << c.n;
    EXPECT_TRUE(at(0.15, c.mu15 + 2e-5, true)) << c.n;
    EXPECT_FALSE(at(0.15, c.mu15 - 2e-5, true)) << c.n;
  }
}

// B65 in the plane and in space.
TEST(Verdict, BlockBetweenWallsFallsOrMayStand) {
  for (const int dimension : {2, 3}) {
    const auto at = [&](double mu) {
      Maker m(dimension);
      const std::uint32_t left = m.held("left"), right = m.held("right"), block = m.free("block", 2, {0, 0, 0});
      for (const double h : {-0.4, 0.4})
        for (const double depth : {-0.5, 0.5}) {
          if (dimension == 2 && depth > 0) continue;
          const Eigen::Vector3d p = dimension == 2 ? Eigen::Vector3d(0.9, h, 0) : Eigen::Vector3d(0.9, depth, h);
          const Eigen::Vector3d q(-p.x(), p.y(), p.z());
          m.touch(left, block, q, {1, 0, 0}, mu), m.touch(right, block, p, {-1, 0, 0}, mu);
        }
      return judge_structure(m.s).assessment;
    };
    EXPECT_EQ(at(0).verdict, Verdict::kFalls);
    for (const double mu : {1e-12, 0.1, 0.84}) {
      const Assessment a = at(mu);
      EXPECT_EQ(a.verdict, Verdict::kMayStand) << mu;
      EXPECT_TRUE(a.exact) << mu;
    }
  }
}

// B66, B67: the tangent of the faces is 3/4.
TEST(Verdict, WedgeBelowFacesThatLeanOverIt) {
  for (const double mu : {0.0, 0.5, 0.75 - 1e-12, 0.75}) EXPECT_EQ(verdict_of(wedge(mu, false)), Verdict::kFalls) << mu;
  for (const double mu : {0.75 + 1e-12, 0.76, 2.0}) {
    const Judged j = judge_structure(wedge(mu, false));
    EXPECT_EQ(j.assessment.verdict, Verdict::kMayStand) << mu;
    EXPECT_TRUE(j.assessment.exact) << mu;
  }
}

TEST(Verdict, GrooveHoldsItsWedge) {
  for (const double mu : {0.0, 0.5, 0.75, 3.0}) {
    const Judged j = judge_structure(wedge(mu, true));
    EXPECT_EQ(j.assessment.verdict, Verdict::kStands) << mu;
    EXPECT_TRUE(j.assessment.exact) << mu;
  }
}

// B71: kinematics alone does not decide it: the loads would do work on sliding down.
TEST(Verdict, BlockBelowTheFrictionAngleStands) {
  for (const int dimension : {2, 3})
    for (const double mu : {0.3, 0.3 + 1e-12, 0.5, 0.3 - 1e-12}) {
      Maker m(dimension);
      const double height = 0.25;
      const Eigen::Vector3d up = Eigen::Vector3d::Unit(dimension - 1);
      const std::uint32_t ground = m.held("incline"), block = m.free("block", 1, height * up);
      for (const double x : {-0.5, 0.5})
        for (const double y : {-0.5, 0.5}) {
          if (dimension == 2 && y > 0) continue;
          m.touch(ground, block, dimension == 2 ? Eigen::Vector3d(x, 0, 0) : Eigen::Vector3d(x, y, 0), up, mu);
        }
      m.s.bodies[block].weight = -10 * up + 3 * Eigen::Vector3d::UnitX();  // a slope of 0.3
      StableSettings settings = exactly(20000);
      if (dimension == 3) settings.law = FrictionLaw::kPyramid;
      const Assessment a = judge_structure(m.s, settings).assessment;
      EXPECT_EQ(a.verdict, mu < 0.3 ? Verdict::kFalls : Verdict::kStands) << dimension << " " << mu;
      EXPECT_TRUE(a.exact) << dimension << " " << mu;
      if (mu >= 0.3) {
        EXPECT_EQ(a.reason, Reason::kModes);
      }
    }
}

TEST(Verdict, FloatingBrickFallsFreely) {
  Bricks b(0.5);
  b.add_at(0, 3, 1, 1);
  const StableReport r = judge(b.scene, request());
  EXPECT_EQ(r.assessment.verdict, Verdict::kFalls);
  ASSERT_EQ(r.detected.floating.size(), 1u);
  EXPECT_EQ(r.detected.floating[0], "brick_1");
  ASSERT_TRUE(r.motion);
  EXPECT_NEAR(r.motion->acceleration[1] * r.scaled.units.acceleration(), -kGravity, 1e-12);
}

TEST(Verdict, SizesFromNanometresToGigametres) {
  for (const double size : {1e-9, 1e-3, 1e3, 1e9}) {
    const auto at = [&](double s) {
      Bricks b(0, 0);
      b.add(s, 0), b.add(s + 0.25, 1);
      for (BodyDescription& body : b.scene.bodies) body.placement.position *= size, body.shapes[0].size *= size;
      return verdict_of(b.scene);
    };
    EXPECT_EQ(at(-0.13), Verdict::kStands) << size;
    EXPECT_EQ(at(-0.12), Verdict::kFalls) << size;
  }
}

}  // namespace
}  // namespace touchstone::statics::testing

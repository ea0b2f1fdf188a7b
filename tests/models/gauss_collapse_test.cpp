// The model `gauss` on towers: initial accelerations of the catalogue (B37-B45) by reduced coordinates, in 2D and 3D,
// and by points and bars; the collapse of 5 × 5 bricks.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numeric>

#include "models/gauss/framework_motion.h"
#include "study/towers.h"
#include "touchstone/simulation.h"

namespace touchstone {
namespace {

constexpr double kGravity = 9.81, kWidth = 1, kHeight = 0.25;

struct Rates {
  double down = 0, turn = 0;  // a_y [m/s²], α [rad/s²], counter-clockwise in the picture
};
using Collapse = std::vector<Rates>;  // of the bricks, in their order

enum class Route { kPositions2, kPositions3, kAccelerations2, kNinePoints, kCorners };
std::string name_of(Route r) {
  constexpr const char* kNames[] = {"Positions2D", "Positions3D", "Accelerations2D", "NinePoints", "Corners"};
  return kNames[static_cast<int>(r)];
}

SceneDescription scene_of(const TowerRows& rows, TowerOptions o, Route route, bool edge) {
  o.dimension = route == Route::kPositions3 ? 3 : 2;
  SceneDescription s = tower_scene(rows, o, edge);
  s.model.options["form"] = std::string(route == Route::kAccelerations2 ? "acceleration" : "position");
  return s;
}

// Of bodies that were at rest: their velocities after one step.
Collapse by_model(const SceneDescription& scene) {
  Simulation sim(scene);
  const StepReport& report = sim.step();
  EXPECT_EQ(report.status, StepStatus::kOk) << report.reason;
  EXPECT_LT(report.certificate, 1e-11);
  Collapse out;
  for (std::size_t i = 1; i < scene.bodies.size(); ++i) {
    const BodyState s = sim.state(sim.find_body(scene.bodies[i].name));
    const double h = sim.step_size();
    if (scene.dimension == 2)
      out.push_back({s.velocity.y() / h, s.angular_velocity.z() / h});
    else
      out.push_back({s.velocity.z() / h, -s.angular_velocity.y() / h});
  }
  return out;
}

Collapse by_points(const SceneDescription& scene, BrickPoints kind, bool sides) {
  const TowerFramework tower = tower_framework(scene, kind, true);
  MotionOptions options;
  options.form = MotionForm::kAccelerations;
  Framework<2> framework = tower.framework;
  FrameworkMotion motion(framework, options);
  QpAnswer answer;
  std::vector<Vec<2>> a = motion.accelerate(answer);
  if (!sides) {  // those between bricks of a row, whose edges stand upright, are left out
    std::vector<Sidedness<2>> kept(motion.sides().begin(), motion.sides().end());
    std::erase_if(
        kept, [&](const Sidedness<2>& s) { return std::abs(side_frame<2>(s, motion.positions()).normal.x()) > 1e-9; });
    FrameworkProgram<2> program;
    QuadraticSolver solver;
    answer = solver.solve(
        program.accelerations(framework, motion.positions(), motion.velocities(), {0, -kGravity}, kept), {});
    program.read(framework, solver.x(), a);
  }
  EXPECT_EQ(answer.status, QpStatus::kOptimal);
  Collapse out;
  for (std::size_t b = 1; b < scene.bodies.size(); ++b) {
    const Vec<2>* corner = &a[tower.first[b]];  // lower left, lower right, upper right, upper left
    out.push_back({0.25 * (corner[0] + corner[1] + corner[2] + corner[3]).y(), (corner[1] - corner[0]).y() / kWidth});
  }
  return out;
}

Collapse collapse(const TowerRows& rows, TowerOptions options, Route route, bool edge = false) {
  SceneDescription scene = scene_of(rows, options, route, edge);
  if (route == Route::kNinePoints) return by_points(scene, BrickPoints::kNine, options.sides);
  if (route == Route::kCorners) return by_points(scene, BrickPoints::kCorners, options.sides);
  return by_model(scene);
}

class GaussCatalogue : public ::testing::TestWithParam<Route> {
 protected:
  // I/m of a brick.
  static double inertia() {
    const double sum = kWidth * kWidth + kHeight * kHeight;
    return GetParam() == Route::kCorners ? sum / 4 : sum / 12;
  }
  static void expect(double value, double reference, const std::string& what) {
    EXPECT_NEAR(value, reference, 1e-8 * std::max(1.0, std::abs(reference))) << what;
  }
};
INSTANTIATE_TEST_SUITE_P(Routes, GaussCatalogue,
                         ::testing::Values(Route::kPositions2, Route::kPositions3, Route::kAccelerations2,
                                           Route::kNinePoints, Route::kCorners),
                         [](const auto& i) { return name_of(i.param); });

TEST_P(GaussCatalogue, ABrickPastTheEdge) {  // B37
  for (const double s : {0.05, 0.1, 0.25}) {
    const Collapse c = collapse({{s}}, {}, GetParam(), true);
    const double turn = kGravity * s / (inertia() + s * s);
    expect(-c[0].turn, turn, fmt::format("α, s = {}", s));
    expect(c[0].down, -turn * s, fmt::format("a_y, s = {}", s));
  }
  if (GetParam() != Route::kCorners) {
    EXPECT_NEAR(-collapse({{0.05}}, {}, GetParam(), true)[0].turn, 5.387643, 5e-7);
  }
}

TEST_P(GaussCatalogue, HarmonicStacks) {  // B38
  const std::pair<int, double> printed[] = {{1, 0.110794}, {2, 0.064949}, {3, 0.052809},
                                            {4, 0.047088}, {5, 0.043721}, {10, 0.036974}};
  for (const auto& [n, turn] : printed) {
    const Collapse still = collapse(harmonic_rows(n, -1e-3, {}), {}, GetParam(), true);
    const Collapse falls = collapse(harmonic_rows(n, 1e-3, {}), {}, GetParam(), true);
    for (int k = 0; k < n; ++k) {
      const auto i = static_cast<std::size_t>(k);
      EXPECT_LT(std::abs(still[i].down) + std::abs(still[i].turn), 1e-9) << n;
      expect(falls[i].turn, falls[0].turn, "as one");
    }
    if (GetParam() != Route::kCorners) {
      EXPECT_NEAR(-falls[0].turn, turn, 1e-6) << n;
    }
  }
}

TEST_P(GaussCatalogue, BestTowersOfThreeAndFour) {  // B39, B40
  const auto moves = [](const Collapse& c) {
    double most = 0;
    for (const Rates& r : c) most = std::max(most, std::abs(r.down) + std::abs(r.turn));
    return most > 1e-8;
  };
  // The edge is at 0: the tower is put so far to the left.
  const auto three = [&](double shift) { return TowerRows{{shift}, {shift - 0.5, shift + 0.5}}; };
  EXPECT_FALSE(moves(collapse(three(-1e-4), {}, GetParam(), true)));
  EXPECT_TRUE(moves(collapse(three(1e-4), {}, GetParam(), true)));
  // A, then C and B on A, then D on both; `in`: B and C towards A's centre, and the edge outward.
  const auto four = [&](double in) {
    const double edge = -0.021187 + in;
    return TowerRows{{-edge}, {-0.675111 + in - edge, 0.646706 - in - edge}, {-0.056344 - edge}};
  };
  EXPECT_FALSE(moves(collapse(four(1e-4), {}, GetParam(), true)));
  EXPECT_TRUE(moves(collapse(four(-1e-4), {}, GetParam(), true)));
}

TEST_P(GaussCatalogue, Triangles) {  // B41, B42
  TowerOptions apart;
  apart.sides = false;
  for (const Rates& r : collapse(triangle_rows(2, apart), apart, GetParam()))
    EXPECT_LT(std::abs(r.down) + std::abs(r.turn), 1e-9);
  const double q = kGravity / (3 + 16 * inertia() / (kWidth * kWidth));
  EXPECT_NEAR(q / kGravity, GetParam() == Route::kCorners ? 0.137931 : 0.226415, 1e-6);
  const Collapse c = collapse(triangle_rows(3, apart), apart, GetParam());
  const double down[] = {0, 0, 0, -q, q, -q}, turn[] = {0, 2 * q, -2 * q, 2 * q, 0, -2 * q};
  for (std::size_t i = 0; i < 6; ++i) expect(c[i].down, down[i], "a_y"), expect(c[i].turn, turn[i], "α");
  if (GetParam() == Route::kCorners) return;
  const Collapse touching = collapse(triangle_rows(3, {}), {}, GetParam());
  expect(touching[4].down, kGravity / (3 + 16 * (inertia() + kHeight * kHeight / 4)), "touching sides");
}

TEST_P(GaussCatalogue, TwoBricksAtTheEdge) {  // B43
  const auto check = [&](double lower, double upper, double a1, double a2, double t1, double t2) {
    const Collapse c = collapse({{lower}, {upper}}, {}, GetParam(), true);
    EXPECT_NEAR(c[0].down, a1, 1e-6);
    EXPECT_NEAR(c[1].down, a2, 1e-6);
    EXPECT_NEAR(c[0].turn, t1, 1e-6);
    EXPECT_NEAR(c[1].turn, t2, 1e-6);
  };
  if (GetParam() == Route::kCorners) return;
  check(0.2, 0.5, -3.052707, -7.244308, -15.263533, -14.488615);
  check(-0.1, 0.3, 0.708090, -2.124271, -7.080902, -7.080902);
}

TEST_P(GaussCatalogue, Diamonds) {  // B44, B45
  TowerOptions apart;
  apart.sides = false;
  for (int m = 1; m <= 4; ++m)
    for (const Rates& r : collapse(diamond_rows(m, apart), apart, GetParam()))
      EXPECT_LT(std::abs(r.down) + std::abs(r.turn), 1e-8) << m;
  const double q = 6 * kGravity / (134 + 296 * inertia() / (kWidth * kWidth));
  const Collapse c = collapse(diamond_rows(5, apart), apart, GetParam());
  // By row from the bottom, from the left: a_y/q and α/q of the outer brick, a_y/q of the inner ones.
  const double outer[] = {0, 0, -1, -3, -7, 1, 1, 1, 1}, turn[] = {0, 2, 4, 8, 8, 0, 0, 0, 0};
  std::size_t i = 0;
  for (std::size_t r = 0; r < 9; ++r) {
    const std::size_t n = r < 5 ? r + 1 : 9 - r;
    for (std::size_t k = 0; k < n; ++k, ++i) {
      const bool left = k == 0, right = k + 1 == n, end = left || right;
      expect(c[i].down, q * (end ? outer[r] : 1.0), fmt::format("a_y, row {}", r + 1));
      expect(c[i].turn, n == 1 ? 0.0 : q * (left ? turn[r] : right ? -turn[r] : 0.0), fmt::format("α, row {}", r + 1));
    }
  }
  const Collapse touching = collapse(diamond_rows(5, {}), {}, GetParam());
  EXPECT_NEAR(touching.back().down / kGravity, GetParam() == Route::kCorners ? 0.0276180 : 0.0364004, 1e-7);
}

}  // namespace
}  // namespace touchstone

// The paper's programs on points and bars: masses, bars, sidedness, Theorems 5.1 and 7.1, lengths.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <numbers>
#include <random>

#include "geometry/hull.h"
#include "models/gauss/critical_edge.h"
#include "models/gauss/framework_motion.h"

namespace touchstone {
namespace {

using Points = std::vector<Vec<2>>;

Framework<2> one_brick(BarForm form, bool independent, const Pose<2>& pose = {}) {
  Framework<2> f;
  const PointMasses<2> brick = nine_points({1, 0.25}, 2);
  const std::vector<Bar> usual = usual_bars(brick);
  f.add_body(brick, independent || form == BarForm::kPenalty ? independent_bars<2>(brick, usual) : usual, pose);
  return f;
}

// The velocities of points that turn with a body about a centre.
Points turning(std::span<const Vec<2>> p, const Vec<2>& centre, const Vec<2>& v, double w) {
  Points out;
  for (const Vec<2>& x : p) out.push_back(v + cross(AngVec<2>(w), Vec<2>(x - centre)));
  return out;
}

TEST(GaussMasses, NinePointsHaveAllSecondMomentsOfARectangle) {
  const double w = 1.3, h = 0.4, m = 2.5;
  const auto s = moments_of(nine_points({w, h}, m));
  EXPECT_NEAR(s.mass, m, 1e-15 * m);
  EXPECT_LT(s.first.norm(), 1e-16);
  EXPECT_NEAR(s.second(0, 0), m * w * w / 12, 1e-15);
  EXPECT_NEAR(s.second(1, 1), m * h * h / 12, 1e-15);
  EXPECT_NEAR(s.second(0, 1), 0, 1e-16);
}

TEST(GaussMasses, CornersHaveThreeTimesTheMomentsOfTheBrick) {
  const Polytope<2> box = make_polytope(Points{{-0.5, -0.1}, {0.5, -0.1}, {0.5, 0.1}, {-0.5, 0.1}});
  const auto corners = moments_of(corner_masses(box, 1.0)), solid = moments_of(nine_points({1, 0.2}, 1));
  EXPECT_LT((corners.second - 3 * solid.second).norm(), 1e-15);
}

// Against integrals over triangles by a rule of degree 3 and, in space, over tetrahedra by one of degree 3: another
// route.
TEST(GaussMasses, AnyPolygonIsLumpedExactly) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int trial = 0; trial < 20; ++trial) {
    Points outline;
    const int n = 3 + trial % 6;
    for (int k = 0; k < n; ++k) {
      const double a = 2 * std::numbers::pi * (k + 0.3 * uniform(random)) / n;
      outline.push_back(Vec<2>(3 * std::cos(a), std::sin(a)) + Vec<2>(0.5, -2));
    }
    const auto s = moments_of(lumped(make_polytope(outline), 1.7));
    // Green's theorem: integrals over the outline.
    double area = 0;
    Vec<2> first = Vec<2>::Zero();
    Mat<2> second = Mat<2>::Zero();
    for (int k = 0; k < n; ++k) {
      const Vec<2> a = outline[static_cast<std::size_t>(k)], b = outline[static_cast<std::size_t>((k + 1) % n)];
      const double c = a.x() * b.y() - a.y() * b.x();
      area += c / 2;
      first += c / 6 * (a + b);
      second += c / 24 * (2 * a * a.transpose() + 2 * b * b.transpose() + a * b.transpose() + b * a.transpose());
    }
    EXPECT_NEAR(s.mass, 1.7, 1e-14);
    EXPECT_LT((s.first - 1.7 / area * first).norm(), 1e-13);
    EXPECT_LT((s.second - 1.7 / area * second).norm(), 1e-13);
  }
}

TEST(GaussMasses, ABlockInSpaceIsLumpedExactly) {
  Polytope<3> block = unit_box<3>();
  for (Vec<3>& v : block.vertices) v = v.cwiseProduct(Vec<3>(0.5, 0.3, 0.1)) + Vec<3>(1, 2, 3);
  const auto s = moments_of(lumped(block, 2.0));
  const Vec<3> c(1, 2, 3);
  Mat<3> exact = 2 * c * c.transpose();
  exact.diagonal() += 2.0 / 3 * Vec<3>(0.25, 0.09, 0.01);
  EXPECT_NEAR(s.mass, 2, 1e-14);
  EXPECT_LT((s.second - exact).norm(), 1e-13);
}

TEST(GaussBars, TheBrickOfFigure10HasOneBarTooMany) {
  const PointMasses<2> brick = nine_points({1, 0.25}, 1);
  const auto usual = usual_bars(brick);
  EXPECT_EQ(usual.size(), 16u);
  EXPECT_EQ(independent_bars<2>(brick, usual).size(), 15u);
  const PointMasses<3> block = lumped(unit_box<3>(), 1.0);
  EXPECT_EQ(usual_bars(block).size(), 3 * block.points.size() - 6);
}

// Derivatives of the sidedness along p + v·t + ½a·t², by differences.
template <int D>
void expect_second_derivative() {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(-1, 1);
  Sidedness<D> s;
  std::vector<Vec<D>> p(D + 1), v(D + 1);
  for (std::size_t i = 0; i <= D; ++i) {
    s[i] = static_cast<std::uint32_t>(i);
    for (int k = 0; k < D; ++k) p[i][k] = uniform(random), v[i][k] = uniform(random);
  }
  const double h = 1e-4;
  const auto at = [&](double t) {
    std::vector<Vec<D>> q = p;
    for (std::size_t i = 0; i <= D; ++i) q[i] += t * v[i];
    return signed_volume<D>(s, q);
  };
  EXPECT_NEAR(second_order<D>(s, p, v), (at(h) - 2 * at(0) + at(-h)) / (h * h), 1e-6);
}
TEST(GaussSides, SecondOrderIsTheSecondDerivative) {
  expect_second_derivative<2>();
  expect_second_derivative<3>();
}

// A brick on the middle of which the corner of another one slides, both turning: one side, active by (S2⁺).
struct SlidingPair {
  Framework<2> framework;
  Points p, v;
  std::vector<Sidedness<2>> sides;
  SlidingPair() {
    const PointMasses<2> brick = nine_points({1, 0.25}, 1);
    const auto bars = independent_bars<2>(brick, usual_bars(brick));
    framework.add_body(brick, bars, {{0, 0}, 0.2});
    p = framework.start;
    // The lower left corner of the other brick on the upper edge of the first, at α = 0.3 from its right end.
    const Vec<2> foot = p[2] + 0.3 * (p[3] - p[2]);
    const Pose<2> other{foot - matrix_of(0.9) * brick.points[0], 0.9};
    framework.add_body(brick, bars, other);
    p = framework.start;
    sides = {{3, 2, 9}};  // p_j, p_i: the corner is outside
    const double w1 = 0.7, w2 = -1.1;
    v = turning(std::span(p).first(9), p[8], {0.1, 0.2}, w1);
    const Points second = turning(std::span(p).last(9), p[9], Vec<2>::Zero(), w2);
    // The corner goes with the edge, and slides along it the way that the edge turns against it.
    const SideFrame<2> frame = side_frame<2>(sides[0], p);
    const Vec<2> carried = frame.weight[0] * v[3] + frame.weight[1] * v[2] - 2.0 * (p[3] - p[2]);
    for (const Vec<2>& u : second) v.push_back(u + carried);
  }
};

TEST(GaussTheorem, PositionsAndAccelerationsAgreeToTheLastDigits) {  // Theorem 5.1
  const SlidingPair pair;
  const Vec<2> g(0, -9.81);
  for (const double dt : {0.1, 0.01, 0.001}) {
    FrameworkProgram<2> by_accelerations, by_positions;
    QuadraticSolver solver;
    Points a, x, last = pair.p;
    for (std::size_t i = 0; i < last.size(); ++i) last[i] -= dt * pair.v[i];
    ASSERT_EQ(solver.solve(by_accelerations.accelerations(pair.framework, pair.p, pair.v, g, pair.sides), {}).status,
              QpStatus::kOptimal);
    EXPECT_GT(solver.multipliers().tail<1>()[0], 1e-3) << "the side does not push";
    by_accelerations.read(pair.framework, solver.x(), a);
    const auto worst = [&](SideForm form) {
      const FrameworkProgram<2>::PositionStep step{dt, g, LengthForm::kLast, form, 1};
      EXPECT_EQ(solver.solve(by_positions.positions(pair.framework, pair.p, last, step, pair.sides), {}).status,
                QpStatus::kOptimal);
      by_positions.read(pair.framework, solver.x(), x);
      double most = 0;
      for (std::size_t i = 0; i < a.size(); ++i) {
        const Vec<2> one = pair.p[i] + dt * (pair.v[i] + dt * a[i]);
        const Vec<2> other = pair.p[i] + (pair.p[i] - last[i]) + x[i];
        most = std::max(most, (one - other).norm());
      }
      return most;
    };
    EXPECT_LT(worst(SideForm::kCorrected), 1e-14) << dt;
    EXPECT_GT(worst(SideForm::kPrinted), 1e-3 * dt) << "the printed (S') would do as well";
  }
}

// A brick falls flat on its corner's side onto another: after one step without gravity velocities are those of (Q*),
// with an error of first order in Δt.
TEST(GaussTheorem, CollisionsConvergeToTheProgramInVelocities) {  // Theorem 7.1
  SlidingPair pair;
  for (std::size_t i = 9; i < 18; ++i) pair.v[i] += Vec<2>(-0.3, -1.0);  // it comes in
  FrameworkProgram<2> program;
  QuadraticSolver solver;
  Points change, x;
  ASSERT_EQ(solver.solve(program.velocities(pair.framework, pair.p, pair.v, pair.sides), {}).status,
            QpStatus::kOptimal);
  program.read(pair.framework, solver.x(), change);
  double before = 0;
  for (const double dt : {0.1, 0.01, 0.001, 1e-4}) {
    Points last = pair.p;
    for (std::size_t i = 0; i < last.size(); ++i) last[i] -= dt * pair.v[i];
    const FrameworkProgram<2>::PositionStep step{dt, Vec<2>::Zero(), LengthForm::kLast, SideForm::kCorrected, 1};
    ASSERT_EQ(solver.solve(program.positions(pair.framework, pair.p, last, step, pair.sides), {}).status,
              QpStatus::kOptimal);
    program.read(pair.framework, solver.x(), x);
    double worst = 0;
    for (std::size_t i = 0; i < x.size(); ++i) worst = std::max(worst, (x[i] / dt - change[i]).norm());
    if (before > 0) {
      EXPECT_NEAR(before / worst, 10, 1.0) << dt;
    }
    before = worst;
  }
  EXPECT_LT(before, 1e-3);
}

// ω = 1, Δt = 0.01, 1000 steps: (L') loses 5 % of the length, (L'') keeps (ω·Δt)²/2 too much.
TEST(GaussLengths, OneFormShrinksAndTheOtherStays) {
  const double w = 1, dt = 0.01;
  for (const LengthForm form : {LengthForm::kLast, LengthForm::kStart}) {
    MotionOptions options;
    options.lengths = form;
    options.dt = dt;
    options.g.setZero();
    FrameworkMotion motion(one_brick(BarForm::kEquations, true), options);
    motion.set_velocities(turning(motion.positions(), Vec<2>::Zero(), Vec<2>::Zero(), w));
    double ratio = 0;
    for (int k = 0; k < 1000; ++k) ASSERT_EQ(motion.step().status, QpStatus::kOptimal) << k;
    ratio = (motion.positions()[1] - motion.positions()[0]).norm();
    if (form == LengthForm::kLast)
      EXPECT_NEAR(ratio, 0.9458, 5e-4);
    else
      EXPECT_NEAR(ratio, 1 + 0.5 * w * w * dt * dt, 1e-7);
  }
}

// All forms of bars move a free brick alike; a penalty leaves a stretch that is smaller the greater M is.
TEST(GaussBars, AllFormsMoveAFreeBrickAlike) {
  const auto middle = [](BarForm form, bool independent, double penalty) {
    MotionOptions options;
    options.bars = {form, penalty};
    options.dt = 1e-3;
    FrameworkMotion motion(one_brick(form, independent), options);
    motion.set_velocities(turning(motion.positions(), Vec<2>::Zero(), {1, 2}, 3));
    for (int k = 0; k < 100; ++k) EXPECT_TRUE(motion.step().good(1e-9)) << k;
    return Points(motion.positions().begin(), motion.positions().end());
  };
  const Points equations = middle(BarForm::kEquations, false, 0), independent = middle(BarForm::kEquations, true, 0);
  const Points penalty = middle(BarForm::kPenalty, false, 1e6);
  for (std::size_t i = 0; i < equations.size(); ++i) {
    EXPECT_LT((equations[i] - independent[i]).norm(), 1e-9) << i;
    EXPECT_LT((equations[i] - penalty[i]).norm(), 1e-4) << i;
  }
}

TEST(GaussSides, OnlyWhatIsOverAnEdgeIsHeldByIt) {
  Framework<2> f;
  const PointMasses<2> brick = nine_points({1, 0.25}, 1);
  const auto bars = usual_bars(brick);
  f.add_body(brick, bars, {{0, 0}, 0});
  f.add_body(brick, bars, {{0.7, 0.25}, 0});
  std::vector<Sidedness<2>> sides;
  critical_sides(f, f.start, 1e-6, sides);
  // The lower left corner of the upper brick, and the upper right one of the lower.
  ASSERT_EQ(sides.size(), 2u);
  EXPECT_EQ(sides[0], (Sidedness<2>{3, 2, 9}));
  EXPECT_EQ(sides[1][2], 2u);
}

// Two bricks that share a corner hang from a point that does not move: a double pendulum, against its own equations.
TEST(GaussPins, SharedPointsAreADoublePendulum) {
  Framework<2> f;
  f.start = {{0, 0}, {1, 0}, {2, 0}};
  f.mass = {0, 1, 1};
  f.bars = {{0, 1, 1.0}, {1, 2, 1.0}};
  MotionOptions options;
  options.form = MotionForm::kAccelerations;
  FrameworkMotion motion(f, options);
  QpAnswer answer;
  // Both bars level: the inner mass falls with g, and so does the outer one: it is not held.
  const Points a = motion.accelerate(answer);
  EXPECT_NEAR(a[1].y(), -9.81, 1e-12);
  EXPECT_NEAR(a[2].y(), -9.81, 1e-12);
  // Two bricks joined at a corner keep it.
  Framework<2> bricks;
  const PointMasses<2> brick = nine_points({1, 0.25}, 1);
  const auto bars = independent_bars<2>(brick, usual_bars(brick));
  bricks.add_body(brick, bars, {{0, 0}, 0});
  bricks.add_body(brick, bars, {{1, 0}, 0});
  bricks.join(1, 9);  // lower right and lower left
  EXPECT_EQ(bricks.points(), 17u);
  EXPECT_EQ(bricks.outlines[1][0], 1u);
  EXPECT_EQ(bricks.mass[1], 2.0 / 36);
}

}  // namespace
}  // namespace touchstone

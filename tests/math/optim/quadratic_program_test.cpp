// The quadratic solver against answers in fractions, found by other routes: enumeration of active sets, and exact
// linear programs that say whether a program is feasible and bounded.
#include "math/optim/quadratic_program.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>

#include "math/exact/exact_program.h"
#include "math/quadratic_programs.h"

namespace touchstone::testing {
namespace {

using Eigen::Index;
using Eigen::VectorXd;
constexpr double kInfinite = std::numeric_limits<double>::infinity();
using Fractions = std::vector<Rational>;
using Table = std::vector<Fractions>;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// K·z = b by elimination; nothing if K is singular.
std::optional<Fractions> eliminate(Table k) {
  const std::size_t n = k.size();
  for (std::size_t c = 0; c < n; ++c) {
    std::size_t pivot = c;
    while (pivot < n && k[pivot][c] == 0) ++pivot;
    if (pivot == n) return std::nullopt;
    std::swap(k[c], k[pivot]);
    for (std::size_t r = 0; r < n; ++r) {
      if (r == c || k[r][c] == 0) continue;
      const Rational factor = k[r][c] / k[c][c];
      for (std::size_t j = c; j <= n; ++j) k[r][j] -= factor * k[c][j];
    }
  }
  Fractions z(n);
  for (std::size_t c = 0; c < n; ++c) z[c] = k[c][n] / k[c][c];
  return z;
}

// The answer of a strictly convex program with the rows of `sides` at their bounds, if it is one: feasible, with
// multipliers of the right signs.
std::optional<Fractions> answer_of_set(const QuadraticProgram& p, const std::vector<int>& sides) {
  const Index n = p.variables(), m = p.rows();
  std::vector<Index> set;
  for (Index i = 0; i < m; ++i)
    if (sides[at(i)] != 0) set.push_back(i);
  const std::size_t size = at(n) + set.size();
  if (size > 2 * at(n)) return std::nullopt;
  const Eigen::MatrixXd q = p.q, a = p.a;
  Table k(size, Fractions(size + 1));
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) k[at(i)][at(j)] = exact(q(i, j));
    k[at(i)][size] = exact(-p.c[i]);
    for (std::size_t s = 0; s < set.size(); ++s)
      k[at(i)][at(n) + s] = exact(-a(set[s], i)), k[at(n) + s][at(i)] = exact(a(set[s], i));
  }
  for (std::size_t s = 0; s < set.size(); ++s)
    k[at(n) + s][size] = exact(sides[at(set[s])] < 0 ? p.lower[set[s]] : p.upper[set[s]]);
  const std::optional<Fractions> z = eliminate(k);
  if (!z) return std::nullopt;
  for (std::size_t s = 0; s < set.size(); ++s) {
    const Rational& y = (*z)[at(n) + s];
    if (p.lower[set[s]] != p.upper[set[s]] && (sides[at(set[s])] < 0 ? y < 0 : y > 0)) return std::nullopt;
  }
  for (Index i = 0; i < m; ++i) {
    Rational ax;
    for (Index j = 0; j < n; ++j) ax += exact(a(i, j)) * (*z)[at(j)];
    if (std::isfinite(p.lower[i]) && ax < exact(p.lower[i])) return std::nullopt;
    if (std::isfinite(p.upper[i]) && ax > exact(p.upper[i])) return std::nullopt;
  }
  return Fractions(z->begin(), z->begin() + n);
}

// By trying every set of rows at bounds. Of dependent rows a subset serves: nothing means infeasible.
std::optional<Fractions> enumerate(const QuadraticProgram& p) {
  std::vector<int> sides(at(p.rows()), -1);
  for (;;) {
    bool possible = true;
    for (Index i = 0; i < p.rows(); ++i)
      possible = possible && (sides[at(i)] == 0 || std::isfinite(sides[at(i)] < 0 ? p.lower[i] : p.upper[i]));
    if (possible)
      if (const std::optional<Fractions> x = answer_of_set(p, sides)) return x;
    std::size_t i = 0;
    while (i < sides.size() && sides[i] == 1) sides[i++] = -1;
    if (i == sides.size()) return std::nullopt;
    ++sides[i];
  }
}

LinearProgram linear_part(const QuadraticProgram& p) {
  LinearProgram out;
  out.c = VectorXd::Zero(p.variables());
  out.a = p.a, out.lower = p.lower, out.upper = p.upper;
  out.x_lower.setConstant(p.variables(), -kInfinite), out.x_upper.setConstant(p.variables(), kInfinite);
  return out;
}
bool is_feasible(const QuadraticProgram& p) {
  const ExactAnswer answer = solve_exactly(exact_program(linear_part(p)), {});
  EXPECT_TRUE(answer.status == ExactStatus::kOptimal || answer.status == ExactStatus::kInfeasible);
  return answer.status == ExactStatus::kOptimal;
}
// A direction with q·d = 0 in the recession cone along which c falls: the linear program of them is unbounded.
bool falls_for_ever(const QuadraticProgram& p) {
  LinearProgram cone = linear_part(p);
  cone.c = p.c;
  for (double& x : cone.lower) x = std::isfinite(x) ? 0.0 : -kInfinite;
  for (double& x : cone.upper) x = std::isfinite(x) ? 0.0 : kInfinite;
  Eigen::MatrixXd rows(p.rows() + p.variables(), p.variables());
  rows << Eigen::MatrixXd(p.a), Eigen::MatrixXd(p.q);
  cone.a = rows.sparseView();
  cone.lower.conservativeResize(rows.rows()), cone.upper.conservativeResize(rows.rows());
  cone.lower.tail(p.variables()).setZero(), cone.upper.tail(p.variables()).setZero();
  const ExactAnswer answer = solve_exactly(exact_program(cone), {});
  EXPECT_TRUE(answer.status == ExactStatus::kOptimal || answer.status == ExactStatus::kUnbounded);
  return answer.status == ExactStatus::kUnbounded;
}

void expect_contradiction(const QuadraticProgram& p, VectorXd y) {
  ASSERT_EQ(y.size(), p.rows());
  y /= y.cwiseAbs().maxCoeff();
  double value = 0;
  for (Index i = 0; i < p.rows(); ++i) {
    if (p.lower[i] > p.upper[i] && y[i] != 0) return;
    if (y[i] != 0) value += y[i] * (y[i] > 0 ? p.lower[i] : p.upper[i]);
  }
  EXPECT_GT(value, 1e-3);  // of integers
  EXPECT_LT((p.a.transpose() * y).cwiseAbs().maxCoeff(), 1e-11);
}
void expect_direction(const QuadraticProgram& p, VectorXd d) {
  ASSERT_EQ(d.size(), p.variables());
  d /= d.cwiseAbs().maxCoeff();
  EXPECT_LT(p.c.dot(d), -1e-4);
  EXPECT_LT((p.q * d).cwiseAbs().maxCoeff(), 1e-10);
  const VectorXd ad = p.a * d;
  for (Index i = 0; i < p.rows(); ++i) {
    EXPECT_GT(std::isfinite(p.lower[i]) ? ad[i] : 0.0, -1e-10);
    EXPECT_LT(std::isfinite(p.upper[i]) ? ad[i] : 0.0, 1e-10);
  }
}

TEST(QuadraticProgram, AgreesWithEnumerationInFractions) {
  std::mt19937 random(7);
  int optimal = 0, infeasible = 0;
  for (int k = 0; k < 1000; ++k) {
    const QuadraticProgram p = random_strict_program(random, 3, 5, k % 3 != 0);
    const std::optional<Fractions> truth = enumerate(p);
    QuadraticSolver solver;
    const QpAnswer answer = solver.solve(p, {});
    ASSERT_EQ(answer.status, truth ? QpStatus::kOptimal : QpStatus::kInfeasible) << k << text_of(answer.status);
    truth ? ++optimal : ++infeasible;
    for (Index j = 0; truth && j < p.variables(); ++j)
      EXPECT_NEAR(solver.x()[j], rounded((*truth)[at(j)]), 1e-12 * (1 + solver.x().cwiseAbs().maxCoeff())) << k;
    if (!truth) expect_contradiction(p, solver.ray());
  }
  EXPECT_GT(optimal, 500);
  EXPECT_GT(infeasible, 30);
}

TEST(QuadraticProgram, FindsOptimaContradictionsAndDirectionsWhateverTheRank) {
  std::mt19937 random(11);
  int seen[3] = {};
  for (int k = 0; k < 3000; ++k) {
    const QuadraticProgram p = random_program(random, 8, 14, k % 4 != 0);
    QuadraticSolver solver;
    const QpAnswer answer = solver.solve(p, {});
    const bool feasible = k % 4 != 0 || is_feasible(p), falls = feasible && falls_for_ever(p);
    const QpStatus truth = !feasible ? QpStatus::kInfeasible : falls ? QpStatus::kUnbounded : QpStatus::kOptimal;
    ASSERT_EQ(answer.status, truth) << k << ": " << text_of(answer.status);
    ++seen[!feasible ? 0 : falls ? 1 : 2];
    if (!feasible) expect_contradiction(p, solver.ray());
    if (falls) expect_direction(p, solver.ray());
    if (truth != QpStatus::kOptimal) continue;
    EXPECT_TRUE(answer.good(1e-12)) << k;
    EXPECT_LT(kkt_error(p, solver.x(), solver.multipliers()), 1e-11) << k;
  }
  for (const int count : seen) EXPECT_GT(count, 100);
}

// Three equations of which the last is the sum of the others but for 2⁻³⁰, in numbers that add up exactly.
TEST(QuadraticProgram, ProvesContradictionsThatAreSmallAgainstTheBounds) {
  Eigen::Matrix<double, 3, 2> a;
  a << 0.75, -0.3125, 0.5, 0.84375, 1.25, 0.53125;
  QuadraticProgram p;
  p.q.resize(2, 2), p.q.setIdentity(), p.c = Eigen::Vector2d(1, -2), p.a = Eigen::MatrixXd(a).sparseView();
  p.lower = p.upper = Eigen::Vector3d(3.5, -1.25, 2.25 + std::ldexp(1.0, -30));
  QuadraticSolver solver;
  ASSERT_EQ(solver.solve(p, {}).status, QpStatus::kInfeasible);
  const VectorXd y = solver.ray() / solver.ray().cwiseAbs().maxCoeff();
  EXPECT_LT((a.transpose() * y).cwiseAbs().maxCoeff(), 1e-15);
  EXPECT_NEAR(y.dot(p.lower), std::ldexp(1.0, -30), 1e-15);
  p.upper[2] = p.lower[2] = 2.25;
  EXPECT_EQ(solver.solve(p, {}).status, QpStatus::kOptimal);
}

TEST(QuadraticProgram, CertifiesWhatItAnswers) {
  const QuadraticProgram p = wall_program({});
  QuadraticSolver solver;
  const QpAnswer answer = solver.solve(p, {});
  ASSERT_EQ(answer.status, QpStatus::kOptimal);
  EXPECT_TRUE(answer.good(1e-14));
  EXPECT_LT(solver.x().cwiseAbs().maxCoeff(), 1e-12);  // a whole wall on a floor stands
  EXPECT_LT(kkt_error(p, solver.x(), solver.multipliers()), 1e-13);
  VectorXd lift = VectorXd::Zero(p.variables());  // of all bricks at once: only the floor's rows notice
  for (Index k = 0; k < 25; ++k) lift[3 * k + 1] = 1;
  EXPECT_NEAR(solver.multipliers().dot(p.a * lift), 25 * 2 * 9.81, 1e-11);
}

TEST(QuadraticProgram, WarmStartsNeedFewFactorisations) {
  // A wall that loses its support from the left, piece by piece, and whose weight changes a little at every step.
  QuadraticSolver solver;
  std::mt19937 random(3);
  std::int64_t warm = 0, cold = 0;
  int count = 0;
  for (const double support : {3.3, 3.7, 4.6}) {
    QuadraticProgram p = wall_program({5, 5, support});
    for (int step = 0; step < 50; ++step, ++count) {
      for (double& c : p.c) c += 1e-3 * (static_cast<double>(random()) / 4294967295.0 - 0.5);
      const QpAnswer now = solver.solve(p, {});
      QuadraticSolver fresh;
      const QpAnswer afresh = fresh.solve(p, {});
      ASSERT_EQ(now.status, QpStatus::kOptimal);
      ASSERT_EQ(afresh.status, QpStatus::kOptimal);
      EXPECT_LT((solver.x() - fresh.x()).cwiseAbs().maxCoeff(), 1e-11);
      if (step == 0) continue;
      warm += now.iterations, cold += afresh.iterations;
      EXPECT_TRUE(now.warm) << step;
    }
  }
  EXPECT_GT(cold, 5 * warm) << cold << " against " << warm;
}

TEST(QuadraticProgram, TakesAGuessOfTheActiveRows) {
  const QuadraticProgram p = wall_program({6, 4, 2.5});
  QuadraticSolver first, second;
  const QpAnswer cold = first.solve(p, {});
  ASSERT_EQ(cold.status, QpStatus::kOptimal);
  const QpAnswer warm = second.solve(p, {}, first.active());
  EXPECT_TRUE(warm.warm);
  EXPECT_LE(3 * warm.iterations, cold.iterations);  // without multipliers, which of redundant rows push is left to find
  EXPECT_LT((first.x() - second.x()).cwiseAbs().maxCoeff(), 1e-12);
  const std::vector<std::int8_t> wrong(static_cast<std::size_t>(p.rows()), 1);  // bounds that are not there
  const QpAnswer recovered = second.solve(p, {}, wrong);
  EXPECT_EQ(recovered.status, QpStatus::kOptimal);
  EXPECT_LT((first.x() - second.x()).cwiseAbs().maxCoeff(), 1e-11);
}

// A tower whose support ends at the same distance from both sides falls apart symmetrically.
TEST(QuadraticProgram, KeepsMirrorSymmetry) {
  Wall wall{5, 5, 2.7, 5.3};
  wall.bonded = false;
  QuadraticProgram p = wall_program(wall);
  QuadraticSolver solver;
  for (int step = 0; step < 20; ++step) {
    ASSERT_EQ(solver.solve(p, {}).status, QpStatus::kOptimal);
    const VectorXd& x = solver.x();
    EXPECT_GT(x.cwiseAbs().maxCoeff(), 1);
    for (int layer = 0; layer < 5; ++layer)
      for (int column = 0; column < 5; ++column) {
        const int k = 3 * (5 * layer + column), mirrored = 3 * (5 * layer + 4 - column);
        EXPECT_NEAR(x[k], -x[mirrored], 1e-13);
        EXPECT_NEAR(x[k + 1], x[mirrored + 1], 1e-13);
        EXPECT_NEAR(x[k + 2], -x[mirrored + 2], 1e-13);
      }
    p.c *= 1.01;
  }
}

TEST(QuadraticProgram, DoesNotDependOnUnits) {
  const QuadraticProgram p = wall_program({5, 5, 3.3});
  QuadraticSolver solver;
  ASSERT_EQ(solver.solve(p, {}).status, QpStatus::kOptimal);
  for (const double unit : {1e-9, 1e-3, 1e3, 1e9}) {
    Wall wall{5, 5, 3.3};
    wall.unit = unit;
    const QuadraticProgram scaled = wall_program(wall);
    QuadraticSolver other;
    const QpAnswer answer = other.solve(scaled, {});
    ASSERT_EQ(answer.status, QpStatus::kOptimal) << unit << text_of(answer.status);
    EXPECT_TRUE(answer.good(1e-12));
    for (Index j = 0; j < p.variables(); ++j)
      EXPECT_NEAR(other.x()[j] * (j % 3 == 2 ? unit : 1.0), solver.x()[j], 1e-11) << unit;
    // Forces, and times: c and the bounds by one factor.
    QuadraticProgram loaded = p;
    loaded.c *= unit;
    ASSERT_EQ(other.solve(loaded, {}).status, QpStatus::kOptimal);
    EXPECT_LT((other.x() / unit - solver.x()).cwiseAbs().maxCoeff(), 1e-11) << unit;
  }
}

TEST(QuadraticProgram, RepeatsItselfExactly) {
  const QuadraticProgram p = wall_program({7, 6, 4.1});
  QuadraticSolver one, two;
  one.solve(p, {}), two.solve(p, {});
  EXPECT_EQ(one.x(), two.x());
  EXPECT_EQ(one.multipliers(), two.multipliers());
}

TEST(QuadraticProgram, AnswersProgramsWithoutRowsOrVariables) {
  QuadraticSolver solver;
  QuadraticProgram p;
  p.q.resize(2, 2), p.q.coeffRef(0, 0) = 2, p.q.coeffRef(1, 1) = 1;
  p.c = Eigen::Vector2d(-2, 3), p.a.resize(0, 2);
  EXPECT_EQ(solver.solve(p, {}).status, QpStatus::kOptimal);
  EXPECT_LT((solver.x() - Eigen::Vector2d(1, -3)).norm(), 1e-14);
  p.q.setZero();
  EXPECT_EQ(solver.solve(p, {}).status, QpStatus::kUnbounded);
  EXPECT_LT(solver.ray().dot(p.c), 0);
  QuadraticProgram empty;
  EXPECT_EQ(solver.solve(empty, {}).status, QpStatus::kOptimal);
  EXPECT_EQ(solver.x().size(), 0);
  empty.a.resize(1, 0), empty.lower = VectorXd::Constant(1, 1), empty.upper = VectorXd::Constant(1, 2);
  EXPECT_EQ(solver.solve(empty, {}).status, QpStatus::kInfeasible);
}

TEST(QuadraticProgram, SaysThatNumbersAreNotFinite) {
  QuadraticSolver solver;
  const QuadraticProgram good = wall_program({2, 2});
  for (int what = 0; what < 5; ++what) {
    QuadraticProgram p = good;
    const double nan = std::numeric_limits<double>::quiet_NaN();
    if (what == 0) p.c[1] = nan;
    if (what == 1) p.q.coeffRef(0, 0) = kInfinite;
    if (what == 2) p.a.valuePtr()[3] = nan;
    if (what == 3) p.lower[0] = nan;
    if (what == 4) p.upper[0] = nan;
    EXPECT_EQ(solver.solve(p, {}).status, QpStatus::kNotFinite) << what;
    EXPECT_TRUE(solver.x().allFinite());
    EXPECT_EQ(solver.solve(good, {}).status, QpStatus::kOptimal);
  }
}

TEST(QuadraticProgram, RowsWhoseBoundsCrossAreTheirOwnProof) {
  QuadraticProgram p = wall_program({2, 2});
  p.lower[3] = 2, p.upper[3] = 1;
  QuadraticSolver solver;
  EXPECT_EQ(solver.solve(p, {}).status, QpStatus::kInfeasible);
  EXPECT_EQ(solver.ray()[3], 1);
  p = wall_program({2, 2});
  p.lower[2] = kInfinite;
  EXPECT_EQ(solver.solve(p, {}).status, QpStatus::kInfeasible);
  p = wall_program({2, 2});
  EXPECT_EQ(solver.solve(p, {}).status, QpStatus::kOptimal);
}

TEST(QuadraticProgram, StopsAtTheLimit) {
  const QuadraticProgram p = wall_program({5, 5, 3.3});
  QuadraticSolver solver;
  QpOptions options;
  options.max_iterations = 3;
  const QpAnswer answer = solver.solve(p, options);
  EXPECT_EQ(answer.status, QpStatus::kIterationLimit);
  EXPECT_TRUE(solver.x().allFinite());
  EXPECT_GT(answer.primal_residual + answer.dual_residual + answer.gap, 1e-12);
}

TEST(LongQuadraticProgram, AWallOfAThousandBricks) {
  const QuadraticProgram p = wall_program({32, 32, 19.2});
  QuadraticSolver solver;
  const QpAnswer answer = solver.solve(p, {});
  ASSERT_EQ(answer.status, QpStatus::kOptimal);
  EXPECT_TRUE(answer.good(1e-12));
  EXPECT_LT(kkt_error(p, solver.x(), solver.multipliers()), 1e-12);
}

}  // namespace
}  // namespace touchstone::testing

// Clp's answers through the bridge against the exact simplex method, and their rays.
#include "math/optim/linear_program.h"

#include <gtest/gtest.h>

#include <limits>

#include "math/optim/linear_programs.h"

namespace touchstone::testing {
namespace {

using Eigen::VectorXd;
constexpr double kInfinite = std::numeric_limits<double>::infinity();

ExactAnswer from_scratch(const LinearProgram& p) { return solve_exactly(exact_program(p), LpAnswer{}, {}); }

TEST(LinearProgram, AgreesWithTheExactSimplexMethod) {
  std::mt19937 random(5);
  int seen[3] = {};
  for (int k = 0; k < 1500; ++k) {
    LinearProgram p = random_linear_program(random, 8, 10, k % 3 != 0);
    const double unit = std::ldexp(1.0, static_cast<int>(random() % 61) - 30);  // 1e-9 to 1e9, and exact
    for (VectorXd* bounds : {&p.lower, &p.upper, &p.x_lower, &p.x_upper}) *bounds *= unit;
    LinearSolver solver;
    const LpAnswer answer = solver.solve(p, {});
    const ExactAnswer truth = from_scratch(p);
    if (truth.status == ExactStatus::kOptimal) {
      ASSERT_EQ(answer.status, LpStatus::kOptimal) << k << text_of(answer.status);
      EXPECT_NEAR(answer.objective, rounded(truth.objective), 1e-9 * p.c.cwiseAbs().dot(answer.x.cwiseAbs())) << k;
      EXPECT_LT(answer.primal_residual, 1e-12);
      EXPECT_LT(answer.dual_residual, 1e-12);
      EXPECT_EQ(solver.solve(p, {}).iterations, 0) << "the same program again";
      ++seen[0];
    } else if (truth.status == ExactStatus::kInfeasible) {
      ASSERT_EQ(answer.status, LpStatus::kInfeasible) << k << text_of(answer.status);
      EXPECT_GT(farkas_margin(p, answer.ray, 1e-9), 1e-4);
      ++seen[1];
    } else {
      ASSERT_EQ(answer.status, LpStatus::kUnbounded) << k << text_of(answer.status);
      EXPECT_LT(p.c.dot(answer.ray), 0);
      ++seen[2];
    }
  }
  for (const int count : seen) EXPECT_GT(count, 100);
}

TEST(LinearProgram, TheSameMatrixStartsWarm) {
  std::mt19937 random(9);
  const Eigen::Index n = 60, m = 40;
  LinearProgram p;
  Eigen::MatrixXd a(m, n);
  for (double& x : a.reshaped()) x = random() % 5 == 0 ? static_cast<double>(random() % 9) - 4 : 0.0;
  p.a = a.sparseView();
  p.c.setOnes(n), p.x_lower.setZero(n), p.x_upper.setConstant(n, 50);
  p.lower = a * VectorXd::Ones(n), p.upper.setConstant(m, kInfinite);
  LinearSolver solver;
  const std::int64_t cold = solver.solve(p, {}).iterations;
  std::int64_t warm = 0;
  for (int k = 0; k < 5; ++k) {
    p.lower[k] += 0.01;
    const LpAnswer answer = solver.solve(p, {});
    ASSERT_EQ(answer.status, LpStatus::kOptimal);
    EXPECT_NEAR(answer.objective, LinearSolver().solve(p, {}).objective, 1e-10 * answer.objective);
    warm += answer.iterations;
  }
  EXPECT_LT(warm, cold);
  EXPECT_GT(cold, 10);
}

TEST(LinearProgram, WithoutRowsOrColumns) {
  LinearProgram p;
  p.a.resize(0, 3);
  p.c = Eigen::Vector3d(1, -1, 0), p.x_lower = Eigen::Vector3d(-2, 0, -kInfinite),
  p.x_upper = Eigen::Vector3d(5, 7, kInfinite);
  LpAnswer answer = LinearSolver().solve(p, {});
  EXPECT_EQ(answer.status, LpStatus::kOptimal);
  EXPECT_EQ(answer.x, Eigen::Vector3d(-2, 7, 0));
  p.c[2] = 1;
  answer = LinearSolver().solve(p, {});
  EXPECT_EQ(answer.status, LpStatus::kUnbounded);
  EXPECT_EQ(answer.ray, Eigen::Vector3d(0, 0, -1));
  p = {};
  p.a.resize(2, 0), p.lower = Eigen::Vector2d(-1, 0), p.upper = Eigen::Vector2d(1, kInfinite);
  EXPECT_EQ(LinearSolver().solve(p, {}).status, LpStatus::kOptimal);
  p.lower[1] = 1;
  answer = LinearSolver().solve(p, {});
  EXPECT_EQ(answer.status, LpStatus::kInfeasible);
  EXPECT_GT(farkas_margin(p, answer.ray, 1e-9), 0.5);
}

TEST(LinearProgram, BadNumbersAndCrossingBounds) {
  std::mt19937 random(1);
  LinearProgram good = random_linear_program(random, 8, 10, true);
  while (good.rows() < 2 || good.a.nonZeros() < 2) good = random_linear_program(random, 8, 10, true);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (int what = 0; what < 6; ++what) {
    LinearProgram p = good;
    if (what == 0) p.c[0] = kInfinite;
    if (what == 1) p.a.valuePtr()[0] = nan;
    if (what == 2) p.lower[0] = nan;
    if (what == 3) p.upper[1] = nan;
    if (what == 4) p.x_lower[0] = nan;
    if (what == 5) p.x_upper[0] = nan;
    EXPECT_EQ(LinearSolver().solve(p, {}).status, LpStatus::kNotFinite) << what;
  }
  LinearProgram p = good;
  p.lower[1] = 3, p.upper[1] = 2;
  LpAnswer answer = LinearSolver().solve(p, {});
  EXPECT_EQ(answer.status, LpStatus::kInfeasible);
  EXPECT_GT(farkas_margin(p, answer.ray, 1e-9), 0);
  p = good;
  p.x_lower[0] = kInfinite;
  EXPECT_EQ(LinearSolver().solve(p, {}).status, LpStatus::kInfeasible);
}

}  // namespace
}  // namespace touchstone::testing

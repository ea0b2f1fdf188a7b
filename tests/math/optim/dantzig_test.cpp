// Dantzig's method against Lemke's, against linear algebra, and by the conditions themselves.
#include "math/optim/dantzig.h"

#include <gtest/gtest.h>

#include <limits>

#include "math/optim/lcp_files.h"
#include "math/optim/lemke.h"

namespace touchstone::testing {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
constexpr double kInf = std::numeric_limits<double>::infinity();

struct Box {
  MatrixXd a;
  VectorXd b;
  std::vector<double> lower, upper;
  std::vector<std::int32_t> leader{};
};
struct Result {
  DantzigAnswer answer;
  VectorXd x;
};
Result solve(const Box& p, DantzigOptions options = {}) {
  Dantzig dantzig;
  Result r{{}, VectorXd::Zero(p.b.size())};
  r.answer = dantzig.solve({p.a, p.b, p.lower, p.upper, p.leader}, options, r.x);
  return r;
}
// Worst violation of the conditions for given bounds, by x = clamp(x − w).
double violation(const Box& p, const VectorXd& x, const std::vector<double>& lower, const std::vector<double>& upper) {
  const VectorXd w = p.a * x + p.b;
  double worst = 0;
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    const std::size_t k = static_cast<std::size_t>(i);
    worst = std::max(worst, std::abs(x[i] - std::clamp(x[i] - w[i], lower[k], upper[k])));
  }
  return worst;
}
MatrixXd positive(std::mt19937& engine, int n, double least) {
  const MatrixXd b = random_matrix(engine, n, n);
  return b * b.transpose() + least * MatrixXd::Identity(n, n);
}

TEST(Dantzig, AgreesWithLemkeWhereThereIsOneBound) {
  std::mt19937 engine(1);
  for (int k = 0; k < 200; ++k) {
    const int n = 1 + k % 30;
    const std::size_t size = static_cast<std::size_t>(n);
    const Box p{positive(engine, n, 0.05), random_matrix(engine, n, 1), std::vector<double>(size, 0.0),
                std::vector<double>(size, kInf)};
    const Result r = solve(p, {.regularisation = 0});
    ASSERT_EQ(r.answer.status, LcpStatus::kSolved) << k << ": " << text_of(r.answer.status);
    Lemke lemke;
    VectorXd z(n);
    ASSERT_EQ(lemke.solve(p.a, p.b, {}, z).status, LcpStatus::kSolved);
    EXPECT_LT((r.x - z).norm(), 1e-9 * (1 + z.norm())) << k;
  }
}

// Boxes on either side of zero and around it, one-sided ones, fixed values, and none at all.
TEST(Dantzig, BoxesKeepTheirConditions) {
  std::mt19937 engine(2);
  std::uniform_real_distribution<double> real(-1, 1);
  int at_bounds = 0, between = 0;
  for (int k = 0; k < 300; ++k) {
    const int n = 1 + k % 25;
    Box p{positive(engine, n, 0.05), random_matrix(engine, n, 1), {}, {}};
    for (int i = 0; i < n; ++i) {
      double low = real(engine), high = real(engine);
      if (low > high) std::swap(low, high);
      if (i % 5 == 0) low = -kInf;
      if (i % 7 == 0) high = kInf;
      if (i % 11 == 3) low = high = 0.25;
      p.lower.push_back(low), p.upper.push_back(high);
    }
    const Result r = solve(p);
    ASSERT_EQ(r.answer.status, LcpStatus::kSolved) << k << ": " << text_of(r.answer.status);
    EXPECT_LT(violation(p, r.x, p.lower, p.upper), 1e-8) << k;
    for (int i = 0; i < n; ++i) {
      const std::size_t j = static_cast<std::size_t>(i);
      ++(r.x[i] == p.lower[j] || r.x[i] == p.upper[j] ? at_bounds : between);
    }
  }
  EXPECT_GT(at_bounds, 500);
  EXPECT_GT(between, 500);
}

TEST(Dantzig, WithoutBoundsItIsALinearSystem) {
  std::mt19937 engine(3);
  const Box p{positive(engine, 12, 0.1), random_matrix(engine, 12, 1), std::vector<double>(12, -kInf),
              std::vector<double>(12, kInf)};
  EXPECT_LT((solve(p, {.regularisation = 0}).x + p.a.llt().solve(p.b)).norm(), 1e-11);
}

// A mass on a plane: x_0 presses with 10, x_1 holds against 3 or 8 with at most half of that.
TEST(Dantzig, BoundsThatFollowALeader) {
  for (const double pull : {3.0, 8.0}) {
    const Box p{MatrixXd::Identity(2, 2), Eigen::Vector2d(-10, pull), {0, 0}, {kInf, 0.5}, {-1, 0}};
    const Result r = solve(p);
    EXPECT_EQ(r.answer.status, LcpStatus::kSolved);
    EXPECT_NEAR(r.x[0], 10, 1e-8);
    EXPECT_NEAR(r.x[1], pull == 3 ? -3 : -5, 1e-8);
    EXPECT_LT(r.answer.bound_error, 1e-8);
  }
}

// Leaders that change once their followers push: a single pass leaves old bounds and says by how much, more passes find
// bounds that fit.
TEST(Dantzig, PassesMakeBoundsFit) {
  std::mt19937 engine(4);
  int old_bounds = 0;
  for (int k = 0; k < 60; ++k) {
    const int pairs = 1 + k % 6, n = 2 * pairs;
    Box p{positive(engine, n, 1.0), random_matrix(engine, n, 1), {}, {}, {}};
    for (int i = 0; i < n; ++i) {
      p.lower.push_back(0), p.upper.push_back(i % 2 ? 0.4 : kInf);
      p.leader.push_back(i % 2 ? i - 1 : -1);
    }
    old_bounds += solve(p).answer.bound_error > 1e-6;
    const Result r = solve(p, {.passes = 200});
    ASSERT_EQ(r.answer.status, LcpStatus::kSolved);
    EXPECT_LT(r.answer.bound_error, 1e-8) << k << " after " << r.answer.passes;
    std::vector<double> lower = p.lower, upper = p.upper;
    for (int i = 1; i < n; i += 2) {
      const std::size_t j = static_cast<std::size_t>(i);
      upper[j] = 0.4 * r.x[i - 1], lower[j] = -upper[j];
    }
    EXPECT_LT(violation(p, r.x, lower, upper), 1e-7) << k;
  }
  EXPECT_GT(old_bounds, 10);
}

TEST(Dantzig, RowsThatRepeatAreSolved) {
  for (const int n : {2, 8, 40}) {
    const std::size_t size = static_cast<std::size_t>(n);
    const Box p{MatrixXd::Ones(n, n), -VectorXd::Ones(n), std::vector<double>(size, 0.0),
                std::vector<double>(size, kInf)};
    const Result r = solve(p);
    EXPECT_EQ(r.answer.status, LcpStatus::kSolved) << n << ": " << text_of(r.answer.status) << r.answer.residual;
    EXPECT_NEAR(r.x.sum(), 1, 1e-9);
    EXPECT_GE(r.x.minCoeff(), 0);
  }
}

TEST(Dantzig, WhatCannotBeSolvedIsNamed) {
  Box p{MatrixXd::Zero(1, 1), -VectorXd::Ones(1), {0}, {kInf}};
  EXPECT_EQ(solve(p).answer.status, LcpStatus::kRay);
  p.a = MatrixXd::Constant(2, 2, -1), p.b = -VectorXd::Ones(2), p.lower = {-kInf, 0}, p.upper = {kInf, kInf};
  EXPECT_NE(solve(p).answer.status, LcpStatus::kSolved);
  EXPECT_TRUE(solve(p).x.allFinite());
  p.b[0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(solve(p).answer.status, LcpStatus::kNotFinite);
  p.b[0] = 0, p.lower = {1, 0}, p.upper = {0, 1};
  EXPECT_EQ(solve(p).answer.status, LcpStatus::kNotFinite);
  std::mt19937 engine(5);
  const Box many{positive(engine, 20, 0.1), -VectorXd::Ones(20), std::vector<double>(20, 0.0),
                 std::vector<double>(20, kInf)};
  const Result cut = solve(many, {.max_pivots = 3});
  EXPECT_EQ(cut.answer.status, LcpStatus::kPivotLimit);
  EXPECT_GE(cut.x.minCoeff(), 0);
}

}  // namespace
}  // namespace touchstone::testing

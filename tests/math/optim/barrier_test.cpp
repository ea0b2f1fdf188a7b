// The barrier method on programs whose answers are known, or can be judged by the conditions of Karush, Kuhn and
// Tucker, which know nothing of barriers.
#include "math/optim/barrier.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <Eigen/QR>
#include <cmath>
#include <random>

#include "math/optim/cone_program.h"

namespace touchstone {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

BarrierResult solve(const ConeProgram& program, VectorXd& x, BarrierOptions options = {}) {
  ConeBarrier barrier(program);
  BarrierMinimiser minimiser;
  const BarrierResult out = minimiser.minimise(barrier, options, x);
  EXPECT_TRUE(out.status != BarrierStatus::kOptimal || barrier.inside(x));
  return out;
}
MatrixXd random_matrix(std::mt19937& engine, Eigen::Index rows, Eigen::Index columns) {
  std::normal_distribution<double> normal;
  MatrixXd out(rows, columns);
  for (Eigen::Index i = 0; i < out.size(); ++i) out.data()[i] = normal(engine);
  return out;
}

// The derivatives against differences of values, with every kind of constraint.
TEST(Barrier, DerivativesAreThoseOfTheValues) {
  std::mt19937 engine(3);
  ConeProgram p;
  p.reset(5);
  const MatrixXd root = random_matrix(engine, 5, 5);
  p.q = root * root.transpose();
  p.c = random_matrix(engine, 5, 1);
  p.bounds = {{3, -1, 2}, {4, 0}};
  p.cones = {{0, {1, 2}, 2, 0.7}};
  p.g = MatrixXd::Ones(1, 5) * -1;
  p.g0 = VectorXd::Constant(1, 9);
  p.ball = 2, p.radius = 3;
  const VectorXd x = (VectorXd(5) << 1, 0.2, -0.4, 0.5, 0.8).finished();
  ConeBarrier barrier(p);
  ASSERT_TRUE(barrier.inside(x));
  EXPECT_EQ(barrier.degree(), 1 + 2 + 3 + 2);
  VectorXd g, unused;
  MatrixXd h, other;
  barrier.derivatives(x, 0.3, g, h);
  for (int i = 0; i < 5; ++i) {
    const double step = 1e-5;
    barrier.begin_line(x, VectorXd::Unit(5, i));
    EXPECT_NEAR((barrier.along(step, 0.3) - barrier.along(-step, 0.3)) / (2 * step), g[i], 1e-6);
    VectorXd after, before;
    barrier.derivatives(x + step * VectorXd::Unit(5, i), 0.3, after, other);
    barrier.derivatives(x - step * VectorXd::Unit(5, i), 0.3, before, other);
    for (int j = i; j < 5; ++j) EXPECT_NEAR((after[j] - before[j]) / (2 * step), h(j, i), 1e-5) << i << j;
  }
  // Where a line leaves: just before it is inside, just behind it is not.
  for (int k = 0; k < 20; ++k) {
    const VectorXd d = random_matrix(engine, 5, 1);
    const double leaves = barrier.begin_line(x, d);
    ASSERT_LT(leaves, 1e3);
    EXPECT_TRUE(barrier.inside(x + (1 - 1e-9) * leaves * d));
    EXPECT_FALSE(barrier.inside(x + (1 + 1e-9) * leaves * d));
  }
}

// min ½|x − a|² in a cone is a projection, which has a formula.
TEST(Barrier, ProjectsOnACone) {
  std::mt19937 engine(1);
  for (int k = 0; k < 20; ++k) {
    const double mu = 0.2 + 0.05 * k;
    const VectorXd a = random_matrix(engine, 3, 1);
    const double tail = a.tail(2).norm();
    VectorXd expected = a;
    if (mu * tail <= -a[0])
      expected.setZero();
    else if (tail > mu * a[0]) {
      expected[0] = (a[0] + mu * tail) / (1 + mu * mu);
      expected.tail(2) = a.tail(2) / tail * mu * expected[0];
    }
    ConeProgram p;
    p.reset(3);
    p.q.setIdentity();
    p.c = -a;
    p.cones = {{0, {1, 2}, 2, mu}};
    VectorXd x = VectorXd::Unit(3, 0);
    const BarrierResult r = solve(p, x, {.gap = 1e-13});
    EXPECT_EQ(r.status, BarrierStatus::kOptimal) << reason_of(r.status);
    EXPECT_LT((x - expected).norm(), 1e-6) << k;
    EXPECT_LT(r.iterations, 100);
    EXPECT_LE(0.5 * (x - a).squaredNorm(), 0.5 * (expected - a).squaredNorm() + 1e-13);
  }
}

// x >= 0, u = q·x + c >= 0, x·u = 0; also where q has half its rank only.
TEST(Barrier, QuadraticProgramsAreComplementary) {
  std::mt19937 engine(2);
  for (const Eigen::Index rank : {20, 10}) {
    for (int k = 0; k < 10; ++k) {
      ConeProgram p;
      p.reset(20);
      const MatrixXd root = random_matrix(engine, 20, rank);
      p.q = root * root.transpose() / 20;
      p.c = -root * random_matrix(engine, rank, 1);  // in the range of q: bounded below
      for (Eigen::Index i = 0; i < 20; ++i) p.bounds.push_back({i, 0, 100});
      VectorXd x = VectorXd::Ones(20);
      const BarrierResult r = solve(p, x, {.gap = 1e-9});
      ASSERT_EQ(r.status, BarrierStatus::kOptimal) << reason_of(r.status);
      const VectorXd u = p.q * x + p.c;
      for (Eigen::Index i = 0; i < 20; ++i) {
        if (x[i] > 100 - 1e-3) continue;
        EXPECT_GT(u[i], -1e-8);
        EXPECT_LT(x[i] * u[i], 1e-8);
      }
      EXPECT_LE(r.gap, 1e-9 * (1 + 1e-9));
    }
  }
}

// Equalities by a basis, inequalities by multipliers that are found from the gradient alone.
TEST(Barrier, EqualitiesHoldAndMultipliersExist) {
  std::mt19937 engine(4);
  for (int k = 0; k < 10; ++k) {
    const Eigen::Index n = 8, m = 3;
    ConeProgram p;
    p.reset(n);
    const MatrixXd root = random_matrix(engine, n, n), a = random_matrix(engine, m, n);
    p.q = root * root.transpose() + MatrixXd::Identity(n, n);
    p.c = 5 * random_matrix(engine, n, 1);
    p.basis = a.fullPivLu().kernel();
    p.origin = random_matrix(engine, n, 1);
    p.g = random_matrix(engine, 4, n);
    p.g0 = VectorXd::Constant(4, 0.5) - p.g * p.origin;
    VectorXd y = VectorXd::Zero(n - m), x;
    ConeBarrier barrier(p);
    BarrierMinimiser minimiser;
    ASSERT_EQ(minimiser.minimise(barrier, {.gap = 1e-13}, y).status, BarrierStatus::kOptimal);
    barrier.full(y, x);
    EXPECT_LT((a * (x - p.origin)).norm(), 1e-12);
    const VectorXd slack = p.g * x + p.g0, gradient = p.q * x + p.c;
    MatrixXd pulls(n, m);
    pulls = a.transpose();
    std::vector<Eigen::Index> active;
    for (Eigen::Index i = 0; i < 4; ++i) {
      EXPECT_GT(slack[i], 0);
      if (slack[i] < 1e-6) active.push_back(i);
    }
    pulls.conservativeResize(n, m + static_cast<Eigen::Index>(active.size()));
    for (std::size_t i = 0; i < active.size(); ++i)
      pulls.col(m + static_cast<Eigen::Index>(i)) = p.g.row(active[i]).transpose();
    const VectorXd multipliers = pulls.colPivHouseholderQr().solve(gradient);
    EXPECT_LT((pulls * multipliers - gradient).norm(), 1e-5);
    for (std::size_t i = 0; i < active.size(); ++i) EXPECT_GT(multipliers[m + static_cast<Eigen::Index>(i)], -1e-5);
  }
}

// A slab a millionth thick leaves room along it.
TEST(Barrier, ThinSetsAreNoHindrance) {
  ConeProgram p;
  p.reset(2);
  p.q.setIdentity();
  p.c << -1, -3;
  p.g.resize(2, 2);
  p.g << 1, 1, -1, -1;
  p.g0.resize(2);
  p.g0 << -1, 1 + 1e-6;
  VectorXd x(2);
  x << 0.5, 0.5 + 5e-7;
  ASSERT_EQ(solve(p, x, {.gap = 1e-12}).status, BarrierStatus::kOptimal);
  EXPECT_NEAR(x[0], -0.5, 1e-6);
  EXPECT_NEAR(x[1], 1.5, 1e-6);
}

TEST(Barrier, WhatCannotBeSolvedIsSaid) {
  ConeProgram p;
  p.reset(2);
  p.q.setIdentity();
  p.bounds = {{0, 0}};
  VectorXd outside = VectorXd::Constant(2, -1.0);
  EXPECT_EQ(solve(p, outside).status, BarrierStatus::kNotInside);
  VectorXd nan = VectorXd::Constant(2, std::nan(""));
  EXPECT_EQ(solve(p, nan).status, BarrierStatus::kNotFinite);
  VectorXd x = VectorXd::Ones(2);
  EXPECT_EQ(solve(p, x, {.max_iterations = 3}).status, BarrierStatus::kIterationLimit);
  EXPECT_GT(x[0], 0);
  p.c << std::nan(""), 0;
  x.setOnes();
  EXPECT_EQ(solve(p, x).status, BarrierStatus::kNotFinite);
  p.q.setZero();
  p.c << -1, 0;
  x.setOnes();
  const BarrierStatus falls = solve(p, x).status;
  EXPECT_TRUE(falls == BarrierStatus::kUnbounded || falls == BarrierStatus::kIterationLimit ||
              falls == BarrierStatus::kNotFinite)
      << reason_of(falls);
}

}  // namespace
}  // namespace touchstone

// Warm quadratic solves allocate nothing.
#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "allocation/counter.h"
#include "math/optim/quadratic_program.h"

namespace touchstone::testing {
namespace {

// Blocks on top of each other, each contact there twice.
QuadraticProgram stack(int blocks) {
  QuadraticProgram p;
  std::vector<Eigen::Triplet<double>> mass, rows;
  for (int k = 0; k < blocks; ++k) {
    mass.emplace_back(k, k, 1.0 + k);
    for (const int row : {2 * k, 2 * k + 1}) {
      rows.emplace_back(row, k, 1.0);
      if (k > 0) rows.emplace_back(row, k - 1, -1.0);
    }
  }
  p.q.resize(blocks, blocks), p.a.resize(2 * blocks, blocks);
  p.q.setFromTriplets(mass.begin(), mass.end()), p.a.setFromTriplets(rows.begin(), rows.end());
  p.c = 9.81 * Eigen::VectorXd(p.q.diagonal());
  p.lower.setZero(2 * blocks), p.upper.setConstant(2 * blocks, std::numeric_limits<double>::infinity());
  return p;
}

TEST(QuadraticAllocation, AWarmSolveAllocatesNothing) {
  QuadraticProgram p = stack(30);
  QuadraticSolver solver;
  for (int k = 0; k < 3; ++k, p.c *= 1.01) ASSERT_EQ(solver.solve(p, {}).status, QpStatus::kOptimal);
  const CountAllocations allocations;
  for (int k = 0; k < 10; ++k, p.c *= 1.01) EXPECT_TRUE(solver.solve(p, {}).warm);
  EXPECT_EQ(allocations.count(), 0);
  EXPECT_EQ(allocations.blocks(), 0);
}

}  // namespace
}  // namespace touchstone::testing

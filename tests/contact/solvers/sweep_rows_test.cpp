// The two routes of a sweep: over bodies and over the blocks of W. They must say the same of the same problem, and the
// solver must find the same answer by either.
#include "contact/solvers/sweep_rows.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "contact/delassus.h"
#include "contact/solvers/nonsmooth_gauss_seidel.h"
#include "io/problem/outside_problem.h"

namespace touchstone {
namespace {

// A chain of contacts, each of which moves its neighbours, cut after every fifth: W is sparse, in several cliques and,
// with `skew`, not symmetric. Equalities follow.
LocalProblem chain(int contacts, int d, int equalities, double skew, unsigned seed) {
  std::mt19937 draw(seed);
  std::uniform_real_distribution<double> unit(-1, 1);
  LocalProblem out;
  out.dimension = d;
  const int n = contacts * d + equalities;
  std::vector<Eigen::Triplet<double, std::int64_t>> entries;
  const auto put = [&](int i, int k, double x) {
    entries.emplace_back(i, k, x);
    entries.emplace_back(k, i, x * (1 + skew));
  };
  for (int i = 0; i < n; ++i) {
    entries.emplace_back(i, i, 4.0 + unit(draw));
    for (int k = i + 1; k < std::min(n, i + 2 * d); ++k)
      if (i / d % 5 != 4 || k / d == i / d) put(i, k, 0.3 * unit(draw));
    out.q.push_back(unit(draw));
  }
  out.q[0] = -1;  // at least one presses
  out.w.resize(n, n);
  out.w.setFromTriplets(entries.begin(), entries.end());
  for (int i = 0; i < contacts; ++i) out.mu.push_back(0.2 + 0.1 * (i % 5));
  return out;
}

ProblemData problem_of(const LocalProblem& local) {
  ProblemNotes notes;
  return to_problem(local, "chain", notes);
}

struct Case {
  int contacts, d, equalities;
  double skew;
};
const Case kCases[] = {{1, 3, 0, 0}, {30, 3, 0, 0}, {30, 3, 4, 0}, {17, 2, 0, 0}, {17, 2, 3, 0}, {30, 3, 2, 1e-3}};

TEST(SweepRows, BothRoutesAreTheMatrixOfTheFile) {
  for (const Case& c : kCases) {
    const LocalProblem local = chain(c.contacts, c.d, c.equalities, c.skew, 5);
    const ProblemData data = problem_of(local);
    const ContactProblem p = data.view();
    SweepRows blocks, bodies;
    blocks.prepare(p, SweepRoute::kChosen);
    bodies.prepare(p, SweepRoute::kBodies);
    ASSERT_TRUE(blocks.by_blocks());
    ASSERT_FALSE(bodies.by_blocks());
    std::vector<double> r(p.rows(), 0.0), one, other, v_one, v_other;
    blocks.refresh(p, r, one), bodies.refresh(p, r, other);
    for (std::size_t k = 0; k < p.blocks.size(); k += 2) {  // some by single changes,
      Eigen::Vector3d change = Eigen::Vector3d::Zero();
      for (std::uint32_t i = 0; i < p.blocks[k].rows; ++i)
        r[p.blocks[k].first_row + i] = change[i] = std::sin(static_cast<double>(3 * k + i));
      blocks.change(k, change, one.data()), bodies.change(k, change, other.data());
    }
    const auto expect_equal = [&] {
      const Eigen::VectorXd u =
          local.w * Eigen::Map<const Eigen::VectorXd>(r.data(), static_cast<Eigen::Index>(r.size())) +
          Eigen::Map<const Eigen::VectorXd>(local.q.data(), static_cast<Eigen::Index>(r.size()));
      for (std::size_t k = 0; k < p.blocks.size(); ++k)
        for (std::uint32_t i = 0; i < p.blocks[k].rows; ++i) {
          EXPECT_NEAR(blocks.velocity(k, one.data())[i], u[p.blocks[k].first_row + i], 1e-12);
          EXPECT_NEAR(bodies.velocity(k, other.data())[i], u[p.blocks[k].first_row + i], 1e-12);
          for (std::uint32_t j = 0; j < p.blocks[k].rows; ++j)
            EXPECT_NEAR(blocks.own(k)(i, j), bodies.own(k)(i, j), 1e-12);
        }
    };
    expect_equal();
    for (double& x : r) x += 0.25;  // and all of them anew
    blocks.refresh(p, r, one), bodies.refresh(p, r, other);
    expect_equal();
    blocks.velocities(p, one, v_one), bodies.velocities(p, other, v_other);
    ASSERT_EQ(v_one.size(), v_other.size());
    for (std::size_t i = 0; i < v_one.size(); ++i) EXPECT_NEAR(v_one[i], v_other[i], 1e-12);
  }
}

TEST(SweepRows, TheSolverFindsTheSameAnswerByEither) {
  for (const Case& c : kCases) {
    const ProblemData data = problem_of(chain(c.contacts, c.d, c.equalities, c.skew, 11));
    const ContactProblem p = data.view();
    GaussSeidelOptions options;
    options.tolerance = 1e-14;
    ContactSolution one, other;
    NonsmoothGaussSeidel().solve(p, options, {}, one);
    options.route = SweepRoute::kBodies;
    NonsmoothGaussSeidel().solve(p, options, {}, other);
    EXPECT_EQ(one.status, SolveStatus::kConverged);
    EXPECT_EQ(other.status, SolveStatus::kConverged);
    double greatest = 0;
    for (std::size_t i = 0; i < p.rows(); ++i) {
      EXPECT_NEAR(one.impulses[i], other.impulses[i], 1e-12);
      greatest = std::max(greatest, std::abs(one.impulses[i]));
    }
    EXPECT_GT(greatest, 0.01);
    for (std::size_t i = 0; i < p.velocities(); ++i) EXPECT_NEAR(one.velocities[i], other.velocities[i], 1e-12);
  }
}

// A problem with bodies, or with a J that is anything else than 1 in the order of the rows, is not one of blocks.
TEST(SweepRows, OnlyProblemsThatAreWGoByBlocks) {
  const ProblemData good = problem_of(chain(4, 3, 0, 0, 3));
  SweepRows rows;
  rows.prepare(good.view(), SweepRoute::kChosen);
  EXPECT_TRUE(rows.by_blocks());
  const std::uint32_t size = good.cliques[good.blocks[0].clique_b].size;
  for (const auto& [at, value] : {std::pair{0u, 2.0}, std::pair{1u, 1e-300}, std::pair{size - 1, -1.0}}) {
    ProblemData other = good;
    other.jacobian[other.blocks[0].jacobian_b + at] = value;
    rows.prepare(other.view(), SweepRoute::kChosen);
    EXPECT_FALSE(rows.by_blocks()) << at;
  }
}

}  // namespace
}  // namespace touchstone

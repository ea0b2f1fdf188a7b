// The quadratic solver against Debian's Ipopt, where its package was found when this was built.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "math/quadratic_programs.h"
#ifdef TOUCHSTONE_IPOPT
#include "programs/ipopt_program.h"
#endif

namespace touchstone::testing {
namespace {

#ifdef TOUCHSTONE_IPOPT
// Ipopt moves bounds by ε = 1e-8 and stops at gaps of 1e-8, so that objectives f agree to ε·Σ|y|·|bound| and that. Of
// programs with xᵀqx >= λ·|x|² the points then are apart by λ/2·|Δx|² <= |Δf| + ε·Σ|y|·|bound| at most. Programs that
// it gives up say nothing: `agreed` counts the others.
void expect_agreement(const QuadraticProgram& p, double convexity, int& agreed) {
  const bench::IpoptAnswer peer = bench::solve_by_ipopt(bench::ipopt_program(p));
  if (!peer.optimal) return;
  QuadraticSolver solver;
  ASSERT_EQ(solver.solve(p, {}).status, QpStatus::kOptimal);
  const Eigen::Map<const Eigen::VectorXd> theirs(peer.x.data(), p.variables());
  const auto objective = [&](const Eigen::VectorXd& x) { return 0.5 * x.dot(p.q * x) + p.c.dot(x); };
  constexpr double kMoved = 2e-8;
  double slack = kMoved * (1 + std::abs(objective(solver.x())));
  for (Eigen::Index i = 0; i < p.rows(); ++i) {
    const double y = solver.multipliers()[i];
    if (y != 0) slack += kMoved * std::abs(y) * std::max(1.0, std::abs(y > 0 ? p.lower[i] : p.upper[i]));
  }
  EXPECT_GT(objective(theirs), objective(solver.x()) - slack);  // never better than ours
  if (objective(theirs) > objective(solver.x()) + slack) return;
  ++agreed;
  EXPECT_LT(0.5 * convexity * (solver.x() - theirs).squaredNorm(), 2 * slack);
}
#endif

TEST(QuadraticProgramPeers, AgreesWithIpopt) {
#ifdef TOUCHSTONE_IPOPT
  std::mt19937 random(41);
  int programs = 0, agreed = 0;
  for (int k = 0; k < 1000; ++k) {
    const QuadraticProgram p = random_strict_program(random, 8, 10, true);
    if (p.rows() > 0) ++programs, expect_agreement(p, 1, agreed);
  }
  EXPECT_GT(agreed, programs * 95 / 100) << programs;
  agreed = 0;
  for (const double support : {0.0, 3.3, 5.7}) expect_agreement(wall_program({5, 5, support}), 2.0 * 5 / 12, agreed);
  EXPECT_EQ(agreed, 3);
#else
  GTEST_SKIP() << "coinor-libipopt-dev was not there when this was built";
#endif
}

}  // namespace
}  // namespace touchstone::testing

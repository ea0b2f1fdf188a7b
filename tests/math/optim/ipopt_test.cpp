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
// Ipopt moves bounds by 1e-8 and stops there.
void expect_agreement(const QuadraticProgram& p, double tolerance) {
  const bench::IpoptAnswer peer = bench::solve_by_ipopt(bench::ipopt_program(p));
  ASSERT_TRUE(peer.optimal);
  QuadraticSolver solver;
  ASSERT_EQ(solver.solve(p, {}).status, QpStatus::kOptimal);
  const Eigen::Map<const Eigen::VectorXd> theirs(peer.x.data(), p.variables());
  const double size = 1 + solver.x().cwiseAbs().maxCoeff();
  EXPECT_LT((solver.x() - theirs).cwiseAbs().maxCoeff(), tolerance * size);
  const auto objective = [&](const Eigen::VectorXd& x) { return 0.5 * x.dot(p.q * x) + p.c.dot(x); };
  EXPECT_LT(objective(solver.x()), objective(theirs) + tolerance * (1 + std::abs(objective(theirs))));
}
#endif

TEST(QuadraticProgramPeers, AgreesWithIpopt) {
#ifdef TOUCHSTONE_IPOPT
  std::mt19937 random(41);
  for (int k = 0; k < 200; ++k) {
    const QuadraticProgram p = random_strict_program(random, 8, 10, true);
    if (p.rows() > 0) expect_agreement(p, 1e-4);
  }
  for (const double support : {0.0, 3.3, 5.7}) expect_agreement(wall_program({5, 5, support}), 1e-5);
#else
  GTEST_SKIP() << "coinor-libipopt-dev was not there when this was built";
#endif
}

}  // namespace
}  // namespace touchstone::testing

// Linkages under `lagrange`: through positions in which the rows of joints depend on each other, with their energy.
#include <gtest/gtest.h>

#include "physics/four_bars.h"

namespace touchstone::testing {
namespace {

SceneDescription linkage(int dimension, int n, double angle = std::numbers::pi / 2, double speed = 1) {
  SceneDescription s = four_bars(dimension, n, 1e-3, angle, speed);
  s.model.name = "lagrange";
  s.integrator = Integrator::kRk4;
  return s;
}

void expect_passes(int dimension, int n, double time) {
  Simulation sim(linkage(dimension, n));
  FourBarRun found;
  ASSERT_NO_THROW(found = run_four_bars(sim, dimension, n, time)) << n << " at t = " << sim.time();
  ASSERT_GE(found.turns, static_cast<int>(time / 2));
  check_relative(fmt::format("period_{}_in_{}d", n, dimension), found.period, four_bar_period(n), 1e-6);
  EXPECT_LT(found.energy, 1e-6) << n;
  EXPECT_LT(found.open, 1e-8) << n;
  std::printf("%dD N = %d: %d turns, period off by %.1e, energy %.1e, open %.1e m\n", dimension, n, found.turns,
              found.period / four_bar_period(n) - 1, found.energy, found.open);
}

TEST(LagrangeLinkages, B55OneLinkage) { expect_passes(2, 1, 10); }
TEST(LagrangeLinkages, B55TwoLinkages) { expect_passes(2, 2, 10); }
TEST(LagrangeLinkages, B55TenLinkages) { expect_passes(2, 10, 10); }
TEST(LagrangeLinkages, B55FortyLinkages) { expect_passes(2, 40, 4); }
TEST(LagrangeLinkages, B55InSpace) {
  expect_passes(3, 1, 10);
  expect_passes(3, 2, 4);
  expect_passes(3, 10, 4);
}
TEST(LongLagrangeLinkages, B55FortyLinkages) { expect_passes(2, 40, 10); }
TEST(LongLagrangeLinkages, B55FortyLinkagesInSpace) { expect_passes(3, 40, 10); }

}  // namespace
}  // namespace touchstone::testing

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
  ::testing::Test::RecordProperty(fmt::format("energy_{}_in_{}d", n, dimension), fmt::format("{:.1e}", found.energy));
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

// From the singular position itself: the velocities at the start choose the branch.
TEST(LagrangeLinkages, StartInOneLine) {
  for (const int n : {1, 2}) {
    Simulation sim(linkage(2, n, 0, 5));
    FourBarRun found;
    ASSERT_NO_THROW(found = run_four_bars(sim, 2, n, 3)) << n << " at t = " << sim.time();
    EXPECT_LT(found.energy, 1e-6) << n;
    EXPECT_LT(found.open, 1e-8) << n;
    // Rods stay parallel: the tops do not turn.
    for (int k = 0; k < n; ++k)
      EXPECT_LT(std::abs(sim.state(sim.find_body(fmt::format("top_{}", k))).placement.angle), 1e-8) << n;
  }
}

// Which step meets the singular position, and where in it, does not matter.
TEST(LagrangeLinkages, AnyStepPassesTheSingularPosition) {
  for (int k = 0; k < 40; ++k) {
    const double h = 1e-3 + 1e-6 * k;
    SceneDescription s = linkage(2, 1);
    s.step = h;
    Simulation sim(s);
    FourBarRun found;
    ASSERT_NO_THROW(found = run_four_bars(sim, 2, 1, 1.9)) << h << " at t = " << sim.time();
    EXPECT_LT(found.energy, 1e-8) << h;
    EXPECT_LT(found.open, 1e-8) << h;
  }
}

// A weld to the ground and one to a body that moves off: the step says so, and nothing is made that is not a number.
TEST(LagrangeLinkages, ContradictoryJointsAreReported) {
  for (const int dimension : {2, 3}) {
    SceneDescription s = empty_scene(dimension);
    s.model.name = "lagrange";
    s.integrator = Integrator::kRk4;
    BodyDescription bob = body("bob", sphere(0.1)), mover = body("mover", sphere(0.1), {1, 0, 0});
    set_inertia(bob, 1, 0.02);
    mover.kind = BodyKind::kKinematic;
    mover.motion = PrescribedMotion{};
    mover.motion->velocity = {1, 0, 0};
    s.bodies = {bob, mover};
    for (const char* a : {"", "mover"}) {
      JointDescription j;
      j.kind = JointKind::kFixed;
      j.body_a = a, j.body_b = "bob";
      j.point = Eigen::Vector3d::Zero();
      s.joints.push_back(j);
    }
    Simulation sim(s);
    std::string said;
    for (int k = 0; k < 50 && said.empty(); ++k) {
      const Eigen::Vector3d before = sim.state(sim.find_body("bob")).center_of_mass;
      try {
        if (sim.step().status != StepStatus::kOk) said = sim.report().reason;
      } catch (const Error& e) {
        said = e.what();
        EXPECT_EQ(sim.state(sim.find_body("bob")).center_of_mass, before);
      }
    }
    EXPECT_NE(said.find("joint"), std::string::npos) << said;
    EXPECT_TRUE(sim.state(sim.find_body("bob")).center_of_mass.allFinite());
  }
}

}  // namespace
}  // namespace touchstone::testing

// Projected Gauss-Seidel under both laws, and what the conjugate directions are worth.
#include "contact/solvers/projected_gauss_seidel.h"

#include <gtest/gtest.h>

#include <cmath>

#include "contact/problem_yardstick.h"
#include "contact/random_pile.h"

namespace touchstone::testing {
namespace {

using Law = ProjectedOptions::Law;

ContactSolution solve(const ContactProblem& p, ProjectedOptions options, std::span<const double> guess = {}) {
  ProjectedGaussSeidel solver;
  ContactSolution out;
  solver.solve(p, options, guess, out);
  return out;
}

// One body of 1 kg that does not turn, pressed down by 1 N·s and pushed aside by `push`.
ProblemData slider(double friction, const Eigen::Vector2d& push) {
  ProblemData d;
  d.h = 0.01;
  d.add_clique(3);
  d.mass = d.inverse_mass = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  d.free_velocity = {-1, push[0], push[1]};
  d.contacts.emplace_back();
  d.contacts[0].static_friction = d.contacts[0].dynamic_friction = friction;
  d.add_block(BlockKind::kContact, 3, Clique::kNone, 0);
  d.jacobian = d.mass;
  return d;
}

TEST(Projected, TheConeIsRoundAndThePyramidIsNot) {
  const ProblemData d = slider(0.5, {3, 1});
  const ContactSolution cone = solve(d.view(), {.law = Law::kCone}), pyramid = solve(d.view(), {.law = Law::kPyramid});
  EXPECT_EQ(cone.status, SolveStatus::kConverged);
  EXPECT_EQ(pyramid.status, SolveStatus::kConverged);
  const Eigen::Vector2d against = -0.5 * Eigen::Vector2d(3, 1).normalized();
  EXPECT_NEAR(cone.impulses[1], against[0], 1e-10);
  EXPECT_NEAR(cone.impulses[2], against[1], 1e-10);
  EXPECT_NEAR(pyramid.impulses[1], -0.5, 1e-10);
  EXPECT_NEAR(pyramid.impulses[2], -0.5, 1e-10);  // √2·μ along the diagonal
  EXPECT_GT(judge_problem(d.view(), pyramid.impulses, pyramid.velocities, 0).natural_map.worst, 0.01);
  const ProblemData rests = slider(0.5, {0.3, 0.3});
  EXPECT_NEAR(solve(rests.view(), {.law = Law::kCone}).velocities[1], 0, 1e-10);
}

TEST(Projected, TheConeIsCoulombsLaw) {
  for (const bool conjugate : {false, true})
    for (unsigned seed = 0; seed < 5; ++seed) {
      RandomPile<3> pile(seed);
      for (SolvedContact<3>& c : pile.contacts) c.material.static_friction = c.material.dynamic_friction;
      ProblemBuilder<3> builder;
      const ContactProblem p = builder.build(pile.input());
      const ContactSolution s = solve(p, {.conjugate = conjugate, .tolerance = 1e-8});
      EXPECT_EQ(s.status, SolveStatus::kConverged) << seed << " " << s.residual << " after " << s.iterations;
      EXPECT_LT(judge_problem(p, s.impulses, s.velocities, 0).natural_map_velocity.worst, 1.01e-8);
    }
}

// 30 bodies of one mass on each other, without friction: what is pressed at the top gets to the bottom body by body,
// and sweeps grow with the square of the height. 6576 sweeps against 1264 were seen.
TEST(Projected, ConjugateDirectionsPayInTallStacks) {
  constexpr int n = 30;
  ProblemData d;
  d.h = 0.01;
  for (std::uint32_t i = 0; i < n; ++i) {
    const Clique c = d.add_clique(1);
    d.mass[c.mass] = d.inverse_mass[c.mass] = 1;
    d.free_velocity[c.first] = -0.1;
    d.contacts.emplace_back();
    RowBlock& b = d.add_block(BlockKind::kContact, 1, i ? i - 1 : Clique::kNone, i);
    b.contact = i, b.key = i;
    if (i) d.jacobian[b.jacobian_a] = -1;
    d.jacobian[b.jacobian_b] = 1;
  }
  const ContactSolution plain = solve(d.view(), {}), fast = solve(d.view(), {.conjugate = true});
  EXPECT_EQ(plain.status, SolveStatus::kConverged);
  EXPECT_EQ(fast.status, SolveStatus::kConverged);
  EXPECT_GT(plain.iterations, 4 * fast.iterations) << plain.iterations << " sweeps against " << fast.iterations;
  RecordProperty("plain", std::to_string(plain.iterations));
  RecordProperty("conjugate", std::to_string(fast.iterations));
  for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(fast.impulses[i], 0.1 * (n - static_cast<double>(i)), 1e-6);
}

TEST(Projected, StartsFromAGuessAndEnds) {
  RandomPile<3> pile(4);
  ProblemBuilder<3> builder;
  const ContactProblem p = builder.build(pile.input());
  const ContactSolution cold = solve(p, {.tolerance = 1e-8}), warm = solve(p, {.tolerance = 1e-7}, cold.impulses);
  EXPECT_LE(warm.iterations, 8);
  const ContactSolution cut = solve(p, {.max_iterations = 3});
  EXPECT_EQ(cut.status, SolveStatus::kIterationLimit);
  EXPECT_EQ(cut.iterations, 3);
  ProblemData none;  // limits that contradict each other
  none.h = 0.01;
  none.add_clique(1);
  none.mass = none.inverse_mass = {1};
  none.add_block(BlockKind::kLimit, 1, Clique::kNone, 0);
  none.add_block(BlockKind::kLimit, 1, Clique::kNone, 0);
  none.jacobian = {1, -1};
  none.surface = {-1, -1};
  for (const bool conjugate : {false, true}) {
    const ContactSolution s = solve(none.view(), {.conjugate = conjugate, .max_iterations = 1000000});
    EXPECT_EQ(s.status, SolveStatus::kStalled);
    EXPECT_LT(s.iterations, 20000);
  }
}

}  // namespace
}  // namespace touchstone::testing

// Newton's method: its derivatives, its answers by the yardstick, its way out where it fails.
#include "contact/solvers/newton_contact.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <random>

#include "contact/delassus.h"
#include "contact/problem_yardstick.h"
#include "contact/random_pile.h"
#include "contact/solvers/known_problems.h"
#include "dynamics/joint_builders.h"

namespace touchstone::testing {
namespace {

struct Answer : ContactSolution {
  std::int64_t steps = 0;
  bool fell_back = false;
};
Answer solve(const ContactProblem& p, NewtonOptions options = {}, std::span<const double> guess = {}) {
  NewtonContact solver;
  Answer out;
  solver.solve(p, options, guess, out);
  out.steps = solver.newton_steps(), out.fell_back = solver.fell_back();
  return out;
}

template <class T>
class NewtonIn : public ::testing::Test {};
template <int D>
using Dim = std::integral_constant<int, D>;
using Dimensions = ::testing::Types<Dim<2>, Dim<3>>;
TYPED_TEST_SUITE(NewtonIn, Dimensions);

TEST(Newton, DerivativesAreThoseOfDifferences) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> real(-1, 1);
  int states[3] = {};
  for (int k = 0; k < 300; ++k) {
    NewtonBlock b;
    b.kind = k % 5 == 4 ? BlockKind::kMotor : k % 5 == 3 ? BlockKind::kEquality : BlockKind::kContact;
    b.rows = b.kind == BlockKind::kMotor ? 1 : 3;
    b.rho = {1.3, 0.7, 0.7}, b.measure_rho = 1, b.friction = k % 2 ? 0.4 : 1.5, b.lower = -0.3, b.upper = 0.5;
    b.delta = k % 7 < 3 ? 0.2 : 0.0;
    for (int i = 0; i < static_cast<int>(b.rows); ++i) b.r[i] = real(random), b.u[i] = real(random);
    b.r[0] = std::abs(b.r[0]);
    linearise(b);
    EXPECT_EQ(b.error, law_error(b, b.r, b.u));
    if (b.delta == 0) ++states[b.error == b.r ? 0 : b.by_r.isZero(0) ? 1 : 2];
    constexpr double kStep = 1e-7;
    for (int i = 0; i < static_cast<int>(b.rows); ++i) {
      const Eigen::Vector3d e = kStep * Eigen::Vector3d::Unit(i);
      const Eigen::Vector3d by_r = (law_error(b, b.r + e, b.u) - law_error(b, b.r - e, b.u)) / (2 * kStep);
      const Eigen::Vector3d by_u = (law_error(b, b.r, b.u + e) - law_error(b, b.r, b.u - e)) / (2 * kStep);
      EXPECT_LT((by_r - b.by_r.col(i)).norm(), 1e-6) << k;
      EXPECT_LT((by_u - b.by_u.col(i)).norm(), 1e-6) << k;
    }
  }
  for (const int seen : states) EXPECT_GT(seen, 10);
}

// Signorini's condition, smoothed: both are positive, and their product is ρ·δ².
TEST(Newton, SmoothedLawsAreOnTheCentralPath) {
  NewtonBlock b;
  b.rows = 1, b.rho = {2, 2, 2}, b.measure_rho = 2, b.delta = 0.1;
  for (const double r : {1e-3, 0.2, 5.0}) EXPECT_NEAR(law_error(b, {r, 0, 0}, {2 * 0.01 / r, 0, 0})[0], 0, 1e-15 * r);
  b.rows = 3, b.friction = 0.5;  // friction stays within its disc, and comes near it where it slides
  const Eigen::Vector3d u(2 * 0.01 / 4, 30, 0), r(4, -2, 0);
  EXPECT_LT(law_error(b, r, u).tail<2>().norm(), 0.05);
  EXPECT_GT(law_error(b, {4, 0, 0}, u)[1], 1.9);
}

TYPED_TEST(NewtonIn, TheYardstickFindsNothingInRandomPiles) {
  constexpr int D = TypeParam::value;
  std::int64_t steps = 0;
  int fell_back = 0;
  for (unsigned seed = 0; seed < 20; ++seed) {
    RandomPile<D> pile(seed);
    for (SolvedContact<D>& c : pile.contacts) c.material.static_friction = c.material.dynamic_friction;
    ProblemBuilder<D> builder;
    const ContactProblem p = builder.build(pile.input());
    const Answer s = solve(p);
    EXPECT_EQ(s.status, SolveStatus::kConverged) << seed << ", residual " << s.residual << " " << s.reason;
    const StepMeasures m = judge_problem(p, s.impulses, s.velocities, 0);
    EXPECT_LT(m.natural_map_velocity.worst, 1.01e-10) << seed;
    EXPECT_LT(m.momentum_error.worst, 1e-12);
    steps += s.steps, fell_back += s.fell_back;
    for (const RowBlock& b : p.blocks) {  // within their cones
      const double* r = &s.impulses[b.first_row];
      EXPECT_GE(r[0], 0);
      EXPECT_LE(std::hypot(r[1], D == 3 ? r[2] : 0), p.contacts[b.contact].static_friction * r[0] * (1 + 1e-12));
    }
  }
  EXPECT_GT(steps, 20);  // it was Newton's method that did it
  EXPECT_LE(fell_back, 2);
}

TYPED_TEST(NewtonIn, TwoCoefficientsAreLawfulToo) {
  constexpr int D = TypeParam::value;
  for (unsigned seed = 30; seed < 40; ++seed) {
    RandomPile<D> pile(seed);
    ProblemBuilder<D> builder;
    const ContactProblem p = builder.build(pile.input());
    const Answer s = solve(p);
    EXPECT_EQ(s.status, SolveStatus::kConverged) << seed << ", residual " << s.residual << " " << s.reason;
    EXPECT_LT(judge_problem(p, s.impulses, s.velocities, 0).natural_map_velocity.worst, 1.01e-10) << seed;
  }
}

// Dense and sparse steps lead to the same velocities: the same problem once with bodies, once as W alone.
TEST(Newton, RowsAndBodiesAgree) {
  RandomPile<3> pile(3);
  for (SolvedContact<3>& c : pile.contacts) c.material.static_friction = c.material.dynamic_friction = 0;
  ProblemBuilder<3> builder;
  const ContactProblem p = builder.build(pile.input());
  Delassus delassus;
  delassus.prepare(p);
  const Eigen::MatrixXd w = delassus.dense();
  ProblemData d;
  d.h = p.h;
  const std::uint32_t n = static_cast<std::uint32_t>(p.rows());
  d.add_clique(n);
  d.mass.assign(std::size_t{n} * n, 0.0);  // there is none
  d.inverse_mass.assign(w.data(), w.data() + w.size());
  std::vector<double> q(n);
  free_relative_velocity(p, q);
  d.free_velocity = d.start_velocity = q;
  for (const RowBlock& b : p.blocks) {
    RowBlock& own = d.add_block(b.kind, b.rows, Clique::kNone, 0);
    own.contact = b.contact, own.key = b.key;
    for (std::uint32_t i = 0; i < b.rows; ++i) d.jacobian[own.jacobian_b + i * n + own.first_row + i] = 1;
  }
  d.contacts.assign(p.contacts.begin(), p.contacts.end());
  const Answer bodies = solve(p, {1e-11}), rows = solve(d.view(), {1e-11});
  EXPECT_EQ(bodies.status, SolveStatus::kConverged);
  EXPECT_EQ(rows.status, SolveStatus::kConverged);
  EXPECT_GT(rows.steps, 0);
  std::vector<double> u(n);
  multiply_jacobian(p, bodies.velocities, u);
  for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(u[i] + p.bias(i), rows.velocities[i], 1e-8);
}

TEST(Newton, JointsAgainstDirectElimination) {
  const JointChain chain;
  const Answer s = solve(chain.problem(), {1e-12});
  ASSERT_EQ(s.status, SolveStatus::kConverged) << s.residual;
  EXPECT_LT(s.iterations, 50);
  const Eigen::VectorXd r = chain.impulses();
  for (std::size_t i = 0; i < s.impulses.size(); ++i) EXPECT_NEAR(s.impulses[i], r[static_cast<Eigen::Index>(i)], 1e-8);
}

// n bodies on a line, one on the other, 1 kg each, the uppermost `top`: every impulse is known.
ProblemData tower(int n, double top) {
  ProblemData d;
  d.h = 0.01;
  for (int i = 0; i < n; ++i) {
    const Clique c = d.add_clique(1);
    d.mass[c.mass] = i == n - 1 ? top : 1;
    d.inverse_mass[c.mass] = 1 / d.mass[c.mass];
    d.free_velocity[c.first] = -0.1;
    d.contacts.emplace_back();
    RowBlock& b = d.add_block(BlockKind::kContact, 1, i ? static_cast<std::uint32_t>(i - 1) : Clique::kNone,
                              static_cast<std::uint32_t>(i));
    b.contact = static_cast<std::uint32_t>(i), b.key = static_cast<std::uint64_t>(i);
    if (i) d.jacobian[b.jacobian_a] = -1;
    d.jacobian[b.jacobian_b] = 1;
  }
  check_problem(d.view());
  return d;
}

TEST(Newton, AMillionTimesTheMassOnTop) {
  for (const int n : {2, 10, 200}) {
    const ProblemData d = tower(n, 1e6);
    const Answer s = solve(d.view());
    EXPECT_EQ(s.status, SolveStatus::kConverged) << n << " " << s.reason;
    EXPECT_FALSE(s.fell_back);
    EXPECT_LT(s.iterations, 150);
    EXPECT_LT(judge_problem(d.view(), s.impulses, s.velocities, 0).natural_map_velocity.worst, 1.01e-10);
    for (int i = 0; i < n; ++i)  // 1e6 kg times what the velocities may be off
      EXPECT_NEAR(s.impulses[static_cast<std::size_t>(i)], 0.1 * (1e6 + n - 1 - i), 1e-4 * n) << n;
  }
}

TEST(Newton, AnAnswerIsItsOwnGuess) {
  RandomPile<3> pile(4);
  ProblemBuilder<3> builder;
  const ContactProblem p = builder.build(pile.input());
  const Answer cold = solve(p), warm = solve(p, {}, cold.impulses);
  EXPECT_GT(cold.steps, 0);
  EXPECT_EQ(warm.steps, 0);
  EXPECT_LE(warm.iterations, 3);
}

TEST(Newton, SaysThatItFellBack) {
  ProblemData d;  // two limits that contradict each other
  d.h = 0.01;
  d.add_clique(1);
  d.mass = d.inverse_mass = {1};
  d.add_block(BlockKind::kLimit, 1, Clique::kNone, 0);
  d.add_block(BlockKind::kLimit, 1, Clique::kNone, 0);
  d.jacobian = {1, -1};
  d.surface = {-1, -1};
  const Answer none = solve(d.view());
  EXPECT_NE(none.status, SolveStatus::kConverged);
  EXPECT_TRUE(none.fell_back);
  EXPECT_STRNE(none.reason, "");
  for (const double x : none.velocities) EXPECT_LT(std::abs(x), 2);
  const Answer cut = solve(tower(50, 1e6).view(), {1e-10, 5, 5});
  EXPECT_LE(cut.iterations, 80);
}

}  // namespace
}  // namespace touchstone::testing

// The reference solver on problems whose answers are known by other routes.
#include "contact/solvers/nonsmooth_gauss_seidel.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <random>

#include "contact/contact_laws.h"
#include "contact/delassus.h"
#include "contact/random_pile.h"
#include "contact/solvers/known_problems.h"
#include "dynamics/joint_builders.h"

namespace touchstone::testing {
namespace {

ContactSolution solve(const ContactProblem& problem, GaussSeidelOptions options = {},
                      std::span<const double> guess = {}) {
  NonsmoothGaussSeidel solver;
  ContactSolution out;
  solver.solve(problem, options, guess, out);
  return out;
}

template <int D>
std::vector<Twist<D>> velocities_of(const ProblemBuilder<D>& builder, const RandomPile<D>& pile,
                                    const ContactSolution& solution) {
  std::vector<Twist<D>> out = pile.free;
  builder.read_velocities(solution.velocities, out);
  return out;
}

// The worst natural map by the yardstick, which knows nothing of problems and solvers.
template <int D>
double judged(const ProblemBuilder<D>& builder, RandomPile<D>& pile, const ContactSolution& solution) {
  const std::vector<Twist<D>> after = velocities_of(builder, pile, solution);
  for (std::size_t i = 0; i < pile.contacts.size(); ++i)
    pile.contacts[i].impulse = builder.contact_impulse(i, solution.impulses);
  const SolveView<D> view{false, 0, pile.h, pile.bodies, pile.state, pile.contacts, pile.before, pile.free, after};
  double worst = 0;
  for (const SolvedContact<D>& c : pile.contacts) worst = std::max(worst, score_contact(view, c).natural_map);
  return worst;
}

template <class T>
class GaussSeidelIn : public ::testing::Test {};
template <int D>
using Dim = std::integral_constant<int, D>;
using Dimensions = ::testing::Types<Dim<2>, Dim<3>>;
TYPED_TEST_SUITE(GaussSeidelIn, Dimensions);

TYPED_TEST(GaussSeidelIn, TheYardstickFindsNothingInRandomPiles) {
  constexpr int D = TypeParam::value;
  for (unsigned seed = 0; seed < 20; ++seed) {
    RandomPile<D> pile(seed);
    for (SolvedContact<D>& c : pile.contacts) {
      c.material.static_friction = c.material.dynamic_friction;
      c.restitution = seed % 2 ? 0.5 : 0.0;
      c.material.restitution = 0.5;
      if (c.contact.gap < 0) c.contact.gap = 0;  // a penetration would be excused by the yardstick
    }
    ProblemBuilder<D> builder;
    const ContactProblem p = builder.build(pile.input());
    const ContactSolution s = solve(p);
    EXPECT_EQ(s.status, SolveStatus::kConverged) << seed << ", " << s.iterations << " sweeps, residual " << s.residual;
    EXPECT_LT(s.residual, 1e-10);
    EXPECT_LT(judged(builder, pile, s), 1e-9) << seed;
    // v = v_free + M⁻¹·Jᵀ·r, by dense matrices.
    const Eigen::Index n = static_cast<Eigen::Index>(p.velocities()), m = static_cast<Eigen::Index>(p.rows());
    const Eigen::Map<const Eigen::VectorXd> v(s.velocities.data(), n), free(p.free_velocity.data(), n),
        r(s.impulses.data(), m);
    EXPECT_LT((v - free - dense_inverse_mass(p) * dense_jacobian(p).transpose() * r).norm(), 1e-12 * v.norm());
  }
}

TYPED_TEST(GaussSeidelIn, TwoCoefficientsAreLawfulToo) {
  constexpr int D = TypeParam::value;
  for (unsigned seed = 30; seed < 40; ++seed) {
    RandomPile<D> pile(seed);
    for (SolvedContact<D>& c : pile.contacts) c.contact.gap = std::max(0.0, c.contact.gap);
    ProblemBuilder<D> builder;
    const ContactSolution s = solve(builder.build(pile.input()));
    EXPECT_EQ(s.status, SolveStatus::kConverged) << seed << ": " << s.iterations << " " << s.residual;
    EXPECT_LT(judged(builder, pile, s), 1e-9) << seed;
  }
}

// All subsets of contacts are tried: the frictionless problem is a linear one with one answer in the velocities.
TEST(GaussSeidel, FrictionlessProblemsAgreeWithEnumeration) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    RandomPile<2> pile(seed + 100);
    pile.contacts.resize(10);
    for (SolvedContact<2>& c : pile.contacts) c.material.static_friction = c.material.dynamic_friction = 0;
    ProblemBuilder<2> builder;
    const ContactProblem p = builder.build(pile.input());
    Delassus delassus;
    delassus.prepare(p);
    const Eigen::MatrixXd w = delassus.dense();
    std::vector<double> q(p.rows());
    free_relative_velocity(p, q);
    Eigen::VectorXd expected;
    int found = 0;
    for (unsigned set = 0; set < 1u << 10; ++set) {
      std::vector<int> rows;
      for (int i = 0; i < 10; ++i)
        if (set >> i & 1) rows.push_back(2 * i);
      const int k = static_cast<int>(rows.size());
      Eigen::MatrixXd a(k, k);
      Eigen::VectorXd b(k);
      for (int i = 0; i < k; ++i) {
        b[i] = -q[static_cast<std::size_t>(rows[static_cast<std::size_t>(i)])];
        for (int j = 0; j < k; ++j) a(i, j) = w(rows[static_cast<std::size_t>(i)], rows[static_cast<std::size_t>(j)]);
      }
      const Eigen::FullPivLU<Eigen::MatrixXd> lu(a);
      if (k > 0 && !lu.isInvertible()) continue;
      const Eigen::VectorXd x = k > 0 ? Eigen::VectorXd(lu.solve(b)) : Eigen::VectorXd();
      if (k > 0 && x.minCoeff() < 0) continue;
      Eigen::VectorXd r = Eigen::VectorXd::Zero(20);
      for (int i = 0; i < k; ++i) r[rows[static_cast<std::size_t>(i)]] = x[i];
      const Eigen::VectorXd u = w * r;
      bool holds = true;
      for (int i = 0; i < 10; ++i) holds &= u[2 * i] + q[static_cast<std::size_t>(2 * i)] > -1e-12;
      if (!holds) continue;
      ++found;
      const Eigen::Index n = static_cast<Eigen::Index>(p.velocities());
      expected = Eigen::Map<const Eigen::VectorXd>(p.free_velocity.data(), n) +
                 dense_inverse_mass(p) * dense_jacobian(p).transpose() * r;
    }
    ASSERT_GE(found, 1);
    const ContactSolution s = solve(p);
    for (std::size_t i = 0; i < s.velocities.size(); ++i)
      EXPECT_NEAR(s.velocities[i], expected[static_cast<Eigen::Index>(i)], 1e-8) << seed;
  }
}

TEST(GaussSeidel, JointsLimitsAndMotorsAgainstDirectElimination) {
  const JointChain chain;
  const ContactSolution s = solve(chain.problem());
  ASSERT_EQ(s.status, SolveStatus::kConverged) << s.iterations << " " << s.residual;
  const Eigen::VectorXd r = chain.impulses();
  for (std::size_t i = 0; i < s.impulses.size(); ++i) EXPECT_NEAR(s.impulses[i], r[static_cast<Eigen::Index>(i)], 1e-7);
}

// One body on a line: a motor that is strong enough, one that is not, a limit that holds and one that does not.
TEST(GaussSeidel, BoundsOfRows) {
  const auto line = [](BlockKind kind, double velocity, double speed, double most) {
    ProblemData d;
    d.h = 0.01;
    d.add_clique(1);
    d.mass = {2}, d.inverse_mass = {0.5};
    d.start_velocity = d.free_velocity = {velocity};
    d.add_block(kind, 1, Clique::kNone, 0);
    d.jacobian = {1};
    d.surface = {-speed};
    if (kind == BlockKind::kMotor) d.lower = {-most}, d.upper = {most};
    check_problem(d.view());
    return solve(d.view());
  };
  EXPECT_NEAR(line(BlockKind::kMotor, 0, 1, 5).velocities[0], 1, 1e-12);
  EXPECT_NEAR(line(BlockKind::kMotor, 0, 1, 0.5).velocities[0], 0.25, 1e-12);
  EXPECT_NEAR(line(BlockKind::kMotor, 4, 1, 0.5).velocities[0], 3.75, 1e-12);
  EXPECT_NEAR(line(BlockKind::kLimit, -3, 0, 0).velocities[0], 0, 1e-12);
  EXPECT_NEAR(line(BlockKind::kLimit, 3, 0, 0).velocities[0], 3, 1e-12);
  EXPECT_NEAR(line(BlockKind::kEquality, 3, 0, 0).velocities[0], 0, 1e-12);
}

TEST(GaussSeidel, EqualitiesThatSayTheSameTwice) {
  ProblemData d;
  d.h = 0.01;
  d.add_clique(3);
  d.mass = d.inverse_mass = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  d.free_velocity = {1, 2, 3};
  d.add_block(BlockKind::kEquality, 3, Clique::kNone, 0);
  d.jacobian = {1, 0, 0, 0, 1, 0, 1, 0, 0};
  const ContactSolution s = solve(d.view());
  EXPECT_EQ(s.status, SolveStatus::kConverged);
  EXPECT_NEAR(s.velocities[0], 0, 1e-12);
  EXPECT_NEAR(s.velocities[1], 0, 1e-12);
  EXPECT_NEAR(s.velocities[2], 3, 1e-12);
}

TEST(GaussSeidel, AnAnswerIsItsOwnGuess) {
  RandomPile<3> pile(4);
  ProblemBuilder<3> builder;
  const ContactProblem p = builder.build(pile.input());
  const ContactSolution cold = solve(p), warm = solve(p, {}, cold.impulses);
  EXPECT_GT(cold.iterations, 5);
  EXPECT_LE(warm.iterations, 3);
  for (std::size_t i = 0; i < p.velocities(); ++i) EXPECT_NEAR(warm.velocities[i], cold.velocities[i], 1e-9);
}

TEST(GaussSeidel, PlainAndAcceleratedSweepsMeet) {
  RandomPile<3> pile(6);
  for (SolvedContact<3>& c : pile.contacts) c.material.static_friction = c.material.dynamic_friction = 0;  // unique
  ProblemBuilder<3> builder;
  const ContactProblem p = builder.build(pile.input());
  const ContactSolution plain = solve(p, {1e-10, 100000, false}), fast = solve(p);
  EXPECT_EQ(plain.status, SolveStatus::kConverged);
  EXPECT_LT(fast.iterations, plain.iterations);
  for (std::size_t i = 0; i < p.velocities(); ++i) EXPECT_NEAR(plain.velocities[i], fast.velocities[i], 1e-7);
}

TEST(GaussSeidel, EndsAndSaysSo) {
  RandomPile<3> pile(8);
  ProblemBuilder<3> builder;
  const ContactProblem p = builder.build(pile.input());
  const ContactSolution cut = solve(p, {1e-10, 2, true});
  EXPECT_EQ(cut.status, SolveStatus::kIterationLimit);
  EXPECT_EQ(cut.iterations, 2);
  EXPECT_GT(cut.residual, 1e-10);
  for (const RowBlock& b : p.blocks) {
    const double* r = &cut.impulses[b.first_row];
    EXPECT_GE(r[0], 0);
    EXPECT_LE(std::hypot(r[1], r[2]), p.contacts[b.contact].static_friction * r[0] * (1 + 1e-12));
  }
  // Two limits that contradict each other: no answer, and no endless loop.
  ProblemData d;
  d.h = 0.01;
  d.add_clique(1);
  d.mass = d.inverse_mass = {1};
  d.add_block(BlockKind::kLimit, 1, Clique::kNone, 0);
  d.add_block(BlockKind::kLimit, 1, Clique::kNone, 0);
  d.jacobian = {1, -1};
  d.surface = {-1, -1};
  const ContactSolution none = solve(d.view(), {1e-10, 1000000, true});
  EXPECT_EQ(none.status, SolveStatus::kStalled);
  EXPECT_LT(none.iterations, 10000);
  for (const double x : none.velocities) EXPECT_TRUE(std::isfinite(x));
  EXPECT_STRNE(none.reason, "");
  // Nothing at all.
  EXPECT_EQ(solve(ProblemData{}.view()).status, SolveStatus::kConverged);
}

// Two equalities that ask for v = 1 and v = −1: impulses grow until the error is rounding beside them, which is no
// answer.
TEST(NonsmoothGaussSeidel, ContradictoryEqualitiesAreNotCalledRounding) {
  for (const double speed : {1e-3, 1.0, 1e3})
    for (const bool accelerate : {false, true}) {
      ProblemData d;
      d.h = 0.01;
      d.add_clique(1);
      d.mass = d.inverse_mass = {1};
      d.add_block(BlockKind::kEquality, 1, Clique::kNone, 0);
      d.add_block(BlockKind::kEquality, 1, Clique::kNone, 0);
      d.jacobian = {1, 1};
      d.surface = {-speed, speed};
      const ContactSolution s = solve(d.view(), {1e-10, 100000, accelerate});
      EXPECT_NE(s.status, SolveStatus::kConverged) << speed;
      EXPECT_GE(s.residual, 0.9 * speed);
      EXPECT_STRNE(s.reason, "");
      EXPECT_LT(std::abs(s.velocities[0]), 2 * speed);
    }
}

}  // namespace
}  // namespace touchstone::testing

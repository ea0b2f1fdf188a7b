// The convex solver against the reference solver where both must agree, and against its own theory by other routes.
#include "contact/solvers/convex_barrier.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <cstring>
#include <random>

#include "contact/delassus.h"
#include "contact/random_pile.h"
#include "contact/solvers/known_problems.h"
#include "contact/solvers/nonsmooth_gauss_seidel.h"
#include "dynamics/joint_builders.h"

namespace touchstone::testing {
namespace {

constexpr ConvexOptions kPrinted{ConvexOptions::Form::kPrinted};

ContactSolution solve(const ContactProblem& problem, ConvexOptions options = {}, std::span<const double> guess = {}) {
  ConvexBarrier solver;
  ContactSolution out;
  solver.solve(problem, options, guess, out);
  return out;
}
ContactSolution reference(const ContactProblem& problem) {
  NonsmoothGaussSeidel solver;
  ContactSolution out;
  solver.solve(problem, {1e-12, 100000, true}, {}, out);
  return out;
}
Eigen::VectorXd relative_velocities(const ContactProblem& p, std::span<const double> impulses) {
  const Eigen::Map<const Eigen::VectorXd> r(impulses.data(), static_cast<Eigen::Index>(impulses.size()));
  Delassus delassus;
  delassus.prepare(p);
  std::vector<double> q(p.rows());
  free_relative_velocity(p, q);
  return delassus.dense() * r + Eigen::Map<const Eigen::VectorXd>(q.data(), r.size());
}
template <int D>
void set_friction(RandomPile<D>& pile, double friction) {
  for (SolvedContact<D>& c : pile.contacts) c.material.static_friction = c.material.dynamic_friction = friction;
}

template <class T>
class ConvexIn : public ::testing::Test {};
template <int D>
using Dim = std::integral_constant<int, D>;
using Dimensions = ::testing::Types<Dim<2>, Dim<3>>;
TYPED_TEST_SUITE(ConvexIn, Dimensions);

TYPED_TEST(ConvexIn, WithoutFrictionItIsTheReference) {
  constexpr int D = TypeParam::value;
  for (unsigned seed = 0; seed < 6; ++seed) {
    RandomPile<D> pile(seed);
    set_friction(pile, 0);
    for (SolvedContact<D>& c : pile.contacts) c.restitution = seed % 2 ? 0.5 : 0.0;
    ProblemBuilder<D> builder;
    const ContactProblem p = builder.build(pile.input());
    const ContactSolution s = solve(p), exact = reference(p);
    EXPECT_EQ(s.status, SolveStatus::kConverged) << s.reason;
    for (std::size_t i = 0; i < p.velocities(); ++i) EXPECT_NEAR(s.velocities[i], exact.velocities[i], 1e-6) << seed;
  }
}

// Within all bounds, explains the motion, and no way that stays within the bounds has less slip.
TYPED_TEST(ConvexIn, FrictionTakesWhatItCan) {
  constexpr int D = TypeParam::value;
  std::mt19937 engine(7);
  std::normal_distribution<double> normal;
  for (unsigned seed = 0; seed < 4; ++seed) {
    RandomPile<D> pile(seed);
    set_friction(pile, 0.4);
    ProblemBuilder<D> builder;
    const ContactProblem p = builder.build(pile.input());
    const ContactSolution s = solve(p);
    EXPECT_EQ(s.status, SolveStatus::kConverged) << s.reason;
    EXPECT_LT(s.residual, 1e-5);
    const Eigen::Index n = static_cast<Eigen::Index>(p.velocities()), m = static_cast<Eigen::Index>(p.rows());
    const Eigen::Map<const Eigen::VectorXd> v(s.velocities.data(), n), free(p.free_velocity.data(), n),
        r(s.impulses.data(), m);
    EXPECT_LT((v - free - dense_inverse_mass(p) * dense_jacobian(p).transpose() * r).norm(), 1e-12 * v.norm());
    // Slip of the contacts that carry something; others do not take part.
    const auto slip = [&](const Eigen::VectorXd& impulses) {
      const Eigen::VectorXd u = relative_velocities(p, {impulses.data(), static_cast<std::size_t>(m)});
      double sum = 0;
      for (const RowBlock& b : p.blocks)
        if (r[b.first_row] > 0) sum += u.segment(b.first_row + 1, D - 1).squaredNorm();
      return sum;
    };
    for (const RowBlock& b : p.blocks) {
      EXPECT_GE(r[b.first_row], 0);
      EXPECT_LE(r.segment(b.first_row + 1, D - 1).norm(), 0.4 * r[b.first_row] * (1 + 1e-12));
    }
    const double least = slip(r);
    for (int k = 0; k < 50; ++k) {
      Eigen::VectorXd other = r;
      for (const RowBlock& b : p.blocks) {
        Eigen::VectorXd t = r.segment(b.first_row + 1, D - 1);
        for (double& x : t) x += 0.1 * normal(engine) * r[b.first_row];
        if (t.norm() > 0.4 * r[b.first_row]) t *= 0.4 * r[b.first_row] / t.norm();
        other.segment(b.first_row + 1, D - 1) = t;
      }
      const Eigen::VectorXd u = relative_velocities(p, {other.data(), static_cast<std::size_t>(m)});
      bool closes = false;
      for (const RowBlock& b : p.blocks) closes |= r[b.first_row] > 0 && u[b.first_row] < 0;
      if (closes) continue;
      EXPECT_GE(slip(other), least - 1e-6) << seed;
    }
    // The answer of phase 1 is within the bounds, too
    set_friction(pile, 0);
    ProblemBuilder<D> other;
    const ContactSolution first = solve(other.build(pile.input()));
    EXPECT_LT(least, slip(Eigen::Map<const Eigen::VectorXd>(first.impulses.data(), m)));
  }
}

// A block of 1 m × 0.5 m on its two corners, moving to the right: h·g·m of normal impulse is needed.
struct Block {
  ProblemData d;
  explicit Block(double speed, int copies = 1, double friction = 0.5) {
    const double m = 2, inertia = m * (1 + 0.25) / 12;
    d.h = 1e-3;
    d.add_clique(3);
    d.mass = {m, 0, 0, 0, m, 0, 0, 0, inertia};
    d.inverse_mass = {1 / m, 0, 0, 0, 1 / m, 0, 0, 0, 1 / inertia};
    d.start_velocity = {speed, 0, 0};
    d.free_velocity = {speed, -9.81e-3, 0};
    std::vector<double> j;
    for (int k = 0; k < copies; ++k) {
      for (const double x : {-0.5, 0.5}) {
        RowBlock& b = d.add_block(BlockKind::kContact, 2, Clique::kNone, 0);
        b.contact = static_cast<std::uint32_t>(d.contacts.size());
        b.key = d.contacts.size() + 1;
        ContactLaw law;
        law.static_friction = law.dynamic_friction = friction;
        d.contacts.push_back(law);
        j.insert(j.end(), {0, 1, x, 1, 0, 0.25});
      }
    }
    d.jacobian = j;
    for (std::size_t i = 0; i < d.lower.size(); i += 2) d.lower[i] = 0;
  }
};

TEST(Convex, ThePrintedNormForbidsFrictionAndTheSumDoesNot) {
  const ContactSolution corrected = solve(Block(2).d.view()), printed = solve(Block(2).d.view(), kPrinted);
  EXPECT_EQ(corrected.status, SolveStatus::kConverged) << corrected.reason;
  EXPECT_EQ(printed.status, SolveStatus::kConverged) << printed.reason;
  EXPECT_NEAR((2 - corrected.velocities[0]) / 1e-3, 0.5 * 9.81, 1e-4);
  EXPECT_LT((2 - printed.velocities[0]) / 1e-3, 0.02);
  EXPECT_GE(2 - printed.velocities[0], -1e-9);
  EXPECT_NEAR(printed.velocities[1], 0, 1e-9);
  EXPECT_NEAR(corrected.velocities[1], 0, 1e-7);
}

TEST(Convex, WhatCanStickSticks) {
  const ContactSolution s = solve(Block(4e-3).d.view());
  EXPECT_EQ(s.status, SolveStatus::kConverged) << s.reason;
  EXPECT_LT(std::abs(s.velocities[0]), 1e-9);
  EXPECT_LT(std::abs(s.velocities[2]), 1e-7);
  const ContactSolution held = solve(Block(2, 1, std::numeric_limits<double>::infinity()).d.view());
  EXPECT_EQ(held.status, SolveStatus::kConverged) << held.reason;
  for (const double v : held.velocities) EXPECT_TRUE(std::isfinite(v));
}

TEST(Convex, TheSameContactEightTimes) {
  for (const double speed : {2.0, 4e-3, 0.0}) {
    const ContactSolution once = solve(Block(speed).d.view()), eight = solve(Block(speed, 8).d.view());
    EXPECT_EQ(eight.status, SolveStatus::kConverged) << eight.reason;
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(once.velocities[i], eight.velocities[i], 1e-7) << speed;
  }
  for (unsigned seed = 0; seed < 3; ++seed) {
    RandomPile<2> pile(seed), more(seed);
    pile.contacts.resize(24);
    set_friction(pile, 0.4);
    more.contacts.clear();
    for (const SolvedContact<2>& c : pile.contacts)
      for (std::uint64_t k = 0; k < 8; ++k) {
        more.contacts.push_back(c);
        more.contacts.back().contact.key = 8 * c.contact.key + k;
      }
    ProblemBuilder<2> a, b;
    const ContactSolution once = solve(a.build(pile.input())), eight = solve(b.build(more.input()));
    EXPECT_EQ(eight.status, SolveStatus::kConverged) << eight.reason;
    for (std::size_t i = 0; i < once.velocities.size(); ++i)
      EXPECT_NEAR(once.velocities[i], eight.velocities[i], 2e-5) << seed;
  }
}

TEST(Convex, IslandsDoNotKnowOfEachOther) {
  RandomPile<2> all(3);
  std::erase_if(all.contacts,
                [](const auto& c) { return c.contact.body_a > 1 && (c.contact.body_a + c.contact.body_b) % 2; });
  RandomPile<2> some = all;
  std::erase_if(some.contacts, [](const auto& c) { return c.contact.body_b % 2; });
  ASSERT_LT(some.contacts.size(), all.contacts.size());
  ProblemBuilder<2> a, b;
  const ContactSolution whole = solve(a.build(all.input())), part = solve(b.build(some.input()));
  for (std::uint32_t body = 2; body < all.kBodies; body += 2)
    for (std::uint32_t k = 0; k < 3; ++k)
      EXPECT_EQ(whole.velocities[3 * a.clique_of(body) + k], part.velocities[3 * b.clique_of(body) + k]);
}

TEST(Convex, AGuessChangesTheWayOnly) {
  RandomPile<3> pile(4);
  set_friction(pile, 0);
  ProblemBuilder<3> builder;
  const ContactProblem p = builder.build(pile.input());
  const ContactSolution cold = solve(p), warm = solve(p, {}, cold.impulses);
  EXPECT_LT(warm.iterations, cold.iterations);
  for (std::size_t i = 0; i < p.velocities(); ++i) EXPECT_NEAR(warm.velocities[i], cold.velocities[i], 1e-7);
  std::vector<double> nonsense(p.rows(), std::nan(""));
  const ContactSolution lost = solve(p, {}, nonsense);
  EXPECT_EQ(lost.status, SolveStatus::kConverged) << lost.reason;
  for (std::size_t i = 0; i < p.velocities(); ++i) EXPECT_NEAR(lost.velocities[i], cold.velocities[i], 1e-7);
}

TEST(Convex, JointsAgainstDirectElimination) {
  const JointChain chain;
  const ContactProblem& p = chain.problem();
  const Eigen::VectorXd exact =
      Eigen::Map<const Eigen::VectorXd>(p.free_velocity.data(), static_cast<Eigen::Index>(p.velocities())) +
      dense_inverse_mass(p) * dense_jacobian(p).transpose() * chain.impulses();
  for (const ConvexOptions& options : {ConvexOptions{}, kPrinted}) {
    const ContactSolution s = solve(p, options);
    ASSERT_EQ(s.status, SolveStatus::kConverged) << s.reason;
    for (std::size_t i = 0; i < p.velocities(); ++i)
      EXPECT_NEAR(s.velocities[i], exact[static_cast<Eigen::Index>(i)], 1e-7);
  }
}

// One body on a line: a motor that is strong enough, one that is not, a limit that holds and one that does not.
TEST(Convex, BoundsOfRows) {
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
    return solve(d.view());
  };
  EXPECT_NEAR(line(BlockKind::kMotor, 0, 1, 5).velocities[0], 1, 1e-12);
  EXPECT_NEAR(line(BlockKind::kMotor, 0, 1, 0.5).velocities[0], 0.25, 1e-12);
  EXPECT_NEAR(line(BlockKind::kMotor, 4, 1, 0.5).velocities[0], 3.75, 1e-12);
  EXPECT_NEAR(line(BlockKind::kMotor, 4, 1, 0).velocities[0], 4, 1e-12);
  EXPECT_NEAR(line(BlockKind::kLimit, -3, 0, 0).velocities[0], 0, 1e-8);
  EXPECT_NEAR(line(BlockKind::kLimit, 3, 0, 0).velocities[0], 3, 1e-12);
  EXPECT_NEAR(line(BlockKind::kEquality, 3, 0, 0).velocities[0], 0, 1e-12);
}

TEST(Convex, WhatCannotBeSolvedHasAReason) {
  EXPECT_EQ(solve(ProblemData{}.view()).status, SolveStatus::kConverged);  // nothing at all
  const auto bad = [](ProblemData d, SolveStatus status, ConvexOptions options = {}) {
    for (const ConvexOptions::Form form : {ConvexOptions::Form::kCorrected, ConvexOptions::Form::kPrinted}) {
      options.form = form;
      const ContactSolution s = solve(d.view(), options);
      if (form == ConvexOptions::Form::kCorrected || status == SolveStatus::kBadInput) {
        EXPECT_EQ(s.status, status) << s.reason;
        EXPECT_STRNE(s.reason, "");
      }
      for (const double x : s.velocities) EXPECT_TRUE(std::isfinite(x));
      for (const double x : s.impulses) EXPECT_TRUE(std::isfinite(x));
    }
  };
  Block nan(2), negative(2), indefinite(2);
  nan.d.free_velocity[1] = std::nan("");
  bad(nan.d, SolveStatus::kBadInput);
  negative.d.contacts[0].static_friction = -1;
  bad(negative.d, SolveStatus::kBadInput);
  indefinite.d.inverse_mass[4] = -10;
  bad(indefinite.d, SolveStatus::kBadInput);
  ConvexOptions few;
  few.max_iterations = 5;
  bad(Block(2).d, SolveStatus::kIterationLimit, few);
  for (const BlockKind kind : {BlockKind::kLimit, BlockKind::kEquality}) {  // two that contradict each other
    ProblemData d;
    d.h = 0.01;
    d.add_clique(1);
    d.mass = d.inverse_mass = {1};
    d.add_block(kind, 1, Clique::kNone, 0);
    d.add_block(kind, 1, Clique::kNone, 0);
    d.jacobian = {1, -1};
    d.surface = {-1, -1};
    bad(d, SolveStatus::kStalled);
  }
}

// Two motors that pull at one body almost against each other. Without bounds both would need more than they have; with
// both at their bounds the first drives beyond its speed, and must be let go: r_A = 0.95 leaves it exactly right.
TEST(ConvexBarrier, MotorsAreLetGoFromTheirBounds) {
  ProblemData d;
  d.h = 0.01;
  const Clique c = d.add_clique(2);
  for (std::uint32_t k = 0; k < 2; ++k) d.mass[c.mass + 3 * k] = d.inverse_mass[c.mass + 3 * k] = 1;
  const RowBlock a = d.add_block(BlockKind::kMotor, 1, Clique::kNone, 0);
  d.jacobian[a.jacobian_b] = 1, d.surface[a.first_row] = -0.05;
  const RowBlock b = d.add_block(BlockKind::kMotor, 1, Clique::kNone, 0);
  d.jacobian[b.jacobian_b] = 0.9, d.jacobian[b.jacobian_b + 1] = std::sqrt(1 - 0.81), d.surface[b.first_row] = 1;
  for (int i = 0; i < 2; ++i) d.lower[static_cast<std::size_t>(i)] = -1, d.upper[static_cast<std::size_t>(i)] = 1;
  for (const std::vector<double>& guess : {std::vector<double>{}, std::vector<double>{1, -1}, {-1, 1}}) {
    ConvexBarrier solver;
    ContactSolution s;
    solver.solve(d.view(), {}, guess, s);
    EXPECT_EQ(s.status, SolveStatus::kConverged) << s.reason;
    EXPECT_NEAR(s.impulses[0], 0.95, 1e-9);
    EXPECT_NEAR(s.impulses[1], -1, 1e-12);
  }
}

}  // namespace
}  // namespace touchstone::testing

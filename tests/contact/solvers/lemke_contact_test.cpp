// Lemke's method on contact problems: judged by the yardstick in 2D, where it is exact, and by its own pyramid in 3D.
#include "contact/solvers/lemke_contact.h"

#include <gtest/gtest.h>

#include <chrono>
#include <numbers>

#include "contact/contact_laws.h"
#include "contact/delassus.h"
#include "contact/random_pile.h"
#include "contact/solvers/known_problems.h"
#include "contact/solvers/nonsmooth_gauss_seidel.h"

namespace touchstone::testing {
namespace {

template <int D>
void make_plain(RandomPile<D>& pile, std::size_t contacts, double restitution = 0) {
  if (pile.contacts.size() > contacts) pile.contacts.resize(contacts);
  for (SolvedContact<D>& c : pile.contacts) {
    c.material.static_friction = c.material.dynamic_friction;
    c.material.restitution = c.restitution = restitution;
    c.contact.gap = std::max(0.0, c.contact.gap);  // a penetration would be excused by the yardstick
  }
}

// The worst natural map by the yardstick, which knows nothing of problems and solvers.
template <int D>
double judged(const ProblemBuilder<D>& builder, RandomPile<D>& pile, const ContactSolution& solution) {
  std::vector<Twist<D>> after = pile.free;
  builder.read_velocities(solution.velocities, after);
  for (std::size_t i = 0; i < pile.contacts.size(); ++i)
    pile.contacts[i].impulse = builder.contact_impulse(i, solution.impulses);
  const SolveView<D> view{false, 0, pile.h, pile.bodies, pile.state, pile.contacts, pile.before, pile.free, after};
  double worst = 0;
  for (const SolvedContact<D>& c : pile.contacts) worst = std::max(worst, score_contact(view, c).natural_map);
  return worst;
}

TEST(LemkeContact, InThePlaneTheYardstickFindsNothing) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    RandomPile<2> pile(seed);
    make_plain(pile, 60, seed % 2 ? 0.5 : 0.0);
    ProblemBuilder<2> builder;
    const ContactProblem p = builder.build(pile.input());
    LemkeContact solver;
    ContactSolution s;
    solver.solve(p, {}, s);
    EXPECT_EQ(s.status, SolveStatus::kConverged) << seed << ": " << text_of(solver.reason()) << " " << s.residual;
    EXPECT_LT(judged(builder, pile, s), 1e-9) << seed;
    const Eigen::Index n = static_cast<Eigen::Index>(p.velocities()), m = static_cast<Eigen::Index>(p.rows());
    const Eigen::Map<const Eigen::VectorXd> v(s.velocities.data(), n), free(p.free_velocity.data(), n),
        r(s.impulses.data(), m);
    EXPECT_LT((v - free - dense_inverse_mass(p) * dense_jacobian(p).transpose() * r).norm(), 1e-12 * v.norm());
  }
}

TEST(LemkeContact, TwoCoefficientsAreLawfulInThePlane) {
  for (unsigned seed = 30; seed < 40; ++seed) {
    RandomPile<2> pile(seed);
    if (pile.contacts.size() > 60) pile.contacts.resize(60);
    for (SolvedContact<2>& c : pile.contacts) c.contact.gap = std::max(0.0, c.contact.gap);
    ProblemBuilder<2> builder;
    const ContactProblem p = builder.build(pile.input());
    LemkeContact solver;
    ContactSolution s;
    solver.solve(p, {}, s);
    EXPECT_EQ(s.status, SolveStatus::kConverged) << seed << ": " << text_of(solver.reason());
    EXPECT_LT(judged(builder, pile, s), 1e-9) << seed;
  }
}

// The pyramid lies within the cone; with more facets the laws of the cone are met better and better.
TEST(LemkeContact, InSpaceThePyramidComesNearTheCone) {
  double few = 0, many = 0;
  for (unsigned seed = 0; seed < 8; ++seed) {
    RandomPile<3> pile(seed);
    make_plain(pile, 16);
    ProblemBuilder<3> builder;
    const ContactProblem p = builder.build(pile.input());
    for (const int facets : {4, 16}) {
      LemkeContact solver;
      ContactSolution s;
      LemkeContactOptions options;
      options.facets = facets;
      solver.solve(p, options, s);
      ASSERT_EQ(s.status, SolveStatus::kConverged) << seed << ": " << text_of(solver.reason()) << " " << s.residual;
      for (const RowBlock& b : p.blocks) {
        const double* r = &s.impulses[b.first_row];
        EXPECT_LE(std::hypot(r[1], r[2]), p.contacts[b.contact].dynamic_friction * r[0] * (1 + 1e-9) + 1e-12);
      }
      (facets == 4 ? few : many) += judged(builder, pile, s);
    }
  }
  EXPECT_LT(many, 0.3 * few);
  EXPECT_GT(few, 0.01);
}

// Without friction velocities are unique: the same as by sweeps, in both dimensions, each contact once or four times.
template <int D>
void compare_without_friction() {
  for (unsigned seed = 0; seed < 6; ++seed) {
    RandomPile<D> pile(seed);
    make_plain(pile, 20);
    for (SolvedContact<D>& c : pile.contacts) c.material.static_friction = c.material.dynamic_friction = 0;
    std::vector<double> expected;
    for (const int copies : {1, 4}) {
      const std::vector<SolvedContact<D>> once = pile.contacts;
      if (copies > 1) {
        pile.contacts.clear();
        for (const SolvedContact<D>& c : once)
          for (int k = 0; k < copies; ++k) pile.contacts.push_back(c);
      }
      ProblemBuilder<D> builder;
      const ContactProblem p = builder.build(pile.input());
      if (copies == 1) {
        NonsmoothGaussSeidel sweeps;
        ContactSolution s;
        sweeps.solve(p, {}, {}, s);
        expected = s.velocities;
      }
      LemkeContact solver;
      ContactSolution s;
      solver.solve(p, {}, s);
      ASSERT_EQ(s.status, SolveStatus::kConverged) << seed << ": " << text_of(solver.reason());
      for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(s.velocities[i], expected[i], 1e-7);
    }
  }
}
TEST(LemkeContact, AgreesWithSweepsWithoutFriction) {
  compare_without_friction<2>();
  compare_without_friction<3>();
}

TEST(LemkeContact, EqualitiesLimitsAndMotors) {
  for (const double strength : {0.5, 5.0}) {
    const ProblemData d = motor_against_limit(strength);
    LemkeContact solver;
    ContactSolution s;
    solver.solve(d.view(), {}, s);
    EXPECT_EQ(s.status, SolveStatus::kConverged) << text_of(solver.reason()) << s.residual;
    for (const double v : s.velocities) EXPECT_NEAR(v, speed_of_motor_against_limit(strength), 1e-12);
    EXPECT_NEAR(s.impulses[2], -strength, 1e-12);
    EXPECT_NEAR(s.impulses[3], strength < 1 ? 0 : 2, 1e-12);
  }
}

TEST(LemkeContact, WhatCannotBeIsSaid) {
  ProblemData d;
  d.h = 0.01;
  const Clique c = d.add_clique(1);
  d.mass[c.mass] = d.inverse_mass[c.mass] = 1;
  for (const double side : {1.0, -1.0}) {  // not slower than 1, and not faster than −1
    const RowBlock limit = d.add_block(BlockKind::kLimit, 1, Clique::kNone, 0);
    d.jacobian[limit.jacobian_b] = side, d.correction[limit.first_row] = -1;
  }
  LemkeContact solver;
  ContactSolution s;
  solver.solve(d.view(), {}, s);
  EXPECT_EQ(s.status, SolveStatus::kStalled);
  EXPECT_EQ(solver.reason(), LcpStatus::kRay);
  EXPECT_TRUE(std::isfinite(s.velocities[0]));
  d.free_velocity[0] = std::numeric_limits<double>::quiet_NaN();
  solver.solve(d.view(), {}, s);
  EXPECT_EQ(solver.reason(), LcpStatus::kNotFinite);
  solver.solve(ContactProblem{}, {}, s);
  EXPECT_EQ(s.status, SolveStatus::kConverged);
}

}  // namespace
}  // namespace touchstone::testing

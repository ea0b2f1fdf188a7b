// Newton's method on friction pyramids against pivoting, and from guesses.
#include "contact/solvers/pyramid_newton.h"

#include <gtest/gtest.h>

#include <numbers>

#include "contact/contact_laws.h"
#include "contact/random_pile.h"
#include "contact/solvers/lemke_contact.h"

namespace touchstone::testing {
namespace {

template <int D>
RandomPile<D> plain_pile(unsigned seed, std::size_t contacts) {
  RandomPile<D> pile(seed);
  if (pile.contacts.size() > contacts) pile.contacts.resize(contacts);
  for (SolvedContact<D>& c : pile.contacts) {
    c.material.static_friction = c.material.dynamic_friction;
    c.contact.gap = std::max(0.0, c.contact.gap);
  }
  return pile;
}

// The laws of a pyramid, island by island: what LemkeContact does without its pivoting.
bool solve_all(const ContactProblem& p, int facets, int rounds, std::vector<double>& impulses, std::int64_t& systems) {
  IslandList islands;
  IslandMatrix matrix;
  PyramidNewton newton;
  islands.split(p);
  bool fine = true;
  systems = 0;
  for (std::size_t i = 0; i < islands.size(); ++i) {
    matrix.load(p, islands.blocks(i));
    const PyramidNewtonResult r = newton.solve(p, islands.blocks(i), matrix, {facets, 1e-10, rounds}, {}, {}, impulses);
    fine &= r.converged;
    systems += r.iterations;
  }
  return fine;
}

TEST(PyramidNewton, InThePlaneTheYardstickFindsNothing) {
  int solved = 0;
  for (unsigned seed = 0; seed < 40; ++seed) {
    RandomPile<2> pile = plain_pile<2>(seed, 60);
    ProblemBuilder<2> builder;
    const ContactProblem p = builder.build(pile.input());
    std::vector<double> r(p.rows(), 0.0), v(p.velocities()), momentum(p.velocities(), 0.0);
    std::int64_t systems = 0;
    if (!solve_all(p, 8, 8, r, systems)) continue;
    ++solved;
    add_momentum(p, r, momentum);
    solve_mass(p, momentum, v);
    for (std::size_t i = 0; i < v.size(); ++i) v[i] += p.free_velocity[i];
    std::vector<Twist<2>> after = pile.free;
    builder.read_velocities(v, after);
    for (std::size_t i = 0; i < pile.contacts.size(); ++i) pile.contacts[i].impulse = builder.contact_impulse(i, r);
    const SolveView<2> view{false, 0, pile.h, pile.bodies, pile.state, pile.contacts, pile.before, pile.free, after};
    for (const SolvedContact<2>& c : pile.contacts) EXPECT_LT(score_contact(view, c).natural_map, 1e-9) << seed;
    // From its own answer, one look is enough.
    EXPECT_TRUE(solve_all(p, 8, 1, r, systems));
    EXPECT_LE(systems, static_cast<std::int64_t>(p.contacts.size() > 0));
  }
  EXPECT_GE(solved, 34);  // no proof that it must end: these cases are far from any step of a run
  RecordProperty("solved_of_40", solved);
}

// In 3D every answer is judged by the linear complementarity problem that pivoting would solve: another formulation.
TEST(PyramidNewton, InSpaceItSolvesThePivotsProblem) {
  int solved = 0;
  for (unsigned seed = 0; seed < 12; ++seed) {
    RandomPile<3> pile = plain_pile<3>(seed, 16);
    ProblemBuilder<3> builder;
    const ContactProblem p = builder.build(pile.input());
    std::vector<double> r(p.rows(), 0.0), u(p.rows());
    std::int64_t systems = 0;
    if (!solve_all(p, 8, 8, r, systems)) continue;
    ++solved;
    IslandList islands;
    IslandMatrix matrix;
    islands.split(p);
    for (std::size_t i = 0; i < islands.size(); ++i) {
      matrix.load(p, islands.blocks(i));
      matrix.velocities_in(r, u);
      for (const std::uint32_t k : islands.blocks(i)) {
        const RowBlock& b = p.blocks[k];
        const double *x = &r[b.first_row], *w = &u[b.first_row], mu = p.contacts[b.contact].dynamic_friction;
        EXPECT_GE(x[0], 0);
        EXPECT_GT(w[0], -1e-9);
        EXPECT_LT(std::min(x[0], w[0]), 1e-9);
        // β on directions around r_T, and λ the greatest −d·u: 0 <= d·u + λ, with equality wherever β acts.
        double slip = 0, most = 0;
        for (int d = 0; d < 8; ++d) {
          const double a = 2 * std::numbers::pi * d / 8, next = a + std::numbers::pi / 8;
          slip = std::max(slip, -(std::cos(a) * w[1] + std::sin(a) * w[2]));
          most = std::max(most, (std::cos(next) * x[1] + std::sin(next) * x[2]) / std::cos(std::numbers::pi / 8));
        }
        EXPECT_LT(most, mu * x[0] + 1e-9);  // within the pyramid
        if (x[0] > 1e-9) {                  // takes all it can
          EXPECT_NEAR(-(x[1] * w[1] + x[2] * w[2]), mu * x[0] * slip, 1e-8);
        }
      }
    }
  }
  EXPECT_GE(solved, 9);
  RecordProperty("solved_of_12", solved);
}

// The same contacts eight times: singular systems, the same motion.
TEST(PyramidNewton, RepeatedContactsMoveTheSame) {
  for (unsigned seed = 0; seed < 6; ++seed) {
    RandomPile<2> pile = plain_pile<2>(seed, 8), more = pile;
    more.contacts.clear();
    for (const SolvedContact<2>& c : pile.contacts)
      for (int k = 0; k < 8; ++k) more.contacts.push_back(c);
    ProblemBuilder<2> once, eight;
    LemkeContactOptions options;
    options.newton = true;
    LemkeContact a, b;
    ContactSolution x, y;
    a.solve(once.build(pile.input()), options, x);
    b.solve(eight.build(more.input()), options, y);
    EXPECT_EQ(x.status, SolveStatus::kConverged);
    EXPECT_EQ(y.status, SolveStatus::kConverged);
    for (std::size_t i = 0; i < x.velocities.size(); ++i) EXPECT_NEAR(x.velocities[i], y.velocities[i], 1e-7) << seed;
  }
}

}  // namespace
}  // namespace touchstone::testing

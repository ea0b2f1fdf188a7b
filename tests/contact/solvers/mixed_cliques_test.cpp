// Every registered solver on cliques that are no bodies: of other sizes, with masses that are operators, and touching
// themselves.
#include "contact/mixed_cliques.h"

#include <gtest/gtest.h>

#include <string>

#include "contact/problem_yardstick.h"
#include "contact/solvers/newton_island.h"
#include "contact/solvers/nonsmooth_gauss_seidel.h"
#include "contact/solvers/registry.h"

namespace touchstone::testing {
namespace {

class OnMixedCliques : public ::testing::TestWithParam<const SolverInfo*> {
 protected:
  bool coulomb() const { return GetParam()->law == kCoulombLaw; }
  ContactSolution solve(const ContactProblem& p) const {
    ContactSolution out;
    GetParam()->make()->solve(p, {1e-10, 200000}, {}, out);
    EXPECT_EQ(out.status, SolveStatus::kConverged) << out.reason << ", " << out.residual;
    return out;
  }
};
std::vector<const SolverInfo*> all_solvers() {
  std::vector<const SolverInfo*> out;
  for (const SolverInfo& info : contact_solvers()) out.push_back(&info);
  return out;
}
INSTANTIATE_TEST_SUITE_P(Solvers, OnMixedCliques, ::testing::ValuesIn(all_solvers()),
                         [](const auto& i) { return std::string(i.param->name); });

double worst_error(const ContactProblem& p, const ContactSolution& s) {
  const StepMeasures m = judge_problem(p, s.impulses, s.velocities, 0);
  EXPECT_LT(m.momentum_error.worst, 1e-12);
  return std::max(m.natural_map_velocity.worst, m.joint_velocity.worst);
}

// As asked for; pivoting is exact to rounding. `dantzig` adds 1e-10 to the diagonal of W (its `regularisation`), and
// phase 1 of `convex` leaves 1e-6 of the fastest velocity open (kRoom in convex_island.cpp): 17 m/s here.
double own_tolerance(const std::string& solver) {
  return solver == "convex" ? 1.7e-5 : solver == "dantzig" ? 3e-9 : 1.01e-10;
}

// Without friction all laws are one.
TEST_P(OnMixedCliques, IsSolvedWithoutFriction) {
  for (unsigned seed = 0; seed < 3; ++seed)
    for (const bool factors : {false, true}) {
      const MixedCliques mixed(seed, 0, factors);
      check_problem(mixed.view());
      EXPECT_LT(worst_error(mixed.view(), solve(mixed.view())), own_tolerance(GetParam()->name)) << seed << factors;
    }
}

TEST_P(OnMixedCliques, IsSolvedWithFriction) {
  for (unsigned seed = 0; seed < 3; ++seed)
    for (const bool factors : {false, true}) {
      const MixedCliques mixed(seed, 0.3, factors);
      const ContactSolution s = solve(mixed.view());
      if (!coulomb()) continue;
      EXPECT_LT(worst_error(mixed.view(), s), 1.01e-10) << seed << factors;
    }
}

// The operator changes how masses are applied, not the answer.
TEST_P(OnMixedCliques, OperatorsGiveTheAnswerOfNumbers) {
  const MixedCliques numbers(4, 0.2, false), factors(4, 0.2, true);
  const ContactSolution a = solve(numbers.view()), b = solve(factors.view());
  for (std::size_t i = 0; i < a.velocities.size(); ++i) EXPECT_NEAR(a.velocities[i], b.velocities[i], 1e-7);
}

// A chain of 7 links that touches itself. The rows of its two sides are nearly the same: J·M⁻¹·Jᵀ of the contact is
// (1 − coupling) of what both sides alone would have.
ProblemData touching_itself(double coupling, double friction) {
  ProblemData d;
  d.h = 0.01;
  const Clique c = d.add_clique(7);
  for (std::uint32_t k = 0; k < 7; ++k)
    d.mass[c.mass + 8 * k] = 2, d.inverse_mass[c.mass + 8 * k] = 0.5, d.free_velocity[c.first + k] = k % 2 ? -0.3 : 0.4;
  RowBlock& b = d.add_block(BlockKind::kContact, 3, 0, 0);
  const double beside = std::sqrt(1 - coupling * coupling);
  for (std::uint32_t i = 0; i < 3; ++i) {
    d.jacobian[b.jacobian_a + 7 * i + i] += 1;
    d.jacobian[b.jacobian_b + 7 * i + i] -= coupling;
    d.jacobian[b.jacobian_b + 7 * i + i + 3] += beside;
  }
  d.surface[b.first_row] = -1;
  ContactLaw law;
  law.static_friction = law.dynamic_friction = friction;
  d.contacts.push_back(law);
  check_problem(d.view());
  return d;
}

TEST_P(OnMixedCliques, CliqueThatTouchesItself) {
  for (const double coupling : {0.0, 0.9, 0.999}) {
    const ProblemData d = touching_itself(coupling, 0.4);
    const ContactSolution s = solve(d.view());
    EXPECT_GT(s.impulses[0], 0);
    if (!coulomb()) continue;
    EXPECT_LT(worst_error(d.view(), s), 1.01e-10) << coupling;
  }
}

// With a block's own part of W without the cross terms, a sweep goes the wrong way by the coupling: 267 sweeps at 0.9,
// and more than a limit at 0.999. With them one contact alone is solved by one sweep, and a second sees that.
TEST(SelfContact, TakesOneSweep) {
  for (const double coupling : {0.9, 0.999}) {
    const ProblemData d = touching_itself(coupling, 0.4);
    NonsmoothGaussSeidel solver;
    GaussSeidelOptions options;
    options.accelerate = false;
    ContactSolution s;
    solver.solve(d.view(), options, {}, s);
    EXPECT_EQ(s.status, SolveStatus::kConverged);
    EXPECT_LE(s.iterations, 2) << coupling;
  }
}

TEST_P(OnMixedCliques, OneCliqueOnBothSidesIsRefused) {
  ProblemData d = touching_itself(0.9, 0.4);
  d.blocks[0].clique_a = d.blocks[0].clique_b;
  ContactSolution s;
  GetParam()->make()->solve(d.view(), {}, {}, s);
  EXPECT_EQ(s.status, SolveStatus::kBadInput);
  EXPECT_NE(std::string(s.reason).find("one clique on both sides"), std::string::npos) << s.reason;
}

// A dense route of no rows at all: what is solved then is solved in the velocities of the cliques.
double solve_sparse(const ContactProblem& p, bool& too_large) {
  std::vector<std::uint32_t> blocks(p.blocks.size());
  for (std::uint32_t k = 0; k < blocks.size(); ++k) blocks[k] = k;
  NewtonIsland island;
  island.load(p, blocks);
  NewtonIslandOptions options;
  options.most_rows = 0;
  std::vector<double> impulses(p.rows(), 0.0);
  const double left = island.solve(p, options, impulses);
  too_large = island.too_large();
  return left;
}

TEST(NewtonOnCliques, IsSparseUpToSixtyUnknowns) {
  bool too_large = true;
  for (const bool factors : {false, true}) {
    const MixedCliques mixed(1, 0.3, factors, true, 3);         // more rows than a clique has unknowns
    EXPECT_LT(solve_sparse(mixed.view(), too_large), 1.1e-10);  // it cuts impulses to their bounds in the end
    EXPECT_FALSE(too_large);
  }
}

}  // namespace
}  // namespace touchstone::testing

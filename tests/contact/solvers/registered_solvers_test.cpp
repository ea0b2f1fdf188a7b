// Every registered solver on what none of them likes, and on what all of them must agree on.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "contact/problem_yardstick.h"
#include "contact/random_pile.h"
#include "contact/solvers/registry.h"
#include "dynamics/joint_builders.h"

namespace touchstone::testing {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity(), kNan = std::numeric_limits<double>::quiet_NaN();

class Registered : public ::testing::TestWithParam<const SolverInfo*> {
 protected:
  ContactSolution solve(const ContactProblem& p, SolverSettings settings = {}) const {
    ContactSolution out;
    GetParam()->make()->solve(p, settings, {}, out);
    EXPECT_EQ(out.impulses.size(), p.rows());
    EXPECT_EQ(out.velocities.size(), p.velocities());
    for (const double x : out.impulses) EXPECT_TRUE(std::isfinite(x));
    for (const double x : out.velocities) EXPECT_TRUE(std::isfinite(x));
    if (out.status != SolveStatus::kConverged) {
      EXPECT_STRNE(out.reason, "");
    }
    return out;
  }
  bool coulomb() const { return GetParam()->law == kCoulombLaw; }
};
class RegisteredOfCoulombsLaw : public Registered {};
std::vector<const SolverInfo*> solvers(bool all) {
  std::vector<const SolverInfo*> out;
  for (const SolverInfo& info : contact_solvers())
    if (all || info.law == kCoulombLaw) out.push_back(&info);
  return out;
}
INSTANTIATE_TEST_SUITE_P(Solvers, Registered, ::testing::ValuesIn(solvers(true)),
                         [](const auto& i) { return std::string(i.param->name); });
INSTANTIATE_TEST_SUITE_P(Solvers, RegisteredOfCoulombsLaw, ::testing::ValuesIn(solvers(false)),
                         [](const auto& i) { return std::string(i.param->name); });

// A body of 2 kg in the plane on `copies` of one contact below its centre; it falls and slides.
ProblemData block_on_floor(double friction, int copies = 1) {
  ProblemData d;
  d.h = 0.01;
  d.add_clique(3);
  d.mass = {2, 0, 0, 0, 2, 0, 0, 0, 0.5};
  d.inverse_mass = {0.5, 0, 0, 0, 0.5, 0, 0, 0, 2};
  d.start_velocity = d.free_velocity = {0.4, -1, 0.3};  // x, y, turn
  for (int i = 0; i < copies; ++i) {
    d.contacts.emplace_back();
    d.contacts.back().static_friction = d.contacts.back().dynamic_friction = friction;
    RowBlock& b = d.add_block(BlockKind::kContact, 2, Clique::kNone, 0);
    b.contact = static_cast<std::uint32_t>(i), b.key = static_cast<std::uint64_t>(i);
    const double j[] = {0, 1, 0.2, 1, 0, 0.5};
    std::copy_n(j, 6, &d.jacobian[b.jacobian_b]);
  }
  check_problem(d.view());
  return d;
}
double row_velocity(const ProblemData& d, const ContactSolution& s, std::size_t row) {
  std::vector<double> u(d.restitution.size());
  multiply_jacobian(d.view(), s.velocities, u);
  return u[row] + d.view().bias(row);
}

TEST_P(Registered, NumbersThatAreNoneAreRefused) {
  std::vector<double> ProblemData::*const members[] = {&ProblemData::inverse_mass, &ProblemData::free_velocity,
                                                       &ProblemData::jacobian,     &ProblemData::restitution,
                                                       &ProblemData::correction,   &ProblemData::surface};
  for (const double bad : {kNan, kInfinity})
    for (const auto member : members) {
      ProblemData d = block_on_floor(0.5);
      (d.*member)[0] = bad;
      EXPECT_EQ(solve(d.view()).status, SolveStatus::kBadInput);
    }
  ProblemData d = block_on_floor(0.5);
  d.contacts[0].static_friction = kNan;
  EXPECT_EQ(solve(d.view()).status, SolveStatus::kBadInput);
  d = block_on_floor(0.5);
  d.contacts[0].dynamic_friction = -0.1;
  EXPECT_EQ(solve(d.view()).status, SolveStatus::kBadInput);
  d = block_on_floor(0.5);
  d.lower[0] = 1, d.upper[0] = -1;
  EXPECT_EQ(solve(d.view()).status, SolveStatus::kBadInput);
}

TEST_P(Registered, NothingTouches) {
  EXPECT_EQ(solve(ProblemData{}.view()).status, SolveStatus::kConverged);
  ProblemData d = block_on_floor(0.5, 0);
  const ContactSolution s = solve(d.view());
  EXPECT_EQ(s.status, SolveStatus::kConverged);
  EXPECT_EQ(s.velocities, d.free_velocity);
}

TEST_P(Registered, NoFriction) {
  const ProblemData d = block_on_floor(0);
  const ContactSolution s = solve(d.view());
  EXPECT_EQ(s.status, SolveStatus::kConverged) << s.reason;
  EXPECT_NEAR(row_velocity(d, s, 0), 0, 1e-9);
  EXPECT_NEAR(s.velocities[0], 0.4, 1e-12);
  EXPECT_EQ(s.impulses[1], 0);
}

TEST_P(Registered, EndlessFrictionSticksAndIsCalledSolved) {
  const ProblemData d = block_on_floor(kInfinity);
  const ContactSolution s = solve(d.view());
  EXPECT_EQ(s.status, SolveStatus::kConverged) << s.reason;
  EXPECT_GT(s.impulses[0], 0);
  // Its normal impulses are those without friction, which are too small here: the body slips, whatever μ.
  if (std::string(GetParam()->name) == "convex") return;
  EXPECT_NEAR(row_velocity(d, s, 0), 0, 1e-8);
  EXPECT_NEAR(row_velocity(d, s, 1), 0, 1e-8);
  EXPECT_LT(judge_problem(d.view(), s.impulses, s.velocities, 0).natural_map.worst, 1e-7);
  ProblemData opens = block_on_floor(kInfinity);
  opens.free_velocity = {0.4, 1, 0.3};
  const ContactSolution o = solve(opens.view());
  EXPECT_EQ(o.status, SolveStatus::kConverged) << o.reason;
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(o.velocities[i], opens.free_velocity[i], 1e-9);
}

TEST_P(Registered, TheSameContactEightTimesIsTheSameMotion) {
  for (const double friction : {0.0, 0.1, 0.7}) {
    const ContactSolution one = solve(block_on_floor(friction).view()),
                          many = solve(block_on_floor(friction, 8).view());
    EXPECT_EQ(one.status, SolveStatus::kConverged) << one.reason;
    EXPECT_EQ(many.status, SolveStatus::kConverged) << many.reason;
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(many.velocities[i], one.velocities[i], 2e-6) << friction;
  }
}

TEST_P(Registered, ContactThatOnlyGivesWayAlongItsNormal) {
  ProblemData d;
  d.h = 0.01;
  d.add_clique(1);
  d.mass = {2}, d.inverse_mass = {0.5}, d.free_velocity = {-1};
  d.contacts.emplace_back();
  d.contacts[0].static_friction = d.contacts[0].dynamic_friction = 0.5;
  d.add_block(BlockKind::kContact, 3, Clique::kNone, 0);
  d.jacobian = {1, 0, 0};
  const ContactSolution s = solve(d.view());
  EXPECT_NEAR(s.velocities[0], 0, 1e-8) << s.reason;
}

TEST_P(Registered, MassesThatAreNegativeHaveAReason) {
  ProblemData d = block_on_floor(0.5);
  for (double& x : d.mass) x = -x;
  for (double& x : d.inverse_mass) x = -x;
  const ContactSolution s = solve(d.view());
  EXPECT_NE(s.status, SolveStatus::kConverged);
  // One that has both signs: an answer may be found, but then it must be one.
  ProblemData two;
  two.h = 0.01;
  two.add_clique(2);
  two.mass = two.inverse_mass = {1, 2, 2, 1};
  two.free_velocity = {-1, -2};
  for (int i = 0; i < 2; ++i) two.add_block(BlockKind::kEquality, 1, Clique::kNone, 0);
  two.jacobian = {1, 0, 0, 1};
  const ContactSolution t = solve(two.view());
  if (t.status == SolveStatus::kConverged)
    EXPECT_LT(judge_problem(two.view(), t.impulses, t.velocities, 0).joint_velocity.worst, 1e-8);
  else
    EXPECT_NE(std::string(t.reason).find("semi-definite"), std::string::npos) << t.reason;
}

// One contact with W = [1 3 0; 3 1 0; 0 0 1], whose sweeps grow and grow: what is given is no worse than nothing.
TEST_P(Registered, DivergingImpulsesAreNotGiven) {
  ProblemData d;
  d.h = 0.01;
  d.add_clique(3);
  d.mass = d.inverse_mass = {1, 3, 0, 3, 1, 0, 0, 0, 1};
  d.start_velocity = d.free_velocity = {-1, 0.9, 0};
  d.contacts.emplace_back();
  d.contacts.back().static_friction = d.contacts.back().dynamic_friction = 0.5;
  d.add_block(BlockKind::kContact, 3, Clique::kNone, 0).contact = 0;
  d.jacobian = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  const ContactProblem p = d.view();
  const ContactSolution s = solve(p);
  const std::vector<double> none(3, 0.0);
  const double without = judge_problem(p, none, p.free_velocity, 0).natural_map.worst;
  EXPECT_GT(without, 0.1);
  if (s.status != SolveStatus::kConverged) {
    EXPECT_LE(judge_problem(p, s.impulses, s.velocities, 0).natural_map.worst, without) << s.reason;
  }
}

TEST_P(Registered, JointsThatContradictEachOtherAreNamed) {
  ProblemData d = block_on_floor(0.5);
  for (int i = 0; i < 2; ++i) {
    RowBlock& b = d.add_block(BlockKind::kEquality, 1, Clique::kNone, 0);
    b.key = 100 + static_cast<std::uint64_t>(i);
    d.jacobian[b.jacobian_b] = 1;
    d.surface[b.first_row] = i == 0 ? 1.0 : -1.0;  // v_x is to be −1 and 1
  }
  const ContactSolution s = solve(d.view());
  EXPECT_NE(s.status, SolveStatus::kConverged);
  EXPECT_NE(std::string(s.reason).find("contradict"), std::string::npos) << s.reason;
  for (const double v : s.velocities) EXPECT_LT(std::abs(v), 10);
}

template <int D>
void add_joints(std::vector<Joint<D>>& joints) {
  Dice dice(5);
  for (const JointKind kind : joints_of_equations<D>()) {
    Joint<D> j = random_joined<D>(kind, dice).joint;
    j.body_a = 2 + 2 * static_cast<std::uint32_t>(joints.size()), j.body_b = j.body_a + 1;
    joints.push_back(j);
  }
}

template <int D>
void agree(const SolverInfo& info, double friction, unsigned seed, double tolerance) {
  RandomPile<D> pile(seed);
  pile.contacts.resize(std::min<std::size_t>(pile.contacts.size(), 16));
  for (SolvedContact<D>& c : pile.contacts) c.material.static_friction = c.material.dynamic_friction = friction;
  std::vector<Joint<D>> joints;
  add_joints<D>(joints);
  ProblemInput<D> in = pile.input();
  in.joints = joints;
  in.impact = true;
  ProblemBuilder<D> builder;
  const ContactProblem p = builder.build(in);
  ContactSolution reference, s;
  find_contact_solver("nsgs")->make()->solve(p, {1e-11, 200000}, {}, reference);
  ASSERT_EQ(reference.status, SolveStatus::kConverged) << reference.reason;
  info.make()->solve(p, {1e-10, 0}, {}, s);
  EXPECT_EQ(s.status, SolveStatus::kConverged) << info.name << ": " << s.reason << ", " << s.residual;
  double worst = 0;
  for (std::size_t i = 0; i < s.velocities.size(); ++i)
    worst = std::max(worst, std::abs(s.velocities[i] - reference.velocities[i]));
  EXPECT_LT(worst, tolerance) << info.name << " in " << D << "D, μ " << friction << ", seed " << seed;
}

// Without friction all theories are one, and the velocities are unique.
TEST_P(Registered, AgreeWhereThereIsNoFriction) {
  for (unsigned seed = 0; seed < 3; ++seed) {
    agree<2>(*GetParam(), 0, seed, 1e-6);
    agree<3>(*GetParam(), 0, seed, 1e-6);
  }
}

TEST_P(RegisteredOfCoulombsLaw, AgreeUnderLittleFriction) {
  for (unsigned seed = 0; seed < 3; ++seed) {
    agree<2>(*GetParam(), 0.05, seed, 1e-6);
    agree<3>(*GetParam(), 0.05, seed, 1e-6);
  }
}

}  // namespace
}  // namespace touchstone::testing

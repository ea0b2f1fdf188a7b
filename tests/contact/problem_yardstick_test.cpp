// The yardstick on problems: the same numbers as for the step that the problem came from, for right and wrong answers;
// and the Delassus operator by all its routes.
#include "contact/problem_yardstick.h"

#include <gtest/gtest.h>

#include "contact/contact_laws.h"
#include "contact/delassus.h"
#include "contact/random_pile.h"
#include "contact/solvers/registry.h"
#include "contact/yardstick.h"
#include "dynamics/joint_builders.h"

namespace touchstone::testing {
namespace {

template <class T>
class ProblemYardstick : public ::testing::Test {};
template <int D>
using Dim = std::integral_constant<int, D>;
using Dimensions = ::testing::Types<Dim<2>, Dim<3>>;
TYPED_TEST_SUITE(ProblemYardstick, Dimensions);

constexpr double kGravity = 9.81;

// By the yardstick of worlds: contacts, bodies and twists, no rows.
template <int D>
StepMeasures judge_as_step(RandomPile<D>& pile, const ProblemBuilder<D>& builder, std::span<const double> r,
                           std::span<const double> v) {
  std::vector<Twist<D>> after = pile.free;
  builder.read_velocities(v, after);
  for (std::size_t i = 0; i < pile.contacts.size(); ++i) pile.contacts[i].impulse = builder.contact_impulse(i, r);
  const Parallel parallel(1);
  Yardstick<D> yardstick;
  yardstick.begin(kGravity, parallel);
  yardstick.solved({false, 0, pile.h, pile.bodies, pile.state, pile.contacts, pile.before, pile.free, after});
  return yardstick.finish();
}

void expect_same(const StepMeasures& a, const StepMeasures& b) {
  EXPECT_EQ(a.contacts, b.contacts);
  for (const MeasureInfo& info : measure_infos()) {
    if (info.value == &StepMeasures::momentum_error) continue;  // as velocity here, as momentum there
    const Measure &x = a.*info.value, &y = b.*info.value;
    EXPECT_NEAR(x.worst, y.worst, 1e-11 * std::max(1.0, std::abs(y.worst))) << info.name;
    EXPECT_NEAR(x.mean, y.mean, 1e-11 * std::max(1.0, std::abs(y.mean))) << info.name;
  }
}

TYPED_TEST(ProblemYardstick, SaysTheSameAsForTheStepOfRightAndWrongAnswers) {
  constexpr int D = TypeParam::value;
  for (unsigned seed = 0; seed < 8; ++seed) {
    RandomPile<D> pile(seed);
    for (SolvedContact<D>& c : pile.contacts) {
      // Of penetrations the step excuses a push, which a problem states; gaps that are small against the bodies count
      // as closed in a step, and a problem knows no sizes.
      constexpr double kSmall = 1e-3;
      c.contact.gap = std::abs(c.contact.gap) < kSmall ? 0.0 : std::abs(c.contact.gap);
      c.restitution = seed % 2 ? 0.5 : 0.0;
    }
    ProblemBuilder<D> builder;
    const ContactProblem p = builder.build(pile.input());
    ContactSolution s;
    find_contact_solver("nsgs")->make()->solve(p, {1e-11, 0}, {}, s);
    ASSERT_EQ(s.status, SolveStatus::kConverged);
    const StepMeasures right = judge_problem(p, s.impulses, s.velocities, kGravity);
    EXPECT_LT(right.natural_map.worst, 1e-9);
    EXPECT_LT(right.momentum_error.worst, 1e-13);
    expect_same(right, judge_as_step<D>(pile, builder, s.impulses, s.velocities));

    std::vector<double> r = s.impulses, v = s.velocities;
    for (double& x : r) x += pile.number(-1, 1);
    for (double& x : v) x += pile.number(-1, 1);
    const StepMeasures wrong = judge_problem(p, r, v, kGravity);
    EXPECT_GT(wrong.natural_map.worst, 1e-2);
    EXPECT_GT(wrong.cone.worst, 1e-2);
    EXPECT_GT(wrong.momentum_error.worst, 1e-2);
    // Both yardsticks must object, by the same amount; the energy of velocities that no impulse explains is not the
    // impulses' work, so that measure is apart.
    StepMeasures step = judge_as_step<D>(pile, builder, r, v);
    step.contact_gain = wrong.contact_gain;
    expect_same(wrong, step);
  }
}

TYPED_TEST(ProblemYardstick, JudgesJointsToo) {
  constexpr int D = TypeParam::value;
  RandomPile<D> pile(2);
  Dice dice(5);
  std::vector<Joint<D>> joints;
  for (const JointKind kind : joints_of_equations<D>()) {
    Joint<D> j = random_joined<D>(kind, dice).joint;
    j.body_a = 2 + static_cast<std::uint32_t>(joints.size()), j.body_b = j.body_a + 10;
    joints.push_back(j);
  }
  ProblemInput<D> in = pile.input();
  in.joints = joints;
  ProblemBuilder<D> builder;
  const ContactProblem p = builder.build(in);
  std::vector<double> none(p.rows(), 0.0), u(p.rows());
  free_relative_velocity(p, u);
  double worst = 0;
  for (const RowBlock& b : p.blocks)
    if (b.kind == BlockKind::kEquality) {
      double sum = 0;
      for (std::uint32_t i = 0; i < b.rows; ++i) sum += u[b.first_row + i] * u[b.first_row + i];
      worst = std::max(worst, std::sqrt(sum));
    }
  const StepMeasures m = judge_problem(p, none, p.free_velocity, kGravity);
  EXPECT_GT(worst, 0.1);
  EXPECT_GE(m.joint_velocity.worst, worst * (1 - 1e-12));
}

TYPED_TEST(ProblemYardstick, DenseSparseAndMatrixFreeOperatorsAgree) {
  constexpr int D = TypeParam::value;
  for (unsigned seed = 0; seed < 10; ++seed) {
    RandomPile<D> pile(seed);
    ProblemBuilder<D> builder;
    const ContactProblem p = builder.build(pile.input());
    Delassus delassus;
    delassus.prepare(p);
    const Eigen::MatrixXd dense = delassus.dense();
    const SparseRows sparse = sparse_delassus(p);
    EXPECT_LT((dense - Eigen::MatrixXd(sparse)).norm(), 1e-12 * dense.norm());
    EXPECT_LT(sparse.nonZeros(), dense.size() / 2);
    Eigen::VectorXd r(dense.rows()), u(dense.rows());
    for (double& x : r) x = pile.number(-1, 1);
    delassus.apply({r.data(), p.rows()}, {u.data(), p.rows()});
    EXPECT_LT((sparse * r - u).norm(), 1e-12 * u.norm());
    EXPECT_LT((dense * r - u).norm(), 1e-12 * u.norm());
  }
}

TEST(ProblemYardstickOfNothing, IsZero) {
  ProblemData data;
  data.h = 1;
  const StepMeasures m = judge_problem(data.view(), {}, {}, kGravity);
  EXPECT_TRUE(m.measured);
  EXPECT_EQ(m.contacts, 0);
  for (const MeasureInfo& info : measure_infos()) EXPECT_EQ((m.*info.value).worst, 0) << info.name;
}

// One contact of unit masses, W = 1, μ = 0.5 or without end, with the numbers given.
StepMeasures judge_one(const std::vector<double>& impulse, const std::vector<double>& velocity,
                       const std::vector<double>& free, double friction = 0.5) {
  ProblemData d;
  d.h = 0.01;
  d.add_clique(3);
  d.mass = d.inverse_mass = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  d.start_velocity = d.free_velocity = free;
  d.contacts.emplace_back();
  d.contacts.back().static_friction = d.contacts.back().dynamic_friction = friction;
  d.add_block(BlockKind::kContact, 3, Clique::kNone, 0).contact = 0;
  d.jacobian = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  return judge_problem(d.view(), impulse, velocity, 0);
}

// The worst of some numbers is not a number if one of them is not: comparisons alone would drop it and call it right.
TEST(ProblemYardstickNotFinite, IsNeverSmall) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  EXPECT_LT(judge_one({1, 0, 0}, {0, 0, 0}, {-1, 0, 0}).natural_map.worst, 1e-15);
  for (const double mu : {0.0, 0.5, inf})
    for (const double bad : {nan, inf, -inf, 1e200})
      for (std::size_t i = 0; i < 3; ++i) {
        std::vector<double> r{1, 0, 0}, u{0, 0, 0}, q{-1, 0, 0};
        r[i] = bad;
        // A great impulse without velocity is lawful, but nothing explains it.
        const StepMeasures pushed = judge_one(r, u, q, mu);
        EXPECT_GT(pushed.momentum_error.worst, 0.1) << mu << " " << bad << " impulse " << i;
        if (!std::isfinite(bad)) {
          EXPECT_EQ(pushed.natural_map.worst, inf) << mu << " " << bad << " impulse " << i;
        }
        r = {1, 0, 0}, u[i] = bad;
        const StepMeasures m = judge_one(r, u, q, mu);
        EXPECT_GT(m.natural_map.worst, 0.1) << mu << " " << bad << " velocity " << i;
        EXPECT_FALSE(std::isnan(m.natural_map.mean));
        u = {0, 0, 0}, q[i] = bad;
        EXPECT_EQ(judge_one(r, u, q, mu).natural_map.worst, inf) << mu << " " << bad << " free velocity " << i;
        EXPECT_EQ(judge_one(r, u, q, mu).momentum_error.worst, inf) << mu << " " << bad << " free velocity " << i;
      }
}

}  // namespace
}  // namespace touchstone::testing

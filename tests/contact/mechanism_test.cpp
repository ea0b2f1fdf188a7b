// Mechanisms as cliques: the same bodies once with their joints as rows, once with generalised velocities that keep the
// joints by themselves, must move alike. The generalised velocities are found by a null space, not by kinematics.
#include "contact/mechanism.h"

#include <gtest/gtest.h>

#include <Eigen/LU>

#include "contact/contact_laws.h"
#include "contact/delassus.h"
#include "contact/dense_operator.h"
#include "contact/problem_yardstick.h"
#include "contact/random_pile.h"
#include "contact/solvers/registry.h"
#include "contact/yardstick.h"
#include "dynamics/joint_builders.h"

namespace touchstone::testing {
namespace {

// Bodies whose velocities, one body after the other, are N·v.
template <int D>
class LinkedBodies : public Mechanism<D> {
 public:
  static constexpr Eigen::Index kSize = D + kAngular<D>;
  LinkedBodies(const RandomPile<D>& pile, std::vector<std::uint32_t> bodies, Eigen::MatrixXd n)
      : bodies_(std::move(bodies)), n_(std::move(n)), maximal_(maximal_mass(pile)), mass_(symmetric()) {}
  std::span<const std::uint32_t> bodies() const override { return bodies_; }
  const SymmetricOperator& mass() const override { return mass_; }
  void add_row(std::uint32_t body, const Vec<D>& linear, const AngVec<D>& angular,
               std::span<double> row) const override {
    Eigen::Matrix<double, kSize, 1> both;
    both << linear, angular;
    const Eigen::Index at = place(body);
    Eigen::Map<Eigen::VectorXd>(row.data(), n_.cols()) += n_.middleRows(at, kSize).transpose() * both;
  }
  // What is left of velocities of the bodies when their joints hold them.
  std::vector<double> held(const std::vector<Twist<D>>& twists) const {
    Eigen::VectorXd all(n_.rows());
    for (const std::uint32_t b : bodies_) all.segment(place(b), kSize) << twists[b].linear, twists[b].angular;
    const Eigen::VectorXd v = mass_.matrix().llt().solve(n_.transpose() * maximal_ * all);
    return {v.begin(), v.end()};
  }
  void spread(std::span<const double> v, std::vector<Twist<D>>& twists) const {
    const Eigen::VectorXd all = n_ * Eigen::Map<const Eigen::VectorXd>(v.data(), n_.cols());
    for (const std::uint32_t b : bodies_) {
      twists[b].linear = all.segment<D>(place(b));
      twists[b].angular = all.segment<kAngular<D>>(place(b) + D);
    }
  }

 private:
  Eigen::Index place(std::uint32_t body) const {
    return kSize * (std::find(bodies_.begin(), bodies_.end(), body) - bodies_.begin());
  }
  Eigen::MatrixXd maximal_mass(const RandomPile<D>& pile) const {
    Eigen::MatrixXd m = Eigen::MatrixXd::Zero(n_.rows(), n_.rows());
    for (const std::uint32_t b : bodies_) {
      const Eigen::Index at = place(b);
      m.block<D, D>(at, at) = pile.bodies.mass[b] * Mat<D>::Identity();
      m.block<kAngular<D>, kAngular<D>>(at + D, at + D) =
          rotate_moments(pile.state.orientation[b], pile.bodies.inertia[b]);
    }
    return m;
  }
  Eigen::MatrixXd symmetric() const {
    const Eigen::MatrixXd m = n_.transpose() * maximal_ * n_;
    return 0.5 * (m + m.transpose());
  }

  std::vector<std::uint32_t> bodies_;
  Eigen::MatrixXd n_, maximal_;
  DenseOperator mass_;
};

constexpr std::uint32_t kFirst = 3, kLinks = 4;

template <int D>
std::vector<Joint<D>> chain() {
  Dice dice(5);
  std::vector<Joint<D>> out;
  for (std::uint32_t i = 0; i + 1 < kLinks; ++i) {
    out.push_back(random_joined<D>(D == 2 ? JointKind::kHinge : JointKind::kBall, dice).joint);
    out.back().body_a = kFirst + i, out.back().body_b = kFirst + i + 1;
  }
  return out;
}

// A pile of bodies, four of them a chain.
template <int D>
struct ChainInPile {
  RandomPile<D> pile;
  std::vector<Joint<D>> joints = chain<D>();
  ProblemBuilder<D> maximal, reduced;
  std::unique_ptr<LinkedBodies<D>> mechanism;
  std::vector<double> before, free;

  ChainInPile(unsigned seed, double friction) : pile(seed) {
    for (SolvedContact<D>& c : pile.contacts) c.material.static_friction = c.material.dynamic_friction = friction;
    // Points that press the chain against itself, so that it has contacts of its own.
    pile.add_pair(kFirst, kFirst + 2), pile.add_pair(kFirst + 1, kFirst + 3);
    std::sort(pile.contacts.begin(), pile.contacts.end(),
              [](const auto& a, const auto& b) { return a.contact.key < b.contact.key; });
    pile.contacts.erase(std::unique(pile.contacts.begin(), pile.contacts.end(),
                                    [](const auto& a, const auto& b) { return a.contact.key == b.contact.key; }),
                        pile.contacts.end());
    for (SolvedContact<D>& c : pile.contacts) c.material.static_friction = c.material.dynamic_friction = friction;
    std::vector<std::uint32_t> links;
    for (std::uint32_t i = 0; i < kLinks; ++i) links.push_back(kFirst + i);
    mechanism = std::make_unique<LinkedBodies<D>>(pile, links, null_space());
    before = mechanism->held(pile.before), free = mechanism->held(pile.free);
    mechanism->spread(before, pile.before), mechanism->spread(free, pile.free);
  }
  Eigen::MatrixXd null_space() {
    ProblemInput<D> in = pile.input();
    in.contacts = {}, in.joints = joints, in.impact = true;
    const ContactProblem p = maximal.build(in);
    const Eigen::Index at = p.cliques[maximal.clique_of(kFirst)].first;
    return dense_jacobian(p).middleCols(at, kLinks * LinkedBodies<D>::kSize).fullPivLu().kernel();
  }
  ContactProblem with_joints() {
    ProblemInput<D> in = pile.input();
    in.joints = joints, in.impact = true;
    return maximal.build(in);
  }
  ContactProblem with_mechanism() {
    inputs = {{mechanism.get(), before, free}};
    ProblemInput<D> in = pile.input();
    in.mechanisms = inputs, in.impact = true;
    return reduced.build(in);
  }
  std::vector<MechanismInput<D>> inputs;
};

template <class T>
class Mechanisms : public ::testing::Test {};
template <int D>
using Dim = std::integral_constant<int, D>;
using Dimensions = ::testing::Types<Dim<2>, Dim<3>>;
TYPED_TEST_SUITE(Mechanisms, Dimensions);

ContactSolution solved(const ContactProblem& p) {
  check_problem(p);
  ContactSolution out;
  find_contact_solver("newton")->make()->solve(p, {1e-12, 0}, {}, out);
  EXPECT_EQ(out.status, SolveStatus::kConverged) << out.reason << " " << out.residual;
  return out;
}

TYPED_TEST(Mechanisms, MoveAsTheirBodiesWithJointsDo) {
  constexpr int D = TypeParam::value;
  int own = 0;
  for (unsigned seed = 0; seed < 5; ++seed) {
    ChainInPile<D> both(seed, 0.05);
    const ContactSolution a = solved(both.with_joints());
    const ContactProblem p = both.with_mechanism();
    EXPECT_EQ(p.operators.size(), 1u);
    const ContactSolution b = solved(p);
    std::vector<Twist<D>> expected = both.pile.free, found = both.pile.free;
    both.maximal.read_velocities(a.velocities, expected);
    both.reduced.read_velocities(b.velocities, found);
    both.mechanism->spread(both.reduced.mechanism_velocities(0, b.velocities), found);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_LT((found[i].linear - expected[i].linear).norm(), 1e-9) << "body " << i << ", seed " << seed;
      EXPECT_LT((found[i].angular - expected[i].angular).norm(), 1e-9) << "body " << i << ", seed " << seed;
    }
    for (std::size_t i = 0; i < both.pile.contacts.size(); ++i) {
      const Contact<D>& c = both.pile.contacts[i].contact;
      if (both.reduced.clique_of(c.body_a) != both.reduced.clique_of(c.body_b)) continue;
      ++own;
      EXPECT_EQ(p.blocks[i].clique_a, Clique::kNone);
      EXPECT_EQ(p.blocks[i].clique_b, both.reduced.clique_of(c.body_b));
    }
  }
  EXPECT_GT(own, 5);
}

// The yardstick on what was solved, by clique; W_ii as the dense matrix has it, also where a mechanism touches itself.
TYPED_TEST(Mechanisms, AreMeasuredByClique) {
  constexpr int D = TypeParam::value;
  ChainInPile<D> both(1, 0.3);
  const ContactProblem p = both.with_mechanism();
  const ContactSolution s = solved(p);
  std::vector<Twist<D>> after = both.pile.free;
  both.reduced.read_velocities(s.velocities, after);
  const std::span<const double> v = both.reduced.mechanism_velocities(0, s.velocities);
  both.mechanism->spread(v, after);
  for (std::size_t i = 0; i < both.pile.contacts.size(); ++i)
    both.pile.contacts[i].impulse = both.reduced.contact_impulse(i, s.impulses);
  const auto measure = [&](const std::vector<double>& end) {
    const SolvedMechanism<D> one{both.mechanism.get(), both.free, both.free, end, {}};
    Yardstick<D> yardstick;
    const Parallel parallel(1);
    yardstick.begin(9.81, parallel);
    yardstick.solved({true,
                      0,
                      both.pile.h,
                      both.pile.bodies,
                      both.pile.state,
                      both.pile.contacts,
                      both.pile.free,
                      both.pile.free,
                      after,
                      {},
                      {&one, 1}});
    return yardstick.finish();
  };
  std::vector<double> end(v.begin(), v.end());
  const StepMeasures right = measure(end);
  EXPECT_LT(right.momentum_error.worst, 1e-13);
  EXPECT_LT(right.natural_map_velocity.worst, 1e-11);
  // Friction and impacts only dissipate. Of what moves as prescribed the work is taken off.
  EXPECT_LT(right.impact_gain.worst, 1e-12);
  end[1] += 1e-6;
  const StepMeasures wrong = measure(end);
  EXPECT_GT(wrong.momentum_error.worst, 1e-9);
  EXPECT_EQ(wrong.momentum_error.body_a, kFirst);
  const SolvedMechanism<D> one{both.mechanism.get(), both.free, both.free, end, {}};
  const SolveView<D> view{
      true,           0,     both.pile.h, both.pile.bodies, both.pile.state, both.pile.contacts, both.pile.free,
      both.pile.free, after, {},          {&one, 1}};
  for (std::size_t i = 0; i < p.blocks.size(); ++i) {
    const double trace = own_block(p, p.blocks[i]).trace();
    EXPECT_NEAR(response_trace(view, both.pile.contacts[i].contact), trace, 1e-11 * trace);
  }
}

// One body as a mechanism has the energy of a body; its momentum error lies between the greater part and both.
TYPED_TEST(Mechanisms, OfOneBodyAreKeptAsABodyIs) {
  constexpr int D = TypeParam::value;
  constexpr Eigen::Index kSize = LinkedBodies<D>::kSize;
  RandomPile<D> pile(2);
  const LinkedBodies<D> alone(pile, {kFirst}, Eigen::MatrixXd::Identity(kSize, kSize));
  std::vector<Twist<D>> after = pile.free;
  for (SolvedContact<D>& c : pile.contacts) c.impulse = pile.template vector<Vec<D>>(1);
  after[kFirst].linear += pile.template vector<Vec<D>>(1), after[kFirst].angular += pile.template vector<AngVec<D>>(1);
  const std::vector<double> before = alone.held(pile.before), free = alone.held(pile.free), end = alone.held(after);
  const SolvedMechanism<D> one{&alone, before, free, end, {}};
  const SolveView<D> as_body{false, 0, pile.h, pile.bodies, pile.state, pile.contacts, pile.before, pile.free, after},
      as_mechanism{false,       0,         pile.h, pile.bodies, pile.state, pile.contacts,
                   pile.before, pile.free, after,  {},          {&one, 1}};
  SolveBalance<D> body, mechanism;
  body.gather(as_body), mechanism.gather(as_mechanism);
  EXPECT_FALSE(body.in_mechanism(kFirst));
  EXPECT_TRUE(mechanism.in_mechanism(kFirst));
  const auto a = body.of_body(as_body, kFirst), b = mechanism.of_mechanism(as_mechanism, 0);
  EXPECT_NEAR(b.energy_gain, a.energy_gain, 1e-13 * std::abs(a.energy_gain));
  EXPECT_NEAR(mechanism.kinetic_energy(as_mechanism), body.kinetic_energy(as_body),
              1e-12 * body.kinetic_energy(as_body));
  // Sizes of impulses add up before they are compared, so that the two agree to a small factor only.
  EXPECT_GT(b.momentum_error, a.momentum_error / 3);
  EXPECT_LT(b.momentum_error, 3 * a.momentum_error);
}

// A limit, a motor and a coupling of coordinates, on generalised velocities of which nobody else knows.
TYPED_TEST(Mechanisms, CoordinatesHaveRows) {
  constexpr int D = TypeParam::value;
  RandomPile<D> pile(4);
  pile.contacts.clear();
  constexpr Eigen::Index kSize = LinkedBodies<D>::kSize;
  const LinkedBodies<D> chain(pile, {kFirst, kFirst + 1}, Eigen::MatrixXd::Identity(2 * kSize, 2 * kSize));
  const std::vector<double> start(2 * kSize, 1.0);
  const auto row = [&](std::initializer_list<std::pair<std::size_t, double>> entries) {
    std::vector<double> out(2 * kSize, 0.0);
    for (const auto& [at, x] : entries) out[at] = x;
    return out;
  };
  const std::vector<double> coupled = row({{0, 1}, {1, -2}}), limited = row({{D, -1}}), driven = row({{2 * D, 1}});
  const double h = pile.h, weak = 1e-3;
  const std::vector<CoordinateRow> rows{{0, coupled, RowKind::kEquality, 0.25 * h},
                                        {0, limited, RowKind::kUpper, 0.5 * h},
                                        {0, driven, RowKind::kMotor, 0, -3.0, 1e9},
                                        {0, driven, RowKind::kFriction, 0, 0, weak / h}};
  const MechanismInput<D> input{&chain, start, start};
  ProblemInput<D> in = pile.input();
  in.mechanisms = {&input, 1}, in.coordinates = rows;
  ProblemBuilder<D> builder;
  const ContactSolution s = solved(builder.build(in));
  const std::span<const double> v = builder.mechanism_velocities(0, s.velocities);
  EXPECT_NEAR(v[0] - 2 * v[1], -0.25, 1e-11);  // the error is gone after h
  EXPECT_NEAR(v[D], 0.5, 1e-11);               // as far as the limit is away
  EXPECT_NEAR(v[2 * D], -3, 1e-11);            // the motor is strong, and friction is not
  EXPECT_NEAR(builder.coordinate_impulses(s.impulses)[3], weak, 1e-14);
  EXPECT_TRUE(builder.joint_impulses(s.impulses).empty());
  std::vector<double> received(2 * kSize, 0.0), momentum(2 * kSize), change(2 * kSize);
  builder.add_mechanism_impulses(0, s.impulses, received);
  for (std::size_t k = 0; k < change.size(); ++k) change[k] = v[k] - start[k];
  chain.mass().multiply(change, momentum);
  for (std::size_t k = 0; k < change.size(); ++k) EXPECT_NEAR(received[k], momentum[k], 1e-12);
}

}  // namespace
}  // namespace touchstone::testing

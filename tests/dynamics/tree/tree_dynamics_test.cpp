// The algorithms of trees against each other: articulated bodies, Newton-Euler, composite bodies, sparse factors and
// impulse responses are separate routes to the same numbers.
#include <gtest/gtest.h>

#include <Eigen/Cholesky>

#include "dynamics/tree/impulse_response.h"
#include "dynamics/tree/random_trees.h"

namespace touchstone {
namespace {

constexpr double kAgreement = 1e-9;  // relative to the greatest number

template <class Check>
void on_random_trees(Check check) {
  TreeDice dice(5);
  for (const bool floating : {false, true})
    for (const std::size_t links : {1, 2, 3, 7, 20, 60})
      for (int trial = 0; trial < 5; ++trial) {
        PlacedTree tree(random_links(links, floating, dice), dice);
        SCOPED_TRACE(testing::Message() << links << " links, floating " << floating << ", trial " << trial);
        check(tree, dice);
        if (testing::Test::HasFatalFailure()) return;
      }
}

TEST(TreeDynamics, ArticulatedBodiesInvertNewtonEuler) {
  on_random_trees([](PlacedTree& t, TreeDice& dice) {
    const std::vector<double> a = dice.numbers(t.model.nv(), 5.0);
    std::vector<Spatial> external(t.model.size());
    for (Spatial& f : external) f = spatial(dice.vector(1.0), dice.vector(3.0));
    std::vector<double> force(t.model.nv()), back(t.model.nv());
    inverse_dynamics(t.model, t.data, t.gravity, a, external, force);
    factor_tree(t.model, t.data);
    forward_dynamics(t.model, t.data, t.gravity, force, external, back);
    ASSERT_LE(greatest_difference(a, back), kAgreement * greatest(a));
  });
}

TEST(TreeDynamics, NewtonEulerIsTheMassMatrixAndABias) {
  on_random_trees([](PlacedTree& t, TreeDice& dice) {
    const std::vector<double> a = dice.numbers(t.model.nv(), 5.0);
    std::vector<double> force(t.model.nv()), bias(t.model.nv()), product(t.model.nv());
    inverse_dynamics(t.model, t.data, t.gravity, a, {}, force);
    inverse_dynamics(t.model, t.data, t.gravity, {}, {}, bias);
    find_mass_matrix(t.model, t.data);
    multiply_mass_matrix(t.model, t.data, a, product);
    const Eigen::VectorXd other = as_vector(product) + as_vector(bias);
    ASSERT_LE((as_vector(force) - other).cwiseAbs().maxCoeff(), kAgreement * greatest(force));
    Eigen::MatrixXd full(t.model.nv(), t.model.nv());
    fill_mass_matrix(t.model, t.data, full);
    ASSERT_LE((full * as_vector(a) - as_vector(product)).cwiseAbs().maxCoeff(), kAgreement * greatest(product));
  });
}

TEST(TreeDynamics, SparseFactorSolves) {
  on_random_trees([](PlacedTree& t, TreeDice& dice) {
    const std::vector<double> x = dice.numbers(t.model.nv(), 5.0), added(t.model.nv(), 0.05);
    find_mass_matrix(t.model, t.data);
    Eigen::MatrixXd full(t.model.nv(), t.model.nv());
    fill_mass_matrix(t.model, t.data, full);
    for (const bool damped : {false, true}) {
      if (damped) full.diagonal().array() += 0.05;
      factor_mass_matrix(t.model, t.data, damped ? std::span<const double>(added) : std::span<const double>());
      std::vector<double> y = x;
      solve_mass_matrix(t.model, t.data, y);
      ASSERT_LE((full * as_vector(y) - as_vector(x)).cwiseAbs().maxCoeff(), kAgreement * greatest(x));
    }
  });
}

TEST(TreeDynamics, ImpulsesAreMomentumOverTheMassMatrix) {
  on_random_trees([](PlacedTree& t, TreeDice& dice) {
    const std::size_t link = dice.below(t.model.size());
    const Vec<3> point = t.data.p[link] + dice.vector(0.5);
    const Spatial impulse = spatial(dice.vector(1.0), dice.vector(1.0));
    Eigen::Matrix<double, 6, Eigen::Dynamic> j(6, t.model.nv());
    point_jacobian(t.model, t.data, link, point, j);
    Eigen::VectorXd momentum = j.transpose() * impulse;
    find_mass_matrix(t.model, t.data), factor_mass_matrix(t.model, t.data);
    factor_tree(t.model, t.data);
    std::vector<double> by_path(t.model.nv()), by_tree(t.model.nv());
    impulse_response(t.model, t.data, link, point, impulse, by_path);
    momentum_response(t.model, t.data, {momentum.data(), t.model.nv()}, by_tree);
    solve_mass_matrix(t.model, t.data, {momentum.data(), t.model.nv()});
    const double scale = kAgreement * std::max(1.0, momentum.cwiseAbs().maxCoeff());
    ASSERT_LE((as_vector(by_path) - momentum).cwiseAbs().maxCoeff(), scale);
    ASSERT_LE((as_vector(by_tree) - momentum).cwiseAbs().maxCoeff(), scale);
  });
}

// Blocks of J·M⁻¹·Jᵀ from half solutions along the way of each column.
TEST(TreeDynamics, HalfSolutionsGiveTheInverseBetweenColumns) {
  on_random_trees([](PlacedTree& t, TreeDice& dice) {
    const auto nv = static_cast<Eigen::Index>(t.model.nv());
    Eigen::MatrixXd columns(nv, 12), full(nv, nv);
    std::vector<std::uint32_t> from;
    for (int side = 0; side < 2; ++side) {
      const std::size_t link = dice.below(t.model.size());
      Eigen::Matrix<double, 6, Eigen::Dynamic> j(6, nv);
      point_jacobian(t.model, t.data, link, t.data.p[link] + dice.vector(0.5), j);
      columns.middleCols(6 * side, 6) = j.transpose();
      from.insert(from.end(), 6, last_rate(t.model, link));
    }
    find_mass_matrix(t.model, t.data), factor_mass_matrix(t.model, t.data);
    fill_mass_matrix(t.model, t.data, full);
    const Eigen::MatrixXd expected = columns.transpose() * full.llt().solve(columns);
    half_solve_columns(t.model, t.data, from, columns);
    Eigen::VectorXd pivots(nv);
    fill_inverse_pivots(t.model, t.data, pivots);
    const Eigen::MatrixXd found = columns.transpose() * pivots.asDiagonal() * columns;
    ASSERT_LE((found - expected).cwiseAbs().maxCoeff(), kAgreement * std::max(1.0, expected.cwiseAbs().maxCoeff()));
  });
}

TEST(TreeDynamics, GravityForcesAreThoseOfRest) {
  on_random_trees([](PlacedTree& t, TreeDice&) {
    std::vector<double> direct(t.model.nv()), by_dynamics(t.model.nv());
    gravity_forces(t.model, t.data, t.gravity, direct);
    std::fill(t.v.begin(), t.v.end(), 0.0);
    t.place();
    inverse_dynamics(t.model, t.data, t.gravity, {}, {}, by_dynamics);
    ASSERT_LE(greatest_difference(direct, by_dynamics), 1e-12 * std::max(1.0, greatest(direct)));
  });
}

// A chain of joints with massless links acts as one joint with several rates.
TEST(TreeDynamics, UniversalJointIsTwoRevoluteJoints) {
  TreeDice dice(9);
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<TreeLink> one{random_link(TreeLink::kWorld, TreeJoint::kUniversal, dice),
                              random_link(0, TreeJoint::kRevolute, dice)};
    one[0].joint_in_link = {};
    std::vector<TreeLink> two{one[0], one[0], one[1]};
    two[0].joint = two[1].joint = TreeJoint::kRevolute;
    two[0].reference = two[1].reference = 0;
    two[0].mass = 0, two[0].inertia.setZero();
    two[0].rates = {one[0].rates[0]}, two[1].rates = {one[0].rates[1]};
    two[1].parent = 0, two[1].joint_in_parent = {}, two[1].axis = one[0].axis_b;
    two[2].parent = 1;
    PlacedTree a(one, dice), b(two, dice);
    b.q = a.q, b.v = a.v, b.place();
    const std::vector<double> force = dice.numbers(3, 2.0);
    std::vector<double> from_a(3), from_b(3);
    factor_tree(a.model, a.data), factor_tree(b.model, b.data);
    forward_dynamics(a.model, a.data, a.gravity, force, {}, from_a);
    forward_dynamics(b.model, b.data, b.gravity, force, {}, from_b);
    ASSERT_LE(greatest_difference(from_a, from_b), 1e-11 * greatest(from_a));
    ASSERT_LE((link_pose(a.model, a.data, 1).p - link_pose(b.model, b.data, 2).p).norm(), 1e-13);
  }
}

}  // namespace
}  // namespace touchstone

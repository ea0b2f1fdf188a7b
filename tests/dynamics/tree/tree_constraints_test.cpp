// Equations on top of trees: their derivatives, and motions of closed loops and coupled joints.
#include <gtest/gtest.h>

#include <Eigen/LU>

#include "dynamics/tree/random_trees.h"
#include "dynamics/tree/tree_constraints.h"

namespace touchstone {
namespace {

const Vec<3> kGravity{0, 0, -9.81};

std::vector<TreeConstraint> one_of_each(const TreeModel& model, TreeDice& dice) {
  TreeConstraint connect, weld, polynomial;
  connect.a = 3, connect.b = 7, connect.point_a = dice.vector(0.3), connect.point_b = dice.vector(0.3);
  weld.kind = TreeConstraint::Kind::kWeld;
  weld.a = TreeConstraint::kNone, weld.b = 9, weld.relative = dice.pose(0.3);
  std::vector<std::uint32_t> plain;
  for (std::uint32_t i = 0; i < model.nv(); ++i)
    if (model.coordinate[i] != TreeModel::kNone) plain.push_back(i);
  polynomial = TreeConstraint::mimic(plain[0], plain[1], -0.7, 0.2);
  polynomial.polynomial[2] = 0.4, polynomial.polynomial[3] = -0.3, polynomial.polynomial[4] = 0.1;
  polynomial.reference_a = 0.1, polynomial.reference_b = -0.2;
  return {connect, weld, polynomial};
}

TEST(TreeConstraints, RowsAreDerivativesOfErrors) {
  TreeDice dice(41);
  constexpr double kStep = 1e-6;
  for (int trial = 0; trial < 10; ++trial) {
    PlacedTree t(random_links(12, trial % 2 == 1, dice), dice);
    std::vector<TreeConstraint> list = one_of_each(t.model, dice);
    // The weld holds here: its rows are exact where it has no error in angle.
    const Pose<3> pose = link_pose(t.model, t.data, 9);
    list[1].relative.R = pose.R;
    TreeConstraints rows(t.model, list), after(t.model, list), before(t.model, list);
    const PlacedTree a = t.moved(kStep), b = t.moved(-kStep);
    rows.find(t.model, t.data, t.q, t.v);
    after.find(t.model, a.data, a.q, a.v), before.find(t.model, b.data, b.q, b.v);
    const Eigen::VectorXd v = as_vector(t.v), rate = rows.jacobian_transposed().transpose() * v;
    EXPECT_LE(((after.error() - before.error()) / (2 * kStep) - rate).cwiseAbs().maxCoeff(), 1e-7 * rate.norm());
    const Eigen::VectorXd change =
        (after.jacobian_transposed() - before.jacobian_transposed()).transpose() * v / (2 * kStep);
    EXPECT_LE((change - rows.bias()).cwiseAbs().maxCoeff(), 1e-7 * rows.bias().norm());
  }
}

TEST(TreeConstraints, AccelerationsKeepTheEquationsAndOnlyTheirForcesAct) {
  TreeDice dice(43);
  int independent = 0;
  for (int trial = 0; trial < 20; ++trial) {
    PlacedTree t(random_links(12, trial % 2 == 1, dice), dice);
    TreeConstraints rows(t.model, one_of_each(t.model, dice));
    rows.find(t.model, t.data, t.q, t.v);
    // Others contradict each other: links with few joints between them.
    if (Eigen::FullPivLU<Eigen::MatrixXd>(rows.jacobian_transposed()).rank() < rows.rows()) continue;
    ++independent;
    std::vector<double> force(t.model.nv(), 0.0), free(t.model.nv()), back(t.model.nv());
    factor_tree(t.model, t.data);
    forward_dynamics(t.model, t.data, kGravity, force, {}, free);
    find_mass_matrix(t.model, t.data), factor_mass_matrix(t.model, t.data);
    std::vector<double> a = free;
    rows.constrain(t.model, t.data, 0.0, t.v, a);
    const Eigen::VectorXd left = rows.jacobian_transposed().transpose() * as_vector(a) + rows.bias();
    EXPECT_LE(left.cwiseAbs().maxCoeff(), 1e-9 * rows.bias().norm());
    inverse_dynamics(t.model, t.data, kGravity, a, {}, back);
    const Eigen::VectorXd by_rows = rows.jacobian_transposed() * rows.impulses();
    EXPECT_LE((as_vector(back) - by_rows).cwiseAbs().maxCoeff(), 1e-9 * std::max(1.0, by_rows.norm()));
  }
  EXPECT_GE(independent, 8);
}

TreeLink bar(std::int32_t parent, double length) {
  TreeLink link;
  link.name = "bar", link.parent = parent, link.joint = TreeJoint::kRevolute, link.axis = Vec<3>::UnitY();
  link.mass = length, link.center = {0.5 * length, 0, 0};
  link.inertia = Vec<3>(1e-4, length * length * length / 12, length * length * length / 12).asDiagonal();
  return link;
}

// Two equal cranks and a coupler: a parallelogram, redundant out of its plane. The coupler stays level, and the whole
// swings like one pendulum: (I_1 + I_3 + m_2·L²)·θ'' = −g·(...)·cos θ.
TEST(TreeConstraints, ParallelogramSwingsAsOne) {
  std::vector<TreeLink> links{bar(TreeLink::kWorld, 1), bar(0, 2), bar(1, 1)};
  links[1].joint_in_parent.p = {1, 0, 0}, links[2].joint_in_parent.p = {2, 0, 0};
  TreeConstraint pin;
  pin.a = 2, pin.b = TreeConstraint::kNone, pin.point_a = {1, 0, 0}, pin.point_b = {2, 0, 0};
  const TreeModel model = make_tree(links);
  TreeData data(model);
  TreeConstraints rows(model, std::span(&pin, 1));
  std::vector<double> q{0.5, -0.45, 3.5}, v(3, 0.0), a(3);
  ASSERT_TRUE(rows.close(model, data, 1e-12, 20, q));
  const double angle = q[0];
  EXPECT_NEAR(q[0] + q[1], 0, 1e-10);
  place_links(model, q, data), move_links(model, v, data), factor_tree(model, data);
  forward_dynamics(model, data, kGravity, v, {}, a);
  find_mass_matrix(model, data), factor_mass_matrix(model, data);
  rows.find(model, data, q, v);
  rows.constrain(model, data, 0.0, v, a);
  // Axis y: a positive angle goes down. Cranks 1/3 each, coupler 2 kg at radius 1; weights 1·½ twice, 2·1.
  EXPECT_NEAR(a[0], 9.81 * 3 * std::cos(angle) / (2.0 / 3 + 2), 1e-7);
}

TEST(TreeConstraints, BadOnesAreNamed) {
  TreeDice dice(3);
  const TreeModel model = make_tree(random_links(3, true, dice));
  TreeConstraint c;
  c.a = 5;
  EXPECT_THROW(TreeConstraints(model, std::span(&c, 1)), std::runtime_error);
  const TreeConstraint quaternion = TreeConstraint::mimic(4, 0, 1, 0);
  EXPECT_THROW(TreeConstraints(model, std::span(&quaternion, 1)), std::runtime_error);
}

}  // namespace
}  // namespace touchstone

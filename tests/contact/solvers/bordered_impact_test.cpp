// Impacts by the equations of thompson2003: six unknowns for points, eight for bodies, five more for each pinned body;
// against closed forms, and against the solver that takes all contacts together.
#include "contact/solvers/bordered_impact.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

#include "contact/solvers/newton_contact.h"

namespace touchstone {
namespace {

using Eigen::Vector2d;

// Bodies in the plane: 2 numbers of a point, 3 of a body with inertia.
struct Plane {
  ProblemData data;
  std::vector<Vector2d> places;

  Plane() { data.clear(), data.h = 1; }
  std::uint32_t add(double mass, double inertia, const Vector2d& place, const Vector2d& v, double omega = 0) {
    const std::uint32_t size = inertia > 0 ? 3 : 2;
    const Clique c = data.add_clique(size);
    for (std::uint32_t k = 0; k < size; ++k) {
      const double m = k < 2 ? mass : inertia;
      data.mass[c.mass + k * size + k] = m, data.inverse_mass[c.mass + k * size + k] = 1 / m;
      const double value = k < 2 ? v[k] : omega;
      data.start_velocity[c.first + k] = data.free_velocity[c.first + k] = value;
    }
    places.push_back(place);
    return static_cast<std::uint32_t>(places.size() - 1);
  }
  void put(std::uint32_t clique, std::uint32_t first, const Vector2d& at, const Vector2d& along) {
    if (clique == Clique::kNone) return;
    const Vector2d arm = at - places[clique];
    data.jacobian[first] = along.x(), data.jacobian[first + 1] = along.y();
    if (data.cliques[clique].size == 3) data.jacobian[first + 2] = arm.x() * along.y() - arm.y() * along.x();
  }
  void put_rows(const RowBlock& b, const Vector2d& at, const Vector2d& first, const Vector2d& second) {
    for (std::uint32_t i = 0; i < 2; ++i) {
      const Vector2d along = i == 0 ? first : second;
      if (b.clique_a != Clique::kNone) put(b.clique_a, b.jacobian_a + i * data.cliques[b.clique_a].size, at, -along);
      if (b.clique_b != Clique::kNone) put(b.clique_b, b.jacobian_b + i * data.cliques[b.clique_b].size, at, along);
    }
  }
  // normal: from a to b. Without friction.
  void contact(std::uint32_t a, std::uint32_t b, const Vector2d& at, const Vector2d& normal, double restitution) {
    RowBlock& block = data.add_block(BlockKind::kContact, 2, a, b);
    block.contact = static_cast<std::uint32_t>(data.contacts.size());
    const RowBlock rows = block;
    const Vector2d tangent(-normal.y(), normal.x());
    put_rows(rows, at, normal, tangent);
    ContactLaw law;
    law.frame.col(0).head<2>() = normal, law.frame.col(1).head<2>() = tangent;
    law.restitution = restitution;
    data.contacts.push_back(law);
    const ContactProblem p = data.view();
    std::vector<double> u(p.rows());
    multiply_jacobian(p, p.free_velocity, u);
    data.contacts.back().normal_velocity_before = u[rows.first_row];
    data.restitution[rows.first_row] = restitution * std::min(0.0, u[rows.first_row]);
  }
  void pin(std::uint32_t a, std::uint32_t b, const Vector2d& at) {
    const RowBlock block = data.add_block(BlockKind::kEquality, 2, a, b);
    put_rows(block, at, Vector2d::UnitX(), Vector2d::UnitY());
  }
};

Eigen::MatrixXd dense(const BorderedIdentityMatrix& m) {
  Eigen::MatrixXd out(m.rows(), m.cols());
  Eigen::VectorXd y;
  for (Eigen::Index j = 0; j < m.cols(); ++j) {
    m.times(Eigen::VectorXd::Unit(m.cols(), j), y);
    out.col(j) = y;
  }
  return out;
}

ContactSolution by_borders(const Plane& plane) {
  BorderedImpact impact;
  ContactSolution out;
  impact.solve(plane.data.view(), {}, out);
  return out;
}

ContactSolution together(const Plane& plane) {
  NewtonContact newton;
  ContactSolution out;
  newton.solve(plane.data.view(), {1e-13}, {}, out);
  return out;
}

void expect_same(const ContactSolution& x, const ContactSolution& y, double near, int at) {
  ASSERT_EQ(x.status, SolveStatus::kConverged) << x.reason;
  ASSERT_EQ(y.status, SolveStatus::kConverged) << y.reason;
  for (std::size_t i = 0; i < x.velocities.size(); ++i) EXPECT_NEAR(x.velocities[i], y.velocities[i], near) << at;
  for (std::size_t i = 0; i < x.impulses.size(); ++i) EXPECT_NEAR(x.impulses[i], y.impulses[i], near) << at;
}

// Eqs. 16-20: R acts on the second point, as on the paper's A.
TEST(BorderedImpact, SixUnknownsOfTwoPoints) {
  Plane plane;
  const std::uint32_t a = plane.add(4, 0, {0, 0}, {1, 0}), b = plane.add(2, 0, {0.6, 0.8}, {0, 0});
  plane.contact(a, b, {0.3, 0.4}, {0.6, 0.8}, 0.5);
  BorderedImpact impact;
  const ContactProblem p = plane.data.view();
  impact.load(p, 0, p.free_velocity);
  Eigen::MatrixXd printed(6, 6);
  printed << 1, 0, 0, 0, 0.25, 0,  //
      0, 1, 0, 0, 0, 0.25,         //
      0, 0, 1, 0, -0.5, 0,         //
      0, 0, 0, 1, 0, -0.5,         //
      -0.6, -0.8, 0.6, 0.8, 0, 0,  //
      0, 0, 0, 0, -0.8, 0.6;
  EXPECT_LT((dense(impact.matrix()) - printed).norm(), 1e-15);
  // R = (1 + e)·u·m along n, with 1/m = 1/4 + 1/2 and u = 0.6.
  const ContactSolution s = by_borders(plane);
  const double r = 1.5 * 0.6 / 0.75;
  EXPECT_NEAR(s.impulses[0], r, 1e-14);
  EXPECT_NEAR(s.impulses[1], 0, 1e-14);
  EXPECT_NEAR(s.velocities[0], 1 - 0.6 * r / 4, 1e-14);
  EXPECT_NEAR(s.velocities[3], 0.8 * r / 2, 1e-14);
}

// Eqs. 21-24, with an r⊥ and an I for each body: B17.
TEST(BorderedImpact, B17EightUnknownsOfTwoBodies) {
  Plane plane;
  const std::uint32_t particle = plane.add(1, 4e-5, {0.5, 0}, {0, 1}), rod = plane.add(1, 1.0 / 12, {0, 0}, {0, 0});
  plane.contact(particle, rod, {0.5, 0}, {0, 1}, 1);
  BorderedImpact impact;
  const ContactProblem p = plane.data.view();
  impact.load(p, 0, p.free_velocity);
  Eigen::MatrixXd printed = Eigen::MatrixXd::Identity(8, 8);
  printed.col(6) << 1, 0, 0, -1, 0, 0, 0, -1;
  printed.col(7) << 0, 1, 0, 0, -1, -6, 0, 0;
  printed.row(6) << 0, -1, 0, 0, 1, 0.5, 0, 0;
  EXPECT_LT((dense(impact.matrix()) - printed).norm(), 1e-14);
  const ContactSolution s = by_borders(plane);
  EXPECT_NEAR(s.velocities[1], 0.6, 1e-14);
  EXPECT_NEAR(s.velocities[4], 0.4, 1e-14);
  EXPECT_NEAR(s.velocities[5], 2.4, 1e-14);
  expect_same(s, together(plane), 1e-12, 0);
}

// B21, but for the friction, which the paper does not have: along the cushion the disk goes on, and does not turn.
TEST(BorderedImpact, B21WithoutFriction) {
  Plane plane;
  const double v = std::sqrt(0.5);
  const std::uint32_t disk = plane.add(0.5, 0.01, {0, 0.2}, {v, -v});
  plane.contact(Clique::kNone, disk, {0, 0}, {0, 1}, 0.9);
  const ContactSolution s = by_borders(plane);
  EXPECT_NEAR(s.velocities[0], v, 1e-14);
  EXPECT_NEAR(s.velocities[1], 0.636396, 1e-6);
  EXPECT_NEAR(s.velocities[2], 0, 1e-14);
  expect_same(s, together(plane), 1e-12, 0);
}

// Eqs. 47-54, thirteen unknowns: B22.
TEST(BorderedImpact, B22JointsHaveImpulsesToo) {
  Plane plane;
  const std::uint32_t a = plane.add(1, 4e-5, {0, 0}, {0, 1}), b = plane.add(1, 1.0 / 12, {0.5, 0}, {0, 0}),
                      c = plane.add(1, 1.0 / 12, {1.5, 0}, {0, 0});
  plane.contact(a, b, {0, 0}, {0, 1}, 1);
  plane.pin(b, c, {1, 0});
  BorderedImpact impact;
  const ContactProblem p = plane.data.view();
  impact.load(p, 0, p.free_velocity);
  EXPECT_EQ(impact.matrix().rows(), 13);
  for (const int pins : {1, 2}) {  // the second says the same: the least squares' answer moves bodies alike
    if (pins == 2) plane.pin(b, c, {1, 0});
    const ContactSolution s = by_borders(plane);
    ASSERT_EQ(s.status, SolveStatus::kConverged) << s.reason;
    EXPECT_NEAR(s.impulses[0], 4.0 / 9, 1e-12);
    EXPECT_NEAR(s.impulses[3] + (pins == 2 ? s.impulses[5] : 0.0), -1.0 / 9, 1e-12);
    EXPECT_NEAR(s.velocities[1], 5.0 / 9, 1e-12);
    EXPECT_NEAR(s.velocities[4], 5.0 / 9, 1e-12);
    EXPECT_NEAR(s.velocities[5], -2, 1e-12);
    EXPECT_NEAR(s.velocities[7], -1.0 / 9, 1e-12);
    EXPECT_NEAR(s.velocities[8], 2.0 / 3, 1e-12);
  }
}

// One contact of jointed bodies among others, any masses and places.
TEST(BorderedImpact, AgreesWithTheOtherSolver) {
  std::mt19937 bits(5);
  std::uniform_real_distribution<double> u(-1, 1);
  for (int k = 0; k < 200; ++k) {
    Plane plane;
    const auto n = static_cast<std::uint32_t>(2 + k % 7);
    for (std::uint32_t i = 0; i < n; ++i)
      plane.add(std::exp(2 * u(bits)), std::exp(2 * u(bits)), {2.0 * i + 0.3 * u(bits), u(bits)}, {u(bits), u(bits)},
                u(bits));
    for (std::uint32_t i = 2; i < n; ++i) plane.pin(i - 1, i, {2.0 * i - 1, u(bits)});
    // Joints are legal before the impact.
    const ContactProblem p = plane.data.view();
    if (n > 2) {
      NewtonContact newton;
      ContactSolution legal;
      newton.solve(p, {1e-14}, {}, legal);
      plane.data.free_velocity = plane.data.start_velocity = legal.velocities;
    }
    const double angle = 3 * u(bits);
    plane.contact(0, 1, {1, u(bits)}, {std::cos(angle), std::sin(angle)}, 0.5 + 0.5 * u(bits));
    expect_same(by_borders(plane), together(plane), 1e-9, k);
  }
}

// Walls that close in on a ball from both sides, without end.
TEST(BorderedImpact, PairsThatDoNotSettleAreReported) {
  Plane plane;
  const std::uint32_t ball = plane.add(1, 0.1, {0, 0}, {0, 0});
  plane.contact(Clique::kNone, ball, {-1, 0}, {1, 0}, 1);
  plane.contact(ball, Clique::kNone, {1, 0}, {1, 0}, 1);
  for (const RowBlock& b : plane.data.blocks) plane.data.surface[b.first_row] = -1;
  const ContactSolution s = by_borders(plane);
  EXPECT_EQ(s.status, SolveStatus::kIterationLimit);
  EXPECT_NE(std::string(s.reason), "");
  for (const double v : s.velocities) EXPECT_TRUE(std::isfinite(v));
}

}  // namespace
}  // namespace touchstone

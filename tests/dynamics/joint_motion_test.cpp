// Joined bodies moved by Lagrange's equations with the rows' J and J̇·v, RK4: if either were wrong, or the two did not
// belong together, the joint would open and the energy change.
#include <gtest/gtest.h>

#include <Eigen/Cholesky>

#include "dynamics/joint_builders.h"

namespace touchstone {
namespace {

constexpr double kMass[2] = {1.5, 0.8};
constexpr double kGravity = 9.81;
const Vec<3> kMoments[2] = {{0.3, 0.2, 0.4}, {0.1, 0.25, 0.2}};

Mat<3> world_inertia(const State<3>& s, std::size_t i) { return rotate_moments(s.orientation[i], kMoments[i]); }

double energy(const State<3>& s) {
  double sum = 0;
  for (std::size_t i = 0; i < 2; ++i) {
    const Vec<3>& w = s.angular_velocity[i];
    sum += 0.5 * kMass[i] * s.velocity[i].squaredNorm() + 0.5 * w.dot(world_inertia(s, i) * w);
    sum += kMass[i] * kGravity * s.position[i].z();
  }
  return sum;
}

std::vector<JointRow<3>> equality_rows(const Joint<3>& joint, const State<3>& state) {
  std::vector<JointRow<3>> rows = rows_of(joint, state);
  rows.resize(static_cast<std::size_t>(equality_count(joint)));
  return rows;
}

// Accelerations v̇_a, ω̇_a, v̇_b, ω̇_b with J·v̇ + J̇·v = 0.
Eigen::VectorXd accelerations(const Joint<3>& joint, const State<3>& s) {
  const std::vector<JointRow<3>> rows = equality_rows(joint, s);
  const Eigen::MatrixXd j = jacobian(rows);
  Eigen::VectorXd bias(j.rows()), force = Eigen::VectorXd::Zero(12);
  Eigen::MatrixXd inverse_mass = Eigen::MatrixXd::Zero(12, 12);
  for (std::size_t i = 0; i < rows.size(); ++i) bias[static_cast<Eigen::Index>(i)] = rows[i].rate_bias;
  for (int i = 0; i < 2; ++i) {
    const auto body = static_cast<std::size_t>(i);
    const Mat<3> inertia = world_inertia(s, body);
    const Vec<3>& w = s.angular_velocity[body];
    inverse_mass.block<3, 3>(6 * i, 6 * i) = Mat<3>::Identity() / kMass[i];
    inverse_mass.block<3, 3>(6 * i + 3, 6 * i + 3) = inertia.inverse();
    force[6 * i + 2] = -kMass[i] * kGravity;
    force.segment<3>(6 * i + 3) = -cross(w, Vec<3>(inertia * w));
  }
  const Eigen::MatrixXd a = j * inverse_mass * j.transpose();
  const Eigen::VectorXd lambda = a.ldlt().solve(-bias - j * inverse_mass * force);
  return inverse_mass * (force + j.transpose() * lambda);
}

// The state's derivative added, times h; quaternions as plain numbers, which RK4 keeps to its own order.
State<3> plus(const State<3>& s, double h, const State<3>& rate, const Eigen::VectorXd& acceleration) {
  State<3> out = s;
  for (int i = 0; i < 2; ++i) {
    const auto b = static_cast<std::size_t>(i);
    const Vec<3>& w = rate.angular_velocity[b];
    out.position[b] += h * rate.velocity[b];
    out.orientation[b].coeffs() +=
        0.5 * h * (Eigen::Quaterniond(0, w.x(), w.y(), w.z()) * rate.orientation[b]).coeffs();
    out.velocity[b] += h * acceleration.segment<3>(6 * i);
    out.angular_velocity[b] += h * acceleration.segment<3>(6 * i + 3);
  }
  return out;
}

State<3> rk4(const Joint<3>& joint, const State<3>& s, double h) {
  const State<3> s1 = s;
  const Eigen::VectorXd a1 = accelerations(joint, s1);
  const State<3> s2 = plus(s, h / 2, s1, a1);
  const Eigen::VectorXd a2 = accelerations(joint, s2);
  const State<3> s3 = plus(s, h / 2, s2, a2);
  const Eigen::VectorXd a3 = accelerations(joint, s3);
  const State<3> s4 = plus(s, h, s3, a3);
  const Eigen::VectorXd a4 = accelerations(joint, s4);
  State<3> out = plus(plus(plus(plus(s, h / 6, s1, a1), h / 3, s2, a2), h / 3, s3, a3), h / 6, s4, a4);
  for (Eigen::Quaterniond& q : out.orientation) q.normalize();
  return out;
}

// Velocities that the joint allows: the rest is taken out.
void project(const Joint<3>& joint, State<3>& s) {
  const Eigen::MatrixXd j = jacobian(equality_rows(joint, s));
  Eigen::VectorXd v(12);
  v << s.velocity[0], s.angular_velocity[0], s.velocity[1], s.angular_velocity[1];
  v -= j.transpose() * (j * j.transpose()).ldlt().solve(j * v);
  s.velocity[0] = v.segment<3>(0), s.angular_velocity[0] = v.segment<3>(3);
  s.velocity[1] = v.segment<3>(6), s.angular_velocity[1] = v.segment<3>(9);
}

TEST(JointMotion, JointsStayClosedAndDoNoWork) {
  Dice dice(21);
  for (const JointKind kind : joint_kinds<3>()) {
    for (int trial = 0; trial < 3; ++trial) {
      Joined<3> j = random_joined<3>(kind, dice);
      if (equality_count(j.joint) == 0) continue;
      project(j.joint, j.state);
      const double before = energy(j.state);
      for (int i = 0; i < 500; ++i) j.state = rk4(j.joint, j.state, 1e-3);
      const JointErrors e = joint_errors(j.joint, j.state);
      SCOPED_TRACE(joint_kind_name(kind, 3));
      EXPECT_LT(e.position, 1e-8);
      EXPECT_LT(e.angle, 1e-8);
      EXPECT_LT(e.velocity, 1e-8);
      EXPECT_LT(e.angular_velocity, 1e-8);
      EXPECT_NEAR(energy(j.state), before, 1e-8 * (1 + std::abs(before)));
    }
  }
}

}  // namespace
}  // namespace touchstone

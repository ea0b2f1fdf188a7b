#pragma once
// Random joints between random bodies, put together so that they hold or by a stated amount do not.
#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <array>
#include <random>
#include <vector>

#include "dynamics/joints/joint.h"

namespace touchstone {

class Dice {
 public:
  explicit Dice(unsigned seed) : engine_(seed) {}
  double number(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine_); }
  template <class V>
  V vector(double size) {
    V v;
    for (int i = 0; i < v.size(); ++i) v[i] = number(-size, size);
    return v;
  }
  template <class V>
  V direction() {
    for (;;)
      if (const V v = vector<V>(1.0); v.norm() > 0.1) return v / v.norm();
  }
  template <int D>
  Rotation<D> rotation() {
    return exp_rotation(AngVec<D>(number(-3.0, 3.0) * direction<AngVec<D>>()));
  }

 private:
  std::mt19937 engine_;
};

template <int D>
std::vector<JointKind> joint_kinds() {
  using enum JointKind;
  if (D == 2) return {kHinge, kSlider, kFixed, kDistance, kRope, kSpring, kBead, kGear, kTarget};
  return {kBall, kHinge,  kSlider, kFixed,       kDistance, kUniversal,
          kRope, kSpring, kTarget, kCylindrical, kPlanar,   kScrew};
}

// Those whose rows without limits and motors are equations: for tests of what solves them.
template <int D>
std::vector<JointKind> joints_of_equations() {
  using enum JointKind;
  if (D == 2) return {kHinge, kSlider, kFixed, kDistance};
  return {kBall, kHinge, kSlider, kFixed, kDistance, kUniversal};
}

template <int D>
struct Joined {
  Joint<D> joint;
  State<D> state;  // bodies 0 and 1
};

// A joint of random places and axes on random bodies that holds, at a random coordinate.
template <int D>
Joined<D> random_joined(JointKind kind, Dice& dice) {
  Joined<D> out;
  Joint<D>& j = out.joint;
  State<D>& s = out.state;
  j.kind = kind;
  j.body_a = 0, j.body_b = 1;
  j.point_a = dice.vector<Vec<D>>(1.0), j.point_b = dice.vector<Vec<D>>(1.0);
  j.frame_a = dice.rotation<D>(), j.frame_b = dice.rotation<D>();
  s.resize(2);
  s.position[0] = dice.vector<Vec<D>>(2.0);
  s.orientation[0] = dice.rotation<D>();
  const Rotation<D> frame_a = compose(s.orientation[0], j.frame_a);
  Rotation<D> relative = identity_rotation<D>();
  Vec<D> apart = Vec<D>::Zero();
  const auto about = [](int axis, double angle) {
    AngVec<D> v = AngVec<D>::Zero();
    v[D == 2 ? 0 : axis] = angle;
    return exp_rotation(v);
  };
  if (kind == JointKind::kHinge || kind == JointKind::kCylindrical || kind == JointKind::kPlanar)
    relative = about(0, dice.number(-2.5, 2.5));
  if (kind == JointKind::kUniversal)
    relative = compose(about(0, dice.number(-1.0, 1.0)), about(1, dice.number(-1.0, 1.0)));
  const bool turns =
      kind == JointKind::kBall || is_length(kind) || kind == JointKind::kBead || kind == JointKind::kTarget;
  if (turns) relative = dice.rotation<D>();
  if (kind == JointKind::kSlider || kind == JointKind::kCylindrical)
    apart = dice.number(-1, 1) * matrix_of(frame_a).col(0);
  if (is_length(kind)) {
    apart = dice.number(0.5, 2.0) * dice.direction<Vec<D>>();
    j.length = apart.norm();
    if (kind == JointKind::kRope) j.upper = j.length;
  }
  if (kind == JointKind::kPlanar) {
    apart = matrix_of(frame_a) * dice.vector<Vec<D>>(1.0);
    apart -= matrix_of(frame_a).col(0) * matrix_of(frame_a).col(0).dot(apart);
  }
  if (kind == JointKind::kScrew) {  // several turns either way
    j.pitch = dice.number(0.1, 0.4) * (dice.number(-1, 1) < 0 ? -1 : 1);
    const double angle = dice.number(-20, 20);
    relative = about(0, angle);
    apart = j.pitch * angle * matrix_of(frame_a).col(0);
  }
  if (kind == JointKind::kTarget) {
    apart = dice.vector<Vec<D>>(1.0);
    j.pull_speed = dice.vector<Vec<D>>(1.0), j.pull_force.setConstant(2.0);
  }
  if constexpr (D == 2) {
    if (kind == JointKind::kGear) {
      j.ratio = dice.number(0.3, 3) * (dice.number(-1, 1) < 0 ? -1 : 1);
      relative = (j.ratio - 1) * frame_a;
    }
    if (kind == JointKind::kBead) {
      j.curve = std::make_shared<const Expression>("3*y = 0.15*x^2 + 0.3*sin(x)");  // radii of curvature above 2.5 m
      const double x = dice.number(-2, 2);
      apart = matrix_of(frame_a) * Vec<2>(x, 0.05 * x * x + 0.1 * std::sin(x));
    }
  }
  s.orientation[1] = compose(compose(frame_a, relative), inverse(j.frame_b));
  s.position[1] = joint_point_a(j, s) + apart - matrix_of(s.orientation[1]) * j.point_b;
  for (int i = 0; i < 2; ++i) {
    s.velocity[static_cast<std::size_t>(i)] = dice.vector<Vec<D>>(1.5);
    s.angular_velocity[static_cast<std::size_t>(i)] = dice.vector<AngVec<D>>(1.5);
  }
  return out;
}

template <int D>
void give_limits_and_motor(Joint<D>& joint) {
  if (joint.kind == JointKind::kDistance) joint.lower = 0.75, joint.upper = 1.5;
  if (!has_coordinate(joint.kind) || joint.kind == JointKind::kDistance || joint.kind == JointKind::kRope) return;
  joint.lower = joint.kind == JointKind::kSpring ? 0.4 : -1.0, joint.upper = 1.5;
  joint.has_motor = true;
  joint.motor_speed = 2.0, joint.motor_max_force = 3.0;
  joint.friction = 0.5;
}

// Moves on for a time at constant velocities.
template <int D>
State<D> moved_on(const State<D>& state, double time) {
  State<D> out = state;
  for (std::size_t i = 0; i < state.size(); ++i) {
    out.position[i] += time * state.velocity[i];
    out.orientation[i] = rotate_by(AngVec<D>(time * state.angular_velocity[i]), state.orientation[i]);
  }
  return out;
}

// Both bodies pushed and turned by given amounts, in random directions.
template <int D>
State<D> disturbed(const State<D>& state, double push, double turn, Dice& dice) {
  State<D> out = state;
  for (std::size_t i = 0; i < state.size(); ++i) {
    out.position[i] += push * dice.direction<Vec<D>>();
    out.orientation[i] = rotate_by(AngVec<D>(turn * dice.direction<AngVec<D>>()), state.orientation[i]);
  }
  return out;
}

template <int D>
std::vector<JointRow<D>> rows_of(const Joint<D>& joint, const State<D>& state) {
  std::vector<JointRow<D>> rows(kMaxJointRows<D>);
  rows.resize(static_cast<std::size_t>(joint_rows<D>(joint, state, rows)));
  return rows;
}

template <int D>
double rate_of(const JointRow<D>& row, const Joint<D>& joint, const State<D>& state) {
  return row_rate(row, motion_of_body(state, joint.body_a), motion_of_body(state, joint.body_b));
}

// The rows below each other, columns v_a, ω_a, v_b, ω_b.
template <int D>
Eigen::MatrixXd jacobian(const std::vector<JointRow<D>>& rows) {
  constexpr int kOne = D + kAngular<D>;
  Eigen::MatrixXd out(static_cast<Eigen::Index>(rows.size()), 2 * kOne);
  for (std::size_t i = 0; i < rows.size(); ++i)
    out.row(static_cast<Eigen::Index>(i)) << rows[i].linear_a.transpose(), rows[i].angular_a.transpose(),
        rows[i].linear_b.transpose(), rows[i].angular_b.transpose();
  return out;
}

}  // namespace touchstone

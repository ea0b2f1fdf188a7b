// Purpose: a target: a point of B is pulled to a place in the world with a bounded force.
// Source: own. As a motor with a position (motor.cpp): along each axis the point is to have the speed −C/τ, so that it
//   comes near as exp(−t/τ) while the force is enough. The greatest force F bounds the vector. Solvers bound each row,
//   so the bounds are a box inside the ball |r| <= F·h: its first axis n is along r*, the impulse that would give the
//   body on its own that velocity. With b = max(|r*|, F·h/√D), at most F·h, the bounds are b along n, and what is left,
//   √((F²h² − b²)/(D − 1)), across. So r* itself fits whenever |r*| <= F·h, and otherwise the force is F along n.
// Letters: d from the place to the point of B, u its velocity with gravity's share of the step, τ response, h step,
//   K = J·M⁻¹·Jᵀ of the point, r* = −K⁻¹·(u + d/τ).
// Deviations: -
// Fails: never. A body that is joined to much mass is pulled with at least F/√D.
#include <algorithm>
#include <cmath>

#include "dynamics/joints/sides.h"

namespace touchstone {
namespace {

// Axes with x along a direction.
double axes_along(const Vec<2>& n) { return std::atan2(n.y(), n.x()); }
Eigen::Quaterniond axes_along(const Vec<3>& n) {
  const Vec<3> y = n.unitOrthogonal();
  Mat<3> axes;
  axes << n, y, cross(n, y);
  return Eigen::Quaterniond(axes).normalized();
}

}  // namespace

template <int D>
int target_rows(const JointSides<D>& s, JointRow<D>* rows) {
  const Mat<D> axes = matrix_of(s.frame_a);
  for (int k = 0; k < D; ++k) {
    rows[k] = turning_direction_row<D>(s, axes.col(k));
    rows[k].kind = RowKind::kMotor;
    rows[k].target_speed = s.joint->pull_speed[k];
    rows[k].max_force = s.joint->pull_force[k];
  }
  return D;
}

template <int D>
void drive_target(Joint<D>& joint, const Bodies<D>& bodies, const Vec<D>& gravity, const State<D>& state, double time,
                  double h) {
  const MotorCommand& m = joint.motor;
  const double middle = time + 0.5 * h;  // rounding of the time decides nothing there
  const bool on = m.kind == MotorCommand::Kind::kPosition && middle >= m.from && middle < m.until;
  joint.motor_speed = 0, joint.motor_max_force = on ? m.max_force : 0.0;
  joint.pull_speed.setZero(), joint.pull_force.setZero();
  if (!on) return;
  joint.frame_a = identity_rotation<D>();
  const JointSides<D> s = sides_of(joint, BodyMotion<D>{}, motion_of_body(state, joint.body_b));
  Vec<D> wanted = -s.between / std::max(m.response, h);
  if (const double speed = wanted.norm(); speed > m.max_speed) wanted *= m.max_speed / speed;
  Mat<D> response;
  const std::uint32_t b = joint.body_b;
  for (int k = 0; k < D; ++k) {
    const JointRow<D> row = direction_row<D>(s, Vec<D>::Unit(k));
    const AngVec<D> turn =
        apply_moments(frame_of(state.orientation[b]), bodies.inv_inertia[b], AngVec<D>(row.angular_b));
    response.col(k) = bodies.inv_mass[b] * row.linear_b + cross(turn, s.arm_b);
  }
  const Vec<D> free = s.rate + h * bodies.gravity_scale[b] * gravity;
  const Vec<D> needed = response.partialPivLu().solve(Vec<D>(wanted - free));
  const double size = needed.norm(), most = m.max_force * h;
  const Vec<D> along = size > 0 && std::isfinite(size) ? Vec<D>(needed / size) : Vec<D>(Vec<D>::Unit(0));
  const double first = std::isfinite(size) ? std::clamp(size, most / std::sqrt(D), most) : most;
  joint.frame_a = axes_along(along);
  joint.pull_speed = matrix_of(inverse(joint.frame_a)) * wanted;
  joint.pull_force.setConstant(std::sqrt(std::max(0.0, (most - first) * (most + first)) / (D - 1)) / h);
  joint.pull_force[0] = first / h;
  joint.motor_speed = wanted.norm();
}

template int target_rows(const JointSides<2>&, JointRow<2>*);
template int target_rows(const JointSides<3>&, JointRow<3>*);
template void drive_target(Joint<2>&, const Bodies<2>&, const Vec<2>&, const State<2>&, double, double);
template void drive_target(Joint<3>&, const Bodies<3>&, const Vec<3>&, const State<3>&, double, double);

}  // namespace touchstone

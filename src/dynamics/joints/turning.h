#pragma once
// How the rotation of B against A changes: numbers that depend on it, with their derivatives.
//
// Source: with unit quaternions q = q_a* q_b of the joint's frames, dq_a/dt = ½ ω_a q_a (world axes) and likewise for
// B,
//   dq/dt = ½ q_a* (ω_b − ω_a) q_b,    d²q/dt² = −¼ |ω_b − ω_a|² q + ½ q_a* (ω_b × ω_a) q_b   at constant ω_a, ω_b.
// Both are linear in a vector in the same way, which is the gradient below.
#include <cmath>

#include "dynamics/joints/sides.h"

namespace touchstone {

// rate = gradient·(ω_b − ω_a), gradient in world axes; bend: the second derivative at constant angular velocities.
struct Turning {
  double value = 0;
  Vec<3> gradient = Vec<3>::Zero();
  double rate = 0, bend = 0;
};

inline Turning operator+(const Turning& a, const Turning& b) {
  return {a.value + b.value, a.gradient + b.gradient, a.rate + b.rate, a.bend + b.bend};
}
inline Turning operator*(double k, const Turning& a) { return {k * a.value, k * a.gradient, k * a.rate, k * a.bend}; }
inline Turning operator-(const Turning& a, const Turning& b) { return a + (-1.0) * b; }
inline Turning operator*(const Turning& a, const Turning& b) {
  return {a.value * b.value, a.value * b.gradient + b.value * a.gradient, a.value * b.rate + b.value * a.rate,
          a.value * b.bend + 2 * a.rate * b.rate + b.value * a.bend};
}
inline Turning operator/(const Turning& a, const Turning& b) {
  Turning q;
  q.value = a.value / b.value;
  q.gradient = (a.gradient - q.value * b.gradient) / b.value;
  q.rate = (a.rate - q.value * b.rate) / b.value;
  q.bend = (a.bend - 2 * q.rate * b.rate - q.value * b.bend) / b.value;
  return q;
}
// f(a), given f, f' and f'' at a.
inline Turning chain(const Turning& a, double f, double slope, double curvature) {
  return {f, slope * a.gradient, slope * a.rate, slope * a.bend + curvature * a.rate * a.rate};
}

struct TurningQuaternion {
  Turning w, x, y, z;  // w >= 0: the shorter way round
};

inline TurningQuaternion relative_rotation(const JointSides<3>& s) {
  Eigen::Quaterniond q = s.frame_a.conjugate() * s.frame_b;
  if (q.w() < 0) q.coeffs() *= -1.0;
  const Vec<3>&wa = s.a.angular_velocity, &wb = s.b.angular_velocity;
  const Vec<3> relative = wb - wa, crossed = cross(wb, wa);
  const double slow = -0.25 * relative.squaredNorm();
  const Mat<3> to_world = s.frame_b.toRotationMatrix();
  // `in_b`: the gradient in the axes of frame_b, a row of q → ½ q ω.
  const auto part = [&](double value, double gx, double gy, double gz) {
    const Vec<3> in_b(0.5 * gx, 0.5 * gy, 0.5 * gz), gradient = to_world * in_b;
    return Turning{value, gradient, gradient.dot(relative), slow * value + gradient.dot(crossed)};
  };
  const double w = q.w(), x = q.x(), y = q.y(), z = q.z();
  return {part(w, -x, -y, -z), part(x, w, -z, y), part(y, z, w, -x), part(z, -y, x, w)};
}

inline JointRow<3> row_of(const Turning& c) {
  JointRow<3> row;
  row.angular_a = -c.gradient;
  row.angular_b = c.gradient;
  row.error = c.value;
  row.rate_bias = c.bend;
  row.angular = true;
  return row;
}

// An angle within half a turn of a middle one.
inline double wrapped(double angle, double middle) {
  constexpr double kTurn = 6.283185307179586;
  const double off = std::remainder(angle - middle, kTurn);
  return middle + (off <= -0.5 * kTurn ? off + kTurn : off);
}

// In 2D: the angle of B against A.
inline JointRow<2> angle_row(const JointSides<2>& s, double middle) {
  JointRow<2> row;
  row.angular_a << -1.0;
  row.angular_b << 1.0;
  row.error = wrapped(s.frame_b - s.frame_a, middle);
  row.angular = true;
  return row;
}

// The axes x of both frames agree: the angular rows of a hinge, after its linear ones.
int swing_rows(const JointSides<3>& s, JointRow<3>* rows);
// The angle of B against A about the common axis, within half a turn of a middle one.
JointRow<3> twist_row(const JointSides<3>& s, double middle);

// No relative rotation: the rows of a fixed joint and of a slider, after its linear ones.
int same_rotation_rows(const JointSides<2>& s, JointRow<2>* rows);
int same_rotation_rows(const JointSides<3>& s, JointRow<3>* rows);

}  // namespace touchstone

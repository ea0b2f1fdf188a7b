// Purpose: a hinge, in which one point and one axis of each body coincide; in 2D the pin. Its coordinate is the angle
// about the axis, which limits and motors act on. Its swing and twist serve cylindrical and planar joints and screws.
// Source: rotations split into swing and twist. With q = (w, x, y, z) the rotation of B against A in the joint's axes
// and n = w² + x², the two swing errors are 2(xy + wz)/n and 2(xz − wy)/n, of length 2 tan(θ/2) when the axes are θ
// apart; the angle is the twist 2 atan2(x, w). Letters: θ angle between the two axes; φ the hinge's angle.
// Deviations: 1. The usual errors, components of the cross product of the axes, are sin θ: their second zero at half a
// turn draws joints in that are more than a quarter of a turn off. 2 tan(θ/2) grows up to there, and a Newton iteration
// on it, θ → θ − sin θ, comes home from anywhere.
// Fails: at θ = π the direction back is not defined and the twist neither; n is kept above kSmallest, which makes every
// number finite and the error large.
#include "dynamics/joints/turning.h"

namespace touchstone {
namespace {

// Of n = cos²(θ/2): axes within 2 mrad of half a turn apart.
constexpr double kSmallest = 1e-6;

// The rotation with the pair (w, x) lengthened where it is too short to divide by.
TurningQuaternion away_from_flip(TurningQuaternion q) {
  const double n = q.w.value * q.w.value + q.x.value * q.x.value;
  if (n >= kSmallest) return q;
  const double longer = n > 0 ? std::sqrt(kSmallest / n) : 0.0;
  q.x.value *= longer;
  q.w.value = n > 0 ? longer * q.w.value : std::sqrt(kSmallest);
  return q;
}

template <int D>
double middle_of_limits(const Joint<D>& joint) {
  return joint.has_lower() && joint.has_upper() ? 0.5 * (joint.lower + joint.upper) : 0.0;
}

int swing_rows(const JointSides<2>&, JointRow<2>*) { return 0; }
JointRow<2> twist_row(const JointSides<2>& s, double middle) { return angle_row(s, middle); }

}  // namespace

int swing_rows(const JointSides<3>& s, JointRow<3>* rows) {
  const TurningQuaternion q = away_from_flip(relative_rotation(s));
  const Turning n = q.w * q.w + q.x * q.x;
  rows[0] = row_of(2.0 * (q.x * q.y + q.w * q.z) / n);
  rows[1] = row_of(2.0 * (q.x * q.z - q.w * q.y) / n);
  return 2;
}

JointRow<3> twist_row(const JointSides<3>& s, double middle) {
  const TurningQuaternion q = away_from_flip(relative_rotation(s));
  const Turning n = q.w * q.w + q.x * q.x;
  const double w = q.w.value, x = q.x.value;
  // dφ/dt = 2(w ẋ − x ẇ)/n, and the derivative of that.
  Turning twist;
  twist.value = wrapped(2 * std::atan2(x, w), middle);
  twist.gradient = 2 * (w * q.x.gradient - x * q.w.gradient) / n.value;
  twist.rate = 2 * (w * q.x.rate - x * q.w.rate) / n.value;
  twist.bend = (2 * (w * q.x.bend - x * q.w.bend) - twist.rate * n.rate) / n.value;
  return row_of(twist);
}

template <int D>
int hinge_rows(const JointSides<D>& s, JointRow<D>* rows) {
  const int linear = point_rows(s, rows);
  return linear + swing_rows(s, rows + linear);
}

template <int D>
JointRow<D> hinge_coordinate(const JointSides<D>& s) {
  return twist_row(s, middle_of_limits(*s.joint));
}

template int hinge_rows(const JointSides<2>&, JointRow<2>*);
template int hinge_rows(const JointSides<3>&, JointRow<3>*);
template JointRow<2> hinge_coordinate(const JointSides<2>&);
template JointRow<3> hinge_coordinate(const JointSides<3>&);

}  // namespace touchstone

#pragma once
// What the kinds of joints share: the two sides at a state, rows about their points, and the one list of kinds.
#include "dynamics/joints/joint.h"

namespace touchstone {

template <int D>
struct JointSides {
  BodyMotion<D> a, b;
  Vec<D> arm_a, arm_b;           // from the centres of mass to the joint's points, world axes
  Vec<D> between;                // from A's point to B's
  Vec<D> rate, bend;             // of `between`: its derivative, and the second one without accelerations
  Rotation<D> frame_a, frame_b;  // the joint's axes in the world
  const Joint<D>* joint;
};

template <int D>
JointSides<D> sides_of(const Joint<D>& joint, const BodyMotion<D>& a, const BodyMotion<D>& b) {
  JointSides<D> s;
  s.a = a, s.b = b;
  s.arm_a = matrix_of(a.orientation) * joint.point_a;
  s.arm_b = matrix_of(b.orientation) * joint.point_b;
  s.between = (b.position - a.position) + (s.arm_b - s.arm_a);
  const Vec<D> turned_a = cross(a.angular_velocity, s.arm_a), turned_b = cross(b.angular_velocity, s.arm_b);
  s.rate = b.velocity - a.velocity + turned_b - turned_a;
  s.bend = cross(b.angular_velocity, turned_b) - cross(a.angular_velocity, turned_a);
  s.frame_a = compose(a.orientation, joint.frame_a);
  s.frame_b = compose(b.orientation, joint.frame_b);
  s.joint = &joint;
  return s;
}

// C = e·between, as if e did not turn.
template <int D>
JointRow<D> direction_row(const JointSides<D>& s, const Vec<D>& e) {
  JointRow<D> row;
  row.linear_a = -e;
  row.linear_b = e;
  row.angular_a = -torque_of(s.arm_a, e);
  row.angular_b = torque_of(s.arm_b, e);
  row.error = e.dot(s.between);
  row.rate_bias = e.dot(s.bend);
  return row;
}

// C = u·between along a direction that turns with A. du/dt = ω_a × u adds to the arm of A, and to J̇·v.
template <int D>
JointRow<D> turning_direction_row(const JointSides<D>& s, const Vec<D>& u) {
  JointRow<D> row = direction_row(s, u);
  row.angular_a = -torque_of(Vec<D>(s.arm_a + s.between), u);
  const Vec<D> turned = cross(s.a.angular_velocity, u);
  row.rate_bias += 2 * turned.dot(s.rate) + cross(s.a.angular_velocity, turned).dot(s.between);
  return row;
}

// Both points at one place: D rows along the joint's axes on A. Axes of the world would do for C = 0, but while there
// is an error, equal and opposite impulses at two places make angular momentum; rows that turn with a body never do.
template <int D>
int point_rows(const JointSides<D>& s, JointRow<D>* rows) {
  const Mat<D> axes = matrix_of(s.frame_a);
  for (int k = 0; k < D; ++k) rows[k] = turning_direction_row<D>(s, axes.col(k));
  return D;
}

// The kinds, one file each. Equalities go to `rows` and are counted; a coordinate is a row whose error is its value.
template <int D>
int ball_rows(const JointSides<D>& s, JointRow<D>* rows);
template <int D>
int hinge_rows(const JointSides<D>& s, JointRow<D>* rows);
template <int D>
JointRow<D> hinge_coordinate(const JointSides<D>& s);
template <int D>
int slider_rows(const JointSides<D>& s, JointRow<D>* rows);
template <int D>
JointRow<D> slider_coordinate(const JointSides<D>& s);
template <int D>
int fixed_rows(const JointSides<D>& s, JointRow<D>* rows);
template <int D>
JointRow<D> distance_coordinate(const JointSides<D>& s);
int universal_rows(const JointSides<3>& s, JointRow<3>* rows);
int bead_rows(const JointSides<2>& s, JointRow<2>* rows);
int gear_rows(const JointSides<2>& s, JointRow<2>* rows);
template <int D>
int target_rows(const JointSides<D>& s, JointRow<D>* rows);
int cylindrical_rows(const JointSides<3>& s, JointRow<3>* rows);
int planar_rows(const JointSides<3>& s, JointRow<3>* rows);
int screw_rows(const JointSides<3>& s, JointRow<3>* rows);

}  // namespace touchstone

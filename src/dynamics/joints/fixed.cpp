// Purpose: a fixed joint, which makes two bodies one; in 2D the weld. Its rotation rows serve the slider too.
// Source: C = p_b − p_a, and for the rotation of B against A, q = (w, v) with w >= 0, C = 4 v/(1 + w): modified
// Rodrigues parameters, of length 4 tan(θ/4). In 2D the angle itself. Letters: θ angle of the relative rotation.
// Deviations: 1. Not the vector part 2v: a Newton iteration on it is thrown back and forth beyond 2.3 rad, while on
// this error it is θ → θ − 2 sin(θ/2), which comes home from everywhere. Fails: never; at θ = π the way back is one of
// two, chosen by the last bits.
#include "dynamics/joints/turning.h"

namespace touchstone {

int same_rotation_rows(const JointSides<2>& s, JointRow<2>* rows) {
  rows[0] = angle_row(s, 0.0);
  return 1;
}
int same_rotation_rows(const JointSides<3>& s, JointRow<3>* rows) {
  const TurningQuaternion q = relative_rotation(s);
  Turning divisor = q.w;
  divisor.value += 1.0;
  rows[0] = row_of(4.0 * q.x / divisor);
  rows[1] = row_of(4.0 * q.y / divisor);
  rows[2] = row_of(4.0 * q.z / divisor);
  return 3;
}

template <int D>
int fixed_rows(const JointSides<D>& s, JointRow<D>* rows) {
  const int linear = point_rows(s, rows);
  return linear + same_rotation_rows(s, rows + linear);
}

template int fixed_rows(const JointSides<2>&, JointRow<2>*);
template int fixed_rows(const JointSides<3>&, JointRow<3>*);

}  // namespace touchstone

// Purpose: a screw: a cylindrical joint whose displacement is proportional to the angle. Its coordinate is the
// displacement, which counts the turns.
// Source: C = x_a·d − p·φ with φ the twist of hinge.cpp. φ is known up to whole turns; the one nearest to x_a·d/p is
// taken, so that C is right as long as it is below half a turn's advance, and nothing needs to be remembered.
// Letters: p pitch [m/rad], right-handed if positive; φ angle of B against A about x_a.
// Deviations: none. Fails: as a hinge; a screw that is off by more than π·p settles a turn farther.
#include "dynamics/joints/turning.h"

namespace touchstone {

int screw_rows(const JointSides<3>& s, JointRow<3>* rows) {
  const double pitch = s.joint->pitch;
  const Mat<3> axes = matrix_of(s.frame_a);
  JointRow<3>& thread = rows[0] = turning_direction_row<3>(s, axes.col(0));
  rows[1] = turning_direction_row<3>(s, axes.col(1));
  rows[2] = turning_direction_row<3>(s, axes.col(2));
  const JointRow<3> twist = twist_row(s, thread.error / pitch);
  thread.angular_a -= pitch * twist.angular_a;
  thread.angular_b -= pitch * twist.angular_b;
  thread.error -= pitch * twist.error;
  thread.rate_bias -= pitch * twist.rate_bias;
  return 3 + swing_rows(s, rows + 3);
}

}  // namespace touchstone

// Purpose: a planar joint: B slides in a plane of A through A's point and turns about its normal. Its coordinate is the
// angle about the normal.
// Source: C = x_a·d with d = p_b − p_a and x_a the normal; the hinge's angular rows keep the normals parallel.
// Letters: d. Deviations: none. Fails: as a hinge.
#include "dynamics/joints/turning.h"

namespace touchstone {

int planar_rows(const JointSides<3>& s, JointRow<3>* rows) {
  rows[0] = turning_direction_row<3>(s, matrix_of(s.frame_a).col(0));
  return 1 + swing_rows(s, rows + 1);
}

}  // namespace touchstone

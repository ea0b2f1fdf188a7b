// Purpose: a cylindrical joint: B slides along an axis of A and turns about it. Its coordinate is the displacement.
// Source: the slider's linear rows (slider.cpp), the hinge's angular ones (hinge.cpp). Letters: theirs.
// Deviations: none. Fails: as a hinge.
#include "dynamics/joints/turning.h"

namespace touchstone {

int cylindrical_rows(const JointSides<3>& s, JointRow<3>* rows) {
  const Mat<3> axes = matrix_of(s.frame_a);
  rows[0] = turning_direction_row<3>(s, axes.col(1));
  rows[1] = turning_direction_row<3>(s, axes.col(2));
  return 2 + swing_rows(s, rows + 2);
}

}  // namespace touchstone

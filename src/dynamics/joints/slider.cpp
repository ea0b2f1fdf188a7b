// Purpose: a slider: B moves along an axis of A and does not turn against it. Its coordinate is the displacement along
// the axis, which limits and motors act on.
// Source: d = p_b − p_a; C = y_a·d (in 3D also z_a·d), the coordinate x_a·d, with the axes fixed to A: the arm of A
// reaches to B's point, J = (−u, −(r_a + d)×u, u, r_b×u). Rotation as for a fixed joint. Letters: u one of A's axes; r
// arms. Deviations: none. Fails: never.
#include "dynamics/joints/turning.h"

namespace touchstone {

template <int D>
int slider_rows(const JointSides<D>& s, JointRow<D>* rows) {
  const Mat<D> axes = matrix_of(s.frame_a);
  int count = 0;
  for (int k = 1; k < D; ++k) rows[count++] = turning_direction_row<D>(s, axes.col(k));
  return count + same_rotation_rows(s, rows + count);
}

template <int D>
JointRow<D> slider_coordinate(const JointSides<D>& s) {
  return turning_direction_row<D>(s, matrix_of(s.frame_a).col(0));
}

template int slider_rows(const JointSides<2>&, JointRow<2>*);
template int slider_rows(const JointSides<3>&, JointRow<3>*);
template JointRow<2> slider_coordinate(const JointSides<2>&);
template JointRow<3> slider_coordinate(const JointSides<3>&);

}  // namespace touchstone

// Purpose: a ball joint, in which one point of each body is at the same place. They turn as they like.
// Source: C = p_b − p_a, D rows along the world's axes. J = (−1, r_a×, 1, −r_b×), J̇·v = ω_b×(ω_b×r_b) − ω_a×(ω_a×r_a).
// Letters: r arm from the centre of mass to the point.
// Deviations: none.
// Fails: never.
#include "dynamics/joints/sides.h"

namespace touchstone {

template <int D>
int ball_rows(const JointSides<D>& s, JointRow<D>* rows) {
  return point_rows(s, rows);
}

template int ball_rows(const JointSides<2>&, JointRow<2>*);
template int ball_rows(const JointSides<3>&, JointRow<3>*);

}  // namespace touchstone

// Purpose: a ball joint, in which one point of each body is at the same place. They turn as they like.
// Source: C = u·d with d = p_b − p_a, for each axis u of the joint on A: J = (−u, −(r_a + d)×u, u, r_b×u),
// J̇·v = u·(ω_b×(ω_b×r_b) − ω_a×(ω_a×r_a)) + 2 (ω_a×u)·ḋ + (ω_a×(ω_a×u))·d.
// Letters: r arm from the centre of mass to the point.
// Deviations: 1. Axes of A, not of the world: impulses then keep the angular momentum also while d is not zero.
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

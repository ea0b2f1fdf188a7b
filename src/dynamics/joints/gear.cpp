// Purpose: a gear, which couples the turns of two bodies: B turns `ratio` times as far as A. Where the wheels sit is
// for other joints to say. Source: C = θ_b − ρ θ_a, with both angles zero at the start. A torque λ on B comes with −ρ λ
// on A; what is missing to equal and opposite torques, (1 − ρ) λ, is carried by the housing, which is the world.
// Letters: ρ ratio: −r_a/r_b for wheels that mesh outside, r_a/r_b for a belt.
// Deviations: none. Fails: never.
#include "dynamics/joints/sides.h"

namespace touchstone {

int gear_rows(const JointSides<2>& s, JointRow<2>* rows) {
  const double ratio = s.joint->ratio;
  JointRow<2>& row = rows[0] = JointRow<2>{};
  row.angular_a << -ratio;
  row.angular_b << 1.0;
  row.error = s.frame_b - ratio * s.frame_a;
  row.angular = true;
  return 1;
}

}  // namespace touchstone

// Purpose: a universal joint (Cardan, Hooke): one point of each body coincides, and an axis of A stays perpendicular to
// one of B. It carries a turn about the third direction from one to the other.
// Source: C = asin(x_a·y_b), the angle by which the two axes are off the right angle, so that J is of unit length. With
// q = (w, x, y, z) the rotation of B against A in the joint's axes, x_a·y_b = 2(xy − wz).
// Letters: ε = C, s = sin ε; dε/ds = 1/cos ε, d²ε/ds² = s/cos³ ε.
// Deviations: none.
// Fails: when the two axes are parallel the direction of J is not defined (gimbal lock): cos ε is kept above kSmallest.
#include <algorithm>

#include "dynamics/joints/turning.h"

namespace touchstone {

int universal_rows(const JointSides<3>& s, JointRow<3>* rows) {
  constexpr double kSmallest = 1e-3;  // [rad] from the lock
  const int linear = point_rows(s, rows);
  const TurningQuaternion q = relative_rotation(s);
  const Turning sine = 2.0 * (q.x * q.y - q.w * q.z);
  const double value = std::clamp(sine.value, -1.0, 1.0);
  const double cosine = std::max(std::sqrt((1 - value) * (1 + value)), kSmallest);
  rows[linear] = row_of(chain(sine, std::asin(value), 1 / cosine, value / (cosine * cosine * cosine)));
  return linear + 1;
}

}  // namespace touchstone

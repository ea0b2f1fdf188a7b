// Purpose: a distance joint: a rod without mass between two points, or with limits a telescope. Its coordinate is the
// length, which is that of ropes and springs, too: a rope has an upper limit only, a spring none, and a force
// (coordinate_force.cpp). Source: C = |d| − length, d = p_b − p_a, n = d/|d|: J = (−n, −r_a×n, n, r_b×n), and J̇·v has
// (|ḋ|² − (n·ḋ)²)/|d|, the centripetal acceleration of the turning line. Letters: r arms. Deviations: none. Fails:
// where the points coincide the line has no direction: it is taken along x, and does not turn.
#include "dynamics/joints/sides.h"

namespace touchstone {

template <int D>
JointRow<D> distance_coordinate(const JointSides<D>& s) {
  constexpr double kSmallest = 1e-12;  // [m], below which the rounding of positions decides the direction
  const double length = s.between.norm();
  const bool known = length > kSmallest;
  const Vec<D> n = known ? Vec<D>(s.between / length) : Vec<D>(Vec<D>::Unit(0));
  JointRow<D> row = direction_row<D>(s, n);
  row.error = length;
  if (known) {
    const Vec<D> across = s.rate - n.dot(s.rate) * n;
    row.rate_bias += across.squaredNorm() / length;
  }
  return row;
}

template JointRow<2> distance_coordinate(const JointSides<2>&);
template JointRow<3> distance_coordinate(const JointSides<3>&);

}  // namespace touchstone

// Purpose: one impulse at one point. It is tried whether an impulse that ends the slip lies in the cone of friction; if
//   not, the point slides on along its old direction.
// Source: [guendelman2003, §6]; the test for sticking and the two cases are those of [hahn1988] too.
// Letters: K response of the point, u velocity before (normal first), e restitution, T direction of the slip.
// Deviations: (1) A point without slip whose sticking impulse lies outside the cone slides against that impulse's
//   tangential part; the sources do not say. (2) μ_s decides whether it sticks, μ_d how it slides.
// Fails: never. Newton's law with friction may gain energy (B18 of the catalogue); the yardstick shows it.
#include "models/pairwise/coulomb_impact.h"

#include <Eigen/LU>

namespace touchstone {

template <int D>
PointImpulse<D> coulomb_impact(const Mat<D>& k, const Vec<D>& u, double e, double static_friction,
                               double dynamic_friction) {
  // Of the speed of the point: slower is no direction to slide along.
  constexpr double kStill = 1e-12;
  // Of K_NN: friction against a slide would press so much that no impulse stops the approach. Such a point sticks,
  // so that this is not met but by rounding.
  constexpr double kLeast = 1e-6;
  Vec<D> change = -u;
  change[0] = -(1 + e) * u[0];
  const Mat<D> inverse = k.inverse();
  const Vec<D> stick = inverse * change;
  const Vec<D - 1> held = stick.template tail<D - 1>(), slip = u.template tail<D - 1>();
  if (stick[0] >= 0 && held.norm() <= static_friction * stick[0]) return {stick, true};
  const double speed = slip.norm();
  const Vec<D - 1> along = speed > kStill * u.norm() ? Vec<D - 1>(slip / speed) : Vec<D - 1>(-held / held.norm());
  Vec<D> direction = Vec<D>::Unit(0);
  direction.template tail<D - 1>() = -dynamic_friction * along;
  const double answer = k.row(0).dot(direction);
  if (answer < kLeast * k(0, 0)) direction = Vec<D>::Unit(0);
  return {direction * (change[0] / k.row(0).dot(direction)), false};
}

template PointImpulse<2> coulomb_impact(const Mat<2>&, const Vec<2>&, double, double, double);
template PointImpulse<3> coulomb_impact(const Mat<3>&, const Vec<3>&, double, double, double);

}  // namespace touchstone

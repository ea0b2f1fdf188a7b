#pragma once
// The collision of two bodies at one point by Newton's restitution and Coulomb's friction, in closed form.
#include "math/types.h"

namespace touchstone {

template <int D>
struct PointImpulse {
  Vec<D> impulse = Vec<D>::Zero();  // on B, in the axes of the point [N·s]
  bool sticking = false;            // there is no slip when it ends
};

// u: relative velocity before, u_N < 0. e may be negative: −1 changes nothing, and −0.9 takes a tenth of the approach.
template <int D>
PointImpulse<D> coulomb_impact(const Mat<D>& k, const Vec<D>& u, double e, double static_friction,
                               double dynamic_friction);

}  // namespace touchstone

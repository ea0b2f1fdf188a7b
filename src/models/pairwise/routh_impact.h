#pragma once
// The collision of two bodies at one point as a course of events in the normal impulse: friction acts while the
// impulse grows, slip may end or turn, and restitution is a share of the work of compression.
#include "models/pairwise/coulomb_impact.h"

namespace touchstone {

struct ImpactLaw {
  double restitution = 0;  // Stronge's: its square is the share of the work of compression that comes back
  double static_friction = 0, dynamic_friction = 0;
};

template <int D>
struct RouthImpact : PointImpulse<D> {
  double compression = 0, restitution = 0;  // work of the normal impulse in the two phases [J]: <= 0, >= 0
  bool finished = true;                     // false: the cap of steps was met
};

// u: relative velocity before, u_N < 0.
template <int D>
RouthImpact<D> routh_impact(const Mat<D>& k, const Vec<D>& u, const ImpactLaw& law);

}  // namespace touchstone

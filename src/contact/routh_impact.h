#pragma once
// The collision of two bodies at one point as a course of events in the normal impulse: friction acts while the
// impulse grows, slip may end or turn, and restitution is a share of the work of compression.
#include "contact/restitution_law.h"
#include "math/types.h"

namespace touchstone {

struct PointLaw {
  double restitution = 0;
  double static_friction = 0, dynamic_friction = 0;
  RestitutionLaw law = RestitutionLaw::kEnergetic;  // or kPoisson; Newton's looks at the ends of the course only
};

template <int D>
struct RouthImpact {
  Vec<D> impulse = Vec<D>::Zero();          // on B, in the axes of the point [N·s]
  bool sticking = false;                    // there is no slip when it ends
  double compression = 0, restitution = 0;  // work of the normal impulse in the two phases [J]: <= 0, >= 0
  bool finished = true;                     // false: the cap of steps was met
};

// u: relative velocity before, u_N < 0.
template <int D>
RouthImpact<D> routh_impact(const Mat<D>& k, const Vec<D>& u, const PointLaw& law);

}  // namespace touchstone

#pragma once
// What (S2⁺) and (S') have beside accelerations: the part of d²φ/dt² that velocities make.
#include "collision/contact.h"
#include "dynamics/bodies.h"

namespace touchstone {

// Of a vertex on a face [m/s²]; 0 where two edges or a round side touch. Without `centripetal` parts, what points have
// whose bars turn them by themselves.
template <int D>
double gap_acceleration(const Contact<D>& contact, const State<D>& state, bool centripetal = true);

}  // namespace touchstone

#pragma once
// The kinetic energy of the dynamic bodies.
#include "dynamics/bodies.h"

namespace touchstone {

template <int D>
double kinetic_energy_of(const Bodies<D>& bodies, const State<D>& state) {
  double sum = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (!bodies.dynamic(i)) continue;
    const AngVec<D>& w = state.angular_velocity[i];
    sum += bodies.mass[i] * state.velocity[i].squaredNorm() +
           w.dot(apply_moments(frame_of(state.orientation[i]), bodies.inertia[i], w));
  }
  return 0.5 * sum;
}

}  // namespace touchstone

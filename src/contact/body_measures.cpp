#include "contact/body_measures.h"

#include <algorithm>
#include <cmath>

namespace touchstone {

template <int D>
BodyMeasures measure_bodies(const Bodies<D>& bodies, const State<D>& state, const Vec<D>& gravity) {
  BodyMeasures out;
  double fastest = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (!bodies.dynamic(i)) continue;
    const double m = bodies.mass[i];
    const Vec<D>&x = state.position[i], &v = state.velocity[i];
    const AngVec<D>& w = state.angular_velocity[i];
    const AngVec<D>& moments = bodies.inertia[i];
    const AngVec<D> spin =
        all_equal(moments) ? AngVec<D>(moments[0] * w) : apply_moments(frame_of(state.orientation[i]), moments, w);
    const Vec<D> p = m * v;
    out.kinetic_energy += 0.5 * (p.dot(v) + spin.dot(w));
    out.gravity_energy -= m * bodies.gravity_scale[i] * gravity.dot(x);
    out.momentum += widen<D>(p);
    out.angular_momentum += widen_angular<D>(AngVec<D>(spin + torque_of(x, p)));
    fastest = std::max(fastest, v.squaredNorm());
  }
  out.max_speed = std::sqrt(fastest);
  return out;
}

template <int D>
double potential_energy(const Bodies<D>& bodies, const State<D>& state, const ForceModel<D>& forces) {
  double energy = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (bodies.dynamic(i)) energy -= bodies.mass[i] * bodies.gravity_scale[i] * forces.gravity.dot(state.position[i]);
  return energy + spring_energy(forces, state);
}

template double potential_energy(const Bodies<2>&, const State<2>&, const ForceModel<2>&);
template double potential_energy(const Bodies<3>&, const State<3>&, const ForceModel<3>&);
template BodyMeasures measure_bodies(const Bodies<2>&, const State<2>&, const Vec<2>&);
template BodyMeasures measure_bodies(const Bodies<3>&, const State<3>&, const Vec<3>&);

}  // namespace touchstone

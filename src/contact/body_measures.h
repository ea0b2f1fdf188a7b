#pragma once
// Measures of a world that use nothing but bodies, state and gravity: the same for every contact model.
#include "dynamics/forces.h"

namespace touchstone {

struct BodyMeasures {
  double kinetic_energy = 0;
  double gravity_energy = 0;  // zero at the origin
  Eigen::Vector3d momentum = Eigen::Vector3d::Zero();
  Eigen::Vector3d angular_momentum = Eigen::Vector3d::Zero();  // about the world's origin
  double max_speed = 0;
};

// Summed in the order of the slots over the dynamic bodies.
template <int D>
BodyMeasures measure_bodies(const Bodies<D>& bodies, const State<D>& state, const Vec<D>& gravity);

// Potential energy in gravity and springs [J].
template <int D>
double potential_energy(const Bodies<D>& bodies, const State<D>& state, const ForceModel<D>& forces);

}  // namespace touchstone

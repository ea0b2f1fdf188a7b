#pragma once
// Forces of joints on their coordinates: springs, dampers, and motors that give a force. They act as all forces do, at
// each stage of the integrator.
#include "dynamics/joints/joint.h"

namespace touchstone {

// Whether a joint has any, at some time.
template <int D>
bool has_coordinate_force(const Joint<D>& joint);

// What a joint gives its coordinate at a time, positive where it makes it grow [N or N·m].
struct CoordinateForce {
  double spring = 0, damper = 0, motor = 0;
  double sum() const { return spring + damper + motor; }
};
template <int D>
CoordinateForce coordinate_force(const Joint<D>& joint, const JointCoordinate& coordinate, double time);

template <int D>
void add_joint_forces(const Bodies<D>& bodies, const std::vector<Joint<D>>& joints, double time, const State<D>& state,
                      WrenchSet<D>& out);
// Of the springs [J].
template <int D>
double coordinate_energy(const Joint<D>& joint, const State<D>& state);

// What B receives through them, about the joint's place on B [N, N·m].
template <int D>
JointImpulse<D> joint_push(const Joint<D>& joint, const State<D>& state, double time);

// The longest step in which spring and damper stay stable [s]; infinite without them. By the symplectic Euler method
// with K the response of the coordinate (Joint::response): λ² − (2 − b − a) λ + 1 − b = 0 with a = h²·k·K, b = h·c·K
// has no root outside the unit circle if b < 2 and a + 2b < 4.
template <int D>
double longest_step(const Joint<D>& joint);

}  // namespace touchstone

#pragma once
// Prescribed motion of kinematic bodies: their pose and velocity as a function of time.
#include <functional>
#include <vector>

#include "dynamics/bodies.h"

namespace touchstone {

template <int D>
struct MotionSample {
  Pose<D> pose;  // of the centre of mass
  Vec<D> velocity = Vec<D>::Zero();
  AngVec<D> angular_velocity = AngVec<D>::Zero();
};

template <int D>
struct Motion {
  PrescribedMotion law;
  double start_time = 0.0;
  Pose<D> start;
  std::function<MotionSample<D>(double time)> callback;  // instead of the law, if set; not in snapshots
  bool needs_callback = false;  // restored from a snapshot in which a callback moved it, and not given one yet

  MotionSample<D> at(double time) const;
  void serialize(Archive& ar);
};

// Throws Error unless the two angular vectors are parallel and everything is finite.
void check_motion(const PrescribedMotion& motion);

}  // namespace touchstone

#pragma once
// How a body turns by itself. Letters: ω angular velocity, L = I·ω, both in the world.
#include "math/rotation.h"

namespace touchstone {

// The rotation vector of a body without torque over h, to second order: h·(ω + ½·h·ω'), where I·ω' = L×ω.
inline AngVec<2> free_turn(double, const AngVec<2>&, const AngVec<2>&, const AngVec<2>& w, double h) { return h * w; }
inline Vec<3> free_turn(const Eigen::Quaterniond& q, const Vec<3>& inertia, const Vec<3>& inv_inertia, const Vec<3>& w,
                        double h) {
  const Mat<3> frame = frame_of(q);
  const Vec<3> momentum = apply_moments(frame, inertia, w);
  return h * w + 0.5 * h * h * apply_moments(frame, inv_inertia, cross(momentum, w));
}

}  // namespace touchstone

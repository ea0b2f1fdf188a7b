#pragma once
// Velocities as the solver holds them: one cache line a body in 3D, turned into lanes four bodies at a time.
#include "math/lane_vectors.h"
#include "math/types.h"

namespace touchstone {

template <int D>
struct BodyVelocity;
template <>
struct BodyVelocity<3> {
  Lane v, w;  // x, y, z, unused
};
template <>
struct BodyVelocity<2> {
  Lane v;  // x, y, ω, unused
};

inline void set_velocity(BodyVelocity<3>& out, const Vec<3>& v, const Vec<3>& w) {
  out = {Lane{v[0], v[1], v[2], 0}, Lane{w[0], w[1], w[2], 0}};
}
inline void set_velocity(BodyVelocity<2>& out, const Vec<2>& v, const AngVec<2>& w) {
  out = {Lane{v[0], v[1], w[0], 0}};
}
inline void get_velocity(const BodyVelocity<3>& in, Vec<3>& v, Vec<3>& w) {
  v = Vec<3>(in.v[0], in.v[1], in.v[2]), w = Vec<3>(in.w[0], in.w[1], in.w[2]);
}
inline void get_velocity(const BodyVelocity<2>& in, Vec<2>& v, AngVec<2>& w) {
  v = Vec<2>(in.v[0], in.v[1]), w[0] = in.v[2];
}

}  // namespace touchstone

#pragma once
// What the kernels over packed contacts share: the velocities of four pairs of bodies, and an impulse on them.
#include "models/impulse/contact_groups.h"

namespace touchstone {

template <int D>
struct PairLanes {
  LaneVec<D> v_a, v_b;
  LaneVec<kAngular<D>> w_a, w_b;
};

inline void load(const BodyVelocity<3>* all, const std::uint32_t* index, LaneVec<3>& v, LaneVec<3>& w) {
  const BodyVelocity<3>&b0 = all[index[0]], &b1 = all[index[1]], &b2 = all[index[2]], &b3 = all[index[3]];
  Lane x = b0.v, y = b1.v, z = b2.v, unused = b3.v;
  transpose(x, y, z, unused);
  v = {{x, y, z}};
  x = b0.w, y = b1.w, z = b2.w, unused = b3.w;
  transpose(x, y, z, unused);
  w = {{x, y, z}};
}
inline void load(const BodyVelocity<2>* all, const std::uint32_t* index, LaneVec<2>& v, LaneVec<1>& w) {
  Lane x = all[index[0]].v, y = all[index[1]].v, z = all[index[2]].v, unused = all[index[3]].v;
  transpose(x, y, z, unused);
  v = {{x, y}};
  w = {{z}};
}
// Only bodies that move are written: several lanes and threads may share one that does not.
inline void store(BodyVelocity<3>* all, const std::uint32_t* index, std::uint8_t moves, const LaneVec<3>& v,
                  const LaneVec<3>& w) {
  Lane a = v[0], b = v[1], c = v[2], d{};
  Lane p = w[0], q = w[1], r = w[2], s{};
  transpose(a, b, c, d);
  transpose(p, q, r, s);
  if (moves & 1) all[index[0]] = {a, p};
  if (moves & 2) all[index[1]] = {b, q};
  if (moves & 4) all[index[2]] = {c, r};
  if (moves & 8) all[index[3]] = {d, s};
}
inline void store(BodyVelocity<2>* all, const std::uint32_t* index, std::uint8_t moves, const LaneVec<2>& v,
                  const LaneVec<1>& w) {
  Lane a = v[0], b = v[1], c = w[0], d{};
  transpose(a, b, c, d);
  if (moves & 1) all[index[0]] = {a};
  if (moves & 2) all[index[1]] = {b};
  if (moves & 4) all[index[2]] = {c};
  if (moves & 8) all[index[3]] = {d};
}

template <int D>
inline void push(const ContactGroup<D>& g, const PointLanes<D>& point, const LaneVec<D>& p, PairLanes<D>& u) {
  u.v_a = u.v_a - p * g.inv_mass_a;
  u.w_a = u.w_a - apply(g.inv_inertia_a, torque_of(point.arm_a, p));
  u.v_b = u.v_b + p * g.inv_mass_b;
  u.w_b = u.w_b + apply(g.inv_inertia_b, torque_of(point.arm_b, p));
}

template <int D>
inline LaneVec<D - 1> tangential(const ContactGroup<D>& g, const LaneVec<D>& second, const LaneVec<D>& v) {
  if constexpr (D == 2)
    return {{dot(g.t, v)}};
  else
    return {{dot(g.t, v), dot(second, v)}};
}

template <int D>
inline LaneVec<D> second_tangent(const ContactGroup<D>& g) {
  if constexpr (D == 3)
    return cross(g.n, g.t);
  else
    return LaneVec<D>::zero();
}

template <int D>
inline LaneVec<D> at_point(const ContactGroup<D>& g, const LaneVec<D>& second, Lane normal,
                           const LaneVec<D - 1>& tangent) {
  LaneVec<D> p = g.n * normal + g.t * tangent[0];
  if constexpr (D == 3) p = p + second * tangent[1];
  return p;
}

}  // namespace touchstone

#pragma once
// What the kernels over packed contacts share: the velocities of some pairs of bodies, and an impulse on them.
#include "models/impulse/contact_groups.h"

namespace touchstone {

template <int D, class L>
struct PairLanes {
  LaneVec<D, L> v_a, v_b;
  LaneVec<kAngular<D>, L> w_a, w_b;
};

// A body's velocity in single precision: x, y, z, unused, and the same turning; in 2D x, y, ω.
struct SingleVelocity {
  SingleLane x;
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

inline void load(const SingleVelocity* all, const std::uint32_t* index, SingleLane (&rows)[8]) {
  for (int i = 0; i < 8; ++i) rows[i] = all[index[i]].x;
  transpose(rows);
}
inline void load(const SingleVelocity* all, const std::uint32_t* index, LaneVec<3, SingleLane>& v,
                 LaneVec<3, SingleLane>& w) {
  SingleLane r[8];
  load(all, index, r);
  v = {{r[0], r[1], r[2]}};
  w = {{r[4], r[5], r[6]}};
}
inline void load(const SingleVelocity* all, const std::uint32_t* index, LaneVec<2, SingleLane>& v,
                 LaneVec<1, SingleLane>& w) {
  SingleLane r[8];
  load(all, index, r);
  v = {{r[0], r[1]}};
  w = {{r[2]}};
}
inline void store(SingleVelocity* all, const std::uint32_t* index, std::uint8_t moves, SingleLane (&rows)[8]) {
  transpose(rows);
  for (int i = 0; i < 8; ++i)
    if (moves & 1 << i) all[index[i]].x = rows[i];
}
inline void store(SingleVelocity* all, const std::uint32_t* index, std::uint8_t moves, const LaneVec<3, SingleLane>& v,
                  const LaneVec<3, SingleLane>& w) {
  SingleLane r[8] = {v[0], v[1], v[2], SingleLane{}, w[0], w[1], w[2], SingleLane{}};
  store(all, index, moves, r);
}
inline void store(SingleVelocity* all, const std::uint32_t* index, std::uint8_t moves, const LaneVec<2, SingleLane>& v,
                  const LaneVec<1, SingleLane>& w) {
  SingleLane r[8] = {v[0], v[1], w[0]};
  store(all, index, moves, r);
}

template <int D, class L, class Velocity>
inline PairLanes<D, L> load_pair(const PairGroup<D, L>& g, const Velocity* all) {
  PairLanes<D, L> u;
  load(all, g.a, u.v_a, u.w_a);
  load(all, g.b, u.v_b, u.w_b);
  return u;
}
template <int D, class L, class Velocity>
inline void store_pair(const PairGroup<D, L>& g, const PairLanes<D, L>& u, Velocity* all) {
  store(all, g.a, g.moves_a, u.v_a, u.w_a);
  store(all, g.b, g.moves_b, u.v_b, u.w_b);
}

// The velocity of B's point relative to A's.
template <int D, class L, class Group, class Point>
inline LaneVec<D, L> relative(const Group& g, const PairLanes<D, L>& u, const Point& p) {
  return u.v_b + cross(u.w_b, arm_of_b(g, p)) - u.v_a - cross(u.w_a, p.arm_a);
}

template <int D, class L, class Group, class Point>
inline void push(const Group& g, const PairInertia<D, L>& inertia, const Point& point, const LaneVec<D, L>& p,
                 PairLanes<D, L>& u) {
  u.v_a = u.v_a - p * g.inv_mass_a;
  u.w_a = u.w_a - apply(inertia.a, torque_of(point.arm_a, p));
  u.v_b = u.v_b + p * g.inv_mass_b;
  u.w_b = u.w_b + apply(inertia.b, torque_of(arm_of_b(g, point), p));
}

template <int D, class L>
inline LaneVec<D - 1, L> tangential(const PairGroup<D, L>& g, const LaneVec<D, L>& second, const LaneVec<D, L>& v) {
  if constexpr (D == 2)
    return {{dot(g.t, v)}};
  else
    return {{dot(g.t, v), dot(second, v)}};
}

template <int D, class L>
inline LaneVec<D, L> second_tangent(const PairGroup<D, L>& g) {
  if constexpr (D == 3)
    return cross(g.n, g.t);
  else
    return LaneVec<D, L>::zero();
}

template <int D, class L>
inline LaneVec<D, L> at_point(const PairGroup<D, L>& g, const LaneVec<D, L>& second, L normal,
                              const LaneVec<D - 1, L>& tangent) {
  LaneVec<D, L> p = g.n * normal + g.t * tangent[0];
  if constexpr (D == 3) p = p + second * tangent[1];
  return p;
}

}  // namespace touchstone

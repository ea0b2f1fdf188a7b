// Purpose: the second derivative of a gap without accelerations, in reduced coordinates.
// Source: [rote2012 §4, (4.4)]: 2·A(v_i, v_j, v_k) over the length of the edge, for points that turn with their bodies.
// Letters: k the vertex, e the body of the face, c the point of e that k touches, n from A to B.
//   φ = n·(x_B − x_A) with n fixed to e, so that
//   d²φ/dt² = n·(a_B − a_A) + 2·(ω_e×n)·(v_B − v_A), and a_B, a_A have the centripetal part ω×(ω×r) by velocities.
//   In the framework of points that part belongs to (L2⁺), and 2·(ω_e×n)·(v_B − v_A) is 2·A(v_i, v_j, v_k)/ℓ.
// Deviations: -
// Fails: never.
#include "models/gauss/second_order.h"

#include "collision/narrow/feature.h"

namespace touchstone {

template <int D>
double gap_acceleration(const Contact<D>& c, const State<D>& state, bool centripetal) {
  const auto kind = static_cast<std::uint32_t>(c.key & 0xffff) >> kFeatureBits;
  constexpr std::uint32_t kVertexOfB = 0, kVertexOfA = 1;
  if (kind != kVertexOfB && kind != kVertexOfA) return 0;
  const std::uint32_t face = kind == kVertexOfB ? c.body_a : c.body_b;
  const auto inward = [&](std::uint32_t body) -> Vec<D> {
    const AngVec<D>& w = state.angular_velocity[body];
    return cross(w, cross(w, Vec<D>(c.point - state.position[body])));
  };
  const Vec<D> slip = state.point_velocity(c.body_b, c.point) - state.point_velocity(c.body_a, c.point);
  const double turned = 2 * cross(state.angular_velocity[face], c.normal).dot(slip);
  return centripetal ? turned + c.normal.dot(inward(c.body_b) - inward(c.body_a)) : turned;
}

template double gap_acceleration<2>(const Contact<2>&, const State<2>&, bool);
template double gap_acceleration<3>(const Contact<3>&, const State<3>&, bool);

}  // namespace touchstone

// Purpose: the last word of what cannot move. Sweeps that did not come to an end may leave a body with a velocity that
//   takes it right through a thin wall, pushed by a heavy one: that is stopped, and the heavy one overlaps it instead.
// Source: own.
// Deviations: -
// Fails: where a body is held from several sides, a few passes do not make all of them right.
#include "models/impulse/contact_groups.h"

namespace touchstone {

template <int D>
bool ContactGroups<D>::stop_flights(const Bodies<D>& bodies, double h, double far,
                                    std::span<BodyVelocity<D>> velocity) {
  constexpr int kPasses = 8;
  bool any = false, again = true;
  const auto stop = [&](const ContactGroup<D>& g, int lane) {
    const bool b_moves = g.moves_b & 1 << lane;
    const std::uint32_t body = b_moves ? g.b[lane] : g.a[lane];
    const Vec<D> n = get_lane(g.n, lane);
    Vec<D> v_a, v_b;
    AngVec<D> w_a, w_b;
    for (std::uint32_t k = g.first_point; k < g.first_point + g.points; ++k) {
      if (points_[k].contact[lane] < 0) continue;
      PointLanes<D>& p = points_[k];
      get_velocity(velocity[g.a[lane]], v_a, w_a), get_velocity(velocity[g.b[lane]], v_b, w_b);
      const Vec<D> to_a = get_lane(p.arm_a, lane), to_b = get_lane(arm_of_b(g, p), lane);
      const double off = p.bias[lane] + n.dot(v_b + cross(w_b, to_b) - v_a - cross(w_a, to_a));
      if (!(-off * h > far * bodies.radius[body])) continue;
      const AngVec<D> torque = torque_of(b_moves ? to_b : to_a, n), turn = inv_inertia_[body] * torque;
      const double push = -off / (bodies.inv_mass[body] + torque.dot(turn)), sign = b_moves ? 1 : -1;
      set_velocity(velocity[body], (b_moves ? v_b : v_a) + sign * push * bodies.inv_mass[body] * n,
                   (b_moves ? w_b : w_a) + sign * push * turn);
      p.normal[lane] += push;
      any = again = true;
    }
  };
  for (int pass = 0; pass < kPasses && again; ++pass) {
    again = false;
    for (const std::uint32_t i : at_fixed_) {
      const ContactGroup<D>& g = groups_[i];
      for (int lane = 0; lane < g.lanes; ++lane)
        if ((g.moves_a ^ g.moves_b) & 1 << lane) stop(g, lane);
    }
  }
  return any;
}

template bool ContactGroups<2>::stop_flights(const Bodies<2>&, double, double, std::span<BodyVelocity<2>>);
template bool ContactGroups<3>::stop_flights(const Bodies<3>&, double, double, std::span<BodyVelocity<3>>);

}  // namespace touchstone

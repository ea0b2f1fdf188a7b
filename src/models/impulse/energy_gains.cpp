// Purpose: finds islands whose impulses have given them energy, which no contact does, and takes those impulses back.
// Source: own. An impulse p at a contact whose bodies' relative velocity goes from u to u' does the work p·(u + u')/2,
//   which is never positive under Coulomb's law, whatever moves: bodies that are moved by others count by their motion
//   relative to what they push.
// Deviations: -
// Fails: an island that gains less than a stated speed is left alone.
#include <algorithm>

#include "models/impulse/contact_groups.h"
#include "models/impulse/pair_lanes.h"

namespace touchstone {

template <int D>
bool ContactGroups<D>::drop_gains(const Bodies<D>& bodies, const State<D>& state, double speed,
                                  std::span<BodyVelocity<D>> velocity) {
  const auto each_patch = [&](auto&& visit) {
    for (const ContactGroup<D>& g : groups_)
      for (int lane = 0; lane < g.lanes; ++lane) {
        const bool a = bodies.dynamic(g.a[lane]);
        visit(g, lane, a ? g.a[lane] : g.b[lane], a && bodies.dynamic(g.b[lane]));
      }
  };
  islands_.reset(bodies.size());
  each_patch([&](const ContactGroup<D>& g, int lane, std::uint32_t body, bool both) {
    if (both) islands_.join(body, g.b[lane]);
  });
  gain_.assign(bodies.size(), 0.0);
  mass_.assign(bodies.size(), 0.0);
  for (std::uint32_t i = 0; i < bodies.size(); ++i)
    if (bodies.dynamic(i)) mass_[islands_.root(i)] += bodies.mass[i];
  const auto mean = [&](std::uint32_t i, Vec<D>& v, AngVec<D>& w) {
    get_velocity(velocity[i], v, w);
    v = 0.5 * (v + state.velocity[i]), w = 0.5 * (w + state.angular_velocity[i]);
  };
  each_patch([&](const ContactGroup<D>& g, int lane, std::uint32_t body, bool) {
    Vec<D> v_a, v_b;
    AngVec<D> w_a, w_b;
    mean(g.a[lane], v_a, w_a), mean(g.b[lane], v_b, w_b);
    const Mat<D> axes = contact_axes(g, lane);
    const Vec<D> skin = axes.template rightCols<D - 1>() * get_lane(g.skin, lane);
    for (std::uint32_t k = g.first_point; k < g.first_point + g.points; ++k) {
      const PointLanes<D>& p = points_[k];
      Vec<D> impulse;
      impulse << p.normal[lane], get_lane(p.tangent, lane);
      const Vec<D> u =
          v_b + cross(w_b, get_lane(arm_of_b(g, p), lane)) - v_a - cross(w_a, get_lane(p.arm_a, lane)) + skin;
      gain_[islands_.root(body)] += (axes * impulse).dot(u);
    }
  });
  const auto gains = [&](std::uint32_t body) {
    const std::uint32_t island = islands_.root(body);
    return gain_[island] > 0.5 * mass_[island] * speed * speed;
  };
  bool any = false;
  each_patch([&](const ContactGroup<D>& g, int lane, std::uint32_t body, bool both) {
    if (!gains(body)) return;
    any = true;
    for (std::uint32_t k = g.first_point; k < g.first_point + g.points; ++k)
      set_impulse(k, lane, Vec<D>::Zero(), points_[k].stuck[lane] > 0);
    set_velocity(velocity[body], state.velocity[body], state.angular_velocity[body]);
    if (both) set_velocity(velocity[g.b[lane]], state.velocity[g.b[lane]], state.angular_velocity[g.b[lane]]);
  });
  return any;
}

template bool ContactGroups<2>::drop_gains(const Bodies<2>&, const State<2>&, double, std::span<BodyVelocity<2>>);
template bool ContactGroups<3>::drop_gains(const Bodies<3>&, const State<3>&, double, std::span<BodyVelocity<3>>);

}  // namespace touchstone

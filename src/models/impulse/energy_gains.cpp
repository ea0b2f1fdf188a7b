// Purpose: finds islands whose impulses have given them energy, which no contact does, and takes those impulses back,
//   or as much of them as is too much.
// Source: own. An impulse p at a contact whose bodies' relative velocity goes from u to u' does the work p·(u + u')/2,
//   which is never positive under Coulomb's law, whatever moves: bodies that are moved by others count by their motion
//   relative to what they push. Of all impulses s·p of an island, whose work is s·pᵀu + s²·pᵀKp/2, those with
//   s = −pᵀu/pᵀKp take the most energy away; they are in the friction cones as p is.
// Letters: W the work of p, pᵀKp = Σ (m·Δv² + Δω·I·Δω); so s = 1/2 − W/pᵀKp.
// Deviations: -
// Fails: an island that gains less than a stated speed is left alone.
#include <algorithm>
#include <tuple>
#include <utility>

#include "models/impulse/contact_groups.h"
#include "models/impulse/pair_lanes.h"

namespace touchstone {
// visit(group, lane, a body of it that moves, whether both do).
template <int D>
template <class Visit>
void ContactGroups<D>::each_patch(const Bodies<D>& bodies, Visit visit) const {
  for (const ContactGroup<D>& g : groups_)
    for (int lane = 0; lane < g.lanes; ++lane) {
      const bool a = bodies.dynamic(g.a[lane]);
      visit(g, lane, a ? g.a[lane] : g.b[lane], a && bodies.dynamic(g.b[lane]));
    }
}

template <int D>
Islands& ContactGroups<D>::islands(std::size_t bodies) {
  if (std::exchange(islands_known_, true)) return islands_;
  islands_.reset(bodies);
  driven_.clear();
  for (const ContactGroup<D>& g : groups_)
    for (int lane = 0; lane < g.lanes; ++lane) {
      if (g.moves_a & g.moves_b & 1 << lane) islands_.join(g.a[lane], g.b[lane]);
      if (g.driven & 1 << lane) driven_.push_back(g.moves_a & 1 << lane ? g.a[lane] : g.b[lane]);
    }
  return islands_;
}

template <int D>
void ContactGroups<D>::find_gains(const Bodies<D>& bodies, const State<D>& state,
                                  std::span<const BodyVelocity<D>> velocity, Scratch& room, const Parallel& parallel) {
  struct Share {
    double push, work;
  };
  constexpr std::size_t kBodyGrain = 256;
  std::span<Share> shares;
  std::tie(island_work_, shares) = room.take_lists<IslandWork, Share>(bodies.size(), bodies.size());
  parallel.for_ranges(bodies.size(), kBodyGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (!bodies.dynamic(i)) continue;
      Vec<D> v;
      AngVec<D> w;
      get_velocity(velocity[i], v, w);
      const Vec<D> dv = v - state.velocity[i];
      const AngVec<D> dw = w - state.angular_velocity[i];
      const AngVec<D> spin = apply_moments(frame_of(state.orientation[i]), bodies.inertia[i], dw);
      shares[i] = {bodies.mass[i] * dv.squaredNorm() + spin.dot(dw),
                   0.5 * (bodies.mass[i] * dv.dot(v + state.velocity[i]) + spin.dot(w + state.angular_velocity[i]))};
    }
  });
  islands(bodies.size());
  std::fill(island_work_.begin(), island_work_.end(), IslandWork{});
  for (const std::uint32_t body : driven_) island_work_[islands_.root(body)].driven = true;
  for (std::uint32_t i = 0; i < bodies.size(); ++i) {  // in this order, whatever the threads did
    if (!bodies.dynamic(i)) continue;
    IslandWork& island = island_work_[islands_.root(i)];
    island.mass += bodies.mass[i];
    island.push += shares[i].push;
    if (!island.driven) island.work += shares[i].work;  // what they change of the energy is their work
  }
  if (!driven_.empty()) add_driven_work(bodies, state, velocity);
}

template <int D>
void ContactGroups<D>::add_driven_work(const Bodies<D>& bodies, const State<D>& state,
                                       std::span<const BodyVelocity<D>> velocity) {
  const auto mean = [&](std::uint32_t i, Vec<D>& v, AngVec<D>& w) {
    get_velocity(velocity[i], v, w);
    v = 0.5 * (v + state.velocity[i]), w = 0.5 * (w + state.angular_velocity[i]);
  };
  each_patch(bodies, [&](const ContactGroup<D>& g, int lane, std::uint32_t body, bool) {
    IslandWork& island = island_work_[islands_.root(body)];
    if (!island.driven) return;
    Vec<D> v_a, v_b;
    AngVec<D> w_a, w_b;
    mean(g.a[lane], v_a, w_a), mean(g.b[lane], v_b, w_b);
    const Mat<D> axes = contact_axes(g, lane);
    const Vec<D> skin = axes.template rightCols<D - 1>() * get_lane(rare_[g.rare].skin, lane);
    for (std::uint32_t k = g.first_point; k < g.first_point + g.points; ++k) {
      const PointLanes<D>& p = points_[k];
      Vec<D> impulse;
      impulse << p.normal[lane], get_lane(p.tangent, lane);
      const Vec<D> u =
          v_b + cross(w_b, get_lane(arm_of_b(g, p), lane)) - v_a - cross(w_a, get_lane(p.arm_a, lane)) + skin;
      island.work += (axes * impulse).dot(u);
    }
  });
}

template <int D>
bool ContactGroups<D>::take_gains_back(const Bodies<D>& bodies, const State<D>& state, double speed, bool anew,
                                       std::span<BodyVelocity<D>> velocity, Scratch& room, const Parallel& parallel) {
  find_gains(bodies, state, velocity, room, parallel);
  const auto gains = [&](const IslandWork& w) { return w.work > 0.5 * w.mass * speed * speed; };
  if (std::none_of(island_work_.begin(), island_work_.end(), gains)) return false;
  const auto kept = [&](std::uint32_t body) {  // the part that stays
    const IslandWork& island = island_work_[islands_.root(body)];
    if (!gains(island)) return 1.0;
    return anew ? 0.0 : std::max(0.0, 0.5 - island.work / island.push);
  };
  each_patch(bodies, [&](const ContactGroup<D>& g, int lane, std::uint32_t body, bool) {
    const double part = kept(body);
    if (part == 1) return;
    for (std::uint32_t k = g.first_point; k < g.first_point + g.points; ++k) {
      Vec<D> impulse;
      impulse << points_[k].normal[lane], get_lane(points_[k].tangent, lane);
      set_impulse(k, lane, part * impulse, points_[k].stuck[lane] > 0);
    }
  });
  taken_back_.assign(bodies.size(), 0);
  for (std::uint32_t i = 0; i < bodies.size(); ++i) {
    const double part = bodies.dynamic(i) ? kept(i) : 1.0;
    if (part == 1) continue;
    taken_back_[i] = 1;
    Vec<D> v;
    AngVec<D> w;
    get_velocity(velocity[i], v, w);
    v = state.velocity[i] + part * (v - state.velocity[i]);
    w = state.angular_velocity[i] + part * (w - state.angular_velocity[i]);
    set_velocity(velocity[i], v, w);
  }
  return true;
}

template Islands& ContactGroups<2>::islands(std::size_t);
template Islands& ContactGroups<3>::islands(std::size_t);
template bool ContactGroups<2>::take_gains_back(const Bodies<2>&, const State<2>&, double, bool,
                                                std::span<BodyVelocity<2>>, Scratch&, const Parallel&);
template bool ContactGroups<3>::take_gains_back(const Bodies<3>&, const State<3>&, double, bool,
                                                std::span<BodyVelocity<3>>, Scratch&, const Parallel&);

}  // namespace touchstone

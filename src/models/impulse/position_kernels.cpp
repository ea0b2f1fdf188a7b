// Purpose: takes back what the velocities left behind: penetration, and slip of contacts that stick. Bodies are moved,
//   velocities are not, so that no energy of motion is made.
// Source: own; the pseudo-impulses are those of eq 8 of [bender2006] with 1/h left out.
// Deviations: -
// Fails: never; what is not taken back in max_sweeps is left for the next step.
#include "models/impulse/contact_groups.h"
#include "models/impulse/pair_lanes.h"

namespace touchstone {
namespace {

// What is taken back in a step: all of it would overshoot, because the sweeps over positions are few.
constexpr double kPart = 0.2;

template <int D>
bool needs_shift(const ContactGroup<D>& g, const PointLanes<D>* points, const PointStart<D>* starts, double allowed) {
  for (int k = 0; k < g.points; ++k) {
    for (int lane = 0; lane < g.lanes; ++lane) {
      if (starts[k].contact[lane] < 0) continue;
      if (starts[k].gap_now[lane] < -allowed) return true;
      if (points[k].stuck[lane] > 0 && get_lane(starts[k].slip_now, lane).squaredNorm() > allowed * allowed)
        return true;
    }
  }
  return false;
}

template <int D>
inline Lane shift_group(const ContactGroup<D>& g, const PointLanes<D>* points, PointShift<D>* shifts,
                        BodyVelocity<D>* shift) {
  PairLanes<D> u;
  load(shift, g.a, u.v_a, u.w_a);
  load(shift, g.b, u.v_b, u.w_b);
  const LaneVec<D> second = second_tangent(g);
  Lane worst{};
  for (int k = 0; k < g.points; ++k) {
    const PointLanes<D>& p = points[k];
    PointShift<D>& s = shifts[k];
    const LaneVec<D> rel = u.v_b + cross(u.w_b, p.arm_b) - u.v_a - cross(u.w_a, p.arm_a);
    const Lane gap = s.wanted + dot(g.n, rel);
    worst = larger(worst, choose(p.inv_k > Lane{}, -gap, Lane{}));
    const Lane normal = larger(Lane{}, s.normal - p.inv_k * gap), dn = normal - s.normal;
    s.normal = normal;
    LaneVec<D - 1> dt = tangential(g, second, rel) + s.slip + p.k_couple * dn;
    if constexpr (D == 3)
      dt = {{-(p.inv_k_tangent[0] * dt[0] + p.inv_k_tangent[2] * dt[1]),
             -(p.inv_k_tangent[2] * dt[0] + p.inv_k_tangent[1] * dt[1])}};
    else
      dt = {{-p.inv_k_tangent[0] * dt[0]}};
    dt = dt * p.stuck;
    s.tangent = s.tangent + dt;
    push(g, p, at_point(g, second, dn, dt), u);
  }
  store(shift, g.a, g.moves_a, u.v_a, u.w_a);
  store(shift, g.b, g.moves_b, u.v_b, u.w_b);
  return worst;
}

}  // namespace

template <int D>
std::int64_t ContactGroups<D>::correct(double allowed, double most, std::int64_t max_sweeps,
                                       std::span<BodyVelocity<D>> shift, const Parallel&) {
  shifts_.resize(points_.size());
  shifted_.assign(groups_.size(), 0);
  bool any = false;
  for (std::size_t i = 0; i < groups_.size(); ++i)
    any |= needs_shift(groups_[i], &points_[groups_[i].first_point], &starts_[groups_[i].first_point], allowed);
  if (!any) return 0;
  for (std::size_t k = 0; k < points_.size(); ++k) {
    PointShift<D>& s = shifts_[k];
    s = PointShift<D>{};
    const Lane gap = starts_[k].gap_now;
    s.wanted = choose(gap > Lane{}, gap, larger(gap * kPart, lane_of(-most)));
    for (int i = 0; i < D - 1; ++i)
      s.slip[i] = larger(lane_of(-most), smaller(lane_of(most), starts_[k].slip_now[i] * kPart));
  }
  std::int64_t sweeps = 0;
  double worst = 0;
  do {
    Lane greatest{};
    for (std::size_t i = 0; i < groups_.size(); ++i)
      greatest = larger(greatest, shift_group(groups_[i], &points_[groups_[i].first_point],
                                              &shifts_[groups_[i].first_point], shift.data()));
    worst = largest(greatest);
  } while (++sweeps < max_sweeps && worst > 0.5 * allowed);
  return sweeps;
}

template <int D>
void ContactGroups<D>::settle(std::span<const BodyVelocity<D>> shift) {
  for (ContactGroup<D>& g : groups_) {
    PairLanes<D> u;
    load(shift.data(), g.a, u.v_a, u.w_a);
    load(shift.data(), g.b, u.v_b, u.w_b);
    const LaneVec<D> second = second_tangent(g);
    for (std::uint32_t k = g.first_point; k < g.first_point + g.points; ++k) {
      const PointLanes<D>& p = points_[k];
      const LaneVec<D> rel = u.v_b + cross(u.w_b, p.arm_b) - u.v_a - cross(u.w_a, p.arm_a);
      starts_[k].gap_now += dot(g.n, rel);
      starts_[k].slip_now = starts_[k].slip_now + tangential(g, second, rel);
    }
  }
}

#define TOUCHSTONE_INSTANTIATE(D)                                                                           \
  template std::int64_t ContactGroups<D>::correct(double, double, std::int64_t, std::span<BodyVelocity<D>>, \
                                                  const Parallel&);                                         \
  template void ContactGroups<D>::settle(std::span<const BodyVelocity<D>>);
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone

// Purpose: takes back what the velocities left behind: penetration, and slip of contacts that stick. Bodies are moved,
//   velocities are not, so that no energy of motion is made.
// Source: own; the pseudo-impulses are those of eq 8 of [bender2006] with 1/h left out.
// Deviations: -
// Fails: never; what is not taken back in max_sweeps is left for the next step.
#include <algorithm>

#include "models/impulse/contact_sweeps.h"

namespace touchstone {
namespace {

// What is taken back in a step: all of it at once would shake a pile, and what has slipped is many small amounts.
constexpr double kPart = 0.6, kSlipPart = 0.2;
// Of the greatest push, for each of the two ways. Bodies turn, and other points open more than the one that was pushed.
constexpr double kShare = 0.45;

template <int D>
bool needs_shift(const ContactGroup<D>& g, const PointLanes<D>* points, const PointStart<D>* starts, double allowed,
                 double allowed_slip) {
  for (int k = 0; k < g.points; ++k) {
    for (int lane = 0; lane < g.lanes; ++lane) {
      if (points[k].contact[lane] < 0) continue;
      if (starts[k].gap_now[lane] < -allowed) return true;
      if (points[k].stuck[lane] > 0 && get_lane(starts[k].slip_now, lane).squaredNorm() > allowed_slip * allowed_slip)
        return true;
    }
  }
  return false;
}

// What a gap has to become: it may close if it is open, and part of what is too deep is taken back.
inline Lane wanted_gap(Lane gap, double allowed, double most) {
  return choose(gap > Lane{}, gap, larger(smaller(Lane{}, gap + allowed) * kPart, lane_of(-most)));
}

// Without the normal.
template <int D, class L>
inline LaneVec<D - 1, L> tail(const LaneVec<D, L>& v) {
  LaneVec<D - 1, L> out;
  for (int i = 0; i < D - 1; ++i) out[i] = v[i + 1];
  return out;
}

template <int D, class L, class Velocity>
inline void shift_group(const SweepGroup<D, L>& g, SweepPoint<D, L>* points, Velocity* shift) {
  PairLanes<D, L> u = load_pair(g, shift);
  const LaneVec<D, L> second = second_tangent(g);
  for (int k = 0; k < g.points; ++k) {
    SweepPoint<D, L>& p = points[k];
    LaneVec<D, L>& pushed = p.pushed();
    const LaneVec<D, L> rel = relative<D, L>(g, u, p);
    const L gap = p.wanted()[0] + dot(g.n, rel);
    const L normal = larger(L{}, pushed[0] - p.inv_k * gap), dn = normal - pushed[0];
    pushed[0] = normal;
    LaneVec<D - 1, L> dt = tangential(g, second, rel) + tail(p.wanted()) + p.k_couple * dn;
    if constexpr (D == 3)
      dt = {{-(p.inv_k_tangent[0] * dt[0] + p.inv_k_tangent[2] * dt[1]),
             -(p.inv_k_tangent[2] * dt[0] + p.inv_k_tangent[1] * dt[1])}};
    else
      dt = {{-p.inv_k_tangent[0] * dt[0]}};
    // Friction holds as much as the load lets it: what is wedged in must be able to slide.
    const LaneVec<D - 1, L> before = tail(pushed), sum = before + dt * p.stuck;
    const L length = square_root(dot(sum, sum)), limit = p.hold() + g.static_friction * normal;
    const LaneVec<D - 1, L> next = sum * choose(length > limit, limit / larger(length, splat<L>(1e-30)), splat<L>(1));
    dt = next - before;
    for (int i = 0; i < D - 1; ++i) pushed[i + 1] = next[i];
    push(g, g.inertia, p, at_point(g, second, dn, dt), u);
  }
  store_pair(g, u, shift);
}

}  // namespace

template <int D, class L>
void ContactSweeps<D, L>::load_shifts(ContactGroups<D>& groups, double allowed, double most, double h,
                                      const Parallel& parallel) {
  const Lane limit = lane_of(most);
  const auto one = [&](const Group& g) {
    for (std::uint32_t k = g.first_row; k < g.first_row + g.points; ++k)
      points_[k].wanted() = points_[k].pushed() = LaneVec<D, L>::zero(), points_[k].hold() = L{};
    for (int part = 0; part < g.parts; ++part) {
      const ContactGroup<D>& from = groups.groups()[g.source + static_cast<std::size_t>(part)];
      for (std::uint32_t k = 0; k < from.points; ++k) {
        const PointStart<D>& start = groups.starts()[from.first_point + k];
        Point& p = points_[g.first_row + k];
        set_part(p.hold(), part, from.static_friction * groups.points()[from.first_point + k].normal * h);
        set_part(p.wanted()[0], part, wanted_gap(start.gap_now, allowed, most));
        for (int i = 0; i < D - 1; ++i)
          set_part(p.wanted()[i + 1], part, larger(-limit, smaller(limit, widened(start.slip_now[i]) * kSlipPart)));
      }
    }
  };
  parallel.for_ranges(groups_.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) one(groups_[i]);
  });
}

template <int D, class L>
std::int64_t ContactSweeps<D, L>::take_back(ContactGroups<D>& groups, double allowed, double allowed_slip, double most,
                                            double h, std::int64_t max_sweeps, Scratch& room,
                                            const Parallel& parallel) {
  bool any = false;
  for (const ContactGroup<D>& g : groups.groups())
    any =
        any || needs_shift(g, &groups.points()[g.first_point], &groups.starts()[g.first_point], allowed, allowed_slip);
  if (!any) return 0;
  narrowed_ = false;
  load_shifts(groups, allowed, kShare * most, h, parallel);
  bodies_ = room.take<Velocity>(body_count_);
  std::fill(bodies_.begin(), bodies_.end(), Velocity{});
  for (std::int64_t k = 0; k < max_sweeps; ++k)
    by_colour(parallel, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i)
        shift_group<D, L>(groups_[i], &points_[groups_[i].first_row], bodies_.data());
    });
  settle(groups, parallel);
  return max_sweeps;
}

template <int D>
double ContactGroups<D>::deepest() const {
  Lane deepest{};
  for (const ContactGroup<D>& g : groups_)
    for (std::uint32_t k = g.first_point; k < g.first_point + g.points; ++k)
      deepest = larger(deepest, -starts_[k].gap_now);
  return largest(deepest);
}

// From below upwards: sweeps would need as many as a stack has bodies.
template <int D>
bool lift(ContactGroups<D>& groups, const Bodies<D>& bodies, std::span<const AngMat<D>> inv_inertia, const Vec<D>& up,
          double allowed, double most, int passes, ContactLevels<D>& levels, Scratch& room, const Parallel& parallel) {
  if (!(groups.deepest() > allowed)) return false;
  levels.find(groups, bodies, up, allowed, room, parallel);
  std::fill(levels.motion().begin(), levels.motion().end(), SmallMotion<D>{});
  const auto wanted = [&](std::size_t row, int lane) {
    return wanted_gap(groups.starts()[row].gap_now, allowed, kShare * most)[lane];
  };
  if (!levels.push_up(groups, inv_inertia, passes, allowed, wanted, parallel)) return false;
  groups.follow(levels.motion(), parallel);
  return true;
}

// What the shift does to gaps and slips.
template <int D, class L>
void ContactSweeps<D, L>::settle(ContactGroups<D>& groups, const Parallel& parallel) const {
  const auto one = [&](const Group& g) {
    const PairLanes<D, L> u = load_pair(g, bodies_.data());
    const LaneVec<D, L> second = second_tangent(g);
    for (std::uint32_t k = 0; k < g.points; ++k) {
      const LaneVec<D, L> rel = relative<D, L>(g, u, points_[g.first_row + k]);
      const L apart = dot(g.n, rel);
      const LaneVec<D - 1, L> along = tangential(g, second, rel);
      for (int part = 0; part < g.parts; ++part) {
        const ContactGroup<D>& to = groups.groups()[g.source + static_cast<std::size_t>(part)];
        if (k >= to.points) continue;
        PointStart<D>& start = groups.starts()[to.first_point + k];
        start.gap_now += get_part(apart, part);
        start.slip_now = narrowed(widened(start.slip_now) + get_part(along, part));
      }
    }
  };
  parallel.for_ranges(groups_.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) one(groups_[i]);
  });
}

template <int D>
void ContactGroups<D>::follow(std::span<const SmallMotion<D>> motion, const Parallel& parallel) {
  const auto one = [&](const ContactGroup<D>& g) {
    PairLanes<D, Lane> u{};
    for (int lane = 0; lane < g.lanes; ++lane) {
      const SmallMotion<D>&a = motion[g.a[lane]], &b = motion[g.b[lane]];
      set_lane(u.v_a, lane, a.linear), set_lane(u.w_a, lane, a.angular);
      set_lane(u.v_b, lane, b.linear), set_lane(u.w_b, lane, b.angular);
    }
    const LaneVec<D> second = second_tangent(g);
    for (std::uint32_t k = g.first_point; k < g.first_point + g.points; ++k) {
      const LaneVec<D> rel = relative<D, Lane>(g, u, points_[k]);
      PointStart<D>& s = starts_[k];
      s.gap_now += dot(g.n, rel);
      s.slip_now = narrowed(widened(s.slip_now) + tangential(g, second, rel));
    }
  };
  parallel.for_ranges(groups_.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) one(groups_[i]);
  });
}

#define TOUCHSTONE_INSTANTIATE(D, L)                                                                      \
  template std::int64_t ContactSweeps<D, L>::take_back(ContactGroups<D>&, double, double, double, double, \
                                                       std::int64_t, Scratch&, const Parallel&);
template bool lift(ContactGroups<2>&, const Bodies<2>&, std::span<const AngMat<2>>, const Vec<2>&, double, double, int,
                   ContactLevels<2>&, Scratch&, const Parallel&);
template bool lift(ContactGroups<3>&, const Bodies<3>&, std::span<const AngMat<3>>, const Vec<3>&, double, double, int,
                   ContactLevels<3>&, Scratch&, const Parallel&);
template double ContactGroups<2>::deepest() const;
template double ContactGroups<3>::deepest() const;
template void ContactGroups<2>::follow(std::span<const SmallMotion<2>>, const Parallel&);
template void ContactGroups<3>::follow(std::span<const SmallMotion<3>>, const Parallel&);
TOUCHSTONE_INSTANTIATE(2, Lane)
TOUCHSTONE_INSTANTIATE(3, Lane)
TOUCHSTONE_INSTANTIATE(2, SingleLane)
TOUCHSTONE_INSTANTIATE(3, SingleLane)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone

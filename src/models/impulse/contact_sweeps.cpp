// Purpose: one Gauss-Seidel sweep of normal and friction impulses over packed contacts, and the way there and back.
// Source: [bender2006, §3.1 eqs 1-6, §3.2 eq 8].
// Letters: K = K_aa + K_bb maps an impulse at the point to the change of relative velocity; u relative velocity B − A.
// Deviations: see impulse.cpp.
#include "models/impulse/contact_sweeps.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "base/room.h"

namespace touchstone {
namespace {

constexpr std::size_t kBodyGrain = 1024;

// What a range of a sweep comes to, lane by lane.
template <class L>
struct SweepLanes {
  L squared{};  // greatest squared change of a relative velocity [m²/s²]
  L energy{};   // Σ K·(change of impulse)² [J]
};

// What holds for all points of a sweep.
template <class L>
struct SweepRule {
  L factor;      // how far impulses go along the direction of the sweeps before
  bool coulomb;  // else friction grows with the slip
  L slip_speed;
};

// Friction after the normal impulse: stick if the impulse that stops the point lies in the cone, else slide against the
// motion. u: tangential velocity with what the normal impulse has just changed; p: the tangential impulse before.
template <class L>
inline LaneVec<1, L> friction(const PairGroup<2, L>& g, SweepPoint<2, L>& point, L normal, const LaneVec<1, L>& p,
                              const LaneVec<1, L>& u) {
  const L stick = p[0] - point.inv_k_tangent[0] * u[0];                                       // eq 5
  const L limit = choose(point.stuck > L{}, g.static_friction, g.dynamic_friction) * normal;  // eq 6
  const typename LaneTraits<L>::Mask holds = magnitude(stick) <= limit;
  const L most = g.dynamic_friction * normal;
  point.stuck = choose(holds, splat<L>(1), L{});
  return {{choose(holds, stick, larger(-most, smaller(most, stick)))}};  // eq 4, on the sums
}
template <class L>
inline LaneVec<2, L> friction(const PairGroup<3, L>& g, SweepPoint<3, L>& point, L normal, const LaneVec<2, L>& p,
                              const LaneVec<2, L>& u) {
  const LaneVec<3, L>& inv_k = point.inv_k_tangent;
  L s0 = p[0] - (inv_k[0] * u[0] + inv_k[2] * u[1]);  // eq 5, as a 2×2 solve
  L s1 = p[1] - (inv_k[2] * u[0] + inv_k[1] * u[1]);
  const L limit = choose(point.stuck > L{}, g.static_friction, g.dynamic_friction) * normal;  // eq 6
  const typename LaneTraits<L>::Mask holds = s0 * s0 + s1 * s1 <= limit * limit;
  point.stuck = choose(holds, splat<L>(1), L{});
  if (!all(holds)) {
    // eq 4, on the sums: a step against the motion by 1/λ, brought to the rim of the cone, so that the friction impulse
    // ends up opposite to the sliding velocity whatever K is.
    const L z0 = point.k_slide * p[0] - u[0], z1 = point.k_slide * p[1] - u[1];
    const L length = square_root(z0 * z0 + z1 * z1);
    const L scale = g.dynamic_friction * normal / larger(length, splat<L>(1e-30));
    s0 = choose(holds, s0, z0 * scale), s1 = choose(holds, s1, z1 * scale);
  }
  return {{s0, s1}};
}

// Friction that grows with the slip: −μ·p_n·u/s with s = √(u² + slip_speed²), where s is that of the visit before.
template <int D, class L>
inline LaneVec<D - 1, L> drag(const PairGroup<D, L>& g, SweepPoint<D, L>& point, L normal, const LaneVec<D - 1, L>& p,
                              const LaneVec<D - 1, L>& u, L slip_speed) {
  const L most = g.dynamic_friction * normal, s = square_root(dot(u, u) + slip_speed * slip_speed);
  const LaneVec<D - 1, L> next = (p * point.k_slide - u) * (most / (most * point.k_slide + s));
  const L reached = square_root(dot(next, next));
  point.stuck = L{};
  return next * choose(reached > most, most / larger(reached, splat<L>(1e-30)), splat<L>(1));
}

template <int D, class L>
[[gnu::always_inline]] inline void solve_point(const SweepGroup<D, L>& g, const LaneVec<D, L>& second,
                                               const SweepRule<L>& rule, SweepPoint<D, L>& p, PairLanes<D, L>& u,
                                               SweepLanes<L>& out) {
  // The bodies have moved on along the last direction already: so do the impulses.
  const LaneVec<D, L> step = p.direction * rule.factor, impulse = p.impulse + step;
  p.direction = step + p.change;
  const LaneVec<D, L> rel = relative<D, L>(g, u, p);
  const L wanted = dot(g.n, rel) + p.aim[0];
  p.impulse[0] = larger(-p.base[0], impulse[0] - p.inv_k * wanted);  // eqs 1 and 8, clamped on the sum: eq 3
  p.change[0] = p.impulse[0] - impulse[0];
  LaneVec<D - 1, L> along = tangential(g, second, rel) + p.k_couple * p.change[0], sum;
  for (int i = 0; i < D - 1; ++i) along[i] += p.aim[i + 1], sum[i] = p.base[i + 1] + impulse[i + 1];
  const L normal = p.base[0] + p.impulse[0];
  const LaneVec<D - 1, L> next =
      rule.coulomb ? friction(g, p, normal, sum, along) : drag(g, p, normal, sum, along, rule.slip_speed);
  const LaneVec<D - 1, L> dt = next - sum;
  for (int i = 0; i < D - 1; ++i) p.change[i + 1] = dt[i], p.impulse[i + 1] = impulse[i + 1] + dt[i];
  const L dt2 = dot(dt, dt), dn2 = p.change[0] * p.change[0] * p.k_normal;
  out.squared = larger(out.squared, larger(dn2 * p.k_normal, dt2 * p.k_slide * p.k_slide));
  out.energy += dn2 + dt2 * p.k_slide;
  push(g, g.inertia, p, at_point(g, second, p.change[0], dt), u);
}

// K·d.
template <int D, class L>
inline LaneVec<D, L> response(const SweepGroup<D, L>& g, const SweepPoint<D, L>& p, const LaneVec<D, L>& d) {
  const LaneVec<D, L> arm_b = arm_of_b(g, p);
  return d * (g.inv_mass_a + g.inv_mass_b) + cross(apply(g.inertia.a, torque_of(p.arm_a, d)), p.arm_a) +
         cross(apply(g.inertia.b, torque_of(arm_b, d)), arm_b);
}

template <class L>
inline L inverse_of(L x) {
  return choose(x > L{}, splat<L>(1) / x, L{});
}

template <class L>
inline void tangential_mass(const SweepGroup<2, L>& g, const LaneVec<2, L>&, SweepPoint<2, L>& p) {
  p.k_slide = dot(g.t, response(g, p, g.t));
  p.inv_k_tangent[0] = inverse_of(p.k_slide);
}
template <class L>
inline void tangential_mass(const SweepGroup<3, L>& g, const LaneVec<3, L>& second, SweepPoint<3, L>& p) {
  const LaneVec<3, L> k0 = response(g, p, g.t), k1 = response(g, p, second);
  const L a = dot(g.t, k0), b = dot(second, k1), c = dot(second, k0), inverse = inverse_of(a * b - c * c);
  p.inv_k_tangent = {{b * inverse, a * inverse, -c * inverse}};
  const L half = splat<L>(0.5) * (a - b);
  p.k_slide = splat<L>(0.5) * (a + b) + square_root(half * half + c * c);
}

// there: 1 where there is a point; lanes without one take no impulse.
template <int D, class L>
void set_masses(const SweepGroup<D, L>& g, const LaneVec<D, L>& second, L there, SweepPoint<D, L>& p) {
  const LaneVec<D, L> k_n = response(g, p, g.n);
  p.k_normal = dot(g.n, k_n) * there;
  p.inv_k = inverse_of(p.k_normal);
  p.k_couple = tangential(g, second, k_n) * there;
  tangential_mass(g, second, p);
  p.inv_k_tangent = p.inv_k_tangent * there;
  p.k_slide *= there;
}

}  // namespace

template <int D, class L>
void ContactSweeps<D, L>::begin(const ContactGroups<D>& groups, std::size_t bodies, Scratch& scratch,
                                const Parallel& parallel) {
  const std::span<const std::size_t> colours = groups.colour_begin();
  last_is_serial_ = groups.last_is_serial();
  layout_.clear();
  colour_begin_.assign(1, 0);
  std::uint32_t rows = 0;
  for (std::size_t c = 0; c + 1 < colours.size(); ++c) {
    const std::size_t width = last_is_serial_ && c + 2 == colours.size() ? 1 : kParts;
    for (std::size_t i = colours[c]; i < colours[c + 1]; i += width) {
      Layout g{rows, static_cast<std::uint32_t>(i), 0, static_cast<std::uint8_t>(std::min(width, colours[c + 1] - i))};
      for (std::size_t part = 0; part < g.parts; ++part) g.points = std::max(g.points, groups.points_of(i + part));
      layout_.push_back(g);
      rows += g.points;
    }
    colour_begin_.push_back(layout_.size());
  }
  size_to(groups_, layout_.size());
  points_ = scratch.take<Point>(rows);
  size_to(squared_, groups_.size());
  parallel.for_ranges(groups_.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) begin_group(groups, bodies, layout_[i], groups_[i]);
  });
  body_count_ = bodies + 1;
}

template <int D, class L>
void ContactSweeps<D, L>::begin_group(const ContactGroups<D>& groups, std::size_t bodies, const Layout& layout,
                                      Group& g) {
  g = Group{};
  std::fill(std::begin(g.a), std::end(g.a), static_cast<std::uint32_t>(bodies));
  std::fill(std::begin(g.b), std::end(g.b), static_cast<std::uint32_t>(bodies));
  g.source = layout.source, g.first_row = layout.first_row;
  g.points = layout.points, g.parts = layout.parts;
  for (int part = 0; part < g.parts; ++part) {
    const ContactGroup<D>& from = groups.groups()[g.source + static_cast<std::size_t>(part)];
    const int lane = part * static_cast<int>(kLanes);
    set_part(g.n, part, from.n), set_part(g.t, part, from.t);
    set_part(g.inv_mass_a, part, from.inv_mass_a), set_part(g.inv_mass_b, part, from.inv_mass_b);
    set_part(g.static_friction, part, from.static_friction);
    set_part(g.dynamic_friction, part, from.dynamic_friction);
    std::copy_n(from.a, kLanes, g.a + lane), std::copy_n(from.b, kLanes, g.b + lane);
    g.moves_a = static_cast<std::uint8_t>(g.moves_a | from.moves_a << lane);
    g.moves_b = static_cast<std::uint8_t>(g.moves_b | from.moves_b << lane);
  }
  std::fill_n(points_.begin() + g.first_row, g.points, Point{});
}

template <int D, class L>
void ContactSweeps<D, L>::load_part(ContactGroups<D>& groups, Group& g, int part,
                                    std::span<const BodyVelocity<D>> velocity, bool masses) {
  const ContactGroup<D>& from = groups.groups()[g.source + static_cast<std::size_t>(part)];
  const PairInertia<D, Lane> inertia = groups.inertia_of(from);
  set_part(g.inertia.a, part, inertia.a);
  set_part(g.inertia.b, part, inertia.b);
  set_part(g.centres, part, from.centres_now);
  PairLanes<D, Lane> u{};
  if constexpr (kSingle) u = load_pair(from, velocity.data());
  const LaneVec<D> second = second_tangent(from);
  for (std::uint32_t k = 0; k < from.points; ++k) {
    const PointLanes<D>& q = groups.points()[from.first_point + k];
    Point& p = points_[g.first_row + k];
    LaneVec<D - 1> along = groups.tangential_aim(from, from.first_point + k);
    LaneVec<D> aim, impulse;
    aim[0] = q.bias, impulse[0] = q.normal;
    if constexpr (kSingle) {
      const LaneVec<D> rel = relative<D, Lane>(from, u, q);
      aim[0] += dot(from.n, rel);
      along = along + tangential(from, second, rel);
    }
    for (int i = 1; i < D; ++i) aim[i] = along[i - 1], impulse[i] = q.tangent[i - 1];
    set_part(p.arm_a, part, q.arm_a);
    set_part(p.aim, part, aim);
    set_part(kSingle ? p.base : p.impulse, part, impulse);
    set_part(kSingle ? p.impulse : p.base, part, LaneVec<D>::zero());
    set_part(p.stuck, part, widened(q.stuck));
    if (masses) set_part(p.k_normal, part, groups.there(from.first_point + k));
  }
}

template <int D, class L>
void ContactSweeps<D, L>::load(ContactGroups<D>& groups, std::span<const BodyVelocity<D>> velocity, bool masses,
                               Scratch& room, const Parallel& parallel, std::span<const std::uint8_t> only) {
  narrowed_ = false;
  if (!only.empty()) narrow_to(only);
  parallel.for_ranges(visits_by_colour().back(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      Group& g = groups_[visited(i)];
      for (int part = 0; part < g.parts; ++part) load_part(groups, g, part, velocity, masses);
      if (!masses) continue;
      const LaneVec<D, L> second = second_tangent(g);
      for (std::uint32_t k = g.first_row; k < g.first_row + g.points; ++k)
        set_masses(g, second, L(points_[k].k_normal), points_[k]);
    }
  });
  std::tie(bodies_, before_, direction_) =
      room.take_lists<Velocity, Velocity, Velocity>(body_count_, body_count_, body_count_);
  if constexpr (kSingle)
    std::fill(bodies_.begin(), bodies_.end(), SingleVelocity{});
  else
    std::copy_n(velocity.begin(), bodies_.size(), bodies_.begin());
}

template <int D, class L>
SweepResult ContactSweeps<D, L>::sweep_range(std::size_t begin, std::size_t end, double factor) {
  SweepLanes<L> lanes;
  const SweepRule<L> rule{splat<L>(factor), slip_speed_ == 0, splat<L>(slip_speed_)};
  L squared{};
  for (std::size_t i = begin; i < end; ++i) {
    const std::size_t at = visited(i);
    const Group& g = groups_[at];
    Point* points = &points_[g.first_row];
    PairLanes<D, L> u = load_pair(g, bodies_.data());
    const LaneVec<D, L> second = second_tangent(g);
    lanes.squared = L{};
    for (int k = 0; k < g.points; ++k) solve_point(g, second, rule, points[k], u, lanes);
    squared = larger(squared, lanes.squared);
    squared_[at] = lanes.squared;
    store_pair(g, u, bodies_.data());
  }
  return {std::sqrt(largest(squared)), total(lanes.energy)};
}

template <int D, class L>
SweepResult ContactSweeps<D, L>::sweep(double factor, const Parallel& parallel) {
  parallel.for_ranges(bodies_.size(), kBodyGrain, [&](std::size_t begin, std::size_t end) {
    std::copy(&bodies_[begin], &bodies_[begin] + (end - begin), &before_[begin]);
  });
  SweepResult all;
  const std::span<const std::size_t> colours = visits_by_colour();
  for (std::size_t c = 0; c + 1 < colours.size(); ++c) {
    const std::size_t first = colours[c], count = colours[c + 1] - first;
    ranges_.resize((count + kGrain - 1) / kGrain);
    auto range = [&](std::size_t begin, std::size_t end) {
      ranges_[begin / kGrain] = sweep_range(first + begin, first + end, factor);
    };
    if (last_is_serial_ && c + 2 == colours.size())
      for (std::size_t i = 0; i < count; i += kGrain) range(i, std::min(count, i + kGrain));
    else
      parallel.for_ranges(count, kGrain, range);
    for (const SweepResult& r : ranges_) all.change = std::max(all.change, r.change), all.energy += r.energy;
  }
  return all;
}

// Friction came last: what it did to the normal velocity is left, and where it slides in 3D, its own direction.
template <int D, class L>
double ContactSweeps<D, L>::left_alone() const {
  L worst{};
  for (const Point& p : points_) {
    L normal{}, squared{};
    for (int i = 0; i < D - 1; ++i) {
      normal += p.k_couple[i] * p.change[i + 1];
      squared += p.change[i + 1] * p.change[i + 1];
    }
    worst = larger(worst, choose(p.base[0] + p.impulse[0] > L{}, magnitude(normal), larger(L{}, -normal)));
    if constexpr (D == 3) worst = larger(worst, choose(p.stuck > L{}, L{}, p.k_slide * square_root(squared)));
  }
  return slip_speed_ == 0 ? largest(worst) : std::numeric_limits<double>::infinity();
}

// The bodies go on by factor·direction; direction = factor·direction + what the last sweep changed.
template <int D, class L>
void ContactSweeps<D, L>::move_on(double factor, const Parallel& parallel) {
  const auto go = [factor](L& v, L& d, const L& before) {
    const L step = factor == 0 ? L{} : d * splat<L>(factor);
    d = step + (v - before);
    v += step;
  };
  parallel.for_ranges(bodies_.size() - 1, kBodyGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if constexpr (kSingle) {
        go(bodies_[i].x, direction_[i].x, before_[i].x);
      } else {
        go(bodies_[i].v, direction_[i].v, before_[i].v);
        if constexpr (D == 3) go(bodies_[i].w, direction_[i].w, before_[i].w);
      }
    }
  });
}

template <int D, class L>
void ContactSweeps<D, L>::store(ContactGroups<D>& groups, std::span<BodyVelocity<D>> velocity,
                                const Parallel& parallel) const {
  if constexpr (!kSingle) std::copy_n(bodies_.begin(), bodies_.size(), velocity.begin());
  by_colour(parallel, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) store_group(groups, groups_[visited(i)], velocity);
  });
}

template <int D, class L>
void ContactSweeps<D, L>::store_group(ContactGroups<D>& groups, const Group& g,
                                      std::span<BodyVelocity<D>> velocity) const {
  for (int part = 0; part < g.parts; ++part) {
    const ContactGroup<D>& to = groups.groups()[g.source + static_cast<std::size_t>(part)];
    PairLanes<D, Lane> u{};
    PairInertia<D, Lane> inertia{};
    if constexpr (kSingle) u = load_pair(to, velocity.data()), inertia = groups.inertia_of(to);
    const LaneVec<D> second = second_tangent(to);
    for (std::uint32_t k = 0; k < to.points; ++k) {
      PointLanes<D>& q = groups.points()[to.first_point + k];
      const Point& p = points_[g.first_row + k];
      const LaneVec<D> impulse = get_part(p.impulse, part);
      q.stuck = narrowed(get_part(p.stuck, part));
      LaneVec<D - 1> along;
      for (int i = 0; i < D - 1; ++i) along[i] = impulse[i + 1];
      if constexpr (!kSingle) {
        q.normal = impulse[0], q.tangent = along;
        continue;
      }
      // What was clamped to nothing is nothing, whatever its base was rounded to.
      const LaneMask gone = impulse[0] == -get_part(p.base[0], part);
      const Lane normal = larger(Lane{}, choose(gone, Lane{}, q.normal + impulse[0]));
      for (int i = 0; i < D - 1; ++i) along[i] = choose(gone, -q.tangent[i], along[i]);
      push(to, inertia, q, at_point(to, second, normal - q.normal, along), u);
      q.normal = normal, q.tangent = q.tangent + along;
    }
    if constexpr (kSingle) store_pair(to, u, velocity.data());
  }
}

template class ContactSweeps<2, Lane>;
template class ContactSweeps<3, Lane>;
template class ContactSweeps<2, SingleLane>;
template class ContactSweeps<3, SingleLane>;

}  // namespace touchstone

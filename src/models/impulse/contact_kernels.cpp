// Purpose: the inner loops of the impulse model over packed contacts: geometry and masses of a substep, the impulses
//   that it starts from, and one Gauss-Seidel sweep of normal and friction impulses.
// Source: [bender2006, §3.1 eqs 1-6, §3.2 eq 8].
// Letters: K = K_aa + K_bb maps an impulse at the point to the change of relative velocity; u relative velocity B − A.
// Deviations: see impulse.cpp.
#include <cmath>

#include "models/impulse/contact_groups.h"
#include "models/impulse/pair_lanes.h"

namespace touchstone {
namespace {

constexpr std::size_t kGroupGrain = 64;
constexpr double kOpen = 1e30;  // a velocity that no contact has [m/s]

// Friction after the normal impulse: stick if the impulse that stops the point lies in the cone, else slide against the
// motion. u: tangential velocity with what the normal impulse has just changed.
inline Lane friction(const ContactGroup<2>& g, PointLanes<2>& p, const LaneVec<1>& u, LaneVec<1>& dp) {
  const Lane stick = p.tangent[0] - p.inv_k_tangent[0] * u[0];  // eq 5
  const LaneMask marked = p.stuck > Lane{};
  const Lane limit = choose(marked, g.static_friction, g.dynamic_friction) * p.normal;  // eq 6
  const LaneMask holds = magnitude(stick) <= limit;
  const Lane most = g.dynamic_friction * p.normal;
  const Lane next = choose(holds, stick, larger(-most, smaller(most, stick)));  // eq 4, on the sums
  dp[0] = next - p.tangent[0];
  p.tangent[0] = next;
  p.stuck = choose(holds, lane_of(1.0), Lane{});
  return dp[0] * dp[0];
}
inline Lane friction(const ContactGroup<3>& g, PointLanes<3>& p, const LaneVec<2>& u, LaneVec<2>& dp) {
  Lane s0 = p.tangent[0] - (p.inv_k_tangent[0] * u[0] + p.inv_k_tangent[2] * u[1]);  // eq 5, as a 2×2 solve
  Lane s1 = p.tangent[1] - (p.inv_k_tangent[2] * u[0] + p.inv_k_tangent[1] * u[1]);
  const LaneMask marked = p.stuck > Lane{};
  const Lane limit = choose(marked, g.static_friction, g.dynamic_friction) * p.normal;  // eq 6
  const LaneMask holds = s0 * s0 + s1 * s1 <= limit * limit;
  p.stuck = choose(holds, lane_of(1.0), Lane{});
  if (!all(holds)) {
    // eq 4, on the sums: a step against the motion by 1/λ, brought to the rim of the cone, so that the friction impulse
    // ends up opposite to the sliding velocity whatever K is.
    const Lane z0 = p.k_slide * p.tangent[0] - u[0], z1 = p.k_slide * p.tangent[1] - u[1];
    const Lane length = square_root(z0 * z0 + z1 * z1);
    const Lane scale = g.dynamic_friction * p.normal / larger(length, lane_of(1e-300));
    s0 = choose(holds, s0, z0 * scale), s1 = choose(holds, s1, z1 * scale);
  }
  dp = {{s0 - p.tangent[0], s1 - p.tangent[1]}};
  p.tangent = {{s0, s1}};
  return dp[0] * dp[0] + dp[1] * dp[1];
}

inline Lane length_of(const LaneVec<1>& v) { return magnitude(v[0]); }
inline Lane length_of(const LaneVec<2>& v) { return square_root(v[0] * v[0] + v[1] * v[1]); }

// Friction that grows with the slip: −μ·p_n·u/s with s = √(u² + slip_speed²), where s is that of the visit before.
template <int D>
inline Lane drag(const ContactGroup<D>& g, PointLanes<D>& p, const LaneVec<D - 1>& u, double slip_speed,
                 LaneVec<D - 1>& dp) {
  const Lane most = g.dynamic_friction * p.normal, length = length_of(u);
  const Lane s = square_root(length * length + lane_of(slip_speed * slip_speed));
  LaneVec<D - 1> next = (p.tangent * p.k_slide - u) * (most / (most * p.k_slide + s));
  const Lane reached = length_of(next);
  next = next * choose(reached > most, most / larger(reached, lane_of(1e-300)), lane_of(1.0));
  dp = next - p.tangent;
  p.tangent = next;
  p.stuck = Lane{};
  const Lane change = length_of(dp);
  return change * change;
}

// starts: of the points, if their slips were predicted. slip_speed: 0 for Coulomb's law.
template <int D>
inline void solve_group(const ContactGroup<D>& g, PointLanes<D>* points, const PointStart<D>* starts, double slip_speed,
                        BodyVelocity<D>* velocity, Lane& greatest) {
  PairLanes<D> u;
  load(velocity, g.a, u.v_a, u.w_a);
  load(velocity, g.b, u.v_b, u.w_b);
  const LaneVec<D> second = second_tangent(g);
  for (int k = 0; k < g.points; ++k) {
    PointLanes<D>& p = points[k];
    const LaneVec<D> rel = u.v_b + cross(u.w_b, p.arm_b) - u.v_a - cross(u.w_a, p.arm_a);
    const Lane wanted = dot(g.n, rel) + p.bias;
    const Lane normal = larger(Lane{}, p.normal - p.inv_k * wanted);  // eqs 1 and 8, clamped on the sum: eq 3
    const Lane dn = normal - p.normal;
    p.normal = normal;
    LaneVec<D - 1> along = tangential(g, second, rel) + g.skin + p.k_couple * dn, dt;
    if (starts) along = along + starts[k].aim;
    const Lane dt2 = slip_speed > 0 ? drag(g, p, along, slip_speed, dt) : friction(g, p, along, dt);
    greatest = larger(greatest, larger(dn * dn * p.k_normal * p.k_normal, dt2 * p.k_slide * p.k_slide));
    p.change[0] = dn;
    for (int i = 0; i < D - 1; ++i) p.change[i + 1] = dt[i];
    push(g, p, at_point(g, second, dn, dt), u);
  }
  store(velocity, g.a, g.moves_a, u.v_a, u.w_a);
  store(velocity, g.b, g.moves_b, u.v_b, u.w_b);
}

template <int D>
inline void start_group(const ContactGroup<D>& g, const PointLanes<D>* points, BodyVelocity<D>* velocity) {
  PairLanes<D> u;
  load(velocity, g.a, u.v_a, u.w_a);
  load(velocity, g.b, u.v_b, u.w_b);
  const LaneVec<D> second = second_tangent(g);
  for (int k = 0; k < g.points; ++k) push(g, points[k], at_point(g, second, points[k].normal, points[k].tangent), u);
  store(velocity, g.a, g.moves_a, u.v_a, u.w_a);
  store(velocity, g.b, g.moves_b, u.v_b, u.w_b);
}

// How four bodies have moved. A point with arm r has come to dx + r + (turn·r + kept), where `kept` holds the radius of
// a smooth side along the normal; the material that has passed by it has gone further by `rolled`.
template <int D>
struct Moved {
  LaneVec<D> dx;
  LaneVec<D * D> turn;
  LaneVec<D> kept, rolled;
};

// radius: from centres of curvature to points, along n; negative on side B.
template <int D>
Moved<D> gather(std::span<const Displacement<D>> all, const std::uint32_t* index, int lanes, std::uint8_t smooth,
                const LaneVec<D>& n, Lane radius) {
  Moved<D> out;
  out.dx = LaneVec<D>::zero();
  out.turn = LaneVec<D * D>::zero();
  out.kept = out.rolled = LaneVec<D>::zero();
  for (int lane = 0; lane < lanes; ++lane) {
    const Displacement<D>& d = all[index[lane]];
    set_lane(out.dx, lane, d.dx);
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j) out.turn[D * i + j][lane] = d.material(i, j);
  }
  if (smooth) {
    LaneVec<kAngular<D>> turned = LaneVec<kAngular<D>>::zero();
    for (int lane = 0; lane < lanes; ++lane) set_lane(turned, lane, all[index[lane]].turned);
    const LaneVec<D> to_point = n * radius;
    out.kept = apply_rows(out.turn, to_point * lane_of(-1.0));
    out.rolled = cross(turned, to_point);
  }
  return out;
}

inline void gather_inertia(std::span<const AngMat<3>> all, const std::uint32_t* index, int lanes, LaneVec<6>& out) {
  for (int lane = 0; lane < lanes; ++lane) {
    const AngMat<3>& m = all[index[lane]];
    out[0][lane] = m(0, 0), out[1][lane] = m(1, 1), out[2][lane] = m(2, 2);
    out[3][lane] = m(0, 1), out[4][lane] = m(0, 2), out[5][lane] = m(1, 2);
  }
}
inline void gather_inertia(std::span<const AngMat<2>> all, const std::uint32_t* index, int lanes, LaneVec<1>& out) {
  for (int lane = 0; lane < lanes; ++lane) out[0][lane] = all[index[lane]](0, 0);
}

// K·d.
template <int D>
inline LaneVec<D> response(const ContactGroup<D>& g, const PointLanes<D>& p, const LaneVec<D>& d) {
  return d * (g.inv_mass_a + g.inv_mass_b) + cross(apply(g.inv_inertia_a, torque_of(p.arm_a, d)), p.arm_a) +
         cross(apply(g.inv_inertia_b, torque_of(p.arm_b, d)), p.arm_b);
}

inline void tangential_mass(const ContactGroup<2>& g, const LaneVec<2>&, PointLanes<2>& p) {
  p.k_slide = dot(g.t, response(g, p, g.t));
  p.inv_k_tangent[0] = choose(p.k_slide > Lane{}, 1.0 / p.k_slide, Lane{});
}
inline void tangential_mass(const ContactGroup<3>& g, const LaneVec<3>& second, PointLanes<3>& p) {
  const LaneVec<3> k0 = response(g, p, g.t), k1 = response(g, p, second);
  const Lane a = dot(g.t, k0), b = dot(second, k1), c = dot(second, k0), det = a * b - c * c;
  const Lane inverse = choose(det > Lane{}, 1.0 / det, Lane{});
  p.inv_k_tangent = {{b * inverse, a * inverse, -c * inverse}};
  const Lane half = 0.5 * (a - b);
  p.k_slide = 0.5 * (a + b) + square_root(half * half + c * c);
}

template <int D>
struct SubstepInput {
  std::span<const Displacement<D>> displacement;
  std::span<const AngMat<D>> inv_inertia;
  double h, elapsed, rest_gap;
  bool held;    // an open gap may close; otherwise it takes no part
  bool masses;  // whether arms and masses are worked out anew, or only gaps and slips
};

// The point at which both bodies are pushed: a smooth side's stays on it, else the middle of the two.
template <int D>
void place_arms(const ContactGroup<D>& g, const PointStart<D>& s, const LaneVec<D>& dx, const LaneVec<D>& turn_a,
                const LaneVec<D>& turn_b, PointLanes<D>& p) {
  const LaneVec<D> apart = g.n * s.gap + dx + turn_b - turn_a;
  p.arm_a = s.arm_a + turn_a + apart * (1.0 - g.weight_a);
  p.arm_b = s.arm_b + turn_b - apart * g.weight_a;
}

template <int D>
void set_masses(const ContactGroup<D>& g, const LaneVec<D>& second, const PointStart<D>& s, PointLanes<D>& p) {
  const LaneVec<D> k_n = response(g, p, g.n);
  p.k_normal = dot(g.n, k_n);
  p.inv_k = choose(p.k_normal > Lane{}, 1.0 / p.k_normal, Lane{});
  p.k_couple = tangential(g, second, k_n);
  tangential_mass(g, second, p);
  for (int lane = 0; lane < static_cast<int>(kLanes); ++lane)
    if (s.contact[lane] < 0) p.inv_k[lane] = 0;
}

template <int D>
void prepare_group(const SubstepInput<D>& in, ContactGroup<D>& g, PointLanes<D>* points, PointStart<D>* starts) {
  const Moved<D> a = gather(in.displacement, g.a, g.lanes, g.smooth_a, g.n, g.radius_a);
  const Moved<D> b = gather(in.displacement, g.b, g.lanes, g.smooth_b, g.n, -g.radius_b);
  if (in.masses) {
    gather_inertia(in.inv_inertia, g.a, g.lanes, g.inv_inertia_a);
    gather_inertia(in.inv_inertia, g.b, g.lanes, g.inv_inertia_b);
  }
  const LaneVec<D> second = second_tangent(g), dx = b.dx - a.dx, rolled = b.rolled - a.rolled;
  const Lane none{}, per_h = lane_of(1 / in.h), rest_gap = lane_of(in.rest_gap);
  for (int k = 0; k < g.points; ++k) {
    PointLanes<D>& p = points[k];
    PointStart<D>& s = starts[k];
    const LaneVec<D> turn_a = apply_rows(a.turn, s.arm_a) + a.kept, turn_b = apply_rows(b.turn, s.arm_b) + b.kept;
    const LaneVec<D> moved = dx + turn_b - turn_a;  // of B's point relative to A's
    s.gap_now = s.gap + dot(g.n, moved);
    const LaneVec<D - 1> slipped = tangential(g, second, moved + rolled) + g.skin * lane_of(in.elapsed);
    const LaneMask stuck = p.stuck > none;
    for (int i = 0; i < D - 1; ++i) {
      s.slip[i] = choose(stuck, s.slip[i], -slipped[i]);  // a sliding point starts anew from where it is
      s.slip_now[i] = s.slip[i] + slipped[i];
    }
    p.bias = choose(s.gap_now > rest_gap, in.held ? s.gap_now * per_h : lane_of(kOpen), none);
    if (!in.masses) continue;
    place_arms(g, s, dx, turn_a, turn_b, p);
    set_masses(g, second, s, p);
  }
}

// By how much a turn θ grows if the angular velocity that made it grows by d/h.
inline LaneVec<1> turn_growth(const LaneVec<1>&, const LaneVec<1>& d) { return d; }
inline LaneVec<3> turn_growth(const LaneVec<3>& turn, const LaneVec<3>& d) { return d + cross(turn, d) * lane_of(0.5); }

// d(gap at the end)/d(impulse along n), over h: as nᵀKn, but with the arms that the points end up with.
template <int D>
Lane response_of_gap(const ContactGroup<D>& g, const PointLanes<D>& p, const PairLanes<D>& u, Lane h,
                     const LaneVec<D>& end_a, const LaneVec<D>& end_b) {
  const LaneVec<kAngular<D>> d_a = apply(g.inv_inertia_a, torque_of(p.arm_a, g.n)),
                             d_b = apply(g.inv_inertia_b, torque_of(p.arm_b, g.n));
  return g.inv_mass_a + g.inv_mass_b +
         dot(g.n, cross(turn_growth(u.w_a * h, d_a), end_a) + cross(turn_growth(u.w_b * h, d_b), end_b));
}

// What the sweeps aim at, from where the point ends up: returns how far that is off [m].
template <int D>
Lane predict_point(const ContactGroup<D>& g, const Moved<D>& a, const Moved<D>& b, const PairLanes<D>& u, Lane h,
                   Lane elapsed, PointLanes<D>& p, PointStart<D>& s) {
  const Lane none{};
  const LaneVec<D> second = second_tangent(g);
  const LaneVec<D> turn_a = apply_rows(a.turn, s.arm_a) + a.kept, turn_b = apply_rows(b.turn, s.arm_b) + b.kept;
  const LaneVec<D> moved = b.dx - a.dx + turn_b - turn_a;
  const LaneVec<D> rel = u.v_b + cross(u.w_b, p.arm_b) - u.v_a - cross(u.w_a, p.arm_a);
  // What was deep before the step is taken back by moving bodies, not by velocities.
  const Lane gap = s.gap + dot(g.n, moved) - smaller(s.gap_now, none);
  // The sweeps answer with K at the start. What they are told to close is scaled so that one contact by itself gets a
  // step of Newton's method; where that would be wild the response at the start has to do.
  const Lane k_end = response_of_gap(g, p, u, h, s.arm_a + turn_a, s.arm_b + turn_b);
  const Lane scale = choose(k_end > 0.5 * p.k_normal, p.k_normal / k_end, lane_of(1.0));
  p.bias = gap / h * scale - dot(g.n, rel);
  // The slip is of the two surface points, but bodies are pushed at one point: what its arms differ by is no slip.
  const LaneVec<D> between =
      cross(u.w_b, g.n) * (s.gap_now * g.weight_a) + cross(u.w_a, g.n) * (s.gap_now * (1.0 - g.weight_a));
  const LaneVec<D - 1> slip =
      tangential(g, second, moved + b.rolled - a.rolled - between * h) + g.skin * elapsed - (s.slip_now - s.slip);
  s.aim = slip * (1.0 / h) - tangential(g, second, rel) - g.skin;
  const Lane off = larger(choose(p.normal > none, magnitude(gap), larger(none, -gap)),
                          choose(p.stuck * g.static_friction * p.normal > none, length_of(slip), none));
  return choose(p.inv_k > none, off, none);
}

}  // namespace

template <int D>
void ContactGroups<D>::prepare(std::span<const Displacement<D>> displacement, std::span<const AngMat<D>> inv_inertia,
                               double h, double elapsed, double rest_gap, bool masses, bool held,
                               const Parallel& parallel) {
  predicted_ = false;
  const SubstepInput<D> in{displacement, inv_inertia, h, elapsed, rest_gap, held, masses};
  parallel.for_ranges(groups_.size(), kGroupGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      prepare_group(in, groups_[i], &points_[groups_[i].first_point], &starts_[groups_[i].first_point]);
  });
}

template <int D>
double ContactGroups<D>::predict(std::span<const Displacement<D>> displacement,
                                 std::span<const BodyVelocity<D>> velocity, double h, double elapsed) {
  predicted_ = true;
  Lane worst{};
  for (const ContactGroup<D>& g : groups_) {
    const Moved<D> a = gather(displacement, g.a, g.lanes, g.smooth_a, g.n, g.radius_a),
                   b = gather(displacement, g.b, g.lanes, g.smooth_b, g.n, -g.radius_b);
    PairLanes<D> u;
    load(velocity.data(), g.a, u.v_a, u.w_a);
    load(velocity.data(), g.b, u.v_b, u.w_b);
    for (std::uint32_t k = g.first_point; k < g.first_point + g.points; ++k)
      worst = larger(worst, predict_point(g, a, b, u, lane_of(h), lane_of(elapsed + h), points_[k], starts_[k]));
  }
  return largest(worst);
}

template <int D>
void ContactGroups<D>::warm_start(std::span<BodyVelocity<D>> velocity, const Parallel& parallel) {
  for (std::size_t c = 0; c + 1 < colour_begin_.size(); ++c) {
    const std::size_t first = colour_begin_[c], count = colour_begin_[c + 1] - first;
    auto range = [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = first + begin; i < first + end; ++i)
        start_group(groups_[i], &points_[groups_[i].first_point], velocity.data());
    };
    if (c + 2 == colour_begin_.size() && colouring_.last_is_serial())
      range(0, count);
    else
      parallel.for_ranges(count, kGroupGrain, range);
  }
}

template <int D>
double ContactGroups<D>::sweep_range(std::size_t begin, std::size_t end, std::span<BodyVelocity<D>> velocity) {
  Lane squared{};
  for (std::size_t i = begin; i < end; ++i)
    solve_group(groups_[i], &points_[groups_[i].first_point], predicted_ ? &starts_[groups_[i].first_point] : nullptr,
                slip_speed_, velocity.data(), squared);
  return std::sqrt(largest(squared));
}

template <int D>
double ContactGroups<D>::sweep(std::span<BodyVelocity<D>> velocity, const Parallel& parallel) {
  double greatest = 0;
  for (std::size_t c = 0; c + 1 < colour_begin_.size(); ++c) {
    const std::size_t first = colour_begin_[c], count = colour_begin_[c + 1] - first;
    const bool serial = c + 2 == colour_begin_.size() && colouring_.last_is_serial();
    if (parallel.threads() == 1 || serial) {
      greatest = std::max(greatest, sweep_range(first, first + count, velocity));
      continue;
    }
    greatest_.resize((count + kGroupGrain - 1) / kGroupGrain);
    parallel.for_ranges(count, kGroupGrain, [&](std::size_t begin, std::size_t end) {
      greatest_[begin / kGroupGrain] = sweep_range(first + begin, first + end, velocity);
    });
    for (const double g : greatest_) greatest = std::max(greatest, g);
  }
  return greatest;
}

template <int D>
double ContactGroups<D>::change_energy() const {
  Lane sum{};
  for (const PointLanes<D>& p : points_) {
    Lane t = p.change[1] * p.change[1];
    if constexpr (D == 3) t += p.change[2] * p.change[2];
    sum += p.change[0] * p.change[0] * p.k_normal + t * p.k_slide;
  }
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

template <int D>
void ContactGroups<D>::extrapolate(double factor, const Parallel& parallel) {
  parallel.for_ranges(points_.size(), 4 * kGroupGrain, [&](std::size_t begin, std::size_t end) {
    const Lane f = lane_of(factor);
    for (std::size_t k = begin; k < end; ++k) {
      PointLanes<D>& p = points_[k];
      const LaneVec<D> step = factor == 0 ? LaneVec<D>::zero() : p.direction * f;
      p.normal += step[0];
      for (int i = 0; i < D - 1; ++i) p.tangent[i] += step[i + 1];
      p.direction = step + p.change;
    }
  });
}

#define TOUCHSTONE_INSTANTIATE(D)                                                                               \
  template void ContactGroups<D>::prepare(std::span<const Displacement<D>>, std::span<const AngMat<D>>, double, \
                                          double, double, bool, bool, const Parallel&);                         \
  template double ContactGroups<D>::predict(std::span<const Displacement<D>>, std::span<const BodyVelocity<D>>, \
                                            double, double);                                                    \
  template void ContactGroups<D>::warm_start(std::span<BodyVelocity<D>>, const Parallel&);                      \
  template double ContactGroups<D>::sweep(std::span<BodyVelocity<D>>, const Parallel&);                         \
  template double ContactGroups<D>::change_energy() const;                                                      \
  template void ContactGroups<D>::extrapolate(double, const Parallel&);
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone

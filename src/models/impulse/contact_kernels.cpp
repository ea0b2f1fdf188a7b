// Purpose: what the impulse model does to packed contacts once a substep: geometry, and the impulses it starts from.
// Source: [bender2006, §3.2].
// Deviations: see impulse.cpp.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>

#include "models/impulse/contact_groups.h"
#include "models/impulse/pair_lanes.h"

namespace touchstone {
namespace {

constexpr double kOpen = 1e30;  // a velocity that no contact has [m/s]

template <int D>
inline void start_group(const ContactGroup<D>& g, const PairInertia<D, Lane>& inertia, const PointLanes<D>* points,
                        BodyVelocity<D>* velocity) {
  PairLanes<D, Lane> u = load_pair(g, velocity);
  const LaneVec<D> second = second_tangent(g);
  for (int k = 0; k < g.points; ++k)
    push(g, inertia, points[k], at_point(g, second, points[k].normal, points[k].tangent), u);
  store_pair(g, u, velocity);
}

// How four bodies have moved. A point with arm r has come to dx + r + (turn·r + kept), where `kept` holds the radius of
// a smooth side along the normal; the material that has passed by it has gone further by `rolled`.
template <int D>
struct Moved {
  LaneVec<D> dx;
  LaneVec<D * D> turn;
  LaneVec<D> kept, rolled;
};

inline Lane four(const double* p) { return Lane{p[0], p[1], p[2], p[3]}; }

inline void gather_material(std::span<const Displacement<3>> all, const std::uint32_t* index, Moved<3>& out) {
  // Twelve numbers in a row, the matrix by columns: three times four of them.
  static_assert(offsetof(Displacement<3>, dx) == 0 && offsetof(Displacement<3>, material) == 3 * sizeof(double));
  Lane r[3][4];
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    const double* from = reinterpret_cast<const double*>(&all[index[lane]]);
    for (int i = 0; i < 3; ++i) r[i][lane] = four(from + 4 * i);
  }
  for (int i = 0; i < 3; ++i) transpose(r[i][0], r[i][1], r[i][2], r[i][3]);
  out.dx = {{r[0][0], r[0][1], r[0][2]}};
  out.turn = {{r[0][3], r[1][2], r[2][1], r[1][0], r[1][3], r[2][2], r[1][1], r[2][0], r[2][3]}};
}
inline void gather_material(std::span<const Displacement<2>> all, const std::uint32_t* index, Moved<2>& out) {
  for (int lane = 0; lane < static_cast<int>(kLanes); ++lane) {
    const Displacement<2>& d = all[index[lane]];
    set_lane(out.dx, lane, d.dx);
    for (int i = 0; i < 4; ++i) out.turn[i][lane] = d.material(i / 2, i % 2);
  }
}

// radius: from centres of curvature to points, along n; negative on side B.
template <int D>
inline Moved<D> gather(std::span<const Displacement<D>> all, const std::uint32_t* index, std::uint8_t smooth,
                       const LaneVec<D>& n, Lane radius) {
  Moved<D> out;
  gather_material(all, index, out);
  out.kept = out.rolled = LaneVec<D>::zero();
  if (smooth == 0) return out;
  LaneVec<kAngular<D>> turned;
  for (int lane = 0; lane < static_cast<int>(kLanes); ++lane) set_lane(turned, lane, all[index[lane]].turned);
  const LaneVec<D> to_point = n * radius;
  out.kept = apply_rows(out.turn, to_point * lane_of(-1.0));
  out.rolled = cross(turned, to_point);
  return out;
}

inline void gather_inertia(std::span<const AngMat<3>> all, const std::uint32_t* index, LaneVec<6>& out) {
  Lane r[2][4];
  for (int lane = 0; lane < static_cast<int>(kLanes); ++lane) {
    const double* m = all[index[lane]].data();
    r[0][lane] = four(m), r[1][lane] = four(m + 4);
    out[2][lane] = m[8];
  }
  for (int i = 0; i < 2; ++i) transpose(r[i][0], r[i][1], r[i][2], r[i][3]);
  out[0] = r[0][0], out[3] = r[0][1], out[4] = r[0][2], out[1] = r[1][0], out[5] = r[1][1];
}
inline void gather_inertia(std::span<const AngMat<2>> all, const std::uint32_t* index, LaneVec<1>& out) {
  for (int lane = 0; lane < static_cast<int>(kLanes); ++lane) out[0][lane] = all[index[lane]](0, 0);
}

// By how much the normal has turned: with a face, or so that it is across both edges that cross.
template <int D>
inline LaneVec<D> normal_turn(const ContactGroup<D>& g, const RareSides<D>& rare, const Moved<D>& a,
                              const Moved<D>& b) {
  const LaneVec<D> faces =
      apply_rows(a.turn, g.n) * widened(g.normal_a) + apply_rows(b.turn, g.n) * widened(g.normal_b);
  if constexpr (D == 2) {
    return faces;
  } else {
    if (g.rare == 0) return faces;
    const LaneVec<3> edge_a = widened(rare.edge_a), edge_b = widened(rare.edge_b);
    const LaneVec<3> across = cross(edge_a + apply_rows(a.turn, edge_a), edge_b + apply_rows(b.turn, edge_b));
    const Lane length = square_root(dot(across, across)), none{};
    const LaneMask missing = length <= none;
    if (all(missing)) return faces;
    const Lane scale = choose(dot(across, g.n) < none, lane_of(-1.0), lane_of(1.0)) / larger(length, lane_of(1e-30));
    const Lane there = choose(length > none, lane_of(1.0), none);
    return faces + across * scale - g.n * there;
  }
}

// The gap after a motion: along the normal as it is then.
template <int D>
inline Lane gap_after(const ContactGroup<D>& g, Lane gap, const LaneVec<D>& turn, const LaneVec<D>& moved) {
  return gap + dot(g.n, moved) + dot(turn, g.n * gap + moved);
}

template <int D>
struct SubstepInput {
  std::span<const Displacement<D>> displacement;
  double h, elapsed, rest_gap;
  bool held;  // an open gap may close; otherwise it takes no part
  bool arms;  // whether arms and inertias are worked out anew, or only gaps and slips
  PushOut push_out;
};

// What is added to the normal velocity of a closed contact that carries load: negative for what is deep, so that it is
// left with as much. What is deeper by far has overlapped before, and is moved only.
inline Lane bias_of_depth(const PushOut& out, Lane gap, Lane load) {
  constexpr double kOverlap = 10;  // times the depth
  const Lane none{}, deeper = gap + lane_of(out.depth);
  const Lane bias = larger(lane_of(-out.fastest), smaller(none, deeper * lane_of(out.rate)));
  return choose(load > none, choose(gap > lane_of(-kOverlap * out.depth), bias, none), none);
}

// The point at which both bodies are pushed: a smooth side's stays on it, else the middle of the two.
template <int D>
void place_arm(const ContactGroup<D>& g, const PointStart<D>& s, const LaneVec<D>& dx, const LaneVec<D>& turn_a,
               const LaneVec<D>& turn_b, PointLanes<D>& p) {
  const LaneVec<D> apart = g.n * s.gap + dx + turn_b - turn_a;
  p.arm_a = s.arm_a + turn_a + apart * (1.0 - widened(g.weight_a));
}

template <int D>
void prepare_group(const SubstepInput<D>& in, const RareSides<D>& rare, ContactGroup<D>& g, PointLanes<D>* points,
                   PointStart<D>* starts) {
  g.predicted = false;
  const Moved<D> a = gather(in.displacement, g.a, g.smooth_a, g.n, rare.radius_a);
  const Moved<D> b = gather(in.displacement, g.b, g.smooth_b, g.n, -rare.radius_b);
  const LaneVec<D> second = second_tangent(g), dx = b.dx - a.dx, rolled = b.rolled - a.rolled;
  const LaneVec<D> n_turn = normal_turn(g, rare, a, b);
  if (in.arms) g.centres_now = g.centres - dx;
  const Lane none{}, per_h = lane_of(1 / in.h), rest_gap = lane_of(in.rest_gap);
  for (int k = 0; k < g.points; ++k) {
    PointLanes<D>& p = points[k];
    PointStart<D>& s = starts[k];
    const LaneVec<D> turn_a = apply_rows(a.turn, s.arm_a) + a.kept,
                     turn_b = apply_rows(b.turn, arm_of_b(g, s)) + b.kept;
    const LaneVec<D> moved = dx + turn_b - turn_a;  // of B's point relative to A's
    const Lane gap = gap_after(g, s.gap, n_turn, moved);
    s.gap_now = gap;
    const LaneVec<D - 1> slipped = tangential(g, second, moved + rolled) + rare.skin * lane_of(in.elapsed);
    const LaneMask stuck = widened(p.stuck) > none;
    for (int i = 0; i < D - 1; ++i) {
      const Lane slip = choose(stuck, widened(s.slip[i]), -slipped[i]);  // a sliding point starts anew from where it is
      s.slip[i] = narrowed(slip);
      s.slip_now[i] = narrowed(choose(stuck, slip + slipped[i], none));
    }
    p.bias = choose(gap > rest_gap, in.held ? gap * per_h : lane_of(kOpen), bias_of_depth(in.push_out, gap, p.normal));
    if (in.arms) place_arm(g, s, dx, turn_a, turn_b, p);
  }
}

// By how much a turn θ grows if the angular velocity that made it grows by d/h.
inline LaneVec<1> turn_growth(const LaneVec<1>&, const LaneVec<1>& d) { return d; }
inline LaneVec<3> turn_growth(const LaneVec<3>& turn, const LaneVec<3>& d) { return d + cross(turn, d) * lane_of(0.5); }

// What the sweeps are told to close is scaled by this, so that one contact by itself gets a step of Newton's method:
// they answer with nᵀKn for the arms at the start, the gap with those that the points end up with. Where that would be
// wild the response at the start has to do.
template <int D>
Lane newton_scale(const ContactGroup<D>& g, const PairInertia<D, Lane>& inertia, const PointLanes<D>& p,
                  const PairLanes<D, Lane>& u, Lane h, const LaneVec<D>& end_a, const LaneVec<D>& end_b) {
  const LaneVec<D> to_b = arm_of_b(g, p);
  const LaneVec<kAngular<D>> d_a = apply(inertia.a, torque_of(p.arm_a, g.n)),
                             d_b = apply(inertia.b, torque_of(to_b, g.n));
  const Lane masses = g.inv_mass_a + g.inv_mass_b;
  const Lane k_start = masses + dot(g.n, cross(d_a, p.arm_a) + cross(d_b, to_b));
  const Lane k_end =
      masses + dot(g.n, cross(turn_growth(u.w_a * h, d_a), end_a) + cross(turn_growth(u.w_b * h, d_b), end_b));
  return choose(k_end > 0.5 * k_start, k_start / k_end, lane_of(1.0));
}

// What the sweeps aim at, from where the point ends up: returns how far that is off [m].
template <int D>
Lane predict_point(const ContactGroup<D>& g, const RareSides<D>& rare, const PairInertia<D, Lane>& inertia,
                   const Moved<D>& a, const Moved<D>& b, const PairLanes<D, Lane>& u, Lane h, Lane elapsed,
                   Lane rest_gap, const PushOut& out, PointLanes<D>& p, PointStart<D>& s) {
  const Lane none{};
  const LaneVec<D> second = second_tangent(g), start_b = arm_of_b(g, s);
  const LaneVec<D> turn_a = apply_rows(a.turn, s.arm_a) + a.kept, turn_b = apply_rows(b.turn, start_b) + b.kept;
  const LaneVec<D> moved = b.dx - a.dx + turn_b - turn_a, rel = relative<D, Lane>(g, u, p);
  const Lane gap_now = s.gap_now, stuck = widened(p.stuck), weight_a = widened(g.weight_a);
  // What was deep before the step is taken back by moving bodies, not by velocities; what is closed stays as it is.
  const Lane gap = gap_after(g, s.gap, normal_turn(g, rare, a, b), moved) - choose(gap_now > rest_gap, none, gap_now);
  // Half a turn in a step has nothing to do with where it starts: what is linear in the velocities has to do.
  constexpr double kFar = 0.5;  // [rad]
  const LaneMask far = larger(dot(u.w_a, u.w_a), dot(u.w_b, u.w_b)) * h * h > lane_of(kFar * kFar);
  const Lane bias = gap / h * newton_scale(g, inertia, p, u, h, s.arm_a + turn_a, start_b + turn_b) - dot(g.n, rel) +
                    bias_of_depth(out, gap_now, p.normal);
  // The slip is of the two surface points, but bodies are pushed at one point: what its arms differ by is no slip.
  const LaneVec<D> between =
      cross(u.w_b, g.n) * (gap_now * weight_a) + cross(u.w_a, g.n) * (gap_now * (1.0 - weight_a));
  const LaneVec<D - 1> slip = tangential(g, second, moved + b.rolled - a.rolled - between * h) + rare.skin * elapsed -
                              (widened(s.slip_now) - widened(s.slip));
  const LaneVec<D - 1> aim = slip * (1.0 / h) - tangential(g, second, rel) - rare.skin;
  p.bias = choose(far, p.bias, bias);
  for (int i = 0; i < D - 1; ++i) s.aim[i] = narrowed(choose(far, none, aim[i]));
  return larger(choose(p.normal > none, magnitude(gap), larger(none, -gap)),
                choose(stuck * g.static_friction * p.normal > none, square_root(dot(slip, slip)), none));
}

}  // namespace

template <int D>
PairInertia<D, Lane> ContactGroups<D>::inertia_of(const ContactGroup<D>& g) const {
  PairInertia<D, Lane> out;
  gather_inertia(inv_inertia_, g.a, out.a);
  gather_inertia(inv_inertia_, g.b, out.b);
  return out;
}

template <int D>
void ContactGroups<D>::prepare(std::span<const Displacement<D>> displacement, std::span<const AngMat<D>> inv_inertia,
                               double h, double elapsed, double rest_gap, bool arms, bool held,
                               const Parallel& parallel) {
  if (arms) inv_inertia_ = inv_inertia;
  const SubstepInput<D> in{displacement, h, elapsed, rest_gap, held, arms, push_out_};
  parallel.for_ranges(groups_.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      prepare_group(in, rare_[groups_[i].rare], groups_[i], &points_[groups_[i].first_point],
                    &starts_[groups_[i].first_point]);
  });
}

template <int D>
double ContactGroups<D>::predict(std::span<const Displacement<D>> displacement,
                                 std::span<const BodyVelocity<D>> velocity, double h, double elapsed, double rest_gap,
                                 std::span<const std::uint8_t> bent, const Parallel& parallel) {
  ranges_.resize((groups_.size() + kGrain - 1) / kGrain);
  parallel.for_ranges(groups_.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    Lane worst{};
    for (std::size_t i = begin; i < end; ++i) {
      ContactGroup<D>& g = groups_[i];
      if (!concerns(g, bent)) continue;
      g.predicted = true;
      const RareSides<D>& rare = rare_[g.rare];
      const Moved<D> a = gather(displacement, g.a, g.smooth_a, g.n, rare.radius_a),
                     b = gather(displacement, g.b, g.smooth_b, g.n, -rare.radius_b);
      const PairLanes<D, Lane> u = load_pair(g, velocity.data());
      const PairInertia<D, Lane> inertia = inertia_of(g);
      for (std::uint32_t k = g.first_point; k < g.first_point + g.points; ++k) {
        const Lane off = predict_point(g, rare, inertia, a, b, u, lane_of(h), lane_of(elapsed + h), lane_of(rest_gap),
                                       push_out_, points_[k], starts_[k]);
        worst = larger(worst, off * there(k));
      }
    }
    ranges_[begin / kGrain] = largest(worst);
  });
  return ranges_.empty() ? 0.0 : *std::max_element(ranges_.begin(), ranges_.end());
}

template <int D>
bool ContactGroups<D>::concerns(const ContactGroup<D>& g, std::span<const std::uint8_t> bent) {
  if (bent.empty()) return true;
  for (int lane = 0; lane < g.lanes; ++lane)
    if (bent[g.a[lane]] || bent[g.b[lane]]) return true;
  return false;
}

template <int D>
void ContactGroups<D>::find_concerned(std::span<const std::uint8_t> bent, std::span<std::uint8_t> out,
                                      const Parallel& parallel) const {
  std::fill(out.begin(), out.end(), 0);
  const auto mark = [&](std::uint32_t body) {  // several may do so at once
    std::atomic_ref(out[body]).store(1, std::memory_order_relaxed);
  };
  parallel.for_ranges(groups_.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const ContactGroup<D>& g = groups_[i];
      if (!concerns(g, bent)) continue;
      for (int lane = 0; lane < g.lanes; ++lane) mark(g.a[lane]), mark(g.b[lane]);
    }
  });
}

template <int D>
void ContactGroups<D>::warm_start(std::span<BodyVelocity<D>> velocity, const Parallel& parallel) {
  for (std::size_t c = 0; c + 1 < colour_begin_.size(); ++c) {
    const std::size_t first = colour_begin_[c], count = colour_begin_[c + 1] - first;
    auto range = [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = first + begin; i < first + end; ++i)
        start_group(groups_[i], inertia_of(groups_[i]), &points_[groups_[i].first_point], velocity.data());
    };
    if (c + 2 == colour_begin_.size() && colouring_.last_is_serial())
      range(0, count);
    else
      parallel.for_ranges(count, kGrain, range);
  }
}

#define TOUCHSTONE_INSTANTIATE(D)                                                                                    \
  template void ContactGroups<D>::find_concerned(std::span<const std::uint8_t>, std::span<std::uint8_t>,             \
                                                 const Parallel&) const;                                             \
  template PairInertia<D, Lane> ContactGroups<D>::inertia_of(const ContactGroup<D>&) const;                          \
  template void ContactGroups<D>::prepare(std::span<const Displacement<D>>, std::span<const AngMat<D>>, double,      \
                                          double, double, bool, bool, const Parallel&);                              \
  template double ContactGroups<D>::predict(std::span<const Displacement<D>>, std::span<const BodyVelocity<D>>,      \
                                            double, double, double, std::span<const std::uint8_t>, const Parallel&); \
  template void ContactGroups<D>::warm_start(std::span<BodyVelocity<D>>, const Parallel&);
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone

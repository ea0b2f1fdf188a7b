// Purpose: levels of bodies above what does not move, and pushes from below upwards along them.
// Source: [E. Guendelman, R. Bridson, R. Fedkiw: Nonconvex rigid bodies with stacking, 2003, §8], whose shock
//   propagation this is: of positions for normal directions only, of velocities with friction.
// Letters: K as in contact_sweeps.cpp, of the bodies that may move.
// Deviations: (1) Levels are by the shortest way down, not by a topological sort: loops need no merging.
// Fails: never; what a few passes do not reach is left.
#include "models/impulse/contact_levels.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <tuple>

#include "base/room.h"

namespace touchstone {
namespace {

// A point of contact at which only the bodies that may move are pushed.
template <int D>
struct UpperBody {
  bool moves_a, moves_b;
  double mass_a, mass_b;  // inverse
  const AngMat<D>&inertia_a, &inertia_b;
  Vec<D> arm_a, arm_b;
  SmallMotion<D>&a, &b;

  void push(const Vec<D>& impulse) const {
    a.linear -= mass_a * impulse, b.linear += mass_b * impulse;
    if (moves_a) a.angular -= inertia_a * torque_of(arm_a, impulse);
    if (moves_b) b.angular += inertia_b * torque_of(arm_b, impulse);
  }
  double speed(const Vec<D>& e) const {
    return e.dot(b.linear + cross(b.angular, arm_b) - a.linear - cross(a.angular, arm_a));
  }
  double response(const Vec<D>& e) const {  // eᵀKe
    const AngVec<D> torque_a = torque_of(arm_a, e), torque_b = torque_of(arm_b, e);
    double sum = mass_a + mass_b;
    if (moves_a) sum += torque_a.dot(inertia_a * torque_a);
    if (moves_b) sum += torque_b.dot(inertia_b * torque_b);
    return sum;
  }
  // Friction of at most `limit` against the slip, on top of `held`; axes as contact_axes. What slides takes steps by a
  // bound of the greatest eigenvalue, which keeps the direction right; what sticks goes along each tangent in turn.
  void rub(const Mat<D>& axes, const Vec<D - 1>& aim, double limit, const Vec<D - 1>& held, Vec<D>& extra) const {
    const auto set = [&](int i, double next) {
      push(axes.col(i) * (next - extra[i]));
      extra[i] = next;
    };
    const auto hold = [&](const Vec<D - 1>& sum) {
      for (int i = 1; i < D; ++i) set(i, sum[i - 1] - held[i - 1]);
    };
    Vec<D - 1> slip, k;
    for (int i = 1; i < D; ++i) slip[i - 1] = speed(axes.col(i)) + aim[i - 1], k[i - 1] = response(axes.col(i));
    const Vec<D - 1> slide = held + extra.template tail<D - 1>() - slip / k.sum();
    if (slide.norm() > limit) return hold(slide * (limit / slide.norm()));
    for (int i = 1; i < D; ++i) set(i, extra[i] - (speed(axes.col(i)) + aim[i - 1]) / k[i - 1]);
    const Vec<D - 1> sum = held + extra.template tail<D - 1>();
    if (sum.norm() > limit) hold(sum * (limit / sum.norm()));
  }
};

}  // namespace

template <int D>
void ContactLevels<D>::find(const ContactGroups<D>& groups, const Bodies<D>& bodies, const Vec<D>& up, double closed,
                            Scratch& room, const Parallel& parallel) {
  constexpr double kSteep = 0.3;  // of a normal along `up`: less, and neither body lies on the other
  const std::size_t n = bodies.size();
  const std::size_t most = groups.patch_count();
  std::tie(patches_, sorted_, pushed_, motion_, taken_, level_, first_, moves_in_) =
      room.take_lists<Patch, Patch, double, SmallMotion<D>, std::uint64_t, std::uint32_t, std::uint32_t, std::uint32_t>(
          most, most, kMost * most, n, n, n, n + 1, n);
  const std::span<double> least_gap = pushed_;  // by group and lane, for now: a group has a patch at least
  static_assert(kMost >= kLanes);
  parallel.for_ranges(groups.size(), ContactGroups<D>::kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const ContactGroup<D>& g = groups.groups()[i];
      for (int lane = 0; lane < g.lanes; ++lane) {
        double least = std::numeric_limits<double>::infinity();
        for (std::uint32_t k = 0; k < g.points; ++k)
          if (groups.contact(i, k, lane) >= 0)
            least = std::min(least, groups.starts()[g.first_point + k].gap_now[lane]);
        least_gap[kLanes * i + static_cast<std::size_t>(lane)] = least;
      }
    }
  });
  std::fill(first_.begin(), first_.end(), 0);
  std::size_t count = 0;
  for (std::uint32_t i = 0; i < groups.groups().size(); ++i) {
    const ContactGroup<D>& g = groups.groups()[i];
    for (int lane = 0; lane < g.lanes; ++lane) {
      const double least = least_gap[kLanes * i + static_cast<std::size_t>(lane)];
      if (!(least <= closed)) continue;
      const double rise = up.dot(get_lane(g.n, lane));
      const bool dynamic_a = (g.moves_a & 1 << lane) != 0, dynamic_b = (g.moves_b & 1 << lane) != 0;
      const bool b_on_a = rise > kSteep, a_on_b = rise < -kSteep;
      patches_[count++] = {i,
                           kNone,
                           g.a[lane],
                           g.b[lane],
                           static_cast<float>(least),
                           static_cast<std::uint8_t>(lane),
                           dynamic_a && !(b_on_a && dynamic_b),
                           dynamic_b && !(a_on_b && dynamic_a)};
      if (b_on_a) ++first_[g.a[lane]];
      if (a_on_b) ++first_[g.b[lane]];
    }
  }
  patches_ = patches_.first(count), sorted_ = sorted_.first(count), pushed_ = pushed_.first(kMost * count);
  // What lies on each body, in the order of the patches.
  std::uint32_t sum = 0;
  for (std::uint32_t& f : first_) f = sum += f;
  above_.resize(sum);
  for (const Patch& p : patches_) {
    const double rise = up.dot(get_lane(groups.groups()[p.group].n, p.lane));
    if (rise > kSteep) above_[--first_[p.a]] = p.b;
    if (rise < -kSteep) above_[--first_[p.b]] = p.a;
  }
  std::fill(level_.begin(), level_.end(), kNone);
  front_.clear();
  for (std::uint32_t i = 0; i < n; ++i)
    if (!bodies.dynamic(i)) level_[i] = 0, front_.push_back(i);
  std::uint32_t highest = 1;
  for (; !front_.empty(); ++highest, front_.swap(next_)) {
    next_.clear();
    for (const std::uint32_t i : front_)
      for (std::uint32_t k = first_[i]; k < first_[i + 1]; ++k)
        if (level_[above_[k]] == kNone) level_[above_[k]] = highest, next_.push_back(above_[k]);
  }
  sort(highest);
}

// By the level of the lower body; what lies on nothing comes last.
template <int D>
void ContactLevels<D>::sort(std::uint32_t highest) {
  begin_.assign(highest + 2, 0);
  for (Patch& p : patches_) {
    p.level = std::min({level_[p.a], level_[p.b], highest});
    ++begin_[p.level + 1];
  }
  for (std::size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
  for (const Patch& p : patches_) sorted_[begin_[p.level]++] = p;
  colour();
}

// Within a level, patches of one colour share no body that the level moves. What finds no colour is pushed by itself.
template <int D>
void ContactLevels<D>::colour() {
  constexpr std::uint8_t kColours = 64;
  std::fill(moves_in_.begin(), moves_in_.end(), kNone);
  beside_.assign(1, 0);
  for (std::size_t begin = 0, end = 0; begin < sorted_.size(); begin = end) {
    const std::uint32_t level = sorted_[begin].level;
    const auto take = [&](std::uint32_t body) { moves_in_[body] = level, taken_[body] = 0; };
    for (end = begin; end < sorted_.size() && sorted_[end].level == level; ++end) {
      if (sorted_[end].moves_a) take(sorted_[end].a);
      if (sorted_[end].moves_b) take(sorted_[end].b);
    }
    std::size_t count[kColours + 2] = {};
    colour_.resize(end - begin);
    for (std::size_t i = begin; i < end; ++i) {
      const bool a = moves_in_[sorted_[i].a] == level, b = moves_in_[sorted_[i].b] == level;
      const std::uint64_t taken = (a ? taken_[sorted_[i].a] : 0) | (b ? taken_[sorted_[i].b] : 0);
      const auto found = static_cast<std::uint8_t>(std::countr_one(taken));
      colour_[i - begin] = found;
      ++count[found + 1];
      if (found == kColours) continue;
      if (a) taken_[sorted_[i].a] |= std::uint64_t{1} << found;
      if (b) taken_[sorted_[i].b] |= std::uint64_t{1} << found;
    }
    for (std::size_t c = 0; c <= kColours; ++c) count[c + 1] += count[c];
    for (std::size_t c = 1; c <= kColours; ++c)
      if (count[c] > count[c - 1]) beside_.push_back(begin + count[c]);
    for (std::size_t i = begin + count[kColours]; i < end; ++i) beside_.push_back(i + 1);
    level_patches_.assign(sorted_.begin() + static_cast<std::ptrdiff_t>(begin),
                          sorted_.begin() + static_cast<std::ptrdiff_t>(end));
    for (std::size_t i = 0; i < level_patches_.size(); ++i) sorted_[begin + count[colour_[i]]++] = level_patches_[i];
  }
}

// One visit of each point; returns the greatest change of a gap [m].
template <int D>
double ContactLevels<D>::push_patch(const ContactGroups<D>& groups, std::span<const AngMat<D>> inv_inertia,
                                    const Patch& patch, std::span<const double> wanted, std::span<double> pushed) {
  const ContactGroup<D>& g = groups.groups()[patch.group];
  const int lane = patch.lane;
  const double mass_a = patch.moves_a ? g.inv_mass_a[lane] : 0, mass_b = patch.moves_b ? g.inv_mass_b[lane] : 0;
  SmallMotion<D>&a = motion_[patch.a], &b = motion_[patch.b];
  const Vec<D> n = get_lane(g.n, lane);
  double most = 0;
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    if (groups.contact(patch.group, k, lane) < 0) continue;
    const PointLanes<D>& p = groups.points()[g.first_point + k];
    const Vec<D> arm_a = get_lane(p.arm_a, lane), arm_b = get_lane(arm_of_b(g, p), lane);
    const double off = wanted[k] + n.dot(b.linear + cross(b.angular, arm_b) - a.linear - cross(a.angular, arm_a));
    if (off >= 0 && pushed[k] == 0) continue;
    const AngVec<D> torque_a = torque_of(arm_a, n), torque_b = torque_of(arm_b, n);
    AngVec<D> turn_a = AngVec<D>::Zero(), turn_b = AngVec<D>::Zero();
    if (patch.moves_a) turn_a = inv_inertia[patch.a] * torque_a;
    if (patch.moves_b) turn_b = inv_inertia[patch.b] * torque_b;
    const double k_normal = mass_a + mass_b + torque_a.dot(turn_a) + torque_b.dot(turn_b);
    const double next = std::max(0.0, pushed[k] - off / k_normal), change = next - pushed[k];
    pushed[k] = next;
    // What is not moved is not written: others look at it at the same time.
    if (patch.moves_a) a.linear -= change * mass_a * n, a.angular -= change * turn_a;
    if (patch.moves_b) b.linear += change * mass_b * n, b.angular += change * turn_b;
    most = std::max(most, k_normal * std::abs(change));
  }
  return most;
}

// One visit of each point: the normal first, then the tangents. Returns the greatest change of a relative velocity.
template <int D>
double ContactLevels<D>::stop_patch(const ContactGroups<D>& groups, std::span<const AngMat<D>> inv_inertia,
                                    const Patch& patch, std::span<Vec<D>> extra) {
  const ContactGroup<D>& g = groups.groups()[patch.group];
  const int lane = patch.lane;
  const Mat<D> axes = contact_axes(g, lane);
  double change = 0;
  for (std::size_t k = 0; k < g.points; ++k) {
    if (groups.contact(patch.group, k, lane) < 0) continue;
    const std::size_t row = g.first_point + k;
    const PointLanes<D>& p = groups.points()[row];
    const UpperBody<D> upper{patch.moves_a,
                             patch.moves_b,
                             patch.moves_a ? g.inv_mass_a[lane] : 0,
                             patch.moves_b ? g.inv_mass_b[lane] : 0,
                             inv_inertia[patch.a],
                             inv_inertia[patch.b],
                             get_lane(p.arm_a, lane),
                             get_lane(arm_of_b(g, p), lane),
                             motion_[patch.a],
                             motion_[patch.b]};
    const Vec<D - 1> aim = get_lane(groups.tangential_aim(g, row), lane), held = get_lane(p.tangent, lane);
    const Vec<D> n = axes.col(0), before = extra[k];
    const double response = upper.response(n);
    const double normal = std::max(-p.normal[lane], extra[k][0] - (p.bias[lane] + upper.speed(n)) / response);
    upper.push(n * (normal - extra[k][0]));
    extra[k][0] = normal;
    const double friction = p.stuck[lane] > 0 ? g.static_friction[lane] : g.dynamic_friction[lane];
    upper.rub(axes, aim, friction * (p.normal[lane] + normal), held, extra[k]);
    change = std::max(change, response * (extra[k] - before).norm());
  }
  return change;
}

// A level is finished before the next one is looked at: what it leaves would whip the stack above it.
template <int D>
void ContactLevels<D>::stop(const ContactGroups<D>& groups, std::span<const AngMat<D>> inv_inertia, int passes,
                            double enough) {
  extra_.assign(kMost * sorted_.size(), Vec<D>::Zero());
  for (std::size_t begin = 0, end = 0; begin < sorted_.size(); begin = end) {
    while (end < sorted_.size() && sorted_[end].level == sorted_[begin].level) ++end;
    double change = 2 * enough;
    for (int pass = 0; pass < passes && change > enough; ++pass) {
      change = 0;
      for (std::size_t i = begin; i < end; ++i)
        change =
            std::max(change, stop_patch(groups, inv_inertia, sorted_[i], std::span(extra_).subspan(kMost * i, kMost)));
    }
  }
}

template class ContactLevels<2>;
template class ContactLevels<3>;

}  // namespace touchstone

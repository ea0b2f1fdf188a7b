// Purpose: the time of impact within a substep, along the motion that the integrator gives.
// Source: [thompson2003, "Narrow Phase"]: a binary search back in time once bodies have penetrated; and, as the other
//   way, regula falsi with halving where it stalls (the Illinois rule).
// Letters: g(t) the least gap at time t of the substep.
// Deviations: (1) No overlap at the end does not mean that there was no collision: pairs that are apart are also
// searched
//   along their straight paths (collision/toi). (2) The search ends with g within `touching` of zero, on either side.
// Fails: a gap that jumps, where other features come near, has no such time: the later end of the last interval is
// taken.
#include "models/lagrange/impact_search.h"

#include "dynamics/free_turn.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace touchstone {

template <int D>
void ImpactSearch<D>::begin(const StepInput<D>& in, const State<D>&, std::span<const Contact<D>> contacts,
                            std::span<const std::uint64_t> resting) {
  resting_.assign(resting.begin(), resting.end());
  pressed_.clear(), closed_.clear();
  for (const Contact<D>& c : contacts) {
    if (c.gap < 0) pressed_.push_back({c.key, c.gap});
    if (c.gap <= options_.touching && (closed_.empty() || closed_.back() != c.key >> 16))
      closed_.push_back(c.key >> 16);
  }
  pairs_.clear();
  for (std::uint32_t k = 0; k < in.detector.pairs().size(); ++k) pairs_.push_back(k);
}

template <int D>
double ImpactSearch<D>::least_gap(const StepInput<D>& in, const State<D>& state) {
  double least = options_.margin;
  in.detector.look_at(pairs_, state.position, state.orientation, options_.margin, found_);
  for (const Contact<D>& c : found_) {
    if (c.gap >= least || std::binary_search(resting_.begin(), resting_.end(), c.key)) continue;
    const auto start = std::lower_bound(pressed_.begin(), pressed_.end(), c.key,
                                        [](const Start& s, std::uint64_t key) { return s.key < key; });
    const bool pressed = start != pressed_.end() && start->key == c.key;
    least = std::min(least, c.gap - (pressed ? start->gap : 0.0));
  }
  std::array<JointRow<D>, kMaxJointRows<D>> rows;
  for (const Joint<D>& joint : in.joints) {
    if (!joint.has_lower() && !joint.has_upper()) continue;
    const int count = joint_rows<D>(joint, state, rows);
    for (int i = 0; i < count; ++i) {
      const JointRow<D>& row = rows[static_cast<std::size_t>(i)];
      if (row.kind == RowKind::kLower || row.kind == RowKind::kUpper) least = std::min(least, row.error);
    }
  }
  return least;
}

template <int D>
double ImpactSearch<D>::first_pass(const StepInput<D>& in, const State<D>& start, const State<D>& end,
                                   double duration) const {
  const ColliderTable<D>& colliders = in.detector.colliders();
  double first = duration;
  for (const ColliderPair& pair : in.detector.pairs()) {
    const std::uint64_t key = std::uint64_t{pair.first} << 24 | pair.second;
    if (std::binary_search(closed_.begin(), closed_.end(), key)) continue;
    const auto moving = [&](std::uint32_t collider) {
      const Collider<D>& c = colliders[collider];
      const Mat<D> R = matrix_of(start.orientation[c.body]);
      Moving<D> out{c.shape(), start.position[c.body] + R * c.p_local(), R * c.R_local()};
      out.center = start.position[c.body];
      out.velocity = (end.position[c.body] - start.position[c.body]) / duration;
      out.angular_velocity = turn_between(start.orientation[c.body], end.orientation[c.body]) / duration;
      return out;
    };
    ImpactOptions<D> options;
    options.duration = first;
    const Impact<D> impact = regula_falsi<D>(moving(pair.first), moving(pair.second), options);
    if (impact.status == Impact<D>::Status::kHit) first = std::min(first, impact.time);
  }
  return first;
}

template <int D>
double ImpactSearch<D>::locate(double late, double late_gap, const std::function<double(double)>& gap_at) const {
  constexpr int kMost = 100;
  constexpr double kShortest = 1e-13;  // of the substep: rounding of its times
  // Where the gap is to end: below zero, so that what comes next sees a contact.
  const double wanted = -0.5 * options_.touching, near = 0.4 * options_.touching;
  double low = 0, high = late, low_value = options_.touching, high_value = late_gap - wanted;
  int side = 0;
  for (int k = 0; k < kMost && high - low > kShortest * late; ++k) {
    const double part = low_value / (low_value - high_value);
    const double t = options_.binary || k % 8 == 7 ? 0.5 * (low + high) : low + part * (high - low);
    const double value = gap_at(t) - wanted;
    if (std::abs(value) <= near) return t;
    if (value > 0) {
      low = t, low_value = value;
      if (side == 1) high_value *= 0.5;
      side = 1;
    } else {
      high = t, high_value = value;
      if (side == -1) low_value *= 0.5;
      side = -1;
    }
  }
  return high;
}

template class ImpactSearch<2>;
template class ImpactSearch<3>;

}  // namespace touchstone

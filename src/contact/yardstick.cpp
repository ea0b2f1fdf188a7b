// Purpose: gathers what contact_laws, solve_balance and penetration say of each solve into the measures of a step: the
//   worst, where it was, and the mean.
// Source: docs/yardstick.md, which explains each measure; contact_laws.cpp for the natural map.
// Letters: g gravity, h duration of the solve, q free relative velocity, r impulse.
// Deviations: none. Fails: never; a step without contacts has measures of zero.
#include "contact/yardstick.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/score_sums.h"

namespace touchstone {
namespace {

constexpr std::size_t kGrain = 128;

}  // namespace

template <int D>
void Yardstick<D>::begin(double gravity, const Parallel& parallel) {
  parallel_ = &parallel;
  gravity_ = gravity;
  measures_ = {};
  measures_.measured = true;
  sliding_ = bodies_ = impacts_ = joints_ = pairs_ = sticking_ = 0;
  gain_ = 0;
  residuals_.clear(), fresh_.clear();
  energy_age_ = std::numeric_limits<std::int64_t>::max();
}

template <int D>
void Yardstick<D>::solved(const SolveView<D>& view) {
  ++measures_.solves;
  judge_contacts(view);
  judge_bodies(view);
  if (!view.impact) follow_slips(view);
}

template <int D>
void Yardstick<D>::follow_slips(const SolveView<D>& view) {
  for (const auto& slip : slips_.follow(view)) {
    ++sticking_;
    add_to_measure(measures_.gathered_slip, slip.length, slip.body_a, slip.body_b);
    add_to_measure(measures_.gathered_slip_ratio, slip.length / length_of(view.bodies, slip.body_a, slip.body_b),
                   slip.body_a, slip.body_b);
  }
}

template <int D>
void Yardstick<D>::judge_contacts(const SolveView<D>& view) {
  const std::size_t n = view.contacts.size();
  if (n == 0) return;
  scores_.resize(n);
  parallel_->for_ranges(n, kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) scores_[i] = score_contact(view, view.contacts[i]);
  });
  add_scores<D>(scores_, gravity_ * view.h, measures_, sliding_);
  keep_residuals(view);
}

template <int D>
void Yardstick<D>::judge_bodies(const SolveView<D>& view) {
  balance_.gather(view);
  double gain = -balance_.prescribed_work(view);
  for_moved(view, [&](std::uint32_t i) {
    if (balance_.in_mechanism(i)) return;
    ++bodies_;
    const auto balance = balance_.of_body(view, i);
    add_to_measure(measures_.momentum_error, balance.momentum_error, i, Measure::kNobody);
    gain += balance.energy_gain;
  });
  for (std::size_t m = 0; m < view.mechanisms.size(); ++m) {
    ++bodies_;
    const auto balance = balance_.of_mechanism(view, m);
    add_to_measure(measures_.momentum_error, balance.momentum_error, view.mechanisms[m].mechanism->bodies()[0],
                   Measure::kNobody);
    gain += balance.energy_gain;
  }
  gain_ += gain;
  if (!view.impact) return;
  ++impacts_;
  const double energy = std::max(reference_energy(view), balance_.rest_energy(view, gravity_));
  const bool one_pair =
      !view.contacts.empty() && view.contacts.front().contact.key >> 16 == view.contacts.back().contact.key >> 16;
  const std::uint32_t a = one_pair ? view.contacts.front().contact.body_a : Measure::kNobody;
  const std::uint32_t b = one_pair ? view.contacts.front().contact.body_b : Measure::kNobody;
  add_to_measure(measures_.impact_gain, std::max(0.0, gain) / energy, a, b);
}

// Of all bodies. Collisions that are shown one by one share a sum until they have moved as many bodies as a kRefresh-th
// of the scene has, so that the sum costs no more than they do.
template <int D>
double Yardstick<D>::reference_energy(const SolveView<D>& view) {
  constexpr std::int64_t kRefresh = 8;
  const double moved = balance_.kinetic_energy(view);
  if (view.moved.empty()) return moved;
  if (energy_age_ >= static_cast<std::int64_t>(view.bodies.size()) / kRefresh) {
    energy_of_all_ = balance_.kinetic_energy_of_all(view);
    energy_age_ = 0;
  }
  energy_age_ += static_cast<std::int64_t>(view.moved.size());
  return std::max(moved, energy_of_all_);
}

// Mostly the same contacts are in every solve of a step, in the order of their keys; a solve may also have one of many.
template <int D>
void Yardstick<D>::keep_residuals(const SolveView<D>& view) {
  constexpr std::size_t kFew = 32;
  auto at = residuals_.begin();
  for (std::size_t i = 0; i < view.contacts.size(); ++i) {
    const std::uint64_t key = view.contacts[i].contact.key;
    if (at != residuals_.end() && at->key < key && ++at != residuals_.end() && at->key < key)
      at = std::lower_bound(at, residuals_.end(), key, [](const auto& r, std::uint64_t k) { return r.key < k; });
    if (at != residuals_.end() && at->key == key)
      at->natural_map = std::max(at->natural_map, scores_[i].natural_map);
    else
      fresh_.push_back({key, scores_[i].natural_map});
  }
  if (fresh_.size() > kFew + residuals_.size() / 2) merge_residuals();
}

template <int D>
void Yardstick<D>::merge_residuals() {
  if (fresh_.empty()) return;
  residuals_.insert(residuals_.end(), fresh_.begin(), fresh_.end());
  fresh_.clear();
  const auto order = [](const auto& x, const auto& y) {
    return x.key != y.key ? x.key < y.key : x.natural_map > y.natural_map;
  };
  if (!std::is_sorted(residuals_.begin(), residuals_.end(), order))
    std::sort(residuals_.begin(), residuals_.end(), order);
  residuals_.erase(
      std::unique(residuals_.begin(), residuals_.end(), [](const auto& x, const auto& y) { return x.key == y.key; }),
      residuals_.end());
}

template <int D>
double Yardstick<D>::contact_residual(std::uint64_t key) const {
  const auto found = std::lower_bound(residuals_.begin(), residuals_.end(), key,
                                      [](const ContactResidual& r, std::uint64_t k) { return r.key < k; });
  return found != residuals_.end() && found->key == key ? found->natural_map : 0.0;
}

template <int D>
void Yardstick<D>::joint(const Bodies<D>& bodies, std::uint32_t a, std::uint32_t b, double position, double angle,
                         double velocity) {
  ++joints_;
  add_to_measure(measures_.joint_position, position, a, b);
  add_to_measure(measures_.joint_position_ratio, position / length_of(bodies, a, b), a, b);
  add_to_measure(measures_.joint_angle, angle, a, b);
  add_to_measure(measures_.joint_velocity, velocity, a, b);
}

template <int D>
void Yardstick<D>::measure_penetration(const Bodies<D>& bodies, const State<D>& state,
                                       const ColliderTable<D>& colliders, const IgnoredPairs& ignored) {
  // Squares in the means, for their root at the end; the worst as they are.
  const auto add_squared = [](Measure& m, double value, const PairDepth& p) {
    const double sum = m.mean;
    add_to_measure(m, value, p.body_a, p.body_b);
    m.mean = sum + value * value;
  };
  for (const PairDepth& p : penetration_.find(bodies, state, colliders, ignored, *parallel_)) {
    ++pairs_;
    add_squared(measures_.penetration, p.depth, p);
    add_squared(measures_.penetration_ratio, p.depth / p.length, p);
  }
}

template <int D>
StepMeasures Yardstick<D>::finish() {
  merge_residuals();
  StepMeasures& m = measures_;
  finish_scores(m, sliding_);
  divide_measure(m.momentum_error, bodies_);
  divide_measure(m.impact_gain, impacts_);
  for (Measure* each : {&m.joint_position, &m.joint_position_ratio, &m.joint_angle, &m.joint_velocity})
    divide_measure(*each, joints_);
  for (Measure* each : {&m.gathered_slip, &m.gathered_slip_ratio}) divide_measure(*each, sticking_);
  for (Measure* each : {&m.penetration, &m.penetration_ratio}) {
    divide_measure(*each, pairs_);
    each->mean = std::sqrt(each->mean);
  }
  m.contact_gain.worst = m.contact_gain.mean = std::isnan(gain_) ? HUGE_VAL : std::max(0.0, gain_);
  return m;
}

template class Yardstick<2>;
template class Yardstick<3>;

}  // namespace touchstone

// Purpose: what a step of one impulse after the other needs around its impulses.
// Source: own; work, forces and reports as in velocity_stepping.cpp.
// Letters: docs/conventions.md.
// Deviations: -
// Fails: never.
#include "models/pairwise/pairwise_model.h"

#include <algorithm>

namespace touchstone {
namespace {

template <int D>
void read_twists(const State<D>& state, std::vector<Twist<D>>& out) {
  out.resize(state.size());
  for (std::size_t i = 0; i < state.size(); ++i) out[i] = {state.velocity[i], state.angular_velocity[i]};
}

}  // namespace

void add_pairwise_options(TableSpec& table, bool push_out) {
  add_option(table, "push_out", ValueType::kBool, "", push_out ? "true" : "false",
             "Whether bodies that overlap are moved apart after a step.");
  add_option(table, "push_speed", ValueType::kNumber, "m/s", "0.5", "Greatest speed at which they are moved apart.");
  add_option(table, "slop", ValueType::kNumber, "m", "1e-7", "Penetration that is left alone.");
  add_option(table, "margin", ValueType::kNumber, "m", "0.01", "Distance at which contacts are detected.");
}

PairwiseOptions read_pairwise_options(const Options& o) {
  return {number_option(o, "margin"),
          std::get<bool>(o.at("push_out")),
          {number_option(o, "slop"), number_option(o, "push_speed")}};
}

template <int D>
void PairwiseModel<D>::begin(const StepInput<D>& in, const State<D>& state) {
  report_ = ModelReport{};
  tally_.clear();
  no_wrench_.assign(in.bodies.size(), Wrench<D>{});
  shift_.clear();
  contacts_.search(in, state, pairwise_.margin);
  contacts_.recognise(in, 0.0, 0.0);
  const std::span<SolvedContact<D>> list = contacts_.list();
  totals_.assign(list.size(), Total{});
  inv_inertia_.resize(in.bodies.size());
  for (std::size_t i = 0; i < in.bodies.size(); ++i)
    inv_inertia_[i] = rotate_moments(state.orientation[i], in.bodies.inv_inertia[i]);
  points_.clear();
  for (std::uint32_t i = 0; i < list.size(); ++i)
    if (in.bodies.dynamic(list[i].contact.body_a) || in.bodies.dynamic(list[i].contact.body_b))
      points_.push_back(make_point(list[i], i, state, inertias(in)));
  read_twists(state, before_);
  velocity_ = before_;
}

template <int D>
void PairwiseModel<D>::find_accelerations(const StepInput<D>& in, State<D>& state) {
  write_velocities(in, state);
  wrenches_.reset(in.bodies.size());
  forces_.begin(in, in.h);
  forces_.evaluate(in.time, 0, 0.0, state, wrenches_);
  const std::vector<Wrench<D>>& wrench = wrenches_.total();
  acceleration_.assign(in.bodies.size(), Twist<D>{});
  for (std::size_t i = 0; i < in.bodies.size(); ++i) {
    if (!in.bodies.dynamic(i)) continue;
    acceleration_[i] = {in.bodies.inv_mass[i] * wrench[i].force, inv_inertia_[i] * wrench[i].torque};
  }
}

template <int D>
void PairwiseModel<D>::count(const CollisionPoint<D>& point, const PointImpulse<D>& given, bool collision) {
  Total& total = totals_[point.contact];
  total.impulse += point.axes * given.impulse;
  total.sticking = given.sticking;
  report_.collisions += collision;
}

template <int D>
void PairwiseModel<D>::count_mean_work(const StepInput<D>& in, const State<D>& state) {
  const auto mean = [&](std::size_t i) -> Twist<D> {
    return {0.5 * (before_[i].linear + velocity_[i].linear), 0.5 * (before_[i].angular + velocity_[i].angular)};
  };
  report_.work[ForceClass::kExternal] += in.h * wrenches_.prescribed_power;
  for (std::size_t i = 0; i < in.bodies.size(); ++i) {
    if (!in.bodies.dynamic(i)) continue;
    const Twist<D> m = mean(i);
    const Vec<D> dv = velocity_[i].linear - free_[i].linear;
    const AngVec<D> dw = velocity_[i].angular - free_[i].angular;
    report_.work[ForceClass::kContact] +=
        in.bodies.mass[i] * dv.dot(m.linear) +
        dw.dot(apply_moments(frame_of(state.orientation[i]), in.bodies.inertia[i], m.angular));
    for (std::size_t c = 1; c < kForceClasses; ++c) {
      if (!wrenches_.used(static_cast<ForceClass>(c))) continue;
      const Wrench<D>& w = wrenches_.of(static_cast<ForceClass>(c))[i];
      report_.work[c] += in.h * (w.force.dot(m.linear) + w.torque.dot(m.angular));
    }
  }
}

template <int D>
void PairwiseModel<D>::show(const StepInput<D>& in, const State<D>& state, bool impact,
                            std::span<const Vec<D>> impulses) {
  if (!in.observer) return;
  const std::span<const SolvedContact<D>> list = contacts_.list();
  shown_.clear();
  for (std::size_t i = 0; i < list.size(); ++i) {
    const bool given = !impulses[i].isZero(0);
    if (impact && !given && list[i].contact.gap > 0) continue;  // not there yet
    SolvedContact<D>& s = shown_.emplace_back(list[i]);
    s.contact.point = meeting_point<D>(s.contact, in.bodies.inv_mass);
    s.impulse = impulses[i];
    s.restitution = impact && given ? s.material.restitution : 0.0;
  }
  in.observer->solved({impact, in.time, in.h, in.bodies, state, shown_, before_, free_, velocity_, {}});
}

template <int D>
void PairwiseModel<D>::write_velocities(const StepInput<D>& in, State<D>& state) const {
  for (std::size_t i = 0; i < in.bodies.size(); ++i) {
    if (!in.bodies.dynamic(i)) continue;
    state.velocity[i] = velocity_[i].linear;
    state.angular_velocity[i] = velocity_[i].angular;
  }
}

template <int D>
void PairwiseModel<D>::report_contacts(const State<D>& state) {
  const std::span<const SolvedContact<D>> list = contacts_.list();
  tally_.begin();
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (totals_[i].impulse.isZero(0)) continue;
    const Contact<D>& c = list[i].contact;
    StepContact<D>& out = tally_.at(c);
    out.impulse = totals_[i].impulse;
    out.relative_velocity =
        state.point_velocity(c.body_b, c.point) - state.point_velocity(c.body_a, c.point) + list[i].surface_velocity;
    out.sticking = totals_[i].sticking;
  }
  tally_.end();
}

template <int D>
void PairwiseModel<D>::finish(const StepInput<D>& in, State<D>& state) {
  write_velocities(in, state);
  report_contacts(state);
  semi_implicit_euler(in.bodies, no_wrench_, in.h, state, in.parallel);
  for (std::size_t i = 0; i < shift_.size(); ++i) {
    if (!in.bodies.dynamic(i)) continue;
    state.position[i] += shift_[i].linear;
    state.orientation[i] = rotate_by(shift_[i].angular, state.orientation[i]);
  }
  forces_.set_kinematic(in.time + in.h, state);
  for (const double gap : gaps_) report_.max_penetration = std::max(report_.max_penetration, -gap);
  if (!pairwise_.push_out) return;
  const CorrectionWork<D> correction(in.bodies, in.forces, state);
  push_out_.run(pairwise_.push, in.h, in.bodies, points_, gaps_, inertias(in), state);
  correction.end(state, report_.work);
}

template class PairwiseModel<2>;
template class PairwiseModel<3>;

}  // namespace touchstone

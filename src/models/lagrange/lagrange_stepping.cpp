// Purpose: constrained dynamics, event by event.
// Source: [thompson2003]: constraint forces (eqs. 34-41), integrators (eqs. 11-13), collisions together with the
// impulses
//   of joints (eqs. 16-24, 47-54); [yang2020]: contacts at rest as inequalities.
// Letters: docs/conventions.md; a substep lasts from one collision to the next, or to the end of the step.
// A substep:
//   1. Contacts are found. Those that are closed and approach collide: one solve for all of them and all joints.
//   2. Closed contacts that do not leave rest until the next collision.
//   3. The integrator goes to the end of the step, with forces of joints and resting contacts in every stage.
//   4. If anything has penetrated, or passed through, the time of that collision is found, and 3 ends there.
//   5. Bodies are moved to where joints hold, and velocities to what joints allow. With RK4 and joints, a substep that
//      makes energy is cut: the paper's steps of 1 turn bodies by a tenth of a radian, at which RK4 loses 1e-7 each.
// Deviations:
//   (1) Collisions at one time are solved together (impacts.cpp).
//   (2) Contacts slower than √(2·g·bounce_gap) do not bounce, and those that leave slower rest.
//   (3) Projection keeps joints closed; the paper's feedback is an option.
//   (4) A callback is asked for each stage of a step once. After a collision within the step its last forces go on.
// Fails: more than max_substeps collisions in a step are reported, and the rest of the step is done without a search.
#include "models/lagrange/lagrange_stepping.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "models/lagrange/closing_speed.h"
#include "models/lagrange/kinetic_energy.h"

namespace touchstone {
namespace {

constexpr double kRk4Weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};

}  // namespace

template <int D>
void Lagrange<D>::solve(const ContactProblem& problem, std::span<const double> guess, ContactSolution& out) {
  impacts_solver_.solve(problem, {options_.tolerance}, guess, out);
}

template <int D>
void Lagrange<D>::solve_shift(const ContactProblem& problem, double tolerance, ContactSolution& out) {
  impacts_solver_.solve(problem, {tolerance, 1000}, {}, out);
}

template <int D>
double Lagrange<D>::bounce_speed(const StepInput<D>& in) const {
  return std::sqrt(2 * in.forces.gravity.norm() * this->stepping().bounce_gap);
}

template <int D>
void Lagrange<D>::choose_resting(const StepInput<D>& in, const State<D>& state) {
  const double leaving = std::max(bounce_speed(in), std::max(10 * options_.tolerance, 1e-11 * fastest(state)));
  resting_.clear(), resting_keys_.clear(), closed_.clear();
  for (const SolvedContact<D>& c : this->contacts_.list()) {
    closed_.push_back(c.contact);
    if (c.contact.gap > options_.stage.touching || closing_speed(state, c.contact) < -leaving) continue;
    resting_.add(in, c.contact, c.material, c.impulse / in.h);
    resting_keys_.push_back(c.contact.key);
  }
  stage_.forget_contacts();
  this->report_.resting += static_cast<std::int64_t>(resting_keys_.size());
}

template <int D>
void Lagrange<D>::Forces::evaluate(double time, int stage, double since_start, const State<D>& state,
                                   WrenchSet<D>& out) {
  this->evaluate_as(repeat ? Evaluation::kRepeat : Evaluation::kStage, time, stage, since_start, state, out);
  if (this->in_->observer) model_.watch_.add_forces(this->in_->bodies, out, this->in_->integrator, stage);
  model_.constrain(time, stage, state, out);
}

template <int D>
void Lagrange<D>::Forces::hold(State<D>& state) {
  if (model_.options_.stage.stabilisation == Stabilisation::kProjection)
    model_.stage_.hold(*model_.part_, model_.stepping().joint_tolerance, state);
}

// The forces of joints and contacts at rest, and their part in the substep's sums.
template <int D>
void Lagrange<D>::constrain(double time, int stage, const State<D>& state, WrenchSet<D>& out) {
  const StepInput<D>& in = *part_;
  if (in.joints.empty() && resting_.list().empty()) return;
  in.stop.check();
  resting_.place(in, state, this->stepping().margin);
  if (!stage_.solve(in, time, part_h_, state, out.total(), resting_.list()) && !*trial_.failure)
    trial_.failure = stage_.reason();
  trial_.iterations += stage_.iterations();
  trial_.smooth &= stage_.only_equalities();
  stage_.add_wrenches(in.bodies, state, out.use(ForceClass::kContact));
  const bool rk4 = in.integrator == Integrator::kRk4;
  const double weight = part_h_ * (rk4 ? kRk4Weight[stage] : 1.0);
  trial_.contacts.begin();
  const std::span<RestingContact<D>> list = resting_.list();
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Vec<D> force = stage_.contact_force(i);
    list[i].force = force;
    if (force.isZero(0)) continue;
    StepContact<D>& to = trial_.contacts.at(list[i].contact);
    to.impulse += weight * force;
    to.relative_velocity = list[i].velocity;
    const Vec<D> slip = list[i].velocity - list[i].contact.normal * list[i].contact.normal.dot(list[i].velocity);
    to.sticking = list[i].material.static_friction > 0 && slip.norm() <= this->stepping().slip_speed;
  }
  trial_.contacts.end();
  stage_.add_joint_impulses(in, state, weight, trial_.joints);
  if (in.observer) stage_.add_joint_shares(weight, trial_.joint_shares);
  if (!rk4) return;
  const auto power = stage_.joint_power(in, state.velocity, state.angular_velocity);
  trial_.joint_work += weight * (power.all - power.motors), trial_.motor_work += weight * power.motors;
}

// An Euler method holds its forces: their work is along the mean of the velocities. All constraints are one class for
// the integrator.
template <int D>
void Lagrange<D>::split_work(const StepInput<D>& in, double h, const State<D>& state) {
  if (in.joints.empty()) return;
  if (in.integrator != Integrator::kRk4) {
    std::vector<Vec<D>>& linear = mean_.velocity;
    std::vector<AngVec<D>>& angular = mean_.angular_velocity;
    linear.resize(state.size()), angular.resize(state.size());
    for (std::size_t i = 0; i < state.size(); ++i) {
      linear[i] = 0.5 * (start_.velocity[i] + state.velocity[i]);
      angular[i] = 0.5 * (start_.angular_velocity[i] + state.angular_velocity[i]);
    }
    const auto power = stage_.joint_power(in, linear, angular);
    trial_.joint_work = h * (power.all - power.motors), trial_.motor_work = h * power.motors;
  }
  trial_.work[ForceClass::kContact] -= trial_.joint_work + trial_.motor_work;
  trial_.work[WorkClass::kJoint] += trial_.joint_work;
  trial_.work[WorkClass::kMotor] += trial_.motor_work;
}

template <int D>
void Lagrange<D>::fly(const StepInput<D>& in, double h, State<D>& state) {
  trial_.work = {}, trial_.joint_work = trial_.motor_work = trial_.open = 0;
  trial_.smooth = true;
  trial_.contacts.clear();
  trial_.joints.assign(in.joints.size(), JointImpulse<D>{});
  trial_.joint_shares.assign(in.observer && !in.joints.empty() ? in.bodies.size() : 0, BodyImpulse<D>{});
  trial_.failure = "";
  part_h_ = h;
  source_.begin(in, h);
  if (in.observer) watch_.begin(state, in.time, h);
  integrate(in.integrator, in.bodies, in.time, h, source_, state, workspace_, in.parallel, trial_.work);
  source_.repeat = true;
  split_work(in, h, state);
  hold_joints(in, state);
}

// A substep that is not cut short: what it did counts.
template <int D>
void Lagrange<D>::accept(const StepInput<D>& in, double h, const State<D>& state) {
  this->report_.work += trial_.work;
  const bool open = trial_.open > this->stepping().joint_tolerance;
  if (open && !*trial_.failure) trial_.failure = "joints do not close within joint_tolerance";
  this->tally_.begin();
  if (in.observer) watch_.contacts().begin();
  for (const StepContact<D>& c : trial_.contacts.contacts()) {
    const auto add = [&](StepContact<D>& to) {
      to.impulse += c.impulse;
      to.relative_velocity = c.relative_velocity, to.sticking = c.sticking;
    };
    add(this->tally_.at(c.contact));
    if (in.observer) add(watch_.contacts().at(c.contact));
  }
  this->tally_.end();
  for (std::size_t j = 0; j < trial_.joints.size(); ++j) {
    this->memory_.joint_impulses[j].linear += trial_.joints[j].linear;
    this->memory_.joint_impulses[j].angular += trial_.joints[j].angular;
  }
  keep_forces(h);
  if (*trial_.failure && this->report_.status == StepStatus::kOk)
    this->report_.status = StepStatus::kNotConverged, this->report_.reason = trial_.failure;
  if (!in.observer) return;
  watch_.contacts().end();
  StepInput<D> shown = in;
  shown.h = h;
  watch_.show(shown, state, trial_.joint_shares);
}

// The forces of the last stage are the guess of the next.
template <int D>
void Lagrange<D>::keep_forces(double h) {
  const std::span<SolvedContact<D>> found = this->contacts_.list();
  for (SolvedContact<D>& c : found) c.impulse.setZero();
  auto at = found.begin();
  for (const RestingContact<D>& r : resting_.list()) {
    while (at != found.end() && at->contact.key < r.contact.key) ++at;
    if (at != found.end() && at->contact.key == r.contact.key) at->impulse = h * r.force;
  }
  sticking_none_.assign(found.size(), 0);
  this->contacts_.remember(h, sticking_none_);
  this->memory_.joint_guess.assign(stage_.joint_forces().begin(), stage_.joint_forces().end());
}

// To the end of the step, or to the next collision. Returns how long that took.
template <int D>
double Lagrange<D>::advance(const StepInput<D>& in, bool search, State<D>& state) {
  constexpr double kShortest = 1e-3;  // of a substep: a pass nearer than that is found by its overlap
  start_ = state;
  const auto gap_at = [&](double t) {
    state = start_;
    fly(in, t, state);
    return search_.least_gap(in, state);
  };
  part_kinetic_ = kinetic_energy_of(in.bodies, state);
  part_energy_ = part_kinetic_ + potential_energy(in.bodies, state, in.forces);
  fly(in, in.h, state);
  double h = adapt(in, state);
  if (search) {
    search_.begin(in, start_, closed_, resting_keys_);
    double gap = search_.least_gap(in, state);
    const double pass = search_.first_pass(in, start_, state, h);
    if (pass < h && pass > kShortest * h && !search_.collides(gap)) gap = gap_at(h = pass);
    if (search_.collides(gap)) {
      h = search_.locate(h, gap, gap_at);
      state = start_;
      fly(in, h, state);
    }
  }
  accept(in, h, state);
  return h;
}

// The semi-implicit method makes positions of velocities: impulses along the rows at the start of the substep lead both
// to where joints hold, as SHAKE does [J.-P. Ryckaert, G. Ciccotti, H. Berendsen, 1977]. Moving positions alone would
// add energy in every step.
template <int D>
void Lagrange<D>::aim_at_joints_end(const StepInput<D>& in, State<D>& state) {
  const auto energy = [&] {
    return kinetic_energy_of(in.bodies, state) + potential_energy(in.bodies, state, in.forces);
  };
  const double before = energy();
  std::vector<Twist<D>>& twists = this->after_;  // at the poses of the start
  twists.resize(state.size());
  for (std::size_t i = 0; i < state.size(); ++i) {
    const AngVec<D> momentum =
        apply_moments(frame_of(state.orientation[i]), in.bodies.inertia[i], state.angular_velocity[i]);
    twists[i] = {state.velocity[i], apply_moments(frame_of(start_.orientation[i]), in.bodies.inv_inertia[i], momentum)};
  }
  stage_.aim(
      in, part_h_, this->stepping().joint_tolerance, start_, twists,
      [&]() -> const State<D>& {
        for (std::size_t i = 0; i < state.size(); ++i) {
          if (!in.bodies.dynamic(i)) continue;
          state.position[i] = start_.position[i], state.orientation[i] = start_.orientation[i];
          state.velocity[i] = twists[i].linear, state.angular_velocity[i] = twists[i].angular;
        }
        coast(in.bodies, part_h_, state, in.parallel);
        source_.set_kinematic(in.time + part_h_, state);
        return state;
      },
      trial_.joints, trial_.joint_shares);
  trial_.work[WorkClass::kJoint] += energy() - before;
}

template <int D>
void Lagrange<D>::hold_joints(const StepInput<D>& in, State<D>& state) {
  if (in.joints.empty() || options_.stage.stabilisation != Stabilisation::kProjection) return;
  if (in.integrator == Integrator::kSemiImplicitEuler) aim_at_joints_end(in, state);
  const double kinetic = kinetic_energy_of(in.bodies, state), potential = potential_energy(in.bodies, state, in.forces);
  trial_.open = stage_.project(in, this->stepping().joint_tolerance, state);
  trial_.work[WorkClass::kJoint] += kinetic_energy_of(in.bodies, state) - kinetic;
  trial_.work[WorkClass::kCorrection] += potential_energy(in.bodies, state, in.forces) - potential;
}

// What is still deeper than the slop: bodies are moved, and joints with them.
template <int D>
void Lagrange<D>::correct_overlaps(const StepInput<D>& in, State<D>& state) {
  const SteppingOptions& o = this->stepping();
  pairs_.resize(in.detector.pairs().size());
  for (std::uint32_t k = 0; k < pairs_.size(); ++k) pairs_[k] = k;
  in.detector.look_at(pairs_, state.position, state.orientation, 0.0, found_);
  double deepest = 0;
  for (const Contact<D>& c : found_) deepest = std::max(deepest, -c.gap);
  this->report_.max_penetration = deepest;
  if (deepest <= o.slop) return;
  this->impacts_.clear();
  for (const Contact<D>& c : found_) this->impacts_.push_back({c, {}});
  this->after_.assign(in.bodies.size(), Twist<D>{});
  const ContactProblem problem = this->builder_.build({in.bodies,
                                                       state,
                                                       this->after_,
                                                       this->after_,
                                                       this->impacts_,
                                                       in.joints,
                                                       {},
                                                       in.h,
                                                       false,
                                                       this->kPushPart,
                                                       o.push_speed,
                                                       false});
  solve_shift(problem, 0.1 * o.slop / in.h, this->shift_);
  this->report_.iterations += this->shift_.iterations;
  this->builder_.read_velocities(this->shift_.velocities, this->after_);
  const CorrectionWork<D> correction(in.bodies, in.forces, state);
  if (!this->shifts_.apply(in, this->impacts_, o.push_speed, o.slop, this->after_, state) && !*this->report_.reason)
    this->report_.reason = "bodies are over-constrained: no motion corrects their penetrations";
  correction.end(state, this->report_.work);
}

template <int D>
ModelReport Lagrange<D>::step(const StepInput<D>& in, State<D>& state) {
  check_spring_step(in);
  this->begin(in);
  stage_.begin_step(in, state, this->memory_.joint_guess);
  source_.repeat = false;
  trial_.iterations = 0;
  this->report_.substeps = 0;
  double left = part_step_ = in.h;
  adapts_ = true;
  while (left > 0) {
    in.stop.check();
    StepInput<D> part{in};
    part.time = in.time + (in.h - left);
    part.h = left;
    part_ = &part;
    this->contacts_.search(part, state, this->stepping().margin);
    this->contacts_.recognise(part, this->stepping().push_speed, this->stepping().slop);
    collide(part, state);
    choose_resting(part, state);
    const bool search = ++this->report_.substeps <= options_.max_substeps;
    const double done = advance(part, search, state);
    left = done >= left ? 0.0 : left - done;
    if (search || this->report_.status != StepStatus::kOk) continue;
    this->report_.status = StepStatus::kNotConverged;
    this->report_.reason = "the step has more collisions than max_substeps";
  }
  this->report_.iterations += trial_.iterations;
  correct_overlaps(in, state);
  part_ = nullptr;
  return this->report_;
}

template class Lagrange<2>;
template class Lagrange<3>;

}  // namespace touchstone

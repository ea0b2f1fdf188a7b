// Purpose: velocity-level time stepping, a step with one detection and one solve: v ← v + h·M⁻¹·F + M⁻¹·Jᵀ·r under the
//   laws of contacts and joints, then x ← x + h·v. Which laws, and how they are solved, is for the models above it.
// Source: the scheme of J. J. Moreau and M. Jean in end-of-step form, which is also that of D. E. Stewart and
//   J. C. Trinkle, own choices below; joints as in SHAKE [J.-P. Ryckaert, G. Ciccotti, H. Berendsen, 1977], whose
//   positions are exact at the end of the step.
// Letters: docs/conventions.md.
// Deviations:
//   (1) An open gap may close within the step, not more: u_N >= −φ/h.
//   (2) Bounces come first, at an instant without forces, with Newton's law at all touching contacts at once: a row of
//       balls gives the simultaneous answer of the catalogue (B13), not the sequential one of Newton's cradle.
//       Laws of restitution that follow the course of an impact are those of contact/impact_law.cpp; there, all
//       contacts that touch have their e: what was compressed expands.
//   (3) Contacts that approach slower than max(√(2·g·ε), g·h) do not bounce.
//   (4) A penetration is pushed out by moving bodies along the normals, after the step; no velocity is made by it.
//   (5) After the step velocities are made to fit the joints where they are now. This does not change where bodies go
//       (the next step's impulses take the same directions); it only makes the velocities that are seen right.
// Fails: a solve that does not converge, or joints that do not close, are reported as not converged.
#include "models/velocity_stepping.h"

#include <algorithm>
#include <cmath>

namespace touchstone {
namespace {

constexpr int kMostAims = 12;  // Newton steps on the joints' positions; 2 or 3 are usual

}  // namespace

template <int D>
void VelocityStepping<D>::begin(const StepInput<D>& in) {
  report_ = ModelReport{};
  builder_.set_stop(in.stop);
  contacts_.keep_memory();
  trees_.begin(in);
  trees_.keep_memory();
  start_memory_ = memory_;
  tally_.clear();
  memory_.joint_impulses.assign(in.joints.size(), JointImpulse<D>{});
}

template <int D>
bool VelocityStepping<D>::run(const ContactProblem& problem, std::span<const double> guess) {
  solve(problem, guess, solution_);
  report_.iterations += solution_.iterations;
  return solution_.status == SolveStatus::kConverged;
}

// The solution becomes the state's velocities; the work of the impulses is that of joints, of motors, and, for the
// rest, of contacts. Forces and impulses act over the same time, along the mean of the velocities before and after
// both: a resting body takes no work. Returns the work of the contacts.
template <int D>
double VelocityStepping<D>::take(const StepInput<D>& in, State<D>& state) {
  after_ = free_;
  builder_.read_velocities(solution_.velocities, after_);
  trees_.read(builder_, solution_.velocities, after_);
  trees_.take(state);
  double work = trees_.added_work();
  for (std::size_t i = 0; i < in.bodies.size(); ++i) {
    if (!in.bodies.dynamic(i)) continue;
    const Vec<D> dv = after_[i].linear - free_[i].linear;
    const AngVec<D> dw = after_[i].angular - free_[i].angular, sum = after_[i].angular + before_[i].angular;
    work += in.bodies.mass[i] * dv.dot(after_[i].linear + before_[i].linear) +
            dw.dot(apply_moments(frame_of(state.orientation[i]), in.bodies.inertia[i], sum));
    state.velocity[i] = after_[i].linear;
    state.angular_velocity[i] = after_[i].angular;
  }
  const auto joints = builder_.joint_work(in.joints, solution_.impulses, before_, after_);
  const double rows = trees_.row_work(builder_.coordinate_impulses(solution_.impulses));
  const double contacts = 0.5 * work - joints.all - rows;
  report_.work[ForceClass::kContact] += contacts;
  report_.work[WorkClass::kJoint] += joints.all - joints.motors + rows;
  report_.work[WorkClass::kMotor] += joints.motors;
  for (std::size_t j = 0; j < in.joints.size(); ++j) {
    const JointImpulse<D> given = builder_.joint_impulse(j, in.joints[j], state, solution_.impulses);
    memory_.joint_impulses[j].linear += given.linear;
    memory_.joint_impulses[j].angular += given.angular;
  }
  return contacts;
}

template <int D>
ProblemInput<D> VelocityStepping<D>::input(const StepInput<D>& in, const State<D>& state,
                                           std::span<const SolvedContact<D>> contacts, bool impact,
                                           std::span<const double> guess) {
  ProblemInput<D> out{in.bodies, state, before_, free_, contacts, in.joints, guess, in.h, impact};
  out.mechanisms = trees_.inputs();
  out.coordinates = trees_.find_rows(in, state, impact);
  if (!impact) out.coordinate_guess = trees_.guess(in.h);
  return out;
}

template <int D>
void VelocityStepping<D>::show(const StepInput<D>& in, const State<D>& state, bool impact,
                               std::span<const SolvedContact<D>> contacts) {
  if (!in.observer) return;
  joint_shares_.assign(in.joints.empty() ? 0 : in.bodies.size(), BodyImpulse<D>{});
  if (!in.joints.empty()) builder_.add_joint_impulses(solution_.impulses, joint_shares_);
  in.observer->solved({impact, in.time, in.h, in.bodies, state, contacts, before_, free_, after_, joint_shares_,
                       trees_.solved(builder_, solution_.impulses)});
}

// Contacts that approach slower do not bounce.
template <int D>
double VelocityStepping<D>::impact_speed(const StepInput<D>& in) const {
  const double gravity = in.forces.gravity.norm();
  return std::max(std::sqrt(2 * gravity * options_.bounce_gap), gravity * in.h);
}

// Whether anything bounces; with those that do, all that touch take part.
template <int D>
bool VelocityStepping<D>::select_impacts(const StepInput<D>& in, const State<D>& state) {
  const double threshold = impact_speed(in);
  const bool course = options_.law != RestitutionLaw::kNewton;
  impacts_.clear();
  impact_of_.clear();
  bool any = false;
  for (std::size_t i = 0; i < contacts_.list().size(); ++i) {
    SolvedContact<D> s = contacts_.list()[i];
    const Contact<D>& c = s.contact;
    const double u = c.normal.dot(state.point_velocity(c.body_b, c.point) - state.point_velocity(c.body_a, c.point));
    const bool bounces = u < -threshold && s.material.restitution > 0 && c.gap + in.h * u <= options_.bounce_gap;
    if (!bounces && c.gap > options_.bounce_gap) continue;
    s.restitution = bounces || course ? s.material.restitution : 0.0;
    s.course = course;
    s.impulse.setZero();
    s.return_velocity.setZero();
    impacts_.push_back(s);
    impact_of_.push_back(i);
    any |= bounces;
  }
  return any;
}

template <int D>
bool VelocityStepping<D>::resolve_impacts(const StepInput<D>& in, const ContactProblem& problem) {
  if (options_.law == RestitutionLaw::kNewton) return run(problem, {});
  const auto compress = [this](const ContactProblem& p, std::span<const double> guess, ContactSolution& out) {
    solve(p, guess, out);
  };
  impact_law_.resolve(problem, {options_.law, impact_speed(in), options_.tolerance}, compress, solution_);
  report_.iterations += solution_.iterations;
  return solution_.status == SolveStatus::kConverged;
}

template <int D>
void VelocityStepping<D>::bounce(const StepInput<D>& in, State<D>& state) {
  if (!select_impacts(in, state)) return;
  trees_.place_at_rest(state);
  read_twists(state, before_);
  free_ = before_;
  require(resolve_impacts(in, builder_.build(input(in, state, impacts_, true))));
  report_.impact_gain += std::max(0.0, take(in, state));
  for (std::size_t i = 0; i < impacts_.size(); ++i) {
    impacts_[i].impulse = builder_.contact_impulse(i, solution_.impulses);
    totals_[impact_of_[i]] += impacts_[i].impulse;
  }
  show(in, state, true, impacts_);
}

// v ← v + h·M⁻¹·F.
template <int D>
void VelocityStepping<D>::kick(const StepInput<D>& in, State<D>& state) {
  read_twists(state, before_);
  wrenches_.reset(in.bodies.size());
  forces_.begin(in, in.h);
  forces_.evaluate(in.time, 0, 0.0, state, wrenches_);
  const std::vector<Wrench<D>>& wrench = wrenches_.total();
  for (std::size_t i = 0; i < in.bodies.size(); ++i) {
    if (!in.bodies.dynamic(i)) continue;
    state.velocity[i] += in.h * in.bodies.inv_mass[i] * wrench[i].force;
    state.angular_velocity[i] +=
        in.h * apply_moments(frame_of(state.orientation[i]), in.bodies.inv_inertia[i], wrench[i].torque);
  }
  trees_.kick(in, wrench, state);
  read_twists(state, free_);
}

// Of the forces, once it is known where the impulses lead to.
template <int D>
void VelocityStepping<D>::count_work(const StepInput<D>& in) {
  report_.work[ForceClass::kExternal] += in.h * wrenches_.prescribed_power;
  trees_.count_work(in.h, report_.work);
  for (std::size_t c = 1; c < kForceClasses; ++c) {
    if (!wrenches_.used(static_cast<ForceClass>(c))) continue;
    const std::vector<Wrench<D>>& part = wrenches_.of(static_cast<ForceClass>(c));
    double sum = 0;
    for (std::size_t i = 0; i < in.bodies.size(); ++i)
      sum += part[i].force.dot(before_[i].linear + after_[i].linear) +
             part[i].torque.dot(before_[i].angular + after_[i].angular);
    report_.work[c] += 0.5 * in.h * sum;
  }
}

template <int D>
bool VelocityStepping<D>::aim_at_joints(const StepInput<D>& in, const State<D>& state) {
  for (int k = 0; k <= kMostAims; ++k) {
    in.stop.check();
    after_ = free_;
    builder_.read_velocities(solution_.velocities, after_);
    trees_.read(builder_, solution_.velocities, after_);
    predicted_ = state;
    trees_.take(predicted_);
    for (std::size_t i = 0; i < in.bodies.size(); ++i)
      predicted_.velocity[i] = after_[i].linear, predicted_.angular_velocity[i] = after_[i].angular;
    move(in, predicted_);
    trees_.move(in, predicted_);
    forces_.set_kinematic(in.time + in.h, predicted_);
    if (builder_.aim_joints(in.joints, predicted_, solution_.velocities, trees_.row_errors(predicted_)) <=
        options_.joint_tolerance)
      return solution_.status == SolveStatus::kConverged;
    guess_ = solution_.impulses;
    if (k < kMostAims) run(builder_.problem(), guess_);
  }
  return false;
}

template <int D>
void VelocityStepping<D>::rest(const StepInput<D>& in, State<D>& state) {
  const std::span<SolvedContact<D>> list = contacts_.list();
  guess_ = memory_.joint_guess;
  for (double& g : guess_) g *= in.h;
  const ContactProblem problem = builder_.build(input(in, state, list, false, guess_));
  const bool converged = run(problem, builder_.guess());
  require(in.joints.empty() && !trees_.must_aim() ? converged : aim_at_joints(in, state));
  take(in, state);
  count_work(in);
  for (std::size_t i = 0; i < list.size(); ++i) {
    list[i].impulse = builder_.contact_impulse(i, solution_.impulses);
    totals_[i] += list[i].impulse;
  }
  keep_joint_guess(in.h);
  trees_.remember(builder_.coordinate_impulses(solution_.impulses), in.h);
  show(in, state, false, list);
}

template <int D>
void VelocityStepping<D>::keep_joint_guess(double h) {
  const std::span<const double> impulses = builder_.joint_impulses(solution_.impulses);
  memory_.joint_guess.assign(impulses.begin(), impulses.end());
  for (double& g : memory_.joint_guess) g /= h;
}

// Positions only. The rows are those of the start of the step.
template <int D>
void VelocityStepping<D>::push_apart(const StepInput<D>& in, State<D>& state) {
  const typename ProblemBuilder<D>::Shift shift =
      builder_.build_shift(solution_.velocities, kPushPart, options_.push_speed);
  report_.max_penetration = shift.deepest;
  if (shift.deepest <= options_.slop) return;
  solve_shift(shift.problem, 0.1 * options_.slop / in.h, shift_);  // a tenth of the slop is near enough
  report_.iterations += shift_.iterations;
  after_.assign(in.bodies.size(), Twist<D>{});
  builder_.read_velocities(shift_.velocities, after_);
  trees_.read(builder_, shift_.velocities, after_);
  move_by_shift(in, state);
}

// By after_.
template <int D>
void VelocityStepping<D>::move_by_shift(const StepInput<D>& in, State<D>& state) {
  const CorrectionWork<D> correction(in.bodies, in.forces, state);
  const bool moved = shifts_.apply(in, contacts_.list(), options_.push_speed, options_.slop, after_, state);
  trees_.shift(in, shifts_.parts(), state);
  correction.end(state, report_.work);
  if (moved) return;
  report_.reason = "bodies are jammed: nothing that was found takes their penetrations back";
}

template <int D>
void VelocityStepping<D>::fit_to_joints(const StepInput<D>& in, State<D>& state) {
  if (in.joints.empty()) return;
  trees_.place_at_rest(state);
  read_twists(state, before_);
  free_ = before_;
  require(run(builder_.build(input(in, state, {}, true)), {}));
  take(in, state);
  show(in, state, true, {});
}

template <int D>
void VelocityStepping<D>::report_contacts(const StepInput<D>&, const State<D>& state) {
  const std::span<const SolvedContact<D>> list = contacts_.list();
  tally_.begin();
  sticking_.assign(list.size(), 0);
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (totals_[i].isZero(0)) continue;
    const Contact<D>& c = list[i].contact;
    StepContact<D>& out = tally_.at(c);
    out.impulse = totals_[i];
    out.relative_velocity =
        state.point_velocity(c.body_b, c.point) - state.point_velocity(c.body_a, c.point) + list[i].surface_velocity;
    const Vec<D> u = out.relative_velocity + list[i].return_velocity, slip = u - c.normal * c.normal.dot(u);
    out.sticking = list[i].material.static_friction > 0 && slip.norm() <= options_.slip_speed;
    sticking_[i] = out.sticking;
  }
  tally_.end();
}

template <int D>
ModelReport VelocityStepping<D>::step(const StepInput<D>& in, State<D>& state) {
  check_spring_step(in);
  begin(in);
  refine(in, state, contacts_.search(in, state, options_.margin));
  contacts_.recognise(in, options_.push_speed, options_.slop);
  totals_.assign(contacts_.list().size(), Vec<D>::Zero());
  bounce(in, state);
  settle(in, state);
  kick(in, state);
  rest(in, state);
  report_contacts(in, state);
  move(in, state);
  trees_.move(in, state);
  forces_.set_kinematic(in.time + in.h, state);
  push_apart(in, state);
  if (report_.status != StepStatus::kOk) std::fill(sticking_.begin(), sticking_.end(), 0);  // nobody knows what sticks
  contacts_.remember(in.h, sticking_);
  fit_to_joints(in, state);
  return report_;
}

template class VelocityStepping<2>;
template class VelocityStepping<3>;

}  // namespace touchstone

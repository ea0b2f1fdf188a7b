// Purpose: a step by Gauss' principle of least restraint, in reduced coordinates (3 unknowns a body in 2D, 6 in 3D).
// Source: [rote2012 §3, §5, §7, §8.2]; the order of a step, joints, push-out and reports are velocity_stepping.cpp's.
// Letters: ℓ step, Δt = h, φ gap, κ = d²φ/dt² by velocities alone (second_order.h).
//   Position form, with v = (p − p^(ℓ))/Δt and ṽ = v^(ℓ) + g·Δt:
//     least ½(v − ṽ)ᵀ·M·(v − ṽ)   [(Q')]    under   φ + h·J·v + h²·κ >= 0   [(S')]
//   Acceleration form, with v^(ℓ+1) = v^(ℓ) + h·a:
//     least ½(a − g)ᵀ·M·(a − g)   [(Q)]     under   J·a + κ >= 0   [(S2⁺)], where φ = 0 and J·v^(ℓ) = 0
//   Both are one program in v^(ℓ+1), by Theorem 5.1.
// Deviations:
//   (1) Bodies turn by their angular velocity, points do not go straight: nothing changes its length, (L') and (L'')
//       are not needed.
//   (2) (S') asks for φ >= 0 at the end of the step and so closes a penetration δ with the speed δ/h. Here the program
//       removes a fifth of min(δ, `slop`) in a step, at most at `push_speed`. Bodies deeper than `slop` are moved apart
//       after the step, without a speed.
//   (3) Contacts are vertices over an edge or face of the other body (0 <= α <= 1), from both bodies. One critical
//       edge with all vertices of the other brick makes unstable towers stable.
//   (4) Restitution is Newton's law in (Q*): u_N >= −e·u_N before. The paper has e = 0.
//   (5) (S2⁺) has equations as conditions. Here a contact touches if φ <= `touching`; collides, by (Q*), if it then
//       approaches; and takes part in (Q) unless it separates by more than g·h.
//   (6) Pins and other joints hold at the end of the step, to second order, in both forms.
// Fails: a program without solution or beyond its tolerance is reported as not converged, with the reason.
#include "models/gauss/gauss_stepping.h"

#include <algorithm>

#include "dynamics/free_turn.h"
#include "models/gauss/second_order.h"
#include "touchstone/error.h"

namespace touchstone {

template <int D>
void GaussPositions<D>::check_bodies(const Bodies<D>& bodies, const ColliderTable<D>& colliders,
                                     std::span<const Joint<D>>) {
  if (bodies_.bodies == BodyForm::kReduced || found_points_) return;
  points_.find(bodies, colliders);
  found_points_ = true;
}

template <int D>
ModelReport GaussPositions<D>::step(const StepInput<D>& in, State<D>& state) {
  check_bodies(in.bodies, in.detector.colliders(), in.joints);
  world_ = &in.bodies, state_ = &state;
  return VelocityStepping<D>::step(in, state);
}

template <int D>
void GaussPositions<D>::refine(const StepInput<D>& in, const State<D>& state, std::vector<Contact<D>>& found) {
  if constexpr (D == 2) critical_.refine(in.detector.colliders(), state, found);
}

template <int D>
void GaussPositions<D>::ask(const StepInput<D>& in, const State<D>& state, std::span<SolvedContact<D>> contacts) const {
  constexpr double kRecovered = 0.2;  // of a penetration, a step
  const SteppingOptions& o = this->stepping();
  // Points that (L') holds have the way inward by their bars.
  const bool inward = bodies_.bodies != BodyForm::kReduced && bodies_.lengths == LengthForm::kLast;
  for (SolvedContact<D>& c : contacts) {
    if (options_.facets == 0) c.return_velocity.setZero();  // nothing sticks
    const double depth = std::clamp(-c.contact.gap, 0.0, o.slop);
    const double speed = std::min(kRecovered * depth / in.h, o.push_speed);
    const double rate = gap_acceleration(c.contact, state, !inward);
    c.return_velocity += (in.h * rate - speed) * c.contact.normal;
  }
}

template <int D>
void GaussPositions<D>::settle(const StepInput<D>& in, State<D>& state) {
  ask(in, state, this->contacts_.list());
}

// What bodies receive is the impulses of contacts and joints; velocities of bodies follow from those.
template <int D>
void GaussPositions<D>::solve_points(const ContactProblem& problem, std::span<const double> guess,
                                     ContactSolution& out) {
  const ContactProblem points = points_.rewrite(problem, *world_, *state_);
  std::vector<double>& more = momentum_;  // bars have no guess
  more.assign(guess.begin(), guess.end());
  if (!guess.empty()) more.resize(points.rows(), 0.0);
  program_.solve(points, options_, more, of_points_);
  out.impulses.assign(of_points_.impulses.begin(),
                      of_points_.impulses.begin() + static_cast<std::ptrdiff_t>(problem.rows()));
  out.status = of_points_.status, out.reason = of_points_.reason;
  out.iterations = of_points_.iterations, out.residual = of_points_.residual;
  velocities_of(problem, momentum_, out);
}

template <int D>
void GaussPositions<D>::solve(const ContactProblem& problem, std::span<const double> guess, ContactSolution& out) {
  if (bodies_.bodies == BodyForm::kReduced)
    program_.solve(problem, options_, guess, out);
  else
    solve_points(problem, guess, out);
  this->report_.certificate = std::max(this->report_.certificate, out.residual);
}

template <int D>
void GaussPositions<D>::solve_shift(const ContactProblem& problem, double, ContactSolution& out) {
  GaussProgramOptions frictionless = options_;
  frictionless.facets = 0;
  // Mostly the points that bear are those that sink in.
  shift_program_.solve(problem, frictionless, this->solution_.impulses, out);
}

template <int D>
void GaussAccelerations<D>::check_bodies(const Bodies<D>& bodies, const ColliderTable<D>& colliders,
                                         std::span<const Joint<D>> joints) {
  GaussPositions<D>::check_bodies(bodies, colliders, joints);
  if (level_.mean && !joints.empty())
    throw Error(
        ErrorKind::kUnsupported,
        "model 'gauss': update = \"mean\" holds no joints: theirs is the end of a step; use update = \"end\", or "
        "form = \"position\"");
}

// Contacts that are closed. Returns how fast the worst of them approaches.
template <int D>
double GaussAccelerations<D>::find_touching(const StepInput<D>& in, const State<D>& state) {
  touching_.clear();
  index_.clear();
  double closing = 0;
  const double leaves = in.forces.gravity.norm() * in.h;
  const std::span<const SolvedContact<D>> list = this->contacts_.list();
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Contact<D>& c = list[i].contact;
    const double speed =
        c.normal.dot(state.point_velocity(c.body_b, c.point) - state.point_velocity(c.body_a, c.point));
    if (c.gap > level_.touching || speed > leaves) continue;
    touching_.push_back(list[i]);
    touching_.back().restitution = 0;
    touching_.back().contact.gap = std::min(c.gap, 0.0);
    index_.push_back(i);
    closing = std::max(closing, -speed);
  }
  return closing;
}

template <int D>
void GaussAccelerations<D>::store_impulses() {
  for (std::size_t i = 0; i < touching_.size(); ++i) {
    touching_[i].impulse = this->builder_.contact_impulse(i, this->solution_.impulses);
    this->totals_[index_[i]] += touching_[i].impulse;
  }
}

// (Q*).
template <int D>
void GaussAccelerations<D>::settle(const StepInput<D>& in, State<D>& state) {
  constexpr double kStill = 1e-12;  // [m/s]: slower is rounding
  if (find_touching(in, state) <= kStill) return;
  for (SolvedContact<D>& c : touching_) c.return_velocity.setZero();
  read_twists(state, this->before_);
  this->free_ = this->before_;
  const ContactProblem problem =
      this->builder_.build({in.bodies, state, this->before_, this->free_, touching_, in.joints, {}, in.h, true});
  this->require(this->run(problem, this->builder_.guess()));
  this->take(in, state);
  store_impulses();
  this->show(in, state, true, touching_);
}

// (Q): J·a + κ >= 0 is J·v^(ℓ+1) + h·κ >= 0, since J·v^(ℓ) = 0; what rounding and drift have left of J·v^(ℓ) goes with
// it, as step (d) of figure 3 asks.
template <int D>
void GaussAccelerations<D>::rest(const StepInput<D>& in, State<D>& state) {
  State<D>& start = this->predicted_;
  start = state;
  for (std::size_t i = 0; i < in.bodies.size(); ++i)
    start.velocity[i] = this->before_[i].linear, start.angular_velocity[i] = this->before_[i].angular;
  find_touching(in, start);
  this->ask(in, start, touching_);
  this->guess_ = this->memory_.joint_guess;
  for (double& g : this->guess_) g *= in.h;
  const ContactProblem problem =
      this->builder_.build({in.bodies, state, this->before_, this->free_, touching_, in.joints, this->guess_, in.h});
  const bool converged = this->run(problem, this->builder_.guess());
  this->require(in.joints.empty() ? converged : this->aim_at_joints(in, state));
  this->take(in, state);
  this->count_work(in);
  for (SolvedContact<D>& c : this->contacts_.list()) c.impulse.setZero();
  store_impulses();
  for (std::size_t i = 0; i < touching_.size(); ++i) this->contacts_.list()[index_[i]].impulse = touching_[i].impulse;
  this->keep_joint_guess(in.h);
  this->show(in, state, false, touching_);
}

template <int D>
void GaussAccelerations<D>::move(const StepInput<D>& in, State<D>& state) const {
  if (!level_.mean) return GaussPositions<D>::move(in, state);
  for (std::size_t i = 0; i < in.bodies.size(); ++i) {
    if (!in.bodies.dynamic(i)) continue;
    const Vec<D> velocity = state.velocity[i];
    const AngVec<D> momentum =
        apply_moments(frame_of(state.orientation[i]), in.bodies.inertia[i], state.angular_velocity[i]);
    state.velocity[i] = 0.5 * (velocity + this->before_[i].linear);
    state.angular_velocity[i] = 0.5 * (state.angular_velocity[i] + this->before_[i].angular);
    const AngVec<D> turn = free_turn(state.orientation[i], in.bodies.inertia[i], in.bodies.inv_inertia[i],
                                     state.angular_velocity[i], in.h);
    coast_body(in.bodies, i, in.h, turn, state);
    state.velocity[i] = velocity;
    state.angular_velocity[i] = apply_moments(frame_of(state.orientation[i]), in.bodies.inv_inertia[i], momentum);
  }
}

template class GaussPositions<2>;
template class GaussPositions<3>;
template class GaussAccelerations<2>;
template class GaussAccelerations<3>;

}  // namespace touchstone

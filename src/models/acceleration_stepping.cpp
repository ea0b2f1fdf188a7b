// Purpose: a step on the level of accelerations. What closes is stopped by impulses before forces act; then contacts
//   that touch get the forces that keep their normal accelerations from being negative, and friction against the slip
//   at the start of the step.
// Source: [baraff1994] D. Baraff, Fast contact force computation for nonpenetrating rigid bodies, SIGGRAPH 1994;
//   [baraff1991] D. Baraff, Coping with friction for non-penetrating rigid body simulation, SIGGRAPH 1991 (impulses
//   where no forces exist); yang2020 (d̈ = A·f + b); ODE's boxes as in drumwright2009 section 2.2.
// Letters: d gap, f forces; r = h·f. Normals of contacts that touch: d̈ >= −(d + h·ḋ)/h² ⟂ f_N >= 0, where d + h·ḋ is
//   not below 0 any more and at most the slop; joints: C + h·J·(v + h·a) + ½h²·J̇·v = 0.
// Deviations:
//   (1) Baraff goes back to the moment of impact, and has d = ḋ = 0. Here a contact touches where d + h·ḋ <= slop: one
//       that would close within the step is let close to d = 0 by its end, one that opens that slowly may come back.
//       Both are drift, and with d̈ >= 0 alone rounding in ḋ would decide which points of a face bear the load.
//   (2) d̈ of contacts leaves out J̇·v, which needs the features that touch, not only point and normal (a ball that rolls
//       has none, a corner that turns has ω²·r). What it makes, h·J̇·v, is stopped by the impulses of the next step.
//   (3) A contact that sticks, whose slip friction would turn round within the step, or which (in 3D) slides so slowly
//       that friction could turn its direction, has its slip taken to zero at the end of the step within its pyramid:
//       tangents of these are on the level of velocities. So are limits and motors, whose rows look ahead.
//   (4) ODE style (regularisation > 0): all tangents as (3), boxes instead of pyramids, bounds μ·r_N from the normal
//       impulses without friction, responses greater by the regularisation.
//   (5) Joints hold at the end of the step, to second order. J·a + J̇·v = 0 at its start, as printed, leads to
//   velocities
//       that fit the end, with which bodies leave from the start: a four-bar gained a twentieth of its energy in each
//       turn at 1 ms.
//   (6) Drift of contacts and joints is taken back by moving bodies after the step (post-stabilisation), without speed.
// Fails: where friction of sliding contacts leaves no forces (Painlevé), an impulse is given instead, as on the level
// of
//   velocities: the step is fine, and its reason says so. Otherwise as lcp_stepping.cpp.
#include "models/acceleration_stepping.h"

#include <algorithm>
#include <cmath>

#include "contact/contact_frame.h"

namespace touchstone {
namespace {

constexpr int kMostRounds = 12;  // with some contacts that would turn round let stick; then all that slide may
// A contact slides by its direction at the start of the step if it is faster than so many times what friction changes
// its slip by in a step. Below, that direction swings from step to step, the wilder the slower it slides (a body that
// turns on n points is stiffer than each of them by up to n, of which four are common).
constexpr double kStiff = 2;
constexpr const char* kPainleve = "no contact forces exist (Painleve's paradox): an impulse was given instead";
constexpr const char* kNoForces = "no contact forces were found: an impulse was given instead";

template <int D>
Vec<D> velocity_at(const Twist<D>& t, const Vec<D>& arm) {
  return t.linear + cross(t.angular, arm);
}

// How fast an impulse at a contact makes it along `seen`; both have the normal's part first.
double response(const ContactProblem& p, const RowBlock& b, const Eigen::Vector3d& seen,
                const Eigen::Vector3d& impulse) {
  return seen.dot(own_block(p, b) * impulse);
}

}  // namespace

// Contacts that touch at the end of the step with the velocities of before_.
template <int D>
void AccelerationStepping<D>::find_touching(const StepInput<D>& in, const State<D>& state, bool& closes) {
  touching_.clear();
  index_.clear();
  closes = false;
  const std::span<const SolvedContact<D>> list = this->contacts_.list();
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Contact<D>& c = list[i].contact;
    const Vec<D> u = velocity_at<D>(this->before_[c.body_b], c.point - state.position[c.body_b]) -
                     velocity_at<D>(this->before_[c.body_a], c.point - state.position[c.body_a]);
    const double speed = c.normal.dot(u), gap = std::max(0.0, c.gap);
    if (gap + in.h * speed > this->stepping().slop) continue;
    touching_.push_back(list[i]);
    index_.push_back(i);
    touching_.back().restitution = 0;
    // Newton's law with e = d/(h·ḋ) <= 0 leaves ḋ = −d/h: closed at the end of the step.
    if (speed < 0 && gap > 0) touching_.back().restitution = std::max(-1.0, gap / (in.h * speed));
    closes |= gap + in.h * speed < 0;
  }
}

// Impulses for what closes, before forces act: collisions without bounce, and what the last step left to stop.
template <int D>
void AccelerationStepping<D>::settle(const StepInput<D>& in, State<D>& state) {
  read_twists(state, this->before_);
  bool closes = false;
  find_touching(in, state, closes);
  if (!closes) return;
  for (SolvedContact<D>& c : touching_) c.impulse.setZero(), c.return_velocity.setZero();
  this->free_ = this->before_;
  this->require(this->run(
      this->builder_.build({in.bodies, state, this->before_, this->free_, touching_, in.joints, {}, in.h, true}), {}));
  this->take(in, state);
  for (std::size_t i = 0; i < touching_.size(); ++i) {
    touching_[i].impulse = this->builder_.contact_impulse(i, this->solution_.impulses);
    this->totals_[index_[i]] += touching_[i].impulse;
  }
  this->show(in, state, true, touching_);
}

// Of the problem just built; slip is that of the start of the step.
template <int D>
void AccelerationStepping<D>::find_slides() {
  slides_.assign(touching_.size(), Eigen::Vector2d::Zero());
  if (soft()) return;
  const ContactProblem p = this->builder_.problem();
  relative_.resize(p.rows());
  multiply_jacobian(p, p.start_velocity, relative_);
  for (const RowBlock& b : p.blocks) {
    if (b.kind != BlockKind::kContact || !(p.contacts[b.contact].dynamic_friction > 0)) continue;
    Eigen::Vector2d u = Eigen::Vector2d::Zero();
    for (std::uint32_t i = 1; i < b.rows; ++i) u[i - 1] = relative_[b.first_row + i] + p.surface[b.first_row + i];
    if (u.norm() > this->stepping().slip_speed) slides_[b.contact] = u.normalized();
  }
}

// Contacts that slide, but the other way at the end: they come to rest within the step. So slow ones, too, that
// friction against the slip of the start could throw about from step to step. True if there were any.
template <int D>
bool AccelerationStepping<D>::stop_reversed(const ContactProblem& p) {
  multiply_jacobian(p, this->solution_.velocities, relative_);
  bool any = false;
  for (const RowBlock& b : p.blocks) {
    if (b.kind != BlockKind::kContact || slides_[b.contact].isZero(0)) continue;
    const Eigen::Vector2d slide = slides_[b.contact];
    const Eigen::Vector3d tangent(0, slide.x(), slide.y());
    double along = 0;
    for (std::uint32_t i = 1; i < b.rows; ++i)
      along += slide[i - 1] * (relative_[b.first_row + i] + p.surface[b.first_row + i]);
    const double load = std::max(0.0, this->solution_.impulses[b.first_row]);
    const double turns = p.contacts[b.contact].dynamic_friction * load * response(p, b, tangent, tangent);
    if (along >= (D == 3 ? kStiff * turns : 0.0)) continue;
    slides_[b.contact].setZero();
    any = true;
  }
  return any;
}

template <int D>
bool AccelerationStepping<D>::solve_forces(const ContactProblem& p) {
  if (soft()) {
    solve(p, this->builder_.guess(), this->solution_);
    this->report_.iterations += this->solution_.iterations;
    return this->solution_.status == SolveStatus::kConverged;
  }
  for (int round = 0;; ++round) {
    if (round >= kMostRounds) slides_.assign(slides_.size(), Eigen::Vector2d::Zero());
    this->lemke_.solve(p, this->pyramids_, this->builder_.guess(), this->solution_, slides_);
    this->report_.iterations += this->solution_.iterations;
    if (this->solution_.status != SolveStatus::kConverged) return false;
    if (!stop_reversed(p)) return true;
  }
}

// Whether a contact that slides accelerates into the other body the more, the harder it is pressed.
template <int D>
bool AccelerationStepping<D>::contradicts(const ContactProblem& p) const {
  for (const RowBlock& b : p.blocks) {
    if (b.kind != BlockKind::kContact || slides_[b.contact].isZero(0)) continue;
    const Eigen::Vector2d friction = -p.contacts[b.contact].dynamic_friction * slides_[b.contact];
    if (response(p, b, Eigen::Vector3d::UnitX(), {1, friction.x(), friction.y()}) <= 0) return true;
  }
  return false;
}

// On the level of velocities there is always an answer.
template <int D>
void AccelerationStepping<D>::give_impulse(const StepInput<D>& in, const State<D>& state) {
  this->report_.reason = contradicts(this->builder_.problem()) ? kPainleve : kNoForces;
  const ContactProblem problem =
      this->builder_.build({in.bodies, state, this->before_, this->free_, touching_, in.joints, this->guess_, in.h});
  this->require(this->run(problem, this->builder_.guess()));
}

template <int D>
void AccelerationStepping<D>::rest(const StepInput<D>& in, State<D>& state) {
  const std::span<SolvedContact<D>> list = this->contacts_.list();
  bool closes = false;
  find_touching(in, state, closes);
  for (SolvedContact<D>& c : touching_) c.restitution = 0;
  this->guess_ = this->memory_.joint_guess;
  for (double& g : this->guess_) g *= in.h;
  this->builder_.build({in.bodies, state, this->before_, this->free_, touching_, in.joints, this->guess_, in.h});
  find_slides();
  if (!solve_forces(this->builder_.problem())) {
    if (soft())
      this->require(false);
    else
      give_impulse(in, state);
  }
  this->take(in, state);
  this->count_work(in);
  for (SolvedContact<D>& c : list) c.impulse.setZero();
  for (std::size_t i = 0; i < touching_.size(); ++i) {
    touching_[i].impulse = this->builder_.contact_impulse(i, this->solution_.impulses);
    list[index_[i]].impulse = touching_[i].impulse;
    this->totals_[index_[i]] += touching_[i].impulse;
  }
  this->keep_joint_guess(in.h);
  this->show(in, state, false, touching_);
}

// One Newton step on gaps and on the joints' errors, in positions only: C + J·Δx = 0, least in the masses' norm.
template <int D>
void AccelerationStepping<D>::push_apart(const StepInput<D>& in, State<D>& state) {
  touching_.assign(this->contacts_.list().begin(), this->contacts_.list().end());
  double deepest = 0;
  for (SolvedContact<D>& c : touching_) {
    Contact<D>& at = c.contact;
    at.gap +=
        in.h * at.normal.dot(state.point_velocity(at.body_b, at.point) - state.point_velocity(at.body_a, at.point));
    deepest = std::max(deepest, -at.gap);
    c.material.static_friction = c.material.dynamic_friction = 0;
    c.restitution = 0;
    c.surface_velocity.setZero();
    c.return_velocity.setZero();
    c.impulse.setZero();
  }
  this->report_.max_penetration = deepest;
  const double slop = this->stepping().slop;
  if (deepest <= slop && in.joints.empty()) return;
  this->after_.assign(in.bodies.size(), Twist<D>{});
  const ContactProblem problem = this->builder_.build({in.bodies,
                                                       state,
                                                       this->after_,
                                                       this->after_,
                                                       touching_,
                                                       in.joints,
                                                       {},
                                                       in.h,
                                                       false,
                                                       deepest > slop ? this->kPushPart : 0.0,
                                                       this->stepping().push_speed,
                                                       false});
  const double wanted = std::min(0.1 * slop, this->stepping().joint_tolerance);
  this->solve_shift(problem, wanted / in.h, this->shift_);
  this->report_.iterations += this->shift_.iterations;
  this->builder_.read_velocities(this->shift_.velocities, this->after_);
  this->move_by_shift(in, state);
}

template <int D>
void AccelerationStepping<D>::solve(const ContactProblem& problem, std::span<const double> guess,
                                    ContactSolution& out) {
  if (!soft()) return LcpStepping<D>::solve(problem, guess, out);
  dantzig_.solve(problem, boxes_, out);
  if (out.status == SolveStatus::kConverged) return;
  const SolveStatus status = out.status;
  const char* reason = out.reason;
  this->sweeps_.solve(problem, {this->pyramids_.tolerance, 1000, true}, guess, out);
  out.status = status;
  out.reason = reason;
}

template class AccelerationStepping<2>;
template class AccelerationStepping<3>;

}  // namespace touchstone

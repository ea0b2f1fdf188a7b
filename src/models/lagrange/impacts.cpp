// Purpose: collisions at one instant, with the joints of the bodies.
// Source: [thompson2003, eqs. 16-24, 47-54]; laws of restitution: contact/impact_law.h.
// Letters: docs/conventions.md.
// Deviations: all closed contacts and joints are solved together, with friction. The paper takes one pair at a time,
//   without friction: contact/solvers/bordered_impact.h, the option `impacts`.
// Fails: as these solvers; the step is then reported as not converged.
#include <algorithm>
#include <array>
#include <cmath>

#include "models/lagrange/closing_speed.h"
#include "models/lagrange/lagrange_stepping.h"

namespace touchstone {
namespace {

constexpr double kJerk = 1000;  // times what counts as rounding: projection leaves less

}  // namespace

// Whether a closed contact or a limit of a joint approaches, or a joint moves as it may not (at a jerk of a prescribed
// body), so fast that it is no rounding.
template <int D>
bool Lagrange<D>::approaches(const StepInput<D>& in, const State<D>& state) {
  const double slow = std::max(10 * options_.tolerance, 1e-11 * fastest(state));
  for (const SolvedContact<D>& c : this->impacts_)
    if (closing_speed(state, c.contact) > slow) return true;
  std::array<JointRow<D>, kMaxJointRows<D>> rows;
  for (const Joint<D>& joint : in.joints) {
    const BodyMotion<D> a = motion_of_body(state, joint.body_a), b = motion_of_body(state, joint.body_b);
    const int count = joint_rows<D>(joint, a, b, rows);
    for (int i = 0; i < count; ++i) {
      const JointRow<D>& row = rows[static_cast<std::size_t>(i)];
      const bool limit = row.kind == RowKind::kLower || row.kind == RowKind::kUpper;
      if (limit && row.error <= options_.stage.touching && row_rate(row, a, b) < -slow) return true;
      if (row.kind == RowKind::kEquality && std::abs(row_rate(row, a, b)) > kJerk * slow) return true;
    }
  }
  return false;
}

template <int D>
bool Lagrange<D>::solve_impact(const ContactProblem& problem, double slow) {
  const RestitutionLaw law = this->stepping().law;
  if (options_.pairwise) {
    pair_solver_.solve(problem, {std::max(options_.tolerance, slow)}, this->solution_);
    this->report_.iterations += this->solution_.iterations;
    return this->solution_.status == SolveStatus::kConverged;
  }
  if (law == RestitutionLaw::kNewton) return this->run(problem, {});
  const auto compress = [this](const ContactProblem& p, std::span<const double> guess, ContactSolution& out) {
    solve(p, guess, out);
  };
  this->impact_law_.resolve(problem, {law, 0.0, options_.tolerance, true}, compress, this->solution_);
  this->report_.iterations += this->solution_.iterations;
  return this->solution_.status == SolveStatus::kConverged;
}

template <int D>
void Lagrange<D>::collide(const StepInput<D>& in, State<D>& state) {
  const double threshold = bounce_speed(in);
  this->impacts_.clear();
  for (const SolvedContact<D>& found : this->contacts_.list()) {
    if (found.contact.gap > options_.stage.touching) continue;
    SolvedContact<D>& c = this->impacts_.emplace_back(found);
    c.restitution = closing_speed(state, c.contact) > threshold ? c.material.restitution : 0.0;
    c.impulse.setZero(), c.return_velocity.setZero();
    c.contact.gap = std::min(c.contact.gap, 0.0);
  }
  if (!approaches(in, state)) return;
  read_twists(state, this->before_);
  this->free_ = this->before_;
  this->require(solve_impact(
      this->builder_.build({in.bodies, state, this->before_, this->free_, this->impacts_, in.joints, {}, in.h, true}),
      1e-11 * fastest(state)));
  this->report_.impact_gain += std::max(0.0, this->take(in, state));
  this->tally_.begin();
  for (std::size_t i = 0; i < this->impacts_.size(); ++i) {
    SolvedContact<D>& c = this->impacts_[i];
    c.impulse = this->builder_.contact_impulse(i, this->solution_.impulses);
    if (c.impulse.isZero(0)) continue;
    ++this->report_.collisions;
    StepContact<D>& out = this->tally_.at(c.contact);
    out.impulse += c.impulse;
    out.relative_velocity = state.point_velocity(c.contact.body_b, c.contact.point) -
                            state.point_velocity(c.contact.body_a, c.contact.point) + c.surface_velocity;
    out.sticking = false;
  }
  this->tally_.end();
  this->show(in, state, true, this->impacts_);
}

template bool Lagrange<2>::approaches(const StepInput<2>&, const State<2>&);
template bool Lagrange<2>::solve_impact(const ContactProblem&, double);
template void Lagrange<2>::collide(const StepInput<2>&, State<2>&);
template bool Lagrange<3>::approaches(const StepInput<3>&, const State<3>&);
template bool Lagrange<3>::solve_impact(const ContactProblem&, double);
template void Lagrange<3>::collide(const StepInput<3>&, State<3>&);

}  // namespace touchstone

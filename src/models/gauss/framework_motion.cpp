// Purpose: the loops of figures 6 and 7 on a framework of points and bars.
// Source: [rote2012 §3 (3.1), §5, §7].
// Letters: p, v positions and velocities of points, Δt = dt.
// Deviations:
//   (1) The conditions of (S2⁺) are equations; here a vertex is on its side within `touching`, and collides, by (Q*),
//   if
//       it then approaches. One that separates takes no part.
//   (2) By accelerations, lengths are those of (3.1): they drift, as the paper says. Step (d) of figure 3 is not taken.
// Fails: a program without an answer leaves points where they are; the step's answer says so.
#include "models/gauss/framework_motion.h"

#include <algorithm>

#include "models/gauss/critical_edge.h"
#include "models/gauss/gauss_program.h"

namespace touchstone {

FrameworkMotion::FrameworkMotion(Framework<2> framework, const MotionOptions& options)
    : framework_(std::move(framework)), options_(options), program_(options.bars), p_(framework_.start), last_(p_) {
  v_.assign(p_.size(), Vec<2>::Zero());
}

void FrameworkMotion::set_velocities(std::span<const Vec<2>> v) {
  v_.assign(v.begin(), v.end());
  for (std::size_t i = 0; i < p_.size(); ++i) last_[i] = p_[i] - options_.dt * v_[i];
}

QpAnswer FrameworkMotion::solve(const QuadraticProgram& program) {
  const QpAnswer answer = solver_.solve(program, {options_.tolerance, QpOptions{}.max_iterations, options_.stop});
  const bool useful = answer.status == QpStatus::kOptimal || answer.status == QpStatus::kInaccurate;
  if (useful)
    program_.read(framework_, solver_.x(), x_);
  else
    x_.assign(p_.size(), Vec<2>::Zero());
  return answer;
}

QpAnswer FrameworkMotion::step() {
  return options_.form == MotionForm::kPositions ? step_positions() : step_accelerations();
}

QpAnswer FrameworkMotion::step_positions() {
  critical_sides(framework_, p_, options_.margin, sides_);
  const FrameworkProgram<2>::PositionStep step{options_.dt, options_.g, options_.lengths, SideForm::kCorrected,
                                               options_.recovery};
  const QpAnswer answer = solve(program_.positions(framework_, p_, last_, step, sides_));
  for (std::size_t i = 0; i < p_.size(); ++i) {
    if (framework_.mass[i] == 0) continue;
    const Vec<2> next = p_[i] + (p_[i] - last_[i]) + x_[i];
    last_[i] = p_[i];
    p_[i] = next;
    v_[i] = (p_[i] - last_[i]) / options_.dt;
  }
  return answer;
}

// Vertices that are on their sides and do not leave them. Those whose distance does not change at all are left as
// constraints of (Q); before that, those that approach are stopped by (Q*).
void FrameworkMotion::find_touching() {
  critical_sides(framework_, p_, options_.touching, sides_);
  std::erase_if(sides_, [&](const Sidedness<2>& s) {
    const SideFrame<2> frame = side_frame<2>(s, p_);
    const Vec<2> u = v_[s[2]] - frame.weight[0] * v_[s[0]] - frame.weight[1] * v_[s[1]];
    return u.dot(frame.normal) > options_.touching / options_.dt * frame.normal.norm();
  });
}

QpAnswer FrameworkMotion::step_accelerations() {
  constexpr double kStill = 1e-12;  // [m/s]: slower is rounding
  find_touching();
  QpAnswer worst;
  const bool collides = std::any_of(sides_.begin(), sides_.end(), [&](const Sidedness<2>& s) {
    const SideFrame<2> frame = side_frame<2>(s, p_);
    const Vec<2> u = v_[s[2]] - frame.weight[0] * v_[s[0]] - frame.weight[1] * v_[s[1]];
    return u.dot(frame.normal) < -kStill * frame.normal.norm();
  });
  if (collides) {
    worst = solve(program_.velocities(framework_, p_, v_, sides_));
    for (std::size_t i = 0; i < v_.size(); ++i) v_[i] += x_[i];
    find_touching();
  }
  const QpAnswer answer = solve(program_.accelerations(framework_, p_, v_, options_.g, sides_));
  const double dt = options_.dt;
  for (std::size_t i = 0; i < p_.size(); ++i) {
    const Vec<2> v = v_[i] + dt * x_[i];
    p_[i] += dt * (options_.form == MotionForm::kMeanAccelerations ? Vec<2>(0.5 * (v_[i] + v)) : v);
    v_[i] = v;
  }
  return worst_of(answer) >= worst_of(worst) || answer.status != QpStatus::kOptimal ? answer : worst;
}

const std::vector<Vec<2>>& FrameworkMotion::accelerate(QpAnswer& answer) {
  find_touching();
  answer = solve(program_.accelerations(framework_, p_, v_, options_.g, sides_));
  return x_;
}

double FrameworkMotion::energy() const {
  double sum = 0;
  for (std::size_t i = 0; i < p_.size(); ++i)
    sum += framework_.mass[i] * (0.5 * v_[i].squaredNorm() - options_.g.dot(p_[i]));
  return sum;
}

}  // namespace touchstone

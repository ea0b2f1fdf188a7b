// Purpose: the logarithmic barrier method: minima of f + w·φ for a falling weight w, each found by damped Newton steps
//   from the one before. Points never leave the bounds.
// Source: [boyd2004] S. Boyd, L. Vandenberghe, Convex Optimization, §§9.5, 11.3; drumwright2009 §3.2, whose 1/t is w
// here.
// Letters: f, φ as in barrier.h; w weight; λ² = gᵀH⁻¹g, the Newton decrement of f + w·φ.
// Deviations:
//   (1) Close to a minimum, where λ² <= kQuadratic·w, whole Newton steps are taken without a line search.
//   (2) A Hessian that rounding (or a problem that is not convex) leaves without a Cholesky factor gets a multiple of
//       its diagonal added, ten times as much until it has one.
//   (3) Minima before the last are only found to λ² <= kCentred·w: they are on the way, not the answer.
//   (4) Whole steps that no longer halve λ² have met rounding, and end there: λ² <= kQuadratic·w is within the gap.
// Fails: kNotInside and kNotFinite for such points and numbers; kUnbounded where f falls without end; kStalled where no
//   step lowers f + w·φ any more though λ² asks for one, which is rounding, or kMostSteps do not reach the minimum;
//   kIterationLimit. x is the last point inside.
#include "math/optim/barrier.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/optim/brent.h"

namespace touchstone {
namespace {

constexpr double kQuadratic = 0.02;  // λ²/w: within Newton's quadratic convergence for self-concordant functions
constexpr double kCentred = 1e-2, kFinal = 1e-8;
constexpr double kBack = 0.99;      // of the way to the bounds, at most
constexpr double kFarthest = 1e12;  // Newton steps long: a minimum that far along a line is none
constexpr double kLineTolerance = 1e-3;
constexpr int kLineEvaluations = 30;
constexpr int kMostShifts = 16;
constexpr int kMostSteps = 60;  // at one weight; more than 40 are never needed but where rounding turns them aside

}  // namespace

const char* reason_of(BarrierStatus status) {
  switch (status) {
    case BarrierStatus::kOptimal:
      return "optimal";
    case BarrierStatus::kIterationLimit:
      return "the Newton steps allowed were used up";
    case BarrierStatus::kStalled:
      return "rounding stopped Newton's method short of the gap";
    case BarrierStatus::kNotInside:
      return "the first point is not strictly within the bounds";
    case BarrierStatus::kNotFinite:
      return "a number is not finite";
    case BarrierStatus::kUnbounded:
      return "the function falls without end";
  }
  return "unknown";
}

bool BarrierMinimiser::factor() {
  stop_.check();
  factors_.compute(hessian_);
  if (factors_.info() == Eigen::Success) return true;
  const double greatest = hessian_.diagonal().cwiseAbs().maxCoeff();
  double shift = 1e-14;
  for (int k = 0; k < kMostShifts; ++k, shift *= 10) {
    stop_.check();  // thousands of variables take seconds each time
    shifted_ = hessian_;
    shifted_.diagonal().array() += shift * greatest;
    factors_.compute(shifted_);
    if (factors_.info() == Eigen::Success) return true;
  }
  return false;
}

BarrierMinimiser::Step BarrierMinimiser::newton_step(BarrierProblem& problem, double weight, double enough,
                                                     Eigen::VectorXd& x) {
  problem.derivatives(x, weight, gradient_, hessian_);
  if (!gradient_.allFinite() || !hessian_.diagonal().allFinite() || !factor()) return Step::kNotFinite;
  direction_ = -gradient_;
  factors_.solveInPlace(direction_);
  const double decrement = -gradient_.dot(direction_);
  if (!std::isfinite(decrement)) return Step::kNotFinite;
  const bool quadratic = decrement <= kQuadratic * weight;
  if (decrement <= enough * weight || (quadratic && decrement > 0.5 * last_decrement_)) return Step::kDone;
  last_decrement_ = decrement;
  const double leaves = problem.begin_line(x, direction_);
  double alpha = 1;
  if (!quadratic || !(leaves > 1)) {
    double end = std::min(kBack * leaves, 4.0);
    // Convex functions that still fall at the end of a long line have their minimum behind it.
    while (end < kBack * leaves && end < kFarthest && problem.along(end, weight) < problem.along(0.5 * end, weight))
      end = std::min(kBack * leaves, 4 * end);
    if (end >= kFarthest) return Step::kUnbounded;
    const auto value = [&](double a) { return problem.along(a, weight); };
    const LineMinimum m = minimise_brent(value, 0, end, std::min(1.0, 0.5 * end), kLineTolerance, kLineEvaluations);
    if (!(m.value < 0)) return Step::kStuck;
    alpha = m.x;
  }
  trial_ = x + alpha * direction_;
  if (!problem.inside(trial_)) return Step::kStuck;
  x = trial_;
  return Step::kMoved;
}

BarrierResult BarrierMinimiser::minimise(BarrierProblem& problem, const BarrierOptions& options, Eigen::VectorXd& x) {
  BarrierResult out;
  const double degree = std::max(1.0, problem.degree());
  const double last = options.gap / degree;
  double weight = std::max(options.first_weight, last);
  stop_ = options.stop;
  out.gap = std::numeric_limits<double>::infinity();
  const auto ends = [&](BarrierStatus status) {
    out.status = status;
    return out;
  };
  if (x.size() != problem.variables() || !x.allFinite()) return ends(BarrierStatus::kNotFinite);
  if (!problem.inside(x)) return ends(BarrierStatus::kNotInside);
  while (true) {
    const double enough = weight > last ? kCentred : kFinal;
    Step step = Step::kMoved;
    last_decrement_ = std::numeric_limits<double>::infinity();
    for (int k = 0; step == Step::kMoved; ++k) {
      if (out.iterations >= options.max_iterations) return ends(BarrierStatus::kIterationLimit);
      options.stop.check();
      ++out.iterations;
      step = newton_step(problem, weight, enough, x);
      if (step == Step::kMoved && k == kMostSteps) step = Step::kStuck;
    }
    if (step == Step::kNotFinite) return ends(BarrierStatus::kNotFinite);
    if (step == Step::kUnbounded) return ends(BarrierStatus::kUnbounded);
    if (step == Step::kDone) out.gap = degree * weight;
    if (weight <= last) return ends(step == Step::kDone ? BarrierStatus::kOptimal : BarrierStatus::kStalled);
    weight = std::max(last, options.shrink * weight);
  }
}

}  // namespace touchstone

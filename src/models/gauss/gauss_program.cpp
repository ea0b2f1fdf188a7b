// Purpose: impulses and velocities of a contact problem from one quadratic program with a certificate.
// Source: [rote2012 §3 and §8.2]; the program is problem_as_qp.cpp.
// Letters: docs/conventions.md.
// Deviations:
//   (1) Velocities are v_free + M⁻¹·Jᵀ·r with the multipliers r, not the program's own x: momentum is then exact, and
//       what the tolerance leaves is in the constraints.
// Fails: where constraints contradict each other (a body between walls that close) the program has no solution. The
//   impulses are then those of sweeps without friction, and the status says that they keep to nothing.
#include "models/gauss/gauss_program.h"

#include <algorithm>

namespace touchstone {

double worst_of(const QpAnswer& a) { return std::max({a.primal_residual, a.dual_residual, a.gap}); }

const char* fault_of(const QpAnswer& answer, double tolerance) {
  switch (answer.status) {
    case QpStatus::kOptimal:
      return nullptr;
    case QpStatus::kInfeasible:
      return "contacts and joints contradict each other: a ray proves that no velocities keep them all";
    case QpStatus::kIterationLimit:
      return "the iterations of the quadratic program are used up";
    case QpStatus::kUnbounded:
    case QpStatus::kNotFinite:
      return "the quadratic program makes no sense: a mass or a velocity is out of range";
    case QpStatus::kInaccurate:
      break;
  }
  return answer.good(tolerance) ? nullptr : "the quadratic program misses its tolerance, and rounding ended the search";
}

void velocities_of(const ContactProblem& problem, std::vector<double>& momentum, ContactSolution& out) {
  momentum.assign(problem.velocities(), 0.0);
  add_momentum(problem, out.impulses, momentum);
  out.velocities.resize(momentum.size());
  solve_mass(problem, momentum, out.velocities);
  for (std::size_t i = 0; i < momentum.size(); ++i) out.velocities[i] += problem.free_velocity[i];
}

void GaussProgram::take(const ContactProblem& problem, ContactSolution& out) {
  out.impulses.resize(problem.rows());
  reform_.read_impulses(problem, solver_.multipliers(), out.impulses);
  velocities_of(problem, momentum_, out);
}

void GaussProgram::give_up(const ContactProblem& problem, const char* reason, ContactSolution& out) {
  ContactProblem smooth = problem;
  laws_.assign(problem.contacts.begin(), problem.contacts.end());
  for (ContactLaw& law : laws_) law.static_friction = law.dynamic_friction = 0;
  smooth.contacts = laws_;
  sweeps_.solve(smooth, {}, {}, out);
  out.status = SolveStatus::kStalled;
  out.reason = reason;
}

void GaussProgram::solve(const ContactProblem& problem, const GaussProgramOptions& options,
                         std::span<const double> guess, ContactSolution& out) {
  out.status = SolveStatus::kConverged, out.reason = "";
  out.iterations = 0, out.residual = 0;
  const QuadraticProgram& program = reform_.build(problem, options.facets);
  const QpOptions qp{options.tolerance, options.max_iterations, problem.stop};
  const std::span<const std::int8_t> active =
      guess.empty() ? std::span<const std::int8_t>() : reform_.guess(problem, guess);
  solver_.forget();  // a world that goes on from a snapshot has no more than the guess
  const QpAnswer answer = active.empty() ? solver_.solve(program, qp) : solver_.solve(program, qp, active);
  out.residual = worst_of(answer);
  const char* fault = fault_of(answer, options.tolerance);
  if (fault && answer.status != QpStatus::kInaccurate && answer.status != QpStatus::kIterationLimit)
    give_up(problem, fault, out);
  else
    take(problem, out);
  if (fault) out.status = SolveStatus::kStalled, out.reason = fault;
  out.iterations += answer.iterations;
}

}  // namespace touchstone

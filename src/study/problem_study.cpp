#include "study/problem_study.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "base/text.h"
#include "contact/problem_yardstick.h"
#include "contact/solvers/registry.h"
#include "contact/solvers/solve_checks.h"
#include "touchstone/error.h"

namespace touchstone {
namespace {

const SolverInfo& solver_named(const std::string& name) {
  if (const SolverInfo* found = find_contact_solver(name)) return *found;
  std::vector<std::string> names;
  for (const SolverInfo& info : contact_solvers()) names.emplace_back(info.name);
  throw Error(ErrorKind::kBadInput, fmt::format("there is no solver '{}'{}; there are {}", name,
                                                did_you_mean(name, names), fmt::join(names, ", ")));
}

bool all_finite(const StepMeasures& m) {
  for (const MeasureInfo& info : measure_infos())
    if (!std::isfinite((m.*info.value).worst) || !std::isfinite((m.*info.value).mean)) return false;
  return true;
}

void solve_timed(const ContactProblem& problem, const ProblemFile& file, const ProblemRequest& request,
                 const SolverInfo& info, ProblemResult& out) {
  if (!std::isfinite(out.reference)) {
    answer_nothing(problem, SolveStatus::kBadInput, "squares of free velocities are not finite", out.solution);
    return;
  }
  const std::unique_ptr<ContactSolver> solver = info.make();
  const auto begin = std::chrono::steady_clock::now();
  solver->solve(problem, {request.tolerance * out.reference, request.max_iterations},
                request.use_guess ? std::span<const double>(file.guess) : std::span<const double>(), out.solution);
  out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

std::string status_in_words(const ProblemResult& r) {
  const ContactSolution& s = r.solution;
  const std::string reason = *s.reason ? fmt::format(": {}", s.reason) : "";
  if (!r.finite) return "not converged (not finite)" + reason;
  if (r.solved) return s.status == SolveStatus::kConverged ? "converged" + reason : "converged";
  if (s.status != SolveStatus::kConverged) return fmt::format("not converged ({}){}", status_text(s.status), reason);
  if (r.law != kCoulombLaw)
    return fmt::format("converged under its own law ({}), natural map {:.3g} by Coulomb's law", r.law,
                       r.measures.natural_map.worst);
  return "not converged (the solver reports convergence, but the yardstick measures a defect above the tolerance)";
}

}  // namespace

void check_tolerance(double tolerance) {
  if (!(tolerance > 0) || !std::isfinite(tolerance))
    throw Error(ErrorKind::kBadInput, fmt::format("the tolerance is {}; it must be positive and finite", tolerance));
}

ProblemResult solve_problem(const ProblemFile& file, const ProblemRequest& request) {
  const SolverInfo& info = solver_named(request.solver);
  check_tolerance(request.tolerance);
  const ContactProblem problem = file.data.view();
  ProblemResult out;
  out.reference = reference_speed(problem, file.gravity);
  solve_timed(problem, file, request, info, out);
  out.measures = judge_problem(problem, out.solution.impulses, out.solution.velocities, file.gravity);
  // A hair more than asked for: solvers sum in another order than the yardstick.
  const double most = (1 + 1e-6) * request.tolerance;
  out.finite = all_finite(out.measures);
  out.solved =
      out.finite && out.measures.natural_map.worst <= most && out.measures.joint_velocity.worst <= most * out.reference;
  if (!out.finite && !*out.solution.reason)
    out.solution.reason = "numbers of the problem or of its answer are too large or too small to be squared";
  out.law = info.law;
  out.status = status_in_words(out);
  return out;
}

}  // namespace touchstone

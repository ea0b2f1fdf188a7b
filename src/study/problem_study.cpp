#include "study/problem_study.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "base/text.h"
#include "contact/problem_yardstick.h"
#include "contact/solvers/registry.h"
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

}  // namespace

ProblemResult solve_problem(const ProblemFile& file, const ProblemRequest& request) {
  const SolverInfo& info = solver_named(request.solver);
  if (!(request.tolerance > 0) || !std::isfinite(request.tolerance))
    throw Error(ErrorKind::kBadInput, fmt::format("the tolerance is {}; it must be positive", request.tolerance));
  const ContactProblem problem = file.data.view();
  ProblemResult out;
  out.reference = reference_speed(problem, file.gravity);
  const std::unique_ptr<ContactSolver> solver = info.make();
  const auto begin = std::chrono::steady_clock::now();
  solver->solve(problem, {request.tolerance * out.reference, request.max_iterations},
                request.use_guess ? std::span<const double>(file.guess) : std::span<const double>(), out.solution);
  out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  out.measures = judge_problem(problem, out.solution.impulses, out.solution.velocities, file.gravity);
  // A hair more than asked for: solvers sum in another order than the yardstick.
  const double most = (1 + 1e-6) * request.tolerance;
  out.solved = out.measures.natural_map.worst <= most && out.measures.joint_velocity.worst <= most * out.reference;
  // A solver cannot do anything about a contact that no impulse moves, and leaves it out.
  const char* reason = out.solution.status == SolveStatus::kConverged
                           ? "contacts are left whose own block of W is zero or negative: no impulse moves them apart"
                           : status_text(out.solution.status);
  out.status = out.solved ? "converged" : fmt::format("not converged ({})", reason);
  return out;
}

}  // namespace touchstone

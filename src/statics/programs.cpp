#include "statics/programs.h"

#include <fmt/format.h>

namespace touchstone::statics {
namespace {

void take_exact(ExactAnswer&& answer, Solved& out) {
  const auto known = [&](LpStatus status) { out.status = status, out.exact = true; };
  switch (answer.status) {
    case ExactStatus::kOptimal:
      known(LpStatus::kOptimal);
      out.exact_objective = answer.objective, out.objective = rounded(answer.objective);
      out.x = exact_values(std::move(answer.x)), out.multipliers = exact_values(std::move(answer.multipliers));
      break;
    case ExactStatus::kInfeasible:
      known(LpStatus::kInfeasible);
      out.ray = exact_values(std::move(answer.ray));
      break;
    case ExactStatus::kUnbounded:
      known(LpStatus::kUnbounded);
      out.x = exact_values(std::move(answer.x)), out.ray = exact_values(std::move(answer.ray));
      break;
    case ExactStatus::kUnproven:
    case ExactStatus::kStopped:
      break;
  }
}

}  // namespace

Values exact_values(std::vector<Rational> values) {
  Values out;
  out.rounded.resize(static_cast<Eigen::Index>(values.size()));
  for (std::size_t i = 0; i < values.size(); ++i) out.rounded[static_cast<Eigen::Index>(i)] = rounded(values[i]);
  out.exact = std::move(values);
  return out;
}

std::string value_text(const Values& values, Eigen::Index i) {
  return values.exact.empty() ? fmt::format("{:.6g}", values.rounded[i])
                              : text_of(values.exact[static_cast<std::size_t>(i)]);
}

LpAnswer ProgramSolver::solve_rounded(const LinearProgram& program) {
  LpOptions options;
  options.stop = settings_.stop;
  LpAnswer answer = solver_.solve(program, options);
  settings_.stop.check();
  return answer;
}

Solved ProgramSolver::solve(const ExactProgram& program) {
  const LpAnswer answer = solve_rounded(rounded_program(program));
  Solved out;
  out.status = answer.status, out.objective = answer.objective;
  out.x.rounded = answer.x, out.multipliers.rounded = answer.multipliers, out.ray.rounded = answer.ray;
  if (!settings_.exact) return out;
  take_exact(solve_exactly(program, answer, {settings_.max_pivots, settings_.stop}), out);
  settings_.stop.check();
  return out;
}

}  // namespace touchstone::statics

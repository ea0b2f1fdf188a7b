#include "study/lcp_study.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "math/optim/lemke.h"
#include "touchstone/error.h"

namespace touchstone {
namespace {

std::string reason_of(LcpStatus status) {
  switch (status) {
    case LcpStatus::kRay:
      return "ended on a ray: Lemke's method found no solution, and there may be none";
    case LcpStatus::kSolved:
      return "Lemke's method reports a solution, but its residual is above the tolerance";
    default:
      return text_of(status);
  }
}

}  // namespace

LcpResult solve_lcp(const LcpProblem& problem, const ProblemRequest& request) {
  if (request.solver != "lemke")
    throw Error(ErrorKind::kBadInput,
                fmt::format("a linear complementarity problem has no contacts, which the solver '{}' needs; --solver "
                            "lemke solves it",
                            request.solver));
  check_tolerance(request.tolerance);
  LcpResult out;
  if (problem.q.size() > 0 && problem.q.cwiseAbs().maxCoeff() > 0) out.reference = problem.q.cwiseAbs().maxCoeff();
  LemkeOptions options;
  options.max_pivots = request.max_iterations;
  Lemke lemke;
  Eigen::VectorXd z = Eigen::VectorXd::Zero(problem.q.size());
  const auto begin = std::chrono::steady_clock::now();
  const LcpAnswer answer = lemke.solve(problem.m, problem.q, options, z);
  out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (!z.allFinite()) z.setZero();
  out.z.assign(z.data(), z.data() + z.size());
  out.pivots = answer.pivots;
  out.residual = lcp_residual(problem.m, problem.q, z);
  out.solved = std::isfinite(out.residual) && out.residual <= request.tolerance * out.reference;
  out.status = out.solved ? "solved" : fmt::format("not solved: {}", reason_of(answer.status));
  return out;
}

}  // namespace touchstone

// Purpose: a problem of a step under friction pyramids: Newton's method, pivoting, and sweeps where both fail.
// Source: lemke_contact.cpp, pyramid_newton.cpp.
// Letters: docs/conventions.md.
// Deviations:
//   (1) Where neither Newton's method nor pivoting ends, the problem is solved by sweeps over exact cones, and Newton's
//       method goes on from there: the cone's answer is near the pyramid's. Only if that fails too are the sweeps' own
//       impulses taken, and the step is reported as not converged: it did not keep to its laws.
//   (2) So are islands of more rows than `max_rows`, whose dense systems would cost too much (option `max_unknowns`).
// Fails: as (1).
#include "models/lcp_stepping.h"

namespace touchstone {

template <int D>
void LcpStepping<D>::solve(const ContactProblem& problem, std::span<const double> guess, ContactSolution& out) {
  constexpr std::int64_t kMostSweeps = 20000;  // as ncp
  lemke_.solve(problem, pyramids_, guess, out);
  if (out.status == SolveStatus::kConverged) return;
  const SolveStatus status = out.status;
  const char* reason = out.reason;
  std::int64_t iterations = out.iterations;
  sweeps_.solve(problem, {pyramids_.tolerance, kMostSweeps, true}, guess, out);
  iterations += out.iterations;
  LemkeContactOptions again = pyramids_;
  again.max_unknowns = 0;  // no pivoting: it was tried
  lemke_.solve(problem, again, out.impulses, polished_);
  iterations += polished_.iterations;
  if (polished_.status == SolveStatus::kConverged) {
    std::swap(out, polished_);
  } else {
    out.status = status;
    out.reason = reason;
  }
  out.iterations = iterations;
}

template class LcpStepping<2>;
template class LcpStepping<3>;

}  // namespace touchstone

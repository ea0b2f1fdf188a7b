// Purpose: sorts a contact problem into islands for convex_island.cpp, and puts the results together.
// Source: drumwright2009 §3.
// Letters: docs/conventions.md.
// Deviations: those of convex_island.cpp and convex_printed.cpp.
// Fails: kBadInput for coefficients that are negative or not numbers (no impulses); otherwise as the islands do.
#include "contact/solvers/convex_barrier.h"

#include <cmath>

namespace touchstone {

void ConvexBarrier::solve(const ContactProblem& p, const ConvexOptions& options, std::span<const double> guess,
                          ContactSolution& out) {
  out.impulses.assign(p.rows(), 0.0);
  out.status = SolveStatus::kConverged;
  out.reason = "";
  out.iterations = 0;
  out.residual = 0;
  for (const ContactLaw& law : p.contacts)
    if (!(law.static_friction >= 0 && law.dynamic_friction >= 0))
      ConvexIsland::note(SolveStatus::kBadInput, "a coefficient of friction is negative or not a number", out);
  if (out.status == SolveStatus::kConverged) {
    if (guess.size() != p.rows()) guess = {};
    list_.split(p);
    while (islands_.size() < list_.size()) islands_.push_back(std::make_unique<ConvexIsland>());
    for (std::size_t i = 0; i < list_.size(); ++i) islands_[i]->solve(p, list_.blocks(i), options, guess, out);
  }
  momentum_.assign(p.velocities(), 0.0);
  add_momentum(p, out.impulses, momentum_);
  out.velocities.resize(p.velocities());
  solve_mass(p, momentum_, out.velocities);
  for (std::size_t i = 0; i < p.velocities(); ++i) {
    out.velocities[i] += p.free_velocity[i];
    if (!std::isfinite(out.velocities[i])) out.velocities[i] = 0;  // only with kBadInput
  }
}

}  // namespace touchstone

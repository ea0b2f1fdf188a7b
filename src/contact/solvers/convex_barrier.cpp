// Purpose: sorts a contact problem into islands for convex_island.cpp, and puts the results together.
// Source: drumwright2009 §3.
// Letters: docs/conventions.md.
// Deviations: those of convex_island.cpp and convex_printed.cpp.
// Fails: kBadInput for coefficients that are negative or not numbers (no impulses); otherwise as the islands do.
#include "contact/solvers/convex_barrier.h"

#include <algorithm>
#include <cmath>

namespace touchstone {

ConvexIsland& ConvexBarrier::workspace(const ContactProblem& p, std::span<const std::uint32_t> blocks) {
  constexpr std::size_t kMost = 64;  // sizes that are remembered; a scene that has more in turn allocates
  std::uint64_t rows = 0;
  for (const std::uint32_t k : blocks) rows += p.blocks[k].rows;
  const std::uint64_t size = rows << 32 | blocks.size();
  const auto before = [](const Workspace& w, std::uint64_t s) { return w.size < s; };
  auto at = std::lower_bound(workspaces_.begin(), workspaces_.end(), size, before);
  if (at != workspaces_.end() && at->size == size) return *at->island;
  if (workspaces_.size() >= kMost) workspaces_.clear(), at = workspaces_.end();
  return *workspaces_.insert(at, Workspace{size, std::make_unique<ConvexIsland>()})->island;
}

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
    for (std::size_t i = 0; i < list_.size(); ++i)
      workspace(p, list_.blocks(i)).solve(p, list_.blocks(i), options, guess, out);
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

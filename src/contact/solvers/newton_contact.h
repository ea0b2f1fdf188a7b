#pragma once
// The direct solver: exact Coulomb friction by Newton's method on islands that a few sweeps do not finish.
#include <span>
#include <vector>

#include "contact/contact_problem.h"
#include "contact/islands.h"
#include "contact/solvers/contact_solution.h"
#include "contact/solvers/newton_island.h"
#include "contact/solvers/nonsmooth_gauss_seidel.h"

namespace touchstone {

struct NewtonOptions {
  // On the worst natural map of a block [m/s, rad/s]. Below the rounding of a problem's own velocities it is raised to
  // that: 1e-14 of the fastest.
  double tolerance = 1e-10;
  // Sweeps and Newton steps together. When Newton's method has failed, the rest of them are sweeps.
  std::int64_t max_iterations = 20000;
  std::int64_t first_sweeps = 16;  // before Newton's method is tried
};

class NewtonContact {
 public:
  // As NonsmoothGaussSeidel::solve. The reason of a solve that fell back to sweeps says so, converged or not; the
  // better answer of both is given.
  void solve(const ContactProblem& problem, const NewtonOptions& options, std::span<const double> guess,
             ContactSolution& out);
  std::int64_t newton_steps() const { return steps_; }
  bool fell_back() const { return fell_back_; }

 private:
  void sort_into_islands(const ContactProblem& problem);
  // Newton's method on all islands that are not within the tolerance yet.
  void solve_islands(const ContactProblem& problem, const NewtonIslandOptions& options, ContactSolution& out);
  void keep_better(const ContactSolution& candidate, bool converged);
  void refresh(const ContactProblem& problem, ContactSolution& out);

  NonsmoothGaussSeidel sweeps_;
  NewtonIsland island_;
  Islands grouping_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> order_;  // island, block
  std::vector<std::uint32_t> blocks_;
  std::vector<double> guess_, momentum_, best_;
  std::int64_t steps_ = 0;
  double best_residual_ = 0;
  bool best_converged_ = false, fell_back_ = false, too_large_ = false;
};

}  // namespace touchstone

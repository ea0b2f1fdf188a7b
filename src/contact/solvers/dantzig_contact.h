#pragma once
// Contact problems by Dantzig's method: friction as boxes whose bounds follow the normal impulses, all rows of an
// island at once. What ODE does.
#include <span>
#include <vector>

#include "contact/contact_problem.h"
#include "contact/reform/problem_as_lcp.h"
#include "contact/solvers/contact_solution.h"
#include "contact/solvers/island_matrix.h"
#include "math/optim/dantzig.h"

namespace touchstone {

struct DantzigContactOptions {
  double tolerance = 1e-9;  // relative: on velocities and on the bounds of friction; see DantzigOptions
  // Part of each row's own response that is added to it (ODE's CFM, without unit): contacts give way by as much.
  double regularisation = 1e-10;
  int passes = 50;              // over the bounds of friction; 1: bounds from normal impulses without friction, as ODE
  std::int64_t max_pivots = 0;  // of one pass on an island; 0: as Dantzig
  std::size_t max_rows = 900;   // of an island; larger ones are not tried
};

class DantzigContact {
 public:
  // `out` keeps its capacity; its iterations are pivots. Impulses of islands that failed are the best that was found.
  void solve(const ContactProblem& problem, const DantzigContactOptions& options, ContactSolution& out);

 private:
  void solve_island(const ContactProblem& problem, std::span<const std::uint32_t> blocks,
                    const DantzigContactOptions& options, ContactSolution& out);
  void set_bounds(const ContactProblem& problem, std::span<const std::uint32_t> blocks);
  bool loosen(const ContactProblem& problem, std::span<const std::uint32_t> blocks, double slip, bool all);
  void note(SolveStatus status, const char* reason, ContactSolution& out);

  IslandList islands_;
  IslandMatrix matrix_;
  Dantzig dantzig_;
  std::vector<FrictionUse> use_;
  std::vector<double> lower_, upper_, x_, u_, momentum_;
  std::vector<std::int32_t> leader_;
};

}  // namespace touchstone

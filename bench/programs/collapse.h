#pragma once
// The collapse of 5 × 5 bricks [rote2012, figure 11]: the time of its steps, and each step's quadratic program under
// our solver, cold and warm, and under Ipopt.
#include <cstdint>
#include <string>
#include <vector>

namespace touchstone::bench {

struct CollapseRow {
  std::string bodies;  // option of model gauss
  double seconds = 0;  // processor time of all steps
  double worst_certificate = 0;
  std::uint64_t not_converged = 0;
};
CollapseRow run_collapse(const std::string& bodies, std::uint64_t steps);

struct SolverTotals {
  std::string solver;
  double seconds = 0;           // processor time of all programs
  std::int64_t iterations = 0;  // factorisations; 0: not known
  std::size_t solved = 0;
  double worst = 0;  // primal residual, relative to the fastest velocity, or objective above the least, relative
};
struct ProgramTotals {
  std::size_t programs = 0, variables = 0, rows = 0;  // sizes: of the largest
  std::vector<SolverTotals> solvers;                  // ours cold, ours warm, Ipopt if there
};
ProgramTotals run_programs(std::uint64_t steps);

}  // namespace touchstone::bench

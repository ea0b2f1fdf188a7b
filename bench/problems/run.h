#pragma once
// One problem under several solvers, taking turns, each judged by our yardstick and by Siconos' own measure.
#include <string>
#include <vector>

#include "problems/problems.h"

namespace touchstone::bench {

struct SolveOptions {
  double tolerance = 1e-6;  // in Siconos' measure; of our solvers in our natural map as well
  int repeat = 5;           // timed turns, whose median counts
  int max_iterations = 200000;
  std::vector<std::string> solvers{"nsgs"};
};

struct SolverRow {
  std::string solver;       // "siconos" or one of ours
  double milliseconds = 0;  // processor time, median of the turns
  std::int64_t iterations = 0;
  double natural_map = 0;      // the yardstick's: worst contact over the fastest free velocity
  double siconos_measure = 0;  // by Siconos' code
  double given_tolerance = 0;  // what the solver was asked for: of ours the natural map, relative
  bool solved = false;         // siconos_measure within the tolerance, and of ours the natural map too
};

struct ProblemRow {
  std::string name;
  std::size_t contacts = 0;
  std::vector<SolverRow> solvers;  // ours in the order asked for, then Siconos
  const SolverRow& siconos() const { return solvers.back(); }
};

ProblemRow run_problem(const NamedProblem& problem, const SolveOptions& options);

}  // namespace touchstone::bench

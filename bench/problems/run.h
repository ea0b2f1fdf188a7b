#pragma once
// One problem under several solvers, taking turns, each judged by our yardstick and by Siconos' own measure.
#include <string>
#include <vector>

#include "problems/problems.h"

namespace touchstone::bench {

// By what an answer has to be within the tolerance: Siconos' measure (by its own code: ‖r − P_K(r − û)‖ over the
// greatest of ‖q‖, ‖r‖ and ‖u‖), or the yardstick's natural map.
enum class JudgedBy { kSiconos, kNaturalMap };

struct SolveOptions {
  double tolerance = 1e-6;
  JudgedBy judge = JudgedBy::kSiconos;
  int repeat = 5;              // timed turns, whose median counts
  int max_iterations = 10000;  // of Siconos
  std::vector<std::string> solvers{"nsgs"};
};

struct SolverRow {
  std::string solver;       // "siconos" or one of ours
  double milliseconds = 0;  // processor time, median of the turns
  std::int64_t iterations = 0;
  double natural_map = 0;      // the yardstick's: worst contact over the fastest free velocity
  double siconos_measure = 0;  // by Siconos' code
  double given_tolerance = 0;  // what the solver was asked for, in its own measure
  bool solved = false;         // within the tolerance by the judge
};

struct ProblemRow {
  std::string name;
  std::size_t contacts = 0;
  std::vector<SolverRow> solvers;  // ours in the order asked for, then Siconos
  const SolverRow& siconos() const { return solvers.back(); }
};

ProblemRow run_problem(const NamedProblem& problem, const SolveOptions& options);

}  // namespace touchstone::bench

#pragma once
// The results on all problems, and ways to print them.
#include <string>
#include <vector>

#include "problems/run.h"

namespace touchstone::bench {

// Of one solver over the problems that both it and Siconos have solved: a solver that is cut off has no time.
struct Totals {
  std::string solver;
  double milliseconds = 0, siconos_milliseconds = 0;
  double median_ratio = 0;  // of its time to Siconos'
  std::size_t both = 0;     // problems that count
  std::size_t solved = 0, siconos_solved = 0, problems = 0;
};
std::vector<Totals> totals_of(const std::vector<ProblemRow>& rows);

void print_problem_heading();
void print_problem(const ProblemRow& row);
void print_totals(const std::vector<ProblemRow>& rows);
std::string problems_as_json(const std::vector<ProblemRow>& rows);
std::string problems_as_markdown(const std::vector<ProblemRow>& rows);

}  // namespace touchstone::bench

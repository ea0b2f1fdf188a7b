#pragma once
// Linear complementarity problems on their own: solved by pivoting and judged by max |min(z, w)|.
#include <string>
#include <vector>

#include "io/problem/lcp_file.h"
#include "study/problem_study.h"

namespace touchstone {

struct LcpResult {
  std::vector<double> z;    // the answer, or the best that was found; zeros if that is not finite
  std::int64_t pivots = 0;  // of all tries
  double seconds = 0;
  double residual = 0;   // max |min(z, w)|, of M and q as they are in the file
  double reference = 1;  // the greatest entry of q, which the residual is compared with
  bool solved = false;   // whatever Lemke's method says: the residual is within the tolerance
  std::string status;    // in words, with the reason if it is not solved
};

// The solver must be "lemke"; max_iterations are pivots of a try. Throws Error (kBadInput) for other solvers, and for a
// tolerance that is not positive and finite.
LcpResult solve_lcp(const LcpProblem& problem, const ProblemRequest& request);

}  // namespace touchstone

#pragma once
// Contact problems by Lemke's method: friction cones as pyramids, each island a linear complementarity problem that is
// solved by pivoting. No iteration that may or may not converge, and no warm start.
#include <span>
#include <vector>

#include "contact/contact_problem.h"
#include "contact/islands.h"
#include "contact/reform/problem_as_lcp.h"
#include "contact/solvers/contact_solution.h"
#include "math/optim/lemke.h"

namespace touchstone {

struct LemkeContactOptions {
  int facets = 8;  // of a pyramid, where contacts have three rows; even
  // On the laws of the pyramid [m/s, rad/s]. Below the rounding of a problem's own velocities it is raised to that:
  // 1e-12 of the fastest.
  double tolerance = 1e-9;
  std::int64_t max_pivots = 0;  // of one try on an island; 0: as Lemke
  // Of an island, with rows of equalities; larger ones are not tried: time grows with the third power, to about a
  // second at 500.
  std::size_t max_unknowns = 500;
};

class LemkeContact {
 public:
  // `out` keeps its capacity; its iterations are pivots. Its status is kConverged, kIterationLimit where an island took
  // too many pivots or was too large, or kStalled otherwise; impulses of islands that failed are the best that was
  // found.
  void solve(const ContactProblem& problem, const LemkeContactOptions& options, ContactSolution& out);
  // Why the first island that failed did.
  LcpStatus reason() const { return reason_; }
  std::size_t islands() const { return island_count_; }
  std::size_t largest() const { return largest_; }  // unknowns of the largest island

 private:
  void sort_into_islands(const ContactProblem& problem);
  void solve_island(const ContactProblem& problem, std::span<const std::uint32_t> blocks,
                    const LemkeContactOptions& options, ContactSolution& out);
  // Contacts that slide although they are under static friction go on under dynamic friction. True if there were any.
  bool loosen(const ContactProblem& problem, std::span<const std::uint32_t> blocks, double slip, bool all);
  void refresh(const ContactProblem& problem, ContactSolution& out);

  Islands grouping_;
  ProblemAsLcp lcp_;
  Lemke lemke_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> order_;  // island, block
  std::vector<std::uint32_t> blocks_;
  std::vector<FrictionUse> use_;
  std::vector<double> z_, momentum_, relative_;
  LcpStatus reason_ = LcpStatus::kSolved;
  std::size_t island_count_ = 0, largest_ = 0;
};

}  // namespace touchstone

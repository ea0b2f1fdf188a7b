#pragma once
// Contact problems under friction pyramids, each island a linear complementarity problem. With a guess, Newton's method
// on the pyramids' laws looks for the answer first; otherwise, and where that fails, Lemke's method pivots.
#include <span>
#include <vector>

#include "contact/contact_problem.h"
#include "contact/reform/problem_as_lcp.h"
#include "contact/solvers/contact_solution.h"
#include "contact/solvers/island_matrix.h"
#include "contact/solvers/pyramid_newton.h"
#include "math/optim/lemke.h"

namespace touchstone {

struct LemkeContactOptions {
  int facets = 8;  // of a pyramid, where contacts have three rows; even
  // On the laws of the pyramid [m/s, rad/s]. Below the rounding of a problem's own velocities it is raised to that:
  // 1e-12 of the fastest.
  double tolerance = 1e-9;
  std::int64_t max_pivots = 0;  // of one try on an island; 0: as Lemke
  // Of an island, with rows of equalities; larger ones are not pivoted: time grows with the third power, to about a
  // second at 500.
  std::size_t max_unknowns = 500;
  std::size_t max_rows = 900;  // of an island; larger ones are not solved at all
  bool newton = false;         // before and after pivoting; false: pivoting alone
};

class LemkeContact {
 public:
  // `guess`: impulses by row, or nothing. `slides`: as in ProblemAsLcp::build. `out` keeps its capacity; its iterations
  // are pivots and linear systems. Its status is kConverged, kIterationLimit where an island took too many pivots or
  // was too large, or kStalled otherwise; impulses of islands that failed are the best that was found.
  void solve(const ContactProblem& problem, const LemkeContactOptions& options, std::span<const double> guess,
             ContactSolution& out, std::span<const Eigen::Vector2d> slides = {});
  void solve(const ContactProblem& problem, const LemkeContactOptions& options, ContactSolution& out) {
    solve(problem, options, {}, out);
  }
  // Why the first island that failed did.
  LcpStatus reason() const { return reason_; }
  std::size_t islands() const { return islands_.size(); }
  std::size_t largest() const { return largest_; }   // unknowns of the largest island that was pivoted
  std::int64_t pivoted() const { return pivoted_; }  // islands for which Newton's method was not enough

 private:
  // Which contacts take part at first: those that close without impulses, or bore load in the guess.
  void wake_first(const ContactProblem& problem, const ContactSolution& out);
  // Of the others those that the answer so far lets close. True if there were any.
  bool wake_more(const ContactProblem& problem, double tolerance, bool all, const ContactSolution& out);
  void set_velocities(const ContactProblem& problem, ContactSolution& out);
  void solve_island(const ContactProblem& problem, std::span<const std::uint32_t> blocks,
                    const LemkeContactOptions& options, ContactSolution& out);
  LcpStatus solve_laws(const ContactProblem& problem, std::span<const std::uint32_t> blocks,
                       const LemkeContactOptions& options, double floor, ContactSolution& out);
  LcpAnswer pivot(const ContactProblem& problem, std::span<const std::uint32_t> blocks,
                  const LemkeContactOptions& options, double floor, ContactSolution& out);
  bool newton(const ContactProblem& problem, std::span<const std::uint32_t> blocks, const LemkeContactOptions& options,
              double floor, int rounds, ContactSolution& out);
  // Contacts that slide although they are under static friction go on under dynamic friction. True if there were any.
  bool loosen(const ContactProblem& problem, std::span<const std::uint32_t> blocks, double slip, bool all);

  IslandList islands_;
  IslandMatrix matrix_;
  ProblemAsLcp lcp_;
  Lemke lemke_;
  PyramidNewton newton_;
  std::span<const Eigen::Vector2d> slides_;  // of the call
  std::vector<FrictionUse> use_;
  std::vector<std::uint8_t> awake_;  // by block: 0 takes no part, 1 does, 2 since the last round
  std::vector<double> z_, momentum_, relative_, trial_;
  LcpStatus reason_ = LcpStatus::kSolved;
  double residual_ = 0;  // of the laws last solved
  std::size_t largest_ = 0;
  std::int64_t pivoted_ = 0;
};

}  // namespace touchstone

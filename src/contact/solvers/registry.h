#pragma once
// The solvers of contact problems by name: what the command line and the tests choose from.
#include <memory>
#include <string_view>

#include "contact/contact_problem.h"
#include "contact/solvers/contact_solution.h"

namespace touchstone {

struct SolverSettings {
  double tolerance = 1e-10;         // on the worst natural map of a block [m/s, rad/s]
  std::int64_t max_iterations = 0;  // 0: as many as the solver thinks sensible
};

class ContactSolver {
 public:
  virtual ~ContactSolver() = default;
  // `guess`: impulses by row, or nothing. Never throws for what a problem is: the status says how it went, and the
  // reason why. Numbers that come out are finite whatever goes in (solve_checks.h).
  virtual void solve(const ContactProblem& problem, const SolverSettings& settings, std::span<const double> guess,
                     ContactSolution& out) = 0;
};

struct SolverInfo {
  const char* name;
  const char* summary;
  const char* law;  // that it has converged under when it says so; kCoulombLaw or what it is instead
  std::unique_ptr<ContactSolver> (*make)();
};

inline constexpr std::string_view kCoulombLaw = "Coulomb";

std::span<const SolverInfo> contact_solvers();
const SolverInfo* find_contact_solver(std::string_view name);  // null: there is none of this name

const char* status_text(SolveStatus status);

}  // namespace touchstone

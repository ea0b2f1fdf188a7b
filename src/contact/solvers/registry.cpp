#include "contact/solvers/registry.h"

#include "contact/solvers/convex_barrier.h"
#include "contact/solvers/dantzig_contact.h"
#include "contact/solvers/lemke_contact.h"
#include "contact/solvers/newton_contact.h"
#include "contact/solvers/nonsmooth_gauss_seidel.h"
#include "contact/solvers/projected_gauss_seidel.h"
#include "contact/solvers/solve_checks.h"

namespace touchstone {
namespace {

class Nsgs : public ContactSolver {
 public:
  explicit Nsgs(bool accelerate) : accelerate_(accelerate) {}
  void solve(const ContactProblem& problem, const SolverSettings& settings, std::span<const double> guess,
             ContactSolution& out) override {
    GaussSeidelOptions options;
    options.tolerance = settings.tolerance;
    options.accelerate = accelerate_;
    if (settings.max_iterations > 0) options.max_iterations = settings.max_iterations;
    solver_.solve(problem, options, guess, out);
  }

 private:
  NonsmoothGaussSeidel solver_;
  bool accelerate_;
};

class LemkePyramids : public ContactSolver {
 public:
  void solve(const ContactProblem& problem, const SolverSettings& settings, std::span<const double>,
             ContactSolution& out) override {
    LemkeContactOptions options;
    options.max_pivots = settings.max_iterations;
    solver_.solve(problem, options, out);
  }

 private:
  LemkeContact solver_;
};

class Convex : public ContactSolver {
 public:
  void solve(const ContactProblem& problem, const SolverSettings& settings, std::span<const double> guess,
             ContactSolution& out) override {
    ConvexOptions options;
    if (settings.max_iterations > 0) options.max_iterations = settings.max_iterations;
    solver_.solve(problem, options, guess, out);
  }

 private:
  ConvexBarrier solver_;
};

class DantzigBoxes : public ContactSolver {
 public:
  void solve(const ContactProblem& problem, const SolverSettings& settings, std::span<const double>,
             ContactSolution& out) override {
    DantzigContactOptions options;
    options.max_pivots = settings.max_iterations;
    solver_.solve(problem, options, out);
  }

 private:
  DantzigContact solver_;
};

class Newton : public ContactSolver {
 public:
  void solve(const ContactProblem& problem, const SolverSettings& settings, std::span<const double> guess,
             ContactSolution& out) override {
    NewtonOptions options;
    options.tolerance = settings.tolerance;
    if (settings.max_iterations > 0) options.max_iterations = settings.max_iterations;
    solver_.solve(problem, options, guess, out);
  }

 private:
  NewtonContact solver_;
};

class Projected : public ContactSolver {
 public:
  Projected(ProjectedOptions::Law law, bool conjugate) { options_.law = law, options_.conjugate = conjugate; }
  void solve(const ContactProblem& problem, const SolverSettings& settings, std::span<const double> guess,
             ContactSolution& out) override {
    ProjectedOptions options = options_;
    options.tolerance = settings.tolerance;
    if (settings.max_iterations > 0) options.max_iterations = settings.max_iterations;
    solver_.solve(problem, options, guess, out);
  }

 private:
  ProjectedGaussSeidel solver_;
  ProjectedOptions options_;
};

// What is the same for all: bad problems do not get to the solver, and what is no answer does not get out.
class Checked : public ContactSolver {
 public:
  explicit Checked(std::unique_ptr<ContactSolver> solver) : solver_(std::move(solver)) {}
  void solve(const ContactProblem& problem, const SolverSettings& settings, std::span<const double> guess,
             ContactSolution& out) override {
    if (const char* defect = problem_defect(problem)) {
      answer_nothing(problem, SolveStatus::kBadInput, defect, out);
      return;
    }
    out.reason = "";
    solver_->solve(problem, settings, guess, out);
    if (!all_finite(out)) {
      give_up(problem, SolveStatus::kStalled, "impulses grew without bound; none is given", out);
      return;
    }
    find_reason(problem, settings, out);
    if (out.status != SolveStatus::kConverged && worse_than_nothing(problem, out))
      give_up(problem, out.status, cause_of_divergence(problem, out.reason), out);
  }

 private:
  static void give_up(const ContactProblem& problem, SolveStatus status, const char* reason, ContactSolution& out) {
    const std::int64_t iterations = out.iterations;
    answer_nothing(problem, status, reason, out);
    out.iterations = iterations;
  }
  static void find_reason(const ContactProblem& problem, const SolverSettings& settings, ContactSolution& out) {
    if (out.status == SolveStatus::kConverged) {
      const char* reason = unmovable_is_left(problem, out, settings.tolerance)
                               ? "a block of W is zero or negative: no impulse moves what is left"
                           // What is left is rounding, if it is not that impulses have grown until everything is.
                           : !(out.residual <= settings.tolerance) ? cause_of_failure(problem)
                                                                   : nullptr;
      if (reason) out.status = SolveStatus::kStalled, out.reason = reason;
    } else if (const char* cause = cause_of_failure(problem)) {
      out.reason = cause;
    } else if (!*out.reason) {
      out.reason = out.status == SolveStatus::kIterationLimit ? "the iterations that it was given are used up"
                                                              : "it makes no progress any more";
    }
  }

  std::unique_ptr<ContactSolver> solver_;
};

template <class Solver, auto... arguments>
std::unique_ptr<ContactSolver> make() {
  return std::make_unique<Checked>(std::make_unique<Solver>(arguments...));
}

constexpr ProjectedOptions::Law kCone = ProjectedOptions::Law::kCone, kPyramid = ProjectedOptions::Law::kPyramid;

constexpr SolverInfo kSolvers[] = {
    {"newton", "Newton's method on all contacts of an island at once, after a few sweeps of nsgs: to 1e-10 and beyond",
     "Coulomb", make<Newton>},
    {"nsgs", "Non-smooth Gauss-Seidel, exact cone, extrapolated between sweeps", "Coulomb", make<Nsgs, true>},
    {"nsgs_plain", "The same without extrapolation; drifts are still followed", "Coulomb", make<Nsgs, false>},
    {"pgs_cone", "Projected Gauss-Seidel, friction brought back into its disc as one vector", "Coulomb",
     make<Projected, kCone, false>},
    {"nncg", "The same with directions of non-linear conjugate gradients between sweeps", "Coulomb",
     make<Projected, kCone, true>},
    {"pgs_pyramid", "Projected Gauss-Seidel, row by row: friction pyramids of 4 sides along the tangents",
     "pyramid of 4 sides", make<Projected, kPyramid, false>},
    {"lemke", "Friction pyramids of 8 sides by pivoting, as `lcp` does: exact for those, not for cones",
     "pyramid of 8 sides", make<LemkePyramids>},
    {"dantzig", "Friction boxes bounded by the normal impulses, by Dantzig's method as ODE: not cones in 3D",
     "boxes bounded by normal impulses", make<DantzigBoxes>},
    {"convex", "The least slip by convex optimisation, as `convex` does: not Coulomb's law", "least slip, convex",
     make<Convex>},
};

}  // namespace

std::span<const SolverInfo> contact_solvers() { return kSolvers; }

const SolverInfo* find_contact_solver(std::string_view name) {
  for (const SolverInfo& info : kSolvers)
    if (name == info.name) return &info;
  return nullptr;
}

const char* status_text(SolveStatus status) {
  switch (status) {
    case SolveStatus::kConverged:
      return "converged";
    case SolveStatus::kIterationLimit:
      return "iteration limit";
    case SolveStatus::kStalled:
      return "stalled";
    case SolveStatus::kBadInput:
      return "bad input";
  }
  return "";
}

}  // namespace touchstone

#include "contact/solvers/registry.h"

#include "contact/solvers/convex_barrier.h"
#include "contact/solvers/dantzig_contact.h"
#include "contact/solvers/lemke_contact.h"
#include "contact/solvers/nonsmooth_gauss_seidel.h"

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

template <class Solver>
std::unique_ptr<ContactSolver> make() {
  return std::make_unique<Solver>();
}

template <bool accelerate>
std::unique_ptr<ContactSolver> make_nsgs() {
  return std::make_unique<Nsgs>(accelerate);
}

constexpr SolverInfo kSolvers[] = {
    {"nsgs", "Non-smooth Gauss-Seidel, exact cone, extrapolated between sweeps: what `ncp` uses", make_nsgs<true>},
    {"nsgs_plain", "The same without extrapolation; drifts are still followed", make_nsgs<false>},
    {"lemke", "Friction pyramids of 8 sides by pivoting, as `lcp` does: exact for those, not for cones",
     make<LemkePyramids>},
    {"dantzig", "Friction boxes bounded by the normal impulses, by Dantzig's method as ODE: not cones in 3D",
     make<DantzigBoxes>},
    {"convex", "The least slip by convex optimisation, as `convex` does: not Coulomb's law", make<Convex>},
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

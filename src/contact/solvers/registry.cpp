#include "contact/solvers/registry.h"

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

template <bool accelerate>
std::unique_ptr<ContactSolver> make_nsgs() {
  return std::make_unique<Nsgs>(accelerate);
}

constexpr SolverInfo kSolvers[] = {
    {"nsgs", "Non-smooth Gauss-Seidel, exact cone, extrapolated between sweeps: what `ncp` uses", make_nsgs<true>},
    {"nsgs_plain", "The same without extrapolation; drifts are still followed", make_nsgs<false>},
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
  }
  return "";
}

}  // namespace touchstone

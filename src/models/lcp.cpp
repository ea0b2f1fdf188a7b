// Purpose: velocity-level time stepping with friction pyramids: each island of a step is a linear complementarity
//   problem, solved by pivoting.
// Source: D. E. Stewart, J. C. Trinkle 1996; M. Anitescu, F. A. Potra 1997 [drumwright2009 section 2.4]. The step is in
//   velocity_stepping.cpp, the problem in problem_as_lcp.cpp.
// Letters: docs/conventions.md.
// Deviations: those of velocity_stepping.cpp, problem_as_lcp.cpp and lemke_contact.cpp, and
//   (1) A problem on which Lemke's method fails is solved by sweeps over exact cones, and the step is reported as not
//       converged, although the sweeps may have: it did not keep to its laws.
//   (2) Islands of more unknowns than `max_unknowns` go the same way: time grows with the third power of them.
// Fails: as (1); joints that do not close are reported as not converged, too.
#include "models/lcp.h"

#include "contact/solvers/lemke_contact.h"
#include "contact/solvers/nonsmooth_gauss_seidel.h"
#include "models/velocity_stepping.h"
#include "touchstone/error.h"

namespace touchstone {
namespace {

template <int D>
class Lcp : public VelocityStepping<D> {
 public:
  Lcp(const SteppingOptions& stepping, const LemkeContactOptions& options)
      : VelocityStepping<D>(stepping), options_(options) {}

 private:
  void solve(const ContactProblem& problem, std::span<const double> guess, ContactSolution& out) override {
    lemke_.solve(problem, options_, out);
    if (out.status == SolveStatus::kConverged) return;
    const SolveStatus status = out.status;
    const std::int64_t pivots = out.iterations;
    sweeps_.solve(problem, {options_.tolerance, kMostSweeps, true}, guess, out);
    out.status = status;  // deviation 1
    out.iterations += pivots;
  }
  void solve_shift(const ContactProblem& problem, double tolerance, ContactSolution& out) override {
    sweeps_.solve(problem, {tolerance, 1000, true}, {}, out);
  }
  static constexpr std::int64_t kMostSweeps = 20000;  // as ncp

  const LemkeContactOptions options_;
  LemkeContact lemke_;
  NonsmoothGaussSeidel sweeps_;
};

template <int D>
std::unique_ptr<ContactModel<D>> make(const Options& o) {
  LemkeContactOptions solver;
  solver.facets = static_cast<int>(integer_option(o, "facets"));
  solver.tolerance = number_option(o, "tolerance");
  solver.max_unknowns = static_cast<std::size_t>(integer_option(o, "max_unknowns"));
  if (solver.facets % 2)
    throw Error(ErrorKind::kBadInput,
                "model 'lcp': option facets is " + std::to_string(solver.facets) + "; it must be even");
  return std::make_unique<Lcp<D>>(read_stepping_options(o, 100 * solver.tolerance), solver);
}

TableSpec option_table() {
  TableSpec t{"model = \"lcp\"", "See docs/models/lcp.md.", {}};
  add_option(t, "facets", ValueType::kInteger, "", "8",
             "Sides of the pyramid that stands for a friction cone in 3D; even. In 2D two are exact.");
  t.keys.back().minimum = ProblemAsLcp::kLeastFacets;
  t.keys.back().maximum = ProblemAsLcp::kMostFacets;
  add_option(t, "tolerance", ValueType::kNumber, "m/s", "1e-9",
             "How far a contact may be from the laws of its pyramid; only rounding leads there.");
  add_option(t, "max_unknowns", ValueType::kInteger, "", "500",
             "Of an island; larger ones are solved by sweeps as in ncp, and reported.");
  add_stepping_options(t);
  return t;
}

}  // namespace

ModelInfo lcp_model() {
  ModelInfo info;
  info.name = "lcp";
  info.summary = "Friction pyramids as a linear complementarity problem, by Lemke's method (Stewart-Trinkle).";
  info.source = "drumwright2009";
  info.capabilities = {true, true, true, true, true, {Integrator::kSemiImplicitEuler}};
  info.options = option_table();
  info.make2 = make<2>;
  info.make3 = make<3>;
  return info;
}

}  // namespace touchstone

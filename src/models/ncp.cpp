// Purpose: velocity-level time stepping under Signorini's condition and the exact cone of Coulomb's law: the reference.
// Source: velocity_stepping.cpp for the step; newton_contact.cpp and nonsmooth_gauss_seidel.cpp for the solvers
//   [acary2018].
// Letters: docs/conventions.md.
// Deviations: those of the two.
// Fails: a solve that does not converge, or joints that do not close, are reported as not converged, with the reason.
//   A step that sweeps had to solve in the place of Newton's method is fine, and its reason says so.
#include "models/ncp.h"

#include "contact/solvers/newton_contact.h"
#include "models/velocity_stepping.h"

namespace touchstone {
namespace {

template <int D>
class Ncp : public VelocityStepping<D> {
 public:
  Ncp(const SteppingOptions& stepping, const GaussSeidelOptions& options, bool newton)
      : VelocityStepping<D>(stepping), options_(options), newton_(newton) {}

 private:
  void solve(const ContactProblem& problem, std::span<const double> guess, ContactSolution& out) override {
    solve_to(problem, options_.tolerance, options_.max_iterations, guess, out);
    if (out.status == SolveStatus::kConverged && !*this->report_.reason) this->report_.reason = out.reason;
  }
  void solve_shift(const ContactProblem& problem, double tolerance, ContactSolution& out) override {
    solve_to(problem, tolerance, kShiftIterations, {}, out);
  }
  void solve_to(const ContactProblem& problem, double tolerance, std::int64_t iterations, std::span<const double> guess,
                ContactSolution& out) {
    if (newton_)
      direct_.solve(problem, {tolerance, iterations}, guess, out);
    else
      sweeps_.solve(problem, {tolerance, iterations, options_.accelerate}, guess, out);
  }
  static constexpr std::int64_t kShiftIterations = 1000;  // what is not found goes on in the next step

  const GaussSeidelOptions options_;
  const bool newton_;
  NonsmoothGaussSeidel sweeps_;
  NewtonContact direct_;
};

template <int D>
std::unique_ptr<ContactModel<D>> make(const Options& o) {
  const GaussSeidelOptions solver{number_option(o, "tolerance"), integer_option(o, "max_iterations"),
                                  std::get<bool>(o.at("accelerate"))};
  const bool newton = std::get<std::string>(o.at("solver")) == "newton";
  SteppingOptions stepping = read_stepping_options(o, 100 * solver.tolerance);
  stepping.tolerance = solver.tolerance;
  return std::make_unique<Ncp<D>>(stepping, solver, newton);
}

TableSpec option_table() {
  TableSpec t{"model = \"ncp\"", "See docs/models/ncp.md.", {}};
  add_option(t, "tolerance", ValueType::kNumber, "m/s", "1e-10",
             "Greatest natural map of a contact, its defect under the laws.");
  add_option(t, "solver", ValueType::kString, "", "newton",
             "Newton's method where a few sweeps do not end (and sweeps again where that fails), or sweeps alone.");
  t.keys.back().choices = {"newton", "nsgs"};
  add_option(t, "max_iterations", ValueType::kInteger, "", "20000",
             "Greatest number of sweeps and Newton steps of a solve; a step that needs more is reported.");
  add_option(t, "accelerate", ValueType::kBool, "", "true",
             "Of `nsgs`: whether impulses are extrapolated between sweeps; plain sweeps otherwise.");
  add_restitution_law(t);
  add_stepping_options(t);
  return t;
}

}  // namespace

ModelInfo ncp_model() {
  ModelInfo info;
  info.name = "ncp";
  info.summary = "Exact Coulomb friction by Newton's method and sweeps: the reference at the level of velocities.";
  info.source = "acary2018";
  info.capabilities = {true, true, true, true, true, {Integrator::kSemiImplicitEuler}};
  info.capabilities.trees = true;
  info.options = option_table();
  info.make2 = make<2>;
  info.make3 = make<3>;
  return info;
}

}  // namespace touchstone

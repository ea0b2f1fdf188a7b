// Purpose: velocity-level time stepping under Signorini's condition and the exact cone of Coulomb's law: the reference.
// Source: velocity_stepping.cpp for the step, nonsmooth_gauss_seidel.cpp for the solver [acary2018].
// Letters: docs/conventions.md.
// Deviations: those of the two.
// Fails: a solve that does not converge, or joints that do not close, are reported as not converged.
#include "models/ncp.h"

#include "contact/solvers/nonsmooth_gauss_seidel.h"
#include "models/velocity_stepping.h"

namespace touchstone {
namespace {

template <int D>
class Ncp : public VelocityStepping<D> {
 public:
  Ncp(const SteppingOptions& stepping, const GaussSeidelOptions& options)
      : VelocityStepping<D>(stepping), options_(options) {}

 private:
  void solve(const ContactProblem& problem, std::span<const double> guess, ContactSolution& out) override {
    solver_.solve(problem, options_, guess, out);
  }
  void solve_shift(const ContactProblem& problem, double tolerance, ContactSolution& out) override {
    solver_.solve(problem, {tolerance, 1000, options_.accelerate}, {}, out);
  }

  const GaussSeidelOptions options_;
  NonsmoothGaussSeidel solver_;
};

template <int D>
std::unique_ptr<ContactModel<D>> make(const Options& o) {
  const GaussSeidelOptions solver{number_option(o, "tolerance"), integer_option(o, "max_iterations"),
                                  std::get<bool>(o.at("accelerate"))};
  return std::make_unique<Ncp<D>>(read_stepping_options(o, 100 * solver.tolerance), solver);
}

TableSpec option_table() {
  TableSpec t{"model = \"ncp\"", "See docs/models/ncp.md.", {}};
  add_option(t, "tolerance", ValueType::kNumber, "m/s", "1e-10",
             "How far any contact may be from its laws: its natural map.");
  add_option(t, "max_iterations", ValueType::kInteger, "", "20000",
             "Sweeps of a solve at most; a step that needs more is reported.");
  add_option(t, "accelerate", ValueType::kBool, "", "true",
             "Whether impulses are extrapolated between sweeps; plain sweeps otherwise.");
  add_stepping_options(t);
  return t;
}

}  // namespace

ModelInfo ncp_model() {
  ModelInfo info;
  info.name = "ncp";
  info.summary = "Exact Coulomb friction by non-smooth Gauss-Seidel: the reference at the level of velocities.";
  info.source = "acary2018";
  info.capabilities = {true, true, true, true, true, {Integrator::kSemiImplicitEuler}};
  info.options = option_table();
  info.make2 = make<2>;
  info.make3 = make<3>;
  return info;
}

}  // namespace touchstone

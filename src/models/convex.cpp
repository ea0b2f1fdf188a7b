// Purpose: velocity-level time stepping whose contact impulses come from two convex programs: normal impulses without
//   friction, then friction that takes as much slip as it can.
// Source: drumwright2009 §3. The step is that of velocity_stepping.cpp, the solver convex_island.cpp.
// Letters: docs/conventions.md.
// Deviations: those of the two, and
//   (1) The paper solves contacts at the start of a step, with the velocities of then, and integrates afterwards. Here
//       forces come first: gravity makes the velocity that contacts take, so that what rests is left at rest.
//   (2) A penetration is pushed out by sweeps (nonsmooth_gauss_seidel.cpp): that problem has no friction, and is the
//       same in all theories.
// Fails: a solve that ends early, contacts or joints that contradict each other, and joints that do not close are
//   reported as not converged.
#include "models/convex.h"

#include "contact/solvers/convex_barrier.h"
#include "contact/solvers/nonsmooth_gauss_seidel.h"
#include "models/velocity_stepping.h"

namespace touchstone {
namespace {

constexpr double kSticks = 1e-7;  // [m/s]: slower contacts are reported as sticking; the creep that is allowed

template <int D>
class Convex : public VelocityStepping<D> {
 public:
  Convex(const SteppingOptions& stepping, const ConvexOptions& options)
      : VelocityStepping<D>(stepping), options_(options) {}

 private:
  void solve(const ContactProblem& problem, std::span<const double> guess, ContactSolution& out) override {
    solver_.solve(problem, options_, guess, out);
  }
  void solve_shift(const ContactProblem& problem, double tolerance, ContactSolution& out) override {
    sweeps_.solve(problem, {tolerance, 1000, true}, {}, out);
  }

  const ConvexOptions options_;
  ConvexBarrier solver_;
  NonsmoothGaussSeidel sweeps_;
};

template <int D>
std::unique_ptr<ContactModel<D>> make(const Options& o) {
  ConvexOptions solver;
  solver.form = std::get<std::string>(o.at("form")) == "printed" ? ConvexOptions::Form::kPrinted
                                                                 : ConvexOptions::Form::kCorrected;
  solver.gap = number_option(o, "gap");
  solver.max_iterations = integer_option(o, "max_iterations");
  return std::make_unique<Convex<D>>(read_stepping_options(o, kSticks), solver);
}

TableSpec option_table() {
  TableSpec t{"model = \"convex\"", "See docs/models/convex.md.", {}};
  add_option(t, "form", ValueType::kString, "", "corrected",
             "The two phases with the source's errors corrected, or as printed.");
  t.keys.back().choices = {"corrected", "printed"};
  add_option(t, "gap", ValueType::kNumber, "", "1e-11",
             "Excess of the squared slip over its minimum, relative to the squared closing speed.");
  add_option(t, "max_iterations", ValueType::kInteger, "", "1000",
             "Greatest number of Newton steps for an island; a step that needs more is reported.");
  add_stepping_options(t);
  return t;
}

}  // namespace

ModelInfo convex_model() {
  ModelInfo info;
  info.name = "convex";
  info.summary = "Friction as the convex program that leaves the least slip, by a logarithmic barrier.";
  info.source = "drumwright2009";
  info.capabilities = {true, true, true, true, true, {Integrator::kSemiImplicitEuler}};
  info.capabilities.trees = true;
  info.options = option_table();
  info.make2 = make<2>;
  info.make3 = make<3>;
  return info;
}

}  // namespace touchstone

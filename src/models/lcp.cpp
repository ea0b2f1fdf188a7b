// Purpose: time stepping with friction pyramids, each island of a step a linear complementarity problem; on the level
// of
//   velocities, or of accelerations with impulses for impacts. Options, and which of the two they ask for.
// Source: D. E. Stewart, J. C. Trinkle 1996; M. Anitescu, F. A. Potra 1997 [drumwright2009 section 2.4]. The steps are
//   in lcp_stepping.cpp and acceleration_stepping.cpp, the problem in problem_as_lcp.cpp.
// Letters: docs/conventions.md.
// Deviations: those of these files and of lemke_contact.cpp.
// Fails: as these.
#include "models/lcp.h"

#include <fmt/format.h>

#include "models/acceleration_stepping.h"
#include "models/lcp_stepping.h"
#include "touchstone/error.h"

namespace touchstone {
namespace {

constexpr double kLeastRegularisation = 1e-12;

template <int D>
std::unique_ptr<ContactModel<D>> make(const Options& o) {
  LemkeContactOptions solver;
  solver.facets = static_cast<int>(integer_option(o, "facets"));
  solver.tolerance = number_option(o, "tolerance");
  solver.max_rows = static_cast<std::size_t>(integer_option(o, "max_unknowns"));
  solver.newton = true;
  if (solver.facets % 2)
    throw Error(ErrorKind::kBadInput,
                "model 'lcp': option facets is " + std::to_string(solver.facets) + "; it must be even");
  SteppingOptions stepping = read_stepping_options(o, 100 * solver.tolerance);
  stepping.tolerance = solver.tolerance;
  const double regularisation = number_option(o, "regularisation");
  const bool accelerations = std::get<std::string>(o.at("level")) == "acceleration";
  if (regularisation > 0 && !accelerations)
    throw Error(ErrorKind::kBadInput,
                "model 'lcp': option regularisation is of level = \"acceleration\"; remove it, or choose that level");
  if (regularisation > 0 && regularisation < kLeastRegularisation)
    throw Error(
        ErrorKind::kBadInput,
        fmt::format("model 'lcp': option regularisation is {}; it must be 0, or {} to 1: less is lost in rounding",
                    regularisation, kLeastRegularisation));
  if (accelerations) return std::make_unique<AccelerationStepping<D>>(stepping, solver, regularisation);
  return std::make_unique<LcpStepping<D>>(stepping, solver);
}

TableSpec option_table() {
  TableSpec t{"model = \"lcp\"", "See docs/models/lcp.md.", {}};
  add_option(t, "facets", ValueType::kInteger, "", "8",
             "Sides of the pyramid that replaces a friction cone in 3D; even. In 2D two are exact.");
  t.keys.back().minimum = ProblemAsLcp::kLeastFacets;
  t.keys.back().maximum = ProblemAsLcp::kMostFacets;
  add_option(t, "tolerance", ValueType::kNumber, "m/s", "1e-9",
             "Greatest defect of a contact under the laws of its pyramid; only rounding causes one.");
  add_option(t, "max_unknowns", ValueType::kInteger, "", "900",
             "Greatest number of unknowns of an island, three a contact in 3D. Larger islands are solved by sweeps as "
             "in ncp, and reported.");
  add_option(t, "level", ValueType::kString, "", "velocity",
             "Contacts as impulses of a step (Stewart-Trinkle), or as forces with impacts apart (Baraff, ODE).");
  t.keys.back().choices = {"velocity", "acceleration"};
  add_option(t, "regularisation", ValueType::kNumber, "", "0",
             "With level = acceleration: 0 for pyramids by pivoting (Baraff). Above 0: boxes by Dantzig's method, with "
             "responses that are greater by this fraction (ODE).");
  t.keys.back().minimum_excluded = false;
  t.keys.back().maximum = 1;
  add_restitution_law(t);
  add_stepping_options(t);
  return t;
}

}  // namespace

ModelInfo lcp_model() {
  ModelInfo info;
  info.name = "lcp";
  info.summary =
      "Friction pyramids as a linear complementarity problem (Stewart-Trinkle; Baraff), by Newton and Lemke.";
  info.source = "drumwright2009";
  info.capabilities = {true, true, true, true, true, {Integrator::kSemiImplicitEuler}};
  info.capabilities.trees = true;
  info.options = option_table();
  info.make2 = make<2>;
  info.make3 = make<3>;
  return info;
}

}  // namespace touchstone

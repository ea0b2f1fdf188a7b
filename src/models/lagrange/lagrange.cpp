// Purpose: options of the model `lagrange`.
// Source: [thompson2003], [yang2020]; the step is lagrange_stepping.cpp, constraint forces are stage_problem.cpp.
// Letters: docs/conventions.md.
// Deviations: those of these files.
// Fails: as these.
#include "models/lagrange/lagrange.h"

#include "models/lagrange/lagrange_stepping.h"
#include "touchstone/error.h"

namespace touchstone {
namespace {

EqualityMethod method_of(const std::string& name) {
  if (name == "cholesky") return EqualityMethod::kCholesky;
  if (name == "cg") return EqualityMethod::kConjugateGradients;
  if (name == "bicg") return EqualityMethod::kBiconjugateGradients;
  return EqualityMethod::kAutomatic;
}

Stabilisation stabilisation_of(const std::string& name) {
  if (name == "feedback") return Stabilisation::kFeedback;
  return name == "none" ? Stabilisation::kNone : Stabilisation::kProjection;
}

template <int D>
std::unique_ptr<ContactModel<D>> make(const Options& o) {
  const auto text = [&](const char* name) -> const std::string& { return std::get<std::string>(o.at(name)); };
  LagrangeOptions out{};
  out.tolerance = number_option(o, "tolerance");
  out.stepping = read_stepping_options(o, 100 * out.tolerance);
  out.stage.method = method_of(text("solver"));
  out.stage.stabilisation = stabilisation_of(text("stabilisation"));
  out.stage.position_feedback = number_option(o, "position_feedback");
  out.stage.velocity_feedback = number_option(o, "velocity_feedback");
  out.stage.touching = number_option(o, "touching");
  out.pairwise = text("impacts") == "pairwise";
  if (out.pairwise && out.stepping.law != RestitutionLaw::kNewton)
    throw Error(ErrorKind::kBadInput,
                "model 'lagrange': option impacts = \"pairwise\" has Newton's law alone: leave restitution_law out");
  out.binary_search = text("time_of_impact") == "binary_search";
  out.energy_tolerance = number_option(o, "energy_tolerance");
  out.max_substeps = integer_option(o, "max_substeps");
  if (out.stage.touching < 2 * out.stepping.slop)
    throw Error(ErrorKind::kBadInput,
                "model 'lagrange': option touching must be at least twice the slop: contacts that rest lie within it");
  return std::make_unique<Lagrange<D>>(out);
}

TableSpec option_table() {
  TableSpec t{"model = \"lagrange\"", "See docs/models/lagrange.md.", {}};
  add_option(t, "tolerance", ValueType::kNumber, "m/s", "1e-11", "Of velocities after an impact.");
  add_option(
      t, "solver", ValueType::kString, "", "automatic",
      "For the forces of joints: sparse factors, conjugate gradients, or biconjugate gradients (as thompson2003).");
  t.keys.back().choices = {"automatic", "cholesky", "cg", "bicg"};
  add_option(t, "stabilisation", ValueType::kString, "", "projection",
             "How joints stay closed: bodies are moved to where joints hold, or their errors are fed back, or not at "
             "all.");
  t.keys.back().choices = {"projection", "feedback", "none"};
  add_option(t, "position_feedback", ValueType::kNumber, "", "0.3",
             "Of `feedback`: k_s, acceleration against an error, over the square of the step.");
  add_option(t, "velocity_feedback", ValueType::kNumber, "", "0.3",
             "Of `feedback`: k_d, acceleration against the rate of an error, over the step.");
  add_option(t, "impacts", ValueType::kString, "", "simultaneous",
             "Collisions at one time: all together, with friction; or pair by pair, without friction, by the equations "
             "of thompson2003.");
  t.keys.back().choices = {"simultaneous", "pairwise"};
  add_option(t, "time_of_impact", ValueType::kString, "", "regula_falsi",
             "How the time of a collision is found: regula falsi, or halving as in thompson2003.");
  t.keys.back().choices = {"regula_falsi", "binary_search"};
  add_option(
      t, "energy_tolerance", ValueType::kNumber, "", "1e-10",
      "Of rk4 with joints: energy that a step may make, over its kinetic energy; a step that makes more is cut.");
  add_option(t, "touching", ValueType::kNumber, "m", "1e-6", "A gap up to this one is closed.");
  add_option(t, "max_substeps", ValueType::kInteger, "", "10000",
             "Times of collision in a step at most; a step that needs more is reported.");
  add_restitution_law(t);
  add_stepping_options(t);
  return t;
}

}  // namespace

ModelInfo lagrange_model() {
  ModelInfo info;
  info.name = "lagrange";
  info.summary = "Joints by Lagrange multipliers in every stage, collisions at their times together with joints.";
  info.source = "thompson2003";
  info.capabilities = {true, true, true,
                       true, true, {Integrator::kExplicitEuler, Integrator::kSemiImplicitEuler, Integrator::kRk4}};
  info.options = option_table();
  info.make2 = make<2>;
  info.make3 = make<3>;
  return info;
}

}  // namespace touchstone

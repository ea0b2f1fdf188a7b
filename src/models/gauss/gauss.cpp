// The model `gauss`: its options, and which of its parts they ask for.
#include "models/gauss/gauss.h"

#include "models/gauss/gauss_stepping.h"
#include "touchstone/error.h"

namespace touchstone {
namespace {

GaussProgramOptions read_program_options(const Options& o) {
  GaussProgramOptions out;
  const int facets = static_cast<int>(integer_option(o, "facets"));
  if (facets % 2)
    throw Error(ErrorKind::kBadInput,
                "model 'gauss': option facets is " + std::to_string(facets) + "; it must be even");
  out.facets = std::get<std::string>(o.at("friction")) == "cone" ? facets : 0;
  out.tolerance = number_option(o, "tolerance");
  out.max_iterations = integer_option(o, "max_iterations");
  return out;
}

BodyPointOptions read_body_options(const Options& o) {
  BodyPointOptions out;
  const std::string bodies = std::get<std::string>(o.at("bodies")), bars = std::get<std::string>(o.at("bars"));
  out.bodies = bodies == "nine_points" ? BodyForm::kNinePoints
               : bodies == "corners"   ? BodyForm::kCorners
               : bodies == "lumped"    ? BodyForm::kLumped
                                       : BodyForm::kReduced;
  out.lengths = std::get<std::string>(o.at("lengths")) == "last" ? LengthForm::kLast : LengthForm::kStart;
  out.independent = bars == "independent";
  if (bars == "penalty") out.bars = {BarForm::kPenalty, number_option(o, "penalty")};
  if (bars == "penalty" && out.lengths == LengthForm::kLast)
    throw Error(ErrorKind::kBadInput,
                "model 'gauss': option bars is penalty, which holds the lengths of the start; lengths must be start");
  return out;
}

template <int D>
std::unique_ptr<ContactModel<D>> make(const Options& o) {
  const GaussProgramOptions program = read_program_options(o);
  constexpr double kSticks = 1e-8, kNothingSticks = -1;  // [m/s]
  const SteppingOptions stepping = read_stepping_options(o, program.facets > 0 ? kSticks : kNothingSticks);
  const BodyPointOptions bodies = read_body_options(o);
  if (std::get<std::string>(o.at("form")) == "position")
    return std::make_unique<GaussPositions<D>>(stepping, program, bodies);
  const bool mean = std::get<std::string>(o.at("update")) == "mean";
  return std::make_unique<GaussAccelerations<D>>(stepping, program, bodies,
                                                 AccelerationOptions{number_option(o, "touching"), mean});
}

TableSpec option_table() {
  TableSpec t{"model = \"gauss\"", "See docs/models/gauss.md.", {}};
  const auto choice = [&](const char* name, std::vector<std::string> choices, const char* help) {
    add_option(t, name, ValueType::kString, "", choices.front().c_str(), help);
    t.keys.back().choices = std::move(choices);
  };
  choice("form", {"position", "acceleration"},
         "Unknowns of the program: new positions (figure 7 of the paper), or accelerations (figure 6).");
  choice(
      "update", {"end", "mean"},
      "With form = acceleration: positions advance by the new velocities (3.1), or by the mean of old and new ones.");
  add_option(t, "touching", ValueType::kNumber, "m", "1e-6",
             "With form = acceleration: a gap up to this one is closed.");
  choice(
      "bodies", {"reduced", "nine_points", "corners", "lumped"},
      "Unknowns of a body: 3 in 2D and 6 in 3D; or points with bars: 3 x 3 of a box in 2D, the corners, or any convex "
      "body's.");
  choice("bars", {"equations", "independent", "penalty"},
         "Bars of points: all as equations, the independent ones as equations, or a penalty in the objective.");
  add_option(t, "penalty", ValueType::kNumber, "", "100",
             "With bars = penalty: the factor M, relative to the masses at the ends of a bar and its squared length.");
  choice("lengths", {"start", "last"},
         "Lengths of bars: those at the start (L''), or those of the step before less the turn (L').");
  choice("friction", {"none", "cone"},
         "`none`, as in the paper; or the friction cone in the program: the associated law, under which sliding "
         "contacts lift off.");
  add_option(t, "facets", ValueType::kInteger, "", "8",
             "With friction = cone: sides of the pyramid that replaces the cone in 3D; even. In 2D two are exact.");
  t.keys.back().minimum = ProblemAsQp::kLeastFacets;
  t.keys.back().maximum = ProblemAsQp::kMostFacets;
  add_option(t, "tolerance", ValueType::kNumber, "", "1e-11",
             "Bound on the certificate of each program: primal and dual residual and gap, relative.");
  add_option(t, "max_iterations", ValueType::kInteger, "", "500",
             "Greatest number of factorisations of a program; a step that needs more is reported.");
  add_stepping_options(t);
  for (KeySpec& key : t.keys)
    if (key.name == "slop")
      key.default_text = "1e-4",
      key.help = "Penetration that the program removes, a fifth in a step; deeper bodies are moved apart.";
  return t;
}

}  // namespace

ModelInfo gauss_model() {
  ModelInfo info;
  info.name = "gauss";
  info.summary = "Gauss' principle of least restraint: each step one quadratic program with a certificate.";
  info.source = "rote2012";
  info.capabilities = {true, false, true, true, true, {Integrator::kSemiImplicitEuler}};
  info.options = option_table();
  info.make2 = make<2>;
  info.make3 = make<3>;
  return info;
}

}  // namespace touchstone

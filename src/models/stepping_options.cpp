#include "models/stepping_options.h"

namespace touchstone {

void add_option(TableSpec& table, const char* name, ValueType type, const char* unit, const char* fallback,
                const char* help) {
  KeySpec k;
  k.name = name, k.type = type, k.unit = unit, k.default_text = fallback, k.help = help;
  if (type == ValueType::kNumber) k.minimum = 0, k.minimum_excluded = true;
  if (type == ValueType::kInteger) k.minimum = 1;
  table.keys.push_back(k);
}

void add_stepping_options(TableSpec& table) {
  add_option(table, "joint_tolerance", ValueType::kNumber, "m", "1e-9",
             "Errors of joints at the end of a step, in m or rad.");
  add_option(table, "bounce_gap", ValueType::kNumber, "m", "1e-6",
             "Contacts slower than √(2·g·bounce_gap), or than g times the step, do not bounce.");
  add_option(table, "push_speed", ValueType::kNumber, "m/s", "0.5",
             "Greatest speed at which overlapping bodies are pushed apart.");
  add_option(table, "slop", ValueType::kNumber, "m", "1e-7", "Penetration that is left alone.");
  add_option(table, "margin", ValueType::kNumber, "m", "0.01", "Distance at which contacts are detected.");
}

void add_restitution_law(TableSpec& table) {
  add_option(
      table, "restitution_law", ValueType::kString, "", "newton",
      "Restitution is the share that comes back of the normal velocity (Newton), of the normal impulse (Poisson) "
      "or, its square, of the work of the normal impulse (energetic, after Stronge).");
  table.keys.back().choices = {"newton", "poisson", "energetic"};
}

RestitutionLaw read_restitution_law(const Options& o) {
  return o.contains("restitution_law") ? restitution_law_of(std::get<std::string>(o.at("restitution_law")))
                                       : RestitutionLaw::kNewton;
}

SteppingOptions read_stepping_options(const Options& o, double slip_speed) {
  SteppingOptions out{number_option(o, "joint_tolerance"), number_option(o, "bounce_gap"),
                      number_option(o, "push_speed"),      number_option(o, "slop"),
                      number_option(o, "margin"),          slip_speed};
  out.law = read_restitution_law(o);
  return out;
}

}  // namespace touchstone

#include "models/impulse/impulse_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "models/stepping_options.h"
#include "touchstone/error.h"

namespace touchstone {
namespace {

ImpulseOptions preset_of(const std::string& name) {
  ImpulseOptions o{};
  o.timing = ImpulseTiming::kFixed;
  o.push_speed = 0.5;
  o.lift_passes = 2, o.no_gains = true;
  o.sleep_time = 0.5, o.sleep_speed = 0.01;
  if (name == "accurate") {
    o.tolerance = 1e-6, o.aim = 1e-4, o.rest_gap = 0;
    o.substeps = 1, o.max_substep = 1, o.short_substep = 0.5, o.longer_if_cut = 1;
    o.min_iterations = 2, o.iterations = 50, o.max_iterations = 500;
    o.margin = 0.01, o.correction_sweeps = 20, o.slack = 0.005, o.reuse = o.short_reuse = 0;
    o.newton_bodies = 400, o.newton_target = 0.1, o.newton_products = 2e6, o.newton_speed = 1e9;
    o.verlet = true, o.predict_contacts = true, o.single = false;
  } else {
    o.tolerance = 1e-4, o.aim = 1e-6, o.rest_gap = 1e-5;
    o.substeps = 0, o.max_substep = 1.0 / 180, o.short_substep = 1.0 / 360, o.longer_if_cut = 1.5;
    o.min_iterations = 2, o.iterations = 4, o.max_iterations = 12;
    o.margin = 0.003, o.correction_sweeps = 4, o.slack = 0.5, o.reuse = 2e-4, o.short_reuse = 1e-4;
    o.newton_bodies = 500, o.newton_target = 1e-5, o.newton_products = 5e4, o.newton_speed = 0.01;
    o.single = true, o.lift_passes = 1;
    if (name == "fast") {
      o.tolerance = 1e-3, o.slack = 0.05, o.min_iterations = 1, o.iterations = 2, o.max_iterations = 2;
      o.longer_if_cut = 1, o.lift_passes = 2, o.no_gains = false;
    }
  }
  return o;
}

ImpulseTiming timing_of(const std::string& name) {
  if (name == "fixed") return ImpulseTiming::kFixed;
  if (name == "events") return ImpulseTiming::kEvents;
  throw Error(ErrorKind::kBadInput, fmt::format("model 'impulse': timing is '{}'; it must be fixed or events", name));
}

bool verlet_of(const std::string& name) {
  if (name == "euler") return false;
  if (name == "verlet") return true;
  throw Error(ErrorKind::kBadInput, fmt::format("model 'impulse': scheme is '{}'; it must be euler or verlet", name));
}

bool single_of(const std::string& name) {
  if (name == "single") return true;
  if (name == "double") return false;
  throw Error(ErrorKind::kBadInput,
              fmt::format("model 'impulse': precision is '{}'; it must be single or double", name));
}

// The options of the table as they would be given.
Options given_as(const ImpulseOptions& o) {
  return {{"tolerance", o.tolerance},
          {"substeps", o.substeps},
          {"max_substep", o.max_substep},
          {"min_iterations", o.min_iterations},
          {"iterations", o.iterations},
          {"max_iterations", o.max_iterations},
          {"timing", std::string(o.timing == ImpulseTiming::kEvents ? "events" : "fixed")},
          {"scheme", std::string(o.verlet ? "verlet" : "euler")},
          {"precision", std::string(o.single ? "single" : "double")},
          {"push_speed", o.push_speed},
          {"slip_speed", o.slip_speed},
          {"margin", o.margin},
          {"correction_sweeps", o.correction_sweeps},
          {"shock_propagation", o.shock_propagation},
          {"sleep", o.sleep},
          {"sleep_time", o.sleep_time},
          {"sleep_speed", o.sleep_speed},
          {"restitution_law", std::string("newton")}};
}

}  // namespace

std::vector<ModelPreset> impulse_presets() {
  std::vector<ModelPreset> out;
  for (const char* name : {"accurate", "default", "fast"}) {
    out.push_back({name, given_as(preset_of(name))});
    out.back().values["preset"] = std::string(name);
  }
  return out;
}

ImpulseOptions read_impulse_options(const Options& o) {
  ImpulseOptions out = preset_of(std::get<std::string>(o.at("preset")));
  const auto number = [&](const char* name, double& value) {
    if (o.contains(name)) value = number_option(o, name);
  };
  const auto integer = [&](const char* name, std::int64_t& value) {
    if (o.contains(name)) value = integer_option(o, name);
  };
  const auto flag = [&](const char* name, bool& value) {
    if (o.contains(name)) value = std::get<bool>(o.at(name));
  };
  number("tolerance", out.tolerance);
  number("max_substep", out.max_substep);
  out.short_substep = std::min(out.short_substep, 0.5 * out.max_substep);
  number("push_speed", out.push_speed);
  number("margin", out.margin);
  number("slip_speed", out.slip_speed);
  if (out.slip_speed > 0) out.newton_bodies = 0;  // which is for Coulomb's law
  integer("substeps", out.substeps);
  integer("min_iterations", out.min_iterations);
  integer("max_iterations", out.max_iterations);
  integer("iterations", out.iterations);
  integer("correction_sweeps", out.correction_sweeps);
  flag("shock_propagation", out.shock_propagation);
  flag("sleep", out.sleep);
  number("sleep_time", out.sleep_time);
  number("sleep_speed", out.sleep_speed);
  out.law = read_restitution_law(o);
  if (o.contains("scheme")) out.verlet = verlet_of(std::get<std::string>(o.at("scheme")));
  if (o.contains("precision")) out.single = single_of(std::get<std::string>(o.at("precision")));
  if (o.contains("timing")) out.timing = timing_of(std::get<std::string>(o.at("timing")));
  return out;
}

TableSpec impulse_option_table() {
  TableSpec t{
      "model = \"impulse\"", "See docs/models/impulse.md. Options that are not given follow from the preset.", {}};
  const auto key = [&](const char* name, ValueType type, const char* unit, const char* help) -> KeySpec& {
    KeySpec k;
    k.name = name, k.type = type, k.unit = unit, k.help = help;
    t.keys.push_back(k);
    return t.keys.back();
  };
  const auto positive = [&](const char* name, const char* unit, const char* help) {
    KeySpec& k = key(name, ValueType::kNumber, unit, help);
    k.minimum = 0, k.minimum_excluded = true;
  };
  KeySpec& preset = key("preset", ValueType::kString, "",
                        "`accurate` (tolerance 1e-6 m), `default` (1e-4 m) or `fast` (two sweeps a substep).");
  preset.default_text = "default", preset.choices = {"accurate", "default", "fast"};
  positive("tolerance", "m", "Allowed penetration and slip of a contact at the end of a substep.");
  key("substeps", ValueType::kInteger, "", "Substeps of a step; 0: as many as `max_substep` requires.").minimum = 0;
  positive("max_substep", "s",
           "Longest substep if `substeps` is 0; with `default` 1.5 times as long in a step that is cut.");
  key("min_iterations", ValueType::kInteger, "",
      "Least number of sweeps (Gauss-Seidel passes over all contacts) in a substep.")
      .minimum = 1;
  key("iterations", ValueType::kInteger, "", "Number of sweeps after which a substep within the tolerance ends.")
      .minimum = 1;
  key("max_iterations", ValueType::kInteger, "", "Greatest number of sweeps; a step that needs more is reported.")
      .minimum = 1;
  key("timing", ValueType::kString, "",
      "`fixed`: collisions are handled in the step they are found in. `events`: at their time of impact.")
      .choices = {"fixed", "events"};
  key("scheme", ValueType::kString, "",
      "`euler`: forces act before the motion. `verlet`: half before and half after it, with a solve each; second "
      "order.")
      .choices = {"euler", "verlet"};
  key("precision", ValueType::kString, "",
      "`single`: sweeps compute changes within a substep in single precision, and sums in double precision; worlds "
      "with joints always use double. `double`: everything in double precision.")
      .choices = {"single", "double"};
  positive("push_speed", "m/s", "Greatest speed at which overlapping bodies are pushed apart.");
  key("slip_speed", ValueType::kNumber, "m/s",
      "Above 0, friction at the slip u is μ·N·u/√(u² + slip_speed²), as at a contact that spins about its normal. 0: "
      "Coulomb's law, under which contacts stick. Collisions with restitution always have Coulomb's law.")
      .minimum = 0;
  positive("margin", "m", "Distance at which contacts are detected.");
  key("correction_sweeps", ValueType::kInteger, "", "Greatest number of position correction sweeps in a step.")
      .minimum = 0;
  const auto with_default = [&](const char* name, ValueType type, const char* unit, const char* text,
                                const char* help) { key(name, type, unit, help).default_text = text; };
  add_restitution_law(t);
  with_default("shock_propagation", ValueType::kBool, "", "false",
               "Whether a pass from static bodies upwards corrects velocities after the sweeps, with lower bodies "
               "treated as fixed. Stacks sink less with few sweeps, but lower bodies receive no reaction: momentum is "
               "not conserved, which the yardstick reports.");
  with_default("sleep", ValueType::kBool, "", "false",
               "Whether resting islands are not solved until they are disturbed.");
  with_default("sleep_time", ValueType::kNumber, "s", "0.5",
               "Time for which all bodies of an island must be slower than `sleep_speed` before it falls asleep.");
  t.keys.back().minimum = 0;
  with_default("sleep_speed", ValueType::kNumber, "m/s", "0.01",
               "Speed plus angular speed times radius below which a body counts as resting.");
  t.keys.back().minimum = 0, t.keys.back().minimum_excluded = true;
  return t;
}

std::int64_t substeps_of(double length, double longest) {
  constexpr double kMost = 1e9;
  const double wanted = std::max(1.0, std::ceil(length / longest - 1e-9));
  if (!(wanted <= kMost))
    throw Error(
        ErrorKind::kUnstable,
        fmt::format("model 'impulse': a step of {:g} s needs {:.3g} substeps of at most {:.3g} s (max_substep); "
                    "at most {:g} are possible. Take a smaller step",
                    length, wanted, longest, kMost));
  return std::llround(wanted);
}

}  // namespace touchstone

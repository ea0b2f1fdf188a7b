// verify: what the yardstick found in a recording, and whether it is within bounds.
#include <fmt/format.h>

#include <cmath>

#include "command.h"
#include "study/verify.h"

namespace touchstone::app {
namespace {

struct VerifyArguments {
  Output output;
  std::string recording;
  std::optional<double> max_residual;
  std::vector<std::string> most;  // NAME=VALUE
};

std::vector<MeasureBound> bounds_of(const VerifyArguments& a, const Verification& found) {
  std::vector<MeasureBound> bounds;
  const auto add = [&](const std::string& name, double most, const std::string& given) {
    if (!(most >= 0)) throw Error(ErrorKind::kBadInput, fmt::format("{}: the bound must be a number >= 0", given));
    bounds.push_back({found.of(name).info->name, most});
  };
  if (a.max_residual)
    for (const char* name : headline_measures()) add(name, *a.max_residual, "--max-residual");
  for (const std::string& text : a.most) {
    const std::size_t equals = text.find('=');
    char* end = nullptr;
    const double value = equals == std::string::npos ? -1 : std::strtod(text.c_str() + equals + 1, &end);
    if (!end || *end != '\0' || end == text.c_str() + equals + 1)
      throw Error(ErrorKind::kBadInput, fmt::format("--max {}: expected NAME=VALUE, such as penetration=1e-4", text));
    add(text.substr(0, equals), value, "--max " + text);
  }
  return bounds;
}

// One number for each way in which a run can be wrong.
std::string headline(const Verification& found) {
  const auto worst = [&](const char* name) { return found.of(name).worst; };
  return fmt::format(
      "natural map {:.3g}, joints open by {:.3g} of the smaller body, energy without a cause {:.3g} of the energy in "
      "motion, greatest slip of a sticking contact {}\n",
      worst("natural_map"), worst("joint_position_ratio"), worst("energy_error"),
      with_unit(worst("gathered_slip"), "m"));
}

std::string table(const Verification& found) {
  std::string text = fmt::format("{:<22}{:>12}{:>12}  {:<5}{:>9}{:>12}  {}\n", "measure", "worst", "mean", "unit",
                                 "at step", "time [s]", "bodies");
  for (const MeasureSummary& m : found.measures) {
    const std::string unit = m.info->unit;
    // "·" is two bytes and one column.
    const std::string padding(unit.size() < 5 ? 5 - unit.size() + (unit.find("·") != std::string::npos) : 1, ' ');
    if (m.worst > 0)
      text += fmt::format("{:<22}{:>12.3g}{:>12.3g}  {}{}{:>9}{:>12.6g}  {}\n", m.info->name, m.worst, m.mean, unit,
                          padding, m.step, m.time, bodies_text(m));
    else
      text += fmt::format("{:<22}{:>12}{:>12}  {}\n", m.info->name, 0, 0, unit);
  }
  return text;
}

Json json_of(const MeasureSummary& m) {
  return {{"unit", m.info->unit}, {"worst", m.worst},   {"mean", m.mean},    {"step", m.step},
          {"time", m.time},       {"body_a", m.body_a}, {"body_b", m.body_b}};
}

int verify(const VerifyArguments& a) {
  const Recording recording = Recording::open(a.recording);
  const Verification found = verify_recording(recording);
  const std::vector<MeasureBound> bounds = bounds_of(a, found);
  Json j{{"file", a.recording}, {"model", recording.info().model}, {"steps", found.steps}, {"judged", found.judged}};
  for (const MeasureSummary& m : found.measures) j["measures"][m.info->name] = json_of(m);
  std::string text = fmt::format("{}: {}, model {}; {} of {} measured\n", a.recording, recording.info().scene_name,
                                 recording.info().model, found.judged, counted(found.steps, "step"));
  text += headline(found) + add_not_converged(recording, j) + table(found);
  const std::string& model = recording.info().model;
  const std::vector<Finding> broken = findings_above(found, bounds, model);
  const std::vector<Finding> usual = bounds.empty() ? findings_above(found, usual_bounds(), model) : broken;
  j["energy_scale"] = found.energy_scale;
  j["findings"] = findings_json(usual);
  j["passed"] = broken.empty();
  for (const Finding& f : usual)
    if (bounds.empty()) text += "finding: " + f.text + "\n";
  if (!bounds.empty() && broken.empty()) text += "all within their bounds\n";
  a.output.print(j, text);
  for (const Finding& f : broken) tell("touchstone: {}\n", f.text);
  return broken.empty() ? kOk : kDiffer;
}

}  // namespace

void add_verify(CLI::App& app, int& code) {
  auto a = std::make_shared<VerifyArguments>();
  CLI::App* word = app.add_subcommand(
      "verify",
      "Measure a recording against the laws of contact, joints and energy: greatest value and mean of each measure");
  word->add_option("recording", a->recording, "Recording")->required();
  word->add_option(
      "--max-residual", a->max_residual,
      "Exit code 1 if natural_map, joint_position_ratio, energy_error or gathered_slip_ratio is above this");
  word->add_option("--max", a->most, "Exit code 1 if a measure is above this, e.g. --max penetration=1e-4 (repeatable)")
      ->allow_extra_args(false);
  a->output.add_to(*word);
  word->footer(
      "\ndocs/yardstick.md explains the measures. Without bounds, measures above the usual bounds are listed as "
      "findings,\n"
      "and the exit code is 0. natural_map measures all laws of contact at once: direct solvers reach 1e-10, "
      "iterative\n"
      "solvers 1e-6, barrier methods 1e-4. Penalty springs do not aim at it.");
  word->callback([a, &code] { code = verify(*a); });
}

}  // namespace touchstone::app

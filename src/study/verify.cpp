#include "study/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/text.h"
#include "io/scene/reader.h"
#include "study/compare/scene_facts.h"
#include "touchstone/error.h"

namespace touchstone {
namespace {

constexpr const char* kJudged = "judged_steps";

std::string body_name(const Recording& recording, double slot) {
  if (!(slot >= 0)) return "";
  const std::vector<std::string>& names = recording.info().body_names;
  const auto index = static_cast<std::size_t>(slot);
  return index < names.size() ? names[index] : fmt::format("slot {}", index);
}

MeasureSummary summarise(const Recording& recording, const std::vector<double>& steps, const MeasureInfo& info) {
  const std::string name = info.name;
  const std::vector<double> worst = recording.series(name), mean = recording.series(name + "_mean");
  MeasureSummary out;
  out.info = &info;
  std::size_t at = worst.size();
  double judged = 0;
  for (std::size_t i = 0; i < worst.size(); ++i) {
    if (std::isnan(worst[i]) || !(steps[i] > 0)) continue;
    judged += steps[i];
    out.mean += steps[i] * mean[i];
    if (at == worst.size() || worst[i] > out.worst) out.worst = worst[i], at = i;
  }
  if (at == worst.size()) return out;
  out.mean /= judged;
  out.step = static_cast<std::uint64_t>(recording.series(name + "_step")[at]);
  out.time = static_cast<double>(out.step) * recording.info().step_size;
  out.body_a = body_name(recording, recording.series(name + "_a")[at]);
  out.body_b = body_name(recording, recording.series(name + "_b")[at]);
  return out;
}

// Σ m·g·size, from the scene that the recording holds; 0 where it holds none.
double weight_energy(const RecordingInfo& info) {
  if (info.scene_text.empty()) return 0;
  std::vector<SceneOverride> overrides;
  for (const auto& [key, value] : info.overrides) overrides.push_back({key, value});
  try {
    SceneLimits limits;
    limits.controllers = false;
    const SceneDescription scene =
        load_scene_text(info.scene_text, info.scene_path, overrides, limits, info.scene_files).scene;
    return compare::scene_facts(Simulation(scene), scene).weight_energy;
  } catch (const Error&) {  // of another version of the format
    return 0;
  }
}

MeasureSummary energy_error(const Recording& recording, double& scale) {
  const std::vector<double> balance = recording.series("energy_balance"), energy = recording.series("energy");
  double kinetic = 0, greatest = 0;
  for (const double k : recording.series("kinetic_energy"))
    if (k > kinetic) kinetic = k;
  for (const double e : energy)
    if (std::abs(e) > greatest) greatest = std::abs(e);
  const double weight = weight_energy(recording.info()), reference = energy_reference(kinetic, weight, greatest);
  scale = std::max(kinetic, weight);
  MeasureSummary out;
  out.info = &energy_error_info();
  std::size_t at = 0;
  for (std::size_t i = 0; i < balance.size(); ++i) {
    const double error = std::isfinite(balance[i]) ? std::abs(balance[i]) : HUGE_VAL;
    const double relative = error > 0 ? error / reference : 0.0;
    out.mean += relative / static_cast<double>(balance.size());
    if (relative > out.worst) out.worst = relative, at = i;
  }
  if (out.worst > 0) out.step = recording.frames()[at].step, out.time = recording.frames()[at].time;
  return out;
}

[[noreturn]] void nothing_measured(const Recording& recording) {
  const RecordingInfo& info = recording.info();
  const bool off = !info.record.yardstick;
  const std::string remedy = info.scene_path.empty()
                                 ? "call Simulation::set_yardstick(true) before the steps"
                                 : fmt::format("run it again: touchstone run {} --set record.yardstick=true -o {}",
                                               info.scene_path, recording.path());
  throw Error(ErrorKind::kBadInput, fmt::format("{} holds no measures: {}; {}", recording.path(),
                                                off ? "the yardstick was off when it was recorded"
                                                : recording.steps().size() < 2 ? "no step was simulated yet"
                                                                               : "no step was measured",
                                                remedy));
}

}  // namespace

double energy_reference(double kinetic, double weight_energy, double greatest_energy) {
  // Where bodies never move and no scene says how heavy they are, rounding of the energy is no error.
  constexpr double kRounding = 1e-9;
  return std::max({kinetic, weight_energy, kRounding * greatest_energy});
}

const MeasureInfo& energy_error_info() {
  static const MeasureInfo info{
      "energy_error", "", "energy that nothing accounts for: |energy balance| over the energy in motion", nullptr};
  return info;
}

std::span<const char* const> headline_measures() {
  static constexpr std::array kHeadline{"natural_map", "joint_position_ratio", "energy_error", "gathered_slip_ratio"};
  return kHeadline;
}

// 0.1 % of the speed, of the smaller body, and 5 % of the energy in motion: what a reader of the numbers would notice;
// first-order integrators have h·g/v of an energy error by nature.
std::span<const MeasureBound> usual_bounds() {
  static const std::array kBounds{MeasureBound{"penetration_ratio", 1e-3}, MeasureBound{"joint_position_ratio", 1e-3},
                                  MeasureBound{"energy_error", 5e-2}, MeasureBound{"gathered_slip_ratio", 1e-3},
                                  MeasureBound{"impact_gain", 1e-3}};
  return kBounds;
}

std::string bodies_text(const MeasureSummary& m) {
  if (m.body_a.empty() && m.body_b.empty()) return "";
  // A joint has two sides; where no body is on one of them it is the world. Momentum is that of one body.
  if (m.body_a.empty()) return "the world, " + m.body_b;
  if (m.body_b.empty()) return m.body_a + (std::string(m.info->name).starts_with("joint_") ? ", the world" : "");
  return m.body_a + ", " + m.body_b;
}

std::vector<Finding> findings_above(const Verification& found, std::span<const MeasureBound> bounds,
                                    const std::string& model) {
  std::vector<Finding> out;
  for (const MeasureBound& b : bounds) {
    const MeasureSummary& m = found.of(b.measure);
    if (!(m.worst > b.most)) continue;
    Finding f;
    f.kind = m.info->name, f.model = model;
    for (const std::string& name : {m.body_a, m.body_b})
      if (!name.empty()) f.bodies.push_back(name);
    f.time = m.time, f.value = m.worst, f.unit = m.info->unit, f.bound = b.most;
    const std::string who = bodies_text(m);
    f.text =
        fmt::format("{} is {:.3g}{}{} in step {} (t = {:.6g} s){}, above the bound of {:g}", m.info->name, m.worst,
                    *m.info->unit ? " " : "", m.info->unit, m.step, m.time, who.empty() ? "" : " at " + who, b.most);
    out.push_back(f);
  }
  return out;
}

const MeasureSummary& Verification::of(const std::string& name) const {
  std::vector<std::string> names;
  for (const MeasureSummary& m : measures) {
    if (name == m.info->name) return m;
    names.emplace_back(m.info->name);
  }
  throw Error(ErrorKind::kBadInput, fmt::format("there is no measure '{}'{}; there are {}", name,
                                                did_you_mean(name, names), fmt::join(names, ", ")));
}

NotConverged count_not_converged(const Recording& recording) {
  NotConverged out;
  const std::vector<double> status = recording.series("status");
  for (std::size_t i = 0; i < status.size(); ++i) {
    if (recording.frames()[i].step == 0) continue;
    ++out.of;
    if (status[i] == static_cast<double>(StepStatus::kNotConverged) && out.steps++ == 0)
      out.first_time = recording.frames()[i].time;
  }
  return out;
}

bool has_measures(const Recording& recording) {
  for (const double steps : recording.series(kJudged))
    if (steps > 0) return true;
  return false;
}

Verification verify_recording(const Recording& recording) {
  Verification out;
  out.steps = recording.steps().empty() ? 0 : static_cast<std::size_t>(recording.steps().back().step);
  const std::vector<double> steps = recording.series(kJudged);
  for (const double each : steps)
    if (each > 0) out.judged += static_cast<std::size_t>(each);
  if (out.judged == 0) nothing_measured(recording);
  for (const MeasureInfo& info : measure_infos()) out.measures.push_back(summarise(recording, steps, info));
  out.measures.push_back(energy_error(recording, out.energy_scale));
  return out;
}

}  // namespace touchstone

#include "study/verify.h"

#include <fmt/format.h>

#include <cmath>

#include "base/text.h"
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
                                                                               : "no step was judged",
                                                remedy));
}

}  // namespace

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
  return out;
}

}  // namespace touchstone

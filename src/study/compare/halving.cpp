// Purpose: estimates the error of a run's end from runs of the same model with halved steps.
// Source: the usual estimate by halving (L. F. Richardson, 1911), with the order taken as one.
// Letters: h step, x(h) end, d = ‖x(h₁) − x(h₂)‖: for order one, ‖x(h₂) − x(0)‖ = d·h₂/(h₁ − h₂).
// Deviations: the order is not measured; models of higher order have a smaller error than is said.
// Fails: where ends do not come nearer to each other (small differences grow), there is no estimate.
#include "study/compare/halving.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>

#include "models/impulse/impulse_options.h"
#include "models/registry.h"
#include "study/compare/impact_log.h"
#include "study/runner.h"

namespace touchstone::compare {
namespace {

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point t) { return std::chrono::duration<double>(Clock::now() - t).count(); }

constexpr double kNotTighter = 1e-9;  // tolerances below it are near rounding already
constexpr double kSlower = 2.5;       // time of a run over that of the one with twice its step: 2, and some for chance

void put(std::vector<SceneOverride>& overrides, const std::string& key, double value) {
  const std::string text = fmt::format("{}", value);
  for (SceneOverride& each : overrides)
    if (each.key == key) return void(each.value = text);
  overrides.push_back({key, text});
}

// The option that says how exactly a model solves, and its value in this run; 0: it has none. Mirtich's bodies collide
// within an `envelope`. The springs of a penalty
// model are its tolerance: bodies sink in by `sag`.
std::pair<std::string, double> tolerance_of(const PlannedRun& run) {
  const ModelInfo& model = find_model(run.model);
  const Options options = complete_options(model, run.loaded.scene.model.options);
  if (run.model == "impulse") return {"tolerance", read_impulse_options(options).tolerance};
  for (const char* name : {"tolerance", "sag", "envelope"})
    if (options.contains(name)) return {name, number_option(options, name)};
  return {"", 0};
}

LoadedScene halved_scene(const HalvingTask& task, int level, std::vector<SceneOverride>& overrides) {
  const PlannedRun& run = *task.run;
  const std::int64_t parts = std::int64_t{1} << level;
  overrides = run.overrides;
  put(overrides, "simulation.step", run.step / static_cast<double>(parts));
  put(overrides, "simulation.duration", task.end);
  put(overrides, "record.every", static_cast<double>(run.loaded.scene.record.every * parts));
  const auto [option, value] = tolerance_of(run);
  const double tight = std::max(value / std::pow(kTighter, level), std::min(value, kNotTighter));
  if (!option.empty() && tight < value) put(overrides, "model." + option, tight);
  return load_scene_text(run.loaded.text, task.scene, overrides, {}, run.loaded.files);
}

// One run; its end in `end`. False: it did not reach its end, and the state says why.
bool run_level(const HalvingTask& task, int level, RunState& state, const std::atomic<bool>& stop, Frame& end) {
  std::vector<SceneOverride> overrides;
  const LoadedScene loaded = halved_scene(task, level, overrides);
  Simulation simulation(loaded.scene);
  state.total = steps_for(loaded.scene.duration, simulation.step_size());
  state.done = 0, state.level = level;
  const std::string& path = task.paths[static_cast<std::size_t>(level)];
  RecordingWriter recorder(path, recording_info(simulation, loaded, task.scene, overrides));
  ImpactLog impacts(*task.facts);
  RunOptions options;
  options.progress = [&](const Simulation&, std::uint64_t, std::uint64_t) { return !stop; };
  options.stop = &stop;
  options.each_step = [&](const StepReport& r) {
    impacts.observe(simulation);
    state.done = r.step, state.time = r.time;
  };
  const RunSummary summary = run_simulation(simulation, loaded.scene.duration, loaded.scene.record, &recorder, options);
  recorder.finish(summary.finished);
  if (!summary.finished) {
    const std::string step = fmt::format("the run with h/{}", 1 << level);
    if (summary.failure)
      state.fail(Outcome::kStopped, fmt::format("{} stopped: {}", step, summary.failure->what()));
    else
      state.fail(state.out_of_time ? Outcome::kCutOff : Outcome::kInterrupted, step + " was not finished");
    return false;
  }
  write_events(impacts.events(), events_path(path));
  capture_frame(simulation, loaded.scene.record, end);
  return true;
}

}  // namespace

Frame last_frame(const std::string& path) {
  const Recording recording = Recording::open(path);
  if (recording.frame_count() == 0) throw Error(ErrorKind::kBadInput, path + " holds no frames");
  return recording.read_frame(recording.frame_count() - 1);
}

std::string events_path(const std::string& recording) { return recording + ".impacts"; }

double halving_error(const std::vector<double>& steps, const std::vector<double>& differences) {
  if (differences.size() < 2) return std::numeric_limits<double>::quiet_NaN();
  double error = 0;
  for (std::size_t k = differences.size() - 2; k < differences.size(); ++k)
    error = std::max(error, differences[k] * steps.back() / (steps[k] - steps[k + 1]));
  return error;
}

bool does_not_shrink(const std::vector<double>& d) {
  const std::size_t n = d.size();
  return n >= 4 && std::max(d[n - 1], d[n - 2]) > 0.5 * std::max(d[0], d[1]);
}

void halve(const HalvingTask& task, RunState& state, const std::atomic<bool>& stop) {
  const auto begin = Clock::now();
  std::vector<double> steps{task.run->step}, differences;
  Frame before = last_frame(task.paths.front()), end;
  double last = task.before;
  for (int level = 1; level < static_cast<int>(task.paths.size()); ++level) {
    const double left = task.seconds - seconds_since(begin);
    if (kSlower * last > left)
      return state.fail(Outcome::kCutOff,
                        fmt::format("the run with h/{} would take about {:.2g} s, and {:.2g} s are left", 1 << level,
                                    kSlower * last, std::max(0.0, left)));
    const auto started = Clock::now();
    if (!run_level(task, level, state, stop, end)) return;
    last = seconds_since(started);
    steps.push_back(0.5 * steps.back());
    differences.push_back(state_distance(*task.facts, before, end).mean);
    state.levels = level;
    if (halving_error(steps, differences) <= kSettled * task.facts->size || does_not_shrink(differences)) break;
    std::swap(before, end);
  }
  state.outcome = Outcome::kFinished;
}

Halving measure_halving(const SceneFacts& facts, const std::vector<double>& steps,
                        const std::vector<std::string>& recordings) {
  Halving out;
  out.steps = steps;
  out.recordings = recordings;
  Frame before = last_frame(recordings.front());
  for (std::size_t i = 1; i < recordings.size(); ++i) {
    Frame end = last_frame(recordings[i]);
    out.differences.push_back(state_distance(facts, before, end).mean);
    before = std::move(end);
  }
  out.error = halving_error(steps, out.differences);
  out.settled = out.error <= kSettled * facts.size;
  return out;
}

}  // namespace touchstone::compare

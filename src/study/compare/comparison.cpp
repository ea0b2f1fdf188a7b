#include "study/compare/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <thread>

#include "study/compare/convergence.h"
#include "study/compare/words.h"
#include "study/runner.h"

namespace touchstone::compare {
namespace {

namespace fs = std::filesystem;
constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

void count(const StepReport& r, RunState& state, std::vector<double>& times) {
  times.push_back(r.wall_time);
  state.wall_time += r.wall_time;
  state.most_contacts = std::max(state.most_contacts, r.contacts);
  state.substeps += r.substeps;
  state.iterations += r.iterations;
  state.most_iterations = std::max(state.most_iterations, r.iterations);
  if (r.status == StepStatus::kNotConverged && state.not_converged++ == 0) state.first_not_converged = r.step;
  if (std::abs(r.energy_balance) > state.largest_balance)
    state.largest_balance = std::abs(r.energy_balance), state.largest_balance_time = r.time;
  const double made = r.energy_balance + r.contact_work + r.contact_energy;
  if (made > state.energy_made) state.energy_made = made, state.energy_made_time = r.time;
  state.kinetic = std::max(state.kinetic, r.kinetic_energy);
  state.done = r.step;
  state.time = r.time;
}

void conclude(const RunSummary& summary, const Simulation& simulation, std::vector<double>& times, RunState& state) {
  if (!times.empty()) {
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::nth_element(times.begin(), middle, times.end());
    state.median_wall_time = *middle;
  }
  if (summary.finished) {
    state.outcome = Outcome::kFinished;
  } else if (summary.failure) {
    state.failed_step = simulation.step_count() + 1;
    state.fail(Outcome::kStopped, summary.failure->what());
  } else {
    state.fail(Outcome::kInterrupted, "interrupted");
  }
}

// What the process of one run does.
void work(const PlannedRun& run, const std::string& scene, const std::string& path, RunState& state,
          const std::atomic<bool>& stop) {
  Simulation simulation(run.loaded.scene);
  state.kinetic = simulation.report().kinetic_energy;
  const double duration = run.loaded.scene.duration;
  state.total = steps_for(duration, simulation.step_size());
  RecordingWriter recorder(path, recording_info(simulation, run.loaded, scene, run.overrides));
  std::vector<double> times;
  RunOptions options;
  options.progress = [&](const Simulation&, std::uint64_t, std::uint64_t) { return !stop; };
  options.stop = &stop;
  options.each_step = [&](const StepReport& r) { count(r, state, times); };
  const RunSummary summary = run_simulation(simulation, duration, run.loaded.scene.record, &recorder, options);
  recorder.finish(summary.finished);
  conclude(summary, simulation, times, state);
}

std::string file_name(const PlannedRun& run, bool study) {
  std::string name = study ? fmt::format("{}_dt_{:g}", run.label, run.step) : run.label;
  for (char& c : name)
    if (c == '/' || c == ':' || c == '=' || c == ' ') c = '_';
  return name + ".h5";
}

void read_recording(const SceneFacts& facts, ModelRun& run) {
  if (!fs::exists(run.recording)) {
    run.recording.clear();
    return;
  }
  const Recording recording = Recording::open(run.recording);
  if (has_measures(recording)) run.numbers.yardstick = verify_recording(recording);
  run.numbers.creep = measure_creep(recording, facts);
}

ModelRun judge(const PlannedRun& planned, const std::string& path, const RunState& state, const SceneFacts& facts) {
  ModelRun run;
  run.label = planned.label, run.model = planned.model;
  run.contacts = planned.contacts, run.compared = planned.compared;
  run.step = planned.step;
  run.outcome = state.outcome;
  run.failure = state.message;
  if (run.outcome == Outcome::kWaiting) run.failure = "interrupted before it was started";
  run.failed_step = state.failed_step;
  run.recording = path;
  RunNumbers& n = run.numbers;
  n.steps = state.done, n.total_steps = state.total, n.time = state.time;
  const double steps = static_cast<double>(n.steps);
  n.step_time_mean = n.steps ? state.wall_time / steps : kUnknown;
  n.step_time_median = state.median_wall_time > 0 ? state.median_wall_time : kUnknown;
  n.iterations_mean = n.steps ? static_cast<double>(state.iterations) / steps : kUnknown;
  n.iterations_most = static_cast<double>(state.most_iterations);
  n.not_converged = state.not_converged;
  n.not_converged_time = static_cast<double>(state.first_not_converged) * run.step;
  n.contacts_most = static_cast<double>(state.most_contacts);
  n.substeps_mean = n.steps ? static_cast<double>(state.substeps) / steps : kUnknown;
  n.energy_drift = n.steps ? state.largest_balance : kUnknown;
  n.energy_drift_time = state.largest_balance_time;
  n.energy_made = facts.driven || !n.steps ? kUnknown : state.energy_made;
  n.energy_made_time = state.energy_made_time;
  n.energy_scale = std::max(state.kinetic, facts.weight_energy);
  try {
    read_recording(facts, run);
  } catch (const Error& e) {  // of a crashed run
    run.failure += fmt::format("; its recording cannot be read: {}", e.what());
    run.recording.clear();
  }
  return run;
}

bool at_its_end(const ModelRun& run) { return run.outcome == Outcome::kFinished && !run.recording.empty(); }

double mean_natural_map(const ModelRun& run) {
  return run.numbers.yardstick ? run.numbers.yardstick->of("natural_map").mean : HUGE_VAL;
}

// The run that others are measured from; runs.size(): none.
std::size_t reference_run(const Comparison& c, const std::string& asked) {
  std::size_t best = c.runs.size();
  for (std::size_t i = 0; i < c.runs.size(); ++i) {
    const ModelRun& run = c.runs[i];
    if (!run.compared || !at_its_end(run) || (!asked.empty() && run.label != asked)) continue;
    if (asked.empty() && c.facts.can_touch && !run.contacts) continue;  // obeys no law of contact
    if (best == c.runs.size() || mean_natural_map(run) < mean_natural_map(c.runs[best])) best = i;
  }
  return best;
}

Frame last_frame(const std::string& path) {
  const Recording recording = Recording::open(path);
  if (recording.frame_count() == 0) throw Error(ErrorKind::kBadInput, path + " holds no frames");
  return recording.read_frame(recording.frame_count() - 1);
}

std::optional<Frame> find_reference(Comparison& c, const std::string& asked) {
  const std::size_t best = reference_run(c, asked);
  if (best < c.runs.size()) {
    c.reference = c.runs[best].label;
    return last_frame(c.runs[best].recording);
  }
  if (asked.empty() || !fs::exists(asked)) return std::nullopt;
  c.reference = asked;
  return last_frame(asked);
}

void measure_distances(Comparison& c, const Frame& reference) {
  for (ModelRun& run : c.runs)
    if (at_its_end(run) && std::abs(run.numbers.time - reference.time) < 1e-6 * run.step)
      run.numbers.distance = state_distance(c.facts, last_frame(run.recording), reference);
}

std::vector<RunProgress> progress_of(const Plan& plan, const RunStates& states) {
  std::vector<RunProgress> out;
  for (std::size_t i = 0; i < plan.runs.size(); ++i) {
    const RunState& s = states[i];
    const double total = static_cast<double>(s.total.load());
    const Outcome outcome = s.outcome;
    const bool over = outcome != Outcome::kWaiting && outcome != Outcome::kRunning;
    const double fraction = over ? 1 : total > 0 ? static_cast<double>(s.done.load()) / total : 0;
    out.push_back({plan.runs[i].label, plan.runs[i].step, outcome, fraction, s.time});
  }
  return out;
}

}  // namespace

Comparison run_comparison(const Plan& plan, const CompareRequest& request, const CompareOptions& options) {
  const RunStates states(plan.runs.size());
  std::vector<RunWork> works;
  std::vector<std::string> paths;
  for (const PlannedRun& run : plan.runs) {
    paths.push_back((fs::path(options.folder) / file_name(run, !plan.steps.empty())).string());
    works.push_back([&run, &request, path = paths.back()](RunState& state, const std::atomic<bool>& stop) {
      work(run, request.scene, path, state, stop);
    });
  }
  Comparison out;
  const int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  run_in_processes(works, states, options.jobs > 0 ? options.jobs : cores, [&] {
    const bool on = !options.progress || options.progress(progress_of(plan, states));
    out.interrupted = out.interrupted || !on;
    return on;
  });
  out.scene = request.scene, out.scene_name = plan.scene_name;
  out.duration = plan.duration, out.step = plan.step;
  out.facts = plan.facts;
  out.left_out = plan.left_out;
  out.notes = plan.notes;
  for (std::size_t i = 0; i < plan.runs.size(); ++i)
    out.runs.push_back(judge(plan.runs[i], paths[i], states[i], plan.facts));
  const std::optional<Frame> reference = find_reference(out, request.reference);
  if (reference) measure_distances(out, *reference);
  out.words = words_of(out);
  if (!plan.steps.empty()) out.convergence = study_convergence(out, plan.steps, request.reference);
  return out;
}

}  // namespace touchstone::compare

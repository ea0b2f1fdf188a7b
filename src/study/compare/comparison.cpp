#include "study/compare/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <thread>

#include "study/compare/convergence.h"
#include "study/compare/findings.h"
#include "study/compare/halving.h"
#include "study/compare/impact_log.h"
#include "study/compare/parting.h"
#include "study/compare/reference.h"
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
  const double made = r.energy_made();
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
  } else if (state.out_of_time) {
    state.fail(Outcome::kCutOff, "its time was up");
  } else {
    state.fail(Outcome::kInterrupted, "interrupted");
  }
}

// What the process of one run does.
void work(const PlannedRun& run, const SceneFacts& facts, const std::string& scene, const std::string& path,
          RunState& state, const std::atomic<bool>& stop) {
  Simulation simulation(run.loaded.scene);
  state.kinetic = simulation.report().kinetic_energy;
  const double duration = run.loaded.scene.duration;
  state.total = steps_for(duration, simulation.step_size());
  RecordingWriter recorder(path, recording_info(simulation, run.loaded, scene, run.overrides));
  std::vector<double> times;
  ImpactLog impacts(facts);
  RunOptions options;
  options.progress = [&](const Simulation&, std::uint64_t, std::uint64_t) { return !stop; };
  options.stop = &stop;
  options.each_step = [&](const StepReport& r) {
    count(r, state, times);
    impacts.observe(simulation);
  };
  const RunSummary summary = run_simulation(simulation, duration, run.loaded.scene.record, &recorder, options);
  recorder.finish(summary.finished);
  write_events(impacts.events(), events_path(path));
  conclude(summary, simulation, times, state);
}

std::string file_name(const PlannedRun& run, double step, bool with_step) {
  std::string name = with_step ? fmt::format("{}_dt_{:g}", run.label, step) : run.label;
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
  run.elapsed = state.elapsed;
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
  n.energy_made = !n.steps ? kUnknown : state.energy_made;
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

std::vector<RunProgress> progress_of(const std::vector<const PlannedRun*>& runs, const RunStates& states) {
  std::vector<RunProgress> out;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const RunState& s = states[i];
    const double total = static_cast<double>(s.total.load());
    const Outcome outcome = s.outcome;
    const bool over = outcome != Outcome::kWaiting && outcome != Outcome::kRunning;
    const double fraction = over ? 1 : total > 0 ? static_cast<double>(s.done.load()) / total : 0;
    out.push_back({runs[i]->label, runs[i]->step, outcome, fraction, s.time, s.level});
  }
  return out;
}

// The compared runs and those of a convergence study, then the halvings.
class Comparer {
 public:
  Comparer(const Plan& plan, const CompareRequest& request, const CompareOptions& options)
      : plan_(plan), request_(request), options_(options) {
    const int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    jobs_ = options.jobs > 0 ? options.jobs : cores;
    out_.scene = request.scene, out_.scene_name = plan.scene_name;
    out_.duration = plan.duration, out_.step = plan.step, out_.budget = request.budget;
    out_.facts = plan.facts;
    out_.left_out = plan.left_out;
    out_.notes = plan.notes;
  }

  Comparison compare() {
    run_all();
    if (!plan_.steps.empty())
      halvings_of_study();
    else if (request_.halvings > 0 && !out_.interrupted && needs_halving())
      halve_all();
    measure_step_errors();
    measure_from_reference(out_, request_.reference);
    find_partings();
    out_.findings = find_all(out_);
    if (!plan_.steps.empty()) out_.convergence = study_convergence(out_, plan_.steps, request_.reference);
    remove_halvings();
    return std::move(out_);
  }

 private:
  bool go_on(const std::vector<const PlannedRun*>& runs, const RunStates& states) {
    const bool on = !options_.progress || options_.progress(progress_of(runs, states));
    out_.interrupted = out_.interrupted || !on;
    return on;
  }

  std::string path_of(const PlannedRun& run, double step, bool with_step) const {
    return (fs::path(options_.folder) / file_name(run, step, with_step)).string();
  }

  void run_all() {
    const RunStates states(plan_.runs.size());
    std::vector<RunWork> works;
    std::vector<std::string> paths;
    std::vector<const PlannedRun*> runs;
    for (const PlannedRun& run : plan_.runs) {
      runs.push_back(&run);
      paths.push_back(path_of(run, run.step, !plan_.steps.empty()));
      works.push_back([this, &run, path = paths.back()](RunState& state, const std::atomic<bool>& stop) {
        work(run, plan_.facts, request_.scene, path, state, stop);
      });
    }
    run_in_processes(
        works, states, jobs_, [&] { return go_on(runs, states); }, std::vector<double>(works.size(), request_.budget));
    for (std::size_t i = 0; i < plan_.runs.size(); ++i)
      out_.runs.push_back(judge(plan_.runs[i], paths[i], states[i], plan_.facts));
  }

  // Distances from a recording need no other reference.
  bool needs_halving() const {
    const auto is_run = [&](const ModelRun& r) { return r.label == request_.reference; };
    return request_.reference.empty() || std::any_of(out_.runs.begin(), out_.runs.end(), is_run);
  }

  HalvingTask task_of(std::size_t i) const {
    const PlannedRun& planned = plan_.runs[i];
    const ModelRun& run = out_.runs[i];
    HalvingTask task{&planned,    &plan_.facts,   request_.scene, run.numbers.time, request_.budget - run.elapsed,
                     run.elapsed, {run.recording}};
    for (int k = 1; k <= request_.halvings; ++k)
      task.paths.push_back(path_of(planned, planned.step / static_cast<double>(1 << k), true));
    return task;
  }

  void halve_all() {
    std::vector<std::size_t> which;
    std::vector<RunWork> works;
    std::vector<double> seconds;
    std::vector<const PlannedRun*> runs;
    for (std::size_t i = 0; i < out_.runs.size(); ++i) {
      if (out_.runs[i].outcome != Outcome::kFinished || out_.runs[i].recording.empty()) continue;
      which.push_back(i);
      runs.push_back(&plan_.runs[i]);
      const HalvingTask task = task_of(i);
      seconds.push_back(std::max(0.0, task.seconds));
      works.push_back([task](RunState& state, const std::atomic<bool>& stop) { halve(task, state, stop); });
    }
    const RunStates states(works.size());
    run_in_processes(
        works, states, jobs_, [&] { return go_on(runs, states); }, seconds);
    for (std::size_t k = 0; k < which.size(); ++k) take_halving(which[k], states[k]);
  }

  // What the process leaves behind: recordings, and why it went no further.
  void take_halving(std::size_t i, const RunState& state) {
    const HalvingTask task = task_of(i);
    for (const std::string& path : task.paths)
      if (path != task.paths.front()) made_.push_back(path);
    const auto count = static_cast<std::size_t>(state.levels) + 1;
    std::vector<double> steps;
    for (std::size_t k = 0; k < count; ++k) steps.push_back(plan_.runs[i].step / std::pow(2.0, k));
    Halving& halving = out_.runs[i].halving;
    halving = measure_halving(plan_.facts, steps,
                              {task.paths.begin(), task.paths.begin() + static_cast<std::ptrdiff_t>(count)});
    halving.cut_off = state.outcome == Outcome::kCutOff;
    halving.ended = state.message;
    if (halving.ended.empty() && !halving.settled) halving.ended = why_not_settled(halving);
  }

  static std::string why_not_settled(const Halving& h) {
    const std::string what =
        does_not_shrink(h.differences) ? "its ends do not come nearer to each other" : "its ends still differ";
    return fmt::format("{} ({} between the last two, h/{})", what,
                       h.differences.empty() ? "nothing" : with_unit(h.differences.back(), "m"),
                       1 << (h.steps.size() - 1));
  }

  void halvings_of_study() {
    for (ModelRun& run : out_.runs) {
      if (!run.compared) continue;
      std::vector<double> steps;
      std::vector<std::string> recordings;
      for (const ModelRun& other : out_.runs)
        if (other.label == run.label && other.outcome == Outcome::kFinished && !other.recording.empty())
          steps.push_back(other.step), recordings.push_back(other.recording);
      if (recordings.empty()) continue;
      run.halving = measure_halving(plan_.facts, steps, recordings);
      if (!run.halving.settled) run.halving.ended = "the ends at the steps of the study differ too much";
    }
  }

  // Of the compared run: how far it is from its own finest run, and how wrong that may be.
  void measure_step_errors() {
    for (ModelRun& run : out_.runs)
      if (run.compared && run.outcome == Outcome::kFinished && run.halving.recordings.size() > 1)
        run.numbers.step_error =
            state_distance(plan_.facts, last_frame(run.recording), last_frame(run.halving.recordings.back())).mean +
            (std::isnan(run.halving.error) ? 0.0 : run.halving.error);
  }

  void find_partings() {
    const Halving* reference = nullptr;
    for (const ModelRun& run : out_.runs)
      if (run.compared && run.label == out_.reference.label) reference = &run.halving;
    if (!reference) return;
    for (ModelRun& run : out_.runs)
      if (run.compared && run.label != out_.reference.label && ended_elsewhere(out_, run))
        run.parting = find_parting(plan_.facts, run.halving, *reference);
  }

  // The reference's finest run stays, with the compared ones.
  void remove_halvings() const {
    std::error_code ignored;
    for (const std::string& path : made_) {
      if (path != out_.reference.recording) fs::remove(path, ignored);
      fs::remove(events_path(path), ignored);
    }
    for (const ModelRun& run : out_.runs) fs::remove(events_path(run.recording), ignored);
  }

  const Plan& plan_;
  const CompareRequest& request_;
  const CompareOptions& options_;
  int jobs_ = 1;
  std::vector<std::string> made_;  // recordings of halvings
  Comparison out_;
};

}  // namespace

const char* verdict_name(Verdict verdict) {
  switch (verdict) {
    case Verdict::kKept:
      return "kept";
    case Verdict::kBroke:
      return "broke";
    case Verdict::kFailed:
      return "failed";
    case Verdict::kCutOff:
      return "cut off";
    case Verdict::kInterrupted:
      return "interrupted";
  }
  return "";
}

Comparison run_comparison(const Plan& plan, const CompareRequest& request, const CompareOptions& options) {
  return Comparer(plan, request, options).compare();
}

}  // namespace touchstone::compare

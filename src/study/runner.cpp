#include "study/runner.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include "study/tape.h"

namespace touchstone {
namespace {

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point t) { return std::chrono::duration<double>(Clock::now() - t).count(); }

void count_energy(const StepReport& r, RunSummary& out) {
  out.greatest_kinetic = std::max(out.greatest_kinetic, r.kinetic_energy);
  out.greatest_energy = std::max(out.greatest_energy, std::abs(r.energy()));
  if (!(std::abs(r.energy_balance) > out.largest_balance)) return;
  out.largest_balance = std::abs(r.energy_balance);
  out.largest_balance_time = r.time, out.largest_balance_step = r.step;
}

void count(const StepReport& r, RunSummary& out) {
  ++out.steps;
  out.mean_contacts += (static_cast<double>(r.contacts) - out.mean_contacts) / static_cast<double>(out.steps);
  merge_measures(out.measures, r.measures);
  count_energy(r, out);
  out.most_contacts = std::max(out.most_contacts, r.contacts);
  out.most_substeps = std::max(out.most_substeps, r.substeps);
  if (r.status == StepStatus::kNotConverged && out.not_converged++ == 0)
    out.first_not_converged = r.time, out.not_converged_reason = r.reason;
}

}  // namespace

std::string name_of_slot(const Simulation& simulation, std::uint32_t slot) {
  for (const BodyId id : simulation.bodies())
    if (id.index == slot) return simulation.body_name(id);
  return "";
}

RecordingInfo recording_info(const Simulation& simulation, const LoadedScene& loaded, const std::string& path,
                             const std::vector<SceneOverride>& overrides) {
  const SceneDescription& scene = loaded.scene;
  RecordingInfo info;
  info.program_version = version();
  info.model = simulation.model_name();
  info.scene_name = scene.name;
  info.scene_text = loaded.text;
  info.scene_files = loaded.files;
  info.scene_path = path;
  for (const SceneOverride& o : overrides) info.overrides.emplace_back(o.key, o.value);
  info.dimension = simulation.dimension();
  info.step_size = simulation.step_size();
  info.duration = scene.duration;
  info.seed = scene.seed;
  info.record = scene.record;
  for (const BodyId id : simulation.bodies()) info.body_names.push_back(simulation.body_name(id));
  for (std::size_t i = 0; i < simulation.joint_count(); ++i) info.joint_names.push_back(simulation.joint_name(i));
  return info;
}

std::uint64_t steps_for(double duration, double h) {
  constexpr double kMost = 1e15;  // beyond it a step is lost in the rounding of the time
  const double steps = duration > 0 ? std::max(1.0, std::ceil(duration / h - 1e-9)) : 0.0;
  if (!(steps <= kMost))
    throw Error(ErrorKind::kBadInput,
                fmt::format("{} s in steps of {} s are {} steps; at most {} are possible", duration, h, steps, kMost));
  return static_cast<std::uint64_t>(steps);
}

RunSummary run_simulation(Simulation& simulation, double duration, const RecordDescription& record,
                          RecordingWriter* recorder, const RunOptions& options) {
  constexpr double kProgressEvery = 0.1;  // s
  const std::uint64_t total = steps_for(duration, simulation.step_size());
  const auto begin = Clock::now();
  auto last_progress = begin - std::chrono::seconds(1);
  simulation.set_yardstick(record.yardstick);
  simulation.set_stop(options.stop);
  Tape tape(recorder, record, options.snapshot_every);
  RunSummary out;
  out.start_energy = simulation.report().energy();
  out.greatest_kinetic = simulation.report().kinetic_energy;
  out.greatest_energy = std::abs(out.start_energy);
  bool stopped = false;
  if (simulation.step_count() == 0) tape.write(simulation, total == 0);
  while (simulation.step_count() < total && !stopped) {
    try {
      const StepReport& report = simulation.step();
      count(report, out);
      for (const JointEvent& e : simulation.joint_events())
        out.broken.push_back({simulation.joint_name(e.joint), e.time, e.force.norm(), e.torque.norm()});
      if (options.each_step) options.each_step(report);
    } catch (const Error& e) {
      if (e.kind() == ErrorKind::kInterrupted) break;
      if (e.kind() != ErrorKind::kUnstable && e.kind() != ErrorKind::kNonFinite && e.kind() != ErrorKind::kController)
        throw;
      out.failure = e;
      break;
    }
    tape.write(simulation, simulation.step_count() == total);
    if (options.progress && seconds_since(last_progress) > kProgressEvery) {
      stopped = !options.progress(simulation, simulation.step_count(), total);
      last_progress = Clock::now();
    }
  }
  simulation.set_stop(nullptr);
  out.finished = simulation.step_count() >= total;
  if (!out.finished) tape.close(simulation);
  if (options.progress) options.progress(simulation, simulation.step_count(), total);
  out.simulated_time = simulation.time();
  out.wall_time = seconds_since(begin);
  out.last = simulation.report();
  out.state_hash = simulation.state_hash();
  return out;
}

}  // namespace touchstone

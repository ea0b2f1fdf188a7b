// run and resume.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "command.h"
#include "io/scene/reader.h"
#include "models/registry.h"
#include "recording/recording.h"

namespace touchstone::app {
namespace {

namespace fs = std::filesystem;

std::string percent_or_zero(double value, double of) {
  return of > 0 ? fmt::format("{:.2g} % of", 100 * value / of) : std::string("none of");
}

bool looks_for_contacts(const Simulation& simulation) {
  return find_model(simulation.model_name()).capabilities.contacts;
}

// Finishes the recording and says how the run ended; the exit code.
int conclude(const RunSummary& summary, const Simulation& simulation, Recorder* recorder, const std::string& recording,
             const Output& output) {
  if (recorder) recorder->finish(summary.finished);
  Json object = summary_json(summary, simulation);
  std::string text = summary_text(summary, simulation);
  if (!recording.empty()) {
    object["recording"] = recording;
    text += fmt::format("recording   {}\n", recording);
  }
  output.print(object, text);
  if (summary.failure) {
    fmt::print(stderr, "touchstone: {}\n", summary.failure->what());
    if (recorder)
      fmt::print(stderr, "touchstone: everything up to t = {:.6g} s is in {}\n", summary.simulated_time, recording);
    return kStopped;
  }
  if (!summary.finished) {
    if (recorder)
      fmt::print(stderr, "touchstone: interrupted at t = {:.6g} s; go on with: touchstone resume {}\n",
                 summary.simulated_time, recording);
    else
      fmt::print(stderr, "touchstone: interrupted at t = {:.6g} s; nothing was recorded\n", summary.simulated_time);
    return kInterrupted;
  }
  return kOk;
}

std::string default_recording(const std::string& scene) { return fs::path(scene).stem().string() + ".h5"; }

struct RunArguments {
  SceneArguments scene;
  Output output;
  std::string recording;
  bool no_record = false;
  int threads = 1;
};

int run(const RunArguments& a) {
  const std::vector<SceneOverride> overrides = a.scene.overrides();
  const LoadedScene loaded = read_scene(a.scene.scene, overrides);
  Simulation simulation(loaded.scene);
  simulation.set_threads(a.threads);
  if (!a.output.quiet)
    for (const std::string& note : loaded.notes) fmt::print(stderr, "note: {}\n", note);
  catch_interrupts();
  const std::string path = a.no_record ? "" : a.recording.empty() ? default_recording(a.scene.scene) : a.recording;
  std::optional<Recorder> recorder;
  if (!path.empty()) check_not_input(path, a.scene.scene);
  if (!path.empty()) recorder.emplace(path, recording_info(simulation, loaded, a.scene.scene, overrides));
  Progress bar(loaded.scene.name, !a.output.quiet && !a.output.json);
  const RunSummary summary = run_simulation(simulation, loaded.scene.duration, loaded.scene.record,
                                            recorder ? &*recorder : nullptr, with_progress(bar));
  bar.end();
  return conclude(summary, simulation, recorder ? &*recorder : nullptr, path, a.output);
}

struct ResumeArguments {
  Output output;
  std::string recording, copy;
  std::optional<double> duration;
  int threads = 1;
};

int resume(const ResumeArguments& a) {
  const std::string target = a.copy.empty() ? a.recording : a.copy;
  const Recording old = Recording::open(a.recording);
  const RecordingInfo& info = old.info();
  if (info.scene_text.empty())
    throw Error(
        ErrorKind::kBadInput,
        fmt::format(
            "{} holds no scene (it was recorded by a program, not by `touchstone run`), so it cannot be resumed",
            a.recording));
  const double duration = a.duration.value_or(info.duration);
  const StepMark last = old.steps().empty() ? StepMark{} : old.steps().back();
  if (!(duration >= 0) || (a.duration && steps_for(duration, info.step_size) < last.step))
    throw Error(ErrorKind::kBadInput,
                fmt::format("--duration {} s: {} has reached t = {:.6g} s already, and nothing is taken back", duration,
                            a.recording, last.time));
  const std::optional<Recording::Snapshot> snapshot = old.last_snapshot();
  if (!snapshot)
    throw Error(
        ErrorKind::kBadInput,
        fmt::format("{} has no snapshot yet: the run was stopped before its first one; run it again", a.recording));
  if (snapshot->step >= steps_for(duration, info.step_size)) {
    a.output.print(
        {{"recording", a.recording}, {"resumed", false}, {"step", snapshot->step}, {"state_hash", hex(last.hash)}},
        fmt::format("{} is complete: {} steps, t = {:.6g} s. To go further: touchstone resume {} --duration {:g}\n",
                    a.recording, last.step, last.time, a.recording, 2 * std::max(last.time, info.step_size)));
    return kOk;
  }
  std::vector<SceneOverride> overrides;
  for (const auto& [key, value] : info.overrides) overrides.push_back({key, value});
  const SceneDescription scene = parse_scene(info.scene_text, info.scene_path, overrides, info.scene_files);
  Simulation simulation(scene);
  simulation.restore(snapshot->bytes);
  simulation.set_threads(a.threads);
  catch_interrupts();
  copy_up_to_snapshot(a.recording, target, duration);
  Recorder recorder = Recorder::append_to(target);
  Progress bar(scene.name, !a.output.quiet && !a.output.json);
  const RunSummary summary = run_simulation(simulation, duration, scene.record, &recorder, with_progress(bar));
  bar.end();
  return conclude(summary, simulation, &recorder, target, a.output);
}

}  // namespace

RunOptions with_progress(Progress& bar) {
  RunOptions options;
  options.progress = [&bar](const Simulation& sim, std::uint64_t done, std::uint64_t total) {
    bar.show(total ? static_cast<double>(done) / static_cast<double>(total) : 1.0,
             fmt::format("t = {:.3f} s  {}", sim.time(),
                         counted(static_cast<std::uint64_t>(sim.report().contacts), "contact")));
    return !interrupted();
  };
  return options;
}

std::string summary_text(const RunSummary& s, const Simulation& simulation) {
  const double scale = std::max(std::abs(s.start_energy), std::max(s.last.kinetic_energy, std::abs(s.last.energy())));
  const double rate = s.wall_time > 0 ? static_cast<double>(s.steps) * simulation.step_size() / s.wall_time : 0;
  std::string out;
  out +=
      fmt::format("simulated   {:.6g} s in {} of {:g} s ({}, model {})\n", s.simulated_time, counted(s.steps, "step"),
                  simulation.step_size(), counted(simulation.bodies().size(), "body"), simulation.model_name());
  out += fmt::format("wall time   {:.3f} s ({:.3g} simulated seconds a second, {:.3g} ms a step)\n", s.wall_time, rate,
                     s.steps ? 1e3 * s.wall_time / static_cast<double>(s.steps) : 0.0);
  const bool contacts = looks_for_contacts(simulation);
  if (contacts)
    out += fmt::format("contacts    {:.1f} on average, {} at most, {} at the end ({} sticking)\n", s.mean_contacts,
                       s.most_contacts, s.last.contacts, s.last.sticking);
  else
    out += "contacts    not looked for\n";
  if (s.not_converged > 0)
    out += fmt::format("solver      not converged in {} of {}, first at t = {:.6g} s{}\n", s.not_converged,
                       counted(s.steps, "step"), s.first_not_converged,
                       s.not_converged_reason.empty() ? "" : ": " + s.not_converged_reason);
  out += fmt::format(
      "yardstick   {}; energy balance within {:.3g} J ({} the energy); momentum {:.3g} kg·m/s\n",
      contacts ? fmt::format("deepest penetration {:.3g} m", s.deepest_penetration) : "penetration not measured",
      s.largest_balance, percent_or_zero(s.largest_balance, scale), s.last.momentum.norm());
  if (contacts && s.worst_natural_map >= 0)
    out +=
        fmt::format("            natural map {:.3g} at worst; every measure: touchstone verify\n", s.worst_natural_map);
  out += fmt::format(
      "energy      {:.6g} J at the start, {:.6g} J at the end (kinetic {:.3g} J); contacts did {:.6g} J of work\n",
      s.start_energy, s.last.energy(), s.last.kinetic_energy, s.last.contact_work);
  out += fmt::format("state hash  {}\n", hex(s.state_hash));
  return out;
}

Json summary_json(const RunSummary& s, const Simulation& simulation) {
  Json j;
  j["finished"] = s.finished;
  if (s.failure) j["failure"] = s.failure->what();
  j["model"] = simulation.model_name();
  j["bodies"] = simulation.bodies().size();
  j["steps"] = s.steps;
  j["step_size"] = simulation.step_size();
  j["simulated_time"] = s.simulated_time;
  j["wall_time"] = s.wall_time;
  j["contacts_mean"] = s.mean_contacts;
  j["contacts_max"] = s.most_contacts;
  j["substeps_max"] = s.most_substeps;
  if (looks_for_contacts(simulation)) j["penetration_max"] = s.deepest_penetration;
  if (s.worst_natural_map >= 0) j["natural_map_max"] = s.worst_natural_map;
  j["not_converged_steps"] = s.not_converged;
  if (s.not_converged > 0)
    j["first_not_converged"] = {{"time", s.first_not_converged}, {"reason", s.not_converged_reason}};
  j["energy_start"] = s.start_energy;
  j["energy_balance_max"] = s.largest_balance;
  Json report;
  for (const ReportField& field : report_fields()) report[field.name] = field.get(s.last);
  j["report"] = report;
  j["state_hash"] = hex(s.state_hash);
  return j;
}

void add_run(CLI::App& app, int& code) {
  auto a = std::make_shared<RunArguments>();
  CLI::App* word = app.add_subcommand("run", "Simulate a scene and record it");
  a->scene.add_to(*word);
  word->add_option("-o,--output", a->recording, "Recording (HDF5); default: the scene's name with .h5, here");
  word->add_flag("--no-record", a->no_record, "Record nothing");
  word->add_option("--threads", a->threads, "Threads; the result is the same for any number")
      ->check(CLI::Range(1, 1024));
  a->output.add_to(*word);
  word->footer(
      "\nDuring the run the file is a journal that survives a kill; every command can read it. Ctrl-C saves the run.\n"
      "Example: touchstone run scenes/incline.toml --model impulse --dt 0.0005 --set model.tolerance=1e-5 -o "
      "incline.h5");
  word->callback([a, &code] { code = run(*a); });
}

void add_resume(CLI::App& app, int& code) {
  auto a = std::make_shared<ResumeArguments>();
  CLI::App* word =
      app.add_subcommand("resume", "Continue a run that was interrupted or killed, or extend a finished one");
  word->add_option("recording", a->recording, "Recording")->required();
  word->add_option("-o,--output", a->copy, "Write to this file and keep the old one; default: the same file");
  word->add_option("--duration,-t", a->duration, "Simulated time [s] to reach, instead of the scene's");
  word->add_option("--threads", a->threads, "Threads; the result is the same for any number")
      ->check(CLI::Range(1, 1024));
  a->output.add_to(*word);
  word->footer(
      "\nContinues from the last snapshot in a copy. Every step has the same state hash as in an uninterrupted run\n"
      "(same program, same kind of processor).");
  word->callback([a, &code] { code = resume(*a); });
}

}  // namespace touchstone::app

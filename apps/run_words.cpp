// run and resume.
#include <fmt/format.h>

#include <filesystem>

#include "command.h"
#include "io/scene/reader.h"
#include "recording/recording.h"
#include "study/run_text.h"

namespace touchstone::app {
namespace {

namespace fs = std::filesystem;

const char* kYesHelp = "Run however many steps it takes; without it more than 100 million are refused";

// Finishes the recording and says how the run ended; the exit code.
int conclude(const RunSummary& summary, const Simulation& simulation, const SceneDescription& scene,
             const std::vector<BodyOverlap>& overlaps, RecordingWriter* recorder, const std::string& recording,
             const Output& output) {
  if (recorder) recorder->finish(summary.finished);
  Json object = summary_json(summary, simulation, scene);
  if (!overlaps.empty()) object["overlaps_at_start"] = overlaps_json(simulation, overlaps);
  std::string text = summary_text(summary, simulation, scene);
  if (!recording.empty()) {
    object["recording"] = recording;
    text += fmt::format("recording   {} (every measure: touchstone verify {})\n", recording, pasteable(recording));
  }
  output.print(object, text);
  if (summary.failure) {
    tell("touchstone: {}\n", summary.failure->what());
    if (recorder) tell("touchstone: everything up to t = {:.6g} s is in {}\n", summary.simulated_time, recording);
    return kStopped;
  }
  if (!summary.finished) {
    if (recorder)
      tell("touchstone: interrupted at t = {:.6g} s; go on with: touchstone resume {}\n", summary.simulated_time,
           recording);
    else
      tell("touchstone: interrupted at t = {:.6g} s; nothing was recorded\n", summary.simulated_time);
    return kInterrupted;
  }
  return kOk;
}

// A run that cannot have been meant: its steps are counted before anything is computed or replaced.
void check_step_count(double duration, double h, bool recorded, bool yes) {
  constexpr std::uint64_t kMany = 100'000'000;
  const std::uint64_t steps = steps_for(duration, h);
  if (yes || steps <= kMany) return;
  const double marks = static_cast<double>(steps) * sizeof(StepMark);  // what every step leaves in a recording
  throw Error(
      ErrorKind::kBadInput,
      fmt::format("{:g} s in steps of {:g} s are {} steps{}; more than {} are only run with --yes. Choose a larger "
                  "--dt or a shorter --duration, or add --yes",
                  duration, h, steps, recorded ? fmt::format(", whose hashes alone take {:.3g} GB", 1e-9 * marks) : "",
                  kMany));
}

std::string default_recording(const std::string& scene) { return fs::path(scene).stem().string() + ".h5"; }

struct RunArguments {
  SceneArguments scene;
  Output output;
  std::string recording;
  bool no_record = false, yes = false;
  int threads = 1;
};

int run(const RunArguments& a) {
  const std::vector<SceneOverride> overrides = a.scene.overrides();
  const LoadedScene loaded = read_scene(a.scene.scene, overrides);
  check_step_count(loaded.scene.duration, loaded.scene.step, !a.no_record, a.yes);
  Simulation simulation(loaded.scene);
  simulation.set_threads(a.threads);
  const std::vector<BodyOverlap> overlaps = simulation.overlapping_bodies();
  if (!a.output.quiet) {
    for (const std::string& note : loaded.notes) tell("note: {}\n", note);
    if (!overlaps.empty()) tell("note: {}\n", overlaps_text(simulation, overlaps));
  }
  catch_interrupts();
  const std::string path = a.no_record ? "" : a.recording.empty() ? default_recording(a.scene.scene) : a.recording;
  std::optional<RecordingWriter> recorder;
  if (!path.empty()) check_not_input(path, a.scene.scene);
  if (!path.empty()) recorder.emplace(path, recording_info(simulation, loaded, a.scene.scene, overrides));
  Progress bar(loaded.scene.name, !a.output.quiet && !a.output.json);
  const RunSummary summary = run_simulation(simulation, loaded.scene.duration, loaded.scene.record,
                                            recorder ? &*recorder : nullptr, with_progress(bar));
  bar.end();
  return conclude(summary, simulation, loaded.scene, overlaps, recorder ? &*recorder : nullptr, path, a.output);
}

struct ResumeArguments {
  Output output;
  std::string recording, copy;
  std::optional<double> duration;
  bool yes = false;
  int threads = 1;
};

// All steps are there already. What is missing is the form of a finished recording if the program was killed in its
// last moments; a copy is made if one was asked for.
int conclude_complete(const ResumeArguments& a, const Recording& old, const Recording::Snapshot& snapshot,
                      double duration) {
  const StepMark last = old.steps().empty() ? StepMark{} : old.steps().back();
  const std::string target = a.copy.empty() ? a.recording : a.copy;
  const bool unfinished = old.journal() || !old.complete();
  if (unfinished || !a.copy.empty()) {
    copy_up_to_snapshot(a.recording, target, duration);
    RecordingWriter::append_to(target).finish(true);
  }
  remove_leftover(target);
  a.output.print(
      {{"recording", target},
       {"resumed", false},
       {"converted", unfinished},
       {"step", snapshot.step},
       {"state_hash", hex(last.hash)}},
      fmt::format("{} is complete{}: {}, t = {:.6g} s. To go further: touchstone resume {} --duration {:g}\n", target,
                  unfinished ? ", and is HDF5 now" : "", counted(last.step, "step"), last.time, target,
                  2 * std::max(last.time, old.info().step_size)));
  return kOk;
}

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
  check_step_count(duration, info.step_size, true, a.yes);
  if (snapshot->step >= steps_for(duration, info.step_size)) return conclude_complete(a, old, *snapshot, duration);
  std::vector<SceneOverride> overrides;
  for (const auto& [key, value] : info.overrides) overrides.push_back({key, value});
  const SceneDescription scene = parse_scene(info.scene_text, info.scene_path, overrides, info.scene_files);
  Simulation simulation(scene);
  simulation.restore(snapshot->bytes);
  simulation.set_threads(a.threads);
  catch_interrupts();
  copy_up_to_snapshot(a.recording, target, duration);
  RecordingWriter recorder = RecordingWriter::append_to(target);
  Progress bar(scene.name, !a.output.quiet && !a.output.json);
  const RunSummary summary = run_simulation(simulation, duration, scene.record, &recorder, with_progress(bar));
  bar.end();
  return conclude(summary, simulation, scene, {}, &recorder, target, a.output);
}

}  // namespace

RunOptions with_progress(Progress& bar) {
  RunOptions options;
  options.stop = interrupt_flag();
  options.progress = [&bar](const Simulation& sim, std::uint64_t done, std::uint64_t total) {
    bar.show(total ? static_cast<double>(done) / static_cast<double>(total) : 1.0,
             fmt::format("t = {:.3f} s  {}", sim.time(),
                         counted(static_cast<std::uint64_t>(sim.report().contacts), "contact")));
    return !interrupted();
  };
  return options;
}

void add_run(CLI::App& app, int& code) {
  auto a = std::make_shared<RunArguments>();
  CLI::App* word = app.add_subcommand("run", "Simulate a scene and record it");
  a->scene.add_to(*word);
  add_output_option(*word, "-o,--output", a->recording, "Recording (HDF5); default: the scene's name with .h5, here");
  word->add_flag("--no-record", a->no_record, "Record nothing; the steps are measured all the same");
  word->add_flag("--yes", a->yes, kYesHelp);
  word->add_option("--threads", a->threads, "Threads; the result is the same for any number")
      ->check(whole_number(1, 1024));
  a->output.add_to(*word);
  word->footer(
      "\nDuring the run the file is a journal that survives a kill; every command can read it. Ctrl-C, SIGTERM and "
      "SIGHUP\n"
      "save the run, also within a long step.\n"
      "Example: touchstone run scenes/incline.toml --model impulse --dt 0.0005 --set model.tolerance=1e-5 -o "
      "incline.h5");
  word->callback([a, &code] { code = run(*a); });
}

void add_resume(CLI::App& app, int& code) {
  auto a = std::make_shared<ResumeArguments>();
  CLI::App* word =
      app.add_subcommand("resume", "Continue a run that was interrupted or killed, or extend a finished one");
  word->add_option("recording", a->recording, "Recording")->required();
  add_output_option(*word, "-o,--output", a->copy, "Write to this file and keep the old one; default: the same file");
  word->add_option("--duration,-t", a->duration, "Simulated time [s] to reach, instead of the scene's");
  word->add_flag("--yes", a->yes, kYesHelp);
  word->add_option("--threads", a->threads, "Threads; the result is the same for any number")
      ->check(whole_number(1, 1024));
  a->output.add_to(*word);
  word->footer(
      "\nContinues from the last snapshot in a copy. Every step has the same state hash as in an uninterrupted run\n"
      "(same program, same kind of processor).");
  word->callback([a, &code] { code = resume(*a); });
}

}  // namespace touchstone::app

// info, hash, diff and recover.
#include <fmt/format.h>

#include <cmath>

#include "command.h"
#include "io/robot/load.h"
#include "recording/recorder.h"
#include "recording/recording.h"
#include "study/verify.h"

namespace touchstone::app {
namespace {

const char* state_of(const Recording& r) {
  if (r.complete()) return "complete";
  return r.journal() ? "unfinished journal: the run is in progress or was killed" : "stopped before its end";
}

std::string resume_hint(const Recording& r) {
  return r.complete() ? "" : fmt::format("continue with  touchstone resume {}\n", r.path());
}

// The headline of the yardstick.
void add_yardstick(const Recording& r, Json& j, std::string& text) {
  if (!has_measures(r)) {
    j["natural_map"] = nullptr, j["penetration"] = nullptr;
    text += fmt::format("yardstick   not measured{}\n", r.info().record.yardstick ? " yet" : ": it was off");
    return;
  }
  const Verification found = verify_recording(r);
  const MeasureSummary &map = found.of("natural_map"), &depth = found.of("penetration");
  j["natural_map"] = map.worst, j["penetration"] = depth.worst;
  const auto at = [](const MeasureSummary& m) { return m.worst > 0 ? fmt::format(" (step {})", m.step) : ""; };
  text += fmt::format("yardstick   natural map {:.3g} at worst{}, penetration {:.3g} m{}; see verify\n", map.worst,
                      at(map), depth.worst, at(depth));
}

}  // namespace

std::string add_not_converged(const Recording& recording, Json& object) {
  const NotConverged found = count_not_converged(recording);
  object["not_converged_steps"] = found.steps;
  if (found.steps == 0) return "";
  object["first_not_converged"] = {{"time", found.first_time}};
  const std::string of = recording.info().record.every > 1 ? "recorded step" : "step";
  return fmt::format("solver      not converged in {} of {}, first at t = {:.6g} s\n", found.steps,
                     counted(found.of, of), found.first_time);
}

namespace {

int info(const std::string& path, const Output& output) {
  const Recording r = Recording::open(path);
  const RecordingInfo& i = r.info();
  const StepMark last = r.steps().empty() ? StepMark{} : r.steps().back();
  Json j{{"file", path},
         {"state", state_of(r)},
         {"complete", r.complete()},
         {"journal", r.journal()},
         {"scene", i.scene_name},
         {"scene_file", i.scene_path},
         {"dimension", i.dimension},
         {"model", i.model},
         {"program", i.program_version},
         {"step_size", i.step_size},
         {"duration", i.duration},
         {"seed", i.seed},
         {"bodies", i.body_names.size()},
         {"steps", last.step},
         {"time", last.time},
         {"frames", r.frame_count()},
         {"truncated_bytes", r.truncated_bytes()},
         {"state_hash", hex(last.hash)}};
  for (const auto& [key, value] : i.overrides) j["overrides"][key] = value;
  std::string text;
  text += fmt::format("file        {} ({})\n", path, state_of(r));
  text += fmt::format("scene       {} ({}D, {}){}\n", i.scene_name, i.dimension, counted(i.body_names.size(), "body"),
                      i.scene_path.empty() ? "" : ", from " + i.scene_path);
  for (const auto& [key, value] : i.overrides) text += fmt::format("            with {} = {}\n", key, value);
  text += fmt::format("model       {}, step {:g} s, seed {}, touchstone {}\n", i.model, i.step_size, i.seed,
                      i.program_version);
  text += fmt::format("steps       {} of {}, t = {:.6g} s of {:g} s; {}, one every {}\n", last.step,
                      steps_for(i.duration, i.step_size), last.time, i.duration, counted(r.frame_count(), "frame"),
                      i.record.every == 1 ? "step" : counted(static_cast<std::uint64_t>(i.record.every), "step"));
  const auto yes = [](bool value) { return value ? "yes" : "no"; };
  text += fmt::format("records     poses {}, velocities {}, contacts {}, yardstick {}\n", yes(i.record.poses),
                      yes(i.record.velocities), yes(i.record.contacts), yes(i.record.yardstick));
  text += add_not_converged(r, j);
  add_yardstick(r, j, text);
  if (r.truncated_bytes() > 0)
    text += fmt::format("left out    {} of an incomplete record\n", counted(r.truncated_bytes(), "byte"));
  text += fmt::format("state hash  {}\n", hex(last.hash)) + resume_hint(r);
  output.print(j, text);
  return kOk;
}

int hash(const std::string& path, bool all, const Output& output) {
  const Recording r = Recording::open(path);
  if (r.steps().empty()) throw Error(ErrorKind::kBadInput, fmt::format("{} holds no step yet", path));
  const StepMark& last = r.steps().back();
  Json j{{"file", path},
         {"steps", last.step},
         {"time", last.time},
         {"state_hash", hex(last.hash)},
         {"complete", r.complete()}};
  std::string text;
  if (all) {
    for (const StepMark& m : r.steps()) {
      text += fmt::format("{} {}\n", m.step, hex(m.hash));
      j["hashes"].push_back({m.step, hex(m.hash)});
    }
  } else {
    text = fmt::format("{}  {}\n", counted(last.step, "step"), hex(last.hash));
  }
  output.print(j, text);
  return kOk;
}

// The body whose pose or velocity differs most between two frames, and by how much.
struct Difference {
  bool found = false;
  std::size_t slot = 0;
  double size = 0;
  std::string what;
};

void compare(const std::vector<double>& a, const std::vector<double>& b, std::size_t width, const char* what,
             Difference& out) {
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    if (a[i] == b[i]) continue;
    const double size = std::abs(a[i] - b[i]);
    if (!out.found || size > out.size) out = {true, i / width, size, what};
  }
}

Difference difference(const Frame& a, const Frame& b, int dimension) {
  Difference out;
  compare(a.poses, b.poses, static_cast<std::size_t>(pose_width(dimension)), "pose", out);
  if (!out.found)
    compare(a.velocities, b.velocities, static_cast<std::size_t>(velocity_width(dimension)), "velocity", out);
  return out;
}

std::string name_of(const Recording& r, std::size_t slot) {
  return slot < r.info().body_names.size() ? r.info().body_names[slot] : fmt::format("slot {}", slot);
}

struct First {
  std::optional<StepMark> a, b;  // the first step whose hashes differ
};

First first_difference(const Recording& a, const Recording& b) {
  std::size_t i = 0, j = 0;
  while (i < a.steps().size() && j < b.steps().size()) {
    const StepMark &x = a.steps()[i], &y = b.steps()[j];
    if (x.step == y.step) {
      if (x.hash != y.hash) return {x, y};
      ++i, ++j;
    } else {
      (x.step < y.step ? i : j)++;
    }
  }
  return {};
}

int diff(const std::string& path_a, const std::string& path_b, const Output& output) {
  const Recording a = Recording::open(path_a), b = Recording::open(path_b);
  Json j{{"a", path_a}, {"b", path_b}};
  if (a.info().dimension != b.info().dimension) {
    j["equal"] = false, j["reason"] = "dimension";
    output.print(j, fmt::format("{} is {}D, {} is {}D\n", path_a, a.info().dimension, path_b, b.info().dimension));
    return kDiffer;
  }
  if (a.info().step_size != b.info().step_size) {
    j["equal"] = false, j["reason"] = "step_size", j["step_a"] = a.info().step_size, j["step_b"] = b.info().step_size;
    output.print(
        j,
        fmt::format(
            "{} has steps of {:g} s, {} of {:g} s: they cannot agree bit by bit; compare them with `touchstone plot`\n",
            path_a, a.info().step_size, path_b, b.info().step_size));
    return kDiffer;
  }
  const First first = first_difference(a, b);
  if (!first.a) {
    const std::uint64_t last_a = a.steps().empty() ? 0 : a.steps().back().step,
                        last_b = b.steps().empty() ? 0 : b.steps().back().step;
    j["equal"] = last_a == last_b, j["steps_a"] = last_a, j["steps_b"] = last_b;
    if (last_a == last_b)
      output.print(j, fmt::format("equal: all {} have the same state hash\n", counted(last_a, "step")));
    else
      output.print(j, fmt::format("equal up to step {}, but {} has {} and {} has {}\n", std::min(last_a, last_b),
                                  path_a, counted(last_a, "step"), path_b, last_b));
    return last_a == last_b ? kOk : kDiffer;
  }
  j["equal"] = false, j["step"] = first.a->step, j["time"] = first.a->time;
  std::string text = fmt::format("differ from step {} on (t = {:.6g} s): {} against {}\n", first.a->step, first.a->time,
                                 hex(first.a->hash), hex(first.b->hash));
  // The first frame that both recorded at or after that step tells which body.
  std::size_t k = 0;
  for (std::size_t i = 0; i < a.frame_count(); ++i) {
    if (a.frames()[i].step < first.a->step) continue;
    while (k < b.frame_count() && b.frames()[k].step < a.frames()[i].step) ++k;
    if (k == b.frame_count()) break;
    if (b.frames()[k].step != a.frames()[i].step) continue;
    const Difference d = difference(a.read_frame(i), b.read_frame(k), a.info().dimension);
    if (!d.found) continue;
    j["body"] = name_of(a, d.slot), j["frame_step"] = a.frames()[i].step, j["largest_difference"] = d.size,
    j["of"] = d.what;
    text +=
        fmt::format("in the frame of step {}, body '{}' differs most: by {:.3g} in a component of its {} (SI units)\n",
                    a.frames()[i].step, name_of(a, d.slot), d.size, d.what);
    break;
  }
  output.print(j, text);
  return kDiffer;
}

int recover(const std::string& path, const Output& output) {
  const bool journal = Recording::open(path).journal();
  if (journal) convert_journal(path);
  remove_leftover(path);
  const Recording r = Recording::open(path);
  output.print({{"file", path},
                {"converted", journal},
                {"steps", r.steps().empty() ? 0 : r.steps().back().step},
                {"frames", r.frame_count()}},
               journal ? fmt::format("{} is now HDF5: {}\n{}", path, counted(r.frame_count(), "frame"), resume_hint(r))
                       : fmt::format("{} is HDF5 already\n", path));
  return kOk;
}

}  // namespace

void add_recording_words(CLI::App& app, int& code) {
  struct Arguments {
    Output output;
    std::string a, b;
    bool all = false;
    ImportOptions import;
  };
  const auto word = [&](const char* name, const char* help) {
    auto arguments = std::make_shared<Arguments>();
    CLI::App* w = app.add_subcommand(name, help);
    arguments->output.add_to(*w);
    return std::pair(w, arguments);
  };
  {
    auto [w, a] = word("info", "Print a summary of a recording, or of a robot (URDF, MJCF)");
    w->add_option("file", a->a, "Recording, or a robot: .urdf, .xml or .mjcf")->required();
    w->add_flag("--strict", a->import.strict, "Robots: an ignored part is an error");
    add_package_option(*w, a->import.package_roots);
    w->callback([a = a, &code] {
      code = is_robot_file(a->a) ? print_robot(a->a, a->import, a->output) : info(a->a, a->output);
    });
  }
  {
    auto [w, a] = word("hash", "Print the number of steps and the last state hash of a recording");
    w->add_option("recording", a->a, "Recording")->required();
    w->add_flag("--all", a->all, "Print the hash of every step");
    w->footer("\nTwo runs with equal hashes have the same states, bit by bit.");
    w->callback([a = a, &code] { code = hash(a->a, a->all, a->output); });
  }
  {
    auto [w, a] =
        word("diff", "Find the first step and body in which two recordings differ; exit code 1 if they differ");
    w->add_option("a", a->a, "First recording")->required();
    w->add_option("b", a->b, "Second recording")->required();
    w->callback([a = a, &code] { code = diff(a->a, a->b, a->output); });
  }
  {
    auto [w, a] = word("recover", "Convert the journal of a killed run to HDF5 for other programs");
    w->add_option("recording", a->a, "Recording")->required();
    w->footer("\nTouchstone's own commands do not need this: they read journals.");
    w->callback([a = a, &code] { code = recover(a->a, a->output); });
  }
}

}  // namespace touchstone::app

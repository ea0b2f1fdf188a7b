// A problem out of a step: the run is repeated, and what the model shows of its solves is made a problem again.
#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "base/text.h"
#include "contact/problem_builder.h"
#include "sim/simulation_parts.h"
#include "study/problem_study.h"
#include "touchstone/scene_file.h"

namespace touchstone {
namespace {

// Which solve of a step to keep.
struct Wanted {
  enum class By : std::uint8_t { kImpulse, kContacts, kNumber } by = By::kImpulse;
  std::size_t number = 0;
};

// What is compared between the solves of a step.
struct SolveSize {
  bool impact = false;
  double impulse = 0;  // [N·s]
  std::size_t contacts = 0;
};

template <int D>
SolveSize size_of(const SolveView<D>& view) {
  SolveSize out{view.impact, 0, view.contacts.size()};
  for (const SolvedContact<D>& c : view.contacts) out.impulse += c.impulse.norm();
  return out;
}

// Whether a later solve takes the place of the one that was kept.
bool is_preferred(const SolveSize& later, const SolveSize& kept, Wanted::By by) {
  if (by == Wanted::By::kContacts) return later.contacts >= kept.contacts;
  const auto rank = [](const SolveSize& s) { return std::tuple(s.impact && s.impulse > 0, s.impulse, s.contacts); };
  return rank(later) >= rank(kept);
}

// Keeps one solve of a step as a problem.
template <int D>
class Capture : public SolveObserver<D> {
 public:
  Capture(const Simulation& simulation, Wanted wanted) : simulation_(simulation), wanted_(wanted) {}
  void solved(const SolveView<D>& view) override {
    const SolveSize size = size_of(view);
    ++problem.solves;
    const bool take = wanted_.by == Wanted::By::kNumber ? problem.solves == wanted_.number
                                                        : problem.solve == 0 || is_preferred(size, kept_, wanted_.by);
    if (!take) return;
    kept_ = size;
    problem.solve = problem.solves, problem.impact = size.impact, problem.impulse = size.impulse;
    ProblemBuilder<D> builder;
    std::vector<MechanismInput<D>> mechanisms;
    for (const SolvedMechanism<D>& m : view.mechanisms) mechanisms.push_back({m.mechanism, m.before, m.free});
    ProblemInput<D> in{view.bodies, view.state, view.before, view.free, view.contacts};
    in.joints = parts_of<D>(simulation_).joints;
    in.h = view.h, in.impact = view.impact;
    in.mechanisms = mechanisms;
    const ContactProblem built = builder.build(in);
    problem.file.guess.assign(builder.guess().begin(), builder.guess().end());
    problem.file.data = with_numbers(built);
  }

  CapturedProblem problem;

 private:
  const Simulation& simulation_;
  const Wanted wanted_;
  SolveSize kept_;
};

std::string what_of(const CapturedProblem& p) {
  return fmt::format("{}, solve {} of {}, {:.6g} N·s of contact impulses",
                     p.impact ? "impact" : "contacts and forces of a substep", p.solve, p.solves, p.impulse);
}

[[noreturn]] void refuse(const Recording& recording, const std::string& what) {
  throw Error(ErrorKind::kBadInput, fmt::format("{}: {}", recording.path(), what));
}

void check_repeated(const Recording& recording, std::uint64_t step, std::uint64_t hash) {
  const auto& marks = recording.steps();
  const auto mark = std::find_if(marks.begin(), marks.end(), [&](const StepMark& m) { return m.step == step; });
  if (mark != marks.end() && mark->hash != hash)
    refuse(recording,
           fmt::format("step {} differs from the recorded one when it is simulated again. The recording is of another "
                       "build, or was edited while it ran; record it again",
                       step));
}

// The next step of a simulation, and the problem in it.
template <int D>
CapturedProblem capture_step(Simulation& simulation, const std::string& scene_name, Wanted wanted) {
  Capture<D> capture(simulation, wanted);
  watch_solves<D>(simulation, &capture);
  simulation.step();
  watch_solves<D>(simulation, nullptr);
  CapturedProblem& found = capture.problem;
  const auto bad = [&](const std::string& what) {
    throw Error(ErrorKind::kBadInput, fmt::format("{}: step {} {} (model {})", scene_name, simulation.step_count(),
                                                  what, simulation.model_name()));
  };
  if (wanted.number > found.solves)
    bad(fmt::format("has {}, there is no solve {}", counted(found.solves, "solve"), wanted.number));
  if (found.file.data.blocks.empty())
    bad(wanted.number > 0
            ? fmt::format("solved no contact and no joint in solve {} of {}; choose another", found.solve, found.solves)
            : "solved no contact and no joint; choose another step");
  found.file.format = "touchstone";
  found.file.gravity = parts_of<D>(simulation).gravity.norm();
  found.file.origin = fmt::format("step {} of {}, model {}: {}", simulation.step_count(), scene_name,
                                  simulation.model_name(), what_of(found));
  std::replace(found.file.origin.begin(), found.file.origin.end(), '\n', ' ');
  return std::move(found);
}

template <int D>
CapturedProblem capture_in(const Recording& recording, const SceneDescription& scene, std::uint64_t step,
                           Wanted wanted) {
  Simulation simulation(scene);
  const std::optional<Recording::Snapshot> snapshot = recording.last_snapshot();
  if (snapshot && snapshot->step < step) simulation.restore(snapshot->bytes);
  while (simulation.step_count() + 1 < step) simulation.step();
  CapturedProblem found = capture_step<D>(simulation, recording.info().scene_name, wanted);
  check_repeated(recording, step, simulation.state_hash());
  return found;
}

template <int D>
std::vector<ProblemFile> capture_run(const SceneDescription& scene, std::span<const std::uint64_t> steps) {
  Simulation simulation(scene);
  std::vector<ProblemFile> out;
  for (const std::uint64_t step : steps) {
    if (step <= simulation.step_count())
      throw Error(ErrorKind::kBadInput,
                  fmt::format("step {} is asked for after step {}", step, simulation.step_count()));
    while (simulation.step_count() + 1 < step) simulation.step();
    out.push_back(capture_step<D>(simulation, scene.name, {Wanted::By::kContacts}).file);
  }
  return out;
}

}  // namespace

CapturedProblem capture_problem(const Recording& recording, std::uint64_t step, std::size_t solve) {
  const RecordingInfo& info = recording.info();
  if (info.scene_text.empty())
    refuse(recording,
           "it holds no scene (it was recorded by a program, not by `touchstone run`), so no step can be "
           "simulated again");
  const std::uint64_t last = recording.steps().empty() ? 0 : recording.steps().back().step;
  if (step < 1 || step > last) refuse(recording, fmt::format("there is no step {}; it has steps 1 to {}", step, last));
  std::vector<SceneOverride> overrides;
  for (const auto& [key, value] : info.overrides) overrides.push_back({key, value});
  const SceneDescription scene = parse_scene(info.scene_text, info.scene_path, overrides, info.scene_files);
  const Wanted wanted{solve > 0 ? Wanted::By::kNumber : Wanted::By::kImpulse, solve};
  return scene.dimension == 2 ? capture_in<2>(recording, scene, step, wanted)
                              : capture_in<3>(recording, scene, step, wanted);
}

std::vector<ProblemFile> capture_problems(const SceneDescription& scene, std::span<const std::uint64_t> steps) {
  return scene.dimension == 2 ? capture_run<2>(scene, steps) : capture_run<3>(scene, steps);
}

}  // namespace touchstone

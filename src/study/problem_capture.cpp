// A problem out of a step: the run is repeated, and what the model shows of its solves is made a problem again.
#include <fmt/format.h>

#include <algorithm>

#include "contact/problem_builder.h"
#include "sim/world.h"
#include "study/problem_study.h"
#include "touchstone/scene_file.h"

namespace touchstone {
namespace {

// Keeps the largest solve of a step as a problem.
template <int D>
class Capture : public SolveObserver<D> {
 public:
  explicit Capture(const World<D>& world) : world_(world) {}
  void solved(const SolveView<D>& view) override {
    ++solves_;
    const std::size_t size = view.contacts.size();
    if (any_ && size < most_) return;
    any_ = true;
    most_ = size;
    ProblemBuilder<D> builder;
    const ContactProblem problem = builder.build(
        {view.bodies, view.state, view.before, view.free, view.contacts, world_.joints(), {}, view.h, view.impact});
    file.guess.assign(builder.guess().begin(), builder.guess().end());
    copy(problem);
    impact_ = view.impact;
  }
  std::string what() const {
    const char* kind = impact_ ? "impact" : "resting contacts";
    return solves_ == 1 ? kind : fmt::format("{}, largest of {} solves", kind, solves_);
  }
  bool any() const { return any_; }

  ProblemFile file;

 private:
  void copy(const ContactProblem& p) {
    ProblemData& d = file.data;
    d.h = p.h;
    const auto take = [](auto& to, auto from) { to.assign(from.begin(), from.end()); };
    take(d.cliques, p.cliques), take(d.mass, p.mass), take(d.inverse_mass, p.inverse_mass);
    take(d.start_velocity, p.start_velocity), take(d.free_velocity, p.free_velocity);
    take(d.blocks, p.blocks), take(d.jacobian, p.jacobian), take(d.restitution, p.restitution);
    take(d.correction, p.correction), take(d.surface, p.surface), take(d.lower, p.lower), take(d.upper, p.upper);
    take(d.contacts, p.contacts);
  }

  const World<D>& world_;
  bool any_ = false, impact_ = false;
  std::size_t most_ = 0, solves_ = 0;
};

[[noreturn]] void refuse(const Recording& recording, const std::string& what) {
  throw Error(ErrorKind::kBadInput, fmt::format("{}: {}", recording.path(), what));
}

void check_repeated(const Recording& recording, std::uint64_t step, std::uint64_t hash) {
  const auto& marks = recording.steps();
  const auto mark = std::find_if(marks.begin(), marks.end(), [&](const StepMark& m) { return m.step == step; });
  if (mark != marks.end() && mark->hash != hash)
    refuse(recording,
           fmt::format("step {} does not come out as it was recorded, so its problem would be another one; it "
                       "was made by another build, or changed by hand while it ran: record it again",
                       step));
}

// The next step of a world, and the problem in it.
template <int D>
ProblemFile capture_step(World<D>& world, const std::string& scene_name) {
  Capture<D> capture(world);
  world.set_watcher(&capture);
  world.step();
  world.set_watcher(nullptr);
  const std::uint64_t step = world.step_count();
  if (!capture.any() || capture.file.data.blocks.empty())
    throw Error(ErrorKind::kBadInput,
                fmt::format("{}: step {} solved no contact and no joint (model {}); choose another step", scene_name,
                            step, world.model_name()));
  capture.file.format = "touchstone";
  capture.file.gravity = world.gravity();
  capture.file.origin =
      fmt::format("step {} of {}, model {}: {}", step, scene_name, world.model_name(), capture.what());
  std::replace(capture.file.origin.begin(), capture.file.origin.end(), '\n', ' ');
  return std::move(capture.file);
}

template <int D>
ProblemFile capture_in(const Recording& recording, const SceneDescription& scene, std::uint64_t step) {
  World<D> world(scene);
  const std::optional<Recording::Snapshot> snapshot = recording.last_snapshot();
  if (snapshot && snapshot->step < step) {
    Archive ar{std::span<const std::byte>(snapshot->bytes)};
    world.serialize(ar);
  }
  while (world.step_count() + 1 < step) world.step();
  ProblemFile file = capture_step(world, recording.info().scene_name);
  check_repeated(recording, step, world.state_hash());
  return file;
}

template <int D>
std::vector<ProblemFile> capture_run(const SceneDescription& scene, std::span<const std::uint64_t> steps) {
  World<D> world(scene);
  std::vector<ProblemFile> out;
  for (const std::uint64_t step : steps) {
    if (step <= world.step_count())
      throw Error(ErrorKind::kBadInput, fmt::format("step {} is asked for after step {}", step, world.step_count()));
    while (world.step_count() + 1 < step) world.step();
    out.push_back(capture_step(world, scene.name));
  }
  return out;
}

}  // namespace

ProblemFile capture_problem(const Recording& recording, std::uint64_t step) {
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
  return scene.dimension == 2 ? capture_in<2>(recording, scene, step) : capture_in<3>(recording, scene, step);
}

std::vector<ProblemFile> capture_problems(const SceneDescription& scene, std::span<const std::uint64_t> steps) {
  return scene.dimension == 2 ? capture_run<2>(scene, steps) : capture_run<3>(scene, steps);
}

}  // namespace touchstone

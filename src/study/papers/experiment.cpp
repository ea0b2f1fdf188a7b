#include "study/papers/experiment.h"

#include <chrono>
#include <filesystem>

#include "io/picture/joint_marks.h"
#include "recording/frame.h"

namespace touchstone {

SceneDescription paper_scene(const PaperOptions& options, const std::string& paper, const std::string& name,
                             const std::vector<SceneOverride>& overrides) {
  const std::filesystem::path path = std::filesystem::path(options.scenes) / "papers" / paper / (name + ".toml");
  return load_scene(path.string(), overrides);
}

bool advance(Simulation& simulation, std::uint64_t steps, const PaperOptions& options, const std::string& label,
             PaperStudy& study, const std::function<bool(const StepReport&)>& stop) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::milliseconds kEvery(200);
  Clock::time_point last{};
  for (std::uint64_t i = 0; i < steps; ++i) {
    if (stop(simulation.step())) return true;
    if (!options.progress || Clock::now() - last < kEvery) continue;
    last = Clock::now();
    if (options.progress(label, static_cast<double>(i + 1) / static_cast<double>(steps))) continue;
    study.finished = false;
    return false;
  }
  return true;
}

void draw_now(const Simulation& simulation, const std::string& caption, const std::string& path,
              const SceneDescription* scene, const std::vector<std::vector<double>>& moments) {
  std::vector<BodyDescription> bodies(simulation.slot_count());
  for (const BodyId id : simulation.bodies()) bodies[id.index] = simulation.description(id);
  Frame frame;
  capture_frame(simulation, RecordDescription{}, frame);
  PictureOptions picture;
  picture.caption = caption;
  picture.framing = moments;
  if (scene) picture.marks = joint_marks(*scene, frame);
  draw_picture(simulation.dimension(), bodies, frame.poses, picture, path);
}

std::string figure_path(const PaperOptions& options, const std::string& name, PaperStudy& study) {
  const std::string path = (std::filesystem::path(options.figures) / name).lexically_normal().string();
  study.figures.push_back(path);
  return path;
}

}  // namespace touchstone

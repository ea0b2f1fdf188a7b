#pragma once
// Small worlds and frames made by hand, for the tests of the replay.
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

#include "io/replay/world.h"
#include "recording/recorder.h"
#include "recording/recording.h"
#include "touchstone/scene_file.h"

namespace touchstone::replay_samples {

class Folder {
 public:
  Folder() {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    path_ = std::filesystem::temp_directory_path() / (std::string("touchstone-") + test->test_suite_name() + "-" +
                                                      test->name() + "-" + std::to_string(::getpid()));
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

inline std::string slurp(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Three cubes fall and turn; the name of one of them tries to leave its script block.
inline const std::string kScene = R"(touchstone = 1
name = "three </script> cubes"
dimension = 3
[simulation]
step = 0.005
duration = 0.6
[record]
every = 2
[[body]]
name = "ground"
kind = "static"
shape = { kind = "half_space", normal = [0, 0, 1] }
[[body]]
name = "</script><b>"
position = [0, 0, 0.5]
angular_velocity = [3, 1, 2]
shape = { kind = "box", size = [0.2, 0.3, 0.4] }
[[body]]
name = "slider"
position = [2, 0, 0.1]
velocity = [1.5, 0, 0]
shape = { kind = "box", size = [0.2, 0.2, 0.2] }
[[body]]
name = "ball"
position = [-2, 0, 1]
shapes = [ { kind = "sphere", radius = 0.1 }, { kind = "sphere", radius = 0.1, position = [0.3, 0, 0] } ]
)";

// Runs a scene and records it as `touchstone run` does. finish: as HDF5, otherwise the journal of a run that was
// killed.
inline void record(const std::string& scene_text, const std::string& path, bool finish = true) {
  const SceneDescription scene = parse_scene(scene_text, "scene.toml");
  Simulation simulation(scene);
  simulation.set_yardstick(true);
  RecordingInfo info;
  info.program_version = version();
  info.model = simulation.model_name();
  info.scene_name = scene.name;
  info.scene_text = scene_text;
  info.scene_path = "scene.toml";
  info.dimension = scene.dimension;
  info.step_size = scene.step;
  info.duration = scene.duration;
  info.record = scene.record;
  for (const BodyId id : simulation.bodies()) info.body_names.push_back(simulation.body_name(id));
  RecordingWriter recorder(path, info);
  Frame frame;
  const auto put = [&] {
    recorder.mark({simulation.step_count(), simulation.time(), simulation.state_hash()});
    if (simulation.step_count() % static_cast<std::uint64_t>(scene.record.every) != 0) return;
    capture_frame(simulation, scene.record, frame);
    simulation.forget_measures();
    recorder.frame(frame);
  };
  put();
  while (simulation.time() < scene.duration - 1e-9) {
    simulation.step();
    put();
  }
  if (finish) recorder.finish(true);
}

template <class T>
T number_at(std::span<const std::byte> bytes, std::size_t offset) {
  T value{};
  EXPECT_LE(offset + sizeof(T), bytes.size());
  if (offset + sizeof(T) <= bytes.size()) std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

}  // namespace touchstone::replay_samples

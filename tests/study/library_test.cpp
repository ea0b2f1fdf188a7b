// The library has what the program has: recorder, verify and compare.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "apps/program.h"
#include "recording/recording.h"
#include "touchstone/touchstone.h"

namespace touchstone::testing {
namespace {

namespace fs = std::filesystem;

// A folder of its own, gone at the end.
class Library : public ::testing::Test {
 protected:
  Library() {
    std::string pattern = (fs::temp_directory_path() / "touchstone-library-XXXXXX").string();
    root_ = mkdtemp(pattern.data());
  }
  ~Library() override { fs::remove_all(root_); }
  std::string path(const std::string& name) const { return (root_ / name).string(); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(root_ / name) << text;
    return path(name);
  }
  fs::path root_;
};

TEST_F(Library, RecordsASimulationMadeByCode) {
  SceneDescription scene;
  scene.dimension = 3;
  BodyDescription floor, box;
  floor.name = "floor", floor.kind = BodyKind::kStatic;
  floor.shapes = {ShapeDescription::half_space({0, 0, 1})};
  box.name = "box", box.shapes = {ShapeDescription::box(0.2, 0.2, 0.2)};
  box.placement.position = {0, 0, 0.15};
  scene.bodies = {floor, box};
  Simulation sim(scene);
  RecorderOptions options;
  options.what.every = 10;
  Recorder recorder(path("a.h5"), sim, options);
  for (int i = 0; i < 305; ++i) sim.step(), recorder.record();
  EXPECT_TRUE(Recording::open(path("a.h5")).journal()) << "readable before its end";
  recorder.finish();
  const Recording recording = Recording::open(path("a.h5"));
  EXPECT_TRUE(recording.complete());
  EXPECT_FALSE(recording.journal());
  EXPECT_EQ(recording.steps().size(), 306u);
  EXPECT_EQ(recording.steps().back().hash, sim.state_hash());
  EXPECT_EQ(recording.frame_count(), 32u) << "step 0, every tenth, and the last";

  const VerifyReport report = verify(path("a.h5"));
  EXPECT_EQ(report.steps, 305u);
  EXPECT_EQ(report.measured_steps, 305u);
  EXPECT_GE(report.measures.size(), measure_infos().size());
  const VerifiedMeasure& deepest = report.of("penetration");
  EXPECT_EQ(deepest.unit, "m");
  EXPECT_GT(deepest.worst, 0);
  EXPECT_LT(deepest.worst, 1e-3);
  EXPECT_TRUE(deepest.body_a == "box" || deepest.body_b == "box");
  EXPECT_THROW(report.of("penetartion"), Error);
  EXPECT_THROW(verify(path("none.h5")), Error);
}

TEST_F(Library, ARecordingWithItsSceneCanBeResumed) {
  const std::string scene = write("s.toml", two_boxes("impulse"));
  Simulation sim(load_scene(scene)), whole(load_scene(scene));
  RecorderOptions options;
  options.scene_file = scene;
  Recorder recorder(path("s.h5"), sim, options);
  for (int i = 0; i < 20; ++i) sim.step(), recorder.record();
  recorder.finish(false);
  for (int i = 0; i < 50; ++i) whole.step();
  const Recording recording = Recording::open(path("s.h5"));
  EXPECT_FALSE(recording.complete());
  EXPECT_FALSE(recording.info().scene_text.empty());
  Simulation again(parse_scene(recording.info().scene_text, "s.toml"));
  again.restore(recording.last_snapshot()->bytes);
  for (int i = 0; i < 30; ++i) again.step();
  EXPECT_EQ(again.state_hash(), whole.state_hash());
}

TEST_F(Library, ComparesModels) {
  const std::string scene = write("s.toml", two_boxes("impulse"));
  CompareSettings settings;
  settings.models = {"impulse", "penalty"};
  settings.duration = 0.05;
  settings.keep = path("kept");
  const CompareReport report = compare_models(scene, settings);
  ASSERT_GE(report.runs.size(), 2u);
  for (const ComparedRun& run : report.runs) {
    EXPECT_TRUE(run.finished) << run.label << ": " << run.failure;
    EXPECT_TRUE(fs::exists(run.recording)) << run.recording;
  }
  EXPECT_FALSE(report.interrupted);
  EXPECT_NE(report.text.find("penalty"), std::string::npos);
  EXPECT_GE(nlohmann::json::parse(report.json).at("runs").size(), 2u);
  settings.models = {"imupulse"};
  EXPECT_THROW(compare_models(scene, settings), Error);
}

TEST_F(Library, AStopEndsAComparison) {
  std::string text = two_boxes("impulse");
  text.replace(text.find("duration = 0.1"), 14, "duration = 1e5");
  const std::atomic<bool> stop{true};
  CompareSettings settings;
  settings.models = {"impulse"};
  settings.stop = &stop;
  EXPECT_TRUE(compare_models(write("s.toml", text), settings).interrupted);
}

}  // namespace
}  // namespace touchstone::testing

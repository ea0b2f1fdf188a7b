// Contacts and joints of a recording with their impulses, as CSV and for NumPy, against what a balance of forces says.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "io/export/export.h"
#include "study/runner.h"
#include "touchstone/scene_file.h"

namespace touchstone {
namespace {

constexpr double kStep = 0.001, kWeight = 8.0 * 9.81;  // of a cube of 0.2 m of the default density

// A cube at rest on the floor, and one that hangs from the world.
const char* kScene = R"(touchstone = 1
name = "at rest"
dimension = 3
[simulation]
step = 0.001
duration = 0.05
[model]
preset = "accurate"
[record]
every = 10
[[body]]
name = "floor"
kind = "static"
shape = { kind = "half_space" }
[[body]]
name = "lies"
position = [0, 0, 0.1]
shape = { kind = "box", size = [0.2, 0.2, 0.2] }
[[body]]
name = "hangs, still"
position = [3, 0, 1]
shape = { kind = "box", size = [0.2, 0.2, 0.2] }
[[joint]]
name = "hook"
kind = "hinge"
body_b = "hangs, still"
point = [3, 0, 2]
axis = [0, 1, 0]
)";

class ExportForces : public ::testing::Test {
 protected:
  ExportForces()
      : base_((std::filesystem::temp_directory_path() / ("touchstone-forces-" + std::to_string(::getpid()))).string()) {
  }
  ~ExportForces() override {
    for (const char* end : {".h5", ".csv", ".npz"}) std::filesystem::remove(base_ + end);
  }
  Recording record(const std::string& text) const {
    const LoadedScene loaded{parse_scene(text, "scene.toml"), "", {}, {}};
    Simulation sim(loaded.scene);
    RecordingWriter recorder(base_ + ".h5", recording_info(sim, loaded, "scene.toml", {}));
    run_simulation(sim, loaded.scene.duration, loaded.scene.record, &recorder, {});
    recorder.finish(true);
    return Recording::open(base_ + ".h5");
  }
  std::string slurp(const std::string& path) const {
    std::stringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
  }
  // Rows by the names of the columns, without their units.
  std::vector<std::map<std::string, std::string>> rows(const std::string& path) const {
    std::ifstream in(path);
    std::string line;
    std::getline(in, line);
    std::vector<std::string> names = fields(line);
    std::vector<std::map<std::string, std::string>> out;
    while (std::getline(in, line)) {
      const std::vector<std::string> values = fields(line);
      EXPECT_EQ(values.size(), names.size()) << line;
      for (std::size_t i = 0; i < std::min(names.size(), values.size()); ++i)
        (i == 0 ? out.emplace_back() : out.back())[names[i].substr(0, names[i].find(" ["))] = values[i];
    }
    return out;
  }
  // A quoted field may hold commas.
  static std::vector<std::string> fields(const std::string& line) {
    std::vector<std::string> out(1);
    bool quoted = false;
    for (const char c : line) {
      if (c == '"')
        quoted = !quoted;
      else if (c == ',' && !quoted)
        out.emplace_back();
      else
        out.back() += c;
    }
    return out;
  }
  const std::string base_;
};

TEST_F(ExportForces, ContactsBearTheWeight) {
  const Recording recording = record(kScene);
  export_contacts_csv(recording, base_ + ".csv");
  std::map<std::string, double> sums;  // by step
  for (auto& row : rows(base_ + ".csv")) {
    EXPECT_EQ(row["body_a"], "floor");
    EXPECT_EQ(row["body_b"], "lies");
    EXPECT_NEAR(std::stod(row["normal_z"]), 1, 1e-12);
    sums[row["step"]] += std::stod(row["impulse_z"]);
  }
  EXPECT_EQ(sums.size(), 5u);  // every tenth step; before the first there are none
  for (const auto& [step, sum] : sums) EXPECT_NEAR(sum, kWeight * kStep, 1e-6 * kWeight * kStep) << step;
}

TEST_F(ExportForces, JointsHoldWhatHangsOnThem) {
  const Recording recording = record(kScene);
  EXPECT_EQ(recording.info().joint_names, (std::vector<std::string>{"hook"}));
  export_joints_csv(recording, base_ + ".csv");
  const auto all = rows(base_ + ".csv");
  ASSERT_EQ(all.size(), 6u);
  for (auto row : std::vector(all.begin() + 1, all.end())) {
    EXPECT_EQ(row["joint"], "hook");
    EXPECT_NEAR(std::stod(row["impulse_z"]), kWeight * kStep, 1e-9 * kWeight * kStep) << row["step"];
    EXPECT_NEAR(std::stod(row["impulse_x"]), 0, 1e-12);
    EXPECT_NEAR(std::stod(row["coordinate"]), 0, 1e-9);
    EXPECT_NEAR(std::stod(row["z"]), 2, 1e-9);
    EXPECT_LT(std::stod(row["position_error"]), 1e-9);
  }
}

TEST_F(ExportForces, NumPyHasBoth) {
  const Recording recording = record(kScene);
  export_npz(recording, base_ + ".npz");
  const std::string bytes = slurp(base_ + ".npz");
  for (const char* name : {"contacts_impulse.npy", "joint_names.npy", "joint_offset.npy", "joints_impulse.npy",
                           "joints_angular_impulse.npy", "joints_coordinate.npy"})
    EXPECT_NE(bytes.find(name), std::string::npos) << name;
  const Frame last = recording.read_frame(recording.frame_count() - 1);
  ASSERT_EQ(last.joints.size(), 1u);
  EXPECT_NE(bytes.find(std::string(reinterpret_cast<const char*>(last.joints[0].impulse), 24)), std::string::npos);
}

TEST_F(ExportForces, WhatIsNotThereIsSaid) {
  std::string text = kScene;
  const Recording none = record(text.substr(0, text.find("[[joint]]")));
  EXPECT_THROW(export_joints_csv(none, base_ + ".csv"), Error);
  text.replace(text.find("every = 10"), 10, "contacts = false");
  const Recording bare = record(text);
  EXPECT_THROW(export_contacts_csv(bare, base_ + ".csv"), Error);
  EXPECT_FALSE(bare.read_frame(1).joints.empty());
}

}  // namespace
}  // namespace touchstone

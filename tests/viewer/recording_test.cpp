// A recording over HTTP: what is sent is what is in the file; files that are not right are refused before a server is.
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "io/replay/frame_bytes.h"
#include "io/scene/reader.h"
#include "recording/recorder.h"
#include "study/runner.h"
#include "touchstone/error.h"
#include "viewer/client.h"
#include "viewer/scenes.h"
#include "viewer/server.h"
#include "viewer/shows.h"

namespace touchstone::viewer {
namespace {

using namespace viewer_client;
namespace fs = std::filesystem;

constexpr const char* kScene = R"(touchstone = 1
name = "ball"
dimension = 3
[simulation]
step = 0.001
duration = 0.3
[record]
every = 5
[[body]]
name = "floor"
kind = "static"
shape = { kind = "half_space", normal = [0, 0, 1] }
[[body]]
name = "ball"
position = [0, 0, 0.3]
shape = { kind = "sphere", radius = 0.1 }
)";

class Recorded : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("touchstone_viewer_" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string file(const std::string& name) const { return (folder_ / name).string(); }

  // Stops after `seconds` without an end if `journal`.
  std::string record(const std::string& name, bool journal = false) const {
    const LoadedScene loaded = load_scene_text(kScene, "ball.toml", {}, {});
    Simulation simulation(loaded.scene);
    RecordingInfo info;
    info.program_version = version();
    info.model = simulation.model_name();
    info.scene_name = loaded.scene.name;
    info.scene_text = loaded.text;
    info.scene_path = "ball.toml";
    info.dimension = 3;
    info.step_size = simulation.step_size();
    info.duration = loaded.scene.duration;
    info.record = loaded.scene.record;
    for (const BodyId id : simulation.bodies()) info.body_names.push_back(simulation.body_name(id));
    RecordingWriter recorder(file(name), info);
    run_simulation(simulation, journal ? 0.1 : 0.3, loaded.scene.record, &recorder, {});
    if (journal)
      recorder.flush();
    else
      recorder.finish(true);
    return file(name);
  }
  std::string bytes_of(const std::string& path) const {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void expect_refused(const std::string& name, const std::string& bytes, const std::string& word) const {
    std::ofstream(file(name), std::ios::binary) << bytes;
    try {
      RecordingShow show(kTestPage, file(name));
      ADD_FAILURE() << name << " was shown";
    } catch (const Error& e) {
      EXPECT_NE(std::string(e.what()).find(name), std::string::npos) << e.what();
      EXPECT_NE(std::string(e.what()).find(word), std::string::npos) << e.what();
    }
  }
  fs::path folder_;
};

TEST_F(Recorded, IsServedAsItIs) {
  RecordingShow show(kTestPage, record("ball.h5"));
  Server server({}, show);
  const auto ask = [&](const std::string& target) {
    return get(server.port(), target + (target.find('?') == std::string::npos ? "?" : "&") + "token=" + server.token());
  };
  EXPECT_NE(ask("/").body.find("\"mode\":\"served\""), std::string::npos);
  const auto manifest = nlohmann::json::parse(ask("/api/manifest").body);
  EXPECT_EQ(manifest["frames"], 61);
  EXPECT_EQ(manifest["complete"], true);
  EXPECT_EQ(manifest["source"], "ball.h5") << "no folders";
  EXPECT_EQ(manifest.dump().find(folder_.string()), std::string::npos);
  const std::string frames = ask("/api/frames?first=10&count=5").body;
  std::size_t at = 0, index = 10;
  const std::size_t fields = report_fields().size();
  for (; at < frames.size(); ++index) {
    ReplayFrameHeader header;
    std::memcpy(&header, frames.data() + at, sizeof header);
    ASSERT_EQ(header.magic, ReplayFrameHeader::kMagic);
    const Frame frame = show.recording().read_frame(index);
    EXPECT_EQ(header.step, frame.step);
    EXPECT_EQ(header.time, frame.time);
    EXPECT_EQ(header.flags & 15, 7u);
    float z = 0;
    std::memcpy(&z, frames.data() + at + 64 + 8 * fields + 4 * (7 + 2), 4);
    EXPECT_EQ(z, static_cast<float>(frame.poses[7 + 2]));
    at += header.bytes;
  }
  EXPECT_EQ(index, 15u);
  EXPECT_EQ(at, frames.size());
  EXPECT_EQ(ask("/api/frames?first=61").status, 404);
  EXPECT_GT(ask("/api/frames?first=60&count=1000000000").body.size(), 64u);
  EXPECT_EQ(ask("/api/frames?first=0&count=0").body.size(), 0u);
  const std::string series = ask("/api/series").body;
  std::uint32_t counts[2];
  std::memcpy(counts, series.data(), 8);
  EXPECT_EQ(counts[0], 61u);
  EXPECT_EQ(counts[1], fields);
  const auto column = static_cast<std::size_t>(find_report_field("kinetic_energy") - report_fields().data());
  const std::vector<double> energy = show.recording().series("kinetic_energy");
  EXPECT_EQ(std::memcmp(series.data() + 8 + 8 * 61 * column, energy.data(), 8 * 61), 0);
}

// Events depend on the frame before: they are the same however the frames are asked for.
TEST_F(Recorded, FramesDoNotDependOnTheQuestion) {
  RecordingShow show(kTestPage, record("ball.h5"));
  const std::string all = show.frames(0, 61).body;
  std::string one_by_one;
  for (std::size_t i = 0; i < 61; ++i) one_by_one += show.frames(i, 1).body;
  EXPECT_EQ(one_by_one, all);
}

TEST_F(Recorded, AJournalIsShownAsFarAsItGoes) {
  const std::string path = record("going_on.h5", true);
  RecordingShow show(kTestPage, path);
  EXPECT_GT(show.recording().frame_count(), 10u);
  EXPECT_FALSE(show.truncated().empty());
  EXPECT_EQ(nlohmann::json::parse(show.manifest().body)["complete"], false);
  // Cut in the middle of a record.
  const std::string whole = bytes_of(path);
  std::ofstream(file("cut.h5"), std::ios::binary) << whole.substr(0, whole.size() * 2 / 3);
  RecordingShow cut(kTestPage, file("cut.h5"));
  EXPECT_GT(cut.recording().frame_count(), 1u);
  EXPECT_LT(cut.recording().frame_count(), show.recording().frame_count());
}

TEST_F(Recorded, OthersAreRefusedByName) {
  const std::string whole = bytes_of(record("ball.h5"));
  expect_refused("empty.h5", "", "");
  expect_refused("text.h5", "this is no recording\n", "");
  expect_refused("half.h5", whole.substr(0, whole.size() / 2), "");
  EXPECT_THROW(RecordingShow(kTestPage, file("missing.h5")), Error);
}

}  // namespace
}  // namespace touchstone::viewer

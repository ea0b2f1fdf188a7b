// The viewer of a simulation that a program runs, through its WebSocket.
#include <gtest/gtest.h>

#include <atomic>
#include <nlohmann/json.hpp>
#include <thread>

#include "io/replay/html.h"
#include "touchstone/viewer.h"
#include "viewer/client.h"
#include "viewer/scenes.h"

namespace touchstone::viewer {
namespace {

using namespace viewer_client;
using namespace std::chrono_literals;
using Json = nlohmann::json;

// Steps a simulation and shows it, until it is told to end.
class Program {
 public:
  explicit Program(const ServeOptions& options = {})
      : scene_(test_scene(3, "impulse")), simulation_(scene_), viewer_(serve(simulation_, scene_, options)) {
    thread_ = std::thread([this] {
      while (!ends_) {
        simulation_.step();
        ++steps_;
        viewer_.update();
        std::this_thread::sleep_for(1ms);
      }
    });
  }
  ~Program() {
    ends_ = true;
    viewer_.release();
    thread_.join();
  }
  WebSocket watch() const { return WebSocket(viewer_.port(), "/ws" + query()); }
  std::string query() const { return viewer_.url().substr(viewer_.url().find("?token=")); }
  const Viewer& viewer() const { return viewer_; }
  std::uint64_t steps() const { return steps_; }

 private:
  SceneDescription scene_;
  Simulation simulation_;
  Viewer viewer_;
  std::atomic<bool> ends_{false};
  std::atomic<std::uint64_t> steps_{0};
  std::thread thread_;
};

// Reads on until a message of this kind; frames are "frame".
Json next(WebSocket& socket, const std::string& kind) {
  for (int i = 0; i < 1000; ++i) {
    const std::optional<Message> m = socket.receive();
    if (!m || m->opcode == 8) break;
    if (m->opcode == 2 && kind == "frame") return m->data.size();
    if (m->opcode == 1 && Json::parse(m->data)["is"] == kind) return Json::parse(m->data);
  }
  return nullptr;
}

class Serve : public ::testing::Test {
 protected:
  void SetUp() override {
    if (viewer_page().empty()) GTEST_SKIP() << "the page is not there";
  }
};

TEST_F(Serve, ShowsARunningSimulation) {
  Program program;
  WebSocket socket = program.watch();
  const Json scene = next(socket, "scene");
  ASSERT_FALSE(scene.is_null());
  EXPECT_EQ(scene["manifest"]["bodies"].size(), 5u);
  EXPECT_EQ(scene["manifest"]["models"].size(), 0u) << "the model is the program's";
  EXPECT_FALSE(next(socket, "frame").is_null());
  const Json status = next(socket, "status");
  EXPECT_EQ(status["options"]["model"], "impulse");
  EXPECT_EQ(status["running"], true);
  EXPECT_EQ(program.viewer().viewers(), 1u);
  EXPECT_EQ(get(program.viewer().port(), "/" + program.query()).status, 200);
}

TEST_F(Serve, PausesAndStepsTheProgram) {
  Program program;
  WebSocket socket = program.watch();
  ASSERT_FALSE(next(socket, "frame").is_null());
  socket.send(Json{{"do", "pause"}}.dump());
  while (next(socket, "status")["running"] == true) {
  }
  std::this_thread::sleep_for(50ms);
  const std::uint64_t before = program.steps();
  std::this_thread::sleep_for(200ms);
  EXPECT_EQ(program.steps(), before) << "it waits";
  socket.send(Json{{"do", "step"}, {"steps", 3}}.dump());
  std::this_thread::sleep_for(300ms);
  EXPECT_EQ(program.steps(), before + 3);
  socket.send(Json{{"do", "play"}}.dump());
  while (next(socket, "status")["running"] == false) {
  }
  std::this_thread::sleep_for(100ms);
  EXPECT_GT(program.steps(), before + 3);
}

TEST_F(Serve, RefusesWhatIsTheProgramsToDecide) {
  ServeOptions options;
  options.obey_pause = false;
  Program free;
  Program strict(options);
  WebSocket of_free = free.watch(), of_strict = strict.watch();
  of_free.send(Json{{"do", "model"}, {"name", "penalty"}}.dump());
  EXPECT_NE(next(of_free, "error")["message"].get<std::string>().find("a program runs this simulation"),
            std::string::npos);
  of_strict.send(Json{{"do", "pause"}}.dump());
  EXPECT_NE(next(of_strict, "error")["message"].get<std::string>().find("does not take commands"), std::string::npos);
}

TEST_F(Serve, ABodyThatIsAddedIsShown) {
  SceneDescription scene = test_scene(3, "impulse");
  Simulation simulation(scene);
  Viewer viewer = serve(simulation);
  WebSocket socket(viewer.port(), "/ws" + viewer.url().substr(viewer.url().find("?token=")));
  EXPECT_EQ(next(socket, "scene")["manifest"]["bodies"].size(), 5u);
  BodyDescription late;
  late.name = "late";
  late.shapes = {ShapeDescription::sphere(0.1)};
  late.placement.position = {0, 0, 3};
  simulation.add_body(late);
  Json scene_again;
  for (int i = 0; i < 200 && scene_again.is_null(); ++i) {
    simulation.step();
    viewer.update();
    if (const std::optional<Message> m = socket.receive(20ms); m && m->opcode == 1)
      if (const Json j = Json::parse(m->data); j["is"] == "scene") scene_again = j;
  }
  ASSERT_FALSE(scene_again.is_null());
  EXPECT_EQ(scene_again["manifest"]["bodies"].size(), 6u);
}

}  // namespace
}  // namespace touchstone::viewer

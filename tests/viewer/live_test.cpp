// A live session through its WebSocket: commands change what they should, and nobody stalls the simulation.
#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <nlohmann/json.hpp>
#include <thread>

#include "io/replay/frame_bytes.h"
#include "viewer/client.h"
#include "viewer/scenes.h"
#include "viewer/server.h"
#include "viewer/shows.h"

namespace touchstone::viewer {
namespace {

using namespace viewer_client;
using namespace std::chrono_literals;
using Json = nlohmann::json;

// A frame as a page reads it: by the offsets of docs/viewer.md.
struct SeenFrame {
  ReplayFrameHeader header;
  std::vector<float> poses;
  explicit SeenFrame(const std::string& bytes) {
    std::memcpy(&header, bytes.data(), sizeof header);
    EXPECT_EQ(header.magic, 0x31465354u);
    EXPECT_EQ(header.bytes, bytes.size());
    poses.resize(7 * header.slots);
    std::memcpy(poses.data(), bytes.data() + 64 + 8 * header.fields, 4 * poses.size());
  }
  bool edited() const { return header.flags & 8; }
};

class Watcher {
 public:
  explicit Watcher(const Server& server, int receive_buffer = 0)
      : socket_(server.port(), "/ws?token=" + server.token(), "", receive_buffer) {}
  void send(const Json& message) { socket_.send(message.dump()); }
  WebSocket& socket() { return socket_; }

  // Reads on until `enough`; false if it does not come within `wait`, however many other messages do.
  template <class Enough>
  bool until(Enough&& enough, Milliseconds wait = 60000ms) {
    const auto end = std::chrono::steady_clock::now() + wait;
    while (!enough()) {
      const auto left = std::chrono::ceil<Milliseconds>(end - std::chrono::steady_clock::now());
      if (left <= 0ms) return false;
      const std::optional<Message> m = socket_.receive(left);
      if (!m || m->opcode == 8) return false;
      if (m->opcode == 2) {
        frames.emplace_back(m->data);
        continue;
      }
      const Json json = Json::parse(m->data);
      if (json["is"] == "status") status = json;
      if (json["is"] == "scene") manifest = json["manifest"], ++scenes;
      if (json["is"] == "error") error = json["message"];
    }
    return true;
  }
  bool until_step(std::uint64_t step) {
    return until([&] { return !frames.empty() && frames.back().header.step == step && status["step"] == step; });
  }

  std::vector<SeenFrame> frames;
  Json status, manifest;
  std::string error;
  int scenes = 0;

 private:
  WebSocket socket_;
};

SessionOptions paused() {
  SessionOptions o;
  o.play = false;
  o.timeline.snapshot_every = 16;
  return o;
}

struct Live {
  explicit Live(SceneDescription scene, const SessionOptions& options = paused())
      : show(kTestPage, std::move(scene), options), server({}, show) {}
  LiveShow show;
  Server server;
};

void expect_poses(const SeenFrame& frame, const Simulation& simulation) {
  ASSERT_EQ(frame.header.step, simulation.step_count());
  EXPECT_EQ(frame.header.time, simulation.time());
  for (const BodyId id : simulation.bodies()) {
    const Placement p = simulation.state(id).placement;
    for (int i = 0; i < 3; ++i)
      ASSERT_EQ(frame.poses[7 * id.index + static_cast<std::size_t>(i)], static_cast<float>(p.position[i])) << id.index;
  }
}

TEST(Live, SceneThenStatusThenTheFirstFrame) {
  Live live(test_scene(3, "impulse"));
  WebSocket socket(live.server.port(), "/ws?token=" + live.server.token());
  const auto scene = socket.receive(), status = socket.receive(), frame = socket.receive();
  ASSERT_TRUE(scene && status && frame);
  EXPECT_EQ(Json::parse(scene->data)["is"], "scene");
  EXPECT_EQ(Json::parse(scene->data)["manifest"]["bodies"].size(), 5u);
  EXPECT_EQ(Json::parse(status->data)["is"], "status");
  expect_poses(SeenFrame(frame->data), Simulation(test_scene(3, "impulse")));
  EXPECT_FALSE(SeenFrame(frame->data).edited());
  const Response page = get(live.server.port(), "/?token=" + live.server.token());
  EXPECT_NE(page.body.find("\"mode\":\"live\""), std::string::npos);
  const Response manifest = get(live.server.port(), "/api/manifest?token=" + live.server.token());
  EXPECT_EQ(Json::parse(manifest.body), Json::parse(scene->data)["manifest"]);
}

TEST(Live, StepsBackAndForth) {
  Live live(test_scene(3, "impulse"));
  Simulation same(test_scene(3, "impulse"));
  Watcher w(live.server);
  ASSERT_TRUE(w.until_step(0));
  w.send({{"do", "step"}, {"steps", 40}});
  ASSERT_TRUE(w.until_step(40));
  for (int i = 0; i < 40; ++i) same.step();
  expect_poses(w.frames.back(), same);
  EXPECT_EQ(w.status["running"], false);
  w.send({{"do", "step"}, {"steps", -7}});
  ASSERT_TRUE(w.until_step(33));
  Simulation again(test_scene(3, "impulse"));
  for (int i = 0; i < 33; ++i) again.step();
  expect_poses(w.frames.back(), again);
  EXPECT_EQ(w.status["last_step"], 40);
  w.send({{"do", "goto"}, {"step", 40}});
  ASSERT_TRUE(w.until_step(40));
  expect_poses(w.frames.back(), same);
  w.send({{"do", "step"}, {"steps", -1000}});
  ASSERT_TRUE(w.until_step(0));
  EXPECT_EQ(w.status["edited"], false);
}

TEST(Live, ChangesAreFeltAndMarked) {
  Live live(test_scene(2, "impulse"));
  Watcher w(live.server);
  w.send({{"do", "step"}, {"steps", 20}});
  ASSERT_TRUE(w.until_step(20));
  EXPECT_FALSE(w.frames.back().edited());
  w.send({{"do", "material"},
          {"name", "default"},
          {"static_friction", 0.9},
          {"dynamic_friction", 0.7},
          {"restitution", 0.4}});
  w.send({{"do", "step_size"}, {"value", 0.002}});
  w.send({{"do", "drag"}, {"body", 1}, {"local", {0.05, 0, 0}}, {"target", {0.3, 0.6, 0}}});
  w.send({{"do", "step"}, {"steps", 30}});
  ASSERT_TRUE(w.until_step(50));
  // The same by hand.
  Timeline same(test_scene(2, "impulse"), {});
  for (int i = 0; i < 20; ++i) same.step();
  same.set_material("default", 0.9, 0.7, 0.4);
  same.set_step_size(0.002);
  same.drag({1, {0.05, 0, 0}, {0.3, 0.6, 0}});
  for (int i = 0; i < 30; ++i) same.step();
  expect_poses(w.frames.back(), same.simulation());
  EXPECT_TRUE(w.frames.back().edited());
  EXPECT_EQ(w.status["edited"], true);
  EXPECT_EQ(w.status["dragging"], true);
  EXPECT_EQ(w.status["options"]["step_size"], 0.002);
  EXPECT_EQ(w.status["options"]["materials"][0]["static_friction"], 0.9);
  EXPECT_EQ(w.manifest["step_size"], 0.002);
  Simulation untouched(test_scene(2, "impulse"));
  for (int i = 0; i < 50; ++i) untouched.step();
  EXPECT_NE(w.frames.back().poses[8],
            static_cast<float>(untouched.state(untouched.find_body("ball")).placement.position.y()));
  w.send({{"do", "goto"}, {"step", 20}});
  ASSERT_TRUE(w.until_step(20));
  EXPECT_FALSE(w.frames.back().edited()) << "back before the first change";
  w.send({{"do", "goto"}, {"step", 50}});
  ASSERT_TRUE(w.until_step(50));
  expect_poses(w.frames.back(), same.simulation());
  w.send({{"do", "restart"}});
  ASSERT_TRUE(w.until_step(0));
  EXPECT_EQ(w.status["edited"], false);
}

TEST(Live, AnotherModel) {
  Live live(test_scene(2, "impulse"));
  Watcher w(live.server);
  w.send({{"do", "step"}, {"steps", 5}});
  ASSERT_TRUE(w.until_step(5));
  w.send({{"do", "model"}, {"name", "penalty"}});
  ASSERT_TRUE(w.until([&] { return w.manifest["model"] == "penalty" && w.status["options"]["model"] == "penalty"; }));
  EXPECT_NE(w.status["message"].get<std::string>().find("anew"), std::string::npos);
  w.send({{"do", "step"}, {"steps", 60}});
  ASSERT_TRUE(w.until_step(60));
  Simulation same(test_scene(2, "penalty"));
  for (int i = 0; i < 60; ++i) same.step();
  expect_poses(w.frames.back(), same);
  w.send({{"do", "model"}, {"name", "nonsense"}});
  ASSERT_TRUE(w.until([&] { return w.status["message"].get<std::string>().find("nonsense") != std::string::npos; }));
  EXPECT_EQ(w.status["options"]["model"], "penalty");
}

TEST(Live, PlaysAtTheSpeedThatIsAskedFor) {
  SessionOptions options = paused();
  options.play = true;
  Live live(test_scene(2, "impulse"), options);
  Watcher w(live.server);
  ASSERT_TRUE(w.until([&] { return !w.frames.empty(); }));
  EXPECT_EQ(w.frames[0].header.step, 0u) << "the first frame comes before the first step";
  const auto begin = std::chrono::steady_clock::now();
  const double from = w.frames.back().header.time;
  ASSERT_TRUE(w.until([&] { return w.frames.back().header.time > from + 0.5; }));
  const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  EXPECT_GT(took, 0.4) << "it must not run ahead of the clock";
  EXPECT_LT(w.frames.size(), 1.1 * took * 60 + 3) << "at most 60 frames a second";
  w.send({{"do", "pause"}});
  ASSERT_TRUE(w.until([&] { return w.status["running"] == false; }));
  const auto steps = live.show.session().steps_done();
  std::this_thread::sleep_for(50ms);
  EXPECT_EQ(live.show.session().steps_done(), steps);
  w.send({{"do", "speed"}, {"value", 0}});
  w.send({{"do", "play"}});
  ASSERT_TRUE(w.until([&] { return w.status["running"] == true && w.status["speed"] == 0; }));
}

TEST(Live, WrongMessagesAreAnswered) {
  Live live(test_scene(2, "impulse"));
  Watcher w(live.server);
  for (const char* wrong : {"",
                            "{",
                            "[]",
                            "42",
                            "null",
                            "\"play\"",
                            "{}",
                            "{\"do\":1}",
                            "{\"do\":\"fly\"}",
                            "{\"do\":\"step\",\"steps\":1.5}",
                            "{\"do\":\"step\",\"steps\":99999999999999999999}",
                            "{\"do\":\"speed\"}",
                            "{\"do\":\"speed\",\"value\":-1}",
                            "{\"do\":\"speed\",\"value\":1e999}",
                            "{\"do\":\"goto\",\"step\":-1}",
                            "{\"do\":\"model\"}",
                            "{\"do\":\"model\",\"name\":7}",
                            "{\"do\":\"drag\",\"body\":1}",
                            "{\"do\":\"drag\",\"body\":-1,\"local\":[0,0,0],\"target\":[0,0,0]}",
                            "{\"do\":\"drag\",\"body\":1,\"local\":[0,0],\"target\":[0,0,0]}",
                            "{\"do\":\"drag\",\"body\":1,\"local\":[0,0,0],\"target\":[0,0,1e300]}",
                            "{\"do\":\"material\",\"name\":\"default\",\"restitution\":\"x\"}"}) {
    w.error.clear();
    w.socket().send(wrong);
    ASSERT_TRUE(w.until([&] { return !w.error.empty(); })) << wrong;
  }
  w.error.clear();
  w.socket().send(std::string(8000, '['));
  ASSERT_TRUE(w.until([&] { return !w.error.empty(); }));
  w.error.clear();
  w.socket().send("\x01\x02", 2);
  ASSERT_TRUE(w.until([&] { return !w.error.empty(); })) << "bytes";
  w.send({{"do", "step_size"}, {"value", -1}});
  ASSERT_TRUE(w.until([&] { return w.status["message"].get<std::string>().find("step") != std::string::npos; }));
  w.send({{"do", "step"}, {"steps", 3}});
  ASSERT_TRUE(w.until_step(3)) << "and nothing has stopped";
}

TEST(Live, AMessageThatIsTooLongEndsTheConnection) {
  Live live(test_scene(2, "impulse"));
  Watcher w(live.server);
  w.socket().send("{\"do\":\"" + std::string(100000, 'x') + "\"}");
  EXPECT_FALSE(w.until([] { return false; }));
  Watcher other(live.server);
  ASSERT_TRUE(other.until_step(0));
}

TEST(Live, AFailedStepIsToldAndRestartGoesOn) {
  SceneDescription scene = test_scene(3, "penalty");
  Live live(scene);
  Watcher w(live.server);
  // The spring of the penalty model is far too hard for such a step.
  w.send({{"do", "step"}, {"steps", 20}});
  ASSERT_TRUE(w.until_step(20));
  w.send({{"do", "step_size"}, {"value", 100}});
  w.send({{"do", "step"}, {"steps", 400}});
  ASSERT_TRUE(w.until([&] { return w.status["failed"] == true || w.status["step"] == 420; }));
  EXPECT_EQ(w.status["failed"], true);
  EXPECT_FALSE(w.status["message"].get<std::string>().empty());
  EXPECT_EQ(w.status["running"], false);
  w.send({{"do", "restart"}});
  w.send({{"do", "step_size"}, {"value", 0.001}});
  w.send({{"do", "step"}, {"steps", 10}});
  ASSERT_TRUE(w.until_step(10));
  EXPECT_EQ(w.status["failed"], false);
}

// A step of hours: commands that do not need its end are heard, and so is the end of the session.
TEST(Live, ALongStepIsInterrupted) {
  SceneDescription scene = test_scene(3, "impulse");
  scene.step = 3.6e6;  // 650 million substeps: hours
  scene.duration = 1e9;
  const auto begin = std::chrono::steady_clock::now();
  {
    Live live(scene);
    Watcher w(live.server);
    ASSERT_TRUE(w.until_step(0));
    w.send({{"do", "step"}, {"steps", 1}});
    std::this_thread::sleep_for(200ms);
    w.send({{"do", "pause"}});
    w.send({{"do", "step_size"}, {"value", 1e-3}});
    ASSERT_TRUE(w.until([&] { return w.status["options"]["step_size"] == 1e-3; }));
    EXPECT_EQ(w.status["step"], 0);
    EXPECT_EQ(w.status["failed"], false);
    w.send({{"do", "step"}, {"steps", 2}});
    ASSERT_TRUE(w.until_step(2));
  }
  {
    Live live(scene);
    Watcher w(live.server);
    ASSERT_TRUE(w.until_step(0));
    w.send({{"do", "speed"}, {"value", 0}});
    w.send({{"do", "play"}});
    std::this_thread::sleep_for(200ms);
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 120s);
}

TEST(Live, FiftyViewersAtOnce) {
  SessionOptions options = paused();
  options.play = true;
  Live live(test_scene(2, "impulse", 20), options);
  std::vector<std::unique_ptr<Watcher>> watchers;
  for (int i = 0; i < 50; ++i) watchers.push_back(std::make_unique<Watcher>(live.server));
  std::atomic<int> served{0};
  std::vector<std::thread> threads;
  for (auto& w : watchers)
    threads.emplace_back([&w, &served] { served += w->until([&] { return w->frames.size() >= 10; }); });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(served, 50);
  EXPECT_EQ(live.server.viewers(), 50u);
  watchers.clear();
  for (int i = 0; i < 400 && live.server.viewers() > 0; ++i) std::this_thread::sleep_for(5ms);
  EXPECT_EQ(live.server.viewers(), 0u);
}

TEST(Live, OneWhoNeverReadsKeepsNobodyWaiting) {
  SessionOptions options = paused();
  options.play = true;
  options.speed = 0;
  Live live(test_scene(2, "free", 400), options);
  std::vector<std::unique_ptr<Watcher>> deaf;
  for (int i = 0; i < 5; ++i) deaf.push_back(std::make_unique<Watcher>(live.server, 4096));
  Watcher w(live.server);
  // More than what their buffers hold, so that their writes are stuck by then.
  ASSERT_TRUE(w.until([&] { return w.frames.size() > 60; }));
  const std::uint64_t steps = live.show.session().steps_done();
  for (auto& d : deaf) d->send({{"do", "speed"}, {"value", 0}});
  ASSERT_TRUE(w.until([&] { return w.frames.size() > 90; }));
  EXPECT_GT(live.show.session().steps_done(), steps);
  // One of them wakes up: what it gets is old frames in its buffers, then new ones.
  const std::uint64_t now = w.frames.back().header.step;
  ASSERT_TRUE(deaf[0]->until([&] { return !deaf[0]->frames.empty() && deaf[0]->frames.back().header.step > now; }));
  EXPECT_LT(deaf[0]->frames.size(), w.frames.size());
}

TEST(Live, RandomCommandsDoNoHarm) {
  SessionOptions options = paused();
  options.play = true;
  Live live(test_scene(2, "impulse"), options);
  Watcher w(live.server);
  std::uint64_t x = 88172645463325252u;
  const auto random = [&x](std::uint64_t n) {
    x ^= x << 13, x ^= x >> 7, x ^= x << 17;
    return x % n;
  };
  const std::vector<Json> all{{{"do", "play"}},
                              {{"do", "pause"}},
                              {{"do", "step"}, {"steps", 3}},
                              {{"do", "step"}, {"steps", -20}},
                              {{"do", "speed"}, {"value", 4}},
                              {{"do", "restart"}},
                              {{"do", "model"}, {"name", "penalty"}},
                              {{"do", "model"}, {"name", "impulse"}},
                              {{"do", "step_size"}, {"value", 0.002}},
                              {{"do", "material"}, {"name", "default"}, {"restitution", 0.5}},
                              {{"do", "drag"}, {"body", 1}, {"local", {0, 0, 0}}, {"target", {1, 1, 1}}},
                              {{"do", "drag"}, {"body", 77}, {"local", {0, 0, 0}}, {"target", {1, 1, 1}}},
                              {{"do", "release"}},
                              {{"do", "goto"}, {"step", 50}}};
  for (int i = 0; i < 500; ++i) {
    std::string text = all[random(all.size())].dump();
    // Not the step size: a step of seconds under `penalty` is thousands of substeps, and is not interrupted.
    const bool garbled = random(4) == 0 && text.find("step_size") == std::string::npos;
    if (garbled) text[random(text.size())] = static_cast<char>(random(128));
    w.socket().send(text);
    if (random(10) == 0) w.socket().receive(1ms);
  }
  // Commands beyond what the queue holds are dropped, and said to be: the last ones are sent until they are done.
  bool done = false;
  for (int i = 0; i < 100 && !done; ++i) {
    w.send({{"do", "pause"}});
    w.send({{"do", "model"}, {"name", "free"}});
    w.send({{"do", "goto"}, {"step", 7}});
    done = w.until(
        [&] { return w.manifest["model"] == "free" && !w.frames.empty() && w.frames.back().header.step == 7; }, 100ms);
  }
  EXPECT_TRUE(done);
}

}  // namespace
}  // namespace touchstone::viewer

// What a viewer costs a running simulation: the same steps of one scene with and without a client on its WebSocket that
// takes every frame it can get (60 a second), in turns. Also how long the first frame takes, from the scene file on.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <ctime>
#include <optional>
#include <thread>
#include <vector>

#include "touchstone/scene_file.h"
#include "viewer/client.h"
#include "viewer/server.h"
#include "viewer/shows.h"

namespace {

using namespace touchstone;
using Clock = std::chrono::steady_clock;
constexpr const char* kPage = "<html><body><!--touchstone:data--></body></html>";

double since(Clock::time_point t) { return std::chrono::duration<double>(Clock::now() - t).count(); }

struct Arguments {
  std::string scene = TOUCHSTONE_SCENE_DIR "/demo.toml";
  int layers = 40;  // of 25 cubes, if the scene is the demo
  std::uint64_t warm_up = 2500, steps = 1000;
  int repeat = 7, clients = 1;
};

SceneDescription scene_of(const Arguments& a) {
  SceneDescription scene = load_scene(a.scene);
  // The demo has 12 layers of cubes; more of them are put on top.
  std::vector<BodyDescription> top;
  for (const BodyDescription& body : scene.bodies)
    if (body.kind == BodyKind::kDynamic && top.size() < 25) top.push_back(body);
  for (int layer = 12; layer < a.layers; ++layer)
    for (const BodyDescription& body : top) {
      BodyDescription copy = body;
      copy.name.clear();
      copy.placement.position.z() += 2.0 * layer;
      scene.bodies.push_back(copy);
    }
  scene.duration = 1e6;
  return scene;
}

// Takes everything that comes until it is told to stop.
class Client {
 public:
  explicit Client(const viewer::Server& server) : socket_(server.port(), "/ws?token=" + server.token()) {
    thread_ = std::thread([this] {
      while (!stop_) {
        const auto message = socket_.receive(std::chrono::milliseconds(100));
        if (message && message->opcode == 2) ++frames_, bytes_ += message->data.size();
      }
    });
  }
  ~Client() {
    stop_ = true;
    thread_.join();
  }
  std::uint64_t frames() const { return frames_; }
  std::uint64_t bytes() const { return bytes_; }
  void send(const std::string& text) { socket_.send(text); }

 private:
  viewer_client::WebSocket socket_;
  std::atomic<bool> stop_{false};
  std::atomic<std::uint64_t> frames_{0}, bytes_{0};
  std::thread thread_;
};

struct Seen {
  double seconds = 0, processor = 0;  // of the clock; of the simulation's thread
  double frames = 0, megabytes = 0;
};

// Every measurement goes over the same steps: back to the end of the warm-up, then on.
Seen measure(viewer::LiveShow& show, const viewer::Server& server, const Arguments& a, bool watched) {
  viewer::LiveSession& session = show.session();
  session.command(fmt::format("{{\"do\":\"goto\",\"step\":{}}}", a.warm_up));
  // Until it is there; a pause without a step might only be a busy machine.
  const std::string there = fmt::format("\"step\":{},", a.warm_up);
  while (session.latest().status->find(there) == std::string::npos)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  std::vector<std::unique_ptr<Client>> clients;
  for (int i = 0; watched && i < a.clients; ++i) clients.push_back(std::make_unique<Client>(server));
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  const std::uint64_t first = session.steps_done();
  session.command("{\"do\":\"play\"}");
  const auto begin = Clock::now();
  const double processor = session.processor_time();
  while (session.steps_done() - first < a.steps) std::this_thread::sleep_for(std::chrono::microseconds(200));
  Seen seen{since(begin), session.processor_time() - processor, 0, 0};
  session.command("{\"do\":\"pause\"}");
  for (const auto& c : clients)
    seen.frames += static_cast<double>(c->frames()), seen.megabytes += 1e-6 * static_cast<double>(c->bytes());
  return seen;
}

// What one frame costs the simulation's thread, in processor time: a number that does not depend on what else goes on.
double frame_cost(const SceneDescription& scene, std::uint64_t warm_up) {
  constexpr int kFrames = 200;
  Simulation simulation(scene);
  simulation.set_yardstick(true);
  while (simulation.step_count() < warm_up) simulation.step();
  viewer::FrameMaker maker;
  maker.begin(simulation, scene);
  std::vector<std::byte> bytes;
  maker.make(simulation, false, bytes);
  const std::clock_t begin = std::clock();
  for (int i = 0; i < kFrames; ++i) maker.make(simulation, false, bytes = std::vector<std::byte>());
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC / kFrames;
}

double median(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return v[v.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  Arguments a;
  CLI::App app("What a viewer costs a running simulation");
  app.add_option("scene", a.scene, "Scene file");
  app.add_option("--layers", a.layers, "Layers of 25 cubes, at least 12");
  app.add_option("--warm-up", a.warm_up, "Steps before");
  app.add_option("--steps", a.steps, "Steps that are measured");
  app.add_option("--repeat", a.repeat, "Pairs of measurements");
  app.add_option("--clients", a.clients, "Viewers at once");
  CLI11_PARSE(app, argc, argv);

  const auto begin = Clock::now();
  viewer::SessionOptions options;
  options.speed = 0;
  options.play = false;
  viewer::LiveShow show(kPage, scene_of(a), options);
  viewer::Server server({}, show);
  {
    Client first(server);
    while (first.frames() == 0) std::this_thread::sleep_for(std::chrono::microseconds(100));
    fmt::print("first frame {:.0f} ms after the scene file was opened\n", 1e3 * since(begin));
  }
  const double frame = frame_cost(scene_of(a), a.warm_up);
  fmt::print("a frame takes {:.3f} ms of the simulation's thread: {:.2f} % of it at 60 a second\n", 1e3 * frame,
             100 * 60 * frame);
  std::vector<double> ratios, thread_ratios;
  for (int i = 0; i < a.repeat; ++i) {
    // In turns, and each pair in another order: what else goes on on the machine hits both alike.
    Seen without, with;
    if (i % 2)
      with = measure(show, server, a, true), without = measure(show, server, a, false);
    else
      without = measure(show, server, a, false), with = measure(show, server, a, true);
    ratios.push_back(with.seconds / without.seconds);
    thread_ratios.push_back(with.processor / without.processor);
    fmt::print(
        "  {:.3f} s alone, {:.3f} s with {} client(s) at {:.1f} frames/s of {:.0f} kB: {:+.1f} %, thread {:+.1f} %\n",
        without.seconds, with.seconds, a.clients, with.frames / with.seconds / a.clients,
        with.frames > 0 ? 1e3 * with.megabytes / with.frames : 0, 100 * (ratios.back() - 1),
        100 * (thread_ratios.back() - 1));
  }
  fmt::print("median: {:+.2f} % by the clock, {:+.2f} % by the processor time of the simulation's thread ({} steps)\n",
             100 * (median(ratios) - 1), 100 * (median(thread_ratios) - 1), a.steps);
}

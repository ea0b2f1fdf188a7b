// view: a scene while it is simulated, or a recording, in the browser.
#include <fmt/format.h>

#include <filesystem>

#include "io/replay/html.h"
#include "io/scene/reader.h"
#include "serve.h"
#include "viewer/shows.h"

namespace touchstone::app {
namespace {

namespace fs = std::filesystem;

struct ViewArguments {
  SceneArguments scene;  // its file may be a recording
  Output output;
  ServeArguments serving;
  viewer::SessionOptions session;
  double history = 256;  // MB
  bool paused = false, no_yardstick = false;
};

// Until Ctrl-C.
int show(viewer::Content& content, const ViewArguments& a, const std::string& what) {
  serve(content, a.serving, [&](const viewer::Server& server) {
    a.output.print({{"url", server.url()}, {"port", server.port()}, {"token", server.token()}, {"shows", what}},
                   fmt::format("{}\n  {}\nCtrl-C ends it.\n", what, server.url()));
  });
  return kOk;
}

int view_recording(const ViewArguments& a, std::string_view page) {
  const SceneArguments& s = a.scene;
  if (!s.model.empty() || s.dt || s.duration || s.seed || !s.sets.empty())
    throw Error(ErrorKind::kBadInput,
                fmt::format("{} is a recording: --model, --dt, --duration, --seed and --set are for scenes", s.scene));
  viewer::RecordingShow content(page, s.scene);
  if (!content.truncated().empty() && !a.output.quiet) tell("note: {}\n", content.truncated());
  return show(content, a,
              fmt::format("{}: {} of model {}", fs::path(s.scene).filename().string(),
                          counted(content.recording().frame_count(), "frame"), content.recording().info().model));
}

int view_scene(const ViewArguments& a, std::string_view page) {
  LoadedScene loaded = read_scene(a.scene.scene, a.scene.overrides());
  if (!a.output.quiet)
    for (const std::string& note : loaded.notes) tell("note: {}\n", note);
  viewer::SessionOptions session = a.session;
  session.play = !a.paused;
  session.timeline.history_bytes = static_cast<std::size_t>(a.history * (1 << 20));
  if (a.no_yardstick) loaded.scene.record.yardstick = false;
  const std::string what = fmt::format("{}: live, {}, model {}", loaded.scene.name,
                                       counted(loaded.scene.bodies.size(), "body"), loaded.scene.model.name);
  viewer::LiveShow content(page, std::move(loaded.scene), session);
  return show(content, a, what);
}

int view(const ViewArguments& a) {
  const std::string_view page = require_viewer_page();
  return fs::path(a.scene.scene).extension() == ".toml" ? view_scene(a, page) : view_recording(a, page);
}

}  // namespace

void add_view(CLI::App& app, int& code) {
  auto a = std::make_shared<ViewArguments>();
  CLI::App* word = app.add_subcommand("view", "Show a live simulation of a scene, or a recording, in a browser");
  a->scene.add_to(*word);
  word->get_option("scene")->description(
      "Scene file (.toml) or the name of an example, simulated live; any other file: a recording");
  a->serving.add_to(*word);
  word->add_flag("--paused", a->paused, "Live: wait for the play button");
  word->add_option("--speed", a->session.speed,
                   "Live: simulated seconds per second; 0: as fast as possible; default: 1")
      ->check(number_between(0, 1e6));
  word->add_option("--history", a->history, "Live: memory for the history of steps [MB]; default: 256")
      ->check(number_between(1, 1e6));
  word->add_flag("--no-yardstick", a->no_yardstick, "Live: do not measure every step (docs/yardstick.md)");
  word->add_option("--threads", a->session.timeline.threads, "Threads of the simulation; the result is the same")
      ->check(whole_number(1, 1024));
  a->output.add_to(*word);
  word->footer(
      "\nThe printed address contains a secret: anyone with it can see the run and, if it is live, change it.\n"
      "In a live run you can drag bodies, go back step by step, and change the model, the step and the materials.\n"
      "A run that was changed by hand is marked as edited. docs/viewer.md describes the viewer.\n"
      "Example: touchstone view scenes/demo.toml    touchstone view demo.h5");
  word->callback([a, &code] { code = view(*a); });
}

}  // namespace touchstone::app

// demo: a scene that is pleasant to look at, and then what the program is for: one scene under several contact models.
#include <fmt/format.h>

#include <filesystem>

#include "command.h"
#include "io/picture/picture.h"
#include "io/replay/html.h"
#include "recording/recording.h"
#include "study/compare/html.h"
#include "study/compare/report.h"
#include "study/run_text.h"

namespace touchstone::app {
namespace {

namespace fs = std::filesystem;

struct DemoArguments {
  Output output;
  std::string folder = ".";
  int threads = 1;
  bool no_browser = false;
};

std::string in_folder(const DemoArguments& a, const char* name) {
  return (fs::path(a.folder) / name).lexically_normal().string();
}

std::vector<BodyDescription> bodies_of(const Simulation& simulation) {
  std::vector<BodyDescription> bodies(simulation.slot_count());
  for (const BodyId id : simulation.bodies()) bodies[id.index] = simulation.description(id);
  return bodies;
}

// What the two parts of the demo have to say, printed at the end.
struct DemoEnd {
  Json object;
  std::string text;
  int code = kOk;
};

void draw_end(const Simulation& simulation, const std::string& name, const std::string& path) {
  Frame frame;
  capture_frame(simulation, RecordDescription{}, frame);
  PictureOptions options;
  options.caption = fmt::format("{}: t = {:.2f} s, {}, model {}", name, simulation.time(),
                                counted(static_cast<std::uint64_t>(simulation.report().contacts), "contact"),
                                simulation.model_name());
  draw_picture(simulation.dimension(), bodies_of(simulation), frame.poses, options, path);
}

DemoEnd run_funnel(const DemoArguments& a) {
  const std::string scene_path = scene_folder() + "/demo.toml", recording = in_folder(a, "demo.h5");
  const LoadedScene loaded = read_scene(scene_path, {});
  Simulation simulation(loaded.scene);
  simulation.set_threads(a.threads);
  RecordingWriter recorder(recording, recording_info(simulation, loaded, scene_path, {}));
  Progress bar("demo", !a.output.quiet && !a.output.json);
  const RunSummary summary =
      run_simulation(simulation, loaded.scene.duration, loaded.scene.record, &recorder, with_progress(bar));
  bar.end();
  recorder.finish(summary.finished);
  const std::string picture = in_folder(a, "demo.png");
  draw_end(simulation, loaded.scene.name, picture);
  DemoEnd end{summary_json(summary, simulation, loaded.scene), summary_text(summary, simulation, loaded.scene)};
  end.object["recording"] = recording;
  end.object["picture"] = picture;
  end.text += fmt::format("recording   {}\npicture     {}\n", recording, picture);
  if (summary.failure) tell("touchstone: {}\n", summary.failure->what());
  end.code = summary.failure ? kStopped : summary.finished ? kOk : kInterrupted;
  return end;
}

// The report, its path in `end`; whether it was written.
bool write_report(const DemoArguments& a, const compare::Comparison& comparison, DemoEnd& end) {
  if (viewer_page().empty()) {
    end.text += "\nreport      none: the program was built without the viewer's page (Node.js was missing)\n";
    return false;
  }
  const std::string path = in_folder(a, "report.html");
  OutputFile file(path);
  compare::write_report_page(comparison, viewer_page(), 30, file);
  file.commit();
  end.object["report"] = path;
  end.text += fmt::format("\nreport      {}   watch the models side by side: open it in a browser\n", path);
  return true;
}

void run_models(const DemoArguments& a, DemoEnd& end) {
  compare::CompareRequest request;
  request.scene = scene_folder() + "/side_by_side.toml";
  request.halvings = 2;  // a demonstration need not take minutes; `compare` itself takes more
  const Workplace workplace("");
  const compare::Comparison comparison = compare_with_progress(request, workplace.path(), 0, a.output);
  end.object["comparison"] = compare::report_json(comparison);
  end.text += fmt::format("\nThe same scene under every contact model ({}):\n{}", comparison.scene_name,
                          compare::findings_text(comparison));
  if (comparison.interrupted) end.code = kInterrupted;
  if (write_report(a, comparison, end) && !a.no_browser && !a.output.json && !comparison.interrupted)
    open_in_browser(fs::absolute(in_folder(a, "report.html")).string());
}

// For somebody who sees the program for the first time: what to try, each line ready to be pasted.
std::string next_lines(const DemoArguments& a) {
  return fmt::format(
      "\nWatch the same scene live in the browser, and drag things (Ctrl-C ends it):\n"
      "  {0} view {1}\n"
      "Draw what was recorded, here the energy over time:\n"
      "  {0} plot {2} energy\n"
      "Take an example as a scene of your own, run it, and see what every contact model makes of it:\n"
      "  {0} examples bouncing_ball > my_scene.toml\n"
      "  {0} run my_scene.toml\n"
      "  {0} compare my_scene.toml\n"
      "All commands:\n"
      "  {0} --help\n",
      command_name(), pasteable(scene_folder() + "/demo.toml"), pasteable(in_folder(a, "demo.h5")));
}

int demo(const DemoArguments& a) {
  catch_interrupts();
  DemoEnd end = run_funnel(a);
  if (end.code == kOk) run_models(a, end);
  end.text += next_lines(a);
  a.output.print(end.object, end.text);
  return end.code;
}

}  // namespace

void add_demo(CLI::App& app, int& code) {
  auto a = std::make_shared<DemoArguments>();
  CLI::App* word = app.add_subcommand(
      "demo",
      "Run a demonstration: simulate a scene (demo.h5, demo.png) and compare all models on another (report.html)");
  word->add_option("--folder", a->folder, "Where to write")->check(existing_folder());
  word->add_option("--threads", a->threads, "Threads; the result is the same for any number")
      ->check(whole_number(1, 1024));
  word->add_flag("--no-browser", a->no_browser, "Do not open the report in the browser");
  a->output.add_to(*word);
  word->callback([a, &code] { code = demo(*a); });
}

}  // namespace touchstone::app

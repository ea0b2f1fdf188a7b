// plot and picture.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/text.h"
#include "command.h"
#include "io/export/file.h"
#include "io/picture/joint_marks.h"
#include "io/plot/plot.h"
#include "io/replay/world.h"
#include "recording/recording.h"

namespace touchstone::app {
namespace {

namespace fs = std::filesystem;

void check_ending(const std::string& path, const std::vector<std::string>& endings) {
  const std::string ending = fs::path(path).extension().string();
  if (std::find(endings.begin(), endings.end(), ending) == endings.end())
    throw Error(ErrorKind::kBadInput, fmt::format("{}: the file name must end in {}", path, join_or(endings)));
}

struct PlotArguments {
  Output output;
  std::string recording, path;
  std::vector<std::string> quantities;
  bool list = false, csv = false;
};

int list_quantities(const Output& output) {
  Json all = Json::array();
  std::string text = "Quantities of the whole world:\n";
  for (const ReportField& field : report_fields()) {
    all.push_back({{"name", field.name}, {"unit", field.unit}, {"help", field.help}});
    const std::string name = field.name;
    // Of a measure, only the worst: the text says what else there is.
    const bool part =
        name.ends_with("_mean") || name.ends_with("_a") || name.ends_with("_b") || name.ends_with("_step");
    if (!part) text += fmt::format("  {:<20} {:<10} {}\n", name, field.unit, field.help);
  }
  text += "From natural_map on, also NAME_mean, and NAME_a, NAME_b (bodies) and NAME_step of the greatest value\n";
  text += "Quantities of a body, as NAME.QUANTITY: x y z vx vy vz speed angle wx wy wz height\n";
  output.print(all, text);
  return kOk;
}

Json numbers_json(const SeriesTable& table) {
  Json j{{"time", {{"unit", "s"}, {"values", table.time}}}, {"series", Json::array()}};
  for (const SeriesTable::Series& s : table.series)
    j["series"].push_back({{"name", s.name}, {"unit", s.unit}, {"values", s.values}});
  return j;
}

void write_csv(const SeriesTable& table, const std::string& path) {
  OutputFile file(path);
  file.write(series_csv(table));
  file.commit();
}

// A picture, or the numbers themselves: on standard output (--json, --csv) or in a file (-o x.csv).
int plot(PlotArguments a) {
  const Recording recording = Recording::open(a.recording);
  if (a.list) return list_quantities(a.output);
  if (a.csv && a.output.json) throw Error(ErrorKind::kBadInput, "plot: give --csv or --json, not both");
  if (a.quantities.empty()) a.quantities = {"energy", "kinetic_energy", "gravity_energy", "contact_energy"};
  const bool numbers = a.csv || a.output.json;
  if (a.path.empty() && !numbers) a.path = beside(a.recording, "." + a.quantities.front() + ".svg");
  if (!a.path.empty()) check_ending(a.path, {".svg", ".png", ".csv"});
  if (!a.path.empty()) check_not_input(a.path, a.recording);
  const bool file = fs::path(a.path).extension() == ".csv";
  const SeriesTable table = numbers || file ? series_of(recording, a.quantities) : SeriesTable{};
  if (file)
    write_csv(table, a.path);
  else if (!a.path.empty())
    draw_plot(plot_of(recording, a.quantities), a.path);
  Json j{{"quantities", a.quantities}};
  if (!a.path.empty()) j["plot"] = a.path;
  j.update(numbers_json(table));
  a.output.print(j, a.csv ? series_csv(table) : fmt::format("wrote {}\n", a.path));
  return kOk;
}

struct PictureArguments {
  Output output;
  std::string recording, path;
  std::optional<double> time;
  int width = 1280, height = 800;
};

int picture(PictureArguments a) {
  const Recording recording = Recording::open(a.recording);
  if (recording.frame_count() == 0)
    throw Error(ErrorKind::kBadInput, fmt::format("{} holds no frame yet", a.recording));
  if (a.path.empty()) a.path = beside(a.recording, ".png");
  check_ending(a.path, {".svg", ".png"});
  std::size_t index = recording.frame_count() - 1;
  if (a.time) {
    const double end = recording.frames().back().time;
    if (!(*a.time >= 0 && *a.time <= end + 1e-9))
      throw Error(ErrorKind::kBadInput,
                  fmt::format("--time {} s: {} runs from 0 s to {:.6g} s", *a.time, a.recording, end));
    while (index > 0 && recording.frames()[index].time > *a.time + 1e-12) --index;
  }
  Frame frame = recording.read_frame(index);
  if (frame.poses.empty())
    throw Error(ErrorKind::kBadInput, fmt::format("{} has no poses ([record] poses = false)", a.recording));
  const auto width = static_cast<std::size_t>(pose_width(recording.info().dimension));
  for (std::size_t i = 0; i < frame.alive.size(); ++i)  // removed bodies are not drawn
    if (!frame.alive[i]) std::fill_n(frame.poses.begin() + static_cast<std::ptrdiff_t>(i * width), width, std::nan(""));
  PictureOptions options;
  options.width = a.width;
  options.height = a.height;
  options.caption =
      fmt::format("{}: t = {:.3f} s, model {}", recording.info().scene_name, frame.time, recording.info().model);
  const SceneDescription scene = recorded_scene(recording);
  if (recording.info().joint_states) options.marks = joint_marks(scene, frame);
  draw_picture(recording.info().dimension, scene.bodies, frame.poses, options, a.path);
  a.output.print({{"picture", a.path}, {"time", frame.time}},
                 fmt::format("wrote {} (t = {:.3f} s)\n", a.path, frame.time));
  return kOk;
}

}  // namespace

void add_drawing_words(CLI::App& app, int& code) {
  {
    auto a = std::make_shared<PlotArguments>();
    CLI::App* w =
        app.add_subcommand("plot", "Draw recorded quantities over time (SVG, PNG), or print their numbers (CSV, JSON)");
    w->add_option("recording", a->recording, "Recording")->required();
    w->add_option("quantities", a->quantities, "Quantities, in a picture all of one unit; default: the energies");
    add_output_option(*w, "-o,--output", a->path,
                      "File ending in .svg, .png or .csv; default: an SVG beside the recording");
    w->add_flag("--csv", a->csv, "Print the numbers as CSV, also of different units; nothing is drawn without -o");
    w->add_flag("--list", a->list, "List all quantities");
    a->output.add_to(*w);
    w->footer(
        "\nExamples: touchstone plot out.h5 penetration -o depth.png\n          touchstone plot out.h5 ball.height "
        "ball2.height\n          touchstone plot out.h5 energy ball.height --csv");
    w->callback([a, &code] { code = plot(*a); });
  }
  {
    auto a = std::make_shared<PictureArguments>();
    CLI::App* w = app.add_subcommand("picture", "Draw the bodies of a recording at one time, to SVG or PNG");
    w->add_option("recording", a->recording, "Recording")->required();
    w->add_option("--time", a->time, "Time [s]; default: the end");
    add_output_option(*w, "-o,--output", a->path, "File ending in .svg or .png; default: beside the recording");
    w->add_option("--width", a->width, "Width [pixels]")->check(whole_number(64, 16384));
    w->add_option("--height", a->height, "Height [pixels]")->check(whole_number(64, 16384));
    a->output.add_to(*w);
    w->callback([a, &code] { code = picture(*a); });
  }
}

}  // namespace touchstone::app

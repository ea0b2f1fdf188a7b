// export: recordings for other programs and other people.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <map>

#include "command.h"
#include "io/export/export.h"
#include "io/export/file.h"
#include "io/export/film.h"
#include "io/replay/html.h"
#include "io/replay/world.h"
#include "recording/recording.h"

namespace touchstone::app {
namespace {

namespace fs = std::filesystem;

struct ExportArguments {
  Output output;
  std::string recording, format, path;
  bool html = false;
  std::string frames, video;
  std::string max_size = "10MB";
  double fps = 30;
  int width = 1280, height = 800;
};

// "10MB" and the like in bytes; kB, MB, GB are powers of 1000, KiB, MiB, GiB of 1024.
std::size_t bytes_of(const std::string& text) {
  static const std::map<std::string, double> kUnits{{"", 1.0},       {"B", 1.0},      {"kB", 1e3},
                                                    {"KB", 1e3},     {"MB", 1e6},     {"GB", 1e9},
                                                    {"KiB", 0x1p10}, {"MiB", 0x1p20}, {"GiB", 0x1p30}};
  std::size_t used = 0;
  double number = -1;
  try {
    number = std::stod(text, &used);
  } catch (const std::exception&) {
  }
  const auto unit = kUnits.find(text.substr(used));
  if (!(number > 0) || unit == kUnits.end() || !(number * unit->second < 4e9))
    throw Error(ErrorKind::kBadInput, fmt::format("--max-size {}: give a size such as 10MB, at most 4 GB", text));
  return static_cast<std::size_t>(number * unit->second);
}

void note_truncation(const Recording& recording, const Output& output) {
  const std::string what = truncation_of(recording);
  if (!what.empty() && !output.quiet) tell("note: {}: {}\n", recording.path(), what);
}

int export_html(const ExportArguments& a, const Recording& recording) {
  const std::string path = a.path.empty() ? beside(a.recording, ".html") : a.path;
  check_not_input(path, a.recording);
  const std::string_view page = require_viewer_page();
  const std::string title = recording.info().scene_name;
  const std::size_t most = bytes_of(a.max_size), overhead = html_overhead(page, title, 1);
  if (most <= overhead)
    throw Error(ErrorKind::kBadInput, fmt::format("--max-size {}: the page alone takes {:.3g} MB", a.max_size,
                                                  1e-6 * static_cast<double>(overhead)));
  PackOptions options;
  options.frames_per_second = a.fps;
  options.max_bytes = most - overhead;
  Progress bar("export", !a.output.quiet && !a.output.json);
  const PackedRun run = pack_recording(recording, options, [&](double done) { bar.show(done, ""); });
  bar.end();
  OutputFile file(path);
  file.write(html_page(page, title, {run}));
  const std::uint64_t size = file.size();
  file.commit();
  note_truncation(recording, a.output);
  a.output.print({{"export", path},
                  {"format", "html"},
                  {"bytes", size},
                  {"frames", run.frames},
                  {"contacts", run.contacts},
                  {"contacts_recorded", run.contacts_total},
                  {"rule", run.rule}},
                 fmt::format("wrote {} ({}, {:.2f} MB)\n{}\n", path, counted(run.frames, "frame"),
                             1e-6 * static_cast<double>(size), run.rule));
  return kOk;
}

int export_film_or_frames(const ExportArguments& a, const Recording& recording) {
  FilmOptions options;
  options.width = a.width, options.height = a.height;
  options.frames_per_second = a.fps;
  const bool film = !a.video.empty();
  const std::string& path = film ? a.video : a.frames;
  check_not_input(path, a.recording);
  const SceneDescription scene = recorded_scene(recording);
  Progress bar("export", !a.output.quiet && !a.output.json);
  options.progress = [&](double done) { bar.show(done, ""); };
  const std::size_t count =
      film ? export_film(recording, scene, path, options) : export_pictures(recording, scene, path, options);
  bar.end();
  note_truncation(recording, a.output);
  a.output.print({{"export", path}, {"format", film ? "video" : "frames"}, {"frames", count}},
                 fmt::format("wrote {} ({})\n", path, counted(count, "picture")));
  return kOk;
}

std::string format_by_ending(const std::string& path) {
  static const std::map<std::string, std::string> kFormats{{"npz", "npz"}, {"glb", "gltf"},  {"gltf", "gltf"},
                                                           {"csv", "csv"}, {"html", "html"}, {"htm", "html"}};
  const auto found = kFormats.find(extension_of(path));
  return found == kFormats.end() ? "" : found->second;
}

// Of the file that is written beside the recording where none is named.
std::string ending_of(const std::string& format) {
  if (format == "gltf") return ".glb";
  return format == "report" || format == "contacts" || format == "joints" ? "." + format + ".csv" : "." + format;
}

void check_one_wish(const ExportArguments& a) {
  const int wishes =
      (a.html ? 1 : 0) + (a.frames.empty() ? 0 : 1) + (a.video.empty() ? 0 : 1) + (a.format.empty() ? 0 : 1);
  if (wishes > 1) throw Error(ErrorKind::kBadInput, "give one of --format, --html, --frames and --video");
  if (!(a.fps > 0 && a.fps <= 1000))
    throw Error(ErrorKind::kBadInput, fmt::format("--fps {}: must lie between 0 and 1000", a.fps));
}

int export_recording(ExportArguments a) {
  check_one_wish(a);
  const Recording recording = Recording::open(a.recording);
  if (!a.frames.empty() || !a.video.empty()) return export_film_or_frames(a, recording);
  if (a.format.empty()) a.format = a.html ? "html" : format_by_ending(a.path);
  if (a.format.empty())
    throw Error(ErrorKind::kBadInput,
                "choose an output: --html, --frames FOLDER, --video FILE, --format csv, contacts, joints, report, npz "
                "or gltf, or -o with an ending .html, .csv, .npz, .glb or .gltf");
  if (a.format == "html") return export_html(a, recording);
  if (a.path.empty()) a.path = beside(a.recording, ending_of(a.format));
  check_not_input(a.path, a.recording);
  if (a.format == "csv")
    export_csv(recording, a.path);
  else if (a.format == "contacts")
    export_contacts_csv(recording, a.path);
  else if (a.format == "joints")
    export_joints_csv(recording, a.path);
  else if (a.format == "report")
    export_report_csv(recording, a.path);
  else if (a.format == "npz")
    export_npz(recording, a.path);
  else
    export_gltf(recording, recorded_scene(recording).bodies, a.path);
  a.output.print({{"export", a.path}, {"format", a.format}, {"frames", recording.frame_count()}},
                 fmt::format("wrote {} ({})\n", a.path, counted(recording.frame_count(), "frame")));
  return kOk;
}

}  // namespace

void add_export(CLI::App& app, int& code) {
  auto a = std::make_shared<ExportArguments>();
  CLI::App* w = app.add_subcommand(
      "export", "Export a recording as a page that replays it (HTML), pictures, film, CSV, NumPy or glTF");
  w->add_option("recording", a->recording, "Recording")->required();
  w->add_flag("--html", a->html,
              "Write one file that replays the run in any browser, with plots and without a network");
  add_output_option(*w, "--frames", a->frames, "Folder for pictures (PNG), one per frame");
  add_output_option(*w, "--video", a->video, "Film, ending in .mp4 or .webm (needs ffmpeg)");
  w->add_option("--format", a->format,
                "csv (a row per frame and body), contacts, joints (a row per frame and contact or joint),\n"
                "report (a row per frame), npz, gltf, html")
      ->check(one_of({"csv", "contacts", "joints", "report", "npz", "gltf", "html"}));
  add_output_option(*w, "-o,--output", a->path, "File; default: beside the recording");
  w->add_option("--fps", a->fps, "Frames per second of HTML, pictures and film; default: 30");
  w->add_option("--max-size", a->max_size, "Greatest size of the HTML file, such as 10MB (the default)");
  w->add_option("--width", a->width, "Width of pictures and film [pixels]")->check(whole_number(64, 16384));
  w->add_option("--height", a->height, "Height of pictures and film [pixels]")->check(whole_number(64, 16384));
  a->output.add_to(*w);
  w->footer(
      "\nExamples: touchstone export out.h5 --html\n          touchstone export out.h5 --video out.mp4 --fps 25\n"
      "          touchstone export out.h5 -o out.npz");
  w->callback([a, &code] { code = export_recording(*a); });
}

}  // namespace touchstone::app

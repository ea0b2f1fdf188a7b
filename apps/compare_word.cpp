// compare: one scene under several contact models.
#include <fmt/format.h>

#include "command.h"
#include "io/replay/html.h"
#include "study/compare/html.h"
#include "study/compare/report.h"

namespace touchstone::app {
namespace {

using compare::CompareOptions;
using compare::CompareRequest;
using compare::Comparison;
using compare::Outcome;
using compare::RunProgress;

struct CompareArguments {
  Output output;
  CompareRequest request;
  std::string report, keep;
  std::vector<std::string> sets;
  int jobs = 0;
};

std::string state_of(const RunProgress& run, bool study) {
  std::string label = study ? fmt::format("{} {:g}", run.label, run.step) : run.label;
  if (run.level > 0) label += fmt::format(" h/{}", 1 << run.level);
  if (run.outcome == Outcome::kWaiting) return label + " waits";
  if (run.outcome == Outcome::kRunning) return fmt::format("{} {:.0f} %", label, 100 * run.fraction);
  return fmt::format("{} {}", label, compare::outcome_name(run.outcome));
}

// All runs on one line: those at work by name, the others counted. First the runs that are compared, then the same with
// halved steps.
void show(Progress& bar, std::span<const RunProgress> runs, bool study) {
  double sum = 0;
  std::size_t over = 0;
  std::string detail;
  for (const RunProgress& run : runs) {
    sum += run.fraction;
    over += run.outcome != Outcome::kWaiting && run.outcome != Outcome::kRunning;
    if (run.outcome == Outcome::kRunning || runs.size() <= 3) detail += state_of(run, study) + "  ";
  }
  if (runs.size() > 3) detail += fmt::format("{} of {} done", over, runs.size());
  bar.show(sum / static_cast<double>(std::max<std::size_t>(1, runs.size())), detail);
}

}  // namespace

Comparison compare_with_progress(const CompareRequest& request, const std::string& folder, int jobs,
                                 const Output& output) {
  const compare::Plan plan = compare::make_plan(request);
  catch_interrupts();
  Progress bar("compare", !output.quiet && !output.json);
  CompareOptions options;
  options.jobs = jobs;
  options.folder = folder;
  options.progress = [&](std::span<const RunProgress> runs) {
    show(bar, runs, !plan.steps.empty());
    return !interrupted();
  };
  const Comparison out = compare::run_comparison(plan, request, options);
  bar.end();
  return out;
}

namespace {

compare::ReportPage pack_report(const Comparison& comparison, std::string_view page, double frames_per_second,
                                OutputFile& file, const Output& output) {
  Progress bar("report", !output.quiet && !output.json);
  const compare::ReportPage written =
      compare::write_report_page(comparison, page, frames_per_second, file, [&](double done) { bar.show(done, ""); });
  bar.end();
  file.commit();
  return written;
}

int code_of(const Comparison& comparison) {
  if (comparison.interrupted) return kInterrupted;
  for (const compare::ModelRun& run : comparison.runs)
    if (run.outcome == Outcome::kFinished) return kOk;
  return kStopped;
}

int run(CompareArguments& a) {
  for (const std::string& set : a.sets) a.request.sets.push_back(parse_set(set));
  // Before anything is computed: a page there must be, and a place to write it to.
  const std::string_view page = a.report.empty() ? std::string_view() : require_viewer_page();
  if (!a.report.empty()) check_not_input(a.report, a.request.scene);
  std::optional<OutputFile> file;
  if (!a.report.empty()) file.emplace(a.report);
  const Workplace workplace(a.keep);
  const Comparison comparison = compare_with_progress(a.request, workplace.path(), a.jobs, a.output);
  Json j = compare::report_json(comparison);
  std::string text = compare::report_text(comparison);
  if (!a.keep.empty()) {
    j["recordings"] = Json::array();
    for (const compare::ModelRun& r : comparison.runs) j["recordings"].push_back(r.recording);
    text += fmt::format("recordings  {}\n", a.keep);
  }
  if (file) {
    const compare::ReportPage written = pack_report(comparison, page, a.request.frames_per_second, *file, a.output);
    j["report"] = {{"file", a.report}, {"bytes", written.bytes}, {"left_out_of_replays", written.rules}};
    text += fmt::format("report      {} ({:.2f} MB)\n", a.report, 1e-6 * static_cast<double>(written.bytes));
  }
  a.output.print(j, text);
  const int code = code_of(comparison);
  if (code == kInterrupted) tell("touchstone: interrupted; the numbers are of the computed part\n");
  if (code == kStopped) tell("touchstone: no model reached its end\n");
  return code;
}

}  // namespace

void add_compare(CLI::App& app, int& code) {
  auto a = std::make_shared<CompareArguments>();
  CLI::App* word = app.add_subcommand(
      "compare",
      "Run a scene under several contact models; report the laws that each kept or broke, and the error of its end");
  add_scene_argument(*word, a->request.scene);
  word->add_option("--models,-m", a->request.models,
                   "Models, e.g. impulse,penalty,impulse:preset=accurate; default: all that support the scene")
      ->delimiter(',')
      ->allow_extra_args(false);
  add_output_option(*word, "-o,--output", a->report,
                    "Report: one HTML file with replays, plots, table and findings, for any browser");
  word->add_option("--dt", a->request.steps,
                   "Step size [s] instead of the scene's; several (0.01,0.005,0.0025) make a convergence study")
      ->delimiter(',')
      ->allow_extra_args(false);
  word->add_option("--duration,-t", a->request.duration, "Simulated time [s] instead of the scene's");
  word->add_option("--seed", a->request.seed, "Seed of the jitter instead of the scene's");
  word->add_option("--set", a->sets,
                   "Any key of the scene; model.OPTION sets all models that have the option, NAME.OPTION one model")
      ->allow_extra_args(false);
  word->add_option(
      "--reference", a->request.reference,
      "Model or recording from which the distance of each end is measured; default: the model with the least error, "
      "found by halving its step");
  word->add_option("--budget", a->request.budget, "Greatest wall time of a model, halving included [s]")
      ->capture_default_str();
  word->add_option("--halvings", a->request.halvings,
                   "Greatest number of halvings of the step; 0: none, and no reference is chosen")
      ->capture_default_str();
  word->add_option("--fps", a->request.frames_per_second, "Recorded frames per simulated second")
      ->check(number_between(1e-6, 1e6));
  word->add_option("--jobs,-j", a->jobs, "Number of runs at a time; default: one per core")
      ->check(whole_number(1, 1024));
  add_output_option(*word, "--keep", a->keep, "Keep the recordings in this folder");
  a->output.add_to(*word);
  word->footer(
      "\nEach model runs in a process of its own. A model that crashes or stops is reported, and the others continue.\n"
      "After Ctrl-C the numbers of the computed part are printed. docs/compare.md defines every number and rule.\n"
      "Examples: touchstone compare scenes/side_by_side.toml -o report.html\n"
      "          touchstone compare scenes/incline.toml --models impulse,penalty --dt 0.01,0.005,0.0025");
  word->callback([a, &code] { code = run(*a); });
}

}  // namespace touchstone::app

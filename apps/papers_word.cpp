// papers: the experiments of a paper, repeated and judged.
#include <fmt/format.h>

#include "command.h"
#include "study/papers/papers.h"

namespace touchstone::app {
namespace {

struct PapersArguments {
  Output output;
  std::string paper;
  std::vector<std::string> only;
  PaperOptions options;
};

int list(const Output& output) {
  Json all = Json::array();
  std::string text = "Papers whose experiments can be repeated:\n";
  for (const Paper& paper : papers()) {
    Json j{{"name", paper.name}, {"title", paper.title}, {"experiments", Json::array()}};
    text += fmt::format("\n{}  {}\n", paper.name, paper.title);
    for (const PaperExperiment& e : paper.experiments) {
      j["experiments"].push_back({{"name", e.name}, {"summary", e.summary}});
      text += fmt::format("  {:<14} {}\n", e.name, e.summary);
    }
    all.push_back(j);
  }
  output.print(all, text + fmt::format("\nRepeat one: touchstone papers {}\n", papers().front().name));
  return kOk;
}

int run(PapersArguments a) {
  if (a.paper.empty()) return list(a.output);
  const Paper& paper = find_paper(a.paper);
  a.options.only.insert(a.options.only.end(), a.only.begin(), a.only.end());
  if (a.options.scenes.empty()) a.options.scenes = scene_folder();
  catch_interrupts();
  Progress bar(paper.name, !a.output.quiet && !a.output.json);
  a.options.progress = [&bar](const std::string& experiment, double fraction) {
    bar.show(fraction, experiment);
    return !interrupted();
  };
  const PaperStudy study = run_paper(paper, a.options);
  bar.end();
  a.output.print(paper_json(study), paper_table(study));
  if (!study.finished) return kInterrupted;
  return study.passed() ? kOk : kDiffer;
}

}  // namespace

void add_papers(CLI::App& app, int& code) {
  auto a = std::make_shared<PapersArguments>();
  CLI::App* word = app.add_subcommand("papers", "Repeat the experiments of a paper and check the results");
  word->add_option("paper", a->paper, "Name of the paper; without it, list the papers");
  word->add_option("experiments", a->options.only, "Experiments to repeat; default: all");
  word->add_option("--only", a->only, "An experiment to repeat (may be repeated)")->allow_extra_args(false);
  word->add_option("--figures", a->options.figures, "Draw the figures into this folder")->check(existing_folder());
  word->add_option("--scenes", a->options.scenes,
                   "Folder of scenes instead of the program's own, with papers/NAME in it")
      ->check(existing_folder());
  word->add_flag("--quick", a->options.quick, "Fewer bodies, steps and rows: seconds instead of minutes");
  word->add_option("--threads", a->options.threads, "Threads; the result is the same for any number")
      ->check(whole_number(1, 1024));
  a->output.add_to(*word);
  word->footer(
      "\nEach row has the value of the paper or of a formula, the simulated value and a verdict. Rows without a "
      "verdict are\n"
      "for information. The exit code is 1 if a verdict fails. The scenes are in papers/NAME of the folder of scenes "
      "and\n"
      "can be run separately.\n"
      "Example: touchstone papers bender2006 --figures .");
  word->callback([a, &code] { code = run(*a); });
}

}  // namespace touchstone::app

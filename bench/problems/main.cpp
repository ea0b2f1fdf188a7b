// Recorded contact problems under our solvers and under Siconos' NSGS: the same files, the same tolerance, the same
// measures, one run.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fstream>

#include "contact/solvers/registry.h"
#include "problems/table.h"
#include "touchstone/error.h"

namespace touchstone::bench {
namespace {

struct Arguments {
  std::vector<std::string> problems;
  std::string markdown, judge = "siconos";
  SolveOptions solve;
  bool json = false;
};

void declare(CLI::App& app, Arguments& a) {
  app.add_option("problems", a.problems,
                 "Files (ours, Siconos' text, FCLIB), folders of such, or 'heap' and 'stack100': steps of our own "
                 "scenes, made now. Without any: ../shared/data/fclib and both");
  app.add_option("--tolerance", a.solve.tolerance, "In the measure that judges; default 1e-6")
      ->check(CLI::PositiveNumber);
  app.add_option("--judge", a.judge,
                 "siconos: its own measure (default). natural_map: the yardstick's, which is stricter for heavy bodies")
      ->check(CLI::IsMember({"siconos", "natural_map"}));
  app.add_option("--solvers", a.solve.solvers, "Ours (touchstone problem list), or 'all'; default nsgs")
      ->delimiter(',');
  app.add_option("--repeat", a.solve.repeat, "Timed turns, whose median counts")->check(CLI::Range(1, 99));
  app.add_option("--max-iterations", a.solve.max_iterations, "Of Siconos")->check(CLI::PositiveNumber);
  app.add_flag("--json", a.json, "Print JSON instead of a table");
  app.add_option("--markdown", a.markdown, "Also write the table to this file, as in docs/problems.md");
}

// Beside the repository; a worktree may lie one folder deeper.
std::string corpus_folder() {
  const std::filesystem::path root(TOUCHSTONE_SOURCE_DIR);
  for (const auto& above : {root.parent_path(), root.parent_path().parent_path()})
    if (std::filesystem::is_directory(above / "shared/data/fclib")) return (above / "shared/data/fclib").string();
  return "";
}

std::vector<NamedProblem> problems_of(const std::string& word) {
  const auto& recorded = recorded_names();
  if (std::find(recorded.begin(), recorded.end(), word) != recorded.end()) return record_problems(word);
  if (std::filesystem::is_directory(word)) return read_folder(word);
  return {read_file(word)};
}

int run_all(Arguments a) {
  a.solve.judge = a.judge == "siconos" ? JudgedBy::kSiconos : JudgedBy::kNaturalMap;
  if (a.solve.solvers == std::vector<std::string>{"all"}) {
    a.solve.solvers.clear();
    for (const SolverInfo& info : contact_solvers()) a.solve.solvers.emplace_back(info.name);
  }
  if (a.problems.empty()) {
    a.problems = recorded_names();
    if (const std::string folder = corpus_folder(); !folder.empty())
      a.problems.insert(a.problems.begin(), folder);
    else
      fmt::print(stderr, "there is no ../shared/data/fclib: only our own problems are run\n");
  }
  std::vector<ProblemRow> rows;
  if (!a.json) print_problem_heading();
  for (const std::string& word : a.problems)
    for (const NamedProblem& problem : problems_of(word)) {
      rows.push_back(run_problem(problem, a.solve));
      if (!a.json) print_problem(rows.back());
    }
  if (a.json)
    fmt::print("{}", problems_as_json(rows));
  else
    print_totals(rows);
  if (!a.markdown.empty()) std::ofstream(a.markdown) << problems_as_markdown(rows);
  // A rival that fails is a result; our reference solver failing is an error.
  for (const ProblemRow& row : rows)
    for (const SolverRow& s : row.solvers)
      if (s.solver == "nsgs" && !s.solved) return 1;
  return 0;
}

int main_of(int argc, char** argv) {
  Arguments arguments;
  CLI::App app("Recorded contact problems under our solvers and Siconos' NSGS, to the same tolerance.",
               "touchstone bench problems");
  declare(app, arguments);
  try {
    app.parse(argc, argv);
    return run_all(arguments);
  } catch (const CLI::ParseError& error) {
    return app.exit(error);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
}

}  // namespace
}  // namespace touchstone::bench

int main(int argc, char** argv) { return touchstone::bench::main_of(argc, argv); }

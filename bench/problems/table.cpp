#include "problems/table.h"

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "peers/table.h"

namespace touchstone::bench {
namespace {

std::string ratio_text(const SolverRow& s, const ProblemRow& row) {
  return &s == &row.siconos() ? "" : fmt::format("{:.3f}", s.milliseconds / row.siconos().milliseconds);
}

}  // namespace

std::vector<Totals> totals_of(const std::vector<ProblemRow>& rows) {
  std::vector<Totals> out;
  for (std::size_t i = 0; !rows.empty() && i + 1 < rows.front().solvers.size(); ++i) {
    Totals t;
    t.solver = rows.front().solvers[i].solver;
    std::vector<double> ratios;
    for (const ProblemRow& row : rows) {
      const SolverRow &ours = row.solvers[i], &theirs = row.siconos();
      t.solved += ours.solved, t.siconos_solved += theirs.solved, ++t.problems;
      if (!ours.solved || !theirs.solved) continue;
      ++t.both;
      t.milliseconds += ours.milliseconds, t.siconos_milliseconds += theirs.milliseconds;
      ratios.push_back(ours.milliseconds / theirs.milliseconds);
    }
    t.median_ratio = median(ratios);
    out.push_back(t);
  }
  return out;
}

void print_problem_heading() {
  fmt::print("{:<42} {:>8} {:<11} {:>10} {:>7} {:>7} {:>11} {:>11}  {}\n", "problem", "contacts", "solver", "ms",
             "ratio", "iter.", "natural map", "Siconos'", "solved");
}

void print_problem(const ProblemRow& row) {
  for (const SolverRow& s : row.solvers)
    fmt::print("{:<42} {:>8} {:<11} {:>10.4g} {:>7} {:>7} {:>11.2e} {:>11.2e}  {}\n", row.name, row.contacts, s.solver,
               s.milliseconds, ratio_text(s, row), s.iterations, s.natural_map, s.siconos_measure,
               s.solved ? "yes" : "NO");
  std::fflush(stdout);
}

void print_totals(const std::vector<ProblemRow>& rows) {
  for (const Totals& t : totals_of(rows))
    fmt::print(
        "{}: {:.4g} ms over {} problems that both solved, Siconos {:.4g} ms: ratio {:.3f}, median ratio {:.3f}; "
        "solved {} of {}, Siconos {}\n",
        t.solver, t.milliseconds, t.both, t.siconos_milliseconds, t.milliseconds / t.siconos_milliseconds,
        t.median_ratio, t.solved, t.problems, t.siconos_solved);
}

std::string problems_as_json(const std::vector<ProblemRow>& rows) {
  nlohmann::ordered_json j{{"problems", nlohmann::ordered_json::array()}, {"totals", nlohmann::ordered_json::array()}};
  for (const ProblemRow& row : rows) {
    nlohmann::ordered_json solvers = nlohmann::ordered_json::array();
    for (const SolverRow& s : row.solvers)
      solvers.push_back({{"solver", s.solver},
                         {"milliseconds", s.milliseconds},
                         {"iterations", s.iterations},
                         {"natural_map", s.natural_map},
                         {"siconos_measure", s.siconos_measure},
                         {"given_tolerance", s.given_tolerance},
                         {"solved", s.solved}});
    j["problems"].push_back({{"name", row.name}, {"contacts", row.contacts}, {"solvers", solvers}});
  }
  for (const Totals& t : totals_of(rows))
    j["totals"].push_back({{"solver", t.solver},
                           {"milliseconds", t.milliseconds},
                           {"siconos_milliseconds", t.siconos_milliseconds},
                           {"ratio", t.milliseconds / t.siconos_milliseconds},
                           {"median_ratio", t.median_ratio},
                           {"both", t.both},
                           {"solved", t.solved},
                           {"siconos_solved", t.siconos_solved},
                           {"problems", t.problems}});
  return json_text(j, 2) + "\n";
}

std::string problems_as_markdown(const std::vector<ProblemRow>& rows) {
  std::string out =
      "| problem | contacts | solver | iterations | time [ms] | ratio | natural map | Siconos' measure |\n"
      "|---|---|---|---|---|---|---|---|\n";
  for (const ProblemRow& row : rows)
    for (const SolverRow& s : row.solvers)
      out += fmt::format("| {} | {} | {} | {}{} | {:.3g} | {} | {:.1e} | {:.1e} |\n", row.name, row.contacts, s.solver,
                         s.iterations, s.solved ? "" : " (not solved)", s.milliseconds, ratio_text(s, row),
                         s.natural_map, s.siconos_measure);
  return out;
}

}  // namespace touchstone::bench

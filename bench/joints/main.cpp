// What joints cost by Lagrange multipliers: one system of equations by each linear method, over structures and sizes;
// and whole steps of `lagrange`. Times are processor times, on one thread; the least of several runs.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>

#include "joints/steps.h"
#include "joints/systems.h"

namespace touchstone::bench {
namespace {

struct Arguments {
  std::vector<std::string> parts{"systems", "steps"};
  std::vector<std::string> structures{std::begin(kStructures), std::end(kStructures)};
  std::vector<std::uint32_t> rows{100, 300, 1000, 3000, 10000};
};

bool has(const Arguments& a, const char* part) {
  return std::find(a.parts.begin(), a.parts.end(), part) != a.parts.end();
}

std::string time_text(const MethodRow& m) {
  return m.runs == 0 ? "-" : fmt::format("{:.3g}{}", 1e3 * m.seconds, m.solved ? "" : " (not solved)");
}
std::string steps_text(const MethodRow& m) { return m.runs == 0 ? "-" : std::to_string(m.iterations); }

void print_systems(const Arguments& a) {
  fmt::print(
      "| structure | rows | entries of L a row | analysis, ms | sparse factors, ms | conjugate gradients, ms (steps) | "
      "biconjugate gradients, ms (steps) | factors over the faster gradients | automatic |\n"
      "| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
  for (const std::string& structure : a.structures) {
    std::vector<SystemRow> all;
    for (const std::uint32_t rows : a.rows) {
      const SystemRow r = measure_system(structure, rows);
      all.push_back(r);
      const double gradients = std::min(r.cg.seconds, r.bicg.seconds);
      fmt::print("| {} | {} | {} | {} | {} | {} ({}) | {} ({}) | {} | {} |\n", structure, r.rows,
                 r.cholesky.runs ? fmt::format("{:.3g}", r.fill) : "-",
                 r.cholesky.runs ? fmt::format("{:.3g}", 1e3 * r.analysis) : "-", time_text(r.cholesky),
                 time_text(r.cg), steps_text(r.cg), time_text(r.bicg), steps_text(r.bicg),
                 r.cholesky.runs ? fmt::format("{:.3g}", r.cholesky.seconds / gradients) : "-", r.automatic);
      std::fflush(stdout);
    }
    const auto time_of = [](const SystemRow& r) { return r.cholesky.seconds; };
    if (all.size() > 1 && all.back().cholesky.runs > 0)
      fmt::print("| {} | | | exponent | {:.2f} | | | | |\n", structure, exponent_of(all, time_of));
  }
  fmt::print("\n");
}

void print_steps() {
  fmt::print("| scene | bodies | rows of joints | step, ms | steps not converged of |\n| --- | --- | --- | --- | --- |\n");
  std::vector<StepRow> chains;
  for (const std::string& name : step_scenes()) {
    const StepRow r = measure_steps(name);
    fmt::print("| {} | {} | {} | {:.3g} | {} of {} |\n", name, r.bodies, r.rows, 1e3 * r.seconds, r.not_converged,
               r.steps);
    std::fflush(stdout);
    if (name.starts_with("chain")) chains.push_back(r);
  }
  fmt::print("| chains | | exponent | {:.2f} | |\n\n", exponent_of(chains, [](const StepRow& r) { return r.seconds; }));
}

int main_of(int argc, char** argv) {
  Arguments a;
  CLI::App app("Joints by Lagrange multipliers. Times are processor times, on one thread.", "touchstone bench joints");
  app.add_option("parts", a.parts, "systems, steps; default both")->check(CLI::IsMember({"systems", "steps"}));
  app.add_option("--structures", a.structures, "Default all")
      ->delimiter(',')
      ->check(CLI::IsMember(std::vector<std::string>{std::begin(kStructures), std::end(kStructures)}));
  app.add_option("--rows", a.rows, "Default 100 to 10000")->delimiter(',')->check(CLI::Range(12, 1000000));
  try {
    app.parse(argc, argv);
    if (has(a, "systems")) print_systems(a);
    if (has(a, "steps")) print_steps();
    return 0;
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

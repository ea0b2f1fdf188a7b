// What the programs behind `gauss` and `stable` cost: the collapse of a tower, its quadratic programs warm, cold and
// under Ipopt, and verdicts on walls of up to 10,000 bricks.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "programs/collapse.h"
#include "programs/walls.h"

namespace touchstone::bench {
namespace {

struct Arguments {
  std::vector<std::string> parts{"collapse", "programs", "walls"};
  std::vector<std::size_t> bricks{500, 1000, 2000, 5000, 10000};
  std::vector<int> dimensions{2, 3};
  std::vector<double> friction{0, 0.6};
  std::uint64_t steps = 1000;
};

bool has(const Arguments& a, const char* part) {
  return std::find(a.parts.begin(), a.parts.end(), part) != a.parts.end();
}

void print_collapse(std::uint64_t steps) {
  fmt::print("| {} steps of 5 × 5 bricks | s | worst certificate | steps that did not converge |\n", steps);
  fmt::print("| --- | --- | --- | --- |\n");
  for (const char* bodies : {"reduced", "nine_points", "corners"}) {
    const CollapseRow r = run_collapse(bodies, steps);
    fmt::print("| {} | {:.3g} | {:.1e} | {} |\n", r.bodies, r.seconds, r.worst_certificate, r.not_converged);
  }
  fmt::print("\n");
}

void print_programs(std::uint64_t steps) {
  const ProgramTotals t = run_programs(steps);
  fmt::print(
      "| {} programs, up to {} unknowns and {} rows | ms each | time, ours warm = 1 | factorisations each | "
      "solved | worst of feasibility and objective, relative |\n| --- | --- | --- | --- | --- | --- |\n",
      t.programs, t.variables, t.rows);
  const double n = static_cast<double>(t.programs);
  for (const SolverTotals& s : t.solvers)
    fmt::print("| {} | {:.3g} | {:.2f} | {:.1f} | {} | {:.1e} |\n", s.solver, 1e3 * s.seconds / n,
               s.seconds / t.solvers[1].seconds, static_cast<double>(s.iterations) / n, s.solved, s.worst);
  fmt::print("\n");
}

void print_walls(const Arguments& a) {
  fmt::print("| wall | bricks | contact points | verdict | detection, s | equations, s | stable, s |\n");
  fmt::print("| --- | --- | --- | --- | --- | --- | --- |\n");
  for (const int dimension : a.dimensions)
    for (const double friction : a.friction) {
      std::vector<WallRow> rows;
      for (const std::size_t bricks : a.bricks) {
        const WallRow r = judge_wall(dimension, friction, bricks);
        fmt::print("| {}D, μ = {:g} | {} | {} | {} | {:.3g} | {:.3g} | {:.3g} |\n", r.dimension, r.friction, r.bricks,
                   r.contacts, r.verdict, r.detection, r.equations, r.total);
        std::fflush(stdout);
        rows.push_back(r);
      }
      if (rows.size() > 1)
        fmt::print("| {}D, μ = {:g} | | | exponent | | | {:.2f} |\n", dimension, friction, exponent_of(rows));
    }
}

int main_of(int argc, char** argv) {
  Arguments a;
  CLI::App app("Quadratic and linear programs of towers and walls. Times are processor times, on one thread.",
               "touchstone bench programs");
  app.add_option("parts", a.parts, "collapse, programs, walls; default all")
      ->check(CLI::IsMember({"collapse", "programs", "walls"}));
  app.add_option("--bricks", a.bricks, "Of walls; default 500 to 10000")->delimiter(',')->check(CLI::Range(4, 1000000));
  app.add_option("--dimensions", a.dimensions, "Of walls; default 2,3")->delimiter(',')->check(CLI::Range(2, 3));
  app.add_option("--friction", a.friction, "Of walls; default 0,0.6")->delimiter(',')->check(CLI::NonNegativeNumber);
  app.add_option("--steps", a.steps, "Of the collapse; default 1000")->check(CLI::Range(1, 1000));
  try {
    app.parse(argc, argv);
    if (has(a, "collapse")) print_collapse(a.steps);
    if (has(a, "programs")) print_programs(a.steps);
    if (has(a, "walls")) print_walls(a);
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

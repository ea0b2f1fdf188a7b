// Quadratic programs of brick walls that lose part of their floor: cold, warm, and Debian's Ipopt on the same programs.
#include <benchmark/benchmark.h>

#include "math/quadratic_programs.h"
#ifdef TOUCHSTONE_IPOPT
#include "programs/ipopt_program.h"
#endif

namespace {

using touchstone::QpStatus;
using touchstone::QuadraticProgram;
using touchstone::QuadraticSolver;

QuadraticProgram wall_of(const benchmark::State& state) {
  const int layers = static_cast<int>(state.range(0));
  return touchstone::testing::wall_program({layers, layers, 0.6 * layers});
}

void report(benchmark::State& state, const QuadraticProgram& p, std::int64_t iterations) {
  state.counters["unknowns"] = static_cast<double>(p.variables());
  state.counters["rows"] = static_cast<double>(p.rows());
  state.counters["factorisations"] =
      benchmark::Counter(static_cast<double>(iterations), benchmark::Counter::kAvgIterations);
}

void quadratic_cold(benchmark::State& state) {
  const QuadraticProgram p = wall_of(state);
  QuadraticSolver solver;
  std::int64_t iterations = 0;
  for (auto _ : state) {
    solver.forget();
    const auto answer = solver.solve(p, {});
    if (answer.status != QpStatus::kOptimal) state.SkipWithError("no optimum");
    iterations += answer.iterations;
  }
  report(state, p, iterations);
}
BENCHMARK(quadratic_cold)->Arg(5)->Arg(10)->Arg(20)->Unit(benchmark::kMillisecond);

// Weights that change by a thousandth from step to step.
void quadratic_warm(benchmark::State& state) {
  QuadraticProgram p = wall_of(state);
  const Eigen::VectorXd c = p.c;
  QuadraticSolver solver;
  solver.solve(p, {});
  std::int64_t iterations = 0, step = 0;
  for (auto _ : state) {
    ++step;
    for (Eigen::Index j = 0; j < c.size(); ++j) p.c[j] = c[j] * (1 + ((j * 7 + step * 13) % 11 - 5) * 1e-4);
    const auto answer = solver.solve(p, {});
    if (answer.status != QpStatus::kOptimal) state.SkipWithError("no optimum");
    iterations += answer.iterations;
  }
  report(state, p, iterations);
}
BENCHMARK(quadratic_warm)->Arg(5)->Arg(10)->Arg(20)->Unit(benchmark::kMillisecond);

#ifdef TOUCHSTONE_IPOPT
void quadratic_ipopt(benchmark::State& state) {
  const QuadraticProgram p = wall_of(state);
  const touchstone::bench::IpoptProgram program = touchstone::bench::ipopt_program(p);
  for (auto _ : state)
    if (!touchstone::bench::solve_by_ipopt(program).optimal) state.SkipWithError("Ipopt did not converge");
}
BENCHMARK(quadratic_ipopt)->Arg(5)->Arg(10)->Arg(20)->Unit(benchmark::kMillisecond);
#endif

}  // namespace

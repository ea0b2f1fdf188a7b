// Loading a scene of 10,000 bodies: floor of the project 0.5 s.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "touchstone/scene_file.h"
#include "touchstone/simulation.h"

namespace touchstone {
namespace {

std::string scene_of(int bodies) {
  std::string text = "touchstone = 1\ndimension = 3\n";
  for (int i = 0; i < bodies; ++i)
    text += fmt::format(
        "[[body]]\nname = \"body_{0}\"\nposition = [{0}.5, {1}, 0.25]\norientation = [1, 0, 0, 0]\nvelocity = [0, 0, "
        "-1.5]\n"
        "shape = {{ kind = \"box\", size = [0.5, 0.25, 0.25] }}\n\n",
        i, i % 100);
  return text;
}

void load_10000_bodies(benchmark::State& bench) {
  const std::string text = scene_of(10000);
  for (auto _ : bench) {
    const SceneDescription scene = parse_scene(text, "bench.toml");
    benchmark::DoNotOptimize(scene.bodies.size());
  }
}
BENCHMARK(load_10000_bodies)->Unit(benchmark::kMillisecond)->Iterations(3)->Repetitions(3)->ReportAggregatesOnly();

void load_and_build_10000_bodies(benchmark::State& bench) {
  const std::string text = scene_of(10000);
  for (auto _ : bench) {
    Simulation simulation(parse_scene(text, "bench.toml"));
    benchmark::DoNotOptimize(simulation.slot_count());
  }
}
BENCHMARK(load_and_build_10000_bodies)
    ->Unit(benchmark::kMillisecond)
    ->Iterations(3)
    ->Repetitions(3)
    ->ReportAggregatesOnly();

}  // namespace
}  // namespace touchstone

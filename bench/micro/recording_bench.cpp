// What recording costs against the step that it records: 1,000 bodies under the penalty model.
#include <benchmark/benchmark.h>

#include <filesystem>

#include "recording/recorder.h"
#include "touchstone/simulation.h"

namespace touchstone {
namespace {

// Boxes in a lattice that rest on the floor: the cheapest step that has contacts.
SceneDescription resting_boxes() {
  SceneDescription scene;
  BodyDescription floor;
  floor.name = "floor";
  floor.kind = BodyKind::kStatic;
  floor.shapes.resize(1);
  floor.shapes[0].kind = ShapeKind::kHalfSpace;
  floor.shapes[0].normal = {0, 0, 1};
  scene.bodies = {floor};
  for (int i = 0; i < 1000; ++i) {
    BodyDescription b;
    b.shapes.resize(1);
    b.shapes[0].kind = ShapeKind::kBox;
    b.shapes[0].size = {0.5, 0.5, 0.5};
    b.placement.position = {0.8 * (i % 32), 0.8 * (i / 32), 0.25};
    scene.bodies.push_back(b);
  }
  return scene;
}

void penalty_step_of_1000(benchmark::State& bench) {
  Simulation simulation(resting_boxes());
  for (auto _ : bench) simulation.step();
}
BENCHMARK(penalty_step_of_1000)->Unit(benchmark::kMicrosecond)->Repetitions(3)->ReportAggregatesOnly();

void record_frame_of_1000(benchmark::State& bench) {
  Simulation simulation(resting_boxes());
  for (int i = 0; i < 100; ++i) simulation.step();
  const std::string path = (std::filesystem::temp_directory_path() / "touchstone_bench.h5").string();
  RecordDescription what;
  what.contacts = bench.range(0) != 0;
  RecordingInfo info;
  info.dimension = 3;
  info.step_size = simulation.step_size();
  info.record = what;
  RecordingWriter recorder(path, info);
  Frame frame;
  std::uint64_t step = 0;
  for (auto _ : bench) {
    capture_frame(simulation, what, frame);
    frame.step = ++step;
    recorder.mark({frame.step, frame.time, frame.hash});
    recorder.frame(frame);
  }
  std::filesystem::remove(path);
}
BENCHMARK(record_frame_of_1000)
    ->ArgName("contacts")
    ->Arg(0)
    ->Arg(1)
    ->Unit(benchmark::kMicrosecond)
    ->Repetitions(3)
    ->ReportAggregatesOnly();

}  // namespace
}  // namespace touchstone

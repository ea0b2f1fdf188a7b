// What the yardstick costs: against the steps that it judges, and by itself for each contact and each pair.
#include <benchmark/benchmark.h>

#include "contact/yardstick.h"
#include "touchstone/simulation.h"

namespace touchstone {
namespace {

constexpr int kBoxes = 1000;

Eigen::Vector3d place_of(int i) { return {0.8 * (i % 32), 0.8 * (i / 32), 0.25}; }

ShapeDescription shape_of(ShapeKind kind) {
  ShapeDescription s;
  s.kind = kind;
  s.size = {0.5, 0.5, 0.5};
  s.normal = {0, 0, 1};
  return s;
}

SceneDescription resting_boxes() {
  SceneDescription scene;
  BodyDescription floor;
  floor.name = "floor";
  floor.kind = BodyKind::kStatic;
  floor.shapes = {shape_of(ShapeKind::kHalfSpace)};
  scene.bodies = {floor};
  for (int i = 0; i < kBoxes; ++i) {
    BodyDescription b;
    b.shapes = {shape_of(ShapeKind::kBox)};
    b.placement.position = place_of(i);
    scene.bodies.push_back(b);
  }
  return scene;
}

void judged_penalty_step_of_1000(benchmark::State& bench) {
  Simulation simulation(resting_boxes());
  simulation.set_yardstick(bench.range(0) != 0);
  for (auto _ : bench) simulation.step();
  bench.counters["substeps"] = static_cast<double>(simulation.report().substeps);
}
BENCHMARK(judged_penalty_step_of_1000)
    ->ArgName("yardstick")
    ->Arg(0)
    ->Arg(1)
    ->Unit(benchmark::kMicrosecond)
    ->Repetitions(3)
    ->ReportAggregatesOnly();

// A solve as a velocity-level model shows it: 1,000 boxes on four corners each.
void judge_solve_of_4000_contacts(benchmark::State& bench) {
  Bodies<3> bodies;
  State<3> state;
  bodies.resize(kBoxes + 1);
  state.resize(kBoxes + 1);
  std::vector<SolvedContact<3>> contacts;
  for (std::uint32_t i = 1; i <= kBoxes; ++i) {
    bodies.mass[i] = bodies.inv_mass[i] = 1;
    bodies.inertia[i].setOnes();
    bodies.inv_inertia[i].setOnes();
    state.position[i] = place_of(static_cast<int>(i - 1));
    for (std::uint64_t corner = 0; corner < 4; ++corner) {
      SolvedContact<3> c;
      const Vec<3> arm(corner & 1 ? 0.25 : -0.25, corner & 2 ? 0.25 : -0.25, -0.25);
      c.contact = {0, i, std::uint64_t{i} << 16 | corner, state.position[i] + arm, Vec<3>::UnitZ(), 0.0};
      c.material = {0.6, 0.5, 0};
      c.impulse = 0.0025 * Vec<3>::UnitZ();
      contacts.push_back(c);
    }
  }
  const std::vector<Twist<3>> still(kBoxes + 1);
  std::vector<Twist<3>> falling = still;
  for (std::uint32_t i = 1; i <= kBoxes; ++i) falling[i].linear.z() = -0.01;
  Yardstick<3> yardstick;
  const Parallel one(1);
  for (auto _ : bench) {
    yardstick.begin(10, one);
    yardstick.solved({false, 0.0, 1e-3, bodies, state, contacts, still, falling, still});
    benchmark::DoNotOptimize(yardstick.finish());
  }
}
BENCHMARK(judge_solve_of_4000_contacts)->Unit(benchmark::kMicrosecond)->Repetitions(3)->ReportAggregatesOnly();

void penetration_of_1000_boxes(benchmark::State& bench) {
  Bodies<3> bodies;
  State<3> state;
  ColliderTable<3> colliders;
  for (std::uint32_t i = 0; i <= kBoxes; ++i) {
    Collider<3> c;
    c.set_form({make_shape<3>(shape_of(i == 0 ? ShapeKind::kHalfSpace : ShapeKind::kBox))});
    c.body = i;
    c.movable = i > 0;
    colliders.add(c);
  }
  bodies.resize(kBoxes + 1);
  state.resize(kBoxes + 1);
  for (std::uint32_t i = 1; i <= kBoxes; ++i) {
    bodies.radius[i] = 0.43;
    state.position[i] = place_of(static_cast<int>(i - 1)) - 1e-4 * Vec<3>::UnitZ();
  }
  PenetrationCheck<3> check;
  const Parallel one(1);
  for (auto _ : bench) benchmark::DoNotOptimize(check.find(bodies, state, colliders, {}, one));
}
BENCHMARK(penetration_of_1000_boxes)->Unit(benchmark::kMicrosecond)->Repetitions(3)->ReportAggregatesOnly();

}  // namespace
}  // namespace touchstone

// Integrating free bodies against copying their state: the floor is the memory, not the arithmetic.
#include <benchmark/benchmark.h>

#include <cstring>
#include <random>

#include "dynamics/integrators.h"
#include "touchstone/simulation.h"

namespace touchstone {
namespace {

constexpr std::size_t kBodies = 100000;

struct FreeBodies {
  Bodies<3> bodies;
  State<3> state;
  std::vector<Wrench<3>> wrench;
  Parallel parallel;

  FreeBodies() {
    std::mt19937 rng(1);
    std::uniform_real_distribution<double> u(-1, 1);
    bodies.resize(kBodies);
    state.resize(kBodies);
    wrench.resize(kBodies);
    for (std::size_t i = 0; i < kBodies; ++i) {
      bodies.alive[i] = 1;
      bodies.kind[i] = BodyKind::kDynamic;
      bodies.mass[i] = 1 + 0.5 * u(rng);
      bodies.inv_mass[i] = 1 / bodies.mass[i];
      bodies.inertia[i] = Vec<3>(1 + 0.2 * u(rng), 1.1 + 0.2 * u(rng), 1.2 + 0.2 * u(rng));
      bodies.inv_inertia[i] = bodies.inertia[i].cwiseInverse();
      state.position[i] = Vec<3>(u(rng), u(rng), u(rng));
      state.orientation[i] = Eigen::Quaterniond(u(rng), u(rng), u(rng), u(rng)).normalized();
      state.velocity[i] = Vec<3>(u(rng), u(rng), u(rng));
      state.angular_velocity[i] = 5 * Vec<3>(u(rng), u(rng), u(rng));
      wrench[i].force = Vec<3>(0, 0, -9.81 * bodies.mass[i]);
    }
  }
};

template <class T>
void copy(const std::vector<T>& from, std::vector<T>& to) {
  std::memcpy(static_cast<void*>(to.data()), from.data(), from.size() * sizeof(T));
}

void memcpy_state(benchmark::State& bench) {
  FreeBodies f;
  State<3> to = f.state;
  for (auto _ : bench) {
    copy(f.state.position, to.position);
    copy(f.state.orientation, to.orientation);
    copy(f.state.velocity, to.velocity);
    copy(f.state.angular_velocity, to.angular_velocity);
    benchmark::ClobberMemory();
  }
}
BENCHMARK(memcpy_state)->Unit(benchmark::kMicrosecond)->Repetitions(5)->ReportAggregatesOnly();

void semi_implicit(benchmark::State& bench) {
  FreeBodies f;
  for (auto _ : bench) semi_implicit_euler(f.bodies, f.wrench, 1e-3, f.state, f.parallel);
}
BENCHMARK(semi_implicit)
    ->Name("semi_implicit_euler")
    ->Unit(benchmark::kMicrosecond)
    ->Repetitions(5)
    ->ReportAggregatesOnly();

void explicit_kernel(benchmark::State& bench) {
  FreeBodies f;
  for (auto _ : bench) explicit_euler(f.bodies, f.wrench, 1e-3, f.state, f.parallel);
}
BENCHMARK(explicit_kernel)
    ->Name("explicit_euler")
    ->Unit(benchmark::kMicrosecond)
    ->Repetitions(5)
    ->ReportAggregatesOnly();

// The same bodies through the public face: everything that a step does.
void free_step(benchmark::State& bench) {
  SceneDescription scene;
  scene.model.name = "free";
  std::mt19937 rng(1);
  std::uniform_real_distribution<double> u(-1, 1);
  for (std::size_t i = 0; i < kBodies; ++i) {
    BodyDescription b;
    b.mass = 1 + 0.5 * u(rng);
    b.inertia = Vec<3>(1 + 0.2 * u(rng), 1.1 + 0.2 * u(rng), 1.2 + 0.2 * u(rng)).asDiagonal();
    b.placement.position = Vec<3>(u(rng), u(rng), u(rng));
    b.angular_velocity = 5 * Vec<3>(u(rng), u(rng), u(rng));
    scene.bodies.push_back(b);
  }
  Simulation simulation(scene);
  for (auto _ : bench) simulation.step();
}
BENCHMARK(free_step)
    ->Name("free_step_of_100000")
    ->Unit(benchmark::kMicrosecond)
    ->Repetitions(5)
    ->ReportAggregatesOnly();

}  // namespace
}  // namespace touchstone

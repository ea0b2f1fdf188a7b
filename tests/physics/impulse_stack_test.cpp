// The impulse model: what stands stays, and the same scene gives the same bits.
#include <gtest/gtest.h>

#include <random>

#include "physics/scene_builders.h"

namespace touchstone::testing {
namespace {

class ImpulseStackIn : public ::testing::TestWithParam<int> {
 protected:
  const int d = GetParam();
};
INSTANTIATE_TEST_SUITE_P(Dimension, ImpulseStackIn, ::testing::Values(2, 3), dimension_name);

// Cubes of 1 m, 60 steps a second, the preset that a scene has if it says nothing.
SceneDescription tower(int d, int cubes) {
  SceneDescription scene = impulse_floor(d, material(0.5), 1.0 / 60);
  use_impulse(scene, "default");
  for (int i = 0; i < cubes; ++i)
    scene.bodies.push_back(body("cube" + std::to_string(i), plate(d, 1, 1, 1), (0.5 + i) * up(d)));
  return scene;
}

struct Moved {
  double sag = 0, drift = 0, turn = 0;
};
Moved stand(const SceneDescription& scene, double seconds) {
  Simulation sim(scene);
  const int d = scene.dimension;
  run(sim, seconds);
  Moved out;
  for (const BodyId id : sim.bodies()) {
    const Eigen::Vector3d start = sim.description(id).placement.position;
    const BodyState s = sim.state(id);
    const Eigen::Vector3d way = s.center_of_mass - start;
    out.sag = std::max(out.sag, std::abs(way.dot(up(d))));
    out.drift = std::max(out.drift, (way - up(d) * way.dot(up(d))).norm());
    out.turn = std::max(out.turn, d == 2 ? std::abs(s.placement.angle)
                                         : s.placement.orientation.angularDistance(Eigen::Quaterniond::Identity()));
  }
  return out;
}

void check_stands(const std::string& name, const SceneDescription& scene, double seconds, double sag, double drift) {
  const Moved m = stand(scene, seconds);
  check(name + "_sag_um", m.sag * 1e6, 0, sag * 1e6);
  check(name + "_drift_um", m.drift * 1e6, 0, drift * 1e6);
  EXPECT_LT(m.turn, 1e-4);
}

TEST_P(ImpulseStackIn, TwentyCubesStand) { check_stands("cubes20_10s", tower(d, 20), 10, 1e-4, 1e-5); }
TEST_P(ImpulseStackIn, TwentyCubesStandForAMinute) { check_stands("cubes20_60s", tower(d, 20), 60, 1e-4, 1e-5); }
TEST_P(ImpulseStackIn, AHundredCubesStand) {
  // As deep as a contact may be (0.1 mm) at each of the hundred, and within a cube's edge by far.
  check_stands("cubes100_10s", tower(d, 100), 10, 1e-2, 1e-3);
}

// Ten cubes of 1 kg under one of 1000 kg.
SceneDescription ton_on_column(int d, const std::string& preset, double h) {
  SceneDescription scene = tower(d, 11);
  use_impulse(scene, preset);
  scene.step = h;
  for (std::size_t i = 1; i < scene.bodies.size(); ++i) scene.bodies[i].mass = i == 11 ? 1000 : 1;
  return scene;
}
TEST_P(ImpulseStackIn, ATonStandsOnLightCubes) {
  check_stands("ton_default", ton_on_column(d, "default", 1.0 / 60), 10, 1e-3, 1e-3);
}
// What each of the 10,000 steps leaves must not add up: a velocity of 1e-6 m/s would be 1e-5 m.
TEST_P(ImpulseStackIn, ATonStandsOnLightCubesAccurately) {
  check_stands("ton_accurate", ton_on_column(d, "accurate", 1e-3), 10, 1e-6, 1e-5);
}

// Boxes and balls that fall on a heap.
SceneDescription heap(int d, const std::string& preset) {
  SceneDescription scene = impulse_floor(d, material(0.5, 0.2), preset == "default" ? 1.0 / 60 : 1e-2);
  use_impulse(scene, preset);
  std::mt19937 random(3);
  std::uniform_real_distribution<double> unit(-1, 1);
  for (int i = 0; i < 20; ++i) {
    const Eigen::Vector3d at = in_plane(d, 0.35 * (i % 4 - 1.5) + 0.05 * unit(random), 0.2 + 0.28 * (i / 4));
    BodyDescription b = body("b" + std::to_string(i), i % 3 ? plate(d, 0.3, 0.2, 0.25) : sphere(0.12), at);
    b.placement = turned(d, unit(random), at);
    scene.bodies.push_back(b);
  }
  return scene;
}

std::vector<std::uint64_t> hashes(const SceneDescription& scene, int threads, int steps) {
  Simulation sim(scene);
  sim.set_threads(threads);
  std::vector<std::uint64_t> out;
  for (int i = 0; i < steps; ++i) {
    sim.step();
    out.push_back(sim.state_hash());
  }
  return out;
}

TEST_P(ImpulseStackIn, AHeapIsTheSameAtAnyNumberOfThreads) {
  for (const char* preset : {"default", "accurate"}) {
    const SceneDescription scene = heap(d, preset);
    const int steps = std::string(preset) == "default" ? 120 : 40;
    const std::vector<std::uint64_t> one = hashes(scene, 1, steps);
    for (const int threads : {2, 3}) {
      const std::vector<std::uint64_t> more = hashes(scene, threads, steps);
      const auto first = std::mismatch(one.begin(), one.end(), more.begin()).first;
      EXPECT_TRUE(first == one.end()) << preset << ", " << threads << " threads: step " << first - one.begin() + 1;
    }
  }
}

TEST_P(ImpulseStackIn, ARestoredHeapGoesOnWithTheSameBits) {
  for (const char* preset : {"default", "accurate"}) {
    const SceneDescription scene = heap(d, preset);
    Simulation sim(scene);
    for (int i = 0; i < 25; ++i) sim.step();
    const std::vector<std::byte> kept = sim.snapshot();
    Simulation other(scene);
    other.restore(kept);
    for (int i = 0; i < 25; ++i) {
      sim.step();
      other.step();
      ASSERT_EQ(sim.state_hash(), other.state_hash()) << preset << ", " << i + 1 << " steps later";
    }
    sim.restore(kept);  // back into the one that has gone on
    for (int i = 0; i < 25; ++i) sim.step();
    EXPECT_EQ(sim.state_hash(), other.state_hash()) << preset;
  }
}

}  // namespace
}  // namespace touchstone::testing

// The robots of [thompson2003]: they bring every can home, at any number of threads, from any snapshot.
#include <gtest/gtest.h>

#include <cmath>

#include "touchstone/touchstone.h"

namespace touchstone::testing {
namespace {

const char* kScene = TOUCHSTONE_SOURCE_DIR "/scenes/papers/thompson2003/robots.toml";

SceneDescription robots(int count, int cans, int seed) {
  return load_scene(kScene, {{"body.robot.scatter.count", std::to_string(count)},
                             {"body.can.scatter.count", std::to_string(cans)},
                             {"simulation.seed", std::to_string(seed)}});
}

std::vector<BodyId> tagged(const Simulation& sim, const char* tag) {
  std::vector<BodyId> out;
  for (const BodyId body : sim.bodies())
    if (sim.has_tag(body, tag)) out.push_back(body);
  return out;
}

// Every can is at home and nobody holds it.
bool all_home(const Simulation& sim, std::size_t cans) {
  const std::vector<BodyId> free = tagged(sim, "can");
  return free.size() == cans &&
         std::all_of(free.begin(), free.end(), [&](BodyId can) { return sim.state(can).center_of_mass.y() >= 150; });
}

// The step in which all cans are home; 0: never.
std::uint64_t home_at(Simulation& sim, std::size_t cans) {
  constexpr std::uint64_t kMost = 20'000;
  while (sim.step_count() < kMost) {
    sim.step();
    if (all_home(sim, cans)) return sim.step_count();
  }
  return 0;
}

void expect_home(int count, int cans, int seed) {
  Simulation sim(robots(count, cans, seed));
  EXPECT_TRUE(sim.overlapping_bodies().empty());
  EXPECT_EQ(sim.controller_count(), static_cast<std::size_t>(count));
  EXPECT_GT(home_at(sim, static_cast<std::size_t>(cans)), 0u) << count << "/" << cans << ", seed " << seed;
  for (std::size_t k = 0; k < sim.joint_count(); ++k) EXPECT_LT(sim.joint(k).position_error, 2e-3);
}

TEST(Robots, BringAllCansHome) {
  for (const int seed : {1, 2, 3}) expect_home(2, 4, seed);
  expect_home(4, 16, 1);
}

// The demo needs 1441 to 2279 steps with 2 robots and 4 cans, over six seeds. Other starts, other seeds: the same
// order.
TEST(Robots, TakeAboutAsLongAsTheDemo) {
  double sum = 0;
  for (int seed = 1; seed <= 6; ++seed) {
    Simulation sim(robots(2, 4, seed));
    sum += static_cast<double>(home_at(sim, 4));
  }
  EXPECT_GT(sum / 6, 1400);
  EXPECT_LT(sum / 6, 2400);
}

TEST(Robots, ReturnToTheirStartsAndStop) {
  Simulation sim(robots(2, 4, 1));
  const std::vector<BodyId> all = tagged(sim, "robot");
  ASSERT_EQ(all.size(), 2u);
  std::vector<BodyState> start;
  for (const BodyId robot : all) start.push_back(sim.state(robot));
  ASSERT_GT(home_at(sim, 4), 0u);
  for (int i = 0; i < 2000; ++i) sim.step();
  EXPECT_TRUE(all_home(sim, 4));
  for (std::size_t i = 0; i < all.size(); ++i) {
    const BodyState now = sim.state(all[i]);
    EXPECT_LT((now.center_of_mass - start[i].center_of_mass).norm(), 2.5);
    EXPECT_NEAR(std::remainder(now.placement.angle, 2 * M_PI), 0, 0.02);
    EXPECT_LT(now.velocity.norm(), 1e-3);
  }
  EXPECT_EQ(sim.joint_count(), 4u);  // the pins of the effectors
}

TEST(Robots, AnyNumberOfThreadsGivesTheSameBits) {
  Simulation one(robots(4, 16, 2)), four(robots(4, 16, 2));
  four.set_threads(4);
  for (int i = 0; i < 1000; ++i) {
    one.step(), four.step();
    ASSERT_EQ(one.state_hash(), four.state_hash()) << i;
  }
}

// Snapshots while cans are carried.
TEST(Robots, GoOnFromASnapshotWithTheSameBits) {
  const SceneDescription scene = robots(4, 16, 3);
  Simulation sim(scene);
  for (int k = 0; k < 4; ++k) {
    for (int i = 0; i < 300; ++i) sim.step();
    Simulation again(scene);
    again.restore(sim.snapshot());
    EXPECT_EQ(again.snapshot(), sim.snapshot());
    Simulation onward(scene);
    onward.restore(sim.snapshot());
    for (int i = 0; i < 200; ++i) {
      again.step(), onward.step();
      ASSERT_EQ(again.state_hash(), onward.state_hash());
    }
    for (int i = 0; i < 200; ++i) sim.step();
    ASSERT_EQ(again.state_hash(), sim.state_hash()) << k;
  }
  EXPECT_LT(tagged(sim, "can").size(), 16u);  // some are carried
}

TEST(Robots, NeedTwoDimensionsAndTheirEffector) {
  SceneDescription s = robots(1, 1, 1);
  s.controllers[0].parameters.erase("left");
  EXPECT_THROW(Simulation{s}, Error);
  EXPECT_THROW(load_scene(kScene, {{"model.name", "guendelman"}}), Error);
}

class LongRobots : public ::testing::TestWithParam<int> {};

TEST_P(LongRobots, BringAllCansHomeFromTwentyStarts) {
  const int seed = GetParam();
  expect_home(2, 4, seed);
  expect_home(4, 16, seed);
  expect_home(8, 40, seed);
}

INSTANTIATE_TEST_SUITE_P(LongSeeds, LongRobots, ::testing::Range(1, 21));

// "collisions" of the same paper, frictionless and elastic: kinetic energy within 1e-9 over 10,000 steps with 100
// bodies, where the public demo loses 30 % in 1000.
TEST(Collisions, KeepTheirEnergy) {
  Simulation sim(load_scene(TOUCHSTONE_SOURCE_DIR "/scenes/papers/thompson2003/collisions.toml",
                            {{"body.circle.scatter.count", "50"}, {"body.rectangle.scatter.count", "50"}}));
  EXPECT_TRUE(sim.overlapping_bodies().empty());
  const double start = sim.report().kinetic_energy;
  std::int64_t collisions = 0;
  double depth = 0;
  for (int i = 0; i < 10'000; ++i) {
    const StepReport& report = sim.step();
    ASSERT_NEAR(report.kinetic_energy, start, 1e-12 * start) << i;
    collisions += report.contacts;
    if (i % 100 == 0)
      for (const BodyOverlap& overlap : sim.overlapping_bodies()) depth = std::max(depth, overlap.depth);
  }
  EXPECT_GT(collisions, 1000);
  EXPECT_LT(depth, 0.1);  // the smallest body is 8 across
}

TEST(Collisions, OfPinnedPairsKeepTheirEnergy) {
  Simulation sim(load_scene(TOUCHSTONE_SOURCE_DIR "/scenes/papers/thompson2003/collisions_pinned.toml"));
  const double start = sim.report().kinetic_energy;
  double open = 0;
  for (int i = 0; i < 4000; ++i) {
    sim.step();
    for (std::size_t k = 0; k < sim.joint_count(); ++k) open = std::max(open, sim.joint(k).position_error);
  }
  EXPECT_NEAR(sim.report().kinetic_energy, start, 1e-3 * start);
  EXPECT_LT(open, 1e-8);
}

}  // namespace
}  // namespace touchstone::testing

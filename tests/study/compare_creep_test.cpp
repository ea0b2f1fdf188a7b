// Creep against its theory, and against a simulation that is stepped by hand.
#include <cmath>
#include <numbers>

#include "study/compare_helpers.h"

namespace touchstone::compare::testing {
namespace {

class CreepTest : public CompareTest {
 protected:
  Comparison run(CompareRequest request) const {
    request.halvings = 0;
    return CompareTest::run(request);
  }
};

// With friction μ·N·u/√(u² + s²) a block on a slope of angle α < arctan μ slides at the speed where friction is the
// downhill force: tan α = μ·u/√(u² + s²), so u = s·tan α/√(μ² − tan² α).
TEST_F(CreepTest, OfRegularisedFrictionIsWhatTheBalanceOfForcesSays) {
  CompareRequest request;
  request.scene = scene_path("incline.toml");
  request.models = {"impulse", "impulse:slip_speed=0.001", "ncp", "penalty"};
  const Comparison c = run(request);
  const double slope = std::tan(20 * std::numbers::pi / 180), friction = 0.6;
  const double theory = 0.001 * slope / std::sqrt(friction * friction - slope * slope);
  const Creep& soft = of(c, "impulse:slip_speed=0.001").numbers.creep;
  ASSERT_TRUE(soft.known);
  EXPECT_EQ(soft.resting, 1u);  // the smooth block slides at 2 m/s: it is not meant to rest
  EXPECT_EQ(soft.body, "rough_block");
  EXPECT_NEAR(soft.worst, theory, 1e-3 * theory);
  EXPECT_TRUE(says(c, "impulse:slip_speed=0.001", "creep"));
  for (const char* stiff : {"impulse", "ncp", "penalty"}) {
    EXPECT_LT(of(c, stiff).numbers.creep.worst, 1e-9) << stiff;
    EXPECT_FALSE(says(c, stiff, "creep")) << stiff;
  }
}

TEST_F(CreepTest, AgreesWithASimulationSteppedByHand) {
  CompareRequest request;
  request.scene = scene_path("incline.toml");
  request.models = {"impulse:slip_speed=0.002"};
  const Comparison c = run(request);
  Simulation sim(load_scene(request.scene, {{"model.name", "impulse"}, {"model.slip_speed", "0.002"}}));
  const BodyId block = sim.find_body("rough_block");
  while (sim.step_count() < 1350) sim.step();
  const Eigen::Vector3d before = sim.state(block).center_of_mass;
  while (sim.step_count() < 1500) sim.step();
  const double speed = (sim.state(block).center_of_mass - before).norm() / 0.15;
  EXPECT_NEAR(c.runs[0].numbers.creep.worst, speed, 1e-4 * speed);
}

const char* kRocker = R"(touchstone = 1
dimension = 2
[simulation]
step = 0.001
duration = 3.0
[[material]]
name = "default"
friction = 0.5
[[body]]
name = "bowl"
kind = "static"
shape = { kind = "chain", vertices = [[-2, 1], [-1, 0.2], [0, 0], [1, 0.2], [2, 1]] }
[[body]]
name = "spring_block"
position = [0, 2.0]
mass = 1.0
shape = { kind = "box", size = [0.2, 0.2] }
)";

TEST_F(CreepTest, WhatFliesOrSlidesFastDoesNotRest) {
  CompareRequest request;
  std::string text = kRocker;
  request.scene = write("falls.toml", text);
  request.duration = 0.4;  // it is still in the air
  request.frames_per_second = 100;
  request.models = {"impulse"};
  const Creep creep = run(request).runs[0].numbers.creep;
  EXPECT_TRUE(creep.known);
  EXPECT_EQ(creep.resting, 0u);
  EXPECT_EQ(creep.body, "");
}

TEST_F(CreepTest, IsNotKnownWithoutGravityOrTime) {
  CompareRequest request;
  request.scene = scene_path("incline.toml");
  request.models = {"impulse"};
  request.sets = {{"simulation.gravity", "[0, 0]"}};
  EXPECT_FALSE(run(request).runs[0].numbers.creep.known);
  request.sets.clear();
  request.duration = 0.05;  // two frames
  EXPECT_FALSE(run(request).runs[0].numbers.creep.known);
}

// What rocks to and fro has a mean speed in the window, but not the same in both halves.
TEST_F(CreepTest, OfSomethingThatRocksIsMuchLessThanItsSpeed) {
  CompareRequest request;
  request.scene = write("shaken.toml", R"(touchstone = 1
dimension = 2
[simulation]
step = 0.001
duration = 2.0
[[material]]
name = "default"
friction = 0.9
[[body]]
name = "tray"
kind = "kinematic"
shape = { kind = "box", size = [2, 0.2] }
motion = { amplitude = [0.0005, 0], frequency = 5.0 }
[[body]]
name = "cup"
position = [0, 0.2]
shape = { kind = "box", size = [0.2, 0.2] }
)");
  request.models = {"impulse"};
  const ModelRun r = run(request).runs[0];
  ASSERT_EQ(r.outcome, Outcome::kFinished) << r.failure;
  EXPECT_EQ(r.numbers.creep.resting, 1u);  // at most 2π·5·0.5 mm/s = 16 mm/s, below 2 % of √(g·0.2 m) = 28 mm/s
  EXPECT_LT(r.numbers.creep.worst, 0.1 * 0.0157);  // the window is one period: it is back where it was
  EXPECT_LT(r.numbers.energy_made, 0.01 * r.numbers.energy_scale);  // the energy that the tray puts in is its own
}

}  // namespace
}  // namespace touchstone::compare::testing

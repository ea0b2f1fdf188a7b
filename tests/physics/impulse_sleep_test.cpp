// The impulse model's sleep: what rests costs nothing, and wakes when it has to.
#include <gtest/gtest.h>

#include <random>
#include <stdexcept>

#include "physics/scene_builders.h"

namespace touchstone::testing {
namespace {

class ImpulseSleepIn : public ::testing::TestWithParam<int> {
 protected:
  const int d = GetParam();
};
INSTANTIATE_TEST_SUITE_P(Dimension, ImpulseSleepIn, ::testing::Values(2, 3), dimension_name);

// Five cubes of 0.5 m on each other, on a static plate that can be taken away.
SceneDescription stack(int d, bool sleep = true, const std::string& preset = "default") {
  SceneDescription scene = impulse_scene(d, preset == "accurate" ? 5e-3 : 1.0 / 60, preset);
  scene.materials = {material(0.5)};
  scene.bodies = {fixed("plate", plate(d, 4, 0.2, 4), -0.1 * up(d))};
  for (int i = 0; i < 5; ++i)
    scene.bodies.push_back(body("cube" + std::to_string(i), plate(d, 0.5, 0.5, 0.5), (0.25 + 0.5 * i) * up(d)));
  scene.model.options["sleep"] = sleep;
  return scene;
}
// It flies straight, and arrives at the topmost cube after 1.39 s.
BodyDescription ball(int d) {
  BodyDescription b = body("ball", sphere(0.2), in_plane(d, -6, 2.2));
  b.velocity = in_plane(d, 4, 0);
  b.gravity_scale = 0;
  return b;
}

bool asleep(const Simulation& sim) { return sim.report().kinetic_energy == 0 && sim.report().iterations == 0; }
// Steps until everything sleeps; the time that it took, or infinity.
double fall_asleep(Simulation& sim, double at_most) {
  while (sim.time() < at_most)
    if (sim.step(), asleep(sim)) return sim.time();
  return std::numeric_limits<double>::infinity();
}
double height(const Simulation& sim, const std::string& name, int d) {
  return sim.state(sim.find_body(name)).center_of_mass.dot(up(d));
}

TEST_P(ImpulseSleepIn, AStackFallsAsleepAfterTheTimeThatIsSaid) {
  for (const char* preset : {"default", "accurate"}) {
    SceneDescription scene = stack(d, true, preset);
    Simulation sim(scene);
    // One step is the first that is slow, and one the first that has nothing to do.
    EXPECT_NEAR(fall_asleep(sim, 2), 0.5, 2.5 * scene.step) << preset;
    scene.model.options["sleep_time"] = 1.25;
    Simulation later(scene);
    EXPECT_NEAR(fall_asleep(later, 3), 1.25, 2.5 * scene.step) << preset;
  }
}

TEST_P(ImpulseSleepIn, ASleepingHeapKeepsItsPlaceItsContactsAndItsEnergy) {
  SceneDescription scene = impulse_floor(d, material(0.6, 0.1), 1.0 / 60);
  use_impulse(scene, "default");
  scene.model.options["sleep"] = true;
  std::mt19937 random(5);
  std::uniform_real_distribution<double> unit(-1, 1);
  for (int i = 0; i < 16; ++i) {
    const Eigen::Vector3d at = in_plane(d, 0.35 * (i % 4 - 1.5) + 0.05 * unit(random), 0.2 + 0.35 * (i / 4));
    scene.bodies.push_back(body("b" + std::to_string(i), plate(d, 0.3, 0.2, 0.25), at));
    scene.bodies.back().placement = turned(d, 0.3 * unit(random), at);
  }
  Simulation sim(scene);
  std::int64_t contacts = 0;
  double balance = 0;
  do {
    contacts = sim.report().contacts, balance = sim.report().energy_balance;
    sim.step();
  } while (!asleep(sim) && sim.time() < 30);
  ASSERT_TRUE(asleep(sim));
  RecordProperty("asleep_after_s", std::to_string(sim.time()));
  EXPECT_NEAR(sim.report().energy_balance, balance, 1e-9 * sim.report().gravity_energy);
  const std::vector<BodyId> ids = sim.bodies();
  std::vector<Eigen::Vector3d> before;
  for (const BodyId id : ids) before.push_back(sim.state(id).center_of_mass);
  for (int i = 0; i < 100; ++i) {
    sim.step();
    ASSERT_TRUE(asleep(sim));
    EXPECT_EQ(sim.report().contacts, contacts);
    for (const ContactEvent& e : sim.contact_events()) EXPECT_EQ(e.kind, ContactEvent::Kind::kPersist);
  }
  for (std::size_t i = 0; i < ids.size(); ++i) EXPECT_EQ(sim.state(ids[i]).center_of_mass, before[i]);
}

// The load of the stack is still reported: what the floor carries is its weight.
TEST_P(ImpulseSleepIn, SleepingContactsCarryTheirLoad) {
  Simulation sim(stack(d));
  ASSERT_LT(fall_asleep(sim, 2), 1);
  run(sim, 1);
  const BodyId floor = sim.find_body("plate");
  double impulse = 0, weight = 0;
  for (const ContactEvent& e : sim.contact_events())
    if (e.body_a == floor || e.body_b == floor) impulse += std::abs(e.impulse.dot(up(d)));
  for (int i = 0; i < 5; ++i) weight += kGravity * 1000 * (d == 2 ? 0.25 : 0.125);
  check_relative("load_N", impulse / sim.step_size(), weight, 1e-3);
}

// A ball from the side: the collision is that of a stack that was awake all the time.
TEST_P(ImpulseSleepIn, ABallWakesAStackAndHitsItAsIfItHadBeenAwake) {
  const auto hit = [&](const std::string& preset, const std::string& timing, bool sleep) {
    SceneDescription scene = stack(d, sleep, preset);
    scene.materials = {material(0.5, 0.5)};
    scene.model.options["timing"] = timing;
    scene.bodies.push_back(ball(d));
    Simulation sim(scene);
    run(sim, 1.2);
    EXPECT_EQ(sim.state(sim.find_body("cube4")).velocity.isZero(0), sleep);
    run(sim, 0.3);
    return sim.state(sim.find_body("cube4")).velocity;
  };
  for (const auto& [preset, timing] : {std::pair("default", "fixed"), {"accurate", "fixed"}, {"accurate", "events"}}) {
    const Eigen::Vector3d awake = hit(preset, timing, false), woken = hit(preset, timing, true);
    EXPECT_GT(awake.norm(), 0.1);
    EXPECT_LT((woken - awake).norm(), 0.01 * awake.norm()) << preset << ", " << timing;
  }
}

TEST_P(ImpulseSleepIn, AVelocityWakesTheWholeStack) {
  Simulation sim(stack(d));
  ASSERT_LT(fall_asleep(sim, 2), 1);
  BodyState s = sim.state(sim.find_body("cube0"));
  s.velocity = in_plane(d, 2, 0);
  sim.set_state(sim.find_body("cube0"), s);
  sim.step();
  EXPECT_GT(sim.report().iterations, 0);
  run(sim, 0.1);
  EXPECT_GT(sim.state(sim.find_body("cube1")).velocity.norm(), 0.01);  // dragged along
}

TEST_P(ImpulseSleepIn, AForceWakesAndWhatWokeGoesOnAsItWas) {
  Simulation sim(stack(d));
  ASSERT_LT(fall_asleep(sim, 2), 1);
  const double top = height(sim, "cube4", d);
  sim.apply_force(sim.find_body("cube2"), in_plane(d, 1, 0));  // friction holds it
  sim.step();
  EXPECT_GT(sim.report().iterations, 0);
  EXPECT_LT(sim.report().max_speed, 1e-5);  // the load is remembered: nothing falls
  ASSERT_LT(fall_asleep(sim, sim.time() + 1), 10);
  EXPECT_NEAR(height(sim, "cube4", d), top, 1e-6);
  // A force that goes on is no disturbance; its end is.
  const auto push = [&](ForceContext& c) { c.add_force(sim.find_body("cube2"), in_plane(d, 1, 0)); };
  sim.set_force_callback(push);
  sim.step();
  EXPECT_FALSE(asleep(sim));
  ASSERT_LT(fall_asleep(sim, sim.time() + 1), 10);
  sim.set_force_callback({});
  sim.step();
  EXPECT_FALSE(asleep(sim));
}

TEST_P(ImpulseSleepIn, WhatLiesOnABodyThatIsRemovedFalls) {
  Simulation sim(stack(d));
  ASSERT_LT(fall_asleep(sim, 2), 1);
  const double before = height(sim, "cube0", d);
  sim.remove_body(sim.find_body("plate"));
  run(sim, 0.2);
  check_relative("fallen_m", before - height(sim, "cube0", d), 0.5 * kGravity * 0.04, 0.1);
  check_relative("fallen_top_m", 2.25 - height(sim, "cube4", d), 0.5 * kGravity * 0.04, 0.1);
}

TEST_P(ImpulseSleepIn, APairThatIsIgnoredNoLongerCarries) {
  Simulation sim(stack(d));
  ASSERT_LT(fall_asleep(sim, 2), 1);
  sim.ignore_pair(sim.find_body("plate"), sim.find_body("cube0"));
  run(sim, 0.2);
  EXPECT_LT(height(sim, "cube0", d), 0.2);
}

// A plate below that rests for a second, and then rises.
TEST_P(ImpulseSleepIn, AFloorThatBeginsToMoveWakes) {
  SceneDescription scene = stack(d);
  scene.bodies[0].kind = BodyKind::kKinematic;
  Simulation sim(scene);
  ASSERT_LT(fall_asleep(sim, 2), 1);
  BodyState s = sim.state(sim.find_body("plate"));
  s.velocity = 0.1 * up(d);
  const double start = sim.time();
  sim.set_motion(sim.find_body("plate"), [=, this](double t) {
    BodyState now = s;
    now.placement.position = (-0.1 + 0.1 * (t - start)) * up(d);
    return now;
  });
  run(sim, 1);
  check("lifted_m", height(sim, "cube4", d), 2.25 + 0.1, 1e-3);
}

// Two bodies on a joint are one island: what pushes one wakes the other.
TEST_P(ImpulseSleepIn, AJointHoldsAnIslandTogether) {
  SceneDescription scene = impulse_floor(d, material(0.5), 1.0 / 60);
  use_impulse(scene, "default");
  scene.model.options["sleep"] = true;
  for (int i = 0; i < 2; ++i)
    scene.bodies.push_back(body("b" + std::to_string(i), plate(d, 0.5, 0.5, 0.5), in_plane(d, 2 * i, 0.25)));
  JointDescription j;
  j.kind = JointKind::kDistance;
  j.body_a = "b0", j.body_b = "b1";
  scene.joints = {j};
  Simulation sim(scene);
  ASSERT_LT(fall_asleep(sim, 2), 1);
  BodyState s = sim.state(sim.find_body("b0"));
  s.velocity = in_plane(d, -3, 0);
  sim.set_state(sim.find_body("b0"), s);
  run(sim, 0.1);
  EXPECT_GT(sim.state(sim.find_body("b1")).velocity.norm(), 0.1);  // pulled along
  EXPECT_LT(sim.joint(0).position_error, 1e-3);
}

SceneDescription stack_and_late_ball(int d) {
  SceneDescription scene = stack(d);
  scene.bodies.push_back(ball(d));
  return scene;
}

TEST_P(ImpulseSleepIn, ARestoredSleepGoesOnWithTheSameBits) {
  const SceneDescription scene = stack_and_late_ball(d);
  Simulation sim(scene);
  run(sim, 1.2);
  ASSERT_EQ(sim.state(sim.find_body("cube0")).velocity.norm(), 0);
  const std::vector<std::byte> kept = sim.snapshot();
  Simulation other(scene);
  other.restore(kept);
  for (int i = 0; i < 120; ++i) {
    sim.step(), other.step();
    ASSERT_EQ(sim.state_hash(), other.state_hash()) << i + 1 << " steps later";
  }
  EXPECT_GT(sim.state(sim.find_body("cube4")).center_of_mass.x(), 0.01);  // it was hit
  sim.restore(kept);
  run(sim, 2);
  EXPECT_EQ(sim.state_hash(), other.state_hash());
}

TEST_P(ImpulseSleepIn, AFailedStepLeavesTheSleepAsItWas) {
  const SceneDescription scene = stack_and_late_ball(d);
  Simulation sim(scene), other(scene);
  for (int i = 0; i < 150; ++i) {
    if (i % 10 == 9) {
      sim.set_force_callback([](ForceContext& c) {
        if (c.time() > 0) throw std::runtime_error("no");
      });
      EXPECT_ANY_THROW(sim.step());
      sim.set_force_callback({});
    }
    sim.step(), other.step();
    ASSERT_EQ(sim.state_hash(), other.state_hash()) << "step " << i + 1;
  }
}

TEST_P(ImpulseSleepIn, ItIsTheSameAtAnyNumberOfThreads) {
  const SceneDescription scene = stack_and_late_ball(d);
  Simulation one(scene), three(scene);
  three.set_threads(3);
  for (int i = 0; i < 150; ++i) {
    one.step(), three.step();
    ASSERT_EQ(one.state_hash(), three.state_hash()) << "step " << i + 1;
  }
}

// What moves does not sleep, however slowly it is asked to be: a block that slides, a ball that rolls, a body that
// flies.
TEST_P(ImpulseSleepIn, WhatMovesStaysAwake) {
  SceneDescription scene = impulse_floor(d, material(0.3), 1.0 / 60);
  use_impulse(scene, "default");
  scene.bodies.push_back(body("ball", sphere(0.2), 0.2 * up(d)));
  scene.bodies.back().velocity = in_plane(d, 0.5, 0);
  scene.bodies.push_back(body("flying", sphere(0.2), in_plane(d, 0, 3)));
  scene.bodies.back().velocity = in_plane(d, 0.05, 0);
  scene.bodies.back().gravity_scale = 0;
  Simulation plain(scene);
  scene.model.options["sleep"] = true;
  Simulation sleepy(scene);
  for (int i = 0; i < 240; ++i) {
    plain.step(), sleepy.step();
    ASSERT_EQ(plain.state_hash(), sleepy.state_hash()) << "step " << i + 1;
  }
}

}  // namespace
}  // namespace touchstone::testing

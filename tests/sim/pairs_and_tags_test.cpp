// Collisions and restitution of a pair of bodies, and tags, changed during a run.
#include <gtest/gtest.h>

#include <cmath>

#include "models/registry.h"
#include "physics/scene_builders.h"

namespace touchstone::testing {
namespace {

using Eigen::Vector3d;

// A ball flies at another with 1 m/s; both of 1 kg, restitution 0.
SceneDescription head_on(const std::string& model) {
  SceneDescription s = empty_scene(2, 0.01);
  s.gravity.setZero();
  s.model.name = model;
  s.materials = {material(0, 0)};
  s.bodies = {body("a", sphere(0.1)), body("b", sphere(0.1), {0.5, 0, 0})};
  for (BodyDescription& b : s.bodies) b.mass = 1;
  s.bodies[0].velocity = {1, 0, 0};
  return s;
}

void run(Simulation& sim, int steps) {
  for (int i = 0; i < steps; ++i) sim.step();
}
double speed(const Simulation& sim, const char* name) { return sim.state(sim.find_body(name)).velocity.x(); }

class PairsOf : public ::testing::TestWithParam<const char*> {
 protected:
  bool has(bool Capabilities::*ability) const { return find_model(GetParam()).capabilities.*ability; }
};

TEST_P(PairsOf, CollideAsTheyAreTold) {
  if (!has(&Capabilities::contacts)) GTEST_SKIP() << "no contacts";
  Simulation sim(head_on(GetParam()));
  const BodyId a = sim.find_body("a"), b = sim.find_body("b");
  EXPECT_TRUE(sim.pair_collides(a, b));
  sim.set_pair_collision(b, a, false);
  EXPECT_FALSE(sim.pair_collides(a, b));
  run(sim, 100);
  EXPECT_NEAR(speed(sim, "a"), 1, 1e-12);  // through the other one
  EXPECT_NEAR(speed(sim, "b"), 0, 1e-12);
  sim.set_pair_collision(a, b, true);
  EXPECT_TRUE(sim.pair_collides(a, b));
  BodyState back = sim.state(a);
  back.placement.position.setZero();
  sim.set_state(a, back);
  run(sim, 100);
  EXPECT_LT(speed(sim, "a"), 0.6);
  EXPECT_GT(speed(sim, "b"), 0.4);
}

// v_b − v_a = e·1 m/s, whatever the materials say; the momentum stays.
TEST_P(PairsOf, BounceWithTheirOwnRestitution) {
  if (!has(&Capabilities::restitution)) GTEST_SKIP() << "no restitution";
  for (const double e : {0.0, 0.5, 1.0}) {
    Simulation sim(head_on(GetParam()));
    const BodyId a = sim.find_body("a"), b = sim.find_body("b");
    EXPECT_FALSE(sim.pair_restitution(a, b));
    sim.set_pair_restitution(b, a, e);
    EXPECT_EQ(sim.pair_restitution(a, b), e);
    const std::vector<std::byte> snapshot = sim.snapshot();
    run(sim, 100);
    EXPECT_NEAR(speed(sim, "b") - speed(sim, "a"), e, 0.03) << e;  // penalty: its damping holds e to about this
    EXPECT_NEAR(speed(sim, "b") + speed(sim, "a"), 1, 1e-9) << e;
    Simulation restored(head_on(GetParam()));
    restored.restore(snapshot);
    EXPECT_EQ(restored.pair_restitution(a, b), e);
    run(restored, 100);
    EXPECT_EQ(restored.state_hash(), sim.state_hash());
  }
}

INSTANTIATE_TEST_SUITE_P(Models, PairsOf,
                         ::testing::Values("impulse", "ncp", "lcp", "convex", "lagrange", "penalty", "mirtich", "hahn",
                                           "guendelman"),
                         [](const auto& p) { return std::string(p.param); });

TEST(Pairs, AnotherPairKeepsItsMaterials) {
  SceneDescription s = head_on("impulse");
  s.bodies.push_back(body("c", sphere(0.1), {0, 2, 0}));
  s.bodies.push_back(body("d", sphere(0.1), {0.5, 2, 0}));
  s.bodies[2].mass = s.bodies[3].mass = 1;
  s.bodies[2].velocity = {1, 0, 0};
  Simulation sim(s);
  const BodyId a = sim.find_body("a"), b = sim.find_body("b");
  sim.set_pair_restitution(a, b, 1.0);
  run(sim, 100);
  EXPECT_NEAR(speed(sim, "b"), 1, 1e-9);
  EXPECT_NEAR(speed(sim, "d"), 0.5, 1e-6);
  sim.set_pair_restitution(a, b, std::nullopt);
  EXPECT_FALSE(sim.pair_restitution(a, b));
  sim.set_pair_restitution(a, b, 0.5);
  sim.remove_body(b);  // a body in its slot later is another one
  const BodyId later = sim.add_body(s.bodies[1]);
  EXPECT_EQ(later.index, b.index);
  EXPECT_FALSE(sim.pair_restitution(a, later));
}

// A joint keeps its bodies apart as long as it is there; what is told meanwhile holds when it goes.
TEST(Pairs, JointsAndUsersKeepBodiesApartIndependently) {
  const auto joined = [](Simulation& sim) {
    JointDescription j;
    j.kind = JointKind::kDistance, j.name = "rod";
    j.body_a = "a", j.body_b = "b";
    sim.add_joint(j);
  };
  for (const bool told_before : {false, true})
    for (const int told_meanwhile : {-1, 0, 1}) {  // nothing, off, on
      Simulation sim(head_on("impulse"));
      const BodyId a = sim.find_body("a"), b = sim.find_body("b");
      if (told_before) sim.set_pair_collision(a, b, false);
      joined(sim);
      if (told_meanwhile >= 0) sim.set_pair_collision(a, b, told_meanwhile == 1);
      EXPECT_FALSE(sim.pair_collides(a, b));
      sim.remove_joint(sim.find_joint("rod"));
      const bool expected = told_meanwhile < 0 ? !told_before : told_meanwhile == 1;
      EXPECT_EQ(sim.pair_collides(a, b), expected) << told_before << told_meanwhile;
    }
}

TEST(Pairs, GroupsCount) {
  SceneDescription s = head_on("impulse");
  s.bodies[0].groups = {"ghosts"};
  s.bodies[1].ignores = {"ghosts"};
  const Simulation sim(s);
  EXPECT_FALSE(sim.pair_collides(sim.find_body("a"), sim.find_body("b")));
}

TEST(Pairs, BadOnesAreRefused) {
  Simulation sim(head_on("impulse"));
  const BodyId a = sim.find_body("a"), b = sim.find_body("b");
  EXPECT_THROW(sim.set_pair_restitution(a, b, -0.1), Error);
  EXPECT_THROW(sim.set_pair_restitution(a, b, 1.1), Error);
  EXPECT_THROW(sim.set_pair_restitution(a, b, std::nan("")), Error);
  EXPECT_THROW(sim.set_pair_restitution(a, a, 0.5), Error);
  EXPECT_THROW(sim.set_pair_collision(a, a, true), Error);
  EXPECT_THROW(sim.set_pair_collision(a, {99, 0}, true), Error);
  EXPECT_THROW(sim.set_tag(a, "", true), Error);
  for (int i = 0; i < 64; ++i) sim.set_tag(a, "tag" + std::to_string(i), true);
  EXPECT_THROW(sim.set_tag(a, "one more", true), Error);
  sim.set_tag(a, "never given", false);  // nothing to take
}

TEST(Tags, ComeWithTheBodyAndChange) {
  SceneDescription s = head_on("impulse");
  s.bodies[0].tags = {"red", "round"};
  Simulation sim(s);
  const BodyId a = sim.find_body("a"), b = sim.find_body("b");
  EXPECT_TRUE(sim.has_tag(a, "red"));
  EXPECT_FALSE(sim.has_tag(b, "red"));
  EXPECT_FALSE(sim.has_tag(b, "unheard of"));
  sim.set_tag(b, "blue", true);
  sim.set_tag(a, "red", false);
  const std::vector<std::byte> snapshot = sim.snapshot();
  sim.set_tag(b, "blue", false);
  sim.restore(snapshot);
  EXPECT_EQ(sim.tags(a), std::vector<std::string>{"round"});
  EXPECT_EQ(sim.tags(b), std::vector<std::string>{"blue"});
  sim.replace_body(a, s.bodies[0]);
  EXPECT_EQ(sim.tags(a), (std::vector<std::string>{"red", "round"}));
  sim.remove_body(b);
  EXPECT_TRUE(sim.tags(sim.add_body(s.bodies[1])).empty());
}

}  // namespace
}  // namespace touchstone::testing

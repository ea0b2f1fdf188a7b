// A state taken over by a world with another step or other surfaces.
#include <gtest/gtest.h>

#include "touchstone/simulation.h"

namespace touchstone {
namespace {

SceneDescription ball_on_floor(int dimension) {
  SceneDescription scene;
  scene.dimension = dimension;
  const int up = dimension - 1;
  scene.gravity.setZero();
  scene.gravity[up] = -9.81;
  scene.materials = {{"default", 0.5, 0.4, 0.0, 1000}};
  BodyDescription floor, ball;
  floor.name = "floor";
  floor.kind = BodyKind::kStatic;
  ShapeDescription ground, sphere;
  ground.kind = ShapeKind::kHalfSpace;
  ground.normal[up] = 1;
  floor.shapes = {ground};
  ball.name = "ball";
  ball.placement.position[up] = 0.12;
  ball.velocity[0] = 1;
  sphere.kind = ShapeKind::kSphere;
  sphere.radius = 0.1;
  ball.shapes = {sphere};
  scene.bodies = {floor, ball};
  return scene;
}

class Adopt : public ::testing::TestWithParam<int> {};

TEST_P(Adopt, WithoutAChangeItIsARestore) {
  const SceneDescription scene = ball_on_floor(GetParam());
  Simulation a(scene), b(scene);
  for (int i = 0; i < 100; ++i) a.step();
  b.adopt(a.snapshot());
  for (int i = 0; i < 100; ++i) {
    ASSERT_EQ(a.state_hash(), b.state_hash()) << i;
    a.step(), b.step();
  }
}

TEST_P(Adopt, TimeGoesOnInOtherSteps) {
  SceneDescription scene = ball_on_floor(GetParam());
  Simulation a(scene);
  for (int i = 0; i < 100; ++i) a.step();
  scene.step = 0.0025;
  Simulation b(scene);
  b.adopt(a.snapshot());
  EXPECT_EQ(b.state_hash(), a.state_hash());
  EXPECT_EQ(b.step_count(), 100u);
  EXPECT_DOUBLE_EQ(b.time(), 0.1);
  b.step();
  EXPECT_EQ(b.step_count(), 101u);
  EXPECT_DOUBLE_EQ(b.time(), 0.1025);
  // Its own snapshots are of its own rules, time included.
  Simulation c(scene);
  c.restore(b.snapshot());
  EXPECT_EQ(c.time(), b.time());
  b.step(), c.step();
  EXPECT_EQ(c.state_hash(), b.state_hash());
  EXPECT_EQ(c.time(), b.time());
  EXPECT_THROW(Simulation(ball_on_floor(GetParam())).restore(b.snapshot()), Error);
}

TEST_P(Adopt, RefusesAnotherWorldAndStaysAsItWas) {
  const SceneDescription scene = ball_on_floor(GetParam());
  Simulation a(scene);
  a.step();
  SceneDescription gravity = scene, density = scene, model = scene, surfaces = scene;
  gravity.gravity *= 2;
  density.materials[0].density = 500;
  model.model.name = "penalty";
  surfaces.materials[0].restitution = 0.9;
  for (const SceneDescription* other : {&gravity, &density, &model}) {
    Simulation b(*other);
    const std::uint64_t before = b.state_hash();
    EXPECT_THROW(b.adopt(a.snapshot()), Error);
    EXPECT_EQ(b.state_hash(), before);
    EXPECT_EQ(b.step_count(), 0u);
  }
  Simulation bouncy(surfaces);
  EXPECT_THROW(bouncy.restore(a.snapshot()), Error);
  bouncy.adopt(a.snapshot());
  // Both fall until they meet the floor; one of them comes back.
  double top = 0;
  const int up = GetParam() - 1;
  for (int i = 0; i < 200; ++i) {
    a.step(), bouncy.step();
    const double height = bouncy.state(bouncy.find_body("ball")).center_of_mass[up];
    if (i > 100) top = std::max(top, height);
    EXPECT_LT(a.state(a.find_body("ball")).center_of_mass[up], 0.1201);
  }
  EXPECT_GT(top, 0.11);
}

INSTANTIATE_TEST_SUITE_P(Dimensions, Adopt, ::testing::Values(2, 3));

}  // namespace
}  // namespace touchstone

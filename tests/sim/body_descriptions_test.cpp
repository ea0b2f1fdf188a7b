// Descriptions come back as they were given, whoever shares what with whom.
#include "sim/body_descriptions.h"

#include <gtest/gtest.h>

#include "physics/scene_builders.h"

namespace touchstone::testing {
namespace {

BodyDescription some_body(int kind, double place) {
  BodyDescription d = body("", box(1 + kind, 1, 1), Eigen::Vector3d(place, 0, 0));
  d.velocity = {0, place, 0};
  d.angular_velocity = {0, 0, -place};
  d.groups = {"group" + std::to_string(kind)};
  return d;
}

TEST(BodyDescriptions, ComeBackAsTheyWereGiven) {
  for (const int kinds : {1, 3, 40}) {  // the last are more than are remembered
    BodyDescriptions all;
    all.resize(100);
    for (int i = 0; i < 100; ++i) all.set(static_cast<std::size_t>(i), some_body(i % kinds, i));
    all.set(7, some_body(50, -7));
    all.clear(8);
    for (int i = 0; i < 100; ++i) {
      const BodyDescription d = all[static_cast<std::size_t>(i)];
      if (i == 8)
        EXPECT_EQ(d, BodyDescription{});
      else
        EXPECT_EQ(d, i == 7 ? some_body(50, -7) : some_body(i % kinds, i)) << kinds << " kinds, body " << i;
      EXPECT_FALSE(all.has_motion(static_cast<std::size_t>(i)));
    }
  }
}

TEST(BodyDescriptions, OfAWorldHaveTheirNames) {
  SceneDescription scene = empty_scene(3, 0.01);
  scene.bodies = {some_body(0, 0), some_body(0, 5), some_body(0, 9)};
  scene.bodies[1].name = "second";
  Simulation sim(scene);
  const std::vector<BodyId> ids = sim.bodies();
  BodyDescription expected = some_body(0, 5);
  expected.name = "second";
  EXPECT_EQ(sim.description(ids[1]), expected);
  EXPECT_EQ(sim.description(ids[0]).name, "body_1");
  EXPECT_EQ(sim.description(ids[2]).placement.position.x(), 9);
}

}  // namespace
}  // namespace touchstone::testing

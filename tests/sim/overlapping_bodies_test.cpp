// Which bodies are in each other before the first step.
#include <gtest/gtest.h>

#include "touchstone/scene_file.h"
#include "touchstone/simulation.h"

namespace touchstone {
namespace {

SceneDescription boxes(const std::string& more) {
  return parse_scene(R"(touchstone = 1
dimension = 3
[[body]]
name = "floor"
kind = "static"
shape = { kind = "half_space" }
[[body]]
name = "a"
position = [0, 0, 0.5]
shape = { kind = "box", size = [1, 1, 1] }
)" + more,
                     "boxes.toml");
}

std::string box(const std::string& name, double x, const std::string& more = "") {
  return "[[body]]\nname = '" + name + "'\nposition = [" + std::to_string(x) +
         ", 0, 0.5]\nshape = { kind = 'box', size = [1, 1, 1] }\n" + more;
}

TEST(OverlappingBodies, BodiesThatOnlyTouchDoNotOverlap) {
  EXPECT_TRUE(Simulation(boxes(box("b", 1.0))).overlapping_bodies().empty());
  EXPECT_TRUE(Simulation(boxes(box("b", 1.0 - 1e-7))).overlapping_bodies().empty());
}

TEST(OverlappingBodies, TheDeepestComeFirstWithTheirDepth) {
  const Simulation sim(boxes(box("b", 0.9) + box("c", -0.2)));
  const std::vector<BodyOverlap> found = sim.overlapping_bodies();
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(sim.body_name(found[0].body_a), "a");
  EXPECT_EQ(sim.body_name(found[0].body_b), "c");
  EXPECT_NEAR(found[0].depth, 0.8, 1e-9);
  EXPECT_EQ(sim.body_name(found[1].body_b), "b");
  EXPECT_NEAR(found[1].depth, 0.1, 1e-9);
}

TEST(OverlappingBodies, APairOfSeveralShapesIsOnePair) {
  const Simulation sim(
      boxes("[[body]]\nname = 'two'\nposition = [0.9, 0, 0.5]\nshapes = [{ kind = 'box', size = [1, 1, 1] }, "
            "{ kind = 'box', size = [1, 1, 1], position = [-0.05, 0, 0] }]\n"));
  const std::vector<BodyOverlap> found = sim.overlapping_bodies();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(found[0].depth, 0.15, 1e-9);
}

TEST(OverlappingBodies, BodiesThatNeverCollideDoNotCount) {
  const std::string joint =
      "[[joint]]\nkind = 'hinge'\nbody_a = 'a'\nbody_b = 'b'\npoint = [0.5, 0, 0.5]\naxis = [0, 1, 0]\n";
  EXPECT_TRUE(Simulation(boxes(box("b", 0.9) + joint)).overlapping_bodies().empty());
  const std::string apart = "groups = ['g']\nignores = ['g']\n";
  const Simulation sim(boxes(box("b", 3.0, apart) + box("c", 3.5, apart)));
  EXPECT_TRUE(sim.overlapping_bodies().empty());
}

TEST(OverlappingBodies, MeasuringThemChangesNothing) {
  Simulation a(boxes(box("b", 0.9))), b(boxes(box("b", 0.9)));
  a.overlapping_bodies();
  for (int i = 0; i < 20; ++i) a.step(), b.step();
  EXPECT_EQ(a.state_hash(), b.state_hash());
}

}  // namespace
}  // namespace touchstone

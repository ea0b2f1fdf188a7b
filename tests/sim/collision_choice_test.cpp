// What a scene says about finding contacts: any choice gives the same motion, and bodies at rest keep their contacts.
#include <gtest/gtest.h>

#include <cmath>

#include "geometry/mesh_builders.h"
#include "physics/scene_builders.h"
#include "touchstone/scene_file.h"
#include "touchstone/simulation.h"

namespace touchstone {
namespace {

using namespace touchstone::testing;

// Two boxes and a hull on top of each other, and a ball that rolls into them.
SceneDescription heap(int dimension) {
  SceneDescription scene = empty_scene(dimension);
  const bool plane = dimension == 2;
  const auto at = [&](double x, double up) { return plane ? Eigen::Vector3d(x, up, 0) : Eigen::Vector3d(x, 0, up); };
  BodyDescription ground = body("ground", plane ? half_space({0, 1, 0}) : half_space({0, 0, 1}));
  ground.kind = BodyKind::kStatic;
  ShapeDescription hull;
  hull.kind = ShapeKind::kConvex;
  if (plane)
    hull.vertices = {{-0.3, -0.2, 0}, {0.3, -0.2, 0}, {0.2, 0.2, 0}, {-0.2, 0.2, 0}};
  else
    for (const double x : {-0.3, 0.3})
      for (const double y : {-0.3, 0.3})
        hull.vertices.insert(hull.vertices.end(), {{x, y, -0.2}, {0.7 * x, 0.7 * y, 0.2}});
  const ShapeDescription block = plane ? box(0.6, 0.4) : box(0.6, 0.6, 0.4);
  scene.bodies = {ground, body("low", block, at(0, 0.2)), body("middle", block, at(0.02, 0.6)),
                  body("top", hull, at(0.01, 1.0)), body("ball", sphere(0.2), at(-1, 0.2))};
  scene.bodies.back().velocity = {1, 0, 0};
  scene.step = 1e-3;
  return scene;
}

Eigen::Vector3d place_after(SceneDescription scene, double duration, const char* name) {
  Simulation sim(scene);
  while (sim.time() < duration) sim.step();
  return sim.state(sim.find_body(name)).placement.position;
}

TEST(CollisionChoice, EveryBroadPhaseGivesTheSameBits) {
  for (const int dimension : {2, 3}) {
    SceneDescription scene = heap(dimension);
    std::vector<std::uint64_t> hashes;
    for (const BroadPhaseKind kind :
         {BroadPhaseKind::kBvh, BroadPhaseKind::kSweepAndPrune, BroadPhaseKind::kBruteForce}) {
      scene.collision.broad_phase = kind;
      Simulation sim(scene);
      for (int i = 0; i < 1000; ++i) sim.step();
      hashes.push_back(sim.state_hash());
    }
    EXPECT_EQ(hashes[0], hashes[1]);
    EXPECT_EQ(hashes[0], hashes[2]);
  }
}

TEST(CollisionChoice, EveryNarrowPhaseGivesTheSameMotion) {
  for (const int dimension : {2, 3}) {
    SceneDescription scene = heap(dimension);
    const Eigen::Vector3d top = place_after(scene, 1.5, "top"), ball = place_after(scene, 1.5, "ball");
    for (const NarrowPhaseKind kind : {NarrowPhaseKind::kGjk, NarrowPhaseKind::kSat, NarrowPhaseKind::kSeparatingPlane,
                                       NarrowPhaseKind::kFeatures}) {
      scene.collision.narrow_phase = kind;
      EXPECT_LT((place_after(scene, 1.5, "top") - top).norm(), 1e-5) << dimension << " " << static_cast<int>(kind);
      EXPECT_LT((place_after(scene, 1.5, "ball") - ball).norm(), 1e-5) << dimension << " " << static_cast<int>(kind);
    }
  }
}

TEST(CollisionChoice, IsReadFromTheScene) {
  const SceneDescription scene = parse_scene(
      "touchstone = 1\ndimension = 3\n[collision]\nbroad_phase = 'sweep_and_prune'\nnarrow_phase = 'features'\n", "s");
  EXPECT_EQ(scene.collision.broad_phase, BroadPhaseKind::kSweepAndPrune);
  EXPECT_EQ(scene.collision.narrow_phase, NarrowPhaseKind::kFeatures);
}

// At rest the same points come back in every step, under the same names: what a solver carries over is not lost.
TEST(CollisionAtRest, ContactsKeepTheirKeys) {
  for (const NarrowPhaseKind kind :
       {NarrowPhaseKind::kAuto, NarrowPhaseKind::kGjk, NarrowPhaseKind::kSat, NarrowPhaseKind::kFeatures}) {
    SceneDescription scene = heap(3);
    scene.bodies.pop_back();
    scene.bodies[2].placement.position.x() = 0;  // equal boxes, edge over edge: the worst case
    scene.collision.narrow_phase = kind;
    Simulation sim(scene);
    while (sim.time() < 2) sim.step();
    std::vector<std::uint64_t> keys;
    for (int i = 0; i < 1000; ++i) {
      sim.step();
      std::vector<std::uint64_t> now;
      for (std::size_t k = 0; k < sim.contact_count(); ++k) now.push_back(sim.contact(k).key);
      if (keys.empty()) keys = now;
      ASSERT_EQ(now, keys) << "step " << i << ", routine " << static_cast<int>(kind);
    }
    EXPECT_EQ(keys.size(), 12u);
  }
}

// A concave body as its triangles: an L that stands on its foot, and one that leans with its hollow over a step.
TEST(CollisionAtRest, AConcaveMeshRestsOnPlaneBoxAndMesh) {
  const std::vector<Eigen::Vector2d> outline{{0, 0}, {0.6, 0}, {0.6, 0.2}, {0.2, 0.2}, {0.2, 0.6}, {0, 0.6}};
  const ShapeDescription ell = prism(outline, {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}}, 0.3);
  for (const int ground_kind : {0, 1, 2}) {
    SceneDescription scene = empty_scene(3);
    scene.model.name = "penalty";  // it loads every point that is found, of which more than three are redundant
    BodyDescription ground = body("ground", ground_kind == 0   ? half_space({0, 0, 1})
                                            : ground_kind == 1 ? box(4, 4, 1)
                                                               : cube_mesh(4, 4, 1));
    ground.kind = BodyKind::kStatic;
    if (ground_kind > 0) ground.placement.position.z() = -0.5;
    BodyDescription l = body("l", ell, {0, 0, 0.001});
    scene.bodies = {ground, l};
    scene.step = 1e-3;
    Simulation sim(scene);
    while (sim.time() < 1.5) sim.step();
    const BodyState s = sim.state(sim.find_body("l"));
    EXPECT_NEAR(s.placement.position.z(), 0, 2e-3) << ground_kind;
    EXPECT_LT(s.velocity.norm(), 1e-4) << ground_kind;
    EXPECT_GT(s.placement.orientation.toRotationMatrix()(2, 2), 0.9999) << ground_kind;
    EXPECT_GE(sim.contact_count(), 5u) << ground_kind;  // the corners of its hull; its hollow corner may count too
  }
}

}  // namespace
}  // namespace touchstone

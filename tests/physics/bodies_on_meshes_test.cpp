// Bodies that land on, slide over and leave surfaces: each case was once a kick or a fall through the floor.
#include <gtest/gtest.h>

#include <cmath>

#include "geometry/mesh_builders.h"
#include "physics/scene_builders.h"
#include "touchstone/simulation.h"

namespace touchstone {
namespace {

using namespace touchstone::testing;

ShapeDescription sheet(bool two_sided) {
  ShapeDescription s = mesh({{-1, -1, 0}, {1, -1, 0}, {-1, 1, 0}, {1, 1, 0}}, {{0, 1, 3}, {0, 3, 2}});
  s.two_sided = two_sided;
  return s;
}

BodyDescription fixed(const ShapeDescription& shape, const Eigen::Vector3d& at = {0, 0, 0}) {
  BodyDescription b = body("ground", shape, at);
  b.kind = BodyKind::kStatic;
  return b;
}

BodyState after(const SceneDescription& scene, double duration, double* deepest = nullptr) {
  Simulation sim(scene);
  while (sim.time() < duration) {
    const StepReport& report = sim.step();
    if (deepest) *deepest = std::max(*deepest, report.max_penetration);
  }
  return sim.state(sim.find_body("b"));
}

// A closed mesh has no thickness at its skin: flat on a flat surface, the two pass each other in one step.
TEST(BodiesOnMeshes, AMeshDroppedFlatOnASurfaceStays) {
  ShapeDescription field;
  field.kind = ShapeKind::kHeightField;
  field.grid = {3, 3}, field.spacing = 0.5, field.heights.assign(9, 0.0), field.two_sided = true;
  for (const double height : {0.0001, 0.1, 0.3})
    for (const ShapeDescription& ground : {sheet(false), sheet(true), cube_mesh(2, 2, 0.2), field}) {
      SceneDescription scene = empty_scene(3);
      const double top = ground.vertices.size() == 8 ? -0.1 : 0.0;
      scene.bodies = {fixed(ground, {0, 0, top}), body("b", cube_mesh(0.3, 0.3, 0.3), {0.2, 0.1, 0.15 + height})};
      const BodyState s = after(scene, 1.0);
      EXPECT_NEAR(s.placement.position.z(), 0.15, 5e-4) << height << " " << static_cast<int>(ground.kind);
      EXPECT_LT(s.velocity.norm(), 1e-3) << height;
    }
}

// The box is flush with the side of the table for a moment, and partly below its top: not behind its side.
TEST(BodiesOnMeshes, ABoxSlidesOverTheEdgeOfAMeshAsOverTheEdgeOfABox) {
  std::vector<BodyState> ends;
  for (const ShapeDescription& table : {box(1, 1, 0.2), cube_mesh(1, 1, 0.2)}) {
    SceneDescription scene = empty_scene(3);
    scene.materials = {material(0.2)};
    BodyDescription sliding = body("b", box(0.3, 0.3, 0.2), {0.2, 0.1, 0.1});
    sliding.velocity = {2, 0, 0};
    scene.bodies = {fixed(table, {0, 0, -0.1}), sliding};
    double deepest = 0;
    ends.push_back(after(scene, 0.4, &deepest));
    EXPECT_LT(deepest, 2e-3);
  }
  EXPECT_LT((ends[0].velocity - ends[1].velocity).norm(), 0.05);
}

// Its corners pass over some sixty seams; where one is nearly on a diagonal the way out sideways is shorter than up.
TEST(BodiesOnMeshes, APyramidSlidesOnTrianglesAsOnAPlane) {
  std::vector<Eigen::Vector3d> v;
  Triangles t;
  constexpr int n = 13;
  for (int j = 0; j <= n; ++j)
    for (int i = 0; i <= n; ++i) v.emplace_back(-2 + 4.0 * i / n, -2 + 4.0 * j / n, 0);
  const auto at = [](int i, int j) { return static_cast<std::uint32_t>(j * (n + 1) + i); };
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      t.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      t.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  ShapeDescription pyramid;
  pyramid.kind = ShapeKind::kConvex;
  pyramid.vertices = {{0.15, 0.15, -0.1}, {-0.15, 0.15, -0.1}, {0.15, -0.15, -0.1}, {-0.15, -0.15, -0.1}, {0, 0, 0.3}};
  std::vector<BodyState> ends;
  for (const ShapeDescription& ground : {half_space({0, 0, 1}), mesh(v, t)}) {
    SceneDescription scene = empty_scene(3);
    scene.materials = {material(0.1)};
    BodyDescription sliding = body("b", pyramid, {-0.7, -0.53, 0.1});
    sliding.velocity = {1, 0.7, 0};
    scene.bodies = {fixed(ground), sliding};
    double deepest = 0;
    ends.push_back(after(scene, 1.5, &deepest));
    EXPECT_LT(deepest, 5e-4);
  }
  EXPECT_LT((ends[0].placement.position - ends[1].placement.position).norm(), 1e-3);
  EXPECT_LT(ends[1].velocity.norm(), 1e-4);
}

}  // namespace
}  // namespace touchstone

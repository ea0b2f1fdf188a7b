// Surfaces in a world: mass, snapshots, and what is refused.
#include <gtest/gtest.h>

#include "geometry/mesh_builders.h"
#include "touchstone/simulation.h"

namespace touchstone {
namespace {

SceneDescription scene_of(int dimension, std::vector<ShapeDescription> shapes, BodyKind kind) {
  SceneDescription scene;
  scene.dimension = dimension;
  scene.gravity = Eigen::Vector3d::Zero();
  scene.model.name = "free";
  for (ShapeDescription& s : shapes) {
    BodyDescription b;
    b.kind = kind;
    b.shapes = {std::move(s)};
    b.groups = b.ignores = {"all"};
    scene.bodies.push_back(b);
  }
  return scene;
}

TEST(Surfaces, SurviveASnapshot) {
  ShapeDescription mesh = cube_mesh(1, 2, 3), field = height_field(3, 2, 0.5, {1, 2, 3, 4, 5, 6});
  mesh.source = "cube.obj", mesh.two_sided = true;
  ShapeDescription letter = chain(letter_l(), true);
  for (const SceneDescription& scene :
       {scene_of(3, {mesh, field}, BodyKind::kStatic), scene_of(2, {letter}, BodyKind::kDynamic)}) {
    Simulation simulation(scene), other(scene);
    simulation.step();
    other.restore(simulation.snapshot());
    EXPECT_EQ(other.snapshot(), simulation.snapshot());
    for (const BodyId id : other.bodies()) {
      const ShapeDescription& a = scene.bodies[id.index].shapes[0];
      const ShapeDescription b = other.description(id).shapes[0];
      EXPECT_EQ(a.kind, b.kind);
      EXPECT_EQ(a.vertices, b.vertices);
      EXPECT_EQ(a.triangles, b.triangles);
      EXPECT_EQ(a.closed, b.closed);
      EXPECT_EQ(a.two_sided, b.two_sided);
      EXPECT_EQ(a.grid, b.grid);
      EXPECT_EQ(a.spacing, b.spacing);
      EXPECT_EQ(a.heights, b.heights);
      EXPECT_EQ(a.source, b.source);
    }
  }
}

TEST(Surfaces, AnOpenOneNeedsAGivenMassAndInertia) {
  ShapeDescription open = cube_mesh(1, 1, 1);
  open.triangles.pop_back();
  SceneDescription scene = scene_of(3, {open}, BodyKind::kDynamic);
  EXPECT_THROW(Simulation{scene}, Error);
  scene.bodies[0].mass = 2;
  EXPECT_THROW(Simulation{scene}, Error);
  scene.bodies[0].inertia = Eigen::Matrix3d::Identity();
  EXPECT_NO_THROW(Simulation{scene});
  scene.bodies[0].kind = BodyKind::kStatic;
  EXPECT_NO_THROW(Simulation{scene});
}

}  // namespace
}  // namespace touchstone

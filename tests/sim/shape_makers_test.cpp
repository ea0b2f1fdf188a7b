// Shapes by their short makers.
#include <gtest/gtest.h>

#include <numbers>

#include "touchstone/simulation.h"

namespace touchstone {
namespace {

using Eigen::Vector3d;

// Mass of a body of density 1 made of one shape: the shape's area or volume.
double size_of(int dimension, const ShapeDescription& shape) {
  SceneDescription scene;
  scene.dimension = dimension;
  scene.gravity.setZero();
  BodyDescription b;
  b.name = "b";
  b.density = 1;
  b.shapes = {shape};
  scene.bodies = {b};
  Simulation sim(scene);
  return sim.mass(sim.find_body("b"));
}

TEST(ShapeMakers, MakeTheShapesThatTheyName) {
  constexpr double kPi = std::numbers::pi;
  EXPECT_NEAR(size_of(2, ShapeDescription::sphere(2)), 4 * kPi, 1e-12);
  EXPECT_NEAR(size_of(3, ShapeDescription::sphere(2)), 32 * kPi / 3, 1e-12);
  EXPECT_NEAR(size_of(2, ShapeDescription::box(2, 3)), 6, 1e-12);
  EXPECT_NEAR(size_of(3, ShapeDescription::box(2, 3, 4)), 24, 1e-12);
  EXPECT_NEAR(size_of(2, ShapeDescription::capsule(1, 3)), kPi + 6, 1e-12);
  EXPECT_NEAR(size_of(3, ShapeDescription::capsule(1, 3)), 4 * kPi / 3 + 3 * kPi, 1e-12);
  EXPECT_NEAR(size_of(3, ShapeDescription::cylinder(2, 3)), 12 * kPi, 1e-12);
  EXPECT_NEAR(size_of(2, ShapeDescription::ellipsoid(1, 2)), 2 * kPi, 1e-12);
  EXPECT_NEAR(size_of(3, ShapeDescription::ellipsoid(1, 2, 3)), 8 * kPi, 1e-12);
  EXPECT_NEAR(size_of(2, ShapeDescription::convex({{0, 0, 0}, {2, 0, 0}, {0, 3, 0}})), 3, 1e-12);
  EXPECT_NEAR(size_of(2, ShapeDescription::chain({{0, 0, 0}, {2, 0, 0}, {0, 3, 0}}, true)), 3, 1e-12);
  const std::vector<Vector3d> corners{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  EXPECT_NEAR(size_of(3, ShapeDescription::mesh(corners, {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}})), 1.0 / 6,
              1e-12);
}

TEST(ShapeMakers, SurfacesAndPlaces) {
  const ShapeDescription ground = ShapeDescription::half_space({0, 0, 1});
  EXPECT_EQ(ground.kind, ShapeKind::kHalfSpace);
  EXPECT_EQ(ground.normal, Vector3d(0, 0, 1));
  const ShapeDescription hills = ShapeDescription::height_field({2, 3}, 0.5, {0, 1, 2, 3, 4, 5});
  EXPECT_EQ(hills.kind, ShapeKind::kHeightField);
  EXPECT_EQ(hills.grid[1], 3u);
  EXPECT_EQ(hills.heights.size(), 6u);
  const ShapeDescription placed = ShapeDescription::sphere(1).at({1, 2, 0}, 0.5).of("ice");
  EXPECT_EQ(placed.placement.position, Vector3d(1, 2, 0));
  EXPECT_EQ(placed.placement.angle, 0.5);
  EXPECT_EQ(placed.material, "ice");
  const Eigen::Quaterniond turn(Eigen::AngleAxisd(1, Vector3d::UnitX()));
  EXPECT_TRUE(ShapeDescription::sphere(1).at(Vector3d::Zero(), turn).placement.orientation.isApprox(turn));
}

}  // namespace
}  // namespace touchstone

// What is drawn of meshes, chains and height fields.
#include <gtest/gtest.h>

#include "geometry/mesh_builders.h"
#include "io/picture/solids.h"
#include "io/shape_mesh.h"

namespace touchstone {
namespace {

double volume_of(const Mesh& mesh) {
  double six = 0;
  for (const MeshFace& face : mesh.faces)
    for (std::size_t i = 1; i + 1 < face.corners.size(); ++i)
      six +=
          mesh.vertices[face.corners[0]].dot(mesh.vertices[face.corners[i]].cross(mesh.vertices[face.corners[i + 1]]));
  return six / 6;
}

TEST(SurfaceDrawing, MeshesAndHeightFieldsHaveTheirTriangles) {
  EXPECT_NEAR(volume_of(shape_mesh(prism(letter_l(), letter_l_triangles(), 0.5), 8)), 1.5, 1e-12);
  ShapeDescription inverted = cube_mesh(1, 2, 3);
  for (auto& t : inverted.triangles) std::swap(t[1], t[2]);
  EXPECT_NEAR(volume_of(shape_mesh(inverted, 8)), 6, 1e-12) << "as it was put right";
  const Mesh field = shape_mesh(height_field(3, 2, 0.5, {0, 0, 0, 1, 1, 1}), 8);
  EXPECT_EQ(field.faces.size(), 4u);
  for (const auto& n : field.normals) EXPECT_GT(n.z(), 0);
  EXPECT_NEAR(drawn_size(height_field(3, 2, 0.5, {0, 0, 0, 1, 1, -2})), 0.25 * std::sqrt(5.0) + 2, 1e-12);
}

TEST(SurfaceDrawing, ChainsAreLinesOrOutlines) {
  const ShapeDescription floor = chain({{0, 0}, {1, 0}, {2, 1}}), letter = chain(letter_l(), true);
  EXPECT_TRUE(is_open_line(floor));
  EXPECT_FALSE(is_open_line(letter));
  EXPECT_EQ(shape_outline(floor, 8).size(), 3u);
  const Mesh open = band(shape_outline(floor, 8), false, 1), closed = band(shape_outline(letter, 8), true, 1);
  EXPECT_EQ(open.faces.size(), 2u);
  EXPECT_EQ(closed.faces.size(), 6u);
  EXPECT_EQ(open.normals[0], Eigen::Vector3d::UnitY());
  const auto profile = shape_outline(height_field(3, 1, 0.5, {1, 2, 3}), 8);
  ASSERT_EQ(profile.size(), 3u);
  EXPECT_EQ(profile[0], Eigen::Vector2d(-0.5, 1));
}

TEST(SurfaceDrawing, KeysTellSurfacesApart) {
  const ShapeDescription a = height_field(2, 2, 1, {0, 0, 0, 0});
  ShapeDescription b = a, c = cube_mesh(1, 1, 1), d = c;
  b.heights[2] = 1;
  std::swap(d.triangles[0], d.triangles[1]);
  EXPECT_NE(shape_key(a), shape_key(b));
  EXPECT_NE(shape_key(c), shape_key(d));
  EXPECT_EQ(shape_key(c), shape_key(cube_mesh(1, 1, 1)));
}

TEST(SurfaceDrawing, ASurfaceIsAsManySolidsAsItHasTriangles) {
  std::vector<BodyDescription> bodies(2);
  bodies[0].shapes = {cube_mesh(1, 2, 3)};
  bodies[1].shapes = {height_field(2, 2, 1, {0, 0, 0, 0})};
  const PictureScene scene = make_picture_scene(bodies, {0, 0, 0, 1, 0, 0, 0, 5, 0, 0, 1, 0, 0, 0});
  ASSERT_EQ(scene.solids.size(), 14u);
  for (std::size_t i = 0; i < 14; ++i) {
    const Solid& s = scene.solids[i];
    EXPECT_TRUE(s.facet);
    EXPECT_EQ(s.has_back, i >= 12) << "a closed surface hides its back";
    EXPECT_EQ(std::count(s.edges.begin(), s.edges.end(), true), 2) << "a diagonal is no edge";
  }
}

}  // namespace
}  // namespace touchstone

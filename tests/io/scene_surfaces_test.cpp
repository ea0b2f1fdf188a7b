// Meshes, chains and height fields in scene files.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "geometry/mesh_builders.h"
#include "io/mesh_samples.h"
#include "io/scene/reader.h"
#include "touchstone/error.h"
#include "touchstone/scene_file.h"

namespace touchstone {
namespace {

namespace fs = std::filesystem;

std::string scene_text(int dimension, const std::string& shape, const std::string& kind = "static") {
  return "touchstone = 1\ndimension = " + std::to_string(dimension) + "\n[[body]]\nname = 'b'\nkind = '" + kind +
         "'\nshape = { " + shape + " }\n";
}
ShapeDescription shape_of(int dimension, const std::string& shape) {
  return parse_scene(scene_text(dimension, shape), "s.toml").bodies.at(0).shapes.at(0);
}
std::string error_of(int dimension, const std::string& shape, const std::string& kind = "static",
                     const std::string& path = "s.toml") {
  try {
    parse_scene(scene_text(dimension, shape, kind), path);
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}
void expect_error(int dimension, const std::string& shape, const std::string& place, const std::string& what,
                  const std::string& kind = "static") {
  const std::string message = error_of(dimension, shape, kind);
  EXPECT_NE(message.find(place), std::string::npos) << message;
  EXPECT_NE(message.find(what), std::string::npos) << message;
}

const std::string kTetrahedron =
    "vertices = [[0,0,0],[1,0,0],[0,1,0],[0,0,1]], triangles = [[0,2,1],[0,1,3],[0,3,2],[1,2,3]]";

TEST(SceneSurfaces, AreReadFromTheirKeys) {
  const ShapeDescription mesh = shape_of(3, "kind = 'mesh', scale = 2, two_sided = true, " + kTetrahedron);
  EXPECT_EQ(mesh.kind, ShapeKind::kMesh);
  EXPECT_EQ(mesh.vertices.at(3), Eigen::Vector3d(0, 0, 2));
  EXPECT_EQ(mesh.triangles.size(), 4u);
  EXPECT_TRUE(mesh.two_sided);
  EXPECT_EQ(shape_of(3, "kind = 'mesh', as = 'hull', " + kTetrahedron).kind, ShapeKind::kConvex);
  const ShapeDescription chain = shape_of(2, "kind = 'chain', vertices = [[0,0],[1,0],[1,1]], closed = true");
  EXPECT_EQ(chain.kind, ShapeKind::kMesh);
  EXPECT_TRUE(chain.closed);
  EXPECT_FALSE(chain.two_sided);
  EXPECT_TRUE(shape_of(2, "kind = 'segment', vertices = [[0,0],[1,0]]").two_sided);
  EXPECT_FALSE(shape_of(2, "kind = 'segment', two_sided = false, vertices = [[0,0],[1,0]]").two_sided);
  const ShapeDescription field = shape_of(3, "kind = 'height_field', spacing = 0.5, heights = [[1,2,3],[4,5,6]]");
  EXPECT_EQ(field.kind, ShapeKind::kHeightField);
  EXPECT_EQ(field.grid, (std::array<std::uint32_t, 2>{3, 2}));
  EXPECT_EQ(field.heights, (std::vector<double>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(field.spacing, 0.5);
  const ShapeDescription profile = shape_of(2, "kind = 'height_field', spacing = 0.5, heights = [1,2,3]");
  EXPECT_EQ(profile.grid, (std::array<std::uint32_t, 2>{3, 1}));
}

TEST(SceneSurfaces, ErrorsNameTheKeyAndTheRemedy) {
  expect_error(3, "kind = 'mesh'", "body.b.shape.file", "needs a file, or vertices and triangles");
  expect_error(3, "kind = 'mesh', file = 'a.obj', " + kTetrahedron, "body.b.shape.file", "use a file or them");
  expect_error(3, "kind = 'mesh', file = 'gone.obj'", "s.toml:6:", "gone.obj: there is no such file");
  expect_error(3, "kind = 'mesh', file = 'gone.fbx'", "body.b.shape.file", "must end in .obj");
  expect_error(3, "kind = 'mesh', file = 3", "body.b.shape.file", "must be a string");
  expect_error(3, "kind = 'mesh', vertices = [[0,0,0],[1,0,0],[0,1,0]]", "body.b.shape.triangles", "as = \"hull\"");
  expect_error(3, "kind = 'mesh', as = 'convex_parts', " + kTetrahedron, "body.b.shape.as", "objects of a file");
  expect_error(3, "kind = 'mesh', as = 'triangle', " + kTetrahedron, "body.b.shape.as", "did you mean");
  expect_error(3, "kind = 'mesh', scale = -1, " + kTetrahedron, "body.b.shape.scale", "above 0");
  expect_error(3, "kind = 'mesh', vertices = [[0,0,0],[1,0,0],[0,1,0]], triangles = [[0,1,3]]", "body.b.shape.vertices",
               "triangles[0] names vertex 3");
  expect_error(3, "kind = 'mesh', vertices = [[0,0,0]], triangles = [[0,1,-3]]", "shape.triangles[0]",
               "3 integers, each at least 0");
  expect_error(3, "kind = 'mesh', vertices = [[0,0,0]], triangles = [[0,1]]", "shape.triangles[0]", "3 integers");
  expect_error(3, "kind = 'mesh', vertices = [[0,0,0]], triangles = 3", "shape.triangles", "lists of 3 integers");
  expect_error(3, "kind = 'mesh', radius = 1, " + kTetrahedron, "shape.radius", "does not belong to a mesh");
  expect_error(2, "kind = 'mesh'", "shape.kind", "must be chain in 2D");
  expect_error(3, "kind = 'chain', vertices = [[0,0,0],[1,0,0]]", "shape.kind", "must be mesh in 3D");
  expect_error(2, "kind = 'segment', vertices = [[0,0],[1,0],[2,0]]", "shape.vertices", "use a chain");
  expect_error(2, "kind = 'chain', vertices = [[0,0]]", "shape.vertices", "at least two");
  expect_error(3, "kind = 'height_field', spacing = 1, heights = [[1,2],[3]]", "shape.heights[1]", "first row has 2");
  expect_error(3, "kind = 'height_field', spacing = 1, heights = [1,2]", "shape.heights[0]", "must be a row");
  expect_error(3, "kind = 'height_field', spacing = 1, heights = [[1,nan]]", "shape.heights[0][1]", "finite");
  expect_error(3, "kind = 'height_field', spacing = 1, heights = []", "shape.heights", "at least 2 heights along x");
  expect_error(3, "kind = 'height_field', spacing = 1, heights = [[1,2]]", "shape.heights",
               "at least 2 heights along y");
  expect_error(2, "kind = 'height_field', spacing = 1, heights = [[1,2],[3,4]]", "shape.heights[0]", "number");
  expect_error(3, "kind = 'height_field', spacing = 0, heights = [[1,2],[3,4]]", "shape.spacing", "above 0");
}

TEST(SceneSurfaces, ADynamicBodyNeedsAMass) {
  EXPECT_EQ(error_of(3, "kind = 'mesh', " + kTetrahedron, "dynamic"), "no error");
  const std::string open = "kind = 'mesh', vertices = [[0,0,0],[1,0,0],[0,1,0]], triangles = [[0,1,2]]";
  expect_error(3, open, "body.b", "is open at the edge from (0, 0, 0) to (1, 0, 0)", "dynamic");
  expect_error(3, "kind = 'height_field', spacing = 1, heights = [[1,2],[3,4]]", "body.b", "no mass", "dynamic");
  expect_error(2, "kind = 'chain', vertices = [[0,0],[1,0]]", "body.b", "closed = true", "dynamic");
  EXPECT_NO_THROW(parse_scene(scene_text(3, open, "dynamic") + "mass = 2\ninertia = [1, 1, 1]\n", "s.toml"));
  EXPECT_THROW(parse_scene(scene_text(3, open, "dynamic") + "mass = 2\n", "s.toml"), Error);
}

class SceneMeshFiles : public ::testing::Test {
 protected:
  SceneMeshFiles() : folder_(fs::temp_directory_path() / ("touchstone_surfaces_" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
    write("cube.obj", obj_text(cube_mesh(1, 2, 3), 0));
    write("two.obj", "o left\n" + obj_text(cube_mesh(1, 2, 3), 0) + "o right\n" + obj_text(cube_mesh(1, 1, 1), 8));
  }
  ~SceneMeshFiles() override { fs::remove_all(folder_); }
  void write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  LoadedScene load(const std::string& shape) {
    write("scene.toml", scene_text(3, shape, "dynamic"));
    return read_scene((folder_ / "scene.toml").string());
  }
  fs::path folder_;
};

TEST_F(SceneMeshFiles, AreSoughtBesideTheScene) {
  const LoadedScene loaded = load("kind = 'mesh', file = 'cube.obj', scale = 0.5");
  const ShapeDescription& s = loaded.scene.bodies.at(0).shapes.at(0);
  EXPECT_EQ(s.source, "cube.obj");
  EXPECT_EQ(s.triangles.size(), 12u);
  double highest = 0;
  for (const auto& v : s.vertices) highest = std::max(highest, v.z());
  EXPECT_EQ(highest, 0.75);
  EXPECT_TRUE(loaded.notes.empty());
}

TEST_F(SceneMeshFiles, MayBeHullsOrConvexParts) {
  const LoadedScene parts = load("kind = 'mesh', file = 'two.obj', as = 'convex_parts', position = [1, 0, 0]");
  ASSERT_EQ(parts.scene.bodies.at(0).shapes.size(), 2u);
  for (const ShapeDescription& s : parts.scene.bodies[0].shapes) {
    EXPECT_EQ(s.kind, ShapeKind::kConvex);
    EXPECT_EQ(s.placement.position.x(), 1);
  }
  const LoadedScene hull = load("kind = 'mesh', file = 'two.obj', as = 'hull'");
  ASSERT_EQ(hull.scene.bodies.at(0).shapes.size(), 1u);
  EXPECT_EQ(hull.scene.bodies[0].shapes[0].kind, ShapeKind::kConvex);
  write("flat.obj", "o flat\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 2 4 3\n");
  try {
    load("kind = 'mesh', file = 'flat.obj', as = 'convex_parts'");
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("object 'flat'"), std::string::npos) << e.what();
  }
}

TEST_F(SceneMeshFiles, AreKeptSoThatTheFileIsNotSoughtAgain) {
  const LoadedScene first = load("kind = 'mesh', file = 'cube.obj'");
  ASSERT_EQ(first.files.size(), 1u);
  fs::remove(folder_ / "cube.obj");
  EXPECT_THROW(parse_scene(first.text, (folder_ / "scene.toml").string()), Error);
  const SceneDescription again = parse_scene(first.text, (folder_ / "scene.toml").string(), {}, first.files);
  EXPECT_EQ(again.bodies.at(0).shapes.at(0).vertices, first.scene.bodies.at(0).shapes.at(0).vertices);
  EXPECT_EQ(again.bodies[0].shapes[0].triangles, first.scene.bodies[0].shapes[0].triangles);
}

TEST_F(SceneMeshFiles, NoteWhatWasPutRight) {
  ShapeDescription inverted = cube_mesh(1, 2, 3);
  for (auto& t : inverted.triangles) std::swap(t[1], t[2]);
  write("inverted.stl", stl_text(inverted));
  const LoadedScene loaded = load("kind = 'mesh', file = 'inverted.stl'");
  ASSERT_EQ(loaded.notes.size(), 1u);
  EXPECT_NE(loaded.notes[0].find("scene.toml:6: 'body.b.shape': the surface was inside-out"), std::string::npos)
      << loaded.notes[0];
}

}  // namespace
}  // namespace touchstone

// Pictures are read back as pixels; what they are made of (meshes, framing, order, colours) is tested by
// itself.
#include "io/picture/picture.h"

#include <cairo/cairo.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>
#include <random>
#include <set>
#include <sstream>

#include "io/picture/camera.h"
#include "io/picture/order.h"
#include "io/picture/palette.h"
#include "io/shape_mesh.h"

namespace touchstone {
namespace {

using Eigen::Vector3d;

std::string temporary(const std::string& name) {
  return (std::filesystem::temp_directory_path() / ("touchstone-picture-" + std::to_string(::getpid()) + name))
      .string();
}

struct Image {
  int width = 0, height = 0;
  std::vector<std::uint32_t> pixels;
  friend bool operator==(const Image&, const Image&) = default;
  std::size_t colors() const { return std::set<std::uint32_t>(pixels.begin(), pixels.end()).size(); }
};

Image read_png(const std::string& path) {
  const std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)> surface(
      cairo_image_surface_create_from_png(path.c_str()), &cairo_surface_destroy);
  EXPECT_EQ(cairo_surface_status(surface.get()), CAIRO_STATUS_SUCCESS);
  Image image{cairo_image_surface_get_width(surface.get()), cairo_image_surface_get_height(surface.get()), {}};
  image.pixels.resize(static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height));
  for (int row = 0; row < image.height; ++row)
    std::memcpy(image.pixels.data() + row * image.width,
                cairo_image_surface_get_data(surface.get()) + row * cairo_image_surface_get_stride(surface.get()),
                4 * static_cast<std::size_t>(image.width));
  return image;
}

// Pixels that differ clearly, by more than a rounded edge may.
std::size_t clear_differences(const Image& a, const Image& b) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < a.pixels.size(); ++i) {
    int difference = 0;
    for (const int shift : {0, 8, 16})
      difference +=
          std::abs(static_cast<int>(a.pixels[i] >> shift & 255) - static_cast<int>(b.pixels[i] >> shift & 255));
    count += difference > 60;
  }
  return count;
}

ShapeDescription sphere(double radius) {
  ShapeDescription shape;
  shape.radius = radius;
  return shape;
}
ShapeDescription box(const Vector3d& size) {
  ShapeDescription shape;
  shape.kind = ShapeKind::kBox;
  shape.size = size;
  return shape;
}
ShapeDescription half_space(const Vector3d& normal) {
  ShapeDescription shape;
  shape.kind = ShapeKind::kHalfSpace;
  shape.normal = normal;
  return shape;
}

struct Scene {
  int dimension = 3;
  std::vector<BodyDescription> bodies;
  std::vector<double> poses;

  void add(const std::string& name, const ShapeDescription& shape, const Vector3d& p,
           BodyKind kind = BodyKind::kDynamic, double angle = 0) {
    BodyDescription body;
    body.name = name, body.kind = kind, body.shapes = {shape};
    bodies.push_back(body);
    if (dimension == 2)
      poses.insert(poses.end(), {p.x(), p.y(), angle});
    else
      poses.insert(poses.end(), {p.x(), p.y(), p.z(), std::cos(angle / 2), 0, 0, std::sin(angle / 2)});
  }
  Image draw(PictureOptions options = {320, 200, ""}) const {
    const std::string path = temporary(".png");
    draw_picture(dimension, bodies, poses, options, path);
    const Image image = read_png(path);
    std::filesystem::remove(path);
    return image;
  }
};

Scene some_bodies(int dimension) {
  Scene scene{dimension, {}, {}};
  scene.add("ground", half_space(dimension == 2 ? Vector3d(0, 1, 0) : Vector3d(0, 0, 1)), {0, 0, 0}, BodyKind::kStatic);
  scene.add("ball", sphere(0.5), dimension == 2 ? Vector3d(0, 0.5, 0) : Vector3d(0, 0, 0.5));
  scene.add("brick", box({1, 1, dimension == 2 ? 0.0 : 1.0}),
            dimension == 2 ? Vector3d(2, 0.5, 0) : Vector3d(2, 0, 0.5));
  return scene;
}

TEST(Picture, HasItsSizeAndIsNotBlank) {
  for (const int dimension : {2, 3}) {
    const Image image = some_bodies(dimension).draw();
    EXPECT_EQ(image.width, 320);
    EXPECT_EQ(image.height, 200);
    EXPECT_GT(image.colors(), 200u) << dimension;
    Scene nothing{dimension, {}, {}};
    EXPECT_NE(image, nothing.draw()) << "the bodies are to be seen";
  }
}

TEST(Picture, ShowsWhatMovesAndTurns) {
  for (const int dimension : {2, 3}) {
    const Scene scene = some_bodies(dimension);
    const Image image = scene.draw();
    EXPECT_EQ(image, scene.draw()) << "the same scene gives the same pixels";
    Scene moved = scene;
    moved.poses[static_cast<std::size_t>(pose_width(dimension))] += 0.3;
    EXPECT_NE(image, moved.draw());
  }
  Scene disc{2, {}, {}};
  disc.add("disc", sphere(1), {0, 0, 0});
  Scene turned{2, {}, {}};
  turned.add("disc", sphere(1), {0, 0, 0}, BodyKind::kDynamic, std::acos(-1.0));
  // By half a turn the outline is the same: only the radius line tells.
  EXPECT_GT(clear_differences(disc.draw(), turned.draw()), 30u) << "a circle shows its rotation";
}

TEST(Picture, CaptionAndHalfSpaceAreDrawn) {
  const Scene scene = some_bodies(3);
  EXPECT_NE(scene.draw(), scene.draw({320, 200, "A caption"}));
  for (const int dimension : {2, 3}) {
    Scene floating = some_bodies(dimension);
    floating.bodies[0].shapes.clear();
    EXPECT_NE(floating.draw(), some_bodies(dimension).draw());
  }
}

TEST(Picture, BodiesWithoutAPoseAreLeftOut) {
  Scene scene = some_bodies(3);
  const Image image = scene.draw();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  scene.add("lost", sphere(0.5), {nan, 0, 1});
  scene.add("removed", sphere(0.5), {0, 0, 0});
  for (std::size_t i = 3; i < 7; ++i) scene.poses[7 * 4 + i] = 0;  // an empty slot has no rotation
  EXPECT_EQ(image, scene.draw());
}

TEST(Picture, SvgIsWrittenWithoutNan) {
  const Scene scene = some_bodies(3);
  const std::string path = temporary(".svg");
  draw_picture(3, scene.bodies, scene.poses, {}, path);
  std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  EXPECT_NE(text.str().find("<svg"), std::string::npos);
  EXPECT_NE(text.str().find("width=\"1280"), std::string::npos);
  EXPECT_NE(text.str().find("radialGradient"), std::string::npos) << "the ball";
  EXPECT_EQ(text.str().find("nan"), std::string::npos);
  std::filesystem::remove(path);
}

TEST(Picture, BadRequestsAreErrors) {
  const Scene scene = some_bodies(3);
  EXPECT_THROW(draw_picture(3, scene.bodies, scene.poses, {}, temporary(".bmp")), Error);
  EXPECT_THROW(draw_picture(3, scene.bodies, {}, {}, temporary(".png")), Error);
  EXPECT_THROW(draw_picture(3, scene.bodies, scene.poses, {0, 100, ""}, temporary(".png")), Error);
  try {
    draw_picture(3, scene.bodies, scene.poses, {}, "/no/such/folder/x.png");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kIo);
    EXPECT_NE(std::string(error.what()).find("/no/such/folder/x.png"), std::string::npos);
  }
}

TEST(Picture, TenThousandBodies) {
  Scene scene;
  std::mt19937 random(1);
  std::uniform_real_distribution<double> number(-3, 3);
  for (int i = 0; i < 10000; ++i)
    scene.add("b_" + std::to_string(i), i % 2 ? sphere(0.1) : box({0.2, 0.2, 0.2}),
              {number(random), number(random), number(random)});
  EXPECT_NE(scene.draw({1280, 800, ""}), Scene().draw({1280, 800, ""}));
}

// --- framing

TEST(PictureFraming, FitsWhatMovesAndIgnoresStrays) {
  Scene scene;
  scene.add("floor", box({500, 500, 1}), {0, 0, -0.5}, BodyKind::kStatic);
  for (int i = 0; i < 20; ++i) scene.add("b_" + std::to_string(i), sphere(0.2), {0.4 * i, 0, 0.2});
  scene.add("stray", sphere(0.2), {0, 9000, 0});
  const PictureScene picture = make_picture_scene(scene.bodies, scene.poses);
  const auto framed = framed_solids(picture);
  EXPECT_EQ(framed.size(), 20u);
  const Camera camera(framed, 800, 500, 0.1);
  double left = 1e9, right = -1e9;
  for (const Solid* s : framed) {
    ASSERT_TRUE(camera.visible(s->center));
    const Eigen::Vector2d at = camera.project(s->center);
    const double r = s->reach * camera.focal() / camera.depth(s->center);
    EXPECT_GT(at.x() - r, 79);
    EXPECT_LT(at.x() + r, 721);
    EXPECT_GT(at.y() - r, 49);
    EXPECT_LT(at.y() + r, 451);
    left = std::min(left, at.x() - r), right = std::max(right, at.x() + r);
  }
  EXPECT_GT(right - left, 600) << "the page is used";
}

TEST(PictureFraming, FewBodiesFarApartAreAllMeant) {
  Scene scene;
  for (const double x : {0.0, 1.0, 6.0}) scene.add("b" + std::to_string(x), sphere(0.2), {x, 0, 0});
  const PictureScene picture = make_picture_scene(scene.bodies, scene.poses);
  EXPECT_EQ(framed_solids(picture).size(), 3u);
}

// --- order

// Whether b is painted after a, in a scene of these two.
bool second_in_front(const Scene& scene) {
  const PictureScene picture = make_picture_scene(scene.bodies, scene.poses);
  const Camera camera(framed_solids(picture), 800, 500, 0.1);
  return painting_order(picture.solids, camera).order.back() == 1;
}

TEST(PictureOrder, ABallOnTheNearAndTheFarEndOfAPlank) {
  // The eye is towards +x, −y, +z. On a long plank both balls are in front of it; sorted by centres, the far
  // would not.
  for (const double end : {-4.5, 4.5}) {
    Scene scene;
    scene.add("plank", box({0.5, 10, 0.2}), {0, 0, 0});
    scene.add("ball", sphere(0.3), {0, end, 0.4});
    EXPECT_TRUE(second_in_front(scene)) << end;
    Scene below;
    below.add("plank", box({0.5, 10, 0.2}), {0, 0, 0});
    below.add("ball", sphere(0.3), {0, end, -0.4});
    EXPECT_FALSE(second_in_front(below)) << end;
  }
}

TEST(PictureOrder, EveryPairOfAStackIsRight) {
  Scene scene;
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 3; ++j)
      scene.add("b_" + std::to_string(3 * i + j), box({1, 0.5, 0.5}), {0.5 * (i % 2) + j, 0, 0.5 * i});
  const PictureScene picture = make_picture_scene(scene.bodies, scene.poses);
  const Camera camera(framed_solids(picture), 800, 500, 0.1);
  const std::vector<std::size_t> order = painting_order(picture.solids, camera).order;
  std::vector<std::size_t> place(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = i;
  for (std::size_t b = 0; b + 3 < order.size(); ++b) {
    EXPECT_LT(place[b], place[b + 3]) << "the brick above is seen over the one below";
    if (b % 3 < 2) {
      EXPECT_LT(place[b], place[b + 1]) << "the neighbour towards +x is nearer";
    }
  }
}

TEST(PictureOrder, SolidsThatGoThroughEachOtherAreAllPainted) {
  Scene scene;
  for (int i = 0; i < 30; ++i)
    scene.add("b_" + std::to_string(i), box({2, 0.2, 0.2}), {0.01 * i, 0, 0}, BodyKind::kDynamic, 0.3 * i);
  const PictureScene picture = make_picture_scene(scene.bodies, scene.poses);
  const Camera camera(framed_solids(picture), 800, 500, 0.1);
  const std::vector<std::size_t> order = painting_order(picture.solids, camera).order;
  EXPECT_EQ(std::set<std::size_t>(order.begin(), order.end()).size(), 30u);
}

// --- colours

TEST(PicturePalette, ByNameStableAndDifferent) {
  Scene scene;
  scene.add("floor", sphere(1), {0, 0, 0}, BodyKind::kStatic);
  for (const char* name : {"disc_1", "block_1", "pill_1", "disc_2", "a", "b", "c", "d"})
    scene.add(name, sphere(1), {0, 0, 0});
  const std::vector<Color> colors = body_colors(scene.bodies);
  const auto distance = [&](std::size_t i, std::size_t j) {
    return Vector3d(colors[i].r - colors[j].r, colors[i].g - colors[j].g, colors[i].b - colors[j].b).norm();
  };
  EXPECT_NEAR(colors[0].r, colors[0].b, 0.1) << "grey";
  for (const std::size_t i : {1u, 2u, 3u, 5u, 6u, 7u, 8u})
    for (const std::size_t j : {1u, 2u, 3u, 5u, 6u, 7u, 8u})
      if (i != j) {
        EXPECT_GT(distance(i, j), 0.1) << "seven bases, seven colours";
      }
  EXPECT_LT(distance(1, 4), 0.35) << "members of a lattice differ in lightness only";
}

// --- meshes

double volume_of(const Mesh& mesh) {
  double volume = 0;
  for (const MeshFace& face : mesh.faces)
    for (std::size_t i = 2; i < face.corners.size(); ++i) {
      const Vector3d &a = mesh.vertices[face.corners[0]], &b = mesh.vertices[face.corners[i - 1]],
                     &c = mesh.vertices[face.corners[i]];
      volume += a.dot(b.cross(c)) / 6;
    }
  return volume;
}

// A closed surface with faces turned outward has the shape's volume; a missing or turned face shows.
TEST(ShapeMesh, VolumesAreRight) {
  const double pi = std::acos(-1.0);
  ShapeDescription capsule = sphere(0.5), cylinder = sphere(0.5), ellipsoid, hull;
  capsule.kind = ShapeKind::kCapsule, capsule.length = 2;
  cylinder.kind = ShapeKind::kCylinder, cylinder.length = 2;
  ellipsoid.kind = ShapeKind::kEllipsoid, ellipsoid.size = {1, 2, 3};
  hull.kind = ShapeKind::kConvex;
  hull.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.1, 0.1, 0.1}};
  EXPECT_NEAR(volume_of(shape_mesh(box({1, 2, 3}), 8)), 6, 1e-12);
  EXPECT_NEAR(volume_of(shape_mesh(hull, 8)), 1.0 / 6, 1e-12);
  const auto expect_near = [](double volume, double exact) { EXPECT_NEAR(volume / exact, 1, 5e-3); };
  expect_near(volume_of(shape_mesh(sphere(2), 96)), 4.0 / 3 * pi * 8);
  expect_near(volume_of(shape_mesh(capsule, 96)), pi * 0.25 * 2 + 4.0 / 3 * pi * 0.125);
  expect_near(volume_of(shape_mesh(cylinder, 96)), pi * 0.25 * 2);
  expect_near(volume_of(shape_mesh(ellipsoid, 96)), 4.0 / 3 * pi * 6);
  EXPECT_NEAR(volume_of(extrude(shape_outline(box({1, 2, 0}), 8), 0.5, false)), 1, 1e-12);
  expect_near(volume_of(extrude(shape_outline(capsule, 96), 1, true)), 1 * 2 + pi * 0.25);
}

TEST(ShapeMesh, NormalsPointOutward) {
  ShapeDescription ellipsoid;
  ellipsoid.kind = ShapeKind::kEllipsoid, ellipsoid.size = {1, 2, 3};
  for (const Mesh& mesh : {shape_mesh(sphere(2), 24), shape_mesh(box({1, 2, 3}), 24), shape_mesh(ellipsoid, 24)}) {
    ASSERT_EQ(mesh.vertices.size(), mesh.normals.size());
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
      EXPECT_GT(mesh.normals[i].dot(mesh.vertices[i]), 0);
      EXPECT_NEAR(mesh.normals[i].norm(), 1, 1e-12);
    }
  }
}

TEST(ShapeMesh, KeysTellShapesApart) {
  EXPECT_EQ(shape_key(sphere(1)), shape_key(sphere(1)));
  EXPECT_NE(shape_key(sphere(1)), shape_key(sphere(2)));
  ShapeDescription moved = sphere(1), capsule = sphere(1);
  moved.placement.position = {1, 2, 3};
  capsule.kind = ShapeKind::kCapsule;
  EXPECT_EQ(shape_key(moved), shape_key(sphere(1)));
  EXPECT_NE(shape_key(capsule), shape_key(sphere(1)));
}

}  // namespace
}  // namespace touchstone

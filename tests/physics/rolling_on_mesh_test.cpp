// A surface that is cut into triangles is the surface: nothing is felt at the seams.
#include <gtest/gtest.h>

#include <cmath>

#include "geometry/mesh_builders.h"
#include "physics/scene_builders.h"
#include "touchstone/simulation.h"

namespace touchstone {
namespace {

using namespace touchstone::testing;

// Squares of 0.25 m cut along alternating diagonals.
ShapeDescription tiles(int n) {
  std::vector<Eigen::Vector3d> v;
  Triangles t;
  for (int j = 0; j <= n; ++j)
    for (int i = 0; i <= n; ++i) v.emplace_back(0.25 * (i - n / 2.0), 0.25 * (j - n / 2.0), 0);
  const auto at = [n](int i, int j) { return static_cast<std::uint32_t>(j * (n + 1) + i); };
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      if ((i + j) % 2) {
        t.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
        t.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
      } else {
        t.push_back({at(i, j), at(i + 1, j), at(i, j + 1)});
        t.push_back({at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)});
      }
  return mesh(v, t);
}

// The greatest vertical speed, and the greatest change of the rolling speed, of a ball that has settled and then rolls
// over some thirty seams, corners and diagonals among them.
struct Kicks {
  double vertical = 0, along = 0;
  int seams = 0;
};
Kicks roll(const ShapeDescription& ground) {
  SceneDescription scene = empty_scene(3);
  scene.step = 1e-3;
  const double radius = 0.1, speed = 1.0;
  BodyDescription floor = body("floor", ground);
  floor.kind = BodyKind::kStatic;
  // It starts where the springs carry it: a default sag below the surface.
  BodyDescription ball = body("ball", sphere(radius), {-1.9, -0.93, radius});
  ball.velocity = {speed, 0.5 * speed, 0};
  ball.angular_velocity = {-0.5 * speed / radius, speed / radius, 0};
  scene.bodies = {floor, ball};
  Simulation sim(scene);
  const BodyId id = sim.find_body("ball");
  while (sim.time() < 1.0) sim.step();  // settles on its springs
  const Eigen::Vector3d start = sim.state(id).velocity;
  Kicks kicks;
  Eigen::Vector2i tile(0, 0);
  while (sim.time() < 3.5) {
    sim.step();
    const BodyState s = sim.state(id);
    kicks.vertical = std::max(kicks.vertical, std::abs(s.velocity.z()));
    kicks.along = std::max(kicks.along, (s.velocity - start).head<2>().norm());
    const Eigen::Vector2i now(static_cast<int>(std::floor(s.placement.position.x() / 0.25)),
                              static_cast<int>(std::floor(s.placement.position.y() / 0.25)));
    kicks.seams += now != tile;
    tile = now;
  }
  return kicks;
}

TEST(RollingOnAMesh, ABallFeelsNoSeam) {
  const Kicks on_plane = roll(half_space({0, 0, 1})), on_mesh = roll(tiles(32));
  EXPECT_GT(on_mesh.seams, 12);
  EXPECT_LT(on_mesh.vertical, 1e-6);
  EXPECT_LT(on_mesh.along, 1e-6);
  EXPECT_NEAR(on_mesh.along, on_plane.along, 1e-9);
}

TEST(RollingOnAMesh, NorOnAHeightField) {
  ShapeDescription field;
  field.kind = ShapeKind::kHeightField;
  field.grid = {33, 33};
  field.spacing = 0.25;
  field.heights.assign(33 * 33, 0.0);
  const Kicks kicks = roll(field);
  EXPECT_LT(kicks.vertical, 1e-6);
  EXPECT_LT(kicks.along, 1e-6);
}

}  // namespace
}  // namespace touchstone

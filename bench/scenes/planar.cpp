// Purpose: Fills the planar benchmark scenes. Same bodies in the same order, to the bit, on every machine.
// Source: `collisions`: the public demo of [thompson2003], an arena of 200 by 200 with walls of 6, five circles of
// radius
//   7 and five rectangles of 7 by 14, mass = area, without friction, e = 1. Scaled by its density. The others: own.
// Letters: u draws of the generator in [-1, 1]; i, j places of a lattice along x and z.
// Deviations: the demo's velocities are not known; here each component is u, in m/s.
// Fails: throws for an unknown name.
#include <cmath>
#include <functional>
#include <numbers>
#include <stdexcept>
#include <utility>

#include "scenes/generator.h"
#include "scenes/scene.h"

namespace touchstone::bench {
namespace {

constexpr std::uint64_t kArenaSeed = 2003, kPileSeed = 5000;
constexpr double kFlat = 1;  // half extent across the plane, which nothing looks at

// About the axis that takes x to z.
Quaternion turned(double angle) { return {std::cos(angle / 2), 0, -std::sin(angle / 2), 0}; }

Item rectangle(double half_x, double half_z, double x, double z, double angle = 0) {
  return {Form::kRectangle, {half_x, kFlat, half_z}, {{x, 0, z}, turned(angle)}, {0, 0, 0}};
}
Item disk(double radius, double x, double z) {
  return {Form::kDisk, {radius, radius, radius}, {{x, 0, z}, {1, 0, 0, 0}}, {0, 0, 0}};
}

Scene planar() {
  Scene scene;
  scene.planar = true;
  return scene;
}

void add_ground(Scene& scene, double half_width) {
  scene.statics.push_back(rectangle(half_width, 1, 0, -1));
  scene.room.low = {-half_width, -1, 0};
  scene.room.high = {half_width, 1, std::numeric_limits<double>::infinity()};
}

// Circles and rectangles by turns, one in each cell of a square lattice of the demo's density.
Scene collisions(int bodies, double step, int steps) {
  constexpr double kInner = 194, kBodies = 10, kWall = 6, kJitter = 18;
  Scene scene = planar();
  scene.step = step, scene.steps = steps;
  scene.friction = 0, scene.restitution = 1, scene.gravity = 0, scene.density = 1;
  scene.conserves = true;
  const double inner = 0.5 * kInner * std::sqrt(bodies / kBodies), wall = 0.5 * kWall, middle = inner + wall;
  for (const double side : {-1.0, 1.0}) {
    scene.statics.push_back(rectangle(wall, inner + kWall, side * middle, 0));
    scene.statics.push_back(rectangle(inner, wall, 0, side * middle));
  }
  scene.room.low = {-inner, -1, -inner}, scene.room.high = {inner, 1, inner};
  const int across = static_cast<int>(std::ceil(std::sqrt(bodies)));
  const double cell = 2 * inner / across;
  Generator draw(kArenaSeed);
  for (int n = 0; n < bodies; ++n) {
    const double x = -inner + (n % across + 0.5) * cell + kJitter * draw.next();
    const double z = -inner + (n / across + 0.5) * cell + kJitter * draw.next();
    const double angle = std::numbers::pi * draw.next();
    Item body = n % 2 ? rectangle(7, 3.5, x, z, angle) : disk(7, x, z);
    body.velocity = {draw.next(), 0, 0};
    body.velocity[2] = draw.next();
    scene.bodies.push_back(body);
  }
  return scene;
}

Scene pyramid() {
  constexpr int kBase = 40;
  constexpr double kSpacing = 1.05;
  Scene scene = planar();
  add_ground(scene, 100);
  for (int row = 0; row < kBase; ++row)
    for (int i = 0; i < kBase - row; ++i)
      scene.bodies.push_back(rectangle(0.5, 0.5, (i - 0.5 * (kBase - row - 1)) * kSpacing, 0.5 + row));
  scene.stands = true;
  return scene;
}

// Squares of 1 m and disks of 0.5 m by turns, from a lattice into a pit.
Scene pile() {
  constexpr int kAcross = 100, kUp = 50;
  constexpr double kSpacing = 1.5, kPit = 160, kHeight = 80, kJitter = 0.02;
  Scene scene = planar();
  scene.steps = 600;
  add_ground(scene, 100);
  for (const double side : {-1.0, 1.0})
    scene.statics.push_back(rectangle(0.5, kHeight / 2, side * (kPit / 2 + 0.5), kHeight / 2));
  scene.room.low[0] = -kPit / 2, scene.room.high[0] = kPit / 2;
  Generator draw(kPileSeed);
  for (int j = 0; j < kUp; ++j)
    for (int i = 0; i < kAcross; ++i) {
      const double x = (i - 0.5 * (kAcross - 1)) * kSpacing + kJitter * draw.next();
      const double z = 1.5 + j * kSpacing + kJitter * draw.next();
      const double angle = std::numbers::pi * draw.next();
      scene.bodies.push_back((i + j) % 2 ? rectangle(0.5, 0.5, x, z, angle) : disk(0.5, x, z));
    }
  return scene;
}

constexpr double kFrame = 1.0 / 60;

const std::vector<std::pair<std::string, std::function<Scene()>>>& makers() {
  static const std::vector<std::pair<std::string, std::function<Scene()>>> all{
      {"collisions_1000", [] { return collisions(1000, kFrame, 600); }},
      {"collisions_10000", [] { return collisions(10000, kFrame, 600); }},
      {"collisions_30000", [] { return collisions(30000, kFrame, 120); }},
      {"collisions_second", [] { return collisions(1000, 1.0, 1000); }},
      {"pyramid2d", pyramid},
      {"pile2d", pile}};
  return all;
}

}  // namespace

const std::vector<std::string>& planar_scene_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const auto& [name, make] : makers()) list.push_back(name);
    return list;
  }();
  return names;
}

Scene make_planar_scene(std::string_view name) {
  for (const auto& [known, make] : makers())
    if (known == name) {
      Scene scene = make();
      scene.name = known;
      return scene;
    }
  throw std::invalid_argument("there is no planar benchmark scene '" + std::string(name) + "'");
}

}  // namespace touchstone::bench

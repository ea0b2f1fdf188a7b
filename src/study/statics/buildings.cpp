#include "study/statics/buildings.h"

#include <fmt/format.h>

#include <cmath>

#include "touchstone/error.h"

namespace touchstone::statics {
namespace {

constexpr double kLeastSize = 1e-12, kGreatestSize = 1e12;

[[noreturn]] void bad(const std::string& message) { throw Error(ErrorKind::kBadInput, message); }

void check_count(const char* what, int n, int least, int most) {
  if (n < least || n > most)
    bad(fmt::format("{} is {}; it must be a whole number from {} to {}", what, n, least, most));
}
void check_size(const char* what, double x) {
  if (!(x > 0) || !std::isfinite(x)) bad(fmt::format("{} is {}; it must be positive and finite", what, x));
  if (x < kLeastSize || x > kGreatestSize)
    bad(fmt::format("{} is {}; it must be from {:g} to {:g}", what, x, kLeastSize, kGreatestSize));
}
void check_total(const char* what, std::int64_t rows, std::int64_t columns) {
  constexpr std::int64_t kMost = 999'999;  // with the ground as many as a scene may have
  if (rows * columns > kMost)
    bad(fmt::format("{} x {} are {} {}; at most {} are possible", rows, columns, rows * columns, what, kMost));
}

SceneDescription scene_of(const std::string& name, int dimension, double friction) {
  if (!(friction >= 0)) bad(fmt::format("friction is {}; it must not be negative", friction));
  SceneDescription scene;
  scene.name = name, scene.dimension = dimension;
  if (dimension == 2) scene.gravity = {0, -9.81, 0};
  scene.model.name = "ncp";
  MaterialDescription material;
  material.static_friction = material.dynamic_friction = friction;
  scene.materials = {material};
  return scene;
}

BodyDescription ground(int dimension, double width, double thickness, double depth) {
  BodyDescription body;
  body.name = "ground", body.kind = BodyKind::kStatic;
  body.shapes = {dimension == 2 ? ShapeDescription::box(width, thickness)
                                : ShapeDescription::box(width, depth, thickness)};
  body.placement.position[dimension - 1] = -0.5 * thickness;
  return body;
}

// The corners of a voussoir between two angles, and what a sector of the ring weighs. The frame is the arch's.
struct Voussoir {
  std::array<Eigen::Vector2d, 4> corners;
  double area, polar;  // polar: moment about its centre
  Eigen::Vector2d center;
};

Eigen::Vector2d at_angle(int k, int n, double radius) {
  const double angle = M_PI * k / n;
  if (2 * k > n) {  // mirrored to the last bit
    const Eigen::Vector2d mirror = at_angle(n - k, n, radius);
    return {-mirror.x(), mirror.y()};
  }
  if (2 * k == n) return {0, radius};
  return radius * Eigen::Vector2d(std::cos(angle), k == 0 ? 0.0 : std::sin(angle));
}

Voussoir voussoir(const ArchOptions& o, int k) {
  const int n = o.voussoirs;
  const double inner = o.radius - 0.5 * o.thickness, outer = o.radius + 0.5 * o.thickness;
  Voussoir v;
  v.corners = {at_angle(k, n, inner), at_angle(k, n, outer), at_angle(k + 1, n, outer), at_angle(k + 1, n, inner)};
  const double half = 0.5 * M_PI / n, a = outer * outer - inner * inner;
  v.area = half * a;
  const double distance = 2 * (std::pow(outer, 3) - std::pow(inner, 3)) * std::sin(half) / (3 * half * a);
  v.center = at_angle(2 * k + 1, 2 * n, distance);
  v.polar = 0.5 * half * (std::pow(outer, 4) - std::pow(inner, 4)) - v.area * distance * distance;
  return v;
}

BodyDescription voussoir_body(const ArchOptions& o, int k, int course) {
  const Voussoir v = voussoir(o, k);
  BodyDescription body;
  std::vector<Eigen::Vector3d> points;
  for (const Eigen::Vector2d& c : v.corners) {
    if (o.courses == 0) points.emplace_back(c.x(), c.y(), 0);
    for (int side = 0; side < 2 && o.courses > 0; ++side) points.emplace_back(c.x(), (course + side) * o.length, c.y());
  }
  body.shapes = {ShapeDescription::convex(std::move(points))};
  body.density = o.density;
  body.name = o.courses == 0 ? fmt::format("voussoir_{}", k + 1) : fmt::format("voussoir_{}_{}", course + 1, k + 1);
  if (!o.annular || o.courses > 0) return body;
  body.density.reset();
  body.mass = o.density * v.area;
  body.inertia = Eigen::Matrix3d::Zero();
  (*body.inertia)(2, 2) = o.density * v.polar;
  body.center_of_mass = Eigen::Vector3d(v.center.x(), v.center.y(), 0);
  return body;
}

}  // namespace

SceneDescription arch_scene(const ArchOptions& o) {
  check_count("the number of voussoirs", o.voussoirs, 3, 10001);
  check_count("the number of courses", o.courses, 0, 1000);
  check_total("voussoirs", std::max(1, o.courses), o.voussoirs);
  check_size("the radius", o.radius), check_size("the thickness", o.thickness), check_size("the density", o.density);
  check_size("the length", o.length);
  if (o.thickness >= 2 * o.radius)
    bad(fmt::format("the thickness, {} m, must be less than twice the radius", o.thickness));
  const int dimension = o.courses > 0 ? 3 : 2;
  SceneDescription scene = scene_of(o.courses > 0 ? "vault" : "arch", dimension, o.friction);
  const double depth = std::max(1, o.courses) * o.length;
  scene.bodies.push_back(ground(dimension, 4 * (o.radius + o.thickness), o.radius, 2 * depth));
  if (dimension == 3) scene.bodies[0].placement.position.y() = 0.5 * depth;
  for (int course = 0; course < std::max(1, o.courses); ++course)
    for (int k = 0; k < o.voussoirs; ++k) scene.bodies.push_back(voussoir_body(o, k, course));
  return scene;
}

SceneDescription wall_scene(const WallOptions& o) {
  check_count("the number of rows", o.rows, 1, 100000), check_count("the number of columns", o.columns, 1, 100000);
  check_total("bricks", o.rows, o.columns);
  check_size("the width", o.width), check_size("the height", o.height), check_size("the depth", o.depth);
  check_size("the density", o.density);
  SceneDescription scene = scene_of("wall", o.dimension, o.friction);
  const double total = o.columns * o.width;
  scene.bodies.push_back(ground(o.dimension, 2 * total, 4 * o.height, 8 * o.depth));
  const auto add = [&](int row, int place, double left, double width) {
    BodyDescription b;
    b.name = fmt::format("brick_{}_{}", row + 1, place + 1);
    b.density = o.density;
    b.shapes = {o.dimension == 2 ? ShapeDescription::box(width, o.height)
                                 : ShapeDescription::box(width, o.depth, o.height)};
    b.placement.position.x() = left + 0.5 * width - 0.5 * total;
    b.placement.position[o.dimension - 1] = (row + 0.5) * o.height;
    scene.bodies.push_back(std::move(b));
  };
  for (int row = 0; row < o.rows; ++row) {
    const bool whole = row % 2 == 0;
    int place = 0;
    if (!whole) add(row, place++, 0, 0.5 * o.width);
    for (int k = 0; k < (whole ? o.columns : o.columns - 1); ++k)
      add(row, place++, (whole ? k : k + 0.5) * o.width, o.width);
    if (!whole) add(row, place, total - 0.5 * o.width, 0.5 * o.width);
  }
  return scene;
}

// Brick k turns about the end of the one below it, its middle being x beyond that end. Its counterweight, whose middle
// is at a quarter of its width inside, must outweigh it and all above, which act at its own end or beyond.
SceneDescription spinal_scene(const SpinalOptions& o) {
  check_count("the number of levels", o.levels, 1, 40);
  check_size("the width", o.width), check_size("the height", o.height), check_size("the density", o.density);
  if (!(o.overhang > 0 && o.overhang < 0.25))
    bad(fmt::format("the overhang is {}; it must be between 0 and 0.25 widths", o.overhang));
  SceneDescription scene = scene_of("spinal stack", 2, 0);
  BodyDescription table = ground(2, 10 * o.width, 4 * o.height, 1);
  table.placement.position.x() = -5 * o.width;
  scene.bodies.push_back(table);
  const double mass = o.density * o.width * o.height, x = o.overhang;
  std::vector<double> weights;  // of counterweights, from the top
  double above = 0;
  for (int k = 0; k < o.levels; ++k) {
    weights.push_back(o.safety * (above * (x + 0.5) + mass * x) / (0.25 - x));
    above += mass + weights.back();
  }
  for (int k = 0; k < o.levels; ++k) {
    BodyDescription brick, weight;
    const double middle = k * (x + 0.5) * o.width + x * o.width, low = k * o.height;
    brick.name = fmt::format("brick_{}", k + 1), weight.name = fmt::format("counterweight_{}", k + 1);
    brick.density = o.density, weight.mass = weights[static_cast<std::size_t>(o.levels - 1 - k)];
    brick.shapes = {ShapeDescription::box(o.width, o.height)},
    weight.shapes = {ShapeDescription::box(0.5 * o.width, o.height)};
    brick.placement.position = {middle, low + 0.5 * o.height, 0};
    weight.placement.position = {middle - 0.25 * o.width, low + 1.5 * o.height, 0};
    scene.bodies.push_back(brick), scene.bodies.push_back(weight);
  }
  return scene;
}

}  // namespace touchstone::statics

// Towers of bricks as scenes [M. Paterson, U. Zwick, Overhang, 2006; rote2012 figures 1, 2 and 11].
#include "study/towers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "touchstone/error.h"

namespace touchstone {
namespace {

constexpr double kGroundWidths = 100;  // of the ground, in bricks: what falls does not leave it

[[noreturn]] void bad(const std::string& what) { throw Error(ErrorKind::kBadInput, "tower: " + what); }

void check_number(const char* name, int value) {
  constexpr int kMost = 1000;
  if (value < 1 || value > kMost) bad(fmt::format("{} is {}; it must be 1 to {}", name, value, kMost));
}

void check_length(const char* name, double value, const char* unit) {
  if (!(std::isfinite(value) && value > 0)) bad(fmt::format("{} is {} {}; it must be above 0", name, value, unit));
}

void check(const TowerOptions& o) {
  if (o.dimension != 2 && o.dimension != 3) bad(fmt::format("dimension is {}; it must be 2 or 3", o.dimension));
  check_length("width", o.width, "m");
  check_length("height", o.height, "m");
  if (o.dimension == 3) check_length("depth", o.depth, "m");
  check_length("mass", o.mass, "kg");
  if (!(o.gap >= 0 && std::isfinite(o.gap))) bad(fmt::format("gap is {} m; it must be at least 0", o.gap));
}

std::vector<double> row_of(int bricks, const TowerOptions& o) {
  std::vector<double> out;
  for (int k = 0; k < bricks; ++k) out.push_back((k - 0.5 * (bricks - 1)) * (o.width + o.gap));
  return out;
}

ShapeDescription brick_shape(const TowerOptions& o, double width, double height) {
  return o.dimension == 2 ? ShapeDescription::box(width, height) : ShapeDescription::box(width, o.depth, height);
}

Eigen::Vector3d in_plane(const TowerOptions& o, double x, double y) {
  return o.dimension == 2 ? Eigen::Vector3d(x, y, 0) : Eigen::Vector3d(x, 0, y);
}

BodyDescription ground(const TowerOptions& o, bool edge) {
  const double wide = kGroundWidths * o.width, thick = 4 * o.height;
  BodyDescription out;
  out.name = "ground";
  out.kind = BodyKind::kStatic;
  out.shapes = {brick_shape(o, wide, thick)};
  if (o.dimension == 3) out.shapes[0].size.y() = wide;
  out.placement.position = in_plane(o, edge ? -0.5 * wide : 0.0, -0.5 * thick);
  return out;
}

}  // namespace

TowerRows diamond_rows(int m, const TowerOptions& options) {
  check_number("m", m);
  TowerRows rows;
  for (int r = 1; r < 2 * m; ++r) rows.push_back(row_of(std::min(r, 2 * m - r), options));
  return rows;
}

TowerRows triangle_rows(int m, const TowerOptions& options) {
  check_number("m", m);
  TowerRows rows;
  for (int r = 1; r <= m; ++r) rows.push_back(row_of(r, options));
  return rows;
}

TowerRows stack_rows(int n, double overhang, double first) {
  check_number("the number of bricks", n);
  TowerRows rows;
  for (int k = 0; k < n; ++k) rows.push_back({first + k * overhang});
  return rows;
}

// Brick k from the top is 1/(2k) widths beyond the one below it, so that the centre of all above is over its edge.
TowerRows harmonic_rows(int n, double shift, const TowerOptions& options) {
  check_number("the number of bricks", n);
  TowerRows rows;
  double middle = shift - 0.5 * options.width;  // of a brick that ends at the table's edge
  for (int k = n; k >= 1; --k) rows.push_back({middle += 0.5 * options.width / k});
  return rows;
}

SceneDescription tower_scene(const TowerRows& rows, const TowerOptions& o, bool edge) {
  check(o);
  SceneDescription scene;
  scene.name = "tower";
  scene.dimension = o.dimension;
  scene.gravity = in_plane(o, 0, -o.gravity);
  scene.model.name = "gauss";
  MaterialDescription material;
  material.static_friction = material.dynamic_friction = o.friction;
  scene.materials = {material};
  scene.bodies = {ground(o, edge)};
  if (o.friction > 0) scene.model.options = {{"friction", std::string("cone")}};
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t k = 0; k < rows[r].size(); ++k) {
      BodyDescription b;
      b.name = fmt::format("brick_{}_{}", r + 1, k + 1);
      b.shapes = {brick_shape(o, o.width, o.height)};
      b.mass = o.mass;
      b.placement.position = in_plane(o, rows[r][k], (static_cast<double>(r) + 0.5) * o.height);
      if (!o.sides) b.groups = b.ignores = {fmt::format("row_{}", r + 1)};
      scene.bodies.push_back(b);
    }
  }
  return scene;
}

TowerFramework tower_framework(const SceneDescription& scene, BrickPoints kind, bool independent) {
  TowerFramework out;
  for (const BodyDescription& b : scene.bodies) {
    if (scene.dimension != 2 || b.shapes.size() != 1 || b.shapes[0].kind != ShapeKind::kBox)
      bad(fmt::format("body '{}' is no 2D box", b.name));
    out.first.push_back(static_cast<std::uint32_t>(out.framework.points()));
    const Vec<2> size = b.shapes[0].size.head<2>();
    const Pose<2> pose{b.placement.position.head<2>(), b.placement.angle};
    PointMasses<2> brick = nine_points(size, b.mass.value_or(1.0));
    if (b.kind == BodyKind::kStatic) {
      std::vector<Vec<2>> outline(brick.points.begin(), brick.points.begin() + 4);
      for (Vec<2>& p : outline) p = pose.p + matrix_of(pose.R) * p;
      out.framework.add_fixed(outline);
      continue;
    }
    if (kind == BrickPoints::kCorners)
      brick = corner_masses(make_polytope(std::vector<Vec<2>>(brick.points.begin(), brick.points.begin() + 4)),
                            b.mass.value_or(1.0));
    const std::vector<Bar> usual = usual_bars(brick);
    out.framework.add_body(brick, independent ? independent_bars<2>(brick, usual) : usual, pose);
  }
  return out;
}

}  // namespace touchstone

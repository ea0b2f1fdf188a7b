// Purpose: Coulomb's disc between two polygons with fractions for corners. The inner one has its corners on the circle,
//   the outer one where the tangents there meet.
// Letters: u points on the circle, p corners of the outer polygon, r rays of a sector; row(r)·a = r × a, which is
//   positive for an acceleration that lies counter-clockwise of r.
// Source: points of the circle by t = tan(θ/2): ((1 − t²)/(1 + t²), 2t/(1 + t²)), a fraction for every fraction t.
#include "statics/friction_cone.h"

#include <cmath>
#include <functional>
#include <numbers>

namespace touchstone::statics {
namespace {

Direction on_circle(const Rational& t) {
  const Rational d = 1 + t * t;
  return {(1 - t * t) / d, 2 * t / d};
}

Direction turned(const Direction& d) { return {-d.y, d.x}; }  // by a quarter

ModeSide side_of_ray(int ray, int count, int sign) {
  return ray < count / 2 ? ModeSide{ray, sign} : ModeSide{ray - count / 2, -sign};
}

FrictionCone line() {
  FrictionCone c;
  c.rows = {{1, 0}};
  c.forces = {{1, 0}, {-1, 0}};
  c.inside = c.outside = {0, 1};
  c.zero_rows = {0};
  c.modes = {{{1, 0}, {1, 0}, {{0, 1}}, {1}, {}}, {{-1, 0}, {-1, 0}, {{0, -1}}, {0}, {}}};
  c.top = {0, 1};
  return c;
}

std::vector<Direction> ray_rows(const std::vector<Direction>& rays) {
  std::vector<Direction> rows;
  for (std::size_t i = 0; i < rays.size() / 2; ++i) rows.push_back({-rays[i].y, rays[i].x});
  return rows;
}

// Sliding within the quarter about −u: friction is at the corner u. On a diagonal it is on the edge between two.
FrictionCone pyramid() {
  FrictionCone c;
  const std::vector<Direction> rays{{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}};
  c.rows = ray_rows(rays);
  for (int k = 0; k < 8; k += 2) c.forces.push_back(rays[static_cast<std::size_t>(k)]);
  c.inside = c.outside = {0, 1, 2, 3};
  c.zero_rows = {0, 2};
  for (int k = 0; k < 8; k += 2) {
    const int opposite = (k / 2 + 2) % 4, before = (k + 7) % 8, after = (k + 1) % 8;
    const Direction &first = rays[static_cast<std::size_t>(before)], &last = rays[static_cast<std::size_t>(after)];
    c.modes.push_back({first, last, {side_of_ray(before, 8, 1), side_of_ray(after, 8, -1)}, {opposite}, {}});
    c.modes.push_back(
        {last, last, {side_of_ray(after, 8, 0), side_of_ray(before, 8, 1)}, {opposite, (opposite + 1) % 4}, {}});
  }
  for (int m = 0; m < 8; ++m) c.top.push_back(m);
  return c;
}

FrictionCone circle(int count) {
  FrictionCone c;
  const std::vector<Direction> u = circle_points(count), p = tangent_corners(u);
  c.rows = ray_rows(u);
  c.forces = u;
  c.forces.insert(c.forces.end(), p.begin(), p.end());
  for (int k = 0; k < count; ++k) c.inside.push_back(k), c.outside.push_back(count + k);
  c.zero_rows = {0, count / 4};
  const std::function<int(int, int)> add = [&](int from, int to) {
    SlideMode mode;
    mode.from = u[static_cast<std::size_t>(from % count)], mode.to = u[static_cast<std::size_t>(to % count)];
    mode.sides = {side_of_ray(from % count, count, 1), side_of_ray(to % count, count, -1)};
    const int half = count / 2;
    mode.forces = {(from + half) % count, (to + half) % count};
    for (int k = from; k < to; ++k) mode.forces.push_back(count + (k + half) % count);
    if (to - from > 1) {
      const int middle = (from + to) / 2;
      mode.children = {add(from, middle), add(middle, to)};
    }
    c.modes.push_back(mode);
    return static_cast<int>(c.modes.size()) - 1;
  };
  for (int k = 0; k < count; k += count / 4) c.top.push_back(add(k, k + count / 4));
  return c;
}

}  // namespace

std::vector<Direction> circle_points(int count) {
  constexpr double kSteps = 65536;  // a short fraction: exact numbers stay short
  std::vector<Direction> out(static_cast<std::size_t>(count));
  const int quarter = count / 4;
  for (int k = 0; k < count; ++k) {
    const auto i = static_cast<std::size_t>(k);
    if (k >= quarter)
      out[i] = turned(out[i - static_cast<std::size_t>(quarter)]);
    else
      out[i] = on_circle(Rational(std::round(std::tan(std::numbers::pi * k / count) * kSteps)) / Rational(kSteps));
  }
  return out;
}

std::vector<Direction> tangent_corners(const std::vector<Direction>& u) {
  std::vector<Direction> out;
  for (std::size_t k = 0; k < u.size(); ++k) {
    const Direction &a = u[k], &b = u[(k + 1) % u.size()];
    const Rational d = 1 + a.x * b.x + a.y * b.y;
    out.push_back({(a.x + b.x) / d, (a.y + b.y) / d});
  }
  return out;
}

FrictionCone friction_cone(int dimension, FrictionLaw law, int sectors) {
  if (dimension == 2) return line();
  return law == FrictionLaw::kPyramid ? pyramid() : circle(sectors);
}

}  // namespace touchstone::statics

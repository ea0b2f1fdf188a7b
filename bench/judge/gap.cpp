// Purpose: Gap or depth of boxes and spheres from their poses, to judge all engines alike. It shares no code with
// Touchstone's own collision detection.
// Source: the separating axis theorem; for two boxes the least overlap over 3 + 3 face normals and 9 products of edges
// is the exact depth.
// Letters: R_ij = a_i·b_j, the axes of b in the frame of a; t the way from a to b, in the frame of a; L = a_i × b_j.
// Deviations: none.
// Fails: never; poses that are not finite are left out before (judge.cpp).
#include "judge/gap.h"

#include <algorithm>
#include <cmath>

namespace touchstone::bench {
namespace {

// Edges that are parallel to 1e-8 rad give no direction of their own: the face normals cover that case to 1e-8 of the
// size. (Square of the length of the product of two unit vectors.)
constexpr double kParallel = 1e-16;

double dot(const Vec3& a, const Vec3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

struct Relative {
  std::array<Vec3, 3> r, size;  // R and its absolute values
  Vec3 t;
};

double face_gap(const Posed& a, const Posed& b, const Relative& rel, double limit) {
  double widest = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < 3 && widest <= limit; ++i) {
    widest = std::max(widest, std::abs(rel.t[i]) - a.half[i] - dot(rel.size[i], b.half));
    const double along = rel.t[0] * rel.r[0][i] + rel.t[1] * rel.r[1][i] + rel.t[2] * rel.r[2][i];
    const double radius = rel.size[0][i] * a.half[0] + rel.size[1][i] * a.half[1] + rel.size[2][i] * a.half[2];
    widest = std::max(widest, std::abs(along) - radius - b.half[i]);
  }
  return widest;
}

double edge_gap(const Posed& a, const Posed& b, const Relative& rel, double limit) {
  double widest = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    for (std::size_t j = 0; j < 3; ++j) {
      const std::size_t j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      const double square = rel.r[i1][j] * rel.r[i1][j] + rel.r[i2][j] * rel.r[i2][j];
      if (square < kParallel) continue;
      const double along = std::abs(rel.t[i2] * rel.r[i1][j] - rel.t[i1] * rel.r[i2][j]);
      const double radius = a.half[i1] * rel.size[i2][j] + a.half[i2] * rel.size[i1][j] + b.half[j1] * rel.size[i][j2] +
                            b.half[j2] * rel.size[i][j1];
      widest = std::max(widest, (along - radius) / std::sqrt(square));
      if (widest > limit) return widest;
    }
  }
  return widest;
}

double box_box(const Posed& a, const Posed& b, double limit) {
  const Vec3 way{b.centre[0] - a.centre[0], b.centre[1] - a.centre[1], b.centre[2] - a.centre[2]};
  Relative rel;
  for (std::size_t i = 0; i < 3; ++i) {
    rel.t[i] = dot(a.axes[i], way);
    for (std::size_t j = 0; j < 3; ++j) {
      rel.r[i][j] = dot(a.axes[i], b.axes[j]);
      rel.size[i][j] = std::abs(rel.r[i][j]);
    }
  }
  const double faces = face_gap(a, b, rel, limit);
  return faces > limit ? faces : std::max(faces, edge_gap(a, b, rel, limit));
}

// In the plane of x and z, where the first and the third axis of a rectangle lie.
double rectangle_rectangle(const Posed& a, const Posed& b) {
  const Vec3 way{b.centre[0] - a.centre[0], 0, b.centre[2] - a.centre[2]};
  double widest = -std::numeric_limits<double>::infinity();
  for (const Posed* owner : {&a, &b})
    for (const std::size_t i : {std::size_t{0}, std::size_t{2}}) {
      const Vec3& n = owner->axes[i];
      double gap = std::abs(dot(n, way));
      for (const Posed* body : {&a, &b})
        gap -= body->half[0] * std::abs(dot(n, body->axes[0])) + body->half[2] * std::abs(dot(n, body->axes[2]));
      widest = std::max(widest, gap);
    }
  return widest;
}

double disk_rectangle(const Posed& disk, const Posed& rectangle) {
  const Vec3 way{disk.centre[0] - rectangle.centre[0], 0, disk.centre[2] - rectangle.centre[2]};
  const double x = std::abs(dot(rectangle.axes[0], way)) - rectangle.half[0],
               z = std::abs(dot(rectangle.axes[2], way)) - rectangle.half[2];
  const double inside = std::max(x, z);
  return (inside > 0 ? std::hypot(std::max(0.0, x), std::max(0.0, z)) : inside) - disk.half[0];
}

double sphere_box(const Posed& sphere, const Posed& box) {
  const Vec3 way{sphere.centre[0] - box.centre[0], sphere.centre[1] - box.centre[1], sphere.centre[2] - box.centre[2]};
  double outside = 0, inside = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < 3; ++i) {
    const double beyond = std::abs(dot(box.axes[i], way)) - box.half[i];
    inside = std::max(inside, beyond);
    if (beyond > 0) outside += beyond * beyond;
  }
  return (inside > 0 ? std::sqrt(outside) : inside) - sphere.half[0];
}

}  // namespace

Posed posed(const Item& item, const Pose& pose) {
  Posed result;
  result.form = item.form;
  result.half = item.half;
  result.centre = pose.position;
  const Quaternion& q = pose.orientation;
  const double s = 2 / (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);  // engines drift from the unit length
  const double w = q[0], x = q[1], y = q[2], z = q[3];
  result.axes[0] = {1 - s * (y * y + z * z), s * (x * y + w * z), s * (x * z - w * y)};
  result.axes[1] = {s * (x * y - w * z), 1 - s * (x * x + z * z), s * (y * z + w * x)};
  result.axes[2] = {s * (x * z + w * y), s * (y * z - w * x), 1 - s * (x * x + y * y)};
  const bool round = item.form == Form::kSphere || item.form == Form::kDisk;
  result.reach = round ? item.half[0] : std::sqrt(dot(item.half, item.half));
  if (item.form == Form::kRectangle) result.reach = std::hypot(item.half[0], item.half[2]);
  return result;
}

double gap_between(const Posed& a, const Posed& b, double limit) {
  if (a.form == Form::kRectangle && b.form == Form::kRectangle) return rectangle_rectangle(a, b);
  if (a.form == Form::kDisk && b.form == Form::kRectangle) return disk_rectangle(a, b);
  if (a.form == Form::kRectangle) return disk_rectangle(b, a);
  if (a.form == Form::kBox && b.form == Form::kBox) return box_box(a, b, limit);
  if (a.form == Form::kSphere && b.form == Form::kBox) return sphere_box(a, b);
  if (a.form == Form::kBox) return sphere_box(b, a);
  const Vec3 way{b.centre[0] - a.centre[0], b.centre[1] - a.centre[1], b.centre[2] - a.centre[2]};
  return std::sqrt(dot(way, way)) - a.half[0] - b.half[0];
}

}  // namespace touchstone::bench

#include "io/shape_mesh.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>

#include "geometry/concave.h"
#include "geometry/hull.h"

namespace touchstone {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;
constexpr double kPi = std::numbers::pi;

void add_flat_face(Mesh& mesh, const std::vector<Vector3d>& corners, const Vector3d& normal) {
  MeshFace face;
  face.flat = true;
  for (const Vector3d& corner : corners) {
    face.corners.push_back(static_cast<std::uint32_t>(mesh.vertices.size()));
    mesh.vertices.push_back(corner);
    mesh.normals.push_back(normal);
  }
  mesh.faces.push_back(std::move(face));
}

Mesh box_mesh(const Vector3d& half) {
  Mesh mesh;
  for (int axis = 0; axis < 3; ++axis) {
    for (const double side : {-1.0, 1.0}) {
      Vector3d n = Vector3d::Zero(), u = Vector3d::Zero(), v = Vector3d::Zero();
      n[axis] = side;
      u[(axis + 1) % 3] = half[(axis + 1) % 3];
      v[(axis + 2) % 3] = side * half[(axis + 2) % 3];
      const Vector3d c = n * half[axis];
      add_flat_face(mesh, {c - u - v, c + u - v, c + u + v, c - u + v}, n);
    }
  }
  return mesh;
}

// A surface of revolution about z made of rings of (radius, z, normal's radial and z part); a ring of radius
// zero is a pole, whose quads become triangles.
struct Ring {
  double radius, z, normal_radial, normal_z;
};

Mesh lathe(const std::vector<Ring>& rings, int segments) {
  Mesh mesh;
  const auto n = static_cast<std::uint32_t>(segments);
  for (const Ring& ring : rings) {
    for (std::uint32_t i = 0; i < n; ++i) {
      const double angle = 2 * kPi * i / n, c = std::cos(angle), s = std::sin(angle);
      mesh.vertices.emplace_back(ring.radius * c, ring.radius * s, ring.z);
      mesh.normals.emplace_back(ring.normal_radial * c, ring.normal_radial * s, ring.normal_z);
    }
  }
  for (std::uint32_t r = 0; r + 1 < rings.size(); ++r) {
    for (std::uint32_t i = 0; i < n; ++i) {
      const std::uint32_t a = r * n + i, b = r * n + (i + 1) % n;
      MeshFace face;
      if (rings[r].radius <= 0)
        face.corners = {a, b + n, a + n};
      else if (rings[r + 1].radius <= 0)
        face.corners = {a, b, a + n};
      else
        face.corners = {a, b, b + n, a + n};
      mesh.faces.push_back(std::move(face));
    }
  }
  return mesh;
}

// Rings from pole to pole; the upper half is lifted by `length`.
std::vector<Ring> ball_rings(double radius, double length, int segments) {
  const int bands = std::max(2, segments / 4);
  std::vector<Ring> rings;
  for (int half = 0; half < 2; ++half) {
    for (int i = 0; i <= bands; ++i) {
      if (half == 1 && i == 0 && length == 0) continue;  // the equator is there already
      const double latitude = kPi / 2 * (half == 0 ? i - bands : i) / bands;
      const bool pole = half == 0 ? i == 0 : i == bands;
      const double c = pole ? 0.0 : std::cos(latitude), s = std::sin(latitude);
      rings.push_back({radius * c, radius * s + (half == 0 ? -0.5 : 0.5) * length, c, s});
    }
  }
  return rings;
}

Mesh cylinder_mesh(double radius, double length, int segments) {
  Mesh mesh = lathe({{radius, -0.5 * length, 1, 0}, {radius, 0.5 * length, 1, 0}}, segments);
  std::vector<Vector3d> bottom, top;
  for (int i = 0; i < segments; ++i) {
    top.push_back(mesh.vertices[static_cast<std::size_t>(segments + i)]);
    bottom.push_back(mesh.vertices[static_cast<std::size_t>(segments - 1 - i)]);
  }
  add_flat_face(mesh, bottom, -Vector3d::UnitZ());
  add_flat_face(mesh, top, Vector3d::UnitZ());
  return mesh;
}

Mesh ellipsoid_mesh(const Vector3d& radii, int segments) {
  Mesh mesh = lathe(ball_rings(1.0, 0.0, segments), segments);
  for (Vector3d& v : mesh.vertices) v = v.cwiseProduct(radii);
  for (Vector3d& n : mesh.normals) n = n.cwiseQuotient(radii).normalized();
  return mesh;
}

Mesh hull_mesh(const std::vector<Vector3d>& points) {
  const Polytope<3> hull = convex_hull<3>(points);
  Mesh mesh;
  for (std::size_t f = 0; f < hull.face_count(); ++f) {
    const auto face = hull.face(f);
    std::vector<Vector3d> corners;
    Vector3d normal = Vector3d::Zero();
    for (const std::uint32_t i : face) corners.push_back(hull.vertices[i]);
    // Newell's sum: right for any planar polygon, whichever corner is nearly straight.
    for (std::size_t i = 0; i < corners.size(); ++i)
      normal += (corners[i] - corners[0]).cross(corners[(i + 1) % corners.size()] - corners[0]);
    add_flat_face(mesh, corners, normal.normalized());
  }
  return mesh;
}

Mesh surface_mesh(const ShapeDescription& shape) {
  Mesh mesh;
  for (const Piece<3>& p : surface_pieces(shape))
    add_flat_face(mesh, {p.vertex[0], p.vertex[1], p.vertex[2]}, p.normal);
  return mesh;
}

Vector2d height_at(const ShapeDescription& shape, std::size_t i) {
  return {(static_cast<double>(i) - 0.5 * (static_cast<double>(shape.grid[0]) - 1)) * shape.spacing, shape.heights[i]};
}

// An arc of a circle about `center` from angle `from`, over `sweep`, both ends included.
void add_arc(std::vector<Vector2d>& outline, const Vector2d& center, const Vector2d& radii, double from, double sweep,
             int segments, bool closed) {
  const int count = closed ? segments : segments + 1;
  for (int i = 0; i < count; ++i) {
    const double angle = from + sweep * i / segments;
    outline.emplace_back(center.x() + radii.x() * std::cos(angle), center.y() + radii.y() * std::sin(angle));
  }
}

}  // namespace

std::string shape_key(const ShapeDescription& shape) {
  std::vector<double> numbers{shape.radius, shape.length};
  for (const Vector3d& v : {shape.size, shape.normal}) numbers.insert(numbers.end(), v.data(), v.data() + 3);
  for (const Vector3d& v : shape.vertices) numbers.insert(numbers.end(), v.data(), v.data() + 3);
  numbers.insert(numbers.end(), {shape.spacing, 1.0 * shape.grid[0], 1.0 * shape.grid[1], 1.0 * shape.closed});
  numbers.insert(numbers.end(), shape.heights.begin(), shape.heights.end());
  for (const auto& t : shape.triangles) numbers.insert(numbers.end(), t.begin(), t.end());
  std::string key(1 + numbers.size() * sizeof(double), static_cast<char>(shape.kind));
  std::memcpy(key.data() + 1, numbers.data(), numbers.size() * sizeof(double));
  return key;
}

Mesh shape_mesh(const ShapeDescription& shape, int segments) {
  switch (shape.kind) {
    case ShapeKind::kSphere:
      return lathe(ball_rings(shape.radius, 0.0, segments), segments);
    case ShapeKind::kBox:
      return box_mesh(0.5 * shape.size);
    case ShapeKind::kCapsule:
      return lathe(ball_rings(shape.radius, shape.length, segments), segments);
    case ShapeKind::kConvex:
      return hull_mesh(shape.vertices);
    case ShapeKind::kEllipsoid:
      return ellipsoid_mesh(shape.size, segments);
    case ShapeKind::kCylinder:
      return cylinder_mesh(shape.radius, shape.length, segments);
    case ShapeKind::kMesh:
    case ShapeKind::kHeightField:
      return surface_mesh(shape);
    case ShapeKind::kHalfSpace:
      break;
  }
  return {};
}

Mesh patch(const Vector3d& center, const Vector3d& normal, double half_size) {
  Mesh mesh;
  Vector3d u, v;
  tangents_of(normal, u, v);
  u *= half_size, v *= half_size;
  add_flat_face(mesh, {center - u - v, center + u - v, center + u + v, center - u + v}, normal);
  return mesh;
}

std::vector<Vector2d> shape_outline(const ShapeDescription& shape, int segments) {
  std::vector<Vector2d> outline;
  const Vector2d half = 0.5 * shape.size.head<2>(), round = Vector2d::Constant(shape.radius);
  switch (shape.kind) {
    case ShapeKind::kSphere:
      add_arc(outline, Vector2d::Zero(), round, 0, 2 * kPi, segments, true);
      break;
    case ShapeKind::kEllipsoid:
      add_arc(outline, Vector2d::Zero(), shape.size.head<2>(), 0, 2 * kPi, segments, true);
      break;
    case ShapeKind::kCapsule:
      add_arc(outline, {0, 0.5 * shape.length}, round, 0, kPi, segments / 2, false);
      add_arc(outline, {0, -0.5 * shape.length}, round, kPi, kPi, segments / 2, false);
      break;
    case ShapeKind::kBox:
      outline = {-half, {half.x(), -half.y()}, half, {-half.x(), half.y()}};
      break;
    case ShapeKind::kConvex: {
      std::vector<Vec<2>> points;
      for (const Vector3d& v : shape.vertices) points.push_back(v.head<2>());
      outline = convex_hull<2>(points).vertices;
      break;
    }
    case ShapeKind::kMesh:
      for (const Vector3d& v : shape.vertices) outline.push_back(v.head<2>());
      break;
    case ShapeKind::kHeightField:
      for (std::size_t i = 0; i < shape.heights.size(); ++i) outline.push_back(height_at(shape, i));
      break;
    case ShapeKind::kHalfSpace:
    case ShapeKind::kCylinder:
      break;
  }
  return outline;
}

bool is_open_line(const ShapeDescription& shape) { return is_surface(shape.kind) && !shape.closed; }

std::vector<Piece<3>> surface_pieces(const ShapeDescription& shape) {
  std::vector<Piece<3>> pieces;
  constexpr double kAll = std::numeric_limits<double>::infinity();
  pieces_in(make_shape<3>(shape), {Vec<3>::Constant(-kAll), Vec<3>::Constant(kAll)}, pieces);
  return pieces;
}

Mesh band(const std::vector<Vector2d>& line, bool closed, double depth) {
  Mesh mesh;
  const std::size_t n = line.size();
  for (std::size_t i = 0; i + (closed ? 0 : 1) < n; ++i) {
    const Vector2d &a = line[i], &b = line[(i + 1) % n], along = b - a;
    if (along.isZero()) continue;
    const double z = 0.5 * depth;
    // Seen from above z, the front is on the left of the way from a to b.
    add_flat_face(mesh, {{a.x(), a.y(), z}, {b.x(), b.y(), z}, {b.x(), b.y(), -z}, {a.x(), a.y(), -z}},
                  Vector3d(-along.y(), along.x(), 0).normalized());
  }
  return mesh;
}

double drawn_size(const ShapeDescription& shape) {
  if (shape.kind == ShapeKind::kHalfSpace) return 0.0;
  double size = shape.radius + 0.5 * shape.length + 0.5 * shape.size.norm();
  for (const Vector3d& v : shape.vertices) size = std::max(size, v.norm());
  if (shape.kind != ShapeKind::kHeightField) return size;
  double height = 0;
  for (const double h : shape.heights) height = std::max(height, std::abs(h));
  return 0.5 * shape.spacing * std::hypot(shape.grid[0] - 1.0, shape.grid[1] - 1.0) + height;
}

Mesh extrude(const std::vector<Vector2d>& outline, double depth, bool round) {
  Mesh mesh;
  const std::size_t n = outline.size();
  std::vector<Vector3d> front, back;
  for (std::size_t i = 0; i < n; ++i) {
    front.emplace_back(outline[i].x(), outline[i].y(), 0.5 * depth);
    back.emplace_back(outline[n - 1 - i].x(), outline[n - 1 - i].y(), -0.5 * depth);
  }
  add_flat_face(mesh, front, Vector3d::UnitZ());
  add_flat_face(mesh, back, -Vector3d::UnitZ());
  const auto outward = [](const Vector2d& along) { return Vector3d(along.y(), -along.x(), 0).normalized(); };
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t j = (i + 1) % n;
    const Vector3d a = front[i], b = front[j], down(0, 0, -depth);
    add_flat_face(mesh, {a + down, b + down, b, a}, outward(outline[j] - outline[i]));
    if (!round) continue;
    const Vector3d at_a = outward(outline[j] - outline[(i + n - 1) % n]),
                   at_b = outward(outline[(j + 1) % n] - outline[i]);
    const std::size_t first = mesh.normals.size() - 4;
    mesh.normals[first] = mesh.normals[first + 3] = at_a;
    mesh.normals[first + 1] = mesh.normals[first + 2] = at_b;
    mesh.faces.back().flat = false;
  }
  return mesh;
}

void tangents_of(const Vector3d& n, Vector3d& u, Vector3d& v) {
  // The world's x axis if it is not nearly along n, so that grids and patches lie along the axes.
  const Vector3d axis = std::abs(n.x()) < 0.9 ? Vector3d::UnitX() : Vector3d::UnitY();
  u = (axis - axis.dot(n) * n).normalized();
  v = n.cross(u);
}

}  // namespace touchstone

#include "study/audit_shapes.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

namespace touchstone::audit {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Matrix3d rotation_of(const Placement& at, int dimension) {
  if (dimension == 3) return at.orientation.toRotationMatrix();
  return Eigen::AngleAxisd(at.angle, Vector3d::UnitZ()).toRotationMatrix();
}

Piece box_of(const Vector3d& size, int dimension) {
  Piece out;
  for (const double x : {-0.5, 0.5})
    for (const double y : {-0.5, 0.5})
      for (const double z : {-0.5, 0.5})
        if (dimension == 3 || z > 0)
          out.points.emplace_back(x * size.x(), y * size.y(), dimension == 3 ? z * size.z() : 0);
  for (int k = 0; k < dimension; ++k) {
    out.normals.push_back(Vector3d::Unit(k)), out.normals.push_back(-Vector3d::Unit(k));
    out.edges.push_back(Vector3d::Unit(k));
  }
  return out;
}

// Planes through three points that have all others on one side.
void add_faces(Piece& hull, int dimension) {
  const std::vector<Vector3d>& p = hull.points;
  const auto add = [&](Vector3d n, const Vector3d& at) {
    if (!(n.norm() > 1e-12)) return;
    n.normalize();
    double low = 0, high = 0;
    for (const Vector3d& x : p) low = std::min(low, n.dot(x - at)), high = std::max(high, n.dot(x - at));
    if (high > 1e-9 && low < -1e-9) return;
    const Vector3d outward = high > 1e-9 ? Vector3d(-n) : n;
    for (const Vector3d& known : hull.normals)
      if ((known - outward).norm() < 1e-9) return;
    hull.normals.push_back(outward);
  };
  for (std::size_t i = 0; i < p.size(); ++i)
    for (std::size_t j = i + 1; j < p.size(); ++j) {
      hull.edges.push_back((p[j] - p[i]).normalized());  // more than there are: each direction is a bound
      if (dimension == 2) add((p[j] - p[i]).cross(Vector3d::UnitZ()), p[i]);
      for (std::size_t k = j + 1; dimension == 3 && k < p.size(); ++k) add((p[j] - p[i]).cross(p[k] - p[i]), p[i]);
    }
}

Piece core_of(const ShapeDescription& s, int dimension) {
  Piece out;
  const Vector3d axis = dimension == 2 ? Vector3d::UnitY() : Vector3d::UnitZ();
  switch (s.kind) {
    case ShapeKind::kSphere:
      out.points = {Vector3d::Zero()}, out.radius = s.radius;
      break;
    case ShapeKind::kBox:
      out = box_of(s.size, dimension);
      break;
    case ShapeKind::kCapsule:
      out.points = {0.5 * s.length * axis, -0.5 * s.length * axis}, out.edges = {axis}, out.radius = s.radius;
      break;
    case ShapeKind::kCylinder:
      out.kind = Piece::Kind::kCylinder;
      out.points = {0.5 * s.length * axis, -0.5 * s.length * axis}, out.edges = {axis}, out.radius = s.radius;
      out.normals = {axis, -axis};
      break;
    case ShapeKind::kEllipsoid:
      out.kind = Piece::Kind::kEllipsoid, out.radii = s.size;
      break;
    case ShapeKind::kHalfSpace:
      out.kind = Piece::Kind::kPlane;
      out.points = {Vector3d::Zero()}, out.normals = {s.normal.norm() > 0 ? s.normal.normalized() : axis};
      break;
    default:
      out.points = s.vertices;
      add_faces(out, dimension);
  }
  return out;
}

Vector3d gradient_of_support(const Piece& piece, const Vector3d& n) {
  constexpr double kStep = 1e-6;
  Vector3d out;
  for (int k = 0; k < 3; ++k) {
    const Vector3d e = kStep * Vector3d::Unit(k);
    out[k] = (piece.support(n + e) - piece.support(n - e)) / (2 * kStep);
  }
  return out;
}

double overlap(const Piece& a, const Piece& b, const Vector3d& n) { return a.support(n) + b.support(-n); }

// Directions from the points of `a` to the lines and points of `b`.
void add_from_points(const Piece& a, const Piece& b, double sign, std::vector<Vector3d>& out) {
  const bool round = b.kind != Piece::Kind::kHull || b.radius > 0 || a.radius > 0;
  if (!round) return;
  for (const Vector3d& p : a.points)
    for (const Vector3d& q : b.points) {
      out.push_back(sign * (q - p));
      for (const Vector3d& e : b.edges) out.push_back(sign * (q - p - e.dot(q - p) * e));
    }
}

std::vector<Vector3d> directions(const Piece& a, const Piece& b, int dimension) {
  std::vector<Vector3d> out = a.normals;
  for (const Vector3d& n : b.normals) out.push_back(-n);
  if (dimension == 3)
    for (const Vector3d& e : a.edges)
      for (const Vector3d& f : b.edges) out.push_back(e.cross(f)), out.push_back(-out.back());
  add_from_points(a, b, 1, out);
  add_from_points(b, a, -1, out);
  if (a.kind == Piece::Kind::kEllipsoid || b.kind == Piece::Kind::kEllipsoid) out.push_back(b.centre - a.centre);
  return out;
}

// Walks downhill over the unit sphere with ever smaller steps, in eight directions.
double searched(const Piece& a, const Piece& b, Vector3d n, int dimension) {
  double best = overlap(a, b, n);
  for (double step = 0.1; step > 1e-9;) {
    const Vector3d u = dimension == 2 ? Vector3d(Vector3d::UnitZ().cross(n)) : n.unitOrthogonal();
    const Vector3d v = dimension == 2 ? Vector3d(-u) : Vector3d(n.cross(u));
    Vector3d to = n;
    for (int k = 0; k < 8; ++k) {
      const Vector3d other = (n + step * (std::cos(k * M_PI / 4) * u + std::sin(k * M_PI / 4) * v)).normalized();
      if (const double each = overlap(a, b, other); each < best) best = each, to = other;
    }
    if (to == n) step *= 0.5;
    n = to;
  }
  return best;
}

// What is behind each face that has something in front of it: the whole body, where it has one reflex edge.
std::vector<Piece> parts_of_mesh(const ShapeDescription& mesh) {
  std::vector<Piece> out;
  std::vector<Eigen::Vector4d> planes;
  for (const auto& t : mesh.triangles) {
    const Vector3d &a = mesh.vertices[t[0]], &b = mesh.vertices[t[1]], &c = mesh.vertices[t[2]];
    const Vector3d n = (b - a).cross(c - a).normalized();
    Eigen::Vector4d plane;
    plane << n, n.dot(a);
    const auto same = [&](const Eigen::Vector4d& known) { return (known - plane).norm() < 1e-6; };
    if (std::any_of(planes.begin(), planes.end(), same)) continue;
    Piece part;
    for (const Vector3d& x : mesh.vertices)
      if (n.dot(x - a) < 1e-6) part.points.push_back(x);
    if (part.points.size() == mesh.vertices.size()) continue;
    planes.push_back(plane);
    add_faces(part, 3);
    out.push_back(part);
  }
  return out;
}

}  // namespace

Piece Piece::at(const Matrix3d& R, const Vector3d& p) const {
  Piece out = *this;
  for (Vector3d& x : out.points) x = p + R * x;
  for (Vector3d& n : out.normals) n = R * n;
  for (Vector3d& e : out.edges) e = R * e;
  out.axes = R * axes;
  out.centre = p + R * centre;
  return out;
}

double Piece::support(const Vector3d& n) const {
  if (kind == Kind::kPlane) return n == normals[0] ? n.dot(points[0]) : kInfinity;
  if (kind == Kind::kEllipsoid) return n.dot(centre) + radii.cwiseProduct(axes.transpose() * n).norm();
  double most = -kInfinity;
  for (const Vector3d& x : points) most = std::max(most, n.dot(x));
  if (kind == Kind::kCylinder) return most + radius * edges[0].cross(n).norm();
  return most + radius;
}

double Piece::reach(const Vector3d& from) const {
  if (kind == Kind::kPlane) return kInfinity;
  if (kind == Kind::kEllipsoid) return (centre - from).norm() + radii.maxCoeff();
  double most = 0;
  for (const Vector3d& x : points) {
    const Vector3d d = x - from;
    if (kind == Kind::kCylinder)
      most = std::max(most, std::hypot(edges[0].dot(d), (d - edges[0].dot(d) * edges[0]).norm() + radius));
    else
      most = std::max(most, d.norm() + radius);
  }
  return most;
}

std::vector<Piece> pieces_of(const ShapeDescription& shape, int dimension) {
  if (shape.kind == ShapeKind::kHeightField || (shape.kind == ShapeKind::kMesh && dimension == 2)) return {};
  std::vector<Piece> out =
      shape.kind == ShapeKind::kMesh ? parts_of_mesh(shape) : std::vector<Piece>{core_of(shape, dimension)};
  for (Piece& p : out) p = p.at(rotation_of(shape.placement, dimension), shape.placement.position);
  return out;
}

double depth(const Piece& a, const Piece& b, int dimension) {
  if (a.kind == Piece::Kind::kPlane) return overlap(a, b, a.normals[0]);
  if (b.kind == Piece::Kind::kPlane) return overlap(b, a, b.normals[0]);
  double least = kInfinity;
  Vector3d best = Vector3d::UnitX();
  for (const Vector3d& d : directions(a, b, dimension)) {
    const double length = d.norm();
    if (!(length > 1e-9)) continue;
    if (const double each = overlap(a, b, d / length); each < least) least = each, best = d / length;
  }
  const auto curved = [](const Piece& p) { return p.kind != Piece::Kind::kHull; };
  return curved(a) || curved(b) ? searched(a, b, best, dimension) : least;
}

Ground::Ground(const ShapeDescription& field, const Matrix3d& R, const Vector3d& p) {
  const auto [nx, ny] = field.grid;
  const auto at = [&](std::uint32_t i, std::uint32_t j) {
    const Vector3d local(field.spacing * (i - 0.5 * (nx - 1)), field.spacing * (j - 0.5 * (ny - 1)),
                         field.heights[j * nx + i]);
    return Vector3d(p + R * local);
  };
  const auto add = [&](const Vector3d& a, const Vector3d& b, const Vector3d& c) {
    triangles_.push_back({a, b, c, (b - a).cross(c - a).normalized()});
  };
  for (std::uint32_t j = 0; j + 1 < ny; ++j)
    for (std::uint32_t i = 0; i + 1 < nx; ++i) {
      add(at(i, j), at(i + 1, j), at(i + 1, j + 1));
      add(at(i, j), at(i + 1, j + 1), at(i, j + 1));
    }
}

double Ground::depth(const Piece& piece) const {
  double most = -kInfinity, highest = -kInfinity;  // the latter of the ground below the piece's box
  Vector3d lower, upper;
  for (int k = 0; k < 3; ++k)
    lower[k] = -piece.support(-Vector3d::Unit(k)), upper[k] = piece.support(Vector3d::Unit(k));
  const double over = (upper - lower).norm();  // triangles that far to the side may be the nearest
  for (const Triangle& t : triangles_) {
    const Vector3d least = t.a.cwiseMin(t.b).cwiseMin(t.c), greatest = t.a.cwiseMax(t.b).cwiseMax(t.c);
    if (((least - upper).head<2>().array() > over).any() || ((lower - greatest).head<2>().array() > over).any())
      continue;
    const auto beside = [&](const Vector3d& x, const Vector3d& y) { return ((x - y).head<2>().array() > 0).any(); };
    if (!beside(least, upper) && !beside(lower, greatest)) highest = std::max(highest, greatest.z());
    const double below = piece.support(-t.normal) + t.normal.dot(t.a);
    if (below <= most || below < -over) continue;
    // Corners that lie over it; of round pieces the deepest point, by the gradient of the support function.
    std::vector<Vector3d> points;
    if (piece.kind == Piece::Kind::kHull)
      for (const Vector3d& x : piece.points) points.push_back(x - piece.radius * t.normal);
    else
      points.push_back(gradient_of_support(piece, -t.normal));
    for (const Vector3d& x : points) {
      const auto left = [&](const Vector3d& a, const Vector3d& b) {
        return (b - a).cross(x - a).dot(t.normal) > -1e-9;
      };
      if (left(t.a, t.b) && left(t.b, t.c) && left(t.c, t.a)) most = std::max(most, t.normal.dot(t.a - x));
    }
  }
  return std::max(most, std::min(0.0, highest - lower.z()));
}

}  // namespace touchstone::audit

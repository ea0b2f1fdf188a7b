#include "geometry/mass_properties.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/key_error.h"
#include "geometry/surface.h"

namespace touchstone {
namespace {

constexpr double kPi = std::numbers::pi;

AngMat<2> polar(double value) { return AngMat<2>(value); }
Mat<3> diagonal(double x, double y, double z) { return Vec<3>(x, y, z).asDiagonal(); }
// Inertia from the second moments ∫x xᵀ dm.
Mat<3> inertia_of_moments(const Mat<3>& moments) { return moments.trace() * Mat<3>::Identity() - moments; }

// Parallel axes: what the inertia about a point at `offset` from the centre exceeds the central one by.
AngMat<2> steiner(double mass, const Vec<2>& offset) { return polar(mass * offset.squaredNorm()); }
Mat<3> steiner(double mass, const Vec<3>& offset) { return inertia_of_moments(mass * offset * offset.transpose()); }

// Sums over simplices from a base point near the shape, which keeps them well conditioned far from the origin.
struct AreaSum {
  explicit AreaSum(const Vec<2>& origin) : base(origin) {}
  void add(const Vec<2>& from, const Vec<2>& to) {  // the triangle (base, from, to)
    const Vec<2> a = from - base, b = to - base;
    const double twice = torque_of(a, b)[0];
    area += twice / 2;
    first += twice / 6 * (a + b);
    second += twice / 12 * (a.squaredNorm() + b.squaredNorm() + a.dot(b));
  }
  MassProperties<2> times(double density) const {
    MassProperties<2> out;
    out.mass = density * area;
    const Vec<2> arm = first / area;
    out.center = base + arm;
    out.inertia = polar(density * second) - steiner(out.mass, arm);
    return out;
  }

  Vec<2> base, first = Vec<2>::Zero();
  double area = 0, second = 0;
};

struct VolumeSum {
  explicit VolumeSum(const Vec<3>& origin) : base(origin) {}
  void add(const Vec<3>& p, const Vec<3>& q, const Vec<3>& r) {  // the tetrahedron (base, p, q, r)
    const Vec<3> a = p - base, b = q - base, c = r - base, sum = a + b + c;
    const double six = a.dot(cross(b, c));
    volume += six / 6;
    first += six / 24 * sum;
    second += six / 120 * (sum * sum.transpose() + a * a.transpose() + b * b.transpose() + c * c.transpose());
  }
  MassProperties<3> times(double density) const {
    MassProperties<3> out;
    out.mass = density * volume;
    const Vec<3> arm = first / volume;
    out.center = base + arm;
    out.inertia = inertia_of_moments(density * second) - steiner(out.mass, arm);
    return out;
  }

  Vec<3> base, first = Vec<3>::Zero();
  Mat<3> second = Mat<3>::Zero();
  double volume = 0;
};

MassProperties<2> of_polygon(const Polytope<2>& hull, double density) {
  AreaSum sum(hull.vertices.front());
  for (std::size_t i = 1; i + 1 < hull.vertices.size(); ++i) sum.add(hull.vertices[i], hull.vertices[i + 1]);
  return sum.times(density);
}

MassProperties<3> of_polyhedron(const Polytope<3>& hull, double density) {
  VolumeSum sum(hull.vertices.front());
  for (std::size_t f = 0; f < hull.face_count(); ++f) {
    const auto face = hull.face(f);
    for (std::size_t i = 1; i + 1 < face.size(); ++i)
      sum.add(hull.vertices[face[0]], hull.vertices[face[i]], hull.vertices[face[i + 1]]);
  }
  return sum.times(density);
}

// The outline of a closed chain runs clockwise: its front is on its left, outside.
MassProperties<2> of_surface(const Surface<2>& s, double density) {
  AreaSum sum(s.vertices.front());
  for (const auto& p : s.pieces) sum.add(s.vertices[p[1]], s.vertices[p[0]]);
  return sum.times(density);
}

MassProperties<3> of_surface(const Surface<3>& s, double density) {
  VolumeSum sum(s.vertices.front());
  for (const auto& p : s.pieces) sum.add(s.vertices[p[0]], s.vertices[p[1]], s.vertices[p[2]]);
  return sum.times(density);
}

[[noreturn]] void refuse_open(const Surface<2>&) {
  throw Error(ErrorKind::kBadInput,
              "an open chain encloses no area, so that a dynamic body has no mass from it; add closed = true, or give "
              "the body a mass and an inertia");
}

// Whether all vertices lie in a plane, to what hulls ask for: then it has no hull either.
bool is_flat(const Surface<3>& s) {
  constexpr double kFlat = 1e-9;  // of the size, as in convex_hull
  const auto farthest = [&](auto&& measure) {
    return *std::max_element(s.vertices.begin(), s.vertices.end(),
                             [&](const Vec<3>& x, const Vec<3>& y) { return measure(x) < measure(y); });
  };
  const Vec<3> o = s.vertices.front(), along = farthest([&](const Vec<3>&x) { return (x - o).squaredNorm(); }) - o;
  const Vec<3> beside = farthest([&](const Vec<3>& x) { return cross(Vec<3>(x - o), along).squaredNorm(); }) - o;
  const Vec<3> n = cross(along, beside).normalized();
  const Vec<3> above = farthest([&](const Vec<3>& x) { return std::abs(n.dot(x - o)); }) - o;
  return std::abs(n.dot(above)) <= kFlat * along.norm();
}

[[noreturn]] void refuse_open(const Surface<3>& s) {
  std::string where = "encloses no volume";
  for (std::size_t i = s.pieces.size(); i-- > 0;)  // the first one is the last that is written
    for (std::size_t k = 3; k-- > 0;)
      if (s.edges[i][k] == EdgeKind::kOpen)
        where = fmt::format("is open at the edge from {} to {}", place_text<3>(s.vertices[s.pieces[i][k]]),
                            place_text<3>(s.vertices[s.pieces[i][(k + 1) % 3]]));
  throw Error(ErrorKind::kBadInput,
              fmt::format("the mesh {}, so that a dynamic body has no mass from it; {}", where,
                          is_flat(s) ? "close it, or give the body a mass and an inertia"
                                     : "close it, give the body a mass and an inertia, or take as = \"hull\" or as = "
                                       "\"convex_parts\""));
}

MassProperties<2> of_shape(const Shape<2>& s, double density) {
  MassProperties<2> out;
  const double r = s.radius, a = s.half_length;
  switch (s.kind) {
    case ShapeKind::kSphere:
      out.mass = density * kPi * r * r;
      out.inertia = polar(out.mass * r * r / 2);
      break;
    case ShapeKind::kBox:
      out.mass = density * 4 * s.half.prod();
      out.inertia = polar(out.mass * s.half.squaredNorm() / 3);
      break;
    case ShapeKind::kCapsule: {  // rectangle 2r × 2a and two half discs whose centroids are 4r/3π past its ends
      const double rectangle = density * 4 * r * a, discs = density * kPi * r * r;
      const double centroid = 4 * r / (3 * kPi);
      out.mass = rectangle + discs;
      const double disc_about_centroid = discs * (r * r / 2 - centroid * centroid);
      out.inertia =
          polar(rectangle * (r * r + a * a) / 3 + disc_about_centroid + discs * (a + centroid) * (a + centroid));
      break;
    }
    case ShapeKind::kEllipsoid:
      out.mass = density * kPi * s.half.prod();
      out.inertia = polar(out.mass * s.half.squaredNorm() / 4);
      break;
    case ShapeKind::kConvex:
      return of_polygon(*s.hull, density);
    case ShapeKind::kMesh:
      return of_surface(*s.mesh, density);
    default:
      break;
  }
  return out;
}

MassProperties<3> of_shape(const Shape<3>& s, double density) {
  MassProperties<3> out;
  const double r = s.radius, a = s.half_length;
  const Vec<3> q = s.half.cwiseAbs2();
  switch (s.kind) {
    case ShapeKind::kSphere:
      out.mass = density * 4 / 3 * kPi * r * r * r;
      out.inertia = out.mass * 2 / 5 * r * r * Mat<3>::Identity();
      break;
    case ShapeKind::kBox:
      out.mass = density * 8 * s.half.prod();
      out.inertia = out.mass / 3 * diagonal(q[1] + q[2], q[0] + q[2], q[0] + q[1]);
      break;
    case ShapeKind::kEllipsoid:
      out.mass = density * 4 / 3 * kPi * s.half.prod();
      out.inertia = out.mass / 5 * diagonal(q[1] + q[2], q[0] + q[2], q[0] + q[1]);
      break;
    case ShapeKind::kCylinder: {
      out.mass = density * kPi * r * r * 2 * a;
      const double across = out.mass * (r * r / 4 + a * a / 3);
      out.inertia = diagonal(across, across, out.mass * r * r / 2);
      break;
    }
    case ShapeKind::kCapsule: {  // cylinder and two half balls whose centroids are 3r/8 past its ends
      const double cylinder = density * kPi * r * r * 2 * a, ball = density * 4 / 3 * kPi * r * r * r;
      out.mass = cylinder + ball;
      const double centroid = 3 * r / 8;
      const double ball_across = ball * (2 * r * r / 5 - centroid * centroid + (a + centroid) * (a + centroid));
      const double across = cylinder * (r * r / 4 + a * a / 3) + ball_across;
      out.inertia = diagonal(across, across, cylinder * r * r / 2 + ball * 2 * r * r / 5);
      break;
    }
    case ShapeKind::kConvex:
      return of_polyhedron(*s.hull, density);
    case ShapeKind::kMesh:
      return of_surface(*s.mesh, density);
    default:
      break;
  }
  return out;
}

}  // namespace

template <int D>
bool has_volume(const Shape<D>& shape) {
  if (shape.kind == ShapeKind::kMesh) return shape.mesh->closed;
  return shape.kind != ShapeKind::kHalfSpace && shape.kind != ShapeKind::kHeightField;
}

template <int D>
MassProperties<D> mass_properties(const Shape<D>& shape, double density) {
  if (shape.kind == ShapeKind::kHalfSpace)
    throw Error(ErrorKind::kBadInput,
                "a half_space is infinite and has no mass; only static and kinematic bodies may have one");
  if (shape.kind == ShapeKind::kHeightField)
    throw Error(
        ErrorKind::kBadInput,
        "a height_field encloses no volume and has no mass; make the body static or kinematic, or give it a mass "
        "and an inertia");
  if (shape.kind == ShapeKind::kMesh && !shape.mesh->closed) refuse_open(*shape.mesh);
  return of_shape(shape, density);
}

template <int D>
MassProperties<D> moved(const MassProperties<D>& properties, const Pose<D>& pose) {
  return {properties.mass, pose.p + matrix_of(pose.R) * properties.center, rotate_tensor(pose.R, properties.inertia)};
}

template <int D>
PrincipalInertia<D> principal_inertia(const AngMat<D>& inertia) {
  PrincipalInertia<D> out{inertia.diagonal(), identity_rotation<D>()};
  if constexpr (D == 3) {
    Mat<3> products = inertia;
    products.diagonal().setZero();
    if (products.cwiseAbs().maxCoeff() > 1e-12 * inertia.trace()) {
      const Eigen::SelfAdjointEigenSolver<Mat<3>> solver(inertia);
      Mat<3> axes = solver.eigenvectors();
      if (axes.determinant() < 0) axes.col(0) = -axes.col(0);
      out = {solver.eigenvalues(), Eigen::Quaterniond(axes).normalized()};
    }
  }
  return out;
}

template <int D>
MassProperties<D> combined(const MassProperties<D>& a, const MassProperties<D>& b) {
  if (a.mass == 0) return b;
  if (b.mass == 0) return a;
  MassProperties<D> out;
  out.mass = a.mass + b.mass;
  out.center = (a.mass * a.center + b.mass * b.center) / out.mass;
  out.inertia = a.inertia + steiner(a.mass, Vec<D>(a.center - out.center)) + b.inertia +
                steiner(b.mass, Vec<D>(b.center - out.center));
  return out;
}

template <int D>
void check_physical(const MassProperties<D>& properties) {
  if (!(properties.mass > 0) || !std::isfinite(properties.mass))
    throw KeyError(ErrorKind::kBadInput, "mass",
                   fmt::format("mass is {} kg; it must be positive and finite", properties.mass));
  const AngMat<D>& inertia = properties.inertia;
  if (!inertia.allFinite()) throw KeyError(ErrorKind::kBadInput, "inertia", "inertia is not finite");
  if constexpr (D == 2) {
    if (!(inertia(0, 0) > 0))
      throw KeyError(ErrorKind::kBadInput, "inertia",
                     fmt::format("inertia is {} kg·m²; it must be positive", inertia(0, 0)));
  } else {
    if (!inertia.isApprox(inertia.transpose(), 1e-12))
      throw KeyError(ErrorKind::kBadInput, "inertia", "inertia must be symmetric");
    const Vec<3> m = Eigen::SelfAdjointEigenSolver<Mat<3>>(inertia, Eigen::EigenvaluesOnly).eigenvalues();
    if (!(m[0] > 0))
      throw KeyError(ErrorKind::kBadInput, "inertia",
                     fmt::format("inertia has a principal moment of {} kg·m²; all must be positive", m[0]));
    // A flat body has equality; the slack is rounding.
    if (m[0] + m[1] < m[2] * (1 - 1e-9))
      throw KeyError(
          ErrorKind::kBadInput, "inertia",
          fmt::format("inertia is not physical: its principal moments {:.6g}, {:.6g} and {:.6g} kg·m² violate "
                      "the triangle inequality (each must be at most the sum of the other two)",
                      m[0], m[1], m[2]));
  }
}

template bool has_volume(const Shape<2>&);
template bool has_volume(const Shape<3>&);
template MassProperties<2> mass_properties(const Shape<2>&, double);
template MassProperties<3> mass_properties(const Shape<3>&, double);
template MassProperties<2> moved(const MassProperties<2>&, const Pose<2>&);
template MassProperties<3> moved(const MassProperties<3>&, const Pose<3>&);
template PrincipalInertia<2> principal_inertia<2>(const AngMat<2>&);
template PrincipalInertia<3> principal_inertia<3>(const AngMat<3>&);
template MassProperties<2> combined(const MassProperties<2>&, const MassProperties<2>&);
template MassProperties<3> combined(const MassProperties<3>&, const MassProperties<3>&);
template void check_physical(const MassProperties<2>&);
template void check_physical(const MassProperties<3>&);

}  // namespace touchstone

#include "peers/shapes.h"

#include <cmath>

#include "touchstone/error.h"

namespace touchstone::testing {
namespace {

constexpr double kThinness = 1e-6;

template <int D>
ShapeDescription random_hull(Dice& dice, double size, bool thin) {
  ShapeDescription d;
  d.kind = ShapeKind::kConvex;
  const int count = D + 1 + dice.below(dice.below(2) ? 4 : 40 - D);
  const int style = dice.below(4);
  for (int i = 0; i < count; ++i) {
    Vec<D> v = dice.direction<D>();
    if (style == 1) v *= dice.between(0.3, 1);                 // some points fall inside
    if (style == 2) v = (3 * v).array().round().matrix() / 3;  // lattice: coplanar and parallel faces
    if (style == 3) v[D - 1] = i % 2 ? 0.5 : -0.5;             // a prism, more or less
    d.vertices.push_back(widen<D>(size * v));
  }
  if (thin)
    for (auto& v : d.vertices) v[D - 1] *= kThinness;
  return d;
}

template <int D>
std::optional<Shape<D>> try_hull(Dice& dice, double size, bool thin) {
  try {
    return make_shape<D>(random_hull<D>(dice, size, thin));
  } catch (const Error&) {  // flat: the points happened to lie in a plane
    return std::nullopt;
  }
}

template <int D>
Vec<D> outward(const Shape<D>& s, const Vec<D>& n) {  // the extreme point along n
  switch (s.kind) {
    case ShapeKind::kSphere:
      return s.radius * n;
    case ShapeKind::kEllipsoid: {
      const Vec<D> scaled = s.half.cwiseProduct(n);
      return s.half.cwiseProduct(scaled) / scaled.norm();
    }
    case ShapeKind::kBox: {
      Vec<D> x;
      for (int i = 0; i < D; ++i) x[i] = n[i] < 0 ? -s.half[i] : s.half[i];
      return x;
    }
    case ShapeKind::kCapsule: {
      Vec<D> x = s.radius * n;
      x[D - 1] += n[D - 1] < 0 ? -s.half_length : s.half_length;
      return x;
    }
    case ShapeKind::kCylinder: {
      Vec<D> x = n;
      x[D - 1] = 0;
      x *= s.radius / x.norm();
      x[D - 1] = n[D - 1] < 0 ? -s.half_length : s.half_length;
      return x;
    }
    default: {
      Vec<D> best = s.hull->vertices[0];
      for (const Vec<D>& v : s.hull->vertices)
        if (v.dot(n) > best.dot(n)) best = v;
      return best;
    }
  }
}

template <int D>
SurfacePoint<D> box_point(const Shape<D>& s, Feature feature, Dice& dice) {
  // As many axes as the feature has normals of faces around it are at their end; along the others the point is free.
  const int fixed = feature == Feature::kFace ? 1 : 2, first = dice.below(D);
  SurfacePoint<D> out{Vec<D>::Zero(), Vec<D>::Zero()};
  for (int k = 0; k < D; ++k) {
    const int i = (first + k) % D;
    const double side = dice.below(2) ? 1 : -1;
    out.x[i] = k < fixed ? side * s.half[i] : dice.between(-1, 1) * s.half[i];
    if (k < fixed) out.normal[i] = side * dice.between(0.05, 1);
  }
  out.normal.normalize();
  return out;
}

SurfacePoint<2> hull_point(const Polytope<2>& hull, Feature, Dice& dice) {
  const auto i = static_cast<std::size_t>(dice.below(static_cast<int>(hull.vertices.size())));
  const double t = dice.unit();
  return {(1 - t) * hull.vertices[i] + t * hull.vertices[hull.next(i)], hull.normals[i]};
}

SurfacePoint<3> hull_point(const Polytope<3>& hull, Feature feature, Dice& dice) {
  if (feature == Feature::kEdge) {
    const auto& e = hull.edges[static_cast<std::size_t>(dice.below(static_cast<int>(hull.edges.size())))];
    const double t = dice.unit(), u = dice.unit();
    const Vec<3> n = (1 - u) * hull.normals[e.left] + u * hull.normals[e.right];
    return {(1 - t) * hull.vertices[e.tail] + t * hull.vertices[e.head], n.normalized()};
  }
  const auto f = static_cast<std::size_t>(dice.below(static_cast<int>(hull.face_count())));
  Vec<3> x = Vec<3>::Zero();
  double sum = 0;
  for (const std::uint32_t v : hull.face(f)) {
    const double w = dice.unit() + 1e-3;
    x += w * hull.vertices[v], sum += w;
  }
  return {x / sum, hull.normals[f]};
}

}  // namespace

template <int D>
Shape<D> make_random_shape(Dice& dice, double size, bool thin) {
  ShapeDescription d;
  constexpr ShapeKind kKinds[] = {ShapeKind::kSphere, ShapeKind::kBox,       ShapeKind::kCapsule,
                                  ShapeKind::kConvex, ShapeKind::kEllipsoid, ShapeKind::kCylinder};
  d.kind = kKinds[dice.below(D == 2 ? 5 : 6)];
  if (thin && d.kind == ShapeKind::kSphere) d.kind = ShapeKind::kBox;
  if (d.kind == ShapeKind::kConvex) {
    for (int tries = 0; tries < 3; ++tries)
      if (const auto hull = try_hull<D>(dice, size, thin)) return *hull;
    d.kind = ShapeKind::kBox;
  }
  d.radius = size * dice.between(0.1, 1);
  d.length = size * dice.between(0.1, 2);
  d.size = size * Eigen::Vector3d(dice.between(0.1, 1), dice.between(0.1, 1), dice.between(0.1, 1));
  if (dice.below(4) == 0) d.size = size * Eigen::Vector3d::Ones(), d.radius = size, d.length = 2 * size;
  if (thin) {
    d.size[dice.below(D)] = kThinness * size;
    (dice.below(2) || d.kind == ShapeKind::kCapsule ? d.radius : d.length) = kThinness * size;
  }
  return make_shape<D>(d);
}

template <int D>
SurfacePoint<D> surface_point(const Shape<D>& s, Feature feature, Dice& dice) {
  if (feature != Feature::kPoint && s.kind == ShapeKind::kBox) return box_point(s, feature, dice);
  if (feature != Feature::kPoint && s.kind == ShapeKind::kConvex) return hull_point(*s.hull, feature, dice);
  Vec<D> n = dice.direction<D>();
  const bool rod = s.kind == ShapeKind::kCapsule || s.kind == ShapeKind::kCylinder;
  if (rod && feature == Feature::kFace && s.kind == ShapeKind::kCylinder) {  // the cap
    n = (dice.below(2) ? 1 : -1) * Vec<D>::Unit(D - 1);
    Vec<D> x = s.radius * dice.between(0, 1) * dice.direction<D>();
    x[D - 1] = n[D - 1] * s.half_length;
    return {x, n};
  }
  if (rod && feature != Feature::kPoint) {  // a line of the side
    n[D - 1] = 0;
    n.normalize();
    Vec<D> x = s.radius * n;
    x[D - 1] = dice.between(-1, 1) * s.half_length;
    return {x, n};
  }
  return {outward(s, n), n};
}

template Shape<2> make_random_shape(Dice&, double, bool);
template Shape<3> make_random_shape(Dice&, double, bool);
template SurfacePoint<2> surface_point(const Shape<2>&, Feature, Dice&);
template SurfacePoint<3> surface_point(const Shape<3>&, Feature, Dice&);

}  // namespace touchstone::testing

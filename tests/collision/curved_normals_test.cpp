// Pairs of shapes that touch, or are slightly apart or in each other, at features whose common normal is known: the
// shapes are turned so that a chosen feature of each looks along it, and placed so that a chosen point of each meets.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numbers>

#include "collision/narrow/narrow.h"
#include "collision/shapes.h"
#include "geometry/hull.h"

namespace touchstone {
namespace {

using namespace touchstone::testing;

constexpr double kAngle = 1e-9;    // rad
constexpr double kLength = 1e-11;  // m, for shapes of about a metre

enum class Kind { kPoint, kRound, kRim, kLine, kFace };  // kRound: curved both ways

// A feature in its shape's frame: a direction that it looks along, and a point of it.
template <int D>
struct Spot {
  Kind kind = Kind::kPoint;
  Vec<D> outward, point;
  Vec<D> along = Vec<D>::Zero();  // of a line, or of a rim
};

template <int D>
Spot<D> on_ellipsoid(const Shape<D>& s, Random& random) {
  const Vec<D> n = random.unit<D>(), scaled = s.half.cwiseProduct(n);
  return {Kind::kRound, n, s.half.cwiseProduct(scaled) / scaled.norm()};
}

Spot<3> on_cylinder(const Shape<3>& s, Random& random) {
  const double angle = random.in(-3, 3), side = random.in(-1, 1) < 0 ? -1 : 1;
  const Vec<3> radial(std::cos(angle), std::sin(angle), 0), axis(0, 0, 1),
      tangent(-std::sin(angle), std::cos(angle), 0);
  switch (random.below(3)) {
    case 0:
      return {Kind::kLine, radial, s.radius * radial + random.in(-0.9, 0.9) * s.half_length * axis, axis};
    case 1:
      return {Kind::kFace, side * axis, random.in(0, 0.9) * s.radius * radial + side * s.half_length * axis};
    default: {
      const double tilt = random.in(0.2, 1.3);
      return {Kind::kRim, std::cos(tilt) * radial + side * std::sin(tilt) * axis,
              s.radius * radial + side * s.half_length * axis, tangent};
    }
  }
}

template <int D>
Spot<D> on_capsule(const Shape<D>& s, Random& random) {
  Vec<D> axis = Vec<D>::Unit(D - 1);
  if (random.below(2) == 0) {
    Vec<D> radial = random.unit<D>();
    radial = (radial - axis * axis.dot(radial)).normalized();
    return {D == 2 ? Kind::kFace : Kind::kLine, radial, s.radius * radial + random.in(-0.9, 0.9) * s.half_length * axis,
            axis};
  }
  Vec<D> n = random.unit<D>();
  const double end = n[D - 1] < 0 ? -1 : 1;
  return {Kind::kPoint, n, end * s.half_length * axis + s.radius * n};
}

Spot<2> on_polytope(const Polytope<2>& p, const Vec<2>& scale, Random& random) {
  const auto e = static_cast<std::size_t>(random.below(static_cast<int>(p.normals.size())));
  const Vec<2> from = scale.cwiseProduct(p.vertices[e]), to = scale.cwiseProduct(p.vertices[p.next(e)]);
  if (random.below(2) == 0) return {Kind::kFace, p.normals[e], from + random.in(0.1, 0.9) * (to - from)};
  const double w = random.in(0.1, 0.9);
  return {Kind::kPoint, (w * p.normals[e] + (1 - w) * p.normals[p.next(e)]).normalized(), to};
}

Spot<3> on_polytope(const Polytope<3>& p, const Vec<3>& scale, Random& random) {
  const auto vertex = [&](std::size_t v) { return Vec<3>(scale.cwiseProduct(p.vertices[v])); };
  const auto e = static_cast<std::size_t>(random.below(static_cast<int>(p.edges.size())));
  const auto& edge = p.edges[e];
  const double w = random.in(0.1, 0.9);
  switch (random.below(3)) {
    case 0: {
      Vec<3> x = Vec<3>::Zero();
      double sum = 0;
      for (const std::uint32_t v : p.face(edge.left)) {
        const double share = random.in(0.1, 1);
        x += share * vertex(v), sum += share;
      }
      return {Kind::kFace, p.normals[edge.left], x / sum};
    }
    case 1:
      return {Kind::kLine, (w * p.normals[edge.left] + (1 - w) * p.normals[edge.right]).normalized(),
              vertex(edge.tail) + random.in(0.1, 0.9) * (vertex(edge.head) - vertex(edge.tail)),
              (vertex(edge.head) - vertex(edge.tail)).normalized()};
    default: {
      Vec<3> n = Vec<3>::Zero();
      for (const std::uint32_t at : p.edges_at(edge.tail))
        for (const std::uint32_t f : {p.edges[at].left, p.edges[at].right}) n += random.in(0.1, 1) * p.normals[f];
      return {Kind::kPoint, n.normalized(), vertex(edge.tail)};
    }
  }
}

template <int D>
Spot<D> spot_on(const Shape<D>& s, Random& random) {
  switch (s.kind) {
    case ShapeKind::kSphere: {
      const Vec<D> n = random.unit<D>();
      return {Kind::kRound, n, s.radius * n};
    }
    case ShapeKind::kEllipsoid:
      return on_ellipsoid<D>(s, random);
    case ShapeKind::kCapsule:
      return on_capsule<D>(s, random);
    case ShapeKind::kBox:
      return on_polytope(unit_box<D>(), s.half, random);
    case ShapeKind::kConvex:
      return on_polytope(*s.hull, Vec<D>(Vec<D>::Ones()), random);
    default:
      if constexpr (D == 3) return on_cylinder(s, random);
      return {};
  }
}

// A rotation that takes `from` to `to`, with any turn about it.
Mat<2> turn_to(const Vec<2>& from, const Vec<2>& to, Random&) {
  const Mat<2> F = (Mat<2>() << from[0], -from[1], from[1], from[0]).finished(),
               T = (Mat<2>() << to[0], -to[1], to[1], to[0]).finished();
  return T * F.transpose();
}
Mat<3> turn_to(const Vec<3>& from, const Vec<3>& to, Random& random) {
  const auto frame = [](const Vec<3>& z) {
    Mat<3> F;
    int least = 0;
    z.cwiseAbs().minCoeff(&least);
    F.col(2) = z;
    F.col(0) = cross(z, Vec<3>(Vec<3>::Unit(least))).normalized();
    F.col(1) = cross(z, Vec<3>(F.col(0)));
    return F;
  };
  return frame(to) * Eigen::AngleAxisd(random.in(-3, 3), Vec<3>::UnitZ()).matrix() * frame(from).transpose();
}

template <int D>
double core_radius(const Shape<D>& s) {
  return s.kind == ShapeKind::kSphere || s.kind == ShapeKind::kCapsule ? s.radius : 0;
}

// Whether the placed features have one normal, with a depth of theirs against which no other way out is shorter.
template <int D>
bool has_normal(const Spot<D>& a, const Mat<D>& Ra, const Spot<D>& b, const Mat<D>& Rb, double core_gap) {
  if (core_gap > 1e-5) return true;  // any two points that are apart
  if (a.kind == Kind::kFace || b.kind == Kind::kFace) return true;
  if (a.kind == Kind::kRound || b.kind == Kind::kRound) return core_gap >= -1e-3;
  if (a.kind == Kind::kPoint || b.kind == Kind::kPoint) return false;
  // Lines and rims, which curve about one axis only, must cross.
  const Vec<D> ea = Ra * a.along, eb = Rb * b.along;
  return std::abs(ea.dot(eb)) < 0.9 && (core_gap >= -1e-4 || (a.kind == Kind::kLine && b.kind == Kind::kLine));
}

template <int D>
Shape<D> shape_of(ShapeKind kind, Random& random) {
  for (;;)
    if (Shape<D> s = random.shape<D>(1); s.kind == kind) return s;
}

template <int D>
struct Pair {
  Shape<D> a, b;
  Vec<D> pa = Vec<D>::Zero(), pb = Vec<D>::Zero();
  Mat<D> Ra = Mat<D>::Identity(), Rb = Mat<D>::Identity();
  Vec<D> normal = Vec<D>::Zero();
  double gap = 0;
};

template <int D>
bool make_pair(ShapeKind ka, ShapeKind kb, double gap, Random& random, Pair<D>& out) {
  out.a = shape_of<D>(ka, random), out.b = shape_of<D>(kb, random);
  const Spot<D> sa = spot_on<D>(out.a, random), sb = spot_on<D>(out.b, random);
  out.normal = random.unit<D>();
  out.Ra = turn_to(sa.outward, out.normal, random);
  out.Rb = turn_to(sb.outward, Vec<D>(-out.normal), random);
  if (!has_normal<D>(sa, out.Ra, sb, out.Rb, gap + core_radius(out.a) + core_radius(out.b))) return false;
  out.pa = random.point<D>(1);
  out.gap = gap;
  out.pb = out.pa + out.Ra * sa.point + gap * out.normal - out.Rb * sb.point;
  return true;
}

template <int D>
void expect_normal(const Pair<D>& pair) {
  const Placed<D> a{pair.a, pair.pa, pair.Ra}, b{pair.b, pair.pb, pair.Rb};
  PairMemory memory;
  Closest<D> c;
  ASSERT_TRUE(closest_of(a, b, 0.01, memory, c));
  EXPECT_LT((c.normal - pair.normal).norm(), kAngle);
  EXPECT_NEAR(c.gap, pair.gap, kLength);
  EXPECT_LT((c.on_b - c.on_a - c.gap * c.normal).norm(), kLength);
  ContactPoints<D> points;
  PairMemory fresh;
  collide(a, b, 0.01, NarrowPhaseKind::kAuto, fresh, points);
  ASSERT_FALSE(points.empty());
  double least = 1;
  for (const ContactPoint<D>& p : points) {
    EXPECT_LT((p.normal - pair.normal).norm(), kAngle);
    least = std::min(least, p.gap);
  }
  EXPECT_NEAR(least, pair.gap, 1e-7);  // corners of a rim stand for its lowest point
}

template <int D>
void check_all(const std::vector<ShapeKind>& kinds, unsigned seed, int rounds) {
  Random random(seed);
  for (std::size_t i = 0; i < kinds.size(); ++i)
    for (std::size_t j = 0; j < kinds.size(); ++j)
      for (const double gap : {-1e-2, -1e-4, -1e-6, 0.0, 1e-6, 1e-3})
        for (int k = 0; k < rounds; ++k) {
          const bool flat = (kinds[i] == ShapeKind::kBox || kinds[i] == ShapeKind::kConvex) &&
                            (kinds[j] == ShapeKind::kBox || kinds[j] == ShapeKind::kConvex);
          Pair<D> pair;
          if (flat || !make_pair<D>(kinds[i], kinds[j], gap, random, pair)) continue;
          SCOPED_TRACE(
              fmt::format("{} on {}, gap {}, round {}", shape_name(kinds[i], D), shape_name(kinds[j], D), gap, k));
          expect_normal(pair);
        }
}

TEST(CurvedNormals, AreExactAtEveryPairOfFeaturesInSpace) {
  using enum ShapeKind;
  check_all<3>({kSphere, kBox, kCapsule, kConvex, kEllipsoid, kCylinder}, 7, 40);
}

TEST(CurvedNormals, AreExactAtEveryPairOfFeaturesInThePlane) {
  using enum ShapeKind;
  check_all<2>({kSphere, kBox, kCapsule, kConvex, kEllipsoid}, 8, 40);
}

// Side by side: the normal runs from axis to axis, whatever the turn about them and the shift along them.
TEST(CurvedNormals, OfParallelCylindersRunFromAxisToAxis) {
  Random random(9);
  for (const double gap : {-1e-2, -1e-4, -1e-6, 0.0, 1e-6, 1e-3})
    for (int k = 0; k < 200; ++k) {
      const double la = random.in(0.2, 1), lb = random.in(0.2, 1), ra = random.in(0.1, 1), rb = random.in(0.1, 1);
      const bool capsule = k % 4 == 0;
      Pair<3> pair{cylinder_of(ra, la), capsule ? capsule_of<3>(rb, lb) : cylinder_of(rb, lb)};
      pair.Ra = random.rotation<3>();
      const double angle = random.in(-3, 3);
      pair.normal = pair.Ra * Vec<3>(std::cos(angle), std::sin(angle), 0);
      pair.Rb = pair.Ra * Eigen::AngleAxisd(random.in(-3, 3), Vec<3>::UnitZ()).matrix();
      if (k % 2) pair.Rb = pair.Rb * Eigen::AngleAxisd(std::numbers::pi, Vec<3>::UnitX()).matrix();
      pair.pa = random.point<3>(1);
      pair.gap = gap;
      pair.pb = pair.pa + (ra + rb + gap) * pair.normal + pair.Ra.col(2) * random.in(-0.9, 0.9) * (la + lb);
      SCOPED_TRACE(fmt::format("gap {}, round {}", gap, k));
      expect_normal(pair);
    }
}

// On a box: its face carries the whole side, also where that sticks out; its edge, where the axis runs along it.
TEST(CurvedNormals, OfACylinderOnABoxAreThoseOfItsFace) {
  Random random(10);
  for (const double gap : {-1e-2, -1e-4, -1e-6, 0.0, 1e-6, 1e-3})
    for (int k = 0; k < 200; ++k) {
      const double l = random.in(0.2, 1), r = random.in(0.1, 1);
      Pair<3> pair{box_of<3>(Vec<3>(0.5, 0.6, 0.7)), cylinder_of(r, l)};
      pair.Ra = random.rotation<3>();
      pair.pa = random.point<3>(1);
      pair.gap = gap;
      pair.normal = pair.Ra.col(2);
      const Mat<3> spin = Eigen::AngleAxisd(random.in(-3, 3), Vec<3>::UnitZ()).matrix();
      const bool lies = k % 2 == 0;
      const Mat<3> lay = Eigen::AngleAxisd(lies ? std::numbers::pi / 2 : 0, Vec<3>::UnitX()).matrix();
      pair.Rb = pair.Ra * spin * lay;
      const Vec<3> place(random.in(-0.45, 0.45), random.in(-0.55, 0.55), 0.7 + gap + (lies ? r : l));
      pair.pb = pair.pa + pair.Ra * place;
      SCOPED_TRACE(fmt::format("gap {}, round {}", gap, k));
      expect_normal(pair);
    }
}

// Caps face to face, and a cylinder on the edge of a box that runs along its axis.
TEST(CurvedNormals, OfCapsAndOfParallelEdges) {
  Random random(11);
  for (const double gap : {-1e-4, -1e-6, 0.0, 1e-6, 1e-3})
    for (int k = 0; k < 100; ++k) {
      const double la = random.in(0.2, 1), lb = random.in(0.2, 1), ra = random.in(0.1, 1), rb = random.in(0.1, 1);
      Pair<3> caps{cylinder_of(ra, la), cylinder_of(rb, lb)};
      caps.Ra = random.rotation<3>();
      caps.Rb = caps.Ra * Eigen::AngleAxisd(random.in(-3, 3), Vec<3>::UnitZ()).matrix();
      caps.pa = random.point<3>(1);
      caps.gap = gap;
      caps.normal = caps.Ra.col(2);
      const double angle = random.in(-3, 3), aside = random.in(0, 0.9) * (ra + rb);
      caps.pb = caps.pa + caps.Ra * Vec<3>(aside * std::cos(angle), aside * std::sin(angle), la + lb + gap);
      SCOPED_TRACE(fmt::format("gap {}, round {}", gap, k));
      expect_normal(caps);
      Pair<3> edge{box_of<3>(Vec<3>(0.3, 0.4, 0.5)), cylinder_of(rb, lb)};
      edge.Ra = caps.Ra, edge.Rb = caps.Rb, edge.pa = caps.pa, edge.gap = gap;
      const double tilt = random.in(0.1, 1.4);
      edge.normal = edge.Ra * Vec<3>(std::cos(tilt), std::sin(tilt), 0);
      edge.pb = edge.pa + edge.Ra * Vec<3>(0.3, 0.4, random.in(-0.9, 0.9) * (0.5 + lb)) + (rb + gap) * edge.normal;
      expect_normal(edge);
    }
}

// Flat ground of two triangles: curved shapes meet their faces.
TEST(CurvedNormals, OnAMeshAreThoseOfItsTriangles) {
  ShapeDescription plate;
  plate.kind = ShapeKind::kMesh;
  plate.vertices = {{-4, -4, 0}, {4, -4, 0}, {4, 4, 0}, {-4, 4, 0}};
  plate.triangles = {{0, 1, 2}, {0, 2, 3}};
  Random random(12);
  for (const ShapeKind kind : {ShapeKind::kSphere, ShapeKind::kCapsule, ShapeKind::kEllipsoid, ShapeKind::kCylinder})
    for (const double gap : {-1e-2, -1e-4, -1e-6, 0.0, 1e-6, 1e-3})
      for (int k = 0; k < 40; ++k) {
        const Shape<3> mesh = make_shape<3>(plate), s = shape_of<3>(kind, random);
        const Spot<3> spot = spot_on<3>(s, random);
        const Mat<3> R = random.rotation<3>();
        const Vec<3> n = R.col(2), p = random.point<3>(1), touch(random.in(-2, 2), random.in(-2, 2), gap);
        const Mat<3> turn = turn_to(spot.outward, Vec<3>(-n), random);
        ContactPoints<3> points;
        PairMemory memory;
        collide<3>({mesh, p, R}, {s, p + R * touch - turn * spot.point, turn}, 0.01, NarrowPhaseKind::kAuto, memory,
                   points);
        SCOPED_TRACE(fmt::format("{}, gap {}, round {}", shape_name(kind, 3), gap, k));
        ASSERT_FALSE(points.empty());
        for (const ContactPoint<3>& c : points) EXPECT_LT((c.normal - n).norm(), kAngle);
      }
}

}  // namespace
}  // namespace touchstone

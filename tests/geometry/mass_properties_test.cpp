#include "geometry/mass_properties.h"

#include <gtest/gtest.h>

#include <numbers>

#include "physics/scene_builders.h"
#include "touchstone/error.h"

namespace touchstone {
namespace {

using testing::box;
using testing::capsule;
using testing::sphere;

ShapeDescription convex(std::vector<Eigen::Vector3d> vertices) {
  ShapeDescription s;
  s.kind = ShapeKind::kConvex;
  s.vertices = std::move(vertices);
  return s;
}

bool inside(const Shape<3>& s, const Vec<3>& x) {
  switch (s.kind) {
    case ShapeKind::kSphere:
      return x.norm() <= s.radius;
    case ShapeKind::kBox:
      return (x.cwiseAbs().array() <= s.half.array()).all();
    case ShapeKind::kEllipsoid:
      return x.cwiseQuotient(s.half).norm() <= 1;
    case ShapeKind::kCylinder:
      return x.head<2>().norm() <= s.radius && std::abs(x[2]) <= s.half_length;
    case ShapeKind::kCapsule: {
      const double z = std::max(0.0, std::abs(x[2]) - s.half_length);
      return std::hypot(x.head<2>().norm(), z) <= s.radius;
    }
    default:
      break;
  }
  for (std::size_t f = 0; f < s.hull->face_count(); ++f) {
    const auto face = s.hull->face(f);
    const Vec<3> a = s.hull->vertices[face[0]],
                 n = cross(Vec<3>(s.hull->vertices[face[1]] - a), Vec<3>(s.hull->vertices[face[2]] - a));
    if (n.dot(x - a) > 0) return false;
  }
  return true;
}

// An independent route: mass, centre and inertia summed over a fine grid of cells.
MassProperties<3> by_grid(const Shape<3>& shape, double density) {
  const Bounds<3> b = bounds_of(shape, Vec<3>(Vec<3>::Zero()), Mat<3>(Mat<3>::Identity()));
  constexpr int kCells = 120;
  const Vec<3> cell = (b.upper - b.lower) / kCells;
  MassProperties<3> out;
  Vec<3> first = Vec<3>::Zero();
  Mat<3> second = Mat<3>::Zero();
  for (int i = 0; i < kCells; ++i)
    for (int j = 0; j < kCells; ++j)
      for (int k = 0; k < kCells; ++k) {
        const Vec<3> x = b.lower + cell.cwiseProduct(Vec<3>(i + 0.5, j + 0.5, k + 0.5));
        if (!inside(shape, x)) continue;
        const double m = density * cell.prod();
        out.mass += m;
        first += m * x;
        second += m * x * x.transpose();
      }
  out.center = first / out.mass;
  second -= out.mass * out.center * out.center.transpose();
  out.inertia = second.trace() * Mat<3>::Identity() - second;
  return out;
}

TEST(MassProperties, EveryShapeAgreesWithASumOverCells) {
  ShapeDescription egg, drum;
  egg.kind = ShapeKind::kEllipsoid, egg.size = {0.3, 0.5, 0.8};
  drum.kind = ShapeKind::kCylinder, drum.radius = 0.4, drum.length = 1.1;
  const ShapeDescription wedge = convex({{0, 0, 0}, {1, 0, 0}, {0, 1.5, 0}, {0.2, 0.1, 0.9}, {0.7, 0.5, 0.6}});
  for (const ShapeDescription& d : {sphere(0.5), box(0.4, 1.0, 0.7), capsule(0.3, 0.8), egg, drum, wedge}) {
    const Shape<3> shape = make_shape<3>(d);
    const MassProperties<3> exact = mass_properties(shape, 700.0), grid = by_grid(shape, 700.0);
    EXPECT_NEAR(exact.mass, grid.mass, 5e-3 * grid.mass) << shape_name(d.kind, 3);
    EXPECT_LT((exact.center - grid.center).norm(), 5e-3) << shape_name(d.kind, 3);
    EXPECT_LT((exact.inertia - grid.inertia).norm(), 1e-2 * grid.inertia.norm()) << shape_name(d.kind, 3);
  }
}

TEST(MassProperties, AHullOfABoxIsTheBox) {
  std::vector<Eigen::Vector3d> corners;
  for (int c = 0; c < 8; ++c) corners.push_back({c & 1 ? 5.2 : 4.8, c & 2 ? 0.5 : -0.5, c & 4 ? 0.35 : -0.35});
  corners.push_back({5, 0, 0});  // inside: not a vertex
  const Shape<3> hull = make_shape<3>(convex(corners));
  EXPECT_EQ(hull.hull->vertices.size(), 8u);
  EXPECT_EQ(hull.hull->face_count(), 6u);
  const MassProperties<3> a = mass_properties(hull, 2.0), b = mass_properties(make_shape<3>(box(0.4, 1.0, 0.7)), 2.0);
  EXPECT_NEAR(a.mass, b.mass, 1e-14);
  EXPECT_LT((a.center - Vec<3>(5, 0, 0)).norm(), 1e-14);
  EXPECT_LT((a.inertia - b.inertia).norm(), 1e-14);
}

TEST(MassProperties, PlanarShapes) {
  const double pi = std::numbers::pi;
  const MassProperties<2> square =
      mass_properties(make_shape<2>(convex({{1, 1, 0}, {3, 1, 0}, {3, 2, 0}, {1, 2, 0}})), 3.0);
  EXPECT_NEAR(square.mass, 6, 1e-14);
  EXPECT_LT((square.center - Vec<2>(2, 1.5)).norm(), 1e-14);
  EXPECT_NEAR(square.inertia(0, 0), 6 * (4.0 + 1) / 12, 1e-13);
  EXPECT_NEAR(mass_properties(make_shape<2>(sphere(0.5)), 1.0).inertia(0, 0), pi * 0.0625 / 2, 1e-15);
  // A capsule by its two parts: rectangle 2r × 2a, and a disc cut in half and moved apart by 2a: ∫ρ² of the halves
  // about the middle = disc's πr⁴/2 + πr²·a² + 2·a·(first moment of a half disc, 2r³/3)·2.
  const double r = 0.3, a = 0.4;
  const double exact =
      4 * r * a * (r * r + a * a) / 3 + pi * std::pow(r, 4) / 2 + pi * r * r * a * a + 4 * a * 2 * r * r * r / 3;
  EXPECT_NEAR(mass_properties(make_shape<2>(capsule(r, 2 * a)), 1.0).inertia(0, 0), exact, 1e-14);
}

TEST(MassProperties, RotatingAndCombiningIsParallelAxes) {
  // Two half boxes make the whole box, wherever they are and however they are turned.
  const MassProperties<3> half = mass_properties(make_shape<3>(box(1, 2, 3)), 5.0),
                          whole = mass_properties(make_shape<3>(box(2, 2, 3)), 5.0);
  Pose<3> left, right;
  left.p = {-0.5, 0, 0};
  right.p = {0.5, 0, 0};
  right.R = Eigen::AngleAxisd(std::numbers::pi, Vec<3>::UnitX());
  const MassProperties<3> both = combined(moved(half, left), moved(half, right));
  EXPECT_NEAR(both.mass, whole.mass, 1e-12);
  EXPECT_LT((both.inertia - whole.inertia).norm(), 1e-11);
}

TEST(MassProperties, FarFromTheOriginTheyAreAsGood) {
  const auto square = [](double x) {
    return mass_properties(make_shape<2>(convex({{x, x, 0}, {x + 2, x, 0}, {x + 2, x + 1, 0}, {x, x + 1, 0}})), 3.0);
  };
  EXPECT_NEAR(square(1e6).inertia(0, 0), square(0).inertia(0, 0), 1e-8);
}

TEST(MassProperties, ClosedFormsOfTheRoundSolids) {
  ShapeDescription egg, drum;
  egg.kind = ShapeKind::kEllipsoid, egg.size = {0.3, 0.5, 0.8};
  drum.kind = ShapeKind::kCylinder, drum.radius = 0.4, drum.length = 1.1;
  const double pi = std::numbers::pi;
  const MassProperties<3> e = mass_properties(make_shape<3>(egg), 1.0), c = mass_properties(make_shape<3>(drum), 1.0);
  EXPECT_NEAR(e.mass, 4 * pi / 3 * 0.3 * 0.5 * 0.8, 1e-14);
  EXPECT_NEAR(e.inertia(0, 0), e.mass / 5 * (0.25 + 0.64), 1e-14);
  EXPECT_NEAR(c.inertia(2, 2), c.mass * 0.16 / 2, 1e-14);
  EXPECT_NEAR(c.inertia(0, 0), c.mass * (3 * 0.16 + 1.21) / 12, 1e-14);
  // A capsule as a cylinder and two half balls (83/320·m·r² about a half ball's own centroid, 3r/8 from its flat side).
  const double r = 0.3, l = 0.8, half = 2 * pi / 3 * r * r * r, tube = pi * r * r * l, arm = l / 2 + 3 * r / 8;
  const double across = tube * (3 * r * r + l * l) / 12 + 2 * half * (83.0 / 320 * r * r + arm * arm);
  EXPECT_NEAR(mass_properties(make_shape<3>(capsule(r, l)), 1.0).inertia(0, 0), across, 1e-14);
}

TEST(Hull, APolygonWithTooManyVerticesIsRefused) {
  std::vector<Eigen::Vector3d> circle;
  for (int i = 0; i < 100; ++i) circle.push_back({std::cos(0.0628318 * i), std::sin(0.0628318 * i), 0});
  EXPECT_THROW(make_shape<2>(convex(circle)), Error);
}

TEST(Hull, RefusesWhatEnclosesNothing) {
  EXPECT_THROW(make_shape<3>(convex({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}})), Error);
  EXPECT_THROW(make_shape<3>(convex({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}})), Error);
  EXPECT_THROW(make_shape<3>(convex({{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}})), Error);
  EXPECT_THROW(make_shape<2>(convex({{0, 0, 0}, {1, 1, 0}, {2, 2, 0}})), Error);
  EXPECT_THROW(make_shape<2>(convex({{0, 0, 0}, {1, NAN, 0}, {2, 0, 0}})), Error);
}

}  // namespace
}  // namespace touchstone

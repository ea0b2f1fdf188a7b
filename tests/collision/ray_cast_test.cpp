// Ray casts: closed forms, and for random rays of every kind the judge is the distance from points of the ray.
#include "collision/ray/ray_cast.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "collision/narrow/narrow.h"
#include "collision/shapes.h"

namespace touchstone::testing {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Signed distance of a point from the shape, by the narrow phase.
template <int D>
double distance_of(const Vec<D>& point, const Placed<D>& target) {
  PairMemory memory;
  Closest<D> c;
  const Shape<D> dot = ball<D>(0.0);
  closest_of<D>({dot, point, Mat<D>::Identity()}, target, kInfinity, memory, c);
  return c.gap;
}

// How far from the surface of a curved kind a point is, by its equation (to first order) [m]. The narrow phase knows
// curved shapes to 1e-6 of their size only.
template <int D>
double by_equation(const Vec<D>& point, const Placed<D>& target) {
  const Vec<D> x = target.R.transpose() * (point - target.p);
  const Shape<D>& s = target.shape;
  if (s.kind == ShapeKind::kEllipsoid) return (x.cwiseQuotient(s.half).norm() - 1) * s.half.minCoeff();
  if (s.kind == ShapeKind::kCylinder)
    return std::max(x.template head<D - 1>().norm() - s.radius, std::abs(x[D - 1]) - s.half_length);
  return distance_of<D>(point, target);
}

template <class T>
class RayIn : public ::testing::Test {};
using Dimensions = ::testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(RayIn, Dimensions);

TYPED_TEST(RayIn, HitsWhereTheDistanceVanishes) {
  constexpr int D = TypeParam::value;
  Random random(3);
  int hits = 0, misses = 0, inside = 0;
  for (int i = 0; i < 20000 && !::testing::Test::HasFailure(); ++i) {
    const Shape<D> shape = i % 7 == 0 ? half_space_of<D>(random.unit<D>()) : random.shape<D>(1);
    const Placed<D> target{shape, random.point<D>(1), random.rotation<D>()};
    Ray<D> ray{random.point<D>(4), random.unit<D>(), 10};
    if (i % 3) ray.direction = (target.p + random.point<D>(0.8) - ray.origin).normalized();
    if (i % 11 == 0) ray.direction = Vec<D>::Unit(i % D) * (i % 2 ? 1 : -1);
    RayStrike<D> hit;
    const double start = distance_of<D>(ray.origin, target);
    if (std::abs(start) < 1e-5) continue;
    if (ray_cast(ray, target, hit)) {
      ++hits;
      inside += hit.inside;
      EXPECT_EQ(hit.inside, start < 0) << i;
      if (hit.inside) {
        EXPECT_EQ(hit.distance, 0);
        continue;
      }
      EXPECT_NEAR((hit.point - ray.origin - hit.distance * ray.direction).norm(), 0, 1e-12) << i;
      EXPECT_NEAR(by_equation<D>(hit.point, target), 0, 1e-12) << i;
      EXPECT_NEAR(distance_of<D>(hit.point, target), 0, 1e-6) << i;
      EXPECT_NEAR(hit.normal.norm(), 1, 1e-12) << i;
      EXPECT_LE(hit.normal.dot(ray.direction), 1e-12) << i;
      // The normal: going out along it, the distance grows as the way.
      EXPECT_NEAR(distance_of<D>(hit.point + 1e-3 * hit.normal, target), 1e-3, 1e-6) << i;
      for (int k = 0; k < 20; ++k)
        EXPECT_GT(distance_of<D>(ray.origin + hit.distance * k / 20 * ray.direction, target), -1e-6) << i;
      // A ray that ends just before it does not hit.
      Ray<D> shorter = ray;
      shorter.length = hit.distance * (1 - 1e-9);
      EXPECT_FALSE(ray_cast(shorter, target, hit)) << i;
    } else {
      ++misses;
      for (int k = 0; k <= 100; ++k)
        EXPECT_GT(distance_of<D>(ray.origin + 0.01 * k * ray.length * ray.direction, target), -1e-6) << i;
    }
  }
  EXPECT_GT(hits, 5000);
  EXPECT_GT(misses, 3000);
  EXPECT_GT(inside, 200);
}

TYPED_TEST(RayIn, ClosedForms) {
  constexpr int D = TypeParam::value;
  const Vec<D> x = Vec<D>::Unit(0), up = Vec<D>::Unit(D - 1);
  const Mat<D> I = Mat<D>::Identity();
  const Shape<D> unit = ball<D>(1), cube = box_of<D>(Vec<D>::Ones()), floor = half_space_of<D>(up);
  RayStrike<D> hit;
  // From very far: the error is the rounding of the origin's coordinate, not its square.
  for (const double far : {1e3, 1e7, 1e12}) {
    ASSERT_TRUE(ray_cast<D>({Vec<D>(-far * x + 0.6 * up), x, kInfinity}, {unit, Vec<D>::Zero(), I}, hit)) << far;
    EXPECT_NEAR(hit.distance, far - 0.8, 4e-16 * far + 1e-15);
    EXPECT_NEAR((hit.normal - (0.6 * up - 0.8 * x)).norm(), 0, 4e-16 * far + 1e-15);
    ASSERT_TRUE(ray_cast<D>({Vec<D>(-far * x + 0.6 * up), x, kInfinity}, {cube, Vec<D>::Zero(), I}, hit)) << far;
    EXPECT_NEAR(hit.distance, far - 1, 4e-16 * far + 1e-15);
    EXPECT_EQ(hit.normal, -x);
  }
  // Grazing: a thousandth of a micrometre decides.
  EXPECT_TRUE(ray_cast<D>({Vec<D>(-3 * x + (1 - 1e-9) * up), x, 10}, {unit, Vec<D>::Zero(), I}, hit));
  EXPECT_FALSE(ray_cast<D>({Vec<D>(-3 * x + (1 + 1e-9) * up), x, 10}, {unit, Vec<D>::Zero(), I}, hit));
  EXPECT_TRUE(ray_cast<D>({Vec<D>(-3 * x + (1 - 1e-12) * up), x, 10}, {cube, Vec<D>::Zero(), I}, hit));
  EXPECT_FALSE(ray_cast<D>({Vec<D>(-3 * x + (1 + 1e-12) * up), x, 10}, {cube, Vec<D>::Zero(), I}, hit));
  // Parallel to a plane, above and below it.
  EXPECT_FALSE(ray_cast<D>({up, x, kInfinity}, {floor, Vec<D>::Zero(), I}, hit));
  EXPECT_TRUE(ray_cast<D>({Vec<D>(-up), x, kInfinity}, {floor, Vec<D>::Zero(), I}, hit));
  EXPECT_TRUE(hit.inside);
  // On the surface: leading in hits at 0, leading away does not.
  EXPECT_TRUE(ray_cast<D>({Vec<D>(-x), x, 1}, {cube, Vec<D>::Zero(), I}, hit));
  EXPECT_EQ(hit.distance, 0);
  EXPECT_FALSE(hit.inside);
  EXPECT_FALSE(ray_cast<D>({Vec<D>(-x), Vec<D>(-x), 1}, {cube, Vec<D>::Zero(), I}, hit));
  EXPECT_FALSE(ray_cast<D>({Vec<D>(-3 * x), Vec<D>(-x), kInfinity}, {cube, Vec<D>::Zero(), I}, hit));
}

TEST(RayTriangle, MeetsClosedFormsFromBothSides) {
  const std::array<Vec<3>, 3> t{Vec<3>(0, 0, 1), Vec<3>(2, 0, 1), Vec<3>(0, 2, 1)};
  RayStrike<3> hit;
  ASSERT_TRUE(ray_triangle({{0.5, 0.5, 0}, {0, 0, 1}, 2}, t, hit));
  EXPECT_DOUBLE_EQ(hit.distance, 1);
  EXPECT_EQ(hit.normal, Vec<3>(0, 0, -1));
  ASSERT_TRUE(ray_triangle({{0.5, 0.5, 4}, {0, 0, -1}, 5}, t, hit));
  EXPECT_DOUBLE_EQ(hit.distance, 3);
  EXPECT_EQ(hit.normal, Vec<3>(0, 0, 1));
  EXPECT_FALSE(ray_triangle({{0.5, 0.5, 0}, {0, 0, 1}, 0.9}, t, hit));
  EXPECT_FALSE(ray_triangle({{0.5, 0.5, 0}, {0, 0, -1}, 9}, t, hit));
  EXPECT_FALSE(ray_triangle({{1.5, 1.5, 0}, {0, 0, 1}, 9}, t, hit));
  EXPECT_FALSE(ray_triangle({{-1, 0.5, 1}, {1, 0, 0}, 9}, t, hit));  // in its plane
  EXPECT_FALSE(ray_triangle({{0, 0, 0}, {0, 0, 1}, 9}, {Vec<3>(0, 0, 1), Vec<3>(0, 0, 1), Vec<3>(0, 0, 1)}, hit));
}

// A closed surface of random triangles around the origin: every ray from inside leaves it through one, also those
// aimed at edges and corners.
TEST(RayTriangle, NothingSlipsThroughAClosedSurface) {
  Random random(5);
  std::vector<Vec<3>> points;
  for (int i = 0; i < 60; ++i) points.push_back(random.unit<3>() * 2 + Vec<3>(0.1, 0.2, 0.3));
  const Shape<3> shape = hull_of<3>(points);
  const Polytope<3>& hull = *shape.hull;
  const auto leaves = [&](const Vec<3>& direction) {
    int hits = 0;
    RayStrike<3> hit;
    for (std::size_t f = 0; f < hull.face_count(); ++f) {
      const auto ring = hull.face(f);
      for (std::size_t k = 2; k < ring.size(); ++k)
        hits += ray_triangle({Vec<3>(0.05, 0.1, 0.15), direction.normalized(), 100},
                             {hull.vertices[ring[0]], hull.vertices[ring[k - 1]], hull.vertices[ring[k]]}, hit);
    }
    return hits;
  };
  const Vec<3> o(0.05, 0.1, 0.15);
  for (int i = 0; i < 2000; ++i) EXPECT_EQ(leaves(random.unit<3>()), 1);
  for (const auto& e : hull.edges)
    for (int k = 0; k <= 50; ++k)
      EXPECT_GE(leaves(hull.vertices[e.tail] + k / 50.0 * (hull.vertices[e.head] - hull.vertices[e.tail]) - o), 1);
}

TEST(RaySegment, MeetsClosedFormsAndLetsNothingThroughAChain) {
  RayStrike<2> hit;
  ASSERT_TRUE(ray_segment({{0, 0}, {1, 0}, 5}, {Vec<2>(2, -1), Vec<2>(2, 3)}, hit));
  EXPECT_DOUBLE_EQ(hit.distance, 2);
  EXPECT_EQ(hit.normal, Vec<2>(-1, 0));
  EXPECT_FALSE(ray_segment({{0, 0}, {1, 0}, 1.9}, {Vec<2>(2, -1), Vec<2>(2, 3)}, hit));
  EXPECT_FALSE(ray_segment({{0, 0}, {-1, 0}, 9}, {Vec<2>(2, -1), Vec<2>(2, 3)}, hit));
  EXPECT_FALSE(ray_segment({{0, 0}, {1, 0}, 9}, {Vec<2>(2, 1), Vec<2>(2, 3)}, hit));
  EXPECT_FALSE(ray_segment({{0, 0}, {1, 0}, 9}, {Vec<2>(2, 0), Vec<2>(3, 0)}, hit));  // along it
  Random random(6);
  std::vector<Vec<2>> chain;
  for (int i = 0; i < 50; ++i)
    chain.push_back(random.in(1, 2) * Vec<2>(std::cos(i * 0.125663706), std::sin(i * 0.125663706)));
  for (int i = 0; i < 5000; ++i) {
    const Vec<2> d = (i < 50 ? chain[static_cast<std::size_t>(i)] : random.unit<2>()).normalized();
    int hits = 0;
    for (std::size_t k = 0; k < 50; ++k) hits += ray_segment({{0, 0}, d, 9}, {chain[k], chain[(k + 1) % 50]}, hit);
    EXPECT_GE(hits, 1) << i;
  }
}

}  // namespace
}  // namespace touchstone::testing

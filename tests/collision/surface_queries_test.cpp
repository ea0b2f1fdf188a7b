// Rays and times of impact against surfaces made of pieces. The judge is the same solid as a convex shape, or the
// height itself.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "collision/ray/ray_cast.h"
#include "collision/shapes.h"
#include "collision/toi/time_of_impact.h"
#include "geometry/mesh_builders.h"
#include "geometry/surface.h"

namespace touchstone::testing {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The triangles of a hull, as a mesh.
Shape<3> as_mesh(const Shape<3>& hull) {
  Triangles triangles;
  for (std::size_t f = 0; f < hull.hull->face_count(); ++f) {
    const auto ring = hull.hull->face(f);
    for (std::size_t k = 2; k < ring.size(); ++k) triangles.push_back({ring[0], ring[k - 1], ring[k]});
  }
  return make_shape<3>(mesh(hull.hull->vertices, triangles));
}

// Waves over the plane: 60 heights along each axis, 0.1 m apart.
double wave(double x) { return 0.2 * std::sin(2 * x); }
template <int D>
Shape<D> waves(bool two_sided) {
  ShapeDescription s;
  s.kind = ShapeKind::kHeightField;
  s.grid = {60, D == 2 ? 1u : 60u};
  s.spacing = 0.1;
  s.two_sided = two_sided;
  for (std::uint32_t j = 0; j < s.grid[1]; ++j)
    for (std::uint32_t i = 0; i < s.grid[0]; ++i) s.heights.push_back(wave((i - 29.5) * 0.1));
  return make_shape<D>(s);
}

TEST(RaySurface, AClosedMeshIsTheSolidItEncloses) {
  Random random(31);
  int hits = 0, inside = 0;
  for (int i = 0; i < 40; ++i) {
    std::vector<Vec<3>> points;
    for (int k = 0; k < 30; ++k) points.push_back(random.point<3>(1));
    const Shape<3> hull = hull_of<3>(points), surface = as_mesh(hull);
    ASSERT_TRUE(surface.mesh->closed);
    const Vec<3> p = random.point<3>(1);
    const Mat<3> R = random.rotation<3>();
    for (int k = 0; k < 200; ++k) {
      const Ray<3> ray{random.point<3>(3), random.unit<3>(), k % 2 ? kInfinity : random.in(0, 4)};
      RayStrike<3> solid, pieces;
      const bool expected = ray_cast<3>(ray, {hull, p, R}, solid);
      ASSERT_EQ(ray_cast<3>(ray, {surface, p, R}, pieces), expected) << i << ' ' << k;
      if (!expected) continue;
      ++hits, inside += solid.inside;
      EXPECT_EQ(pieces.inside, solid.inside);
      EXPECT_NEAR(pieces.distance, solid.distance, 1e-9);
      EXPECT_NEAR((pieces.point - solid.point).norm(), 0, 1e-9);
      EXPECT_NEAR((pieces.normal - solid.normal).norm(), 0, 1e-7);
    }
  }
  EXPECT_GT(hits, 300);
  EXPECT_GT(inside, 30);
}

// Gaps, normals and points of a closed mesh against those of its solid; inside, the sign and for points the depth.
TEST(SurfaceClosest, IsTheDistanceOfTheSolid) {
  Random random(34);
  int apart = 0, deep = 0, enclosed = 0;
  for (int i = 0; i < 1500; ++i) {
    std::vector<Vec<3>> points;
    for (int k = 0; k < 20; ++k) points.push_back(random.point<3>(1));
    const Shape<3> hull = hull_of<3>(points), surface = as_mesh(hull);
    const Shape<3> other = i % 3 == 0 ? ball<3>(0.0) : random.shape<3>(i % 2 ? 0.5 : 0.05);
    const Placed<3> at{other, random.point<3>(1.5), random.rotation<3>()};
    const Vec<3> p = random.point<3>(0.3);
    const Mat<3> R = random.rotation<3>();
    PairMemory memory;
    Closest<3> expected, got;
    ASSERT_TRUE(closest_of<3>({hull, p, R}, at, kInfinity, memory, expected));
    ASSERT_TRUE(closest_of<3>({surface, p, R}, at, kInfinity, memory, got));
    EXPECT_EQ(closest_of<3>({surface, p, R}, at, 0.0, memory, got), expected.gap <= 0) << i;
    ASSERT_TRUE(closest_of<3>({surface, p, R}, at, kInfinity, memory, got));
    EXPECT_NEAR(got.normal.norm(), 1, 1e-9);
    EXPECT_NEAR((got.on_b - got.on_a - got.gap * got.normal).norm(), 0, 1e-6) << i;
    if (expected.gap > 0 || i % 3 == 0) {
      EXPECT_NEAR(got.gap, expected.gap, 1e-6) << i;
    } else {
      EXPECT_LT(got.gap, 0) << i;
    }
    (expected.gap > 0 ? apart : deep) += 1;
    enclosed += expected.gap < -0.1 && i % 2 == 0;
  }
  EXPECT_GT(apart, 100);
  EXPECT_GT(deep, 100);
  EXPECT_GT(enclosed, 20);
}

template <int D>
void rays_onto_waves() {
  Random random(32);
  const Shape<D> field = waves<D>(false), both = waves<D>(true);
  const Vec<D> up = Vec<D>::Unit(D - 1), offset = random.point<D>(1);
  const Mat<D> I = Mat<D>::Identity();
  int slanted = 0;
  for (int i = 0; i < 2000; ++i) {
    Vec<D> at = random.point<D>(2.9);
    at[D - 1] = 0;
    RayStrike<D> hit;
    ASSERT_TRUE(ray_cast<D>({Vec<D>(offset + at + 5 * up), Vec<D>(-up), 10}, {field, offset, I}, hit));
    EXPECT_NEAR(hit.distance, 5 - wave(at[0]), 0.2 * 4 * 0.01 / 8 + 1e-9);  // the chord of a cell against the wave
    EXPECT_GT(hit.normal[D - 1], 0.5);
    // From below: only where the back counts.
    EXPECT_FALSE(ray_cast<D>({Vec<D>(offset + at - 5 * up), up, 10}, {field, offset, I}, hit));
    EXPECT_TRUE(ray_cast<D>({Vec<D>(offset + at - 5 * up), up, 10}, {both, offset, I}, hit));
    // Slanted: the first point at which the ray is below the wave, by small steps.
    const Vec<D> from = at + 0.5 * up, d = (random.unit<D>() - 0.5 * up).normalized();
    double first = kInfinity;
    for (double t = 0; t < 3 && first == kInfinity; t += 1e-3) {
      const Vec<D> x = from + t * d;
      if (x.template head<D - 1>().cwiseAbs().maxCoeff() > 2.9) break;
      if (x[D - 1] < wave(x[0]) - 2e-3) first = t;
    }
    if (first == kInfinity) continue;
    ++slanted;
    ASSERT_TRUE(ray_cast<D>({Vec<D>(offset + from), d, 10}, {field, offset, I}, hit));
    EXPECT_LT(hit.distance, first + 1e-3);
    EXPECT_NEAR((hit.point - offset)[D - 1], wave((hit.point - offset)[0]), 2e-3);
  }
  EXPECT_GT(slanted, 500);
}

TEST(RaySurface, HeightFieldsAreHitAtTheirHeight) {
  rays_onto_waves<2>();
  rays_onto_waves<3>();
}

// A box as a mesh and as a box: the same times, by all methods, also through a thin one.
TEST(ToiSurface, AMeshStopsWhatItsSolidStops) {
  Random random(33);
  const Shape<3> plate = make_shape<3>(cube_mesh(0.001, 1, 1)), solid = box_of<3>({0.0005, 0.5, 0.5});
  const Mat<3> I = Mat<3>::Identity();
  int hits = 0;
  for (int i = 0; i < 200; ++i) {
    const Shape<3> shape = random.shape<3>(0.1);
    const Vec<3> from(random.in(1, 3) * (i % 2 ? 1 : -1), random.in(-1, 1), random.in(-1, 1));
    const Vec<3> to(-from.x(), random.in(-0.6, 0.6), random.in(-0.6, 0.6));
    const Moving<3> shot{shape, from, random.rotation<3>(), from, 100 * (to - from), random.spin<3>(i % 3 ? 50 : 0)};
    ImpactOptions<3> o;
    o.duration = 0.01, o.distance = 1e-5, o.tolerance = 1e-6;
    const Vec<3> zero = Vec<3>::Zero();
    const Impact<3> expected = conservative_advancement<3>(shot, {solid, zero, I, zero}, o);
    for (const auto& method : time_of_impact_methods<3>()) {
      const Impact<3> got = method.find(shot, {plate, zero, I, zero}, o);
      ASSERT_EQ(got.status, expected.status) << method.name << ' ' << i;
      if (expected.happened()) {
        EXPECT_NEAR(got.time, expected.time, 1e-6) << method.name << ' ' << i;
      }
    }
    hits += expected.happened();
  }
  EXPECT_GT(hits, 80);
}

TEST(ToiSurface, AFloorOfOneSideStopsWhatFallsOnIt) {
  const Shape<2> field = waves<2>(false), small = ball<2>(0.01);
  const Vec<2> zero = Vec<2>::Zero();
  for (const double x : {-2.0, -0.7, 0.0, 0.33, 1.9}) {
    const Vec<2> from(x, 3);
    ImpactOptions<2> o;
    o.duration = 1.0 / 60;
    for (const auto& method : time_of_impact_methods<2>()) {
      const Impact<2> got = method.find({small, from, Mat<2>::Identity(), from, Vec<2>(0, -1000)},
                                        {field, zero, Mat<2>::Identity(), zero}, o);
      ASSERT_EQ(got.status, Impact<2>::Status::kHit) << method.name;
      EXPECT_NEAR(got.time, (3 - wave(x) - 0.01) / 1000, 3e-6) << method.name;
    }
  }
}

}  // namespace
}  // namespace touchstone::testing

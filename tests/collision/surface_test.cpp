#include "collision/narrow/surface.h"

#include <gtest/gtest.h>

#include <numbers>
#include <random>

#include "collision/narrow/narrow.h"
#include "geometry/mesh_builders.h"
#include "physics/scene_builders.h"

namespace touchstone {
namespace {

using testing::box;
using testing::capsule;
using testing::half_space;
using testing::sphere;

template <int D>
ContactPoints<D> touch(const Shape<D>& a, const Vec<D>& pa, const Mat<D>& Ra, const Shape<D>& b, const Vec<D>& pb,
                       const Mat<D>& Rb, double margin) {
  PairMemory memory;
  ContactPoints<D> points;
  collide(Placed<D>{a, pa, Ra}, Placed<D>{b, pb, Rb}, margin, NarrowPhaseKind::kAuto, memory, points);
  for (std::size_t i = 1; i < points.size(); ++i) EXPECT_LT(points[i - 1].feature, points[i].feature);
  return points;
}

const Mat<3> kUpright = Mat<3>::Identity();

// A flat floor of n × n squares, each cut along a diagonal.
ShapeDescription floor_mesh(int n, double square) {
  std::vector<Eigen::Vector3d> v;
  Triangles t;
  for (int j = 0; j <= n; ++j)
    for (int i = 0; i <= n; ++i) v.emplace_back((i - n / 2.0) * square, (j - n / 2.0) * square, 0);
  const auto at = [n](int i, int j) { return static_cast<std::uint32_t>(j * (n + 1) + i); };
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      t.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      t.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  return mesh(v, t);
}

TEST(Surface, ABallOnAFlatMeshHasOneContactStraightUpWhereverItIs) {
  const Shape<3> floor = make_shape<3>(floor_mesh(8, 0.5)), ball = make_shape<3>(sphere(0.3));
  std::mt19937 rng(2);
  std::uniform_real_distribution<double> u(-1.5, 1.5), depth(-0.05, 0.05);
  for (int i = 0; i < 4000; ++i) {
    Vec<3> p(u(rng), u(rng), 0.3 + depth(rng));
    if (i % 3 == 1) p[0] = std::round(p[0] * 2) / 2;  // on a line of the grid
    if (i % 3 == 2) p[1] = p[0];                      // on a diagonal
    const auto points = touch<3>(floor, Vec<3>::Zero(), kUpright, ball, p, kUpright, 0.1);
    ASSERT_EQ(points.size(), 1u) << p.transpose();
    EXPECT_NEAR(points[0].gap, p[2] - 0.3, 1e-12);
    EXPECT_NEAR(points[0].normal[2], 1, 1e-12);
    EXPECT_NEAR(points[0].point[0], p[0], 1e-9);
  }
}

TEST(Surface, ABoxOnAFlatMeshStandsOnItsCornersNotOnTheSeams) {
  const Shape<3> floor = make_shape<3>(floor_mesh(10, 0.31)), cube = make_shape<3>(box(1, 1, 1));
  std::mt19937 rng(3);
  std::uniform_real_distribution<double> u(-0.5, 0.5);
  for (int i = 0; i < 300; ++i) {
    const Mat<3> R = matrix_of(Eigen::Quaterniond(Eigen::AngleAxisd(6 * u(rng), Vec<3>::UnitZ())));
    const auto points = touch<3>(floor, Vec<3>::Zero(), kUpright, cube, Vec<3>(u(rng), u(rng), 0.499), R, 0.01);
    EXPECT_EQ(points.size(), 4u);
    for (const auto& p : points) {
      EXPECT_NEAR(p.gap, -0.001, 1e-12);
      EXPECT_NEAR(p.normal[2], 1, 1e-12);
    }
  }
}

// A cube as a mesh is the cube: the same gap for whatever comes near it, from all sides.
TEST(Surface, AMeshOfACubeIsTheCube) {
  const Shape<3> as_mesh = make_shape<3>(cube_mesh(1, 0.8, 1.2)), as_box = make_shape<3>(box(1, 0.8, 1.2));
  ShapeDescription egg, drum;
  egg.kind = ShapeKind::kEllipsoid, egg.size = {0.3, 0.5, 0.4};
  drum.kind = ShapeKind::kCylinder, drum.radius = 0.3, drum.length = 0.7;
  std::mt19937 rng(5);
  std::normal_distribution<double> n;
  int near = 0;
  for (const ShapeDescription& d : {sphere(0.4), box(0.6, 0.7, 0.5), capsule(0.2, 0.6), egg, drum}) {
    const Shape<3> other = make_shape<3>(d);
    for (int i = 0; i < 600; ++i) {
      const Mat<3> R = matrix_of(Eigen::Quaterniond(n(rng), n(rng), n(rng), n(rng)).normalized());
      const Vec<3> p = Vec<3>(n(rng), n(rng), n(rng)).normalized() * 1.05;
      PairMemory m1, m2;
      Closest<3> a, b;
      const bool one = closest_of(Placed<3>{as_mesh, Vec<3>::Zero(), kUpright}, Placed<3>{other, p, R}, 0.2, m1, a);
      const bool two = closest_of(Placed<3>{as_box, Vec<3>::Zero(), kUpright}, Placed<3>{other, p, R}, 0.2, m2, b);
      if (two && b.gap < -0.02) continue;  // deep, each face answers for itself
      if (two && std::abs(b.gap - 0.2) < 1e-6) continue;
      ASSERT_EQ(one, two) << shape_name(d.kind, 3) << " gap " << b.gap;
      if (!two) continue;
      ++near;
      if (b.gap > 0) {
        EXPECT_NEAR(a.gap, b.gap, 1e-6) << shape_name(d.kind, 3);
        EXPECT_GT(a.normal.dot(b.normal), 1 - 1e-4);
      } else {
        EXPECT_LT(a.gap, 1e-6);
      }
    }
  }
  EXPECT_GT(near, 500);
}

// From behind a surface of one side nothing is felt; through it, the front pushes back; with two sides, both do.
TEST(Surface, SidesAreFeltAsDescribed) {
  ShapeDescription d = floor_mesh(2, 1);
  const Shape<3> ball = make_shape<3>(sphere(0.3)), one = make_shape<3>(d);
  d.two_sided = true;
  const Shape<3> two = make_shape<3>(d);
  const auto below = [&](const Shape<3>& s, double z) {
    return touch<3>(s, Vec<3>::Zero(), kUpright, ball, Vec<3>(0.2, 0.1, z), kUpright, 0.05);
  };
  EXPECT_TRUE(below(one, -0.34).empty());
  ASSERT_EQ(below(one, -0.1).size(), 1u);
  EXPECT_NEAR(below(one, -0.1)[0].normal[2], 1, 1e-12);
  EXPECT_NEAR(below(one, -0.1)[0].gap, -0.4, 1e-12);
  ASSERT_EQ(below(two, -0.29).size(), 1u);
  EXPECT_NEAR(below(two, -0.29)[0].normal[2], -1, 1e-12);
  EXPECT_NEAR(below(two, -0.29)[0].gap, -0.01, 1e-12);
}

TEST(Surface, AMeshStandsOnPlaneBoxAndMesh) {
  const Shape<3> cube = make_shape<3>(cube_mesh(1, 1, 1)), plane = make_shape<3>(half_space({0, 0, 1})),
                 slab = make_shape<3>(box(3, 3, 1)), other = make_shape<3>(cube_mesh(3, 3, 1)),
                 ground = make_shape<3>(floor_mesh(8, 0.5));
  const Vec<3> up(0.03, 0.02, 0.4999);
  for (const auto& [shape, top] : {std::pair(&plane, 0.0), {&slab, 0.5}, {&other, 0.5}, {&ground, 0.0}}) {
    const auto points = touch<3>(*shape, Vec<3>(0, 0, -top), kUpright, cube, up, kUpright, 0.01);
    ASSERT_EQ(points.size(), 4u) << shape_name(shape->kind, 3);
    for (const auto& p : points) {
      EXPECT_NEAR(p.gap, -1e-4, 1e-9) << shape_name(shape->kind, 3);
      EXPECT_NEAR(p.normal[2], 1, 1e-9);
    }
  }
}

TEST(Surface, PlanarChainsHaveNoSeamsAndRealCorners) {
  ShapeDescription d;
  d.kind = ShapeKind::kMesh;
  d.vertices = {{-2, 0, 0}, {-1, 0, 0}, {0, 0, 0}, {1, 0, 0}, {1, -1, 0}};
  const Shape<2> chain = make_shape<2>(d), disc = make_shape<2>(sphere(0.3)), plank = make_shape<2>(box(1.5, 0.2));
  for (double x = -1.8; x < 1.0; x += 0.01) {
    const auto points =
        touch<2>(chain, Vec<2>::Zero(), Mat<2>::Identity(), disc, Vec<2>(x, 0.29), Mat<2>::Identity(), 0.05);
    ASSERT_EQ(points.size(), 1u) << x;
    EXPECT_NEAR(points[0].normal[1], 1, 1e-12) << x;
    EXPECT_NEAR(points[0].gap, -0.01, 1e-12);
  }
  // At the corner the normal turns from up to sideways.
  const auto corner =
      touch<2>(chain, Vec<2>::Zero(), Mat<2>::Identity(), disc, Vec<2>(1.2, 0.2), Mat<2>::Identity(), 0.05);
  ASSERT_EQ(corner.size(), 1u);
  EXPECT_NEAR(corner[0].normal[0], std::sqrt(0.5), 1e-9);
  EXPECT_EQ(
      touch<2>(chain, Vec<2>::Zero(), Mat<2>::Identity(), plank, Vec<2>(-0.3, 0.1), Mat<2>::Identity(), 0.01).size(),
      2u);
}

TEST(Surface, EveryPairOfShapesThatCanMeetHasARoutine) {
  const auto check = [](auto dimension) {
    constexpr int D = decltype(dimension)::value;
    using enum ShapeKind;
    for (const ShapeKind a : {kSphere, kBox, kCapsule, kHalfSpace, kConvex, kEllipsoid, kCylinder, kMesh, kHeightField})
      for (const ShapeKind b :
           {kSphere, kBox, kCapsule, kHalfSpace, kConvex, kEllipsoid, kCylinder, kMesh, kHeightField}) {
        if ((a == kHalfSpace && b == kHalfSpace) || (D == 2 && (a == kCylinder || b == kCylinder))) continue;
        EXPECT_TRUE(narrow_supports<D>(a, b)) << shape_name(a, D) << " " << shape_name(b, D);
      }
  };
  check(std::integral_constant<int, 2>());
  check(std::integral_constant<int, 3>());
}

}  // namespace
}  // namespace touchstone

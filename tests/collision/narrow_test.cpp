#include "collision/narrow/narrow.h"

#include <gtest/gtest.h>

#include <numbers>
#include <random>

#include "collision/narrow/core.h"
#include "collision/narrow/round_shapes.h"
#include "physics/scene_builders.h"

namespace touchstone {
namespace {

using testing::box;
using testing::capsule;
using testing::half_space;
using testing::sphere;

template <int D>
void touch(const Placed<D>& a, const Placed<D>& b, double margin, ContactPoints<D>& out) {
  PairMemory memory;
  collide(a, b, margin, NarrowPhaseKind::kAuto, memory, out);
}

template <int D>
Mat<D> random_rotation(std::mt19937& rng) {
  std::normal_distribution<double> n;
  if constexpr (D == 2)
    return matrix_of(3 * n(rng));
  else
    return matrix_of(Eigen::Quaterniond(n(rng), n(rng), n(rng), n(rng)).normalized());
}

template <int D>
double extent(const Shape<D>& s, const Vec<D>& p, const Mat<D>& R, const Vec<D>& n) {
  const Vec<D> l = R.transpose() * n;
  double h = p.dot(n) + s.radius;
  if (s.kind == ShapeKind::kBox) h += s.half.dot(l.cwiseAbs());
  if (s.kind == ShapeKind::kCapsule) h += s.half_length * std::abs(l[D - 1]);
  if (s.kind == ShapeKind::kConvex) {
    double most = -1e300;
    for (const Vec<D>& v : s.hull->vertices) most = std::max(most, v.dot(l));
    h += most;
  }
  if (s.kind == ShapeKind::kEllipsoid) h += s.half.cwiseProduct(l).norm();
  if (s.kind == ShapeKind::kCylinder)
    h += s.half_length * std::abs(l[D - 1]) + s.radius * (l.template head<D - 1>().norm() - 1);
  return h;
}

// The greatest separation along any direction, by a sweep: an independent judge of gap and normal. Signed: the distance
// of disjoint bodies, minus the penetration depth of overlapping ones.
template <int D>
double swept_gap(const Placed<D>& a, const Placed<D>& b, Vec<D> around) {
  const auto gap = [&](const Vec<D>& n) {
    return -extent(b.shape, b.p, b.R, Vec<D>(-n)) - extent(a.shape, a.p, a.R, n);
  };
  Vec<D> best = around;
  double best_gap = gap(best);
  std::mt19937 rng(1);
  std::normal_distribution<double> normal;
  for (int i = 0; i < 4000; ++i) {
    Vec<D> n;
    for (int k = 0; k < D; ++k) n[k] = normal(rng);
    n.normalize();
    if (gap(n) > best_gap) best_gap = gap(n), best = n;
  }
  for (double size = 0.3; size > 1e-7; size *= 0.7)
    for (int i = 0; i < 60; ++i) {
      Vec<D> n = best;
      for (int k = 0; k < D; ++k) n[k] += size * normal(rng);
      n.normalize();
      if (gap(n) > best_gap) best_gap = gap(n), best = n;
    }
  return best_gap;
}

template <int D>
void check_random_pairs(const std::vector<ShapeDescription>& shapes, int rounds) {
  std::mt19937 rng(7);
  std::uniform_real_distribution<double> u(-1, 1);
  int touching = 0;
  for (const ShapeDescription& da : shapes)
    for (const ShapeDescription& db : shapes)
      for (int round = 0; round < rounds; ++round) {
        const Shape<D> sa = make_shape<D>(da), sb = make_shape<D>(db);
        Vec<D> pb;
        for (int k = 0; k < D; ++k) pb[k] = 1.2 * u(rng);
        const Placed<D> a{sa, Vec<D>::Zero(), random_rotation<D>(rng)}, b{sb, pb, random_rotation<D>(rng)};
        ContactPoints<D> points;
        touch(a, b, 0.05, points);
        // The sweep starts at the answer, too: what it can better, it finds.
        const double truth = swept_gap(a, b, points.empty() ? Vec<D>(pb.normalized()) : points.front().normal);
        if (points.empty()) {
          EXPECT_GT(truth, 0.05 - 1e-9) << shape_name(da.kind, D) << " " << shape_name(db.kind, D);
          continue;
        }
        double deepest = 1e300;
        for (const auto& p : points) {
          EXPECT_NEAR(p.normal.norm(), 1, 1e-12);
          deepest = std::min(deepest, p.gap);
          // The normal is from A to B: the bodies' extents along it are that far apart.
          const double along = -extent(sb, b.p, b.R, Vec<D>(-p.normal)) - extent(sa, a.p, a.R, p.normal);
          EXPECT_LE(along, p.gap + 1e-9);
        }
        ++touching;
        // Exact, up to what the sweep resolves: it can fall short of the truth, never pass it.
        const auto curved = [](ShapeKind k) { return k == ShapeKind::kEllipsoid || k == ShapeKind::kCylinder; };
        const double tolerance = curved(da.kind) || curved(db.kind) ? 1e-6 : 1e-9;
        EXPECT_GE(deepest, truth - tolerance) << shape_name(da.kind, D) << " " << shape_name(db.kind, D);
        EXPECT_LE(deepest, truth + 2e-5) << shape_name(da.kind, D) << " " << shape_name(db.kind, D);
        // Turned round, the same contact with the opposite normal.
        ContactPoints<D> turned;
        touch(b, a, 0.05, turned);
        ASSERT_FALSE(turned.empty());
        double deepest_turned = 1e300;
        for (const auto& p : turned) deepest_turned = std::min(deepest_turned, p.gap);
        EXPECT_NEAR(deepest, deepest_turned, 1e-7);
      }
  EXPECT_GT(touching, 20);
}

TEST(Narrow, PlanarPairsAgreeWithASweepOverDirections) {
  ShapeDescription hull;
  hull.kind = ShapeKind::kConvex;
  hull.vertices = {{0.5, 0, 0}, {0.2, 0.45, 0}, {-0.4, 0.3, 0}, {-0.3, -0.4, 0}, {0.3, -0.4, 0}};
  ShapeDescription egg;
  egg.kind = ShapeKind::kEllipsoid, egg.size = {0.3, 0.5, 0};
  check_random_pairs<2>({sphere(0.4), box(0.8, 0.6), capsule(0.25, 0.6), hull, egg}, 40);
}

TEST(Narrow, SpatialPairsAgreeWithASweepOverDirections) {
  ShapeDescription egg, drum, hull;
  egg.kind = ShapeKind::kEllipsoid, egg.size = {0.3, 0.5, 0.4};
  drum.kind = ShapeKind::kCylinder, drum.radius = 0.3, drum.length = 0.7;
  hull.kind = ShapeKind::kConvex;
  hull.vertices = {{0.5, 0, 0.1},      {0.2, 0.45, -0.2}, {-0.4, 0.3, 0.3},
                   {-0.3, -0.4, -0.3}, {0.3, -0.4, 0.4},  {0, 0, -0.5}};
  check_random_pairs<3>({sphere(0.4), box(0.8, 0.6, 0.7), capsule(0.25, 0.6), egg, drum, hull}, 25);
}

TEST(Narrow, BoxOnBoxGivesFourPointsAnEdgeTwoACornerOne) {
  const Shape<3> a = make_shape<3>(box(2, 2, 2)), b = make_shape<3>(box(1, 1, 1));
  const auto count = [&](const Mat<3>& R, double height) {
    ContactPoints<3> points;
    touch(Placed<3>{a, Vec<3>::Zero(), Mat<3>::Identity()}, Placed<3>{b, Vec<3>(0.1, 0.2, 1 + height), R}, 1e-3,
          points);
    for (const auto& p : points) EXPECT_NEAR(p.normal[2], 1, 1e-9);
    return points.size();
  };
  const double pi = std::numbers::pi;
  EXPECT_EQ(count(Mat<3>::Identity(), 0.5 - 1e-4), 4u);
  EXPECT_EQ(count(matrix_of(Eigen::Quaterniond(Eigen::AngleAxisd(0.3, Vec<3>::UnitZ()))), 0.5 - 1e-4), 4u);
  EXPECT_EQ(count(matrix_of(Eigen::Quaterniond(Eigen::AngleAxisd(pi / 4, Vec<3>::UnitX()))), std::sqrt(0.5) - 1e-4),
            2u);
  const Eigen::Quaterniond corner = Eigen::Quaterniond::FromTwoVectors(Vec<3>(1, 1, 1).normalized(), Vec<3>::UnitZ());
  EXPECT_EQ(count(matrix_of(corner), std::sqrt(0.75) - 1e-4), 1u);
}

TEST(Narrow, FeaturesPersistUnderSmallMotionAndAreUniqueInAPair) {
  const Shape<3> a = make_shape<3>(box(2, 2, 2)), b = make_shape<3>(box(1, 1, 1));
  std::mt19937 rng(3);
  std::uniform_real_distribution<double> u(-1, 1);
  std::vector<std::uint16_t> reference;
  for (int i = 0; i < 200; ++i) {
    const Mat<3> R = matrix_of(exp_rotation(Vec<3>(1e-5 * Vec<3>(u(rng), u(rng), u(rng)))));
    ContactPoints<3> points;
    touch(Placed<3>{a, Vec<3>::Zero(), Mat<3>::Identity()},
          Placed<3>{b, Vec<3>(0.7 + 1e-5 * u(rng), 0.2, 1.5 - 1e-4), R}, 1e-3, points);
    std::vector<std::uint16_t> features;
    for (const auto& p : points) features.push_back(p.feature);
    std::sort(features.begin(), features.end());
    EXPECT_EQ(std::adjacent_find(features.begin(), features.end()), features.end());
    if (reference.empty()) reference = features;
    EXPECT_EQ(features, reference);
  }
}

TEST(Narrow, HalfSpacesMeetEveryShapeExactly) {
  ShapeDescription egg, drum;
  egg.kind = ShapeKind::kEllipsoid, egg.size = {0.3, 0.5, 0.8};
  drum.kind = ShapeKind::kCylinder, drum.radius = 0.4, drum.length = 1.1;
  std::mt19937 rng(5);
  for (const ShapeDescription& d : {sphere(0.5), box(0.4, 1.0, 0.7), capsule(0.3, 0.8), egg, drum}) {
    const Shape<3> plane = make_shape<3>(half_space({0, 0, 1})), shape = make_shape<3>(d);
    for (int i = 0; i < 50; ++i) {
      const Mat<3> R = random_rotation<3>(rng);
      const Bounds<3> b = bounds_of(shape, Vec<3>(Vec<3>::Zero()), R);  // the lowest point, independently
      const Vec<3> p(0.3, 0.2, -b.lower[2] - 0.01);
      ContactPoints<3> points;
      touch(Placed<3>{plane, Vec<3>::Zero(), Mat<3>::Identity()}, Placed<3>{shape, p, R}, 0.0, points);
      ASSERT_FALSE(points.empty());
      double deepest = 0;
      for (const auto& c : points) deepest = std::min(deepest, c.gap);
      EXPECT_NEAR(deepest, -0.01, 1e-12) << shape_name(d.kind, 3);
    }
  }
}

TEST(Narrow, NearestPointOfASegmentToABoxIsExact) {
  std::mt19937 rng(9);
  std::uniform_real_distribution<double> u(-2, 2);
  const Vec<3> half(0.5, 0.8, 0.3);
  for (int i = 0; i < 500; ++i) {
    const Vec<3> p(u(rng), u(rng), u(rng)), d(u(rng), u(rng), u(rng));
    const auto distance = [&](double t) {
      const Vec<3> x = p + t * d;
      return (x - Vec<3>(x.cwiseMax(-half).cwiseMin(half))).norm();
    };
    double best = 1e300;
    for (int k = 0; k <= 20000; ++k) best = std::min(best, distance(k / 20000.0));
    const double t = nearest_on_segment_to_box(p, d, half);
    EXPECT_GE(t, 0);
    EXPECT_LE(t, 1);
    EXPECT_LE(distance(t), best + 1e-12);
  }
}

}  // namespace
}  // namespace touchstone

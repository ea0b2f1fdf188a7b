#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>
#include <random>

#include "collision/narrow/narrow.h"
#include "physics/scene_builders.h"

namespace touchstone {
namespace {

using testing::box;
using testing::capsule;
using testing::sphere;

template <int D>
ContactPoints<D> touch(const Shape<D>& a, const Vec<D>& pa, const Mat<D>& Ra, const Shape<D>& b, const Vec<D>& pb,
                       const Mat<D>& Rb, double margin, NarrowPhaseKind phase = NarrowPhaseKind::kAuto) {
  PairMemory memory;
  ContactPoints<D> points;
  collide(Placed<D>{a, pa, Ra}, Placed<D>{b, pb, Rb}, margin, phase, memory, points);
  return points;
}

std::vector<std::uint16_t> features_of(const ContactPoints<3>& points) {
  std::vector<std::uint16_t> out;
  for (const auto& p : points) out.push_back(p.feature);
  return out;
}

Mat<3> about(const Vec<3>& axis, double angle) { return matrix_of(Eigen::Quaterniond(Eigen::AngleAxisd(angle, axis))); }
const Mat<3> kUpright = Mat<3>::Identity();

// The corners of the overlap of two rectangles, by hand: the points of a small box set across the edge of a large one.
TEST(Manifold, PointsAreTheCornersOfTheOverlap) {
  const Shape<3> floor = make_shape<3>(box(2, 2, 2)), top = make_shape<3>(box(1, 1, 1));
  const ContactPoints<3> points =
      touch<3>(floor, Vec<3>::Zero(), kUpright, top, Vec<3>(0.8, 0.2, 1.5 - 1e-4), kUpright, 1e-3);
  ASSERT_EQ(points.size(), 4u);
  std::vector<std::pair<double, double>> corners;
  for (const auto& p : points) {
    EXPECT_NEAR(p.gap, -1e-4, 1e-12);
    EXPECT_NEAR(p.point[2], 1 - 0.5e-4, 1e-12);
    EXPECT_NEAR(p.normal[2], 1, 1e-12);
    corners.emplace_back(std::round(p.point[0] * 1e9) / 1e9, std::round(p.point[1] * 1e9) / 1e9);
  }
  std::sort(corners.begin(), corners.end());
  const std::vector<std::pair<double, double>> expected{{0.3, -0.3}, {0.3, 0.7}, {1.0, -0.3}, {1.0, 0.7}};
  EXPECT_EQ(corners, expected);
}

// An octagon: two squares turned by 45° against each other.
TEST(Manifold, TurnedSquaresMeetInAnOctagon) {
  const Shape<3> a = make_shape<3>(box(1, 1, 1));
  const ContactPoints<3> points =
      touch<3>(a, Vec<3>::Zero(), kUpright, a, Vec<3>(0, 0, 1), about(Vec<3>::UnitZ(), std::numbers::pi / 4), 1e-3);
  ASSERT_EQ(points.size(), 8u);
  // On a square's side, where the diagonal of the other cuts it: at (1/2, √2/2 − 1/2).
  for (const auto& p : points) EXPECT_NEAR(p.point.head<2>().norm(), std::hypot(0.5, std::sqrt(0.5) - 0.5), 1e-9);
}

// Boxes of equal size on top of each other are where the corners of both coincide: the worst case for names.
TEST(Manifold, EqualBoxesAtRestKeepTheirPointsFromStepToStep) {
  const Shape<3> cube = make_shape<3>(box(1, 1, 1));
  std::mt19937 rng(11);
  std::uniform_real_distribution<double> u(-1, 1);
  for (const NarrowPhaseKind phase : {NarrowPhaseKind::kAuto, NarrowPhaseKind::kGjk}) {
    std::vector<std::uint16_t> reference;
    for (int i = 0; i < 500; ++i) {
      const Mat<3> R = matrix_of(exp_rotation(Vec<3>(1e-8 * Vec<3>(u(rng), u(rng), u(rng)))));
      const Vec<3> p(1e-8 * u(rng), 1e-8 * u(rng), 1 + 1e-6 * u(rng));
      const ContactPoints<3> points = touch<3>(cube, Vec<3>::Zero(), kUpright, cube, p, R, 1e-3, phase);
      ASSERT_EQ(points.size(), 4u) << i;
      if (reference.empty()) reference = features_of(points);
      EXPECT_EQ(features_of(points), reference);
    }
  }
}

// Whatever turns, every point carries the gap between the two surfaces at its place, and none is below the gap.
TEST(Manifold, RandomBoxesAgreeWithTheirSurfaces) {
  std::mt19937 rng(4);
  std::normal_distribution<double> n;
  std::size_t many = 0;
  for (int i = 0; i < 2000; ++i) {
    const Shape<3> a = make_shape<3>(box(1, 0.7, 1.3)), b = make_shape<3>(box(0.6, 1.1, 0.8));
    const Mat<3> Ra = matrix_of(Eigen::Quaterniond(n(rng), n(rng), n(rng), n(rng)).normalized()),
                 Rb = matrix_of(Eigen::Quaterniond(n(rng), n(rng), n(rng), n(rng)).normalized());
    const Vec<3> p = Vec<3>(n(rng), n(rng), n(rng)).normalized() * 0.9;
    const ContactPoints<3> points = touch<3>(a, Vec<3>::Zero(), Ra, b, p, Rb, 0.05);
    PairMemory memory;
    Closest<3> closest;
    const bool near = closest_of(Placed<3>{a, Vec<3>::Zero(), Ra}, Placed<3>{b, p, Rb}, 0.05, memory, closest);
    ASSERT_EQ(near, !points.empty());
    if (!near) continue;
    many += points.size() > 1;
    double least = 1e300;
    for (const auto& c : points) {
      least = std::min(least, c.gap);
      EXPECT_LE(c.gap, 0.05);
      // Half the gap up is B's surface, half the gap down A's: neither point is outside of its box.
      const Vec<3> on_a = Ra.transpose() * Vec<3>(c.point - 0.5 * c.gap * c.normal),
                   on_b = Rb.transpose() * Vec<3>(c.point + 0.5 * c.gap * c.normal - p);
      EXPECT_LE((on_a.cwiseAbs() - a.half).maxCoeff(), 2e-6);
      EXPECT_LE((on_b.cwiseAbs() - b.half).maxCoeff(), 2e-6);
    }
    EXPECT_NEAR(least, closest.gap, 1e-9);
  }
  EXPECT_GT(many, 100u);
}

TEST(Manifold, RoundShapesLieOnTheirLines) {
  const Shape<3> rod = make_shape<3>(capsule(0.2, 1)), floor = make_shape<3>(box(4, 4, 1));
  const Mat<3> lying = about(Vec<3>::UnitY(), std::numbers::pi / 2);
  EXPECT_EQ(touch<3>(floor, Vec<3>::Zero(), kUpright, rod, Vec<3>(0, 0, 0.7), lying, 1e-3).size(), 2u);
  EXPECT_EQ(touch<3>(floor, Vec<3>::Zero(), kUpright, rod, Vec<3>(0, 0, 1.2), kUpright, 1e-3).size(), 1u);
  EXPECT_EQ(touch<3>(rod, Vec<3>::Zero(), lying, rod, Vec<3>(0.3, 0, 0.4), lying, 1e-3).size(), 2u);
  const Mat<3> across = about(Vec<3>::UnitX(), std::numbers::pi / 2);
  EXPECT_EQ(touch<3>(rod, Vec<3>::Zero(), lying, rod, Vec<3>(0.3, 0, 0.4), across, 1e-3).size(), 1u);
  ShapeDescription d;
  d.kind = ShapeKind::kCylinder, d.radius = 0.5, d.length = 1;
  const Shape<3> drum = make_shape<3>(d);
  EXPECT_EQ(touch<3>(floor, Vec<3>::Zero(), kUpright, drum, Vec<3>(0.1, 0, 1), kUpright, 1e-3).size(), 8u);
  EXPECT_EQ(touch<3>(floor, Vec<3>::Zero(), kUpright, drum, Vec<3>(0.1, 0, 1), lying, 1e-3).size(), 2u);
  EXPECT_EQ(touch<3>(drum, Vec<3>::Zero(), kUpright, drum, Vec<3>(0.1, 0, 1), kUpright, 1e-3).size(), 8u);
}

TEST(Manifold, PlanarBoxesTouchInTwoPointsOrOne) {
  const Shape<2> a = make_shape<2>(box(2, 2)), b = make_shape<2>(box(1, 1));
  const auto points = touch<2>(a, Vec<2>::Zero(), Mat<2>::Identity(), b, Vec<2>(0.8, 1.5), Mat<2>::Identity(), 1e-3);
  ASSERT_EQ(points.size(), 2u);
  EXPECT_NEAR(std::abs(points[0].point[0] - points[1].point[0]), 0.7, 1e-12);
  const Mat<2> tilted = matrix_of(std::numbers::pi / 4);
  EXPECT_EQ(touch<2>(a, Vec<2>::Zero(), Mat<2>::Identity(), b, Vec<2>(0.3, 1 + std::sqrt(0.5)), tilted, 1e-3).size(),
            1u);
}

}  // namespace
}  // namespace touchstone

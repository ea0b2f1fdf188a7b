// The short way for two boxes against the general routine: the same points, names and order.
#include "collision/narrow/box_manifold.h"

#include <gtest/gtest.h>

#include <random>

#include "collision/narrow/gjk.h"
#include "collision/narrow/manifold.h"
#include "physics/scene_builders.h"

namespace touchstone {
namespace {

using testing::box;

struct Count {
  int pairs = 0, unclear = 0, points = 0;
};

// The general routine with the same normal, at the deepest points along it.
void compare(const Placed<3>& a, const Placed<3>& b, double margin, Count& count) {
  PairMemory memory;
  Closest<3> closest;
  if (!gjk<3>(a, b, margin, memory, closest)) return;
  ++count.pairs;
  const BoxPair boxes{a.R.transpose() * (b.p - a.p), a.R.transpose() * b.R, a.shape.half, b.shape.half};
  ContactPoints<3> ours, general;
  double least = 0;
  if (!add_box_manifold(boxes, a.R.transpose() * closest.normal, a, margin, ours, least)) {
    ++count.unclear;
    EXPECT_TRUE(ours.empty());
    return;
  }
  add_manifold(a, b, closest, margin, general, true);
  ASSERT_EQ(ours.size(), general.size());
  double lowest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < ours.size(); ++i) {
    ++count.points;
    EXPECT_EQ(ours[i].feature, general[i].feature);
    EXPECT_LT((ours[i].point - general[i].point).norm(), 1e-10);
    EXPECT_LT((ours[i].normal - general[i].normal).norm(), 1e-14);
    EXPECT_NEAR(ours[i].gap, general[i].gap, 1e-12);
    lowest = std::min(lowest, general[i].gap);
  }
  EXPECT_TRUE(ours.empty() || std::abs(least - lowest) < 1e-12);
}

Mat<3> random_turn(std::mt19937& rng, double angle) {
  std::normal_distribution<double> n;
  if (angle > 3) return matrix_of(Eigen::Quaterniond(n(rng), n(rng), n(rng), n(rng)).normalized());
  return matrix_of(exp_rotation(Vec<3>(angle * Vec<3>(n(rng), n(rng), n(rng)))));
}

TEST(BoxManifold, SameCornersAsTheGeneralRoutine) {
  std::mt19937 rng(17);
  std::uniform_real_distribution<double> u(-1, 1);
  Count count;
  for (int i = 0; i < 40000; ++i) {
    const auto edge = [&] { return std::exp(0.7 * u(rng)); };
    const Shape<3> sa = make_shape<3>(box(edge(), edge(), edge())), sb = make_shape<3>(box(edge(), edge(), edge()));
    // Turned at random; nearly upright on top of each other; turned about the upright axis only.
    const double angle = i % 3 == 0 ? 4 : 0.02;
    const Mat<3> Ra = random_turn(rng, 4), spin = matrix_of(exp_rotation(Vec<3>(0, 0, i % 3 == 2 ? u(rng) : 0)));
    const Mat<3> Rb = Ra * spin * random_turn(rng, angle);
    const Vec<3> up(0.8 * u(rng), 0.8 * u(rng), sa.half[2] + sb.half[2] + 0.02 * u(rng));
    const Vec<3> p = i % 3 == 0 ? Vec<3>(u(rng), u(rng), u(rng)) : Vec<3>(Ra * up);
    compare({sa, Vec<3>::Zero(), Ra}, {sb, p, Rb}, 0.05, count);
    if (HasFailure()) FAIL() << "pair " << i;
  }
  EXPECT_GT(count.pairs, 25000);
  EXPECT_LT(count.unclear, count.pairs / 100);
  EXPECT_GT(count.points, 2 * count.pairs);
}

// Where edges coincide the answer would hang on rounding: left to the general routine.
TEST(BoxManifold, EdgesOnTopOfEachOtherAreLeftToTheGeneralRoutine) {
  const Shape<3> cube = make_shape<3>(box(1, 1, 1)), wide = make_shape<3>(box(2, 2, 1));
  const Mat<3> upright = Mat<3>::Identity();
  const auto clear = [&](const Shape<3>& sa, const Shape<3>& sb, const Vec<3>& p) {
    const BoxPair boxes{p, upright, sa.half, sb.half};
    ContactPoints<3> points;
    double least = 0;
    return add_box_manifold(boxes, Vec<3>::UnitZ(), {sa, Vec<3>::Zero(), upright}, 1e-3, points, least);
  };
  EXPECT_FALSE(clear(cube, cube, Vec<3>(0, 0, 1)));
  EXPECT_FALSE(clear(cube, cube, Vec<3>(0.3, 1e-6, 1)));
  EXPECT_FALSE(clear(wide, cube, Vec<3>(0.5, 0, 1)));
  EXPECT_TRUE(clear(wide, cube, Vec<3>(0.2, 0.1, 1)));
  EXPECT_TRUE(clear(cube, wide, Vec<3>(0.8, 0.1, 1)));
}

}  // namespace
}  // namespace touchstone

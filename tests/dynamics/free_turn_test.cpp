// How a body turns by itself: order, energy, angular momentum, and the same in lanes.
#include "dynamics/free_turn.h"

#include <gtest/gtest.h>

namespace touchstone::testing {
namespace {

const Vec3Of<double> kInverse{1.0, 1.0 / 2, 1.0 / 3};  // moments 1, 2, 3

struct Turned {
  Eigen::Quaterniond attitude = Eigen::Quaterniond::Identity();
  Vec3Of<double> momentum;
  double energy() const {
    return 0.5 * (momentum.x * momentum.x * kInverse.x + momentum.y * momentum.y * kInverse.y +
                  momentum.z * momentum.z * kInverse.z);
  }
};

Turned turn_freely(Vec3Of<double> momentum, double duration, int steps) {
  Turned out;
  out.momentum = momentum;
  for (int i = 0; i < steps; ++i) {
    Vec3Of<double> turn;
    QuatOf<double> step;
    free_turn_in_body(out.momentum, kInverse, duration / steps, turn);
    rotation_step(turn, step);
    out.momentum = rotate_back(step, out.momentum);
    out.attitude = out.attitude * Eigen::Quaterniond(step.w, step.x, step.y, step.z);
  }
  return out;
}

TEST(FreeTurn, IsOfFourthOrder) {
  const Vec3Of<double> start{0.3, 2.0, 0.9};
  const Turned fine = turn_freely(start, 2, 4096);
  const auto error = [&](int steps) { return turn_freely(start, 2, steps).attitude.angularDistance(fine.attitude); };
  const double order = std::log2(error(16) / error(32)), next = std::log2(error(32) / error(64));
  EXPECT_GT(order, 3.7);
  EXPECT_NEAR(next, 4, 0.3);
}

// To rounding in short steps. In long ones the two turns θ and φ are composed by a truncated series, which leaves
// θ⁴/720 of φ: 4e-11 rad a step at 0.05 s, measured, which comes to 1.4e-9 of the energy in 60 s.
TEST(FreeTurn, KeepsTheEnergyAtAnyStep) {
  const Vec3Of<double> start{0.01, 10, 0.03};  // about the middle axis: it turns over
  for (const double h : {1e-3, 1e-2, 0.05}) {
    const int steps = static_cast<int>(60 / h);
    const Turned end = turn_freely(start, 60, steps), none = turn_freely(start, 0, 1);
    EXPECT_NEAR(end.energy() / none.energy(), 1, h < 0.02 ? 1e-11 : 2e-9) << h;
    const Eigen::Vector3d in_world = end.attitude * Eigen::Vector3d(end.momentum.x, end.momentum.y, end.momentum.z);
    EXPECT_LT((in_world - Eigen::Vector3d(0.01, 10, 0.03)).norm(), 1e-9) << h;
  }
}

// In one step of several turns the attitude says little, but nothing is gained.
TEST(FreeTurn, StaysBoundedWhereTheStepIsFarTooLarge) {
  Turned end = turn_freely({300, 200, 100}, 100, 200);
  EXPECT_LE(end.energy(), 0.5 * 140000 * 1.000001);
  EXPECT_GE(end.energy(), 0.5 * 140000 / 3 * 0.999999);
  EXPECT_TRUE(std::isfinite(end.attitude.norm()));
}

TEST(FreeTurn, OfEqualMomentsIsSteady) {
  const Vec3Of<double> inverse{2, 2, 2}, momentum{1, -2, 0.5};
  Vec3Of<double> turn;
  free_turn_in_body(momentum, inverse, 0.1, turn);
  EXPECT_EQ(turn.x, 0.1 * 2 * momentum.x);
  EXPECT_EQ(turn.y, 0.1 * 2 * momentum.y);
  EXPECT_EQ(turn.z, 0.1 * 2 * momentum.z);
}

// About an axis of inertia it goes on turning, whatever the rounding: no correction is blown up there.
TEST(FreeTurn, AboutAnAxisOfInertiaIsSteady) {
  const Turned end = turn_freely({0, 0, 6}, 100, 100'000);
  EXPECT_EQ(end.momentum.x, 0);
  EXPECT_EQ(end.momentum.y, 0);
  EXPECT_NEAR(end.momentum.z, 6, 1e-9);
}

TEST(FreeTurn, IsTheSameInLanes) {
  Vec3Of<Lane> momentum, inverse, turns;
  for (int i = 0; i < 4; ++i) {
    momentum.x[i] = 0.3 + i, momentum.y[i] = 2 - 0.5 * i, momentum.z[i] = 0.1 * i;
    inverse.x[i] = 1, inverse.y[i] = 0.5, inverse.z[i] = i == 2 ? 0.5 : 0.25;
  }
  ASSERT_TRUE(free_turn_in_body(momentum, inverse, 0.01, turns));
  for (int i = 0; i < 4; ++i) {
    Vec3Of<double> turn;
    free_turn_in_body<double>({momentum.x[i], momentum.y[i], momentum.z[i]}, {inverse.x[i], inverse.y[i], inverse.z[i]},
                              0.01, turn);
    EXPECT_NEAR(turns.x[i], turn.x, 1e-17);
    EXPECT_NEAR(turns.y[i], turn.y, 1e-17);
    EXPECT_NEAR(turns.z[i], turn.z, 1e-17);
  }
  EXPECT_FALSE(free_turn_in_body(momentum, inverse, 1.0, turns));  // body by body then
}

}  // namespace
}  // namespace touchstone::testing

// The collision laws of one point, against formulas and against a plain integration in small steps.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <random>

#include "contact/contact_frame.h"
#include "contact/routh_impact.h"
#include "models/pairwise/collision_queue.h"
#include "models/pairwise/coulomb_impact.h"

namespace touchstone::testing {
namespace {

// The tip of a double rod pendulum with L = m = 1, its rods at these angles from the vertical: rows up and right of
// dx/dt = J·(rates of the angles), and K = J·M⁻¹·Jᵀ.
Mat<2> tip_jacobian(double first, double second) {
  Mat<2> j;
  j << std::sin(first), std::sin(second), std::cos(first), std::cos(second);
  return j;
}
Mat<2> double_pendulum(double first, double second) {
  const double c = std::cos(first - second);
  const Mat<2> j = tip_jacobian(first, second);
  Mat<2> mass;
  mass << 1.0 / 3 + 1, 0.5 * c, 0.5 * c, 1.0 / 3;
  return j * mass.inverse() * j.transpose();
}

double energy_ratio(const Mat<2>& k, const Vec<2>& u, const Vec<2>& p) {
  const Vec<2> after = u + k * p;
  return 1 + p.dot(u + after) / u.dot(k.inverse() * u);
}

// B18: rates of −0.1 and −0.2 rad/s, e = μ = 0.5.
TEST(RouthImpact, B18LosesEnergyWhereNewtonsLawGainsIt) {
  const double first = 20 * M_PI / 180, second = 30 * M_PI / 180;
  const Mat<2> k = double_pendulum(first, second);
  const Vec<2> u = tip_jacobian(first, second) * Vec<2>(-0.1, -0.2);
  const RouthImpact<2> stronge = routh_impact<2>(k, u, {0.5, 0.5, 0.5});
  EXPECT_TRUE(stronge.finished);
  EXPECT_NEAR(energy_ratio(k, u, stronge.impulse), 0.5532, 1e-4);
  const PointImpulse<2> newton = coulomb_impact<2>(k, u, 0.5, 0.5, 0.5);
  EXPECT_TRUE(newton.sticking);
  EXPECT_NEAR(newton.impulse[1] / newton.impulse[0], -0.4306, 1e-4);
  EXPECT_NEAR(energy_ratio(k, u, newton.impulse), 1.5875, 1e-4);
  const PointImpulse<2> smooth = coulomb_impact<2>(k, u, 0.5, 0, 0);
  EXPECT_NEAR(energy_ratio(k, u, smooth.impulse), 0.7114, 1e-4);
}

// B63: the rod of Painlevé. There is no approach, and friction cannot press: an impulse that sticks.
TEST(RouthImpact, B63ThePainleveRodSticks) {
  const double a = 60 * M_PI / 180;
  const Vec<2> arm(-std::cos(a), -std::sin(a));  // from the centre to the tip: x, y
  Mat<2> k;                                      // axes: up, right
  k << 1 + 3 * arm[0] * arm[0], -3 * arm[0] * arm[1], -3 * arm[0] * arm[1], 1 + 3 * arm[1] * arm[1];
  const PointImpulse<2> p = coulomb_impact<2>(k, Vec<2>(-1e-12, -1), 0, 2, 2);
  EXPECT_TRUE(p.sticking);
  EXPECT_NEAR(p.impulse[1], 0.4375, 1e-9);
  EXPECT_NEAR(p.impulse[0], 0.324760, 1e-6);
  const RouthImpact<2> routh = routh_impact<2>(k, Vec<2>(-1e-12, -1), {0, 2, 2});
  EXPECT_TRUE(routh.sticking);
  EXPECT_NEAR(routh.impulse[1], 0.4375, 1e-9);
  EXPECT_NEAR(routh.impulse[0], 0.324760, 1e-6);
}

Mat<3> random_response(std::mt19937& random) {
  std::normal_distribution<double> normal;
  Mat<3> x;
  for (int i = 0; i < 9; ++i) x.data()[i] = normal(random);
  return x * x.transpose() + 0.3 * Mat<3>::Identity();
}

// The same course in very small explicit steps; slip below a step's worth counts as none.
Vec<3> by_small_steps(const Mat<3>& k, const Vec<3>& start, double e, double mu) {
  const double dp = 2e-6 * start.norm() / k(0, 0);
  const Eigen::Vector2d hold = -k.bottomRightCorner<2, 2>().inverse() * k.block<2, 1>(1, 0);
  Vec<3> u = start, p = Vec<3>::Zero();
  double work = 0, target = 0;
  bool compressing = true, held = false;
  for (long i = 0; i < 20'000'000; ++i) {
    if (compressing && u[0] >= 0) compressing = false, target = -e * e * work, work = 0;
    if (!compressing && work >= target) break;
    const Eigen::Vector2d slip = u.tail<2>();
    held |= slip.norm() < 2 * dp * k.norm() * (1 + mu) && hold.norm() <= mu;
    Vec<3> push(1, 0, 0);
    push.tail<2>() = held ? hold : Eigen::Vector2d(-mu * slip / std::max(slip.norm(), 1e-300));
    const Vec<3> next = start + k * (p + dp * push);
    work += 0.5 * dp * (u[0] + next[0]);
    p += dp * push;
    u = next;
  }
  return p;
}

TEST(RouthImpact, FollowsTheSlipInThreeDimensions) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> part(0, 1);
  int sticks = 0;
  for (int i = 0; i < 12; ++i) {
    const Mat<3> k = random_response(random);
    const Vec<3> u(-1, 2 * part(random) - 1, 2 * part(random) - 1);
    const double e = part(random), mu = 0.2 + part(random);
    const RouthImpact<3> r = routh_impact<3>(k, u, {e, mu, mu});
    EXPECT_TRUE(r.finished);
    sticks += r.sticking;
    const Vec<3> expected = by_small_steps(k, u, e, mu);
    EXPECT_LT((r.impulse - expected).norm(), 2e-4 * expected.norm()) << i;
  }
  EXPECT_GT(sticks, 0);
  EXPECT_LT(sticks, 12);
}

// Whatever the response: friction stays in its cone, energy is not gained, and e² of the work comes back.
TEST(RouthImpact, NeverGainsEnergy) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> part(0, 1);
  for (int i = 0; i < 2000; ++i) {
    const Mat<3> k = random_response(random);
    const Vec<3> u(-part(random), 4 * part(random) - 2, 4 * part(random) - 2);
    const double e = part(random), mu = 2 * part(random);
    const RouthImpact<3> r = routh_impact<3>(k, u, {e, mu, mu});
    ASSERT_TRUE(r.finished) << i;
    const Vec<3> after = u + k * r.impulse;
    EXPECT_LE(r.impulse.dot(u + after), 1e-9) << i;
    EXPECT_LE(r.impulse.tail<2>().norm(), mu * r.impulse[0] * (1 + 1e-9)) << i;
    EXPECT_GE(after[0], -1e-9) << i;
    EXPECT_NEAR(r.restitution, -e * e * r.compression, 1e-9) << i;
  }
}

// The law of the bead: the same in 2D and in a plane of 3D.
TEST(RouthImpact, PlaneAndSpaceAgree) {
  const Mat<2> k2 = double_pendulum(0.3, 0.9);
  Mat<3> k3 = Mat<3>::Identity();
  k3.topLeftCorner<2, 2>() = k2;
  for (const double slip : {-3.0, -0.4, 0.0, 0.2, 2.0}) {
    const Vec<2> flat = routh_impact<2>(k2, Vec<2>(-1, slip), {0.6, 0.3, 0.2}).impulse;
    const Vec<3> deep = routh_impact<3>(k3, Vec<3>(-1, slip, 0), {0.6, 0.3, 0.2}).impulse;
    EXPECT_LT((deep.head<2>() - flat).norm(), 1e-6 * flat.norm()) << slip;
    EXPECT_EQ(deep[2], 0);
  }
}

TEST(CollisionQueue, TimesOfAParabola) {
  EXPECT_DOUBLE_EQ(time_to_collide(1, -2, 0, 0), 0.5);
  EXPECT_DOUBLE_EQ(time_to_collide(1, 0, -2, 0), 1);
  EXPECT_DOUBLE_EQ(time_to_collide(0.5, 0.5, -1, 0), 0.5 + std::sqrt(1.25));
  EXPECT_TRUE(std::isinf(time_to_collide(1, 1, 0, 0)));
  EXPECT_TRUE(std::isinf(time_to_collide(1, -1, 1, 0)));
  EXPECT_DOUBLE_EQ(time_to_collide(0, -1, 5, 0), 0);
  EXPECT_DOUBLE_EQ(time_to_collide(0, 1, -2, 0), 1);            // up and down again
  EXPECT_DOUBLE_EQ(time_to_collide(-1, 1, -2, 0), 1);           // does not get out
  EXPECT_TRUE(std::isinf(time_to_collide(0, -1e-9, 0, 1e-8)));  // too slow to count
}

}  // namespace
}  // namespace touchstone::testing

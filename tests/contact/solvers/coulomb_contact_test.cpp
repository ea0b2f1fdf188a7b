// One contact: opens, sticks or slides, and nothing else.
#include "contact/solvers/coulomb_contact.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <random>

namespace touchstone::testing {
namespace {

using Eigen::Matrix3d, Eigen::Vector3d;

struct Dice {
  std::mt19937 engine{12345};
  double number(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine); }
  // As of two bodies: (1/m)·1 and a part of an arm, of which the coupling comes.
  Matrix3d response(double coupling) {
    const Vector3d a(number(-1, 1), number(-1, 1), number(-1, 1)), b(number(-1, 1), number(-1, 1), number(-1, 1));
    return Matrix3d::Identity() * number(0.2, 2) + coupling * (a * a.transpose() + b * b.transpose());
  }
};

// The laws one by one, in words of their own; `slip` and `sink` below which speeds count as zero.
void expect_lawful(const Matrix3d& w, const Vector3d& b, double mu, const CoulombContact::Answer& answer) {
  const Vector3d& r = answer.r;
  const Vector3d u = w * r + b;
  const double small = 1e-12 * (b.norm() + w.norm() * r.norm());
  ASSERT_TRUE(r.allFinite());
  EXPECT_GE(r[0], 0);
  EXPECT_LE(r.tail<2>().norm(), mu * r[0] * (1 + 1e-12));
  EXPECT_GE(u[0], -small);
  EXPECT_LE(r[0] > 0 ? std::abs(u[0]) : 0.0, small);
  if (r[0] > 0 && u.tail<2>().norm() > 100 * small) {
    EXPECT_FALSE(answer.sticks);
    EXPECT_NEAR(r.tail<2>().norm(), mu * r[0], 1e-12 * mu * r[0]);
    EXPECT_NEAR(r.tail<2>().dot(u.tail<2>()), -mu * r[0] * u.tail<2>().norm(),
                1e-9 * mu * r[0] * u.tail<2>().norm() + small * r.norm());
  }
}

TEST(CoulombContact, RandomContactsObeyTheLaws) {
  Dice dice;
  int opened = 0, stuck = 0, slid = 0;
  for (int i = 0; i < 20000; ++i) {
    const double scale = std::pow(10.0, dice.number(-6, 6));
    const Matrix3d w = dice.response(std::pow(10.0, dice.number(-2, 2))) * scale;
    const Vector3d b(dice.number(-1, 0.3), dice.number(-1, 1), dice.number(-1, 1));
    const double mu = dice.number(0, 1.5);
    CoulombContact contact;
    contact.prepare(w, 3);
    const CoulombContact::Answer answer = contact.solve(b, mu, mu);
    expect_lawful(w, b, mu, answer);
    EXPECT_LT(natural_map(answer.r, w * answer.r + b, mu, 3 / w.trace()), 1e-11 * (1 + answer.r.norm() * scale));
    (answer.r[0] == 0 ? opened : answer.sticks ? stuck : slid)++;
  }
  EXPECT_GT(opened, 1000);
  EXPECT_GT(stuck, 1000);
  EXPECT_GT(slid, 1000);
}

TEST(CoulombContact, WithoutCouplingTheAnswerIsKnown) {
  CoulombContact contact;
  contact.prepare(Matrix3d::Identity() * 0.5, 3);
  const CoulombContact::Answer slides = contact.solve({-1, 3, -4}, 0.5, 0.5);
  EXPECT_LT((slides.r - Vector3d(2, -0.6, 0.8)).norm(), 1e-14);  // against (3, −4)/5 with μ·r_N = 1
  EXPECT_FALSE(slides.sticks);
  const CoulombContact::Answer sticks = contact.solve({-1, 0.3, 0}, 0.5, 0.5);
  EXPECT_LT((sticks.r - Vector3d(2, -0.6, 0)).norm(), 1e-14);
  EXPECT_TRUE(sticks.sticks);
  EXPECT_EQ(contact.solve({0, 1, 1}, 0.5, 0.5).r, Vector3d::Zero());
  EXPECT_EQ(contact.solve({-1, 1, 1}, 0, 0).r, Vector3d(2, 0, 0));
}

TEST(CoulombContact, FewerRowsAreTheSameContactWithLess) {
  Dice dice;
  for (int i = 0; i < 2000; ++i) {
    Matrix3d w = dice.response(1);
    const Vector3d b(dice.number(-1, 0.3), dice.number(-1, 1), dice.number(-1, 1));
    const double mu = dice.number(0, 1);
    CoulombContact flat, line;
    flat.prepare(w, 2);
    line.prepare(w, 1);
    const CoulombContact::Answer two = flat.solve(b, mu, mu);
    EXPECT_EQ(two.r[2], 0);
    Matrix3d w2 = w;
    w2.row(2).setZero(), w2.col(2).setZero(), w2(2, 2) = 1;
    expect_lawful(w2, {b[0], b[1], 0}, mu, two);
    EXPECT_NEAR(line.solve(b, mu, mu).r[0], std::max(0.0, -b[0] / w(0, 0)), 1e-15);
  }
}

TEST(CoulombContact, TwoCoefficientsStickUnderOneAndSlideUnderTheOther) {
  CoulombContact contact;
  contact.prepare(Matrix3d::Identity(), 3);
  EXPECT_TRUE(contact.solve({-1, 0.55, 0}, 0.6, 0.5).sticks);
  const CoulombContact::Answer slides = contact.solve({-1, 0.65, 0}, 0.6, 0.5);
  EXPECT_FALSE(slides.sticks);
  EXPECT_LT((slides.r - Vector3d(1, -0.5, 0)).norm(), 1e-14);
}

TEST(NaturalMap, IsZeroAtAnswersAndNowhereElse) {
  EXPECT_EQ(natural_map({0, 0, 0}, {1, 2, 3}, 0.5, 1), 0);
  EXPECT_EQ(natural_map({0, 0, 0}, {1, 0, 0}, 0, 1), 0);  // opens, without friction
  EXPECT_NEAR(natural_map({2, -0.6, 0.8}, {0, 3, -4}, 0.5, 0.7), 0, 1e-15);
  EXPECT_NEAR(natural_map({0, 0, 0}, {-1, 0, 0}, 0.5, 0.7), 1, 1e-15);  // sinks at 1 m/s
  EXPECT_GT(natural_map({2, 0.6, -0.8}, {0, 3, -4}, 0.5, 0.7), 0.5);    // friction that drives
  EXPECT_GT(natural_map({2, -0.6, 0}, {0, 3, -4}, 0.5, 0.7), 0.5);      // too little of it
  EXPECT_GT(natural_map({1, 0, 0}, {1, 0, 0}, 0.5, 0.7), 0.5);          // an impulse that separates
}

}  // namespace
}  // namespace touchstone::testing

// Curves as lines: every point is on the curve, the line is fine enough, and it ends.
#include "io/curve_line.h"

#include <gtest/gtest.h>

#include <cmath>

namespace touchstone {
namespace {

using Eigen::Vector2d;

double length_of(const std::vector<Vector2d>& line) {
  double sum = 0;
  for (std::size_t i = 1; i < line.size(); ++i) sum += (line[i] - line[i - 1]).norm();
  return sum;
}

void expect_on(const Expression& curve, const std::vector<Vector2d>& line) {
  for (const Vector2d& p : line) {
    const Jet2 f = curve.at(p.x(), p.y());
    EXPECT_LT(std::abs(f.value) / std::hypot(f.x, f.y), 1e-9) << p.transpose();
  }
}

TEST(CurveLine, ALineGoesBothWays) {
  const Expression curve("y = x");
  const std::vector<Vector2d> line = curve_line(curve, {0.1, -0.1}, 10);
  ASSERT_GT(line.size(), 100u);
  expect_on(curve, line);
  EXPECT_NEAR(length_of(line), 20, 0.2);
  EXPECT_NEAR((line.front() + line.back()).norm(), 0, 0.1);
}

TEST(CurveLine, ACircleIsClosed) {
  const Expression curve("x^2 + y^2 = 4");
  const std::vector<Vector2d> line = curve_line(curve, {2, 0}, 100);
  expect_on(curve, line);
  EXPECT_EQ(line.front(), line.back());
  EXPECT_NEAR(length_of(line), 4 * M_PI, 0.01);
}

// A chord is off the curve by at most an eighth of its length times the turn along it: 2.5 m, 0.1 rad, and a slope
// of 2.
TEST(CurveLine, StepsShrinkWhereItBends) {
  const Expression curve("y = 20*sin(x/10)");
  const std::vector<Vector2d> line = curve_line(curve, {0, 0}, 500);
  expect_on(curve, line);
  for (std::size_t i = 1; i < line.size(); ++i) {
    const Vector2d middle = 0.5 * (line[i] + line[i - 1]);
    EXPECT_LT(std::abs(middle.y() - 20 * std::sin(middle.x() / 10)), 0.07);
  }
  EXPECT_GT(std::abs(line.back().x() - line.front().x()), 300);
}

// Nothing hangs: no gradient, a crossing, a domain that ends, a curve that is nowhere.
TEST(CurveLine, EndsWhereThereIsNoMore) {
  EXPECT_TRUE(curve_line(Expression("x^2 + y^2 = 0 - 1"), {1, 1}, 10).empty());
  EXPECT_TRUE(curve_line(Expression("1 = 0"), {1, 1}, 10).empty());
  const std::vector<Vector2d> half = curve_line(Expression("y = sqrt(x)"), {1, 1}, 10);
  EXPECT_GT(half.size(), 20u);
  for (const Vector2d& p : half) EXPECT_GE(p.x(), 0);
  EXPECT_GT(length_of(half), 10);
  expect_on(Expression("x*y = 0"), curve_line(Expression("x*y = 0"), {1, 0}, 10));
  EXPECT_TRUE(curve_line(Expression("y = x"), {0, 0}, 0).empty());
}

}  // namespace
}  // namespace touchstone

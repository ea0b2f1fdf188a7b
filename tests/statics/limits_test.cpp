// Verdicts on both sides of limits that are fractions: 1e-4 aside, and 1e-12 aside in fractions (B65-B72).
#include <gtest/gtest.h>

#include <array>
#include <functional>

#include "statics/structures.h"

namespace touchstone::statics::testing {
namespace {

constexpr std::array kAside{1e-4, 1e-12};

Structure block(double mu, const Eigen::Vector3d& push, double tangent) {  // 0.4 wide, 1 high
  Maker m;
  const std::uint32_t ground = m.held("ground"), b = m.free("block", 1, {0, 0.5, 0});
  for (const double x : {-0.2, 0.2}) m.touch(ground, b, {x, 0, 0}, {0, 1, 0}, mu);
  m.s.bodies[b].weight = {10 * tangent, -10, 0};  // gravity along (tangent, −1): only its direction matters
  m.s.bodies[b].force = push;
  return m.s;
}

void expect_limit(const std::function<Verdict(double)>& at, double limit, const std::string& what) {
  for (const double aside : kAside) {
    EXPECT_EQ(at(limit - aside), Verdict::kStands) << what << " −" << aside;
    EXPECT_EQ(at(limit + aside), Verdict::kFalls) << what << " +" << aside;
  }
  EXPECT_EQ(at(limit), Verdict::kStands) << what;
}

// B70: half the width over half the height, or μ.
TEST(Limits, BlockTipsOrSlidesAtItsTangent) {
  for (const auto& [mu, limit] : {std::pair(0.5, 0.4), std::pair(0.3, 0.3)}) {
    const double friction = mu;
    expect_limit([&](double t) { return verdict_of(block(friction, {0, 0, 0}, t)); }, limit, "tilt");
    expect_limit([&](double t) { return verdict_of(block(friction, {10 * t, 0, 0}, 0)); }, limit, "push");
    expect_limit([&](double t) { return verdict_of(block(friction, {-10 * t, 0, 0}, 0)); }, limit, "push back");
  }
}

// B37, B70: a load down at a place outside of the base: W·b = F·(x − b) for a base of half width b.
TEST(Limits, LoadOutsideOfTheBase) {
  expect_limit(
      [](double load) {
        Structure s = block(0.5, {0, -load, 0}, 0);
        s.bodies[1].torque.z() = -0.6 * load;  // at x = 0.6
        return verdict_of(s);
      },
      5, "load");  // 10·0.2 = F·0.4
}

// B66: tan β = 3/4; above it MAY STAND.
TEST(Limits, WedgeBelowLeaningFaces) {
  for (const double aside : kAside) {
    EXPECT_EQ(verdict_of(wedge(0.75 - aside, false)), Verdict::kFalls) << aside;
    EXPECT_EQ(verdict_of(wedge(0.75 + aside, false)), Verdict::kMayStand) << aside;
    EXPECT_EQ(verdict_of(wedge(0.75 - aside, true)), Verdict::kStands) << aside;
    EXPECT_EQ(verdict_of(wedge(0.75 + aside, true)), Verdict::kStands) << aside;
  }
}

// B65: the limit is 0, and no friction at all falls.
TEST(Limits, BlockBetweenWalls) {
  for (const double mu : {0.0, 1e-12, 1e-4}) {
    Maker m;
    const std::uint32_t left = m.held("left"), right = m.held("right"), b = m.free("block", 1, {0, 0, 0});
    for (const double y : {-0.5, 0.5})
      m.touch(left, b, {-1, y, 0}, {1, 0, 0}, mu), m.touch(right, b, {1, y, 0}, {-1, 0, 0}, mu);
    EXPECT_EQ(verdict_of(m.s), mu > 0 ? Verdict::kMayStand : Verdict::kFalls) << mu;
  }
}

// B68, B69: the load may go to the edge of the supports and no further.
TEST(Limits, TableAndBeam) {
  expect_limit(
      [](double x) {
        Maker m(3);
        const std::uint32_t ground = m.held("ground"), table = m.free("table", 8, {x, 0.25, 1});
        for (const auto& [u, v] : {std::pair(-1, -1), std::pair(1, -1), std::pair(1, 1), std::pair(-1, 1)})
          m.touch(ground, table, Eigen::Vector3d(u, v, 0), {0, 0, 1}, 0);
        return verdict_of(m.s);
      },
      1, "table");
  expect_limit(
      [](double x) {
        Maker m;
        const std::uint32_t ground = m.held("ground"), beam = m.free("beam", 3, {x, 0, 0});
        for (const double u : {-2.0, 0.0, 2.0}) m.touch(ground, beam, {u, 0, 0}, {0, 1, 0}, 0);
        return verdict_of(m.s);
      },
      2, "beam");
}

// B72: past the edge by nothing, 1e-12, 1e-4. B37 with friction: the same limit.
TEST(Limits, BrickAtAnEdge) {
  for (const double mu : {0.0, 0.5})
    expect_limit(
        [&](double x) {
          Bricks b(mu, 0);
          b.add(x, 0);
          return verdict_of(b.scene);
        },
        0, "edge");
}

// B39, and two bricks as in B43 with another overhang.
TEST(Limits, TowersOfTwoAndThree) {
  expect_limit(
      [](double x) {
        Bricks b(0, 0);
        b.add(x, 0), b.add(x - 0.5, 1), b.add(x + 0.5, 1);
        return verdict_of(b.scene);
      },
      0, "three");
  // x + (x + 0.4) = 0: the middle of both is at the edge.
  expect_limit(
      [](double x) {
        Bricks b(0, 0);
        b.add(x, 0), b.add(x + 0.4, 1);
        return verdict_of(b.scene);
      },
      -0.2, "two");
}

}  // namespace
}  // namespace touchstone::statics::testing

// The static problem of §9: flat bricks where their energy is least.
#include "models/gauss/flat_bricks.h"

#include <gtest/gtest.h>

#include "touchstone/error.h"

namespace touchstone {
namespace {

constexpr double kGravity = 9.81, kThick = 0.25;

TEST(FlatBricks, AStackLiesLevel) {
  std::vector<FlatBrick> bricks;
  for (std::uint32_t k = 0; k < 5; ++k) bricks.push_back({0.1 * k, 1 + 0.1 * k, 1, k});
  const FlatBricks out = least_energy(bricks, kThick, kGravity);
  ASSERT_EQ(out.answer.status, LpStatus::kOptimal);
  for (std::size_t k = 0; k < 5; ++k) {
    EXPECT_NEAR(out.left[k], kThick * static_cast<double>(k), 1e-12);
    EXPECT_NEAR(out.right[k], kThick * static_cast<double>(k), 1e-12);
  }
  EXPECT_NEAR(out.energy, kGravity * kThick * 10, 1e-10);
}

// A brick whose middle is beyond the end of the one below it turns about that end until it meets the floor.
TEST(FlatBricks, ABrickPastTheEdgeTipsDown) {
  const FlatBricks out = least_energy({{0, 1, 1, 0}, {0.6, 1.6, 1, 1}}, kThick, kGravity);
  ASSERT_EQ(out.answer.status, LpStatus::kOptimal);
  EXPECT_NEAR(out.right[1], 0, 1e-12);
  EXPECT_NEAR(out.left[1], kThick / 0.6, 1e-12);  // straight through the height t at the end of the lower one
  const FlatBricks stays = least_energy({{0, 1, 1, 0}, {0.4, 1.4, 1, 1}}, kThick, kGravity);
  EXPECT_NEAR(stays.left[1], kThick, 1e-12);
  EXPECT_NEAR(stays.right[1], kThick, 1e-12);
}

// Without thickness there is nothing to fall from.
TEST(FlatBricks, WithoutThicknessAllLieOnTheFloor) {
  EXPECT_NEAR(least_energy({{0, 1, 1, 0}, {0.6, 1.6, 1, 1}}, 0, kGravity).energy, 0, 1e-12);
}

TEST(FlatBricks, BricksThatAreNoneAreRefused) {
  EXPECT_THROW(least_energy({{0, 0, 1, 0}}, kThick, kGravity), Error);
  EXPECT_THROW(least_energy({{0, 1, 0, 0}}, kThick, kGravity), Error);
  EXPECT_THROW(least_energy({{0, std::numeric_limits<double>::infinity(), 1, 0}}, kThick, kGravity), Error);
}

}  // namespace
}  // namespace touchstone

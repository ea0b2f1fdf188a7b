// Brent's line search on functions whose minima are known.
#include "math/optim/brent.h"

#include <gtest/gtest.h>

namespace touchstone {
namespace {

TEST(Brent, FindsKnownMinima) {
  const auto parabola = minimise_brent([](double x) { return (x - 0.3) * (x - 0.3); }, 0, 1, 0.5, 1e-9);
  EXPECT_NEAR(parabola.x, 0.3, 1e-8);
  EXPECT_TRUE(parabola.converged);
  EXPECT_LT(parabola.evaluations, 15);  // golden sections alone would take 43
  const auto barrier = minimise_brent([](double x) { return x - 0.01 * std::log(x); }, 1e-12, 1, 0.5, 1e-9);
  EXPECT_NEAR(barrier.x, 0.01, 1e-8);
  const auto kink = minimise_brent([](double x) { return std::abs(x - 0.7); }, 0, 1, 0.1, 1e-9);
  EXPECT_NEAR(kink.x, 0.7, 1e-8);
}

TEST(Brent, MinimaAtTheEndsAreReached) {
  EXPECT_LT(minimise_brent([](double x) { return x; }, 0, 1, 0.5, 1e-9).x, 1e-8);
  EXPECT_GT(minimise_brent([](double x) { return -x; }, 0, 1, 0.5, 1e-9).x, 1 - 1e-8);
}

TEST(Brent, WhatIsNotFiniteIsAvoided) {
  const auto f = [](double x) { return x > 0.4 ? std::numeric_limits<double>::quiet_NaN() : -x; };
  const auto m = minimise_brent(f, 0, 1, 0.1, 1e-9);
  EXPECT_NEAR(m.x, 0.4, 1e-6);
  EXPECT_LE(m.x, 0.4);
}

TEST(Brent, TheCapHolds) {
  int calls = 0;
  const auto f = [&](double x) {
    ++calls;
    return std::cos(40 * x);
  };
  const auto m = minimise_brent(f, 0, 1, 0.5, 1e-15, 7);
  EXPECT_EQ(calls, 7);
  EXPECT_FALSE(m.converged);
  EXPECT_LE(m.value, std::cos(20.0));
}

}  // namespace
}  // namespace touchstone

// A column is as if it were a list.
#include "base/column.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace touchstone {
namespace {

TEST(Column, IsAsIfItWereAList) {
  std::mt19937 random(3);
  for (int round = 0; round < 300; ++round) {
    const unsigned kinds = 1 + random() % 3;
    Column<double> column;
    std::vector<double> list;
    for (int k = 0; k < 60; ++k) {
      if (list.empty() || random() % 4 == 0) {
        const double value = random() % kinds;
        const std::size_t n = random() % 8 == 0 ? random() % (list.size() + 1) : list.size() + random() % 4;
        column.resize(n, value);
        list.resize(n, value);
      } else {
        const std::size_t i = random() % list.size();
        const double value = random() % kinds;
        column.set(i, value);
        list[i] = value;
      }
      ASSERT_EQ(column.size(), list.size());
      for (std::size_t i = 0; i < list.size(); ++i) ASSERT_EQ(column[i], list[i]) << round << ' ' << k << ' ' << i;
    }
  }
}

TEST(Column, WhatIsTheSameIsKeptOnce) {
  Column<double> column;
  column.resize(1000, 2.0);
  for (std::size_t i = 0; i < 1000; ++i) column.set(i, 2.0);
  EXPECT_EQ(&column[0], &column[999]);
  column.set(5, 3.0);
  EXPECT_NE(&column[0], &column[999]);
  EXPECT_EQ(column[5], 3.0);
  EXPECT_EQ(column[6], 2.0);
}

TEST(Column, SignsOfZeroAndNoNumbersAreKept) {
  Column<double> column;
  column.resize(2, 0.0);
  column.set(1, -0.0);
  EXPECT_FALSE(std::signbit(column[0]));
  EXPECT_TRUE(std::signbit(column[1]));
  column.set(0, std::numeric_limits<double>::quiet_NaN());
  EXPECT_TRUE(std::isnan(column[0]));
  EXPECT_FALSE(std::isnan(column[1]));
}

}  // namespace
}  // namespace touchstone

#include "base/text.h"

#include <gtest/gtest.h>

namespace touchstone {
namespace {

TEST(Text, OneThingIsNotSeveral) {
  EXPECT_EQ(counted(1, "body"), "1 body");
  EXPECT_EQ(counted(2, "body"), "2 bodies");
  EXPECT_EQ(counted(0, "step"), "0 steps");
  EXPECT_EQ(counted(1, "recorded step"), "1 recorded step");
  EXPECT_EQ(counted(3, "vertex"), "3 vertices");
}

}  // namespace
}  // namespace touchstone

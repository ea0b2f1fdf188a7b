#include "collision/narrow/sat.h"

#include "collision/narrow_pairs.h"

namespace touchstone {
namespace {

using namespace testing;

template <int D>
void check_random_pairs(unsigned seed, int rounds) {
  Chance chance(seed);
  int apart = 0, deep = 0;
  for (int i = 0; i < rounds && !::testing::Test::HasFailure(); ++i) {
    SCOPED_TRACE(i);
    const TestPair<D> pair = chance.pair<D>();
    PairMemory memory;
    Closest<D> c;
    ASSERT_TRUE(sat<D>(pair.first(), pair.second(), 1e9, memory, c));
    judge(pair, c, 1e-9);
    c.gap > 0 ? ++apart : ++deep;
    const double gap = c.gap;
    Closest<D> turned;
    ASSERT_TRUE(sat<D>(pair.second(), pair.first(), 1e9, memory, turned));
    EXPECT_NEAR(turned.gap, gap, 1e-10 * pair.size());
    if (std::abs(gap) > 1e-9 * pair.size()) {
      EXPECT_TRUE(sat<D>(pair.first(), pair.second(), gap + 1e-3 * std::abs(gap), memory, c));
      EXPECT_FALSE(sat<D>(pair.first(), pair.second(), gap - 1e-3 * std::abs(gap), memory, c));
    }
  }
  EXPECT_GT(std::min(apart, deep), rounds / 20);
}

TEST(Sat, PlanarAnswersAreProven) { check_random_pairs<2>(1, 20000); }
TEST(Sat, SpatialAnswersAreProven) { check_random_pairs<3>(2, 10000); }

}  // namespace
}  // namespace touchstone

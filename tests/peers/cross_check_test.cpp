// Every narrow routine against a brute-force judge and against FCL, on random and degenerate pairs. TOUCHSTONE_PAIRS is
// the number of pairs of the default run; the long one takes more than a million.
#include "peers/cross_check.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>

namespace touchstone::testing {
namespace {

constexpr long kDefaultPairs = 48000, kLongPairs = 1080000;

template <int D>
void check_all(long pairs, int outsiders_every, std::uint64_t from) {
  std::map<std::string, Tallies> families;
  std::vector<std::string> complaints;
  const auto each = static_cast<std::uint64_t>(pairs / kFamilies);
  for (int f = 0; f < kFamilies; ++f) {
    const auto family = static_cast<Family>(f);
    const std::uint64_t asked = each / static_cast<std::uint64_t>(outsiders_every);
    Tallies& t = families[fmt::format("{}D {}", D, family_name(family))];
    t = cross_check<D>(family, from, from + asked, true, complaints);
    const Tallies rest = cross_check<D>(family, from + asked, from + each, false, complaints);
    t.pairs += rest.pairs;
    for (const auto& [name, r] : rest.routines) t.routines[name].add(r);
  }
  fmt::print("{}\n", table_of(families));
  for (const std::string& c : complaints) fmt::print("{}\n", c);
  for (const auto& [family, t] : families) {
    for (const auto& [name, r] : t.routines) {
      EXPECT_EQ(r.failures, 0) << family << ": " << name;
      // Caps are met where every direction is as good as the next (a ball about the centre of an ellipsoid); the answer
      // must be right all the same, which `failures` checks. Polytopes have no such case.
      if (name != "gjk" && name != "table") {
        EXPECT_EQ(r.unconverged, 0) << family << ": " << name;
      }
    }
    for (const auto& [name, o] : t.outsiders) EXPECT_EQ(o.against_us, 0) << family << ": " << name;
  }
}

long default_pairs() {
  const char* text = std::getenv("TOUCHSTONE_PAIRS");
  return text ? std::atol(text) : kDefaultPairs;
}

// What the long run once found wrong: nearly touching polytopes whose nearest features lie in no separating axis, and
// overlapping curved shapes whose shortest way apart is at a kink.
TEST(CrossCheck, HardSpatialPairs) {
  using enum Family;
  constexpr std::pair<Family, std::uint64_t> kHard[] = {
      {kRandom, 1040269}, {kParallel, 1005602}, {kNested, 1004394}, {kNested, 1007632}, {kNested, 1007677},
      {kNested, 1008080}, {kNested, 1012825},   {kNested, 1015092}, {kNested, 1024236}, {kThin, 1040125},
      {kRatio, 1018799},  {kRatio, 1021032},    {kRatio, 1043056},  {kDeep, 1053112},   {kNear, 1006037}};
  for (const auto& [family, number] : kHard) {
    std::vector<std::string> complaints;
    const Tallies t = cross_check<3>(family, number, number + 1, false, complaints);
    for (const auto& [name, r] : t.routines) EXPECT_EQ(r.failures, 0) << family_name(family) << number << ": " << name;
  }
}

TEST(CrossCheck, PlanarPairs) { check_all<2>(default_pairs() / 3, 1, 0); }
TEST(CrossCheck, SpatialPairs) { check_all<3>(default_pairs() * 2 / 3, 4, 0); }

// Numbers beyond those of the default run.
TEST(LongCrossCheck, PlanarPairs) { check_all<2>(kLongPairs / 3, 1, 1000000); }
TEST(LongCrossCheck, SpatialPairs) { check_all<3>(kLongPairs * 2 / 3, 1, 1000000); }

}  // namespace
}  // namespace touchstone::testing

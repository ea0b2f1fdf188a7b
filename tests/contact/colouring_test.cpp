// Colours: no two edges of one colour share a body that moves, every edge is there once, the heavy ones come first.
#include "contact/colouring.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

namespace touchstone {
namespace {

void check(const std::vector<ColouredEdge>& edges, const Colouring& colouring) {
  std::vector<int> seen(edges.size(), 0);
  for (std::size_t c = 0; c < colouring.colours(); ++c) {
    std::set<std::uint32_t> moving;
    std::uint16_t last = 0xffff;
    const bool serial = colouring.last_is_serial() && c + 1 == colouring.colours();
    for (const std::uint32_t i : colouring.edges_of(c)) {
      ++seen[i];
      EXPECT_LE(edges[i].weight, last);
      last = edges[i].weight;
      if (serial) continue;
      if (edges[i].moves_a) {
        EXPECT_TRUE(moving.insert(edges[i].a).second);
      }
      if (edges[i].moves_b) {
        EXPECT_TRUE(moving.insert(edges[i].b).second);
      }
    }
  }
  EXPECT_TRUE(std::all_of(seen.begin(), seen.end(), [](int n) { return n == 1; }));
}

TEST(Colouring, RandomGraphsShareNoMovingBodyInAColour) {
  std::mt19937 random(5);
  for (int round = 0; round < 50; ++round) {
    std::vector<ColouredEdge> edges;
    const std::uint32_t n = 2 + random() % 60;
    for (std::uint32_t k = random() % 300; k > 0; --k) {
      const std::uint32_t a = random() % n, b = random() % n;
      if (a == b) continue;
      edges.push_back({a, b, a % 5 != 0, b % 5 != 0, static_cast<std::uint16_t>(1 + random() % 4)});
    }
    Colouring colouring;
    colouring.colour(edges, n);
    check(edges, colouring);
  }
}

TEST(Colouring, AHundredEdgesAtOneBodyGoOneByOne) {
  std::vector<ColouredEdge> edges;
  for (std::uint32_t i = 1; i <= 100; ++i) edges.push_back({0, i, true, true, 1});
  Colouring colouring;
  colouring.colour(edges, 101);
  EXPECT_EQ(colouring.colours(), 65u);
  EXPECT_TRUE(colouring.last_is_serial());
  EXPECT_EQ(colouring.edges_of(64).size(), 36u);
  check(edges, colouring);
}

TEST(Colouring, NothingGivesNoColours) {
  Colouring colouring;
  colouring.colour({}, 3);
  EXPECT_EQ(colouring.colours(), 0u);
  EXPECT_FALSE(colouring.last_is_serial());
}

}  // namespace
}  // namespace touchstone

// Colliders of bodies: none, one or several, in the order in which they were added.
#include "sim/body_colliders.h"

#include <gtest/gtest.h>

namespace touchstone {
namespace {

std::vector<std::uint32_t> list(std::span<const std::uint32_t> s) { return {s.begin(), s.end()}; }

TEST(BodyColliders, NoneOneAndSeveral) {
  BodyColliders colliders;
  colliders.resize(3);
  EXPECT_TRUE(colliders[0].empty());
  colliders.add(1, 7);
  EXPECT_EQ(list(colliders[1]), (std::vector<std::uint32_t>{7}));
  colliders.add(2, 9), colliders.add(2, 4), colliders.add(2, 5);
  EXPECT_EQ(list(colliders[2]), (std::vector<std::uint32_t>{9, 4, 5}));
  colliders.clear(2), colliders.clear(1), colliders.clear(0);
  for (const std::uint32_t body : {0u, 1u, 2u}) EXPECT_TRUE(colliders[body].empty());
  colliders.add(2, 3);
  EXPECT_EQ(list(colliders[2]), (std::vector<std::uint32_t>{3}));
}

TEST(BodyColliders, AreInSnapshots) {
  BodyColliders colliders, back;
  colliders.resize(3);
  colliders.add(0, 7), colliders.add(2, 9), colliders.add(2, 4);
  std::vector<std::byte> saved;
  Archive out(saved);
  colliders.serialize(out);
  Archive in{std::span<const std::byte>(saved)};
  back.serialize(in);
  ASSERT_EQ(back.size(), 3u);
  EXPECT_EQ(list(back[0]), (std::vector<std::uint32_t>{7}));
  EXPECT_TRUE(back[1].empty());
  EXPECT_EQ(list(back[2]), (std::vector<std::uint32_t>{9, 4}));
}

// Numbers that no collider has are refused: they would be taken for something else.
TEST(BodyColliders, DamageIsRefused) {
  for (const std::uint32_t wrong : {0xffffffffu, 0xfffffffeu}) {
    std::vector<std::vector<std::uint32_t>> lists{{1}, {wrong}};
    std::vector<std::byte> saved;
    Archive out(saved);
    out(lists);
    Archive in{std::span<const std::byte>(saved)};
    BodyColliders back;
    EXPECT_THROW(back.serialize(in), Error);
  }
}

}  // namespace
}  // namespace touchstone

// Lists that are written over in their own room, and room that several lists use in turn.
#include "base/room.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

#include "base/scratch.h"

namespace touchstone {
namespace {

// Some of what was there goes, some stays, and new ones come in between: as if it were written to another list.
TEST(Rewriting, IsAsIfItWereWrittenElsewhere) {
  std::mt19937 random(7);
  std::vector<int> list, expected;
  for (int round = 0; round < 2000; ++round) {
    const unsigned more = random() % 4, less = random() % 4;
    const std::vector<int> before = list;
    expected.clear();
    Rewriting<int> rewriting(list);
    ASSERT_EQ(rewriting.old_size(), before.size());
    const auto add_new = [&] {
      for (unsigned n = random() % (more + 1); n > 0; --n) {
        const int value = static_cast<int>(random() % 1000);
        rewriting.add(value);
        expected.push_back(value);
      }
    };
    for (std::size_t i = 0; i < before.size(); ++i) {
      add_new();
      const int value = rewriting.old(i, 1).front();
      ASSERT_EQ(value, before[i]);
      rewriting.release(i + 1);
      if (random() % 4 < less) continue;
      rewriting.add(value);
      expected.push_back(value);
    }
    add_new();
    EXPECT_EQ(rewriting.size(), expected.size());
    rewriting.finish();
    ASSERT_EQ(list, expected) << round;
    if (list.size() > 500) list.resize(random() % 50);
  }
}

TEST(Rewriting, NothingIsAllottedWhereTheRoomIsEnough) {
  std::vector<int> list(100);
  for (int i = 0; i < 100; ++i) list[static_cast<std::size_t>(i)] = i;
  const int* room = list.data();
  for (int round = 0; round < 10; ++round) {
    Rewriting<int> rewriting(list);
    for (std::size_t i = 0; i < 100; ++i) {
      const int value = rewriting.old(i, 1).front();
      rewriting.release(i + 1);
      rewriting.add(value + 1);
    }
    rewriting.finish();
  }
  EXPECT_EQ(list.data(), room);
  EXPECT_EQ(list.front(), 10);
  EXPECT_EQ(list.back(), 109);
}

TEST(Scratch, OneAfterTheOther) {
  struct alignas(32) Wide {
    double x[4];
  };
  Scratch scratch;
  const std::span<Wide> wide = scratch.take<Wide>(100);
  EXPECT_EQ(wide.size(), 100u);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(wide.data()) % 64, 0u);
  for (Wide& w : wide) w.x[3] = 1;
  const std::span<std::uint8_t> bytes = scratch.take<std::uint8_t>(3200);
  EXPECT_EQ(static_cast<void*>(bytes.data()), static_cast<void*>(wide.data())) << "the same room";
  EXPECT_EQ(scratch.take<double>(0).size(), 0u);
  EXPECT_EQ(scratch.take<Wide>(1000).size(), 1000u);
}

TEST(Scratch, SeveralListsAtATimeAreApart) {
  struct Wide {
    double x[3];
  };
  Scratch scratch;
  const auto [bytes, wides, numbers] = scratch.take_lists<std::uint8_t, Wide, std::uint32_t>(3, 5, 0);
  EXPECT_EQ(bytes.size(), 3u);
  EXPECT_EQ(wides.size(), 5u);
  EXPECT_TRUE(numbers.empty());
  for (std::uint8_t& b : bytes) b = 7;
  for (Wide& w : wides) w = {1, 2, 3};
  for (const std::uint8_t b : bytes) EXPECT_EQ(b, 7);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(wides.data()) % 64, 0u);
  const void* before = bytes.data();
  EXPECT_EQ(static_cast<const void*>(scratch.take<std::uint8_t>(3 * 64).data()), before) << "there was room";
}

}  // namespace
}  // namespace touchstone

// The index of names is as if it were a map.
#include "sim/name_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

namespace touchstone {
namespace {

TEST(NameIndex, IsAsIfItWereAMap) {
  std::mt19937 random(5);
  for (int round = 0; round < 40; ++round) {
    constexpr std::uint32_t kSlots = 60;
    std::vector<std::string> names(kSlots);
    std::map<std::string, std::uint32_t> expected;
    NameIndex index;
    for (int k = 0; k < 600; ++k) {
      const std::uint32_t slot = random() % kSlots;
      const std::string name = "n" + std::to_string(random() % 90);
      if (!names[slot].empty()) {
        index.remove(names[slot], names);
        expected.erase(names[slot]);
        names[slot].clear();
      } else if (!expected.contains(name)) {
        names[slot] = name;
        index.add(slot, names);
        expected[name] = slot;
      }
      if (k % 100 == 99 && round % 4 == 0) {
        index.clear(), expected.clear();
        std::fill(names.begin(), names.end(), std::string());
      }
      for (int i = 0; i < 90; ++i) {
        const std::string asked = "n" + std::to_string(i);
        const auto found = expected.find(asked);
        const std::optional<std::uint32_t> answer = index.find(asked, names);
        ASSERT_EQ(answer.has_value(), found != expected.end()) << asked;
        if (found != expected.end()) {
          ASSERT_EQ(*answer, found->second);
        }
      }
    }
  }
}

TEST(NameIndex, WhatIsNotThereMayBeRemoved) {
  NameIndex index;
  std::vector<std::string> names{"a"};
  index.remove("a", names);
  EXPECT_FALSE(index.find("a", names));
  index.add(0, names);
  index.remove("b", names);
  EXPECT_EQ(index.find("a", names), 0u);
}

}  // namespace
}  // namespace touchstone

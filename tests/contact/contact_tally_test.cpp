#include "models/contact_tally.h"

#include <gtest/gtest.h>

namespace touchstone {
namespace {

void add(ContactTally<2>& tally, std::initializer_list<std::uint64_t> keys) {
  tally.begin();
  for (const std::uint64_t key : keys) {
    Contact<2> c{};
    c.key = key;
    tally.at(c).impulse += Vec<2>(0, 1);
  }
  tally.end();
}

std::vector<std::pair<std::uint64_t, double>> listed(const ContactTally<2>& tally) {
  std::vector<std::pair<std::uint64_t, double>> out;
  for (const StepContact<2>& c : tally.contacts()) out.emplace_back(c.contact.key, c.impulse[1]);
  return out;
}

using List = std::vector<std::pair<std::uint64_t, double>>;

// Substep by substep: what was there is added to, what is new comes in where it belongs.
TEST(ContactTally, NewContactsComeInWhereTheyBelong) {
  ContactTally<2> tally;
  add(tally, {3, 5, 9});
  EXPECT_EQ(listed(tally), (List{{3, 1}, {5, 1}, {9, 1}}));
  add(tally, {1, 5, 6, 7, 12});
  EXPECT_EQ(listed(tally), (List{{1, 1}, {3, 1}, {5, 2}, {6, 1}, {7, 1}, {9, 1}, {12, 1}}));
}

// A cleared tally shows nothing, starts anew, and keeps nothing of what it had.
TEST(ContactTally, NothingOfAClearedOneIsLeft) {
  ContactTally<2> tally;
  add(tally, {3, 5});
  tally.clear();
  EXPECT_TRUE(tally.empty());
  EXPECT_TRUE(tally.contacts().empty());
  tally.forget(0);
  add(tally, {4});
  EXPECT_EQ(listed(tally), (List{{4, 1}}));
  tally.clear();
  add(tally, {2, 4, 6});
  EXPECT_EQ(listed(tally), (List{{2, 1}, {4, 1}, {6, 1}}));
}

}  // namespace
}  // namespace touchstone

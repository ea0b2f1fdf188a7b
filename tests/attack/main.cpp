// Takes the campaign's arguments out of the command line; everything else is GoogleTest's.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

#include "attack/attack.h"

namespace {

// True if `text` is "--attack-NAME=NUMBER" or the variable of that name is set.
bool number_of(const std::string& text, const std::string& name, std::uint64_t& value) {
  const std::string option = "--attack-" + name + "=";
  if (text.rfind(option, 0) != 0) return false;
  value = std::strtoull(text.c_str() + option.size(), nullptr, 10);
  return true;
}

bool take(const std::string& text) {
  touchstone::attack::Campaign& campaign = touchstone::attack::campaign();
  std::uint64_t only = 0;
  if (number_of(text, "count", campaign.count) || number_of(text, "seed", campaign.seed)) return true;
  if (!number_of(text, "case", only)) return false;
  campaign.only = only;
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  for (const auto& [variable, option] :
       {std::pair("TOUCHSTONE_ATTACK_COUNT", "--attack-count="), std::pair("TOUCHSTONE_ATTACK_SEED", "--attack-seed="),
        std::pair("TOUCHSTONE_ATTACK_CASE", "--attack-case=")})
    if (const char* value = std::getenv(variable)) take(std::string(option) + value);
  ::testing::InitGoogleTest(&argc, argv);
  for (int i = 1; i < argc; ++i)
    if (!take(argv[i])) {
      std::cerr << argv[i] << ": not known; there are --attack-count=N, --attack-seed=N, --attack-case=N\n";
      return 2;
    }
  return RUN_ALL_TESTS();
}

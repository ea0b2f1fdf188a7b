#pragma once
// A campaign of damaged inputs. Every case has a seed of its own, made from the campaign's seed, the kind of input and
// the number of the case, so that one case can be repeated alone:
//   tests_attack --attack-count=100000 --attack-seed=7
//   tests_attack --gtest_filter='Attack.Scenes' --attack-seed=7 --attack-case=4711
// The environment variables TOUCHSTONE_ATTACK_COUNT, _SEED and _CASE do the same.
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "attack/mutator.h"

namespace touchstone::attack {

struct Campaign {
  std::uint64_t count = 1000, seed = 1;
  std::optional<std::uint64_t> only;  // this case alone
};
Campaign& campaign();

// Runs `one` for every case, in order. A crash, and a case that takes more than a minute of processor time, ends the
// program with a line that names the case.
void run_cases(const std::string& kind, const std::vector<std::string>& words,
               const std::function<void(Mutator&)>& one);

// Whether `work` came to its end. The only exception that may leave it is touchstone::Error, in UTF-8, not empty, and
// with every text of `names` in it; anything else is a failure of the test.
bool survives(const std::function<void()>& work, const std::vector<std::string>& names = {});

// Prints the input if it is that of a case that was asked for alone.
void show(const std::string& input);

// A folder that is gone at the end, in memory if the system has such a place.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string path(const std::string& name) const { return (root_ / name).string(); }
  // Writes a file and returns its path.
  std::string write(const std::string& name, const std::string& bytes) const;

 private:
  std::filesystem::path root_;
};

std::string read_bytes(const std::string& path);

}  // namespace touchstone::attack

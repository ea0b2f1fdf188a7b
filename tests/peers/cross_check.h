#pragma once
// One pair through every routine, the judge and, in 3D, FCL; and the sums over many.
#include <map>
#include <string>
#include <vector>

#include "peers/pairs.h"

namespace touchstone::testing {

// Bounds relative to PairCase::length().
inline constexpr double kPolyhedral = 1e-9, kCurved = 1e-6, kOutside = 1e-5;

// What was found about one routine in one family (errors relative to the length).
struct Tally {
  long answers = 0;
  double polyhedral_error = 0, curved_error = 0;  // worst difference of gap and what the judge says
  long failures = 0;                              // answers that break any rule
  long unconverged = 0;
  int most_iterations = 0;
  void add(const Tally& other);
};
struct OutsideTally {
  long answers = 0, threw = 0;
  long wrong_verdicts = 0, wrong_gaps = 0;  // the judge confirmed ours where FCL differs by more than kOutside
  double error = 0;                         // worst of the others
  long against_us = 0;                      // the judge confirmed FCL's
};
struct Tallies {
  long pairs = 0;
  std::map<std::string, Tally> routines;
  std::map<std::string, OutsideTally> outsiders;
};

// Pairs `begin` to `end` of a family. `complaints` gets a description of the first few failures of each kind.
template <int D>
Tallies cross_check(Family family, std::uint64_t begin, std::uint64_t end, bool ask_outsiders,
                    std::vector<std::string>& complaints);

std::string table_of(const std::map<std::string, Tallies>& families);

}  // namespace touchstone::testing

#pragma once
// `stable` on walls in running bond, as long as they have rows.
#include <string>
#include <vector>

#include "base/stop.h"

namespace touchstone::bench {

struct WallRow {
  int dimension = 2;
  double friction = 0;
  std::size_t bricks = 0, contacts = 0;
  std::string verdict;
  double detection = 0, equations = 0, total = 0;  // processor time [s]; total: all of `stable` but reading the file
};
WallRow judge_wall(int dimension, double friction, std::size_t bricks);

// Of total ∝ bricks^k, by least squares of logarithms.
double exponent_of(const std::vector<WallRow>& rows);

}  // namespace touchstone::bench

#pragma once
// What FCL says about a pair, with its two solvers. Empty in 2D, and in a build without FCL.
#include <string>
#include <utility>
#include <vector>

#include "peers/fcl/outsider.h"
#include "peers/pairs.h"

namespace touchstone::testing {

template <int D>
std::vector<std::pair<std::string, OutsideAnswer>> outside_views(const PairCase<D>& pair);

}  // namespace touchstone::testing

#pragma once
// Contact forces of an over-supported structure are not unique: between which bounds can each one be?
#include "statics/balance.h"

namespace touchstone::statics {

struct Bound {
  bool finite = false;  // otherwise there is no bound: rigid bodies can squeeze each other without end
  double value = 0;     // in the unit of force
  Rational exact;
  bool is_exact = false;
};

// Normal force of one contact, or the sum over all contacts between two bodies.
struct ForceRange {
  std::vector<std::size_t> contacts;
  Bound least, greatest;
};

// Two programs for each group of contacts, under balance. `groups`: what to sum.
std::vector<ForceRange> force_ranges(const Equations& equations, const BalanceSettings& settings,
                                     const std::vector<std::vector<std::size_t>>& groups);

// The contacts of each pair of bodies, in the order of the first.
std::vector<std::vector<std::size_t>> contacts_by_pair(const Structure& structure);

}  // namespace touchstone::statics

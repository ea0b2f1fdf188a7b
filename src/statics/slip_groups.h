#pragma once
// Contacts that slide together. In the plane both ends of a common face have the same slip, as long as they are closed;
// a search that knows it decides once where it would decide twice.
#include <optional>

#include "statics/equations.h"

namespace touchstone::statics {

// The slip of a contact is J_T·a − shear·(J_N·a), which is the same for all contacts of a group. While a contact is
// closed, J_N·a = 0, and this is its tangential acceleration; while it is open, it carries no force, and nothing is
// asked of its slip. Points are rounded, so that a shear of some 1e-15 is what makes the rows equal to the last digit.
struct SlipGroups {
  std::vector<Rational> shear;                    // by contact
  std::vector<std::size_t> leader;                // by contact; itself where it is alone
  std::vector<std::vector<std::size_t>> members;  // by leader; empty for others
};

// 3D: every contact alone. There a turn about the normal gives each point another slip.
SlipGroups slip_groups(const Equations& equations);

}  // namespace touchstone::statics

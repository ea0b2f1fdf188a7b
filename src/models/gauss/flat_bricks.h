#pragma once
// The static problem of §9: flat bricks that cannot slide sideways lie where their potential energy is least.
#include <cstdint>
#include <vector>

#include "math/optim/linear_program.h"

namespace touchstone {

// A brick as a segment over [left, right]; of several, those of lower `row` lie below.
struct FlatBrick {
  double left = 0, right = 0;  // [m]
  double mass = 1;             // [kg]
  std::uint32_t row = 0;
};

struct FlatBricks {
  LpAnswer answer;
  std::vector<double> left, right;  // heights of the lower corners of each brick [m]
  double energy = 0;                // Σ m·g·height of the middle of the lower side [J]
};

// On a floor at height 0. `thickness`: by how much the top of a brick is above its lower side, straight up and whatever
// its slope [m]. Throws Error (kBadInput) for bricks without width or mass.
FlatBricks least_energy(const std::vector<FlatBrick>& bricks, double thickness, double gravity, StopFlag stop = {});

}  // namespace touchstone

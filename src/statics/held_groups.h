#pragma once
// Which bodies no motion without resistance can move, because the forces that balance the loads hold them. See
// held_groups.cpp.
#include <cstdint>
#include <vector>

#include "statics/balance.h"

namespace touchstone::statics {

// How a balancing force bounds the motions y of a contact that nothing resists: f·y = 0, and y is in the dual cone.
enum class Grip : std::uint8_t {
  kNone,    // no force, or one on the cone's boundary
  kNormal,  // a normal force without friction: y_N = 0
  kWhole,   // a force inside of the cone: y = 0
};
std::vector<Grip> grips_of(const Equations& equations, const FrictionLaw law, const Forces& forces);

// True if every body moves with the world.
bool all_held(const Structure& structure, const std::vector<Grip>& grips);

}  // namespace touchstone::statics

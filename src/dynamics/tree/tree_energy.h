#pragma once
// Energy, momentum and centre of mass of a tree.
#include <span>

#include "dynamics/tree/tree_data.h"

namespace touchstone {

// In gravity, zero at the origin of the world [J]. After place_links().
double potential_energy(const TreeModel& model, const TreeData& data, const Vec<3>& gravity);
// With that of armatures [J]. After move_links(); `v` as there.
double kinetic_energy(const TreeModel& model, const TreeData& data, std::span<const double> v);
// After place_links().
Vec<3> center_of_mass(const TreeModel& model, const TreeData& data);
// Angular momentum about a point of the world, then linear momentum. Armatures have none. After move_links().
Spatial momentum(const TreeModel& model, const TreeData& data, const Vec<3>& about);

}  // namespace touchstone

#pragma once
// What the simulation itself refuses, found while the place in the file is still known.
#include <vector>

#include "io/scene/bodies.h"

namespace touchstone {

// Adds the bodies of every right entry to a simulation, two of a lattice at most: inertias that no body can have,
// shapes that may touch and have no contact routine. Costs little more than making the simulation.
void check_in_world(const SceneDescription& scene, const std::vector<BodyEntry>& entries, SceneErrors& errors);

}  // namespace touchstone

#pragma once
// Checks of a read robot, the same for both formats.
#include "touchstone/robot.h"

namespace touchstone {

// Throws Error, at the link's line, for a mass or an inertia that no body has: negative, or principal moments of which
// one is larger than the sum of the two others. A link without mass must have no inertia.
void check_link_mass(const RobotLink& link);

// Throws Error if there are too many links, or a chain of too many.
void check_size(const RobotDescription& robot);

// Throws Error if a joint moves links that have no inertia against it, also not by armature: nothing would hold its
// acceleration.
void check_moved_masses(const RobotDescription& robot);

}  // namespace touchstone

#pragma once
// Checks of a read robot, the same for both formats.
#include "io/robot/notes.h"
#include "touchstone/robot.h"

namespace touchstone {

// Throws Error, at the link's line, for a mass or an inertia that no body has: negative masses or principal moments, an
// inertia without a mass.
void check_link_mass(const RobotLink& link);

// Of three principal moments none is larger than the sum of the two others. Throws Error, at the link's line, if a
// rigid group of links (those without moving joints between them) breaks this rule; a link that breaks it inside of a
// group that keeps it gets a note.
void check_principal_moments(const RobotDescription& robot, ImportNotes& notes);

// Throws Error if there are too many links, or a chain of too many.
void check_size(const RobotDescription& robot);

// Throws Error if a joint moves links that have no inertia against it, also not by armature: nothing would hold its
// acceleration.
void check_moved_masses(const RobotDescription& robot);

}  // namespace touchstone

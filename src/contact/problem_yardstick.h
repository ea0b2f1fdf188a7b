#pragma once
// The yardstick on a contact problem and an answer to it: the same laws and the same measures as for the steps of a
// world (docs/yardstick.md), whoever posed the problem and whoever solved it.
#include <span>

#include "contact/contact_problem.h"
#include "touchstone/measures.h"

namespace touchstone {

// What errors of velocity are compared with: the greatest free relative velocity of a contact, g·h at least [m/s].
// gravity [m/s²]: 0 where it is not known. Infinite if a velocity's square overflows.
double reference_speed(const ContactProblem& problem, double gravity);

// Impulses by row, velocities of the cliques. `joint_velocity` is the worst natural map of an equality, limit or motor
// [m/s, rad/s]; bodies are cliques; what only a world has (penetration, errors of joints' positions) is zero.
StepMeasures judge_problem(const ContactProblem& problem, std::span<const double> impulses,
                           std::span<const double> velocities, double gravity);

}  // namespace touchstone

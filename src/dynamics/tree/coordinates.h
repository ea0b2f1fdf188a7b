#pragma once
// Coordinates of a tree move on their manifold: rotations are composed, everything else is added.
#include <span>

#include "dynamics/tree/tree_model.h"

namespace touchstone {

// out = q moved for the time h with the constant rates v. out may be q. Quaternions stay unit quaternions.
void move_coordinates(const TreeModel& model, std::span<const double> q, std::span<const double> v, double h,
                      std::span<double> out);
// The rates that lead from `from` to `to` within 1 s: of rotations the shorter way.
void coordinate_difference(const TreeModel& model, std::span<const double> from, std::span<const double> to,
                           std::span<double> out);
// The rates of the increment θ that moves q: θ̇ = dexp⁻¹(−θ)·ω for rotations, to the second bracket; v elsewhere.
void increment_rates(const TreeModel& model, std::span<const double> increment, std::span<const double> v,
                     std::span<double> out);

}  // namespace touchstone

#pragma once
// Purpose: inverse dynamics of a tree: the forces on its rates that cause given accelerations.
// Source: the recursive Newton-Euler algorithm [R. Featherstone, Rigid Body Dynamics Algorithms, 2008, table 5.1].
// Letters: a spatial acceleration, gravity as an acceleration of the base; f = I·a + v×*(I·v) − external.
// Deviations: 1. armature adds its own inertia on the diagonal.
// Fails: never.
#include <span>

#include "dynamics/tree/tree_data.h"

namespace touchstone {

// out = M·a + c − Σ Jᵀ·external, with c of velocities and gravity. `a` empty: zero; `external` empty: none, otherwise
// one a link, in world axes about its reference point. After place_links() and move_links().
void inverse_dynamics(const TreeModel& model, TreeData& data, const Vec<3>& gravity, std::span<const double> a,
                      std::span<const Spatial> external, std::span<double> out);
// The forces that hold the tree at rest against gravity. After place_links().
void gravity_forces(const TreeModel& model, TreeData& data, const Vec<3>& gravity, std::span<double> out);

}  // namespace touchstone

#pragma once
// Purpose: forward dynamics of a tree in O(n): the accelerations that given forces cause.
// Source: the articulated-body algorithm [R. Featherstone, Rigid Body Dynamics Algorithms, 2008, table 7.1].
// Letters: I_A articulated inertia; U = I_A·S, d = SᵀU + armature (+ h·damping), u = Q − Sᵀp.
// Deviations: 1. joints with several rates are eliminated rate by rate, as a chain of joints with massless links
// between
//   them: the same numbers as with the joint's own matrix D. 2. The part that depends on q alone (factor_tree) is
//   apart, and serves impulse responses, too.
// Fails: never, for a tree that make_tree() accepts.
#include <span>

#include "dynamics/tree/tree_data.h"

namespace touchstone {

// → u, inverse_d. `added` (empty: none) is added to the armature: h·damping makes damping implicit. After
// place_links().
void factor_tree(const TreeModel& model, TreeData& data, std::span<const double> added = {});
// out = M⁻¹·(Q − c + Σ Jᵀ·external), M with what factor_tree() added; arguments as of inverse_dynamics(). After
// factor_tree() and move_links().
void forward_dynamics(const TreeModel& model, TreeData& data, const Vec<3>& gravity, std::span<const double> force,
                      std::span<const Spatial> external, std::span<double> out);

}  // namespace touchstone

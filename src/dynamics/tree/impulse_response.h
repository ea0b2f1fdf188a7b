#pragma once
// Purpose: the velocities that impulses on a tree cause, in O(n).
// Source: the articulated-body algorithm without velocities and gravity [R. Featherstone, Rigid Body Dynamics
//   Algorithms, 2008, §7.1; B. Mirtich, Impulse-based Dynamic Simulation of Rigid Body Systems, 1996, §4.3].
// Letters: as in aba.h.
// Fails: never.
#include <span>

#include "dynamics/tree/tree_data.h"

namespace touchstone {

// The change of v from a spatial impulse (moment about `point`, impulse; world axes) on a link. After factor_tree().
void impulse_response(const TreeModel& model, TreeData& data, std::size_t link, const Vec<3>& point,
                      const Spatial& impulse, std::span<double> out);
// out = M⁻¹·p, with M as factor_tree() took it. out may be p.
void momentum_response(const TreeModel& model, TreeData& data, std::span<const double> p, std::span<double> out);

}  // namespace touchstone

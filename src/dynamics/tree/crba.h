#pragma once
// Purpose: the mass matrix M of a tree, in the sparse rows of TreeModel::row_begin.
// Source: the composite-rigid-body algorithm [R. Featherstone, Rigid Body Dynamics Algorithms, 2008, table 6.2].
// Letters: I_c inertia of a link and all that it carries; M_ij = S_jᵀ·I_c·S_i for an ancestor j of i.
// Deviations: 1. armature on the diagonal.
// Fails: never.
#include <Eigen/Core>

#include "dynamics/tree/tree_data.h"

namespace touchstone {

// → mass, composite. After place_links().
void find_mass_matrix(const TreeModel& model, TreeData& data);
// The same as a full matrix.
void fill_mass_matrix(const TreeModel& model, const TreeData& data, Eigen::Ref<Eigen::MatrixXd> out);

}  // namespace touchstone

#pragma once
// Purpose: M = Lᵀ·D·L of the mass matrix of a tree, and products and solutions with it; nothing is filled in.
// Source: [R. Featherstone, Efficient factorization of the joint-space inertia matrix for branched kinematic trees,
//   Int. J. Robotics Research 24 (2005); Rigid Body Dynamics Algorithms, 2008, table 6.3].
// Deviations: 1. rows are stored as they run from a rate to the world, so that the row of an ancestor is the end of the
//   row of its descendants and the innermost loops run over contiguous numbers.
// Fails: never, for a matrix that is positive definite.
#include <Eigen/Core>
#include <span>

#include "dynamics/tree/tree_data.h"

namespace touchstone {

// mass → factor. `added` (empty: none) is added to the diagonal first: h·damping makes it implicit.
void factor_mass_matrix(const TreeModel& model, TreeData& data, std::span<const double> added = {});
// out = M·x. After find_mass_matrix(); out is not x.
void multiply_mass_matrix(const TreeModel& model, const TreeData& data, std::span<const double> x,
                          std::span<double> out);
// x = M⁻¹·x. After factor_mass_matrix().
void solve_mass_matrix(const TreeModel& model, const TreeData& data, std::span<double> x);
// Jᵀ, nv × rows, becomes L⁻ᵀ·Jᵀ; the block J_1·M⁻¹·J_2ᵀ is then half_1ᵀ·D⁻¹·half_2. A column is zero except on one way
// to the world, and stays so: `from` is the last rate of each column's way (kNone: the whole column is gone through).
void half_solve_columns(const TreeModel& model, const TreeData& data, std::span<const std::uint32_t> from,
                        Eigen::Ref<Eigen::MatrixXd> columns);
// D⁻¹.
void fill_inverse_pivots(const TreeModel& model, const TreeData& data, Eigen::Ref<Eigen::VectorXd> out);

}  // namespace touchstone

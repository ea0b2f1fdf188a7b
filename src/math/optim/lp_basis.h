#pragma once
// The point and the multipliers that a basis of a linear program stands for.
#include "math/optim/linear_program.h"

namespace touchstone {

// A basis without the rows whose own activity is basic: the other rows and the basic columns meet in a square matrix.
struct BasisKernel {
  std::vector<Eigen::Index> rows, columns;            // that are not basic; that are
  std::vector<Eigen::Index> row_place, column_place;  // where they are in these, −1 elsewhere

  bool is_square() const { return rows.size() == columns.size(); }
};
BasisKernel kernel_of(const std::vector<BasisStatus>& columns, const std::vector<BasisStatus>& rows);

// Computes x and multipliers of an answer anew from its basis, so that they carry the rounding of one elimination
// instead of the simplex method's tolerances. False, and nothing changes, if the basis is singular.
bool recompute_from_basis(const LinearProgram& p, LpAnswer& answer);

}  // namespace touchstone

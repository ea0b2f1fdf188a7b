#pragma once
// What a linear program's answer is worth, computed from the program's numbers and the answer alone.
#include "math/optim/linear_program.h"

namespace touchstone {

// Sets primal_residual and dual_residual of x and multipliers. A reduced cost, or a multiplier, counts as far as its
// variable, or its row, is away from the bound that its sign asks for: the lesser of the two relative numbers.
void measure_residuals(const LinearProgram& p, LpAnswer& answer);
// cᵀ·d < 0, and no bound ends the way along d, within `tolerance` of the sums of magnitudes.
bool falls_along(const LinearProgram& p, const Eigen::VectorXd& d, double tolerance);

}  // namespace touchstone

#pragma once
// Programs that always have an answer, which is the proof that another one has none.
#include "math/optim/qp_scaling.h"

namespace touchstone {

// Least ½·|t|² under lower <= a·(from + x) + t <= upper: the answer t, which is the multiplier too, has aᵀ·t = 0, and
// is a contradiction of rows unless it is 0. Variables x, then t. The nearer `from` is to an answer, the smaller is the
// unit of what it misses, and the contradiction that is not lost in rounding.
QuadraticProgram distance_program(const ScaledQp& p, const Eigen::VectorXd& from);
// Least ½·|d|² + cᵀ·d under q·d = 0, with a·d in the recession cone of the bounds: the projection of −c on the
// directions in which one can go for ever; 0 unless the objective falls along one.
QuadraticProgram direction_program(const ScaledQp& p);

}  // namespace touchstone

#pragma once
// What a quadratic program's answer is worth, computed from the program's numbers and the answer alone. The scaled
// program is the program itself: its factors are powers of two.
#include "math/optim/qp_scaling.h"

namespace touchstone {

// Each is relative to the greatest sum of magnitudes that enters it, and to the program's unit where that is greater:
// the greatest of c and of the bounds that x = 0 misses.
struct QpResiduals {
  double primal = 0;  // by which a·x misses its bounds
  double dual = 0;    // of q·x + c − aᵀ·y; a multiplier without its bound counts as a whole
  double gap = 0;     // |xᵀqx + cᵀx − Σ_{y>0} y·lower − Σ_{y<0} y·upper|
};
// `rows` is scratch memory.
QpResiduals residuals_of(const ScaledQp& p, const Eigen::VectorXd& x, const Eigen::VectorXd& y, Eigen::Matrix2Xd& rows);

// A combination of rows that no x can keep: aᵀ·y = 0 and Σ_{y>0} y·lower + Σ_{y<0} y·upper > 0. |aᵀ·y|₁ over that sum,
// with x in its unit: no x less than its inverse is feasible. Infinite if it proves nothing. A row whose bounds cross
// is a proof of its own: y is its unit vector.
double contradiction_error(const ScaledQp& p, const Eigen::VectorXd& y);
// A direction with cᵀ·d < 0, q·d = 0 and a·d >= 0 (<= 0) where the lower (upper) bound is finite. The greatest that it
// misses of these over −cᵀ·d. Infinite if it proves nothing.
double direction_error(const ScaledQp& p, const Eigen::VectorXd& d);

}  // namespace touchstone

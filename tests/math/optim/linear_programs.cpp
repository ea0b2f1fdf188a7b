#include "math/optim/linear_programs.h"

#include <limits>

#include "math/optim/quadratic_programs.h"

namespace touchstone::testing {

LinearProgram random_linear_program(std::mt19937& random, int most_variables, int most_rows, bool feasible) {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  const QuadraticProgram rows = random_program(random, most_variables, most_rows, feasible);
  LinearProgram p;
  p.c = rows.c, p.a = rows.a, p.lower = rows.lower, p.upper = rows.upper;
  const Eigen::Index n = p.variables();
  p.x_lower.setConstant(n, -kInfinite), p.x_upper.setConstant(n, kInfinite);
  for (Eigen::Index j = 0; j < n; ++j) {  // the point of a feasible program is between −4 and 4
    const unsigned kind = static_cast<unsigned>(random()) % 4;
    if (kind != 0) p.x_lower[j] = -4 - static_cast<double>(random() % 3);
    if (kind == 1) p.x_upper[j] = 4 + static_cast<double>(random() % 3);
  }
  return p;
}

}  // namespace touchstone::testing

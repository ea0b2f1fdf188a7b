#pragma once
// Quadratic programs that tests, and the benchmarks, solve: random ones whose rows depend on each other, and brickwork
// without friction at the moment its support is taken away.
#include <random>

#include "math/optim/quadratic_program.h"

namespace touchstone::testing {

// Small integers for numbers; q of any rank; a third of the rows are multiples of others. With `feasible` there is a
// point within all bounds.
QuadraticProgram random_program(std::mt19937& random, int most_variables, int most_rows, bool feasible);
// The same with q positive definite.
QuadraticProgram random_strict_program(std::mt19937& random, int most_variables, int most_rows, bool feasible);

struct Wall {
  int layers = 5, columns = 5;
  double first_support = 0;  // the floor ends here: bricks are 2 long, the first one begins at −1
  double last_support = 1e30;
  bool bonded = true;  // every other layer is shifted by half a brick
  double unit = 1;     // of lengths
};
// Least ½·(a − g)ᵀM(a − g) over the accelerations of bricks 2 × 1 that touch on the floor, on each other, and side by
// side: two contacts an interface, so that the multipliers are not unique. Variables: x, y, angle of one brick after
// the other.
QuadraticProgram wall_program(const Wall& wall);

// Of the answer by itself: the greatest violation of feasibility, stationarity, signs and complementary slackness, each
// divided by the sum of magnitudes in it and 1.
double kkt_error(const QuadraticProgram& p, const Eigen::VectorXd& x, const Eigen::VectorXd& y);

}  // namespace touchstone::testing

#pragma once
#include <random>

#include "math/exact/exact_program.h"
#include "math/optim/linear_program.h"

namespace touchstone::testing {

// Small integers for numbers; a third of the rows are multiples of others. With `feasible` there is a point within all
// bounds.
LinearProgram random_linear_program(std::mt19937& random, int most_variables, int most_rows, bool feasible);

}  // namespace touchstone::testing

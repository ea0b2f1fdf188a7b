#pragma once
// Debian's Ipopt on a convex quadratic program, through its C interface: plain arrays, so that it is compiled apart.
#include <vector>

namespace touchstone::bench {

struct IpoptProgram {  // least ½·xᵀqx + cᵀx under lower <= a·x <= upper
  int variables = 0, rows = 0;
  std::vector<int> q_row, q_column;  // the lower half
  std::vector<double> q_value, c;
  std::vector<int> a_row, a_column;
  std::vector<double> a_value, lower, upper;
  double tolerance = 1e-10;
};

struct IpoptAnswer {
  bool optimal = false;
  double objective = 0;
  int iterations = 0;
  std::vector<double> x;
};

IpoptAnswer solve_by_ipopt(const IpoptProgram& program);

}  // namespace touchstone::bench

#pragma once
// A quadratic program in the arrays that Ipopt takes.
#include "math/optim/quadratic_program.h"
#include "programs/outsiders/ipopt.h"

namespace touchstone::bench {

inline IpoptProgram ipopt_program(const QuadraticProgram& p) {
  IpoptProgram out;
  out.variables = static_cast<int>(p.variables()), out.rows = static_cast<int>(p.rows());
  for (Eigen::Index j = 0; j < p.variables(); ++j) {
    for (Eigen::SparseMatrix<double>::InnerIterator e(p.q, j); e; ++e) {
      if (e.row() < j) continue;
      out.q_row.push_back(static_cast<int>(e.row())), out.q_column.push_back(static_cast<int>(j));
      out.q_value.push_back(e.value());
    }
    for (Eigen::SparseMatrix<double>::InnerIterator e(p.a, j); e; ++e) {
      out.a_row.push_back(static_cast<int>(e.row())), out.a_column.push_back(static_cast<int>(j));
      out.a_value.push_back(e.value());
    }
  }
  out.c.assign(p.c.begin(), p.c.end());
  out.lower.assign(p.lower.begin(), p.lower.end());
  out.upper.assign(p.upper.begin(), p.upper.end());
  return out;
}

}  // namespace touchstone::bench

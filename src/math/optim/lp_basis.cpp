#include "math/optim/lp_basis.h"

#include <Eigen/SparseLU>
#include <cmath>

namespace touchstone {
namespace {

using Entry = Eigen::SparseMatrix<double>::InnerIterator;
using Lu = Eigen::SparseLU<Eigen::SparseMatrix<double>>;

void select(const std::vector<BasisStatus>& from, bool basic, std::vector<Eigen::Index>& chosen,
            std::vector<Eigen::Index>& place) {
  place.assign(from.size(), -1);
  for (std::size_t i = 0; i < from.size(); ++i) {
    if ((from[i] == BasisStatus::kBasic) != basic) continue;
    place[i] = static_cast<Eigen::Index>(chosen.size());
    chosen.push_back(static_cast<Eigen::Index>(i));
  }
}

double value_at(BasisStatus status, double lower, double upper, double otherwise) {
  switch (status) {
    case BasisStatus::kLower:
    case BasisStatus::kFixed:
      return lower;
    case BasisStatus::kUpper:
      return upper;
    case BasisStatus::kBasic:
    case BasisStatus::kFree:
      return otherwise;
  }
  return otherwise;
}

// K·z = b by factors and one correction.
Eigen::VectorXd solve_twice(const Eigen::SparseMatrix<double>& k, const Lu& lu, const Eigen::VectorXd& b) {
  Eigen::VectorXd z = lu.solve(b);
  const Eigen::VectorXd left = b - k * z;
  z += lu.solve(left);
  return z;
}

}  // namespace

BasisKernel kernel_of(const std::vector<BasisStatus>& columns, const std::vector<BasisStatus>& rows) {
  BasisKernel out;
  select(columns, true, out.columns, out.column_place);
  select(rows, false, out.rows, out.row_place);
  return out;
}

bool recompute_from_basis(const LinearProgram& p, LpAnswer& answer) {
  const BasisKernel kernel = kernel_of(answer.columns, answer.rows);
  if (!kernel.is_square()) return false;
  const Eigen::Index size = static_cast<Eigen::Index>(kernel.rows.size());
  Eigen::VectorXd x = answer.x, y = Eigen::VectorXd::Zero(p.rows()), right(size), cost(size);
  for (Eigen::Index j = 0; j < p.variables(); ++j)
    x[j] = value_at(answer.columns[static_cast<std::size_t>(j)], p.x_lower[j], p.x_upper[j], answer.x[j]);
  for (Eigen::Index k = 0; k < size; ++k) {
    const Eigen::Index i = kernel.rows[static_cast<std::size_t>(k)];
    right[k] = value_at(answer.rows[static_cast<std::size_t>(i)], p.lower[i], p.upper[i], 0.0);
    cost[k] = p.c[kernel.columns[static_cast<std::size_t>(k)]];
  }
  std::vector<Eigen::Triplet<double>> entries;
  for (Eigen::Index j = 0; j < p.variables(); ++j) {
    const Eigen::Index column = kernel.column_place[static_cast<std::size_t>(j)];
    for (Entry e(p.a, j); e; ++e) {
      const Eigen::Index row = kernel.row_place[static_cast<std::size_t>(e.row())];
      if (row < 0) continue;
      if (column < 0)
        right[row] -= e.value() * x[j];
      else
        entries.emplace_back(static_cast<int>(row), static_cast<int>(column), e.value());
    }
  }
  if (size > 0) {
    Eigen::SparseMatrix<double> k(size, size);
    k.setFromTriplets(entries.begin(), entries.end());
    const Eigen::SparseMatrix<double> kt = k.transpose();
    Lu lu(k), lut(kt);
    if (lu.info() != Eigen::Success || lut.info() != Eigen::Success) return false;
    const Eigen::VectorXd basic = solve_twice(k, lu, right), pulls = solve_twice(kt, lut, cost);
    if (!basic.allFinite() || !pulls.allFinite()) return false;
    for (Eigen::Index n = 0; n < size; ++n) {
      x[kernel.columns[static_cast<std::size_t>(n)]] = basic[n];
      y[kernel.rows[static_cast<std::size_t>(n)]] = pulls[n];
    }
  }
  if (!x.allFinite()) return false;
  answer.x = x, answer.multipliers = y;
  answer.objective = p.c.dot(x);
  return true;
}

}  // namespace touchstone

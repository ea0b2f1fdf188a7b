#include "math/optim/qp_rays.h"

#include <cmath>
#include <limits>
#include <vector>

namespace touchstone {
namespace {

using Entry = Eigen::SparseMatrix<double>::InnerIterator;
using Entries = std::vector<Eigen::Triplet<double>>;

void add(Entries& to, const Eigen::SparseMatrix<double>& from, Eigen::Index first_row) {
  for (Eigen::Index j = 0; j < from.cols(); ++j)
    for (Entry e(from, j); e; ++e)
      to.emplace_back(static_cast<int>(first_row + e.row()), static_cast<int>(j), e.value());
}
void add_identity(Entries& to, Eigen::Index first_row, Eigen::Index first_column, Eigen::Index n) {
  for (Eigen::Index k = 0; k < n; ++k)
    to.emplace_back(static_cast<int>(first_row + k), static_cast<int>(first_column + k), 1.0);
}
void set(Eigen::SparseMatrix<double>& matrix, const Entries& entries, Eigen::Index rows, Eigen::Index columns) {
  matrix.resize(rows, columns);
  matrix.setFromTriplets(entries.begin(), entries.end());
}

// With products that are not rounded: the difference to a bound may be less than their rounding.
Eigen::VectorXd product(const Eigen::SparseMatrix<double>& a, const Eigen::VectorXd& x) {
  std::vector<long double> sum(static_cast<std::size_t>(a.rows()), 0.0L);
  for (Eigen::Index j = 0; j < a.cols(); ++j)
    for (Entry e(a, j); e; ++e) sum[static_cast<std::size_t>(e.row())] += static_cast<long double>(e.value()) * x[j];
  Eigen::VectorXd out(a.rows());
  for (Eigen::Index i = 0; i < out.size(); ++i) out[i] = static_cast<double>(sum[static_cast<std::size_t>(i)]);
  return out;
}

}  // namespace

QuadraticProgram distance_program(const ScaledQp& p, const Eigen::VectorXd& from) {
  const Eigen::Index n = p.variables(), m = p.rows();
  QuadraticProgram out;
  Entries q, a;
  add_identity(q, n, n, m);
  add(a, p.a, 0);
  add_identity(a, 0, n, m);
  set(out.q, q, n + m, n + m), set(out.a, a, m, n + m);
  out.c.setZero(n + m);
  const Eigen::VectorXd a_from = product(p.a, from);
  out.lower = p.lower - a_from, out.upper = p.upper - a_from;
  return out;
}

QuadraticProgram direction_program(const ScaledQp& p) {
  const Eigen::Index n = p.variables(), m = p.rows();
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  QuadraticProgram out;
  Entries q, a;
  add_identity(q, 0, 0, n);
  add(a, p.q, 0);
  add(a, p.a, n);
  set(out.q, q, n, n), set(out.a, a, n + m, n);
  out.c = p.c;
  out.lower.setZero(n + m), out.upper.setZero(n + m);
  for (Eigen::Index i = 0; i < m; ++i) {
    if (!std::isfinite(p.lower[i])) out.lower[n + i] = -kInfinite;
    if (!std::isfinite(p.upper[i])) out.upper[n + i] = kInfinite;
  }
  return out;
}

}  // namespace touchstone

// Purpose: rows and columns of [q aᵀ; a 0] get the greatest entry 1, as nearly as powers of two allow; then the unit of
//   x and of the objective are chosen, since l, u and c may be multiplied by one number at will.
// Source: D. Ruiz, A scaling algorithm to equilibrate both rows and columns norms in matrices, RAL-TR-2001-034.
// Letters: D column, E row, τ length, κ cost.
// Fails: where numbers of one row differ by more than 1e16, or the objective's by more than the bounds': such programs
//   are solved, but the certificate, which is relative, says little about the small ones.
#include "math/optim/qp_scaling.h"

#include <algorithm>
#include <cmath>

namespace touchstone {
namespace {

constexpr int kPasses = 4;

double power_of_two_near(double x) {
  int exponent = 0;
  const double mantissa = std::frexp(x, &exponent);  // in [1/2, 1)
  return std::ldexp(1.0, mantissa > 0.70710678118654752 ? exponent : exponent - 1);
}
bool same_pattern(const Eigen::SparseMatrix<double>& a, const Eigen::SparseMatrix<double>& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() && a.nonZeros() == b.nonZeros() &&
         std::equal(a.outerIndexPtr(), a.outerIndexPtr() + a.cols() + 1, b.outerIndexPtr()) &&
         std::equal(a.innerIndexPtr(), a.innerIndexPtr() + a.nonZeros(), b.innerIndexPtr());
}
void copy_values(const Eigen::SparseMatrix<double>& from, Eigen::SparseMatrix<double>& to) {
  std::copy(from.valuePtr(), from.valuePtr() + from.nonZeros(), to.valuePtr());
}
// What x = 0 misses a bound by.
double missed(double lower, double upper) {
  return std::max({0.0, std::isfinite(lower) ? lower : 0.0, std::isfinite(upper) ? -upper : 0.0});
}

}  // namespace

bool ScaledQp::load(const QuadraticProgram& program) {
  const bool same = q.cols() == program.variables() && a.rows() == program.rows() && same_pattern(q, program.q) &&
                    same_pattern(a, program.a);
  if (same)
    copy_values(program.q, q), copy_values(program.a, a);
  else
    q = program.q, a = program.a;
  equilibrate();
  set_units(program);
  return same;
}

void ScaledQp::equilibrate() {
  column.setOnes(q.cols()), row.setOnes(a.rows());
  for (int pass = 0; pass < kPasses; ++pass) {
    column_most_.setZero(q.cols()), row_most_.setZero(a.rows());
    for (Eigen::Index j = 0; j < q.cols(); ++j) {
      for (Eigen::SparseMatrix<double>::InnerIterator e(q, j); e; ++e)
        column_most_[j] = std::max(column_most_[j], std::abs(e.value()) * column[e.row()] * column[j]);
      for (Eigen::SparseMatrix<double>::InnerIterator e(a, j); e; ++e) {
        const double value = std::abs(e.value()) * row[e.row()] * column[j];
        column_most_[j] = std::max(column_most_[j], value);
        row_most_[e.row()] = std::max(row_most_[e.row()], value);
      }
    }
    for (Eigen::Index j = 0; j < column.size(); ++j)
      if (column_most_[j] > 0) column[j] /= std::sqrt(column_most_[j]);
    for (Eigen::Index i = 0; i < row.size(); ++i)
      if (row_most_[i] > 0) row[i] /= std::sqrt(row_most_[i]);
  }
  for (double& d : column) d = power_of_two_near(d);
  for (double& e : row) e = power_of_two_near(e);
  for (Eigen::Index j = 0; j < q.cols(); ++j) {
    for (Eigen::SparseMatrix<double>::InnerIterator e(q, j); e; ++e) e.valueRef() *= column[e.row()] * column[j];
    for (Eigen::SparseMatrix<double>::InnerIterator e(a, j); e; ++e) e.valueRef() *= row[e.row()] * column[j];
  }
}

// The greatest entry of q becomes 1, then the greater of c's and of the bounds that x = 0 misses.
void ScaledQp::set_units(const QuadraticProgram& program) {
  double most_q = 0, most_c = 0, most_b = 0;
  for (Eigen::Index e = 0; e < q.nonZeros(); ++e) most_q = std::max(most_q, std::abs(q.valuePtr()[e]));
  c.resize(column.size()), lower.resize(row.size()), upper.resize(row.size());
  for (Eigen::Index j = 0; j < c.size(); ++j) {
    c[j] = column[j] * program.c[j];
    most_c = std::max(most_c, std::abs(c[j]));
  }
  for (Eigen::Index i = 0; i < lower.size(); ++i) {
    lower[i] = row[i] * program.lower[i], upper[i] = row[i] * program.upper[i];
    most_b = std::max(most_b, missed(lower[i], upper[i]));
  }
  if (most_q > 0) {
    cost = power_of_two_near(1 / most_q);
    const double most = std::max(cost * most_c, most_b);
    length = most > 0 ? power_of_two_near(most) : 1.0;
  } else {
    length = most_b > 0 ? power_of_two_near(most_b) : 1.0;
    cost = most_c > 0 ? length * power_of_two_near(1 / most_c) : 1.0;
  }
  for (Eigen::Index e = 0; e < q.nonZeros(); ++e) q.valuePtr()[e] *= cost;
  c *= cost / length;
  lower /= length, upper /= length;
}

void ScaledQp::unscale(const Eigen::VectorXd& xs, const Eigen::VectorXd& ys, Eigen::VectorXd& x,
                       Eigen::VectorXd& y) const {
  x = length * column.cwiseProduct(xs);
  y = length / cost * row.cwiseProduct(ys);
}

void ScaledQp::scale(const Eigen::VectorXd& x, const Eigen::VectorXd& y, Eigen::VectorXd& xs,
                     Eigen::VectorXd& ys) const {
  xs = x.cwiseQuotient(column) / length;
  ys = cost / length * y.cwiseQuotient(row);
}

}  // namespace touchstone

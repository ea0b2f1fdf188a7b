#include "math/optim/qp_certificate.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace touchstone {
namespace {

using Entry = Eigen::SparseMatrix<double>::InnerIterator;
constexpr double kInfinite = std::numeric_limits<double>::infinity();
// Contradictions and slopes that are less, of their sum of magnitudes, are rounding.
constexpr double kRounding = 1e-10;
// Of a sum of products whose factors are rounded: less is a zero, as nearly as doubles can say it.
constexpr double kUlps = 4;

double finite_or_infinite(double x) { return std::isfinite(x) ? x : kInfinite; }

}  // namespace

QpResiduals residuals_of(const ScaledQp& p, const Eigen::VectorXd& x, const Eigen::VectorXd& y,
                         Eigen::Matrix2Xd& rows) {
  const Eigen::Index n = p.variables(), m = p.rows();
  rows.setZero(2, m);
  double dual = 0, dual_size = 1, objective = 0, gap_size = 0;
  for (Eigen::Index j = 0; j < n; ++j) {
    double qx = 0, qx_size = 0, aty = 0, aty_size = 0;
    for (Entry e(p.q, j); e; ++e) qx += e.value() * x[e.row()], qx_size += std::abs(e.value() * x[e.row()]);
    for (Entry e(p.a, j); e; ++e) {
      aty += e.value() * y[e.row()], aty_size += std::abs(e.value() * y[e.row()]);
      rows(0, e.row()) += e.value() * x[j], rows(1, e.row()) += std::abs(e.value() * x[j]);
    }
    dual = std::max(dual, finite_or_infinite(std::abs(qx + p.c[j] - aty)));
    dual_size = std::max({dual_size, qx_size, aty_size});
    objective += x[j] * (qx + p.c[j]);
    gap_size += std::abs(x[j]) * (qx_size + std::abs(p.c[j]));
  }
  double primal = 0, primal_size = 1;
  for (Eigen::Index i = 0; i < m; ++i) {
    primal = std::max(primal, finite_or_infinite(std::max({0.0, p.lower[i] - rows(0, i), rows(0, i) - p.upper[i]})));
    primal_size = std::max(primal_size, rows(1, i));
    if (y[i] == 0) continue;
    const double bound = y[i] > 0 ? p.lower[i] : p.upper[i];
    if (std::isfinite(bound))
      objective -= y[i] * bound, gap_size += std::abs(y[i] * bound);
    else
      dual = std::max(dual, std::abs(y[i]));
  }
  return {primal / primal_size, dual / dual_size, finite_or_infinite(std::abs(objective)) / std::max(1.0, gap_size)};
}

double contradiction_error(const ScaledQp& p, const Eigen::VectorXd& y) {
  double value = 0, size = 0;
  for (Eigen::Index i = 0; i < p.rows(); ++i) {
    if (y[i] == 0) continue;
    if (p.lower[i] > p.upper[i] || p.lower[i] == kInfinite || p.upper[i] == -kInfinite) return 0;
    const double bound = y[i] > 0 ? p.lower[i] : p.upper[i];
    if (!std::isfinite(bound)) return kInfinite;
    value += bound * y[i], size += std::abs(bound * y[i]);
  }
  if (!(value > kRounding * size)) return kInfinite;
  double off = 0;
  for (Eigen::Index j = 0; j < p.variables(); ++j) {
    double sum = 0, sum_size = 0;
    for (Entry e(p.a, j); e; ++e) sum += e.value() * y[e.row()], sum_size += std::abs(e.value() * y[e.row()]);
    off += std::max(0.0, std::abs(sum) - kUlps * std::numeric_limits<double>::epsilon() * sum_size);
  }
  return finite_or_infinite(off / value);
}

double direction_error(const ScaledQp& p, const Eigen::VectorXd& d) {
  double falls = 0, size = 0, off = 0;
  Eigen::VectorXd ad = Eigen::VectorXd::Zero(p.rows());
  for (Eigen::Index j = 0; j < p.variables(); ++j) {
    falls -= p.c[j] * d[j], size += std::abs(p.c[j] * d[j]);
    double qd = 0;
    for (Entry e(p.q, j); e; ++e) qd += e.value() * d[e.row()];
    for (Entry e(p.a, j); e; ++e) ad[e.row()] += e.value() * d[j];
    off = std::max(off, std::abs(qd));
  }
  if (!(falls > kRounding * size)) return kInfinite;
  for (Eigen::Index i = 0; i < p.rows(); ++i) {
    if (std::isfinite(p.lower[i])) off = std::max(off, -ad[i]);
    if (std::isfinite(p.upper[i])) off = std::max(off, ad[i]);
  }
  return finite_or_infinite(off / falls);
}

}  // namespace touchstone

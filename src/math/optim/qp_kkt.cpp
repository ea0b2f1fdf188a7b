#include "math/optim/qp_kkt.h"

#include <algorithm>
#include <cmath>

namespace touchstone {
namespace {

using Entry = Eigen::SparseMatrix<double>::InnerIterator;
// A pivot that is less, of numbers near 1, has lost its digits.
constexpr double kLeastPivot = 1e-15;
constexpr double kGoodMiss = 1e-15;

}  // namespace

// Columns 0..n−1: the upper half of q and the diagonal; columns n..n+m−1: row i of a, and the diagonal.
void QpKkt::analyse(const ScaledQp& p) {
  const Eigen::Index n = p.variables(), m = p.rows();
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(static_cast<std::size_t>(p.q.nonZeros() + p.a.nonZeros() + n + m));
  for (Eigen::Index j = 0; j < n; ++j) {
    for (Entry e(p.q, j); e; ++e)
      if (e.row() < j) entries.emplace_back(static_cast<int>(e.row()), static_cast<int>(j), 0.0);
    for (Entry e(p.a, j); e; ++e) entries.emplace_back(static_cast<int>(j), static_cast<int>(n + e.row()), 0.0);
  }
  for (Eigen::Index k = 0; k < n + m; ++k) entries.emplace_back(static_cast<int>(k), static_cast<int>(k), 0.0);
  Eigen::SparseMatrix<double> upper(n + m, n + m);
  upper.setFromTriplets(entries.begin(), entries.end());
  // Each value is written where factor() finds it in the order of columns, rows ascending, the diagonal last.
  ldl_.analyse(upper);
  values_.assign(static_cast<std::size_t>(upper.nonZeros()), 0.0);
  signs_.assign(static_cast<std::size_t>(n + m), 1);
  std::fill(signs_.begin() + n, signs_.end(), static_cast<std::int8_t>(-1));
  slot_of_a_.resize(static_cast<std::size_t>(p.a.nonZeros()));
  std::vector<int> next(static_cast<std::size_t>(m));
  for (Eigen::Index i = 0; i < m; ++i) next[static_cast<std::size_t>(i)] = upper.outerIndexPtr()[n + i];
  std::size_t k = 0;
  for (Eigen::Index j = 0; j < n; ++j)
    for (Entry e(p.a, j); e; ++e) slot_of_a_[k++] = next[static_cast<std::size_t>(e.row())]++;
  diagonal_of_row_.resize(static_cast<std::size_t>(m));
  for (Eigen::Index i = 0; i < m; ++i)
    diagonal_of_row_[static_cast<std::size_t>(i)] = upper.outerIndexPtr()[n + i + 1] - 1;
  right_.resize(n + m);
}

void QpKkt::factor(const ScaledQp& p, double rho, const Eigen::VectorXd& w) {
  const Eigen::Index n = p.variables();
  rho_ = rho;
  w_ = w;
  std::size_t slot = 0;
  for (Eigen::Index j = 0; j < n; ++j) {
    double diagonal = rho;
    for (Entry e(p.q, j); e && e.row() <= j; ++e) {
      if (e.row() < j)
        values_[slot++] = e.value();
      else
        diagonal += e.value();
    }
    values_[slot++] = diagonal;
  }
  std::size_t k = 0;
  for (Eigen::Index j = 0; j < n; ++j)
    for (Entry e(p.a, j); e; ++e, ++k)
      values_[static_cast<std::size_t>(slot_of_a_[k])] = w[e.row()] < 0 ? 0.0 : e.value();
  for (Eigen::Index i = 0; i < p.rows(); ++i)
    values_[static_cast<std::size_t>(diagonal_of_row_[static_cast<std::size_t>(i)])] = w[i] < 0 ? -1.0 : -w[i];
  ldl_.factor(values_, signs_, kLeastPivot);
}

// Into right_: f − (q + ρ)·u + aᵀ·v and g − a·u − w·v, of rows that are on. Returns the greatest.
double QpKkt::residual(const ScaledQp& p, const Eigen::VectorXd& f, const Eigen::VectorXd& g, const Eigen::VectorXd& u,
                       const Eigen::VectorXd& v) {
  const Eigen::Index n = p.variables(), m = p.rows();
  for (Eigen::Index i = 0; i < m; ++i) right_[n + i] = w_[i] < 0 ? 0.0 : g[i] - w_[i] * v[i];
  for (Eigen::Index j = 0; j < n; ++j) {
    double sum = f[j] - rho_ * u[j];
    for (Entry e(p.q, j); e; ++e) sum -= e.value() * u[e.row()];
    for (Entry e(p.a, j); e; ++e) {
      if (w_[e.row()] < 0) continue;
      sum += e.value() * v[e.row()];
      right_[n + e.row()] -= e.value() * u[j];
    }
    right_[j] = sum;
  }
  return n + m > 0 ? right_.cwiseAbs().maxCoeff() : 0.0;
}

void QpKkt::solve(const ScaledQp& p, const Eigen::VectorXd& f, const Eigen::VectorXd& g, int refinements,
                  Eigen::VectorXd& u, Eigen::VectorXd& v) {
  const Eigen::Index n = p.variables(), m = p.rows();
  u.setZero(n), v.setZero(m);
  const double right = residual(p, f, g, u, v);
  double last = right;
  miss_ = 0;
  if (!(right > 0)) return;
  for (int k = 0; k <= refinements; ++k) {
    ldl_.solve(right_);
    step_u_ = u, step_v_ = v;
    u += right_.head(n);
    for (Eigen::Index i = 0; i < m; ++i) v[i] = w_[i] < 0 ? 0.0 : v[i] - right_[n + i];
    const double now = residual(p, f, g, u, v);
    if (k > 0 && !(now < last)) {
      u = step_u_, v = step_v_;
      break;
    }
    last = now;
    if (last <= kGoodMiss * right) break;
  }
  miss_ = last / right;
}

}  // namespace touchstone

#pragma once
// Iterative solutions of A·x = b for matrices that are known by times() and transpose_times() alone (operators.h).
// Source: conjugate gradients, M. R. Hestenes, E. Stiefel 1952; biconjugate gradients, R. Fletcher 1976, which
//   [thompson2003] uses; conjugate gradients on the normal equations (CGLS) as in Å. Björck, Numerical Methods for
//   Least Squares Problems (SIAM 1996), §7.4.
// Letters: r residual, p direction, a hat the same of Aᵀ.
// Deviations: biconjugate gradients break down on singular matrices (redundant constraints); biconjugate_gradients()
//   then begins anew by least squares.
// Fails: at the limit of iterations; x is then the best point seen, and the answer says so.
#include <Eigen/Core>
#include <cmath>
#include <cstdint>
#include <limits>

#include "base/stop.h"

namespace touchstone {

enum class KrylovStatus : std::uint8_t {
  kConverged,
  kLeastSquares,  // no x has a smaller |A·x − b|, and that is above the tolerance: the rows contradict each other
  kIterationLimit,
};

struct KrylovOptions {
  double tolerance = 1e-10;         // on |A·x − b| relative to |b|
  std::int64_t max_iterations = 0;  // 0: four times the number of unknowns, and 20
  StopFlag stop{};                  // checked once an iteration
};

struct KrylovAnswer {
  KrylovStatus status = KrylovStatus::kConverged;
  std::int64_t iterations = 0;
  double residual = 0;  // |A·x − b|
};

struct KrylovWorkspace {
  Eigen::VectorXd r, p, q, s, r_hat, p_hat, q_hat, best;
};

namespace krylov {

constexpr double kSlack = 10;  // rounding of the residual itself

inline std::int64_t limit(const KrylovOptions& o, Eigen::Index n) {
  return o.max_iterations > 0 ? o.max_iterations : 4 * static_cast<std::int64_t>(n) + 20;
}

// Of x itself: what a recurrence believes drifts away from it where steps were great.
template <class Matrix>
double residual_of(const Matrix& a, const Eigen::VectorXd& b, const Eigen::VectorXd& x, Eigen::VectorXd& work) {
  a.times(x, work);
  return (b - work).norm();
}

// Keeps the x with the least residual.
struct Best {
  Eigen::VectorXd& x;
  double residual;
  bool offer(const Eigen::VectorXd& candidate, double r) {
    if (!(r < residual)) return false;
    x = candidate, residual = r;
    return true;
  }
};

}  // namespace krylov

// Least |A·x − b|, of any matrix, from the given x; among those of least |x| if it starts at zero.
template <class Matrix>
KrylovAnswer least_squares(const Matrix& a, const Eigen::VectorXd& b, const KrylovOptions& o, KrylovWorkspace& w,
                           Eigen::VectorXd& x) {
  constexpr double kStationary = 1e-11;  // |Aᵀ·r| against |Aᵀ·b|: rounding
  KrylovAnswer out;
  a.transpose_times(b, w.s);
  const double steepest = w.s.norm();
  a.times(x, w.q);
  w.r = b - w.q;
  a.transpose_times(w.r, w.s);
  w.p = w.s;
  const double wanted = o.tolerance * b.norm();
  double steepness = w.s.squaredNorm();
  krylov::Best best{w.best, std::numeric_limits<double>::infinity()};
  best.offer(x, w.r.norm());
  while (best.residual > wanted) {
    out.status = KrylovStatus::kLeastSquares;
    if (!(std::sqrt(steepness) > kStationary * steepest)) break;
    out.status = KrylovStatus::kIterationLimit;
    if (out.iterations >= krylov::limit(o, a.cols())) break;
    o.stop.check();
    ++out.iterations;
    a.times(w.p, w.q);
    const double alpha = steepness / w.q.squaredNorm();
    if (!std::isfinite(alpha)) break;
    x += alpha * w.p;
    w.r -= alpha * w.q;
    best.offer(x, w.r.norm());
    a.transpose_times(w.r, w.s);
    const double next = w.s.squaredNorm();
    w.p = w.s + (next / steepness) * w.p;
    steepness = next;
  }
  x = best.x, out.residual = krylov::residual_of(a, b, x, w.q);
  if (out.residual <= krylov::kSlack * wanted) out.status = KrylovStatus::kConverged;
  return out;
}

// Symmetric positive semi-definite A, from the given x. `scale`: an estimate of 1/diag(A), or empty.
template <class Matrix>
KrylovAnswer conjugate_gradients(const Matrix& a, const Eigen::VectorXd& b, const Eigen::VectorXd& scale,
                                 const KrylovOptions& o, KrylovWorkspace& w, Eigen::VectorXd& x) {
  KrylovAnswer out;
  const auto preconditioned = [&](const Eigen::VectorXd& r, Eigen::VectorXd& z) {
    if (scale.size() > 0)
      z = scale.cwiseProduct(r);
    else
      z = r;
  };
  const double wanted = o.tolerance * b.norm();
  a.times(x, w.q);
  w.r = b - w.q;
  krylov::Best best{w.best, std::numeric_limits<double>::infinity()};
  best.offer(x, w.r.norm());
  preconditioned(w.r, w.s);
  w.p = w.s;
  double rho = w.r.dot(w.s);
  while (w.r.norm() > wanted && out.iterations < krylov::limit(o, a.cols())) {
    o.stop.check();
    ++out.iterations;
    a.times(w.p, w.q);
    const double alpha = rho / w.p.dot(w.q);
    if (!std::isfinite(alpha) || !(rho > 0)) break;
    x += alpha * w.p;
    w.r -= alpha * w.q;
    best.offer(x, w.r.norm());
    preconditioned(w.r, w.s);
    const double next = w.r.dot(w.s);
    w.p = w.s + (next / rho) * w.p;
    rho = next;
  }
  x = best.x, out.residual = krylov::residual_of(a, b, x, w.q);
  if (!(out.residual <= krylov::kSlack * wanted)) out.status = KrylovStatus::kIterationLimit;
  return out;
}

// Any square matrix, from the given x; where the recurrence breaks down, by least squares.
template <class Matrix>
KrylovAnswer biconjugate_gradients(const Matrix& a, const Eigen::VectorXd& b, const KrylovOptions& o,
                                   KrylovWorkspace& w, Eigen::VectorXd& x) {
  constexpr double kBreakdown = 1e-14;  // of ρ and of p̂·q against the lengths of their factors
  KrylovAnswer out;
  const double wanted = o.tolerance * b.norm();
  a.times(x, w.q);
  w.r = b - w.q;
  w.r_hat = w.r;
  w.p = w.r, w.p_hat = w.r_hat;
  krylov::Best best{w.best, std::numeric_limits<double>::infinity()};
  best.offer(x, w.r.norm());
  double rho = w.r_hat.dot(w.r);
  while (w.r.norm() > wanted && out.iterations < krylov::limit(o, a.cols())) {
    o.stop.check();
    ++out.iterations;
    a.times(w.p, w.q);
    a.transpose_times(w.p_hat, w.q_hat);
    const double sigma = w.p_hat.dot(w.q);
    if (!(std::abs(sigma) > kBreakdown * w.p_hat.norm() * w.q.norm())) break;
    const double alpha = rho / sigma;
    x += alpha * w.p;
    w.r -= alpha * w.q;
    w.r_hat -= alpha * w.q_hat;
    best.offer(x, w.r.norm());
    const double next = w.r_hat.dot(w.r);
    if (!(std::abs(next) > kBreakdown * w.r_hat.norm() * w.r.norm())) break;
    w.p = w.r + (next / rho) * w.p;
    w.p_hat = w.r_hat + (next / rho) * w.p_hat;
    rho = next;
  }
  x = best.x, out.residual = krylov::residual_of(a, b, x, w.q);
  if (out.residual <= krylov::kSlack * wanted) return out;
  x.setZero();
  const std::int64_t before = out.iterations;
  out = least_squares(a, b, o, w, x);
  out.iterations += before;
  return out;
}

}  // namespace touchstone

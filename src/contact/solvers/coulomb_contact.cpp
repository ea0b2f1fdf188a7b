// Purpose: solves the non-linear complementarity problem of one contact exactly: it opens, sticks or slides. Opening
// and
//   sticking are closed forms; sliding is the root of one continuous function of one variable, which always exists.
// Source: own derivation. The law is De Saxcé's K ∋ r ⟂ û = u + μ|u_T|n ∈ K* [acary2018].
// Letters: u = W·r + b. Sliding means u_N = 0 and u_T = −α·r_T with α > 0, |r_T| = μ r_N; so
//     r_T = −(W_TT + α)⁻¹·(W_TN r_N + b_T),   W_NN r_N + W_NT r_T + b_N = 0,
//   which gives r(α). f(α) = |r_T| − μ r_N is positive at α = 0, where sticking was refused, and −μ r_N = μ b_N/W_NN <
//   0 for α → ∞. With c a scale of W_TT, t = c/(c + α) maps it to [0, 1], and (λ + α)⁻¹ = t/(λt + c(1 − t)).
// Deviations: -
// Fails: never; a singular W is taken with a hair (1e-9) added to its diagonal. Under strong coupling of sliding and
// pressing the contact can have several answers (Painlevé); one of
//   them is given, always the same.
#include "contact/solvers/coulomb_contact.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace touchstone {
namespace {

constexpr double kMostFriction = 1e100;  // more would overflow, and sticks anyway

// Root of a continuous f with f(0) < 0 < f(1): false position with the Illinois rule, halving when that is slow. Ends
// when the bracket or f is down to rounding; 200 is never reached (halving alone needs 60).
template <class F>
double root_in_unit_interval(F&& f, double f0, double f1, double small) {
  double lo = 0, hi = 1;
  int side = 0;
  for (int i = 0; i < 200; ++i) {
    const bool halve = i % 8 == 7;
    double t = halve ? 0.5 * (lo + hi) : (lo * f1 - hi * f0) / (f1 - f0);
    if (!(t > lo && t < hi)) t = 0.5 * (lo + hi);
    if (!(t > lo && t < hi)) return hi;  // nothing lies between
    const double value = f(t);
    if (std::abs(value) <= small || hi - lo < 1e-16) return t;
    if (value < 0) {
      lo = t, f0 = value;
      if (side == -1) f1 *= 0.5;
      side = -1;
    } else {
      hi = t, f1 = value;
      if (side == 1) f0 *= 0.5;
      side = 1;
    }
  }
  return 0.5 * (lo + hi);
}

}  // namespace

void CoulombContact::prepare(const Eigen::Matrix3d& w, int rows) {
  rows_ = rows;
  w_nn_ = w(0, 0);
  Eigen::Matrix3d full = Eigen::Matrix3d::Identity() * w_nn_;  // rows that there are not: no coupling
  full.topLeftCorner(rows, rows) = w.topLeftCorner(rows, rows);
  const double mean = full.trace() / 3;
  // Directions that nothing gives way in: a hair of it, so that the inverse is a matrix of numbers.
  if (!(full.determinant() > 1e-12 * mean * mean * mean)) full.diagonal().array() += 1e-9 * mean;
  inverse_ = full.inverse();
  const double a = full(1, 1), d = full(2, 2), c = full(1, 2);
  const double angle = 0.5 * std::atan2(2 * c, a - d), x = std::cos(angle), y = std::sin(angle);
  axes_ << x, -y, y, x;
  const double half = 0.5 * (a - d), radius = std::sqrt(half * half + c * c);
  lambda_ = {0.5 * (a + d) + radius, 0.5 * (a + d) - radius};
  couple_ = axes_.transpose() * full.block<2, 1>(1, 0);
}

Eigen::Vector3d CoulombContact::slide(const Eigen::Vector3d& b, double mu, const Eigen::Vector3d& stick) const {
  const Eigen::Vector2d b_t = axes_.transpose() * b.tail<2>();
  const double scale = lambda_[0];
  double r_n = 0;
  Eigen::Vector2d r_t = Eigen::Vector2d::Zero();
  const auto beyond = [&](double t) {
    const double g0 = t / (lambda_[0] * t + scale * (1 - t)), g1 = t / (lambda_[1] * t + scale * (1 - t));
    r_n = (-b[0] + couple_[0] * b_t[0] * g0 + couple_[1] * b_t[1] * g1) /
          (w_nn_ - couple_[0] * couple_[0] * g0 - couple_[1] * couple_[1] * g1);
    r_t = {-(couple_[0] * r_n + b_t[0]) * g0, -(couple_[1] * r_n + b_t[1]) * g1};
    return r_t.norm() - mu * r_n;
  };
  const double at_rest = stick.tail<2>().norm() - mu * stick[0], at_infinity = mu * b[0] / w_nn_;
  beyond(root_in_unit_interval(beyond, at_infinity, at_rest, 1e-16 * -at_infinity));
  r_n = std::max(0.0, r_n);
  const double length = r_t.norm();
  if (length > 0) r_t *= mu * r_n / length;  // on the rim to the last bit
  Eigen::Vector3d r;
  r << r_n, axes_ * r_t;
  return r;
}

CoulombContact::Answer CoulombContact::solve(const Eigen::Vector3d& b_in, double static_friction,
                                             double dynamic_friction) const {
  Answer out;
  if (!(b_in[0] < 0)) return out;
  if (rows_ == 1 || !(static_friction > 0)) {
    out.r[0] = -b_in[0] / w_nn_;
    return out;
  }
  Eigen::Vector3d b = b_in;
  if (rows_ == 2) b[2] = 0;
  const Eigen::Vector3d stick = -(inverse_ * b);
  if (stick[0] >= 0 && stick.tail<2>().norm() <= std::min(static_friction, kMostFriction) * stick[0]) {
    out.r = stick;
    out.sticks = true;
    return out;
  }
  const double mu = std::min(dynamic_friction, kMostFriction);
  if (mu > 0)
    out.r = slide(b, mu, stick);
  else
    out.r[0] = -b[0] / w_nn_;
  if (rows_ == 2) out.r[2] = 0;
  return out;
}

double natural_map(const Eigen::Vector3d& r, const Eigen::Vector3d& u, double friction, double rho) {
  if (friction >= kEndlessFriction) {
    const double pulling = std::min(0.0, r[0]), closing = rho * std::min(0.0, u[0]);
    return std::sqrt(std::min(rho * rho * u.squaredNorm() + pulling * pulling, r.squaredNorm() + closing * closing)) /
           rho;
  }
  const double mu = friction;
  Eigen::Vector3d x = r - rho * u;
  x[0] -= rho * mu * u.tail<2>().norm();
  const double t = x.tail<2>().norm();
  Eigen::Vector3d projected = x;
  if (x[0] < 0 || t > mu * x[0]) {
    if (mu * t <= -x[0]) {
      projected.setZero();
    } else {
      const double s = (x[0] + mu * t) / (1 + mu * mu);
      projected[0] = s;
      projected.tail<2>() =
          t > 0 ? Eigen::Vector2d(x.tail<2>() * (mu * s / t)) : Eigen::Vector2d(Eigen::Vector2d::Zero());
    }
  }
  return (r - projected).norm() / rho;
}

}  // namespace touchstone

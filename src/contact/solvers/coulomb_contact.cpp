// Purpose: solves the non-linear complementarity problem of one contact exactly: it opens, sticks or slides. The first
//   two are closed forms; sliding is the root of one continuous function of one variable, which always exists.
// Source: own derivation. The law is De Saxcé's K ∋ r ⟂ û = u + μ|u_T|n ∈ K* [acary2018].
// Letters: u = W·r + b. Sliding means u_N = 0 and u_T = −α·r_T with α > 0, |r_T| = μ r_N; so
//     r_T = −(W_TT + α)⁻¹·(W_TN r_N + b_T),   W_NN r_N + W_NT r_T + b_N = 0,
//   which gives r(α). f(α) = |r_T| − μ r_N is positive at α = 0, where sticking was refused, and −μ r_N = μ b_N/W_NN <
//   0 for α → ∞. With c a scale of W_TT, t = c/(c + α) maps it to [0, 1], and (λ + α)⁻¹ = t/(λt + c(1 − t)).
// Deviations: -
// Fails: never; a singular W is taken with a hair (1e-9) added to its diagonal. Under strong coupling of sliding and
//   pressing the contact can have several answers (Painlevé); one of them is given, near the last one if there was one.
#include "contact/solvers/coulomb_contact.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

namespace touchstone {
namespace {

constexpr double kMostFriction = 1e100;  // more would overflow, and sticks anyway

// f and its derivative, and the size below which f is rounding.
struct Slope {
  double f = 0, derivative = 0, rounding = 0;
};

// Root of a continuous f with f(0) < 0 < f(1): Newton's method from `t`, halving where that leaves the bracket or has
// not halved f. Ends when the bracket or f is down to rounding; 200 is never reached (halving alone needs 60).
template <class F>
double root_in_unit_interval(F&& f, double t) {
  double lo = 0, hi = 1, last = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 200; ++i) {
    if (!(t > lo && t < hi)) t = 0.5 * (lo + hi);
    if (!(t > lo && t < hi)) return hi;  // nothing lies between
    const Slope at = f(t);
    if (std::abs(at.f) <= at.rounding || hi - lo < 1e-16) return t;
    (at.f < 0 ? lo : hi) = t;
    t = std::abs(at.f) < 0.5 * last ? t - at.f / at.derivative : 0.5 * (lo + hi);
    last = std::abs(at.f);
  }
  return t;
}

}  // namespace

void CoulombContact::prepare(const Eigen::Matrix3d& w, int rows) {
  rows_ = rows;
  last_ = -1;
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
  coupling_ = full.block<2, 1>(1, 0);
  couple_ = axes_.transpose() * coupling_;
}

Eigen::Vector3d CoulombContact::slide(const Eigen::Vector3d& b, double mu, const Eigen::Vector3d& stick) {
  const Eigen::Vector2d b_t = axes_.transpose() * b.tail<2>();
  const double scale = lambda_[0], k0 = couple_[0], k1 = couple_[1], x0 = b_t[0], x1 = b_t[1];
  double r_n = 0, y0 = 0, y1 = 0;
  const auto beyond = [&](double t) {
    const double d0 = 1 / (lambda_[0] * t + scale * (1 - t)), d1 = 1 / (lambda_[1] * t + scale * (1 - t));
    const double g0 = t * d0, g1 = t * d1, slope0 = scale * d0 * d0, slope1 = scale * d1 * d1;
    const double own = 1 / (w_nn_ - k0 * k0 * g0 - k1 * k1 * g1);
    r_n = (-b[0] + k0 * x0 * g0 + k1 * x1 * g1) * own;
    const double p0 = k0 * r_n + x0, p1 = k1 * r_n + x1;
    const double r_n_slope = (k0 * p0 * slope0 + k1 * p1 * slope1) * own;
    y0 = -p0 * g0, y1 = -p1 * g1;
    const double length = std::sqrt(y0 * y0 + y1 * y1);
    const double along = y0 * (-k0 * r_n_slope * g0 - p0 * slope0) + y1 * (-k1 * r_n_slope * g1 - p1 * slope1);
    return Slope{length - mu * r_n, (length > 0 ? along / length : 0.0) - mu * r_n_slope,
                 4e-16 * std::max(length, std::abs(mu * r_n))};
  };
  const double at_rest = stick.tail<2>().norm() - mu * stick[0], at_infinity = mu * b[0] / w_nn_;
  last_ = root_in_unit_interval(beyond, last_ >= 0 ? last_ : at_infinity / (at_infinity - at_rest));
  beyond(last_);
  r_n = std::max(0.0, r_n);
  const double length = std::sqrt(y0 * y0 + y1 * y1);
  Eigen::Vector2d r_t(y0, y1);
  if (length > 0) r_t *= mu * r_n / length;  // on the rim to the last bit
  Eigen::Vector3d r;
  r << r_n, axes_ * r_t;
  return r;
}

CoulombContact::Answer CoulombContact::solve(const Eigen::Vector3d& b_in, double static_friction,
                                             double dynamic_friction) {
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

// r_T = −(W_TT + α)⁻¹·b_T with |r_T| = most: 1/|r_T| grows with α and is concave, so Newton's method from α = 0, where
// |r_T| was too much, comes to it from below.
Eigen::Vector2d CoulombContact::slide_under(double most, const Eigen::Vector2d& b_t) const {
  if (!(most > 0)) return Eigen::Vector2d::Zero();
  const Eigen::Vector2d b = axes_.transpose() * b_t;
  Eigen::Vector2d r = Eigen::Vector2d::Zero();
  double alpha = 0;
  for (int i = 0; i < 100; ++i) {  // five or six are usual
    const Eigen::Vector2d scale(lambda_[0] + alpha, lambda_[1] + alpha);
    r = -b.cwiseQuotient(scale);
    const double length = r.norm();
    if (!(length > most * (1 + 4e-16))) break;
    const double steep = r.cwiseAbs2().cwiseQuotient(scale).sum() / (length * length);  // −d log|r_T|/dα
    const double next = alpha + (length / most - 1) / steep;
    if (!(next > alpha)) break;
    alpha = next;
  }
  return axes_ * (r * (most / r.norm()));
}

CoulombContact::Answer CoulombContact::solve_above(double least, const Eigen::Vector3d& b_in, double static_friction,
                                                   double dynamic_friction) {
  Eigen::Vector3d b = b_in;
  if (rows_ < 3) b[2] = 0;
  Answer out;
  out.r[0] = least;
  double u_n = b[0] + w_nn_ * least;
  if (rows_ > 1 && static_friction > 0) {
    const Eigen::Vector2d b_t = b.tail<2>() + coupling_ * least;
    const Eigen::Vector2d across = axes_.transpose() * b_t;
    Eigen::Vector2d held = -(axes_ * Eigen::Vector2d(across[0] / lambda_[0], across[1] / lambda_[1]));
    out.sticks = held.norm() <= std::min(static_friction, kMostFriction) * least;
    if (!out.sticks) held = slide_under(std::min(dynamic_friction, kMostFriction) * least, b_t);
    if (rows_ == 2) held[1] = 0;
    out.r.tail<2>() = held;
    u_n += coupling_.dot(held);
  }
  if (u_n >= 0) return out;
  const Answer more = solve(b_in, static_friction, dynamic_friction);
  return more.r[0] >= least ? more : out;
}

double natural_map_above(double least, const Eigen::Vector3d& r, const Eigen::Vector3d& u, double friction,
                         double rho) {
  Eigen::Vector3d wanted = r - rho * u;
  wanted[0] = std::max(least, wanted[0]);
  const double slip = wanted.tail<2>().norm(), most = friction * std::max(0.0, r[0]);
  if (slip > most) wanted.tail<2>() *= most / slip;
  return (r - wanted).norm() / rho;
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

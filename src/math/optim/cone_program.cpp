// Purpose: value, gradient and Hessian of a quadratic program with cones and of its logarithmic barrier.
// Source: [boyd2004] S. Boyd, L. Vandenberghe, Convex Optimization, §§11.2, 11.6.
// Letters: f = ½·xᵀ·q·x + cᵀ·x; slacks s > 0: x_i − lower, upper − x_i, g·x + g0; of cones s = slope²·x_head² −
// |tail|²,
//   of the ball radius² − |x|²; φ = −Σ log s.
// Deviations: -
// Fails: never; a point outside is said to be so.
#include "math/optim/cone_program.h"

#include <algorithm>
#include <cmath>

namespace touchstone {
namespace {

double cone_slack(const ConeProgram::Cone& cone, const Eigen::VectorXd& x) {
  double tail = 0;
  for (int k = 0; k < cone.tails; ++k) tail = std::hypot(tail, x[cone.tail[k]]);
  const double head = cone.slope * std::abs(x[cone.head]);
  return (head - tail) * (head + tail);
}

// Where value + α·slope + α²·bend, positive at 0, first becomes zero.
double first_root(double value, double slope, double bend) {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  if (bend == 0) return slope < 0 ? -value / slope : kNever;
  const double disc = slope * slope - 4 * bend * value;
  if (disc < 0) return kNever;
  const double q = -0.5 * (slope + std::copysign(std::sqrt(disc), slope));
  const double a = q / bend, b = q != 0 ? value / q : kNever;
  return std::min(a > 0 ? a : kNever, b > 0 ? b : kNever);
}

}  // namespace

void ConeProgram::reset(Eigen::Index n, Eigen::Index rows) {
  q.setZero(n, n);
  c.setZero(n);
  bounds.clear();
  cones.clear();
  g.setZero(rows, n);
  g0.setZero(rows);
  ball = 0;
  basis.resize(n, 0);
}

void ConeBarrier::full(const Eigen::VectorXd& y, Eigen::VectorXd& x) const {
  if (!reduced()) {
    x = y;
    return;
  }
  x = p_.origin;
  x.noalias() += p_.basis * y;
}

double ConeBarrier::degree() const {
  double n = static_cast<double>(p_.g0.size()) + 2.0 * static_cast<double>(p_.cones.size()) + (p_.ball > 0 ? 2 : 0);
  for (const ConeProgram::Bound& b : p_.bounds) n += std::isfinite(b.lower) + std::isfinite(b.upper);
  return n;
}

bool ConeBarrier::inside(const Eigen::VectorXd& y) const {
  full(y, x_);
  for (const ConeProgram::Bound& b : p_.bounds)
    if (!(x_[b.index] > b.lower && x_[b.index] < b.upper)) return false;
  for (const ConeProgram::Cone& c : p_.cones)
    if (!(cone_slack(c, x_) > 0) || (!c.two_sided && !(x_[c.head] > 0))) return false;
  if (p_.ball > 0 && !(x_.head(p_.ball).squaredNorm() < p_.radius * p_.radius)) return false;
  rows_ = p_.g0;
  rows_.noalias() += p_.g * x_;
  return rows_.size() == 0 || rows_.minCoeff() > 0;
}

// Adds to gradient_ and to the lower half of hessian_, at x_ with rows_.
void ConeBarrier::add_barrier(double weight) const {
  for (const ConeProgram::Bound& b : p_.bounds) {
    for (const double s : {x_[b.index] - b.lower, x_[b.index] - b.upper}) {
      if (!std::isfinite(s)) continue;
      gradient_[b.index] -= weight / s;
      hessian_(b.index, b.index) += weight / (s * s);
    }
  }
  for (const ConeProgram::Cone& c : p_.cones) {
    const double s = cone_slack(c, x_);
    Eigen::Index at[3] = {c.head, c.tail[0], c.tail[1]};
    const double sign[3] = {c.slope * c.slope, -1, -1};
    for (int i = 0; i <= c.tails; ++i) {
      const double gi = 2 * sign[i] * x_[at[i]] / s;
      gradient_[at[i]] -= weight * gi;
      hessian_(at[i], at[i]) -= weight * 2 * sign[i] / s;
      for (int j = 0; j <= c.tails; ++j)
        if (at[i] >= at[j]) hessian_(at[i], at[j]) += weight * gi * 2 * sign[j] * x_[at[j]] / s;
    }
  }
  if (p_.ball > 0) {
    const Eigen::Index n = p_.ball;
    const double s = p_.radius * p_.radius - x_.head(n).squaredNorm();
    gradient_.head(n) += weight * 2 / s * x_.head(n);
    hessian_.diagonal().head(n).array() += weight * 2 / s;
    hessian_.topLeftCorner(n, n).selfadjointView<Eigen::Lower>().rankUpdate(x_.head(n), weight * 4 / (s * s));
  }
  if (rows_.size() > 0) {
    scaled_ = p_.g.transpose() * rows_.cwiseInverse().asDiagonal();
    gradient_ -= weight * scaled_.rowwise().sum();
    hessian_.selfadjointView<Eigen::Lower>().rankUpdate(scaled_, weight);
  }
}

void ConeBarrier::derivatives(const Eigen::VectorXd& y, double weight, Eigen::VectorXd& gradient,
                              Eigen::MatrixXd& hessian) const {
  full(y, x_);
  rows_ = p_.g0;
  rows_.noalias() += p_.g * x_;
  gradient_ = p_.c;
  gradient_.noalias() += p_.q * x_;
  hessian_ = p_.q;
  add_barrier(weight);
  if (!reduced()) {
    gradient = gradient_;
    hessian = hessian_;
    return;
  }
  gradient.noalias() = p_.basis.transpose() * gradient_;
  scaled_.noalias() = hessian_.selfadjointView<Eigen::Lower>() * p_.basis;
  hessian.noalias() = p_.basis.transpose() * scaled_;
}

double ConeBarrier::begin_line(const Eigen::VectorXd& y, const Eigen::VectorXd& d) {
  full(y, x_);
  if (reduced())
    way_.noalias() = p_.basis * d;
  else
    way_ = d;
  product_.noalias() = p_.q * way_;
  slope_ = p_.c.dot(way_) + product_.dot(x_);
  bend_ = 0.5 * product_.dot(way_);
  slacks_.clear();
  for (const ConeProgram::Bound& b : p_.bounds) {
    if (std::isfinite(b.lower)) slacks_.push_back({x_[b.index] - b.lower, way_[b.index], 0});
    if (std::isfinite(b.upper)) slacks_.push_back({b.upper - x_[b.index], -way_[b.index], 0});
  }
  for (const ConeProgram::Cone& c : p_.cones) {
    const double m = c.slope * c.slope;
    Slack s{cone_slack(c, x_), 2 * m * x_[c.head] * way_[c.head], m * way_[c.head] * way_[c.head]};
    for (int k = 0; k < c.tails; ++k) {
      s.slope -= 2 * x_[c.tail[k]] * way_[c.tail[k]];
      s.bend -= way_[c.tail[k]] * way_[c.tail[k]];
    }
    slacks_.push_back(s);
  }
  if (p_.ball > 0)
    slacks_.push_back({p_.radius * p_.radius - x_.head(p_.ball).squaredNorm(),
                       -2 * x_.head(p_.ball).dot(way_.head(p_.ball)), -way_.head(p_.ball).squaredNorm()});
  rows_ = p_.g0;
  rows_.noalias() += p_.g * x_;
  row_way_.noalias() = p_.g * way_;
  for (Eigen::Index i = 0; i < rows_.size(); ++i) slacks_.push_back({rows_[i], row_way_[i], 0});
  leaves_ = std::numeric_limits<double>::infinity();
  for (const Slack& s : slacks_) leaves_ = std::min(leaves_, first_root(s.value, s.slope, s.bend));
  return leaves_;
}

double ConeBarrier::along(double alpha, double weight) const {
  if (!(alpha < leaves_)) return std::numeric_limits<double>::infinity();
  double logs = 0;
  for (const Slack& s : slacks_) logs += std::log1p(alpha * (s.slope + alpha * s.bend) / s.value);
  const double value = alpha * (slope_ + alpha * bend_) - weight * logs;
  return std::isnan(value) ? std::numeric_limits<double>::infinity() : value;
}

}  // namespace touchstone

// Purpose: follows the central path of a convex quadratic program by Newton steps with Mehrotra's predictor, from a
//   point that need not be feasible.
// Source: S. Mehrotra, SIAM J. Optim. 2 (1992) 575; J. Nocedal, S. J. Wright, Numerical Optimization, 2nd ed. (2006),
//   §16.6; the regularised systems: S. Pougkakiotis, J. Gondzio, Comput. Optim. Appl. 78 (2021) 307.
// Letters: s of rows, z of bounds (lower_z, upper_z), y = z_l − z_u; ρ, δ as there (kShift); σ·µ is `target`.
//   The step: q·dx − aᵀ·dy = −(q·x + c − aᵀ·y);  a·dx − ds = −(a·x − s);  dy = push − (z_l/(s−l) + z_u/(u−s))·ds.
// Deviations:
//   (1) One step length for x and y, as q ≠ 0 asks.
//   (2) ρ and δ are added to the system alone, which makes each step a proximal one: dependent rows need no care.
//   (3) Infeasible and unbounded programs are recognised by iterates that are nearly a proof; qp_rays.cpp makes it one.
// Fails: kStalled where steps become short without that. The caller then asks qp_rays.
#include "math/optim/qp_interior.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace touchstone {
namespace {

using Entry = Eigen::SparseMatrix<double>::InnerIterator;
constexpr double kShift = 1e-9;       // ρ and δ, of numbers near 1
constexpr double kMostShift = 1e-5;   // where factors are inaccurate
constexpr double kUseless = 1e-3;     // relative residual of a linear system that is
constexpr double kFirstShift = 1e-4;  // for a first point, which is any
constexpr double kToBound = 0.995;    // part of the way to the next bound
constexpr double kShortStep = 1e-6;   // so many of them in a row are a stall
constexpr int kMostShort = 3;
constexpr double kProgress = 0.9;  // of the residuals, within kMostIdle iterations
constexpr int kMostIdle = 15;
constexpr double kProof = 1e8;            // times the size of x: feasible points so far off are not believed
constexpr double kLeastDistance = 1e-18;  // from a bound, absolutely

bool is_free(const ScaledQp& p, Eigen::Index i) { return !std::isfinite(p.lower[i]) && !std::isfinite(p.upper[i]); }

}  // namespace

void QpInterior::begin(const ScaledQp& p, QpKkt& kkt) {
  const Eigen::Index n = p.variables(), m = p.rows();
  weight_.resize(m), g_.resize(m);
  products_ = 0;
  for (Eigen::Index i = 0; i < m; ++i) {
    weight_[i] = is_free(p, i) ? -1.0 : p.equation(i) ? kFirstShift : 1.0;
    g_[i] = is_free(p, i) ? 0.0 : std::clamp(0.0, p.lower[i], p.upper[i]);
    if (!p.equation(i)) products_ += (std::isfinite(p.lower[i]) ? 1 : 0) + (std::isfinite(p.upper[i]) ? 1 : 0);
  }
  shift_ = kShift;
  kkt.factor(p, kFirstShift, weight_);
  f_ = -p.c;
  kkt.solve(p, f_, g_, 2, x_, y_);
  if (!x_.allFinite() || !y_.allFinite()) x_.setZero(n), y_.setZero(m);
  s_.noalias() = p.a * x_;
  lower_z_.setZero(m), upper_z_.setZero(m);
  double outside = 0.1, most_y = 0.1;
  for (Eigen::Index i = 0; i < m; ++i) {
    if (is_free(p, i) || p.equation(i)) continue;
    outside = std::max({outside, p.lower[i] - s_[i], s_[i] - p.upper[i]});
    most_y = std::max(most_y, std::abs(y_[i]));
  }
  for (Eigen::Index i = 0; i < m; ++i) {
    if (p.equation(i)) continue;
    const double width = p.upper[i] - p.lower[i], off = std::min(outside, 0.25 * width);
    if (std::isfinite(p.lower[i])) s_[i] = std::max(s_[i], p.lower[i] + off);
    if (std::isfinite(p.upper[i])) s_[i] = std::min(s_[i], p.upper[i] - off);
    if (std::isfinite(p.lower[i])) lower_z_[i] = std::max(y_[i], 0.0) + most_y;
    if (std::isfinite(p.upper[i])) upper_z_[i] = std::max(-y_[i], 0.0) + most_y;
    y_[i] = lower_z_[i] - upper_z_[i];
  }
  dx_.setZero(n), dy_.setZero(m), ds_.setZero(m), dl_.setZero(m), du_.setZero(m);
}

void QpInterior::measure(const ScaledQp& p) {
  const Eigen::Index m = p.rows();
  qx_.noalias() = p.q * x_;
  ax_.noalias() = p.a * x_;
  aty_.noalias() = p.a.transpose() * y_;
  dual_miss_ = qx_ + p.c - aty_;
  primal_miss_.resize(m);
  double size_p = 1, size_d = 1, bounds = 0, magnitude = 1, complement = 0;
  if (x_.size() > 0) size_d = std::max({1.0, qx_.cwiseAbs().maxCoeff(), aty_.cwiseAbs().maxCoeff()});
  for (Eigen::Index i = 0; i < m; ++i) {
    primal_miss_[i] = is_free(p, i) ? 0.0 : ax_[i] - (p.equation(i) ? p.lower[i] : s_[i]);
    size_p = std::max({size_p, std::abs(ax_[i])});
    if (p.equation(i)) {
      bounds += p.lower[i] * y_[i];
      magnitude = std::max(magnitude, std::abs(p.lower[i] * y_[i]));
      continue;
    }
    if (std::isfinite(p.lower[i])) complement += lower_z_[i] * (s_[i] - p.lower[i]), bounds += lower_z_[i] * p.lower[i];
    if (std::isfinite(p.upper[i])) complement += upper_z_[i] * (p.upper[i] - s_[i]), bounds -= upper_z_[i] * p.upper[i];
  }
  const double xqx = x_.dot(qx_), cx = p.c.dot(x_);
  magnitude = std::max({magnitude, std::abs(xqx), std::abs(cx), std::abs(bounds)});
  mu_ = products_ > 0 ? complement / static_cast<double>(products_) : 0.0;
  primal_ = m > 0 ? primal_miss_.cwiseAbs().maxCoeff() / size_p : 0.0;
  dual_ = x_.size() > 0 ? dual_miss_.cwiseAbs().maxCoeff() / size_d : 0.0;
  gap_ = std::max(complement, std::abs(xqx + cx - bounds)) / magnitude;
}

// `corrected`: with the products of the predictor's step, which is in ds_, dl_ and du_.
void QpInterior::set_right_side(const ScaledQp& p, double target, bool corrected) {
  const Eigen::Index m = p.rows();
  f_ = -dual_miss_;
  g_.resize(m), push_.resize(m), weight_.resize(m);
  for (Eigen::Index i = 0; i < m; ++i) {
    g_[i] = -primal_miss_[i];
    push_[i] = 0;
    weight_[i] = is_free(p, i) ? -1.0 : shift_;
    if (is_free(p, i) || p.equation(i)) continue;
    double slope = 0;
    if (std::isfinite(p.lower[i])) {
      const double room = s_[i] - p.lower[i], product = target - (corrected ? ds_[i] * dl_[i] : 0.0);
      slope += lower_z_[i] / room;
      push_[i] += product / room - lower_z_[i];
    }
    if (std::isfinite(p.upper[i])) {
      const double room = p.upper[i] - s_[i], product = target + (corrected ? ds_[i] * du_[i] : 0.0);
      slope += upper_z_[i] / room;
      push_[i] -= product / room - upper_z_[i];
    }
    weight_[i] += 1 / slope;
    g_[i] += push_[i] / slope;
  }
}

void QpInterior::find_step(const ScaledQp& p, QpKkt& kkt, double target, bool corrected) {
  set_right_side(p, target, corrected);
  if (!corrected) kkt.factor(p, shift_, weight_);
  kkt.solve(p, f_, g_, 3, dx_, dy_);
  adx_.noalias() = p.a * dx_;
  for (Eigen::Index i = 0; i < p.rows(); ++i) {
    if (p.equation(i)) continue;
    const double old = ds_[i];
    ds_[i] = is_free(p, i) ? 0.0 : adx_[i] + primal_miss_[i] + shift_ * dy_[i];
    if (std::isfinite(p.lower[i])) {
      const double room = s_[i] - p.lower[i], product = target - (corrected ? old * dl_[i] : 0.0);
      dl_[i] = (product - lower_z_[i] * ds_[i]) / room - lower_z_[i];
    }
    if (std::isfinite(p.upper[i])) {
      const double room = p.upper[i] - s_[i], product = target + (corrected ? old * du_[i] : 0.0);
      du_[i] = (product + upper_z_[i] * ds_[i]) / room - upper_z_[i];
    }
  }
}

// Until a distance or a multiplier becomes 0; at most 1/kToBound.
double QpInterior::longest_step(const ScaledQp& p) const {
  double alpha = 1 / kToBound;
  const auto keep = [&](double value, double change) {
    if (change < 0) alpha = std::min(alpha, -value / change);
  };
  for (Eigen::Index i = 0; i < p.rows(); ++i) {
    if (p.equation(i)) continue;
    if (std::isfinite(p.lower[i])) keep(s_[i] - p.lower[i], ds_[i]), keep(lower_z_[i], dl_[i]);
    if (std::isfinite(p.upper[i])) keep(p.upper[i] - s_[i], -ds_[i]), keep(upper_z_[i], du_[i]);
  }
  return alpha;
}

double QpInterior::average_product(const ScaledQp& p, double alpha) const {
  double sum = 0;
  for (Eigen::Index i = 0; i < p.rows(); ++i) {
    if (p.equation(i)) continue;
    const double s = s_[i] + alpha * ds_[i];
    if (std::isfinite(p.lower[i])) sum += (s - p.lower[i]) * (lower_z_[i] + alpha * dl_[i]);
    if (std::isfinite(p.upper[i])) sum += (p.upper[i] - s) * (upper_z_[i] + alpha * du_[i]);
  }
  return sum / static_cast<double>(products_);
}

void QpInterior::move(const ScaledQp& p, double alpha) {
  x_ += alpha * dx_;
  for (Eigen::Index i = 0; i < p.rows(); ++i) {
    if (p.equation(i)) {
      y_[i] += alpha * dy_[i];
      continue;
    }
    s_[i] += alpha * ds_[i];
    if (std::isfinite(p.lower[i])) {
      lower_z_[i] = std::max(lower_z_[i] + alpha * dl_[i], kLeastDistance);
      s_[i] = std::max(s_[i], p.lower[i] + std::max(kLeastDistance, 1e-16 * std::abs(p.lower[i])));
    }
    if (std::isfinite(p.upper[i])) {
      upper_z_[i] = std::max(upper_z_[i] + alpha * du_[i], kLeastDistance);
      s_[i] = std::min(s_[i], p.upper[i] - std::max(kLeastDistance, 1e-16 * std::abs(p.upper[i])));
    }
    y_[i] = lower_z_[i] - upper_z_[i];
  }
}

// Of any feasible x: Σ bounds·y <= yᵀ·a·x <= |aᵀ·y|₁·|x|∞.
bool QpInterior::contradicts(const ScaledQp& p) const {
  double value = 0;
  for (Eigen::Index i = 0; i < p.rows(); ++i) {
    const double bound = y_[i] > 0 ? p.lower[i] : p.upper[i];
    if (std::isfinite(bound)) value += bound * y_[i];
  }
  const double size = 1 + (x_.size() > 0 ? x_.cwiseAbs().maxCoeff() : 0.0);
  return value > kProof * size * aty_.cwiseAbs().sum();
}

// Of any optimum with multipliers y: −cᵀ·x <= |q·x|₁·|x*|∞ + |what a·x misses of the recession cone|₁·|y|∞.
bool QpInterior::falls_for_ever(const ScaledQp& p) const {
  double misses = qx_.cwiseAbs().sum();
  for (Eigen::Index i = 0; i < p.rows(); ++i) {
    if (std::isfinite(p.lower[i])) misses += std::max(0.0, -ax_[i]);
    if (std::isfinite(p.upper[i])) misses += std::max(0.0, ax_[i]);
  }
  const double falls = -p.c.dot(x_), size = 1 + (y_.size() > 0 ? y_.cwiseAbs().maxCoeff() : 0.0);
  return falls > 0 && falls > 1e-3 * kProof * size * misses;
}

QpInterior::Outcome QpInterior::run(const ScaledQp& p, QpKkt& kkt, double enough, bool seeks_proofs,
                                    const StopFlag& stop, std::int64_t most, std::int64_t& iterations) {
  int short_steps = 0, idle = 0;
  double least = std::numeric_limits<double>::infinity();
  for (;;) {
    measure(p);
    const double now = std::max({primal_, dual_, gap_});
    idle = now < kProgress * least ? 0 : idle + 1;
    least = std::min(least, now);
    if (idle > kMostIdle) return Outcome::kStalled;
    if (now <= enough) return Outcome::kNear;
    if (!std::isfinite(now)) return Outcome::kStalled;
    if (p.rows() > 0 && seeks_proofs && contradicts(p)) return Outcome::kSeemsInfeasible;
    if (seeks_proofs && falls_for_ever(p)) return Outcome::kSeemsUnbounded;
    if (iterations >= most) return Outcome::kLimit;
    stop.check();
    ++iterations;
    find_step(p, kkt, 0.0, false);
    if (!(kkt.miss() <= kUseless) && shift_ < kMostShift) {
      shift_ *= 10;
      continue;
    }
    if (products_ > 0) {
      const double share = average_product(p, std::min(1.0, longest_step(p))) / mu_;
      find_step(p, kkt, std::clamp(share * share * share, 0.0, 1.0) * mu_, true);
    }
    if (!dx_.allFinite() || !dy_.allFinite()) return Outcome::kStalled;
    const double alpha = std::min(1.0, kToBound * longest_step(p));
    move(p, alpha);
    short_steps = alpha < kShortStep ? short_steps + 1 : 0;
    if (short_steps >= kMostShort) return Outcome::kStalled;
  }
}

void QpInterior::guess_active(const ScaledQp& p, std::vector<std::int8_t>& active) const {
  for (Eigen::Index i = 0; i < p.rows(); ++i) {
    std::int8_t side = 0;
    if (!p.equation(i)) {
      if (std::isfinite(p.lower[i]) && lower_z_[i] > s_[i] - p.lower[i]) side = -1;
      if (std::isfinite(p.upper[i]) && upper_z_[i] > p.upper[i] - s_[i]) side = 1;
    } else {
      side = y_[i] >= 0 ? -1 : 1;
    }
    active[static_cast<std::size_t>(i)] = side;
  }
}

}  // namespace touchstone

// Purpose: the proximal method of multipliers, whose subproblems are solved by changing a set of active rows: with
//   centres x̄, ȳ fixed, least ½·xᵀqx + cᵀx + ρ/2·|x − x̄|² with rows a·x + δ·(y − ȳ) within their bounds.
// Source: R. T. Rockafellar, Math. Oper. Res. 1 (1976) 97 (the method); L. F. Portugal, J. J. Júdice, L. N. Vicente,
//   Math. Comput. 63 (1994) 625 (all wrong rows are turned at once, or one by one where that does not pay).
// Letters: ρ, δ, centres as above. A row is −1 at its lower bound, +1 at its upper one, 0 at neither.
//   In a set of rows: (q + ρ)·x − aᵀ·y = −c + ρ·x̄, a·x + δ·y = bound + δ·ȳ, y = 0 elsewhere.
//   Wrong: a row of the set whose y pulls; one outside whose a·x misses a bound.
// Deviations: (1) The centres move to each answer, without a new factorisation; that is a refinement at the same time,
//   and ends at the rounding of the numbers themselves. (2) A row is wrong beyond kRounding only.
// Why centres: with them the subproblem has one answer and the turning ends, whatever rows depend on each other. Of
//   many possible multipliers those nearest to the last ones are found.
// Fails: returns false if the budget ends first, or the factors are useless. The interior-point method goes on then.
#include "math/optim/qp_active_set.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace touchstone {
namespace {

constexpr double kShift = 1e-9;     // ρ and δ at first and at last, of numbers near 1
constexpr double kMostShift = 0.1;  // and at most
constexpr double kStiffer = 1e4, kSofter = 1e3;
constexpr double kUseless = 1e-4;       // relative residual of a linear system that asks for more
constexpr double kRounding = 1e-13;     // of numbers near 1, and of greater ones in proportion
constexpr double kExact = 4e-16;        // residual at which centres stay, of a program whose x and y are near 1
constexpr double kNearlyExact = 1e-13;  // and at which they stay if it falls no more
constexpr int kMostCentres = 60;
constexpr int kPatience = 8;  // factorisations of one subproblem

}  // namespace

void QpActiveSet::factor(const ScaledQp& p, QpKkt& kkt) {
  for (Eigen::Index i = 0; i < p.rows(); ++i)
    weight_[i] = p.equation(i) || active_[static_cast<std::size_t>(i)] != 0 ? shift_ : -1.0;
  kkt.factor(p, shift_, weight_);
  factored_ = true;
}

// False if a number is no longer one.
bool QpActiveSet::solve(const ScaledQp& p, QpKkt& kkt) {
  for (Eigen::Index i = 0; i < p.rows(); ++i)
    if (weight_[i] < 0) y_[i] = 0;
  f_ = -p.c - shift_ * (x_ - x_center_);
  f_.noalias() -= p.q * x_;
  f_.noalias() += p.a.transpose() * y_;
  g_.setZero(p.rows());
  ax_.noalias() = p.a * x_;
  for (Eigen::Index i = 0; i < p.rows(); ++i) {
    if (weight_[i] < 0) continue;
    const double bound = active_[static_cast<std::size_t>(i)] > 0 ? p.upper[i] : p.lower[i];
    g_[i] = bound - ax_[i] - shift_ * (y_[i] - y_center_[i]);
  }
  kkt.solve(p, f_, g_, 4, dx_, dy_);
  x_ += dx_, y_ += dy_;
  ax_.noalias() = p.a * x_;
  return x_.allFinite() && y_.allFinite();
}

void QpActiveSet::find_wrong(const ScaledQp& p) {
  wrong_.clear();
  double size_x = 1, size_y = 1;
  if (x_.size() > 0) size_x = std::max(size_x, x_.cwiseAbs().maxCoeff());
  if (y_.size() > 0) size_y = std::max(size_y, y_.cwiseAbs().maxCoeff());
  for (Eigen::Index i = 0; i < p.rows(); ++i) {
    if (p.equation(i)) continue;
    const int side = active_[static_cast<std::size_t>(i)];
    bool wrong = false;
    if (side != 0)
      wrong = side * y_[i] > kRounding * size_y;
    else
      wrong = std::max(p.lower[i] - ax_[i], ax_[i] - p.upper[i]) > kRounding * size_x;
    if (wrong) wrong_.push_back(i);
  }
}

void QpActiveSet::turn(const ScaledQp& p, Eigen::Index i) {
  std::int8_t& side = active_[static_cast<std::size_t>(i)];
  if (side != 0)
    side = 0;
  else
    side = ax_[i] < p.lower[i] ? -1 : 1;
}

// y of the subproblem as a function of x, of one row whose a·x − δ·ȳ is w.
double QpActiveSet::pull(const ScaledQp& p, Eigen::Index i, double w) const {
  return (std::clamp(w, p.lower[i], p.upper[i]) - w) / shift_;
}

// The derivative of the subproblem's objective at x_ + t·dx_, which grows with t: of its smooth part `smooth` at t = 0
// and `bend`, and of the rows.
double QpActiveSet::slope(const ScaledQp& p, double t) const {
  double sum = smooth_ + t * bend_;
  for (Eigen::Index i = 0; i < p.rows(); ++i)
    if (adx_[i] != 0) sum -= adx_[i] * pull(p, i, ax_[i] + t * adx_[i] - shift_ * y_center_[i]);
  return sum;
}

// Where that derivative is 0, between 0 and 1: it is linear between the places at which rows meet their bounds.
double QpActiveSet::best_part(const ScaledQp& p) {
  breaks_.clear();
  for (Eigen::Index i = 0; i < p.rows(); ++i)
    for (const double bound : {p.lower[i], p.upper[i]}) {
      const double t = (bound + shift_ * y_center_[i] - ax_[i]) / adx_[i];
      if (t > 0 && t < 1) breaks_.push_back(t);
    }
  std::sort(breaks_.begin(), breaks_.end());
  double low = 0, high = 1;
  std::size_t first = 0, last = breaks_.size();
  while (first < last) {  // the first break at which it is positive
    const std::size_t middle = (first + last) / 2;
    if (slope(p, breaks_[middle]) > 0)
      last = middle, high = breaks_[middle];
    else
      first = middle + 1, low = breaks_[middle];
  }
  const double at_low = slope(p, low), at_high = slope(p, high);
  if (!(at_high > at_low)) return high;
  return std::clamp(low - at_low * (high - low) / (at_high - at_low), low, high);
}

// From last_x_ on the way to x_, if all of it is too far: an exact line search. The set becomes that of the point.
void QpActiveSet::shorten(const ScaledQp& p) {
  dx_ = x_ - last_x_;
  f_ = p.c - shift_ * x_center_;
  f_.noalias() += p.q * last_x_;
  f_ += shift_ * last_x_;
  smooth_ = dx_.dot(f_);
  f_ = shift_ * dx_;
  f_.noalias() += p.q * dx_;
  bend_ = dx_.dot(f_);
  dy_ = ax_;
  ax_.noalias() = p.a * last_x_;
  adx_.noalias() = p.a * dx_;
  if (!(slope(p, 1) > 0)) {
    ax_ = dy_;
    for (const Eigen::Index i : wrong_) turn(p, i);
    return;
  }
  const double t = best_part(p);
  x_ = last_x_ + t * dx_;
  for (Eigen::Index i = 0; i < p.rows(); ++i) {
    const double w = ax_[i] + t * adx_[i] - shift_ * y_center_[i];
    y_[i] = pull(p, i, w);
    if (!p.equation(i)) active_[static_cast<std::size_t>(i)] = w < p.lower[i] ? -1 : w > p.upper[i] ? 1 : 0;
  }
}

// The subproblem's answer.
QpActiveSet::Outcome QpActiveSet::settle(const ScaledQp& p, QpKkt& kkt, std::int64_t most, const StopFlag& stop,
                                         std::int64_t& iterations) {
  for (int k = 0;; ++k) {
    if (!factored_) {
      if (iterations >= most) return Outcome::kBudget;
      stop.check();
      ++iterations;
      factor(p, kkt);
    }
    last_x_ = x_;
    if (!solve(p, kkt) || !(kkt.miss() <= kUseless)) return Outcome::kAstray;
    find_wrong(p);
    if (wrong_.empty()) return Outcome::kSettled;
    if (k >= kPatience && shift_ < kMostShift) return Outcome::kAstray;
    if (k == 0)
      for (const Eigen::Index i : wrong_) turn(p, i);
    else
      shorten(p);
    factored_ = false;
  }
}

// Of the program itself, with the set's rows as equations; relative to x and y where they are greater than 1.
double QpActiveSet::kkt_miss(const ScaledQp& p) {
  f_ = p.c;
  f_.noalias() += p.q * x_;
  f_.noalias() -= p.a.transpose() * y_;
  double most = f_.size() > 0 ? f_.cwiseAbs().maxCoeff() : 0.0;
  for (Eigen::Index i = 0; i < p.rows(); ++i) {
    if (weight_[i] < 0) continue;
    const double bound = active_[static_cast<std::size_t>(i)] > 0 ? p.upper[i] : p.lower[i];
    most = std::max(most, std::abs(ax_[i] - bound));
  }
  return most / std::max({1.0, x_.size() > 0 ? x_.cwiseAbs().maxCoeff() : 0.0,
                          y_.size() > 0 ? y_.cwiseAbs().maxCoeff() : 0.0});
}

bool QpActiveSet::run(const ScaledQp& p, QpKkt& kkt, std::int64_t budget, const StopFlag& stop, Eigen::VectorXd& x,
                      Eigen::VectorXd& y, std::vector<std::int8_t>& active, std::int64_t& iterations) {
  const std::int64_t most = iterations + budget;
  x_ = x, y_ = y, active_ = active;
  weight_.resize(p.rows());
  for (Eigen::Index i = 0; i < p.rows(); ++i) {
    std::int8_t& side = active_[static_cast<std::size_t>(i)];
    if (!p.equation(i) && !std::isfinite(side < 0 ? p.lower[i] : p.upper[i])) side = 0;
    if (!p.equation(i)) y_[i] = side < 0 ? std::max(y_[i], 0.0) : side > 0 ? std::min(y_[i], 0.0) : 0.0;
  }
  shift_ = least_shift_ = kShift;
  factored_ = false;
  double last = std::numeric_limits<double>::infinity();
  x_center_ = x_, y_center_ = y_;
  for (int k = 0; k < kMostCentres; ++k) {
    const Outcome outcome = settle(p, kkt, most, stop, iterations);
    if (outcome == Outcome::kBudget || (outcome == Outcome::kAstray && shift_ >= kMostShift)) break;
    if (outcome == Outcome::kAstray) {
      least_shift_ = shift_, shift_ *= kStiffer;
      x_ = x_center_, y_ = y_center_, active_ = active;
      factored_ = false;
      continue;
    }
    const double miss = kkt_miss(p);
    const bool slow = !(miss < 0.5 * last);
    if (miss < last) best_x_ = x_, best_y_ = y_, active = active_, last = miss;
    if (miss <= kExact || (slow && (shift_ <= kShift || last <= kNearlyExact))) break;
    x_center_ = x_, y_center_ = y_, active = active_;
    const double softer = std::max(kShift, shift_ / kSofter);
    if (softer < shift_ && softer > least_shift_) shift_ = softer, factored_ = false;
  }
  if (!std::isfinite(last)) return false;
  x = best_x_, y = best_y_;
  for (Eigen::Index i = 0; i < p.rows(); ++i) {
    const std::int8_t side = active[static_cast<std::size_t>(i)];
    if (!p.equation(i)) y[i] = side < 0 ? std::max(y[i], 0.0) : side > 0 ? std::min(y[i], 0.0) : 0.0;
  }
  return true;
}

}  // namespace touchstone

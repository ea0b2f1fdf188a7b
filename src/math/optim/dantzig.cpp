// Purpose: takes unknowns one after the other, drives each until its condition holds, and keeps the conditions of
//   those before it: free ones keep w = 0, others stay at their bounds, and one changes sides when it must.
// Source: R. W. Cottle, G. B. Dantzig, Linear Algebra and its Applications 1 (1968); D. Baraff, SIGGRAPH 1994; bounds
//   that follow another unknown as in ODE [drumwright2009 section 2.2].
// Letters: A, b, x, w as in the header; F the free unknowns.
// Deviations:
//   (1) Followers are taken last, with bounds from their leaders when all those are done, as ODE does. `passes` above 1
//       repeats until the bounds are those of the answer.
//   (2) A·(1 + regularisation) on the diagonal instead of a failure where rows repeat.
// Fails: kSingular where A is not positive definite even so; kRay where an unknown without bound cannot reach w = 0.
#include "math/optim/dantzig.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace touchstone {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Of a diagonal entry: what is left of it after elimination counts as nothing below this (rounding of the sums).
constexpr double kSmallestPivot = 1e-14;

bool follows(const BoxLcp& p, std::size_t i) { return i < p.leader.size() && p.leader[i] >= 0; }

}  // namespace

// False if a number cannot be used. Unknowns are counted from the point of their box that is nearest to zero.
bool Dantzig::prepare(const BoxLcp& p, const DantzigOptions& options) {
  n_ = static_cast<std::size_t>(p.b.size());
  if (!p.a.allFinite() || !p.b.allFinite()) return false;
  for (std::size_t i = 0; i < n_; ++i)
    if (!(p.lower[i] <= p.upper[i]) || p.lower[i] == kInfinity || p.upper[i] == -kInfinity) return false;
  offset_.resize(n_), a_.resize(n_ * n_), b_.resize(n_), lower_.resize(n_), upper_.resize(n_);
  for (std::size_t i = 0; i < n_; ++i) {
    offset_[i] = follows(p, i) ? 0.0 : std::clamp(0.0, p.lower[i], p.upper[i]);
    lower_[i] = p.lower[i] - offset_[i], upper_[i] = p.upper[i] - offset_[i];
  }
  for (std::size_t i = 0; i < n_; ++i) {
    b_[i] = p.b[static_cast<Eigen::Index>(i)];
    for (std::size_t j = 0; j < n_; ++j) {
      a_[i * n_ + j] = p.a(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
      b_[i] += a_[i * n_ + j] * offset_[j];
    }
    a_[i * n_ + i] *= 1 + options.regularisation;
  }
  factor_.resize(n_ * n_);
  x_.assign(n_, 0.0), w_.assign(n_, 0.0), dx_.assign(n_, 0.0), dw_.assign(n_, 0.0), y_.resize(n_);
  set_order(p);
  return true;
}

// Unknowns without bounds, then those with, then followers.
void Dantzig::set_order(const BoxLcp& p) {
  order_.clear();
  for (int group = 0; group < 3; ++group)
    for (std::size_t i = 0; i < n_; ++i) {
      const int own = follows(p, i) ? 2 : std::isinf(p.lower[i]) && std::isinf(p.upper[i]) ? 0 : 1;
      if (own == group) order_.push_back(i);
    }
}

bool Dantzig::append(std::size_t i) {
  const std::size_t k = free_.size();
  double* row = &factor_[k * n_];
  double left = entry(i, i);
  for (std::size_t c = 0; c < k; ++c) {
    double sum = entry(i, free_[c]);
    for (std::size_t d = 0; d < c; ++d) sum -= row[d] * factor_[c * n_ + d];
    row[c] = sum / factor_[c * n_ + c];
    left -= row[c] * row[c];
  }
  if (!(left > kSmallestPivot * entry(i, i))) return false;
  row[k] = std::sqrt(left);
  free_.push_back(i);
  place_[i] = Place::kFree;
  return true;
}

// Rows of the factor behind the one that goes are made anew.
bool Dantzig::remove(std::size_t i) {
  const std::size_t at = static_cast<std::size_t>(std::find(free_.begin(), free_.end(), i) - free_.begin());
  const std::size_t count = free_.size();
  order_.insert(order_.end(), free_.begin() + static_cast<std::ptrdiff_t>(at) + 1, free_.end());
  free_.resize(at);
  bool fine = true;
  for (std::size_t k = n_; k < n_ + count - at - 1; ++k) fine &= append(order_[k]);
  order_.resize(n_);
  return fine;
}

// How free unknowns and all w change if x_i grows by `sign` and the free ones keep their w.
void Dantzig::find_direction(std::size_t i, double sign) {
  const std::size_t k = free_.size();
  for (std::size_t c = 0; c < k; ++c) {
    double sum = -sign * entry(free_[c], i);
    for (std::size_t d = 0; d < c; ++d) sum -= factor_[c * n_ + d] * y_[d];
    y_[c] = sum / factor_[c * n_ + c];
  }
  for (std::size_t c = k; c-- > 0;) {
    double sum = y_[c];
    for (std::size_t d = c + 1; d < k; ++d) sum -= factor_[d * n_ + c] * y_[d];
    y_[c] = sum / factor_[c * n_ + c];
  }
  std::fill(dx_.begin(), dx_.end(), 0.0);
  for (std::size_t c = 0; c < k; ++c) dx_[free_[c]] = y_[c];
  dx_[i] = sign;
  for (std::size_t j = 0; j < n_; ++j) {
    dw_[j] = 0;
    if (place_[j] == Place::kFree) continue;
    double sum = entry(j, i) * sign;
    for (std::size_t c = 0; c < k; ++c) sum += entry(j, free_[c]) * y_[c];
    dw_[j] = sum;
  }
}

Dantzig::Step Dantzig::longest_step(std::size_t i, double sign) const {
  Step best{kInfinity, Event::kNone, i};
  const auto consider = [&](double size, Event event, std::size_t index) {
    if (size < best.size) best = {std::max(0.0, size), event, index};
  };
  if (dw_[i] * sign > kSmallestPivot * entry(i, i)) consider(-w_[i] / dw_[i], Event::kSettled, i);
  consider(sign > 0 ? upper_[i] - x_[i] : x_[i] - lower_[i], Event::kOwnBound, i);
  for (const std::size_t j : free_) {
    if (dx_[j] < 0) consider((lower_[j] - x_[j]) / dx_[j], Event::kFreeToBound, j);
    if (dx_[j] > 0) consider((upper_[j] - x_[j]) / dx_[j], Event::kFreeToBound, j);
  }
  for (std::size_t j = 0; j < n_; ++j) {
    if (j == i || lower_[j] == upper_[j]) continue;
    if ((place_[j] == Place::kLower && dw_[j] < 0) || (place_[j] == Place::kUpper && dw_[j] > 0))
      consider(-w_[j] / dw_[j], Event::kBoundToFree, j);
  }
  return best;
}

LcpStatus Dantzig::drive(std::size_t i, std::int64_t most, std::int64_t& pivots) {
  if ((w_[i] >= 0 && x_[i] <= lower_[i]) || lower_[i] == upper_[i]) {
    place_[i] = Place::kLower;
    return LcpStatus::kSolved;
  }
  if (w_[i] <= 0 && x_[i] >= upper_[i]) {
    place_[i] = Place::kUpper;
    return LcpStatus::kSolved;
  }
  const double sign = w_[i] > 0 ? -1.0 : 1.0;
  while (pivots++ < most) {
    find_direction(i, sign);
    const Step step = longest_step(i, sign);
    if (step.event == Event::kNone || !std::isfinite(step.size)) return LcpStatus::kRay;
    for (std::size_t j = 0; j < n_; ++j) x_[j] += step.size * dx_[j], w_[j] += step.size * dw_[j];
    const std::size_t j = step.index;
    switch (step.event) {
      case Event::kSettled:
        w_[i] = 0;
        return append(i) ? LcpStatus::kSolved : LcpStatus::kSingular;
      case Event::kOwnBound:
        place_[i] = sign > 0 ? Place::kUpper : Place::kLower;
        x_[i] = sign > 0 ? upper_[i] : lower_[i];
        return LcpStatus::kSolved;
      case Event::kFreeToBound:
        place_[j] = dx_[j] > 0 ? Place::kUpper : Place::kLower;
        x_[j] = dx_[j] > 0 ? upper_[j] : lower_[j];
        if (!remove(j)) return LcpStatus::kSingular;
        break;
      default:
        w_[j] = 0;
        if (!append(j)) return LcpStatus::kSingular;
    }
  }
  return LcpStatus::kPivotLimit;
}

// All at once, from the k-th in order on, which is the first.
void Dantzig::set_followers(const BoxLcp& p, std::size_t k) {
  for (; k < n_; ++k) {
    const std::size_t i = order_[k], l = static_cast<std::size_t>(p.leader[i]);
    upper_[i] = p.upper[i] * std::abs(x_[l] + offset_[l]);
    lower_[i] = -upper_[i];
  }
}

LcpStatus Dantzig::pass(const BoxLcp& p, const StopFlag& stop, std::int64_t most, std::int64_t& pivots) {
  place_.assign(n_, Place::kWaiting);
  free_.clear();
  for (std::size_t i = 0; i < n_; ++i) x_[i] = 0, w_[i] = b_[i];
  order_.reserve(2 * n_);  // remove() uses the end as its memory
  for (std::size_t k = 0; k < n_; ++k) {
    stop.check();
    const std::size_t i = order_[k];
    if (follows(p, i) && lower_[i] == -kInfinity) set_followers(p, k);  // not set by a pass before
    const LcpStatus status = drive(i, most, pivots);
    if (status != LcpStatus::kSolved) return status;
  }
  return LcpStatus::kSolved;
}

double Dantzig::bound_error(const BoxLcp& p) const {
  double worst = 0;
  for (std::size_t i = 0; i < n_; ++i) {
    if (!follows(p, i)) continue;
    const std::size_t l = static_cast<std::size_t>(p.leader[i]);
    const double wanted = p.upper[i] * std::abs(x_[l] + offset_[l]);
    if (std::isfinite(wanted) && std::isfinite(upper_[i])) worst = std::max(worst, std::abs(wanted - upper_[i]));
  }
  return worst;
}

// By the given matrix, not the regularised one.
double Dantzig::residual(const BoxLcp& p) const {
  double worst = 0;
  for (std::size_t i = 0; i < n_; ++i) {
    double w = p.b[static_cast<Eigen::Index>(i)];
    for (std::size_t j = 0; j < n_; ++j)
      w += p.a(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) * (x_[j] + offset_[j]);
    if (x_[i] <= lower_[i]) w = std::min(w, 0.0);
    if (x_[i] >= upper_[i]) w = std::max(w, 0.0);
    if (lower_[i] == upper_[i]) w = 0;
    worst = std::max(worst, std::abs(w));
  }
  return worst;
}

DantzigAnswer Dantzig::solve(const BoxLcp& p, const DantzigOptions& options, Eigen::Ref<Eigen::VectorXd> x) {
  DantzigAnswer answer;
  x.setZero();
  if (!prepare(p, options)) {
    answer.status = LcpStatus::kNotFinite;
    answer.residual = kInfinity;
    return answer;
  }
  if (n_ == 0) return answer;
  for (std::size_t i = 0; i < n_; ++i)
    if (follows(p, i)) lower_[i] = -kInfinity;
  const double scale_b = p.b.cwiseAbs().maxCoeff();
  double previous = kInfinity;
  while (answer.passes < std::max(1, options.passes)) {
    const std::int64_t most =
        answer.pivots + (options.max_pivots > 0 ? options.max_pivots : 50 * static_cast<std::int64_t>(n_) + 100);
    answer.status = pass(p, options.stop, most, answer.pivots);
    ++answer.passes;
    for (std::size_t i = 0; i < n_; ++i) x_[i] = std::clamp(x_[i], lower_[i], upper_[i]);
    answer.bound_error = bound_error(p);
    double scale_x = 0;
    for (const double v : x_) scale_x = std::max(scale_x, std::abs(v));
    if (answer.status != LcpStatus::kSolved || answer.bound_error <= options.tolerance * scale_x) break;
    if (answer.passes == options.passes) break;
    // Bounds that swing to and fro are taken half of the way.
    const double part = answer.bound_error < 0.7 * previous ? 1.0 : 0.5;
    previous = answer.bound_error;
    for (std::size_t i = 0; i < n_; ++i) {
      if (!follows(p, i) || !std::isfinite(upper_[i])) continue;
      const std::size_t l = static_cast<std::size_t>(p.leader[i]);
      upper_[i] += part * (p.upper[i] * std::abs(x_[l] + offset_[l]) - upper_[i]);
      lower_[i] = -upper_[i];
    }
  }
  for (std::size_t i = 0; i < n_; ++i) x[static_cast<Eigen::Index>(i)] = x_[i] + offset_[i];
  answer.residual = residual(p);
  double excused = options.tolerance * scale_b;  // and what the regularisation itself makes
  for (std::size_t i = 0; i < n_; ++i)
    excused = std::max(excused, 2 * options.regularisation * std::abs(entry(i, i) * x_[i]));
  if (answer.status == LcpStatus::kSolved && !(answer.residual <= excused)) answer.status = LcpStatus::kInaccurate;
  return answer;
}

}  // namespace touchstone

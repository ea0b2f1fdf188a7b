// Purpose: Anderson's acceleration. If s were affine, the next guess would be the best of all that the last steps span.
// Source: D. G. Anderson, Iterative procedures for nonlinear integral equations, 1965; H. Walker, P. Ni, 2011 (II).
// Letters: g = s(x) − x, pairs (Δg, Δs) of steps that followed each other.
// Deviations: (1) Pairs are made orthonormal as they come, and the oldest is overwritten: any is still a pair.
//   (2) All is forgotten when a step is kGrowth times as long as the shortest since: the law has changed its branch.
// Fails: never; a pair that the others span is left out.
#include "contact/solvers/anderson.h"

#include <algorithm>
#include <cmath>

namespace touchstone {
namespace {

constexpr double kGrowth = 4;
constexpr double kLeastNew = 1e-6;  // of a pair's own length: below, it is rounding of the others

// In eight sums, which a processor can keep going at once; always the same eight.
double product(std::span<const double> a, std::span<const double> b) {
  double sums[8] = {};
  std::size_t i = 0;
  for (; i + 8 <= a.size(); i += 8)
    for (std::size_t k = 0; k < 8; ++k) sums[k] += a[i + k] * b[i + k];
  for (std::size_t k = 0; i < a.size(); ++i, ++k) sums[k] += a[i] * b[i];
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

void subtract(std::vector<double>& from, double factor, const std::vector<double>& what) {
  for (std::size_t i = 0; i < from.size(); ++i) from[i] -= factor * what[i];
}

}  // namespace

void Anderson::reset(std::span<const double> weight, std::size_t velocities) {
  unit_.resize(weight.size());
  for (std::size_t i = 0; i < weight.size(); ++i) unit_[i] = std::sqrt(std::max(0.0, weight[i]));
  for (Pair& p : pairs_) p.step.resize(weight.size()), p.x.resize(weight.size()), p.v.resize(velocities);
  step_.resize(weight.size());
  count_ = next_ = 0;
  has_last_ = false;
  best_ = 0;
}

void Anderson::remember(std::span<const double> x, std::span<const double> v) {
  Pair& p = pairs_[next_];
  for (std::size_t i = 0; i < x.size(); ++i) p.step[i] = step_[i] - last_step_[i], p.x[i] = x[i] - last_x_[i];
  for (std::size_t i = 0; i < v.size(); ++i) p.v[i] = v[i] - last_v_[i];
  const double whole = std::sqrt(product(p.step, p.step));
  for (std::size_t k = 0; k < count_; ++k) {
    if (k == next_) continue;
    const double c = product(pairs_[k].step, p.step);
    subtract(p.step, c, pairs_[k].step), subtract(p.x, c, pairs_[k].x), subtract(p.v, c, pairs_[k].v);
  }
  const double length = std::sqrt(product(p.step, p.step));
  if (!(length > kLeastNew * whole)) {
    if (next_ < count_) {  // the oldest is spoilt: none of that number is left
      std::fill(p.step.begin(), p.step.end(), 0.0);
      next_ = (next_ + 1) % kMemory;
    }
    return;
  }
  for (std::vector<double>* all : {&p.step, &p.x, &p.v})
    for (double& value : *all) value /= length;
  count_ = std::max(count_, next_ + 1);
  next_ = (next_ + 1) % kMemory;
}

void Anderson::step(std::span<const double> before, std::span<double> x, std::span<double> v) {
  for (std::size_t i = 0; i < x.size(); ++i) step_[i] = unit_[i] * (x[i] - before[i]);
  const double length = std::sqrt(product(step_, step_));
  if (!has_last_ || !(length <= kGrowth * best_)) {
    count_ = next_ = 0;
    best_ = length;
  } else {
    best_ = std::min(best_, length);
    remember(x, v);
  }
  has_last_ = true;
  last_step_ = step_;
  last_x_.assign(x.begin(), x.end());
  last_v_.assign(v.begin(), v.end());
  for (std::size_t k = 0; k < count_; ++k) {
    const double c = product(pairs_[k].step, step_);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] -= c * pairs_[k].x[i];
    for (std::size_t i = 0; i < v.size(); ++i) v[i] -= c * pairs_[k].v[i];
  }
}

}  // namespace touchstone

// Purpose: the impulses of all contacts of an island at once, by Newton's method on the velocities of its bodies. In a
//   tall stack sweeps need a number of passes that grows with the fourth power of its height; this needs a few steps.
// Source: the method of multipliers [M. Powell 1969, M. Hestenes 1969] for the laws that the sweeps solve.
// Letters: λ impulse (normal first), u = J·v + still the velocity that the law is about, ρ weight of the multiplier
//   method, z = λ − ρ·u, Π the projection on λ_n ≥ 0 and |λ_t| ≤ limit. A solution is a fixed point λ = Π(z). For given
//   λ and limits, v minimises φ(v) = ½(v−v_f)ᵀM(v−v_f) + Σ ψ(z)/ρ, which is convex; its gradient is
//   M(v−v_f) − Jᵀ·Π(z), its second derivative M + Jᵀ·ρ·Π'(z)·J. Then λ ← Π(z), and the limits μ·λ_n are renewed.
// Deviations: -
// Fails: if the rounds run out, the impulses so far stand; newton.cpp judges them.
#include <algorithm>
#include <cmath>
#include <limits>

#include "models/impulse/newton.h"

namespace touchstone {
namespace {

constexpr int kMaxRounds = 30, kMaxSteps = 30, kStickRounds = 4;
constexpr std::int64_t kMostSteps = 150;  // in all rounds together
// ρ·K: how stiffly a contact is held within one minimisation. The multipliers close what it leaves open by this factor
// in each round. It starts soft, so that the first steps find out which contacts carry load, and ends as stiff as the
// digits allow.
constexpr double kFirstWeight = 10, kWeightGrowth = 10, kSecondWeight = 1e4, kLastWeight = 1e6;
constexpr double kRough = 0.01;  // of the gradient may be left while the weights still grow

}  // namespace

template <int D>
Vec<D> ContactNewton<D>::velocity_at(const Point& p, const std::vector<Vector>& v) const {
  Vec<D> u = p.still;
  if (p.a < v.size()) u += p.j_a * v[p.a];
  if (p.b < v.size()) u += p.j_b * v[p.b];
  return u;
}

template <int D>
void ContactNewton<D>::place(std::span<Point> points, const std::vector<Vector>& v) const {
  for (Point& p : points) p.z = p.lambda - p.rho * velocity_at(p, v);
}

template <int D>
Vec<D> ContactNewton<D>::project(const Point& p, const Vec<D>& z) const {
  Vec<D> out = z;
  out[0] = std::max(0.0, z[0]);
  const double t = z.template tail<D - 1>().norm();
  const double limit = (p.stuck ? p.static_friction : p.dynamic_friction) * p.bound;
  if (t > limit) out.template tail<D - 1>() *= limit / t;
  return out;
}

// One step down; z is up to date before and after. False if there is nothing to gain.
template <int D>
bool ContactNewton<D>::newton_step(std::span<Point> points, bool first, double enough) {
  const std::size_t n = v_.size();
  cholesky_.clear();
  for (std::size_t i = 0; i < n; ++i) {
    cholesky_.diagonal(i) = mass_[i];
    gradient_[i] = mass_[i] * (v_[i] - free_[i]);
  }
  double scale = 0;
  for (const Point& p : points) {
    const Vec<D - 1> zt = p.z.template tail<D - 1>();
    const double t = zt.norm(), limit = (p.stuck ? p.static_friction : p.dynamic_friction) * p.bound;
    Vec<D> projected;
    projected[0] = std::max(0.0, p.z[0]);
    Mat<D> slope = Mat<D>::Zero();
    if (p.z[0] > 0) slope(0, 0) = 1;
    if (t <= limit) {
      projected.template tail<D - 1>() = zt;
      slope.template bottomRightCorner<D - 1, D - 1>().setIdentity();
    } else {
      const Vec<D - 1> e = zt / t;
      projected.template tail<D - 1>() = limit * e;
      slope.template bottomRightCorner<D - 1, D - 1>() =
          limit / t * (Eigen::Matrix<double, D - 1, D - 1>::Identity() - e * e.transpose());
    }
    slope *= p.rho;
    if (p.a < n) gradient_[p.a] -= p.j_a.transpose() * projected;
    if (p.b < n) gradient_[p.b] -= p.j_b.transpose() * projected;
    scale = std::max(scale, projected.norm());
    const Jacobian sa = slope * p.j_a, sb = slope * p.j_b;
    if (p.a < n) cholesky_.diagonal(p.a) += p.j_a.transpose() * sa;
    if (p.b < n) cholesky_.diagonal(p.b) += p.j_b.transpose() * sb;
    if (p.a < n && p.b < n) cholesky_.add(p.a, p.b, Block(p.j_a.transpose() * sb));
  }
  double steepest = 0;
  for (const Vector& g : gradient_) steepest = std::max(steepest, g.cwiseAbs().maxCoeff());
  constexpr double kRounding = 1e-13;  // of the greatest impulse: below it the gradient is noise
  if (first) first_slope_ = steepest;
  if (steepest <= std::max(kRounding * scale, enough * first_slope_)) return false;
  ++factorisations_;
  if (!cholesky_.factor()) return false;
  double descent = 0;
  for (std::size_t i = 0; i < n; ++i) trial_[i] = gradient_[i];
  cholesky_.solve(trial_);
  for (std::size_t i = 0; i < n; ++i) descent += gradient_[i].dot(trial_[i]);
  gradient_.swap(trial_);  // now the direction
  const double part = line_search(points, descent);
  if (!(part > 0)) return false;
  for (std::size_t i = 0; i < n; ++i) v_[i] -= part * gradient_[i];
  place(points, v_);
  return true;
}

// How far to go along −direction: to where φ is least, which is where its slope −b + a·t + Σ Π(z + ρ·t·w)·w vanishes,
// w = J·direction. φ is convex, so the slope grows; a tenth of where it started is near enough.
template <int D>
double ContactNewton<D>::line_search(std::span<Point> points, double descent) {
  constexpr int kMaxLooks = 30;
  constexpr double kNear = 0.1;
  double a = 0, b = 0;
  for (std::size_t i = 0; i < v_.size(); ++i) {
    const Vector md = mass_[i] * gradient_[i];
    a += gradient_[i].dot(md), b += (v_[i] - free_[i]).dot(md);
  }
  for (Point& p : points) p.w = velocity_at(p, gradient_) - p.still;
  const auto slope = [&](double t) {
    double sum = a * t - b;
    for (const Point& p : points) sum += project(p, Vec<D>(p.z + p.rho * t * p.w)).dot(p.w);
    return sum;
  };
  const double enough = kNear * descent;
  double low = 0, at_low = -descent, high = 1, at_high = slope(1);
  for (int k = 0; k < kMaxLooks && at_high < -enough; ++k)
    low = high, at_low = at_high, high *= 2, at_high = slope(high);
  if (std::abs(at_high) <= enough) return high;
  for (int k = 0; k < kMaxLooks; ++k) {  // Illinois
    const double t = (low * at_high - high * at_low) / (at_high - at_low), at = slope(t);
    if (std::abs(at) <= enough) return t;
    if (at < 0)
      low = t, at_low = at, at_high *= 0.5;
    else
      high = t, at_high = at, at_low *= 0.5;
  }
  return low;
}

// By how much these impulses are off the law at v, as a velocity.
template <int D>
double ContactNewton<D>::residual(const Point& p, const Vec<D>& lambda) const {
  const Vec<D> u = velocity_at(p, v_);
  const double normal = std::abs(lambda[0] - std::max(0.0, lambda[0] - u[0] / p.k));
  const Vec<D - 1> t = lambda.template tail<D - 1>();
  Vec<D - 1> z = t - u.template tail<D - 1>() / p.k;
  const double limit = (p.stuck ? p.static_friction : p.dynamic_friction) * lambda[0];
  if (z.norm() > limit) z *= p.dynamic_friction * lambda[0] / z.norm();
  return p.k * std::max(normal, (t - z).norm());
}

// λ ← Π(z) with renewed limits; returns the greatest violation of the law as a velocity.
template <int D>
double ContactNewton<D>::update(std::span<Point> points) {
  double worst = 0;
  for (Point& p : points) {
    Vec<D> next;
    next[0] = std::max(0.0, p.z[0]);
    const Vec<D - 1> zt = p.z.template tail<D - 1>();
    const double t = zt.norm();
    p.stuck = t <= (p.stuck ? p.static_friction : p.dynamic_friction) * next[0];
    const double limit = p.stuck ? t : p.dynamic_friction * next[0];
    next.template tail<D - 1>() = t > 0 ? Vec<D - 1>(zt * (limit / t)) : zt;
    worst = std::max(worst, residual(p, next));
    p.lambda = next;
    p.bound = next[0];
    p.rho = std::min(p.rho * kWeightGrowth, kLastWeight / p.k);
  }
  return worst;
}

// The loads that friction depends on are not known at first. As long as they are not, whatever touches sticks: then
// only the contacts that open have to be found out.
template <int D>
void ContactNewton<D>::find_loads(std::span<Point> points) {
  constexpr double kEverything = 1e30;  // [N·s]
  for (Point& p : points) p.bound = kEverything, p.rho = kFirstWeight / p.k;
  for (int round = 0; round < kStickRounds; ++round) {
    minimise(points, kRough);
    for (Point& p : points) {
      p.lambda = project(p, p.z);
      p.rho *= kWeightGrowth;
    }
  }
  for (Point& p : points) {
    p.bound = p.lambda[0];
    p.lambda = project(p, p.lambda);
    p.rho = kSecondWeight / p.k;
  }
}

// φ for these λ and limits, until so much of the gradient is left.
template <int D>
void ContactNewton<D>::minimise(std::span<Point> points, double enough) {
  place(points, v_);
  for (int k = 0; k < kMaxSteps && newton_step(points, k == 0, enough); ++k) {
  }
}

template <int D>
void ContactNewton<D>::iterate(std::size_t begin, std::size_t end, double tolerance, double target) {
  constexpr double kQuick = 0.95;  // of the violation is left after a round that was worth it
  const std::span<Point> points = std::span(points_).subspan(begin, end - begin);
  const std::int64_t most = factorisations_ + kMostSteps;
  find_loads(points);
  double worst = std::numeric_limits<double>::infinity(), last = worst;
  for (int round = 0; round < kMaxRounds && factorisations_ < most; ++round) {
    const bool growing = points.front().rho * points.front().k < kLastWeight;
    minimise(points, growing ? kRough : 0.0);
    last = worst, worst = update(points);
    if (worst <= target || (worst <= tolerance && worst > kQuick * last)) return;
  }
}

#define TOUCHSTONE_INSTANTIATE(D) template void ContactNewton<D>::iterate(std::size_t, std::size_t, double, double);
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone

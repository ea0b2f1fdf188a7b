#pragma once
// Purpose: how a rigid body turns by itself over a step h, as a rotation vector θ: R⁺ = R·exp(θ) in body axes.
// Source: the series of W. Magnus (Comm. Pure Appl. Math. 7, 1954) for R' = R·ω̂ with ω(t) by its derivatives at the
//   start, which Euler's equation Π' = Π×ω gives; own projection on the energy.
// Letters: Π = I·ω angular momentum, ω angular velocity, both in body axes (principal axes of inertia); E = ½Π·ω.
// Properties: Π turns with the body, so angular momentum in the world is kept to rounding. The error of θ is of order
//   h⁵. The energy is kept, too, to rounding in steps of up to 0.1 rad: Π is turned back onto the ellipsoid of its
//   energy along its gradient, by the small rotation φ = (E − E₁)·n/|n|², n = ω₁×Π₁. Bodies with three equal moments
//   turn by h·ω, exactly.
// Fails: never. A body that tumbles fast for the step (h²|ω'| > kMostBend) turns in several parts, at most kMostParts;
//   beyond that the attitude is wrong, while the energy stays between |Π|²/2I₃ and |Π|²/2I₁.
#include <algorithm>
#include <cmath>
#include <type_traits>

#include "math/lane_vectors.h"
#include "math/rotation.h"

namespace touchstone {

inline constexpr double kMostBend = 0.05;  // h²|ω'| [rad]: the first term left out of θ is then below 1e-6 rad
inline constexpr int kMostParts = 64;

// exp of a rotation vector as a unit quaternion. Lanes: false if some lane is too large for the series; the caller then
// goes body by body.
template <class S>
inline bool rotation_step(const Vec3Of<S>& turn, QuatOf<S>& step) {
  const S quarter = 0.25 * squared_norm(turn);
  if constexpr (std::is_same_v<S, double>) {
    double sinc, cosine;
    sinc_cos(quarter, sinc, cosine);
    step = {0.5 * sinc * turn.x, 0.5 * sinc * turn.y, 0.5 * sinc * turn.z, cosine};
  } else {
    if (!all(quarter < kSeriesLimit)) return false;
    const S s = 0.5 * sinc_series(quarter);
    step = {s * turn.x, s * turn.y, s * turn.z, cosine_series(quarter)};
  }
  return true;
}

template <class S>
inline S dot_product(const Vec3Of<S>& a, const Vec3Of<S>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

// φ: what is left to turn, after the turn that led to the momentum `now`, so that the energy is that of `start`.
// Differences at the level of rounding are left alone: where ω is nearly parallel to Π they would be blown up by 1/|n|.
template <class S>
inline Vec3Of<S> turn_to_energy(const Vec3Of<S>& start, const Vec3Of<S>& now, const Vec3Of<S>& inv_inertia) {
  constexpr double kRounding = 1e-14;
  const Vec3Of<S> w = times(inv_inertia, now), n = cross_product(w, now);
  const S energy = 0.5 * dot_product(start, times(inv_inertia, start));
  const S missing = energy - 0.5 * dot_product(now, w), noise = kRounding * energy, n2 = squared_norm(n);
  const S beyond = missing - larger(S(-noise), smaller(missing, noise));
  const S none = S{} + 0.0, one = S{} + 1.0;
  return scaled(n, S(n2 > none ? beyond / (n2 > none ? n2 : one) : none));
}

// θ of one part. False (lanes only): this needs several parts, or a turn beyond the series.
template <class S>
inline bool part_of_free_turn(const Vec3Of<S>& momentum, const Vec3Of<S>& inv_inertia, double h, Vec3Of<S>& turn) {
  const Vec3Of<S> w = times(inv_inertia, momentum), p1 = cross_product(momentum, w), w1 = times(inv_inertia, p1);
  if constexpr (!std::is_same_v<S, double>)
    if (!all(squared_norm(w1) * (h * h * h * h) <= kMostBend * kMostBend)) return false;
  const Vec3Of<S> p2 = cross_product(p1, w) + cross_product(momentum, w1), w2 = times(inv_inertia, p2);
  const Vec3Of<S> p3 = cross_product(p2, w) + scaled(cross_product(p1, w1), 2.0) + cross_product(momentum, w2);
  const Vec3Of<S> w3 = times(inv_inertia, p3);
  const Vec3Of<S> fourth = w3 + cross_product(w, w2), third = w2 + scaled(cross_product(w, w1), 0.5);
  const Vec3Of<S> theta = scaled(w + scaled(w1 + scaled(third + scaled(fourth, h / 4), h / 3), h / 2), h);
  QuatOf<S> step;
  if (!rotation_step(theta, step)) return false;
  const Vec3Of<S> phi = turn_to_energy(momentum, rotate_back(step, momentum), inv_inertia);
  // θ of exp(θ)·exp(φ) for small φ: the inverse of the tangent of exp, truncated as in dexpinv.
  const Vec3Of<S> bracket = cross_product(theta, phi);
  turn = theta + phi + scaled(bracket, 0.5) + scaled(cross_product(theta, bracket), 1.0 / 12);
  return true;
}

inline int parts_of_free_turn(const Vec3Of<double>& momentum, const Vec3Of<double>& inv_inertia, double h) {
  const Vec3Of<double> p1 = cross_product(momentum, times(inv_inertia, momentum));
  const double bend = h * h * std::sqrt(squared_norm(times(inv_inertia, p1)));
  return bend > kMostBend ? static_cast<int>(std::min<double>(kMostParts, std::ceil(std::sqrt(bend / kMostBend)))) : 1;
}

inline bool three_equal(const Vec3Of<double>& v) { return v.x == v.y && v.y == v.z; }
inline bool three_equal(const Vec3Of<Lane>& v) { return all(v.x == v.y) && all(v.y == v.z); }

// θ over h, in body axes. False as above; for a double always true.
template <class S>
inline bool free_turn_in_body(const Vec3Of<S>& momentum, const Vec3Of<S>& inv_inertia, double h, Vec3Of<S>& turn) {
  if (three_equal(inv_inertia)) {  // cubes and balls, as many scenes have them
    turn = scaled(times(inv_inertia, momentum), h);
    return true;
  }
  if constexpr (std::is_same_v<S, double>) {
    const int parts = parts_of_free_turn(momentum, inv_inertia, h);
    if (parts > 1) {
      Eigen::Quaterniond sum = Eigen::Quaterniond::Identity();
      Vec3Of<double> p = momentum, part;
      QuatOf<double> step;
      for (int k = 0; k < parts; ++k) {
        part_of_free_turn(p, inv_inertia, h / parts, part);
        rotation_step(part, step);
        p = rotate_back(step, p);
        sum = sum * Eigen::Quaterniond(step.w, step.x, step.y, step.z);
      }
      const Vec<3> theta = log_rotation(sum);
      turn = {theta[0], theta[1], theta[2]};
      return true;
    }
  }
  return part_of_free_turn(momentum, inv_inertia, h, turn);
}

// The rotation vector that turns one into the other: to = exp(turn)·from.
inline AngVec<2> turn_between(double from, double to) { return AngVec<2>(to - from); }
inline Vec<3> turn_between(const Eigen::Quaterniond& from, const Eigen::Quaterniond& to) {
  return log_rotation(to * from.conjugate());
}

// The rotation vector of a body without torque over h, in the world: R⁺ = exp(turn)·R.
inline AngVec<2> free_turn(double, const AngVec<2>&, const AngVec<2>&, const AngVec<2>& w, double h) { return h * w; }
inline Vec<3> free_turn(const Eigen::Quaterniond& q, const Vec<3>& inertia, const Vec<3>& inv_inertia, const Vec<3>& w,
                        double h) {
  if (all_equal(inertia)) return h * w;
  const Mat<3> frame = frame_of(q);
  const Vec<3> p = inertia.cwiseProduct(frame.transpose() * w);
  Vec3Of<double> turn;
  free_turn_in_body<double>({p[0], p[1], p[2]}, {inv_inertia[0], inv_inertia[1], inv_inertia[2]}, h, turn);
  return frame * Vec<3>(turn.x, turn.y, turn.z);
}

}  // namespace touchstone

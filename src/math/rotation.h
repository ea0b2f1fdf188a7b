#pragma once
// Rotations of the two dimensions behind one name: an angle in 2D, a unit quaternion in 3D.
// exp: rotation vector → rotation (Rodrigues). dexpinv: the inverse of its tangent, truncated after the
// second bracket, which is what a fourth-order Runge-Kutta-Munthe-Kaas method needs
// [H. Munthe-Kaas, High order Runge-Kutta methods on manifolds, Appl. Numer. Math. 29 (1999)].
#include <Eigen/Geometry>
#include <cmath>

#include "math/types.h"

namespace touchstone {

template <int D>
struct RotationOf;
template <>
struct RotationOf<2> {
  using type = double;
};
template <>
struct RotationOf<3> {
  using type = Eigen::Quaterniond;
};
template <int D>
using Rotation = typename RotationOf<D>::type;

inline double identity_rotation(double) { return 0.0; }
inline Eigen::Quaterniond identity_rotation(const Eigen::Quaterniond&) { return Eigen::Quaterniond::Identity(); }
template <int D>
Rotation<D> identity_rotation() {
  return identity_rotation(Rotation<D>{});
}

inline Mat<2> matrix_of(double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  Mat<2> m;
  m << c, -s, s, c;
  return m;
}
inline Mat<3> matrix_of(const Eigen::Quaterniond& q) { return q.toRotationMatrix(); }

inline double compose(double a, double b) { return a + b; }
inline Eigen::Quaterniond compose(const Eigen::Quaterniond& a, const Eigen::Quaterniond& b) { return a * b; }
inline double inverse(double a) { return -a; }
inline Eigen::Quaterniond inverse(const Eigen::Quaterniond& q) { return q.conjugate(); }

// sin(x)/x and cos(x) from x², by their series: exact to the last bit for x² < kSeriesLimit, where the first term left
// out is below 5e-17. The usual case of a small step costs no trigonometry and no division. S: a double, or SIMD lanes.
inline constexpr double kSeriesLimit = 0.25;
template <class S>
inline S sinc_series(const S& x2) {
  return 1.0 + x2 * (-1.0 / 6 +
                     x2 * (1.0 / 120 + x2 * (-1.0 / 5040 +
                                             x2 * (1.0 / 362880 + x2 * (-1.0 / 39916800 + x2 * (1.0 / 6227020800))))));
}
template <class S>
inline S cosine_series(const S& x2) {
  return 1.0 +
         x2 * (-1.0 / 2 +
               x2 * (1.0 / 24 + x2 * (-1.0 / 720 +
                                      x2 * (1.0 / 40320 + x2 * (-1.0 / 3628800 +
                                                                x2 * (1.0 / 479001600 + x2 * (-1.0 / 87178291200)))))));
}
inline void sinc_cos(double x2, double& sinc, double& cosine) {
  if (x2 < kSeriesLimit) {
    sinc = sinc_series(x2);
    cosine = cosine_series(x2);
    return;
  }
  const double x = std::sqrt(x2);
  sinc = std::sin(x) / x;
  cosine = std::cos(x);
}

inline double exp_rotation(const AngVec<2>& v) { return v[0]; }
inline Eigen::Quaterniond exp_rotation(const Vec<3>& v) {
  double sinc, cosine;
  sinc_cos(0.25 * v.squaredNorm(), sinc, cosine);
  const double s = 0.5 * sinc;
  return {cosine, s * v[0], s * v[1], s * v[2]};
}

// The rotation vector of a unit quaternion, of length π at most.
inline Vec<3> log_rotation(const Eigen::Quaterniond& q) {
  const double sine = q.vec().norm();
  if (sine == 0) return Vec<3>::Zero();
  const double half = q.w() >= 0 ? std::atan2(sine, q.w()) : -std::atan2(sine, -q.w());
  return (2 * half / sine) * q.vec();
}

// exp(v)·R, renormalised to first order: the error of |q| stays at the last bit for any number of steps.
inline double rotate_by(const AngVec<2>& v, double angle) { return angle + v[0]; }
inline Eigen::Quaterniond rotate_by(const Vec<3>& v, const Eigen::Quaterniond& q) {
  Eigen::Quaterniond r = exp_rotation(v) * q;
  r.coeffs() *= 1.5 - 0.5 * r.squaredNorm();
  return r;
}

inline AngVec<2> dexpinv(const AngVec<2>&, const AngVec<2>& w) { return w; }
inline Vec<3> dexpinv(const Vec<3>& theta, const Vec<3>& w) {
  const Vec<3> bracket = cross(theta, w);
  return w - 0.5 * bracket + cross(theta, bracket) / 12.0;
}

// R·I·Rᵀ: a tensor of body axes in world axes.
inline AngMat<2> rotate_tensor(double, const AngMat<2>& tensor) { return tensor; }
inline Mat<3> rotate_tensor(const Eigen::Quaterniond& q, const Mat<3>& tensor) {
  const Mat<3> r = q.toRotationMatrix();
  return r * tensor * r.transpose();
}
// Cubes and spheres: turning changes nothing.
inline bool all_equal(const AngVec<2>&) { return true; }
inline bool all_equal(const Vec<3>& moments) { return moments[0] == moments[1] && moments[1] == moments[2]; }
// The same of a diagonal tensor, given by its moments; and its product with a vector without forming it.
inline AngMat<2> rotate_moments(double, const AngVec<2>& moments) { return moments; }
inline Mat<3> rotate_moments(const Eigen::Quaterniond& q, const Vec<3>& moments) {
  if (all_equal(moments)) return moments.asDiagonal();
  const Mat<3> r = q.toRotationMatrix();
  return r * moments.asDiagonal() * r.transpose();
}
// The first argument is frame_of(R): worked out once for several products.
inline double frame_of(double angle) { return angle; }
inline Mat<3> frame_of(const Eigen::Quaterniond& q) { return q.toRotationMatrix(); }
inline AngVec<2> apply_moments(double, const AngVec<2>& moments, const AngVec<2>& v) { return moments.cwiseProduct(v); }
inline Vec<3> apply_moments(const Mat<3>& r, const Vec<3>& moments, const Vec<3>& v) {
  return r * Vec<3>(moments.cwiseProduct(r.transpose() * v));
}

template <int D>
struct Pose {
  Vec<D> p = Vec<D>::Zero();
  Rotation<D> R = identity_rotation<D>();
};

}  // namespace touchstone

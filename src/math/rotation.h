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

// sin(x)/x and cos(x) from x², by series where that is exact to the last bits: the usual case of a small
// step costs no trigonometry. At x² = 0.25 the first term left out is below 1e-18.
inline void sinc_cos(double x2, double& sinc, double& cosine) {
  if (x2 < 0.25) {
    sinc = 1 - x2 / 6 * (1 - x2 / 20 * (1 - x2 / 42 * (1 - x2 / 72 * (1 - x2 / 110 * (1 - x2 / 156 * (1 - x2 / 210))))));
    cosine = 1 - x2 / 2 * (1 - x2 / 12 * (1 - x2 / 30 * (1 - x2 / 56 * (1 - x2 / 90 * (1 - x2 / 132 * (1 - x2 / 182 * (1 - x2 / 240)))))));
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
// R·(I·(Rᵀ·v)) without forming the tensor.
inline AngVec<2> apply_tensor(double, const AngMat<2>& tensor, const AngVec<2>& v) { return tensor * v; }
inline Vec<3> apply_tensor(const Mat<3>& r, const Mat<3>& tensor, const Vec<3>& v) {
  return r * (tensor * (r.transpose() * v));
}

template <int D>
struct Pose {
  Vec<D> p = Vec<D>::Zero();
  Rotation<D> R = identity_rotation<D>();
};

}  // namespace touchstone

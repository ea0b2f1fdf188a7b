#pragma once
// Vectors and matrices of the two dimensions. Angular quantities have 1 component in 2D and 3 in 3D, so
// that the same code serves both; cross() is the only place that knows the difference.
#include <Eigen/Core>
#include <cstddef>

namespace touchstone {

template <int D>
using Vec = Eigen::Matrix<double, D, 1>;
template <int D>
using Mat = Eigen::Matrix<double, D, D>;
template <int D>
inline constexpr int kAngular = D == 2 ? 1 : 3;
// Where seven digits are enough.
template <int D>
using SingleVec = Eigen::Matrix<float, D, 1>;
template <int D>
using AngVec = Eigen::Matrix<double, kAngular<D>, 1>;
template <int D>
using AngMat = Eigen::Matrix<double, kAngular<D>, kAngular<D>>;

// ω × r: the velocity of a point at arm r.
inline Vec<2> cross(const AngVec<2>& w, const Vec<2>& r) { return {-w[0] * r[1], w[0] * r[0]}; }
inline Vec<3> cross(const Vec<3>& w, const Vec<3>& r) {
  return {w[1] * r[2] - w[2] * r[1], w[2] * r[0] - w[0] * r[2], w[0] * r[1] - w[1] * r[0]};
}
// r × f: the torque of a force at arm r.
inline AngVec<2> torque_of(const Vec<2>& r, const Vec<2>& f) { return AngVec<2>(r[0] * f[1] - r[1] * f[0]); }
inline AngVec<3> torque_of(const Vec<3>& r, const Vec<3>& f) { return cross(r, f); }

// Between the fixed dimension inside and the three components of the public face.
template <int D>
Vec<D> narrow(const Eigen::Vector3d& v) {
  return v.head<D>();
}
template <int D>
AngVec<D> narrow_angular(const Eigen::Vector3d& v) {
  return v.tail<kAngular<D>>();
}
template <int D>
Eigen::Vector3d widen(const Vec<D>& v) {
  Eigen::Vector3d out = Eigen::Vector3d::Zero();
  out.head<D>() = v;
  return out;
}
template <int D>
Eigen::Vector3d widen_angular(const AngVec<D>& v) {
  Eigen::Vector3d out = Eigen::Vector3d::Zero();
  out.tail<kAngular<D>>() = v;
  return out;
}

}  // namespace touchstone

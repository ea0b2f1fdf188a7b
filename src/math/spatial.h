#pragma once
// Spatial vectors [R. Featherstone, Rigid Body Dynamics Algorithms, 2008, ch. 2] in world axes about a reference point:
// six numbers, angular part first. A motion (ω, v) holds the velocity v of the body's point at the reference point; a
// force (τ, f) holds the torque about it. All axes are the world's, so that a change of the reference point is a shift
// by a vector and needs no rotation.
#include "math/types.h"

namespace touchstone {

using Spatial = Vec<6>;

inline Spatial spatial(const Vec<3>& angular, const Vec<3>& linear) {
  Spatial out;
  out << angular, linear;
  return out;
}
inline Mat<3> skew(const Vec<3>& a) {
  Mat<3> m;
  m << 0, -a[2], a[1], a[2], 0, -a[0], -a[1], a[0], 0;
  return m;
}

// The same motion and the same force about the point p + r instead of p.
inline Spatial shift_motion(const Spatial& m, const Vec<3>& r) {
  const Vec<3> w = m.head<3>();
  return spatial(w, m.tail<3>() + cross(w, r));
}
inline Spatial shift_force(const Spatial& f, const Vec<3>& r) {
  const Vec<3> force = f.tail<3>();
  return spatial(f.head<3>() - cross(r, force), force);
}

// v ×m and v ×*f: the rate of a motion and of a force that move with the velocity v [Featherstone, eqs 2.31, 2.32].
inline Spatial cross_motion(const Spatial& v, const Spatial& m) {
  const Vec<3> w = v.head<3>(), a = m.head<3>();
  return spatial(cross(w, a), cross(w, Vec<3>(m.tail<3>())) + cross(Vec<3>(v.tail<3>()), a));
}
inline Spatial cross_force(const Spatial& v, const Spatial& f) {
  const Vec<3> w = v.head<3>(), force = f.tail<3>();
  return spatial(cross(w, Vec<3>(f.head<3>())) + cross(Vec<3>(v.tail<3>()), force), cross(w, force));
}

// The inertia of rigid bodies about a reference point: mass, first moment m·c and rotational inertia about the point.
struct RigidInertia {
  double mass = 0;                     // [kg]
  Vec<3> moment = Vec<3>::Zero();      // [kg·m]
  Mat<3> rotational = Mat<3>::Zero();  // [kg·m²]

  static RigidInertia about(double mass, const Vec<3>& center, const Mat<3>& central) {
    RigidInertia out{mass, mass * center, central};
    out.rotational += mass * (center.squaredNorm() * Mat<3>::Identity() - center * center.transpose());
    return out;
  }
  RigidInertia& operator+=(const RigidInertia& other) {
    mass += other.mass, moment += other.moment, rotational += other.rotational;
    return *this;
  }
  // Momentum of the motion v.
  Spatial operator*(const Spatial& v) const {
    const Vec<3> w = v.head<3>(), u = v.tail<3>();
    return spatial(rotational * w + cross(moment, u), mass * u - cross(moment, w));
  }
  Mat<6> matrix() const {
    Mat<6> out;
    const Mat<3> h = skew(moment);
    out << rotational, h, h.transpose(), mass * Mat<3>::Identity();
    return out;
  }
};
// The same bodies about the point p − r instead of p: their centres are farther by r.
inline RigidInertia shifted(const RigidInertia& in, const Vec<3>& r) {
  RigidInertia out{in.mass, in.moment + in.mass * r, in.rotational};
  const Vec<3> sum = in.moment + out.moment;  // I + (2h·r + m r·r)·1 − (h rᵀ + r hᵀ + m r rᵀ), with s = 2h + m·r
  const Mat<3> half = 0.5 * (sum * r.transpose());
  out.rotational -= half + half.transpose();
  out.rotational.diagonal().array() += sum.dot(r);
  return out;
}
// Axes turned by R.
inline RigidInertia rotated(const RigidInertia& in, const Mat<3>& r) {
  return {in.mass, r * in.moment, r * in.rotational * r.transpose()};
}

// `at` += an articulated inertia (6×6, symmetric) about the point p, moved to the point p − r: Xᵀ·I·X with
// X = [1 0; −r× 1].
inline void add_shifted(const Mat<6>& inertia, const Vec<3>& r, Mat<6>& at) {
  const Mat<3> c = inertia.bottomRightCorner<3, 3>();
  Mat<3> b = inertia.topRightCorner<3, 3>();
  Mat<3> a = inertia.topLeftCorner<3, 3>();
  // r×B' by columns, and B'·r× by its columns: r× = [r×e_x r×e_y r×e_z].
  const Mat<3> b_old = b;
  for (int k = 0; k < 3; ++k) b.col(k) += cross(r, Vec<3>(c.col(k)));
  for (int k = 0; k < 3; ++k) a.col(k) += cross(r, Vec<3>(b_old.row(k)));
  a.col(0) -= r[2] * b.col(1) - r[1] * b.col(2);
  a.col(1) -= r[0] * b.col(2) - r[2] * b.col(0);
  a.col(2) -= r[1] * b.col(0) - r[0] * b.col(1);
  at.topLeftCorner<3, 3>() += a;
  at.topRightCorner<3, 3>() += b;
  at.bottomLeftCorner<3, 3>() += b.transpose();
  at.bottomRightCorner<3, 3>() += c;
}

}  // namespace touchstone

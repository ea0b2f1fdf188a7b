#pragma once
// Small vectors and symmetric matrices of lanes, of either dimension: what the contact kernels compute with. An angular
// vector has one component in 2D and three in 3D, as everywhere (math/types.h).
#include <algorithm>
#include <cmath>
#include <cstdint>
#if defined(__AVX__)
#include <immintrin.h>
#endif

#include "math/lanes.h"
#include "math/types.h"

namespace touchstone {

using LaneMask = std::int64_t __attribute__((vector_size(kLanes * sizeof(std::int64_t))));

inline Lane lane_of(double x) { return Lane{x, x, x, x}; }
inline Lane choose(LaneMask mask, Lane yes, Lane no) { return mask ? yes : no; }
inline Lane larger(Lane a, Lane b) { return a > b ? a : b; }
inline Lane smaller(Lane a, Lane b) { return a < b ? a : b; }
inline Lane magnitude(Lane a) { return larger(a, -a); }
inline Lane square_root(Lane a) {
#if defined(__AVX__)
  return _mm256_sqrt_pd(a);
#else
  return Lane{std::sqrt(a[0]), std::sqrt(a[1]), std::sqrt(a[2]), std::sqrt(a[3])};
#endif
}
inline bool all(LaneMask m) {
#if defined(__AVX__)
  return _mm256_movemask_pd(reinterpret_cast<__m256d>(m)) == 15;
#else
  return (m[0] & m[1] & m[2] & m[3]) != 0;
#endif
}
inline double largest(Lane a) { return std::max(std::max(a[0], a[1]), std::max(a[2], a[3])); }

template <int N>
struct LaneVec {
  Lane e[N];
  Lane& operator[](int i) { return e[i]; }
  const Lane& operator[](int i) const { return e[i]; }
  static LaneVec zero() {
    LaneVec out;
    for (int i = 0; i < N; ++i) out.e[i] = Lane{};
    return out;
  }
};

template <int N>
inline LaneVec<N> operator+(const LaneVec<N>& a, const LaneVec<N>& b) {
  LaneVec<N> out;
  for (int i = 0; i < N; ++i) out[i] = a[i] + b[i];
  return out;
}
template <int N>
inline LaneVec<N> operator-(const LaneVec<N>& a, const LaneVec<N>& b) {
  LaneVec<N> out;
  for (int i = 0; i < N; ++i) out[i] = a[i] - b[i];
  return out;
}
template <int N>
inline LaneVec<N> operator*(const LaneVec<N>& a, Lane s) {
  LaneVec<N> out;
  for (int i = 0; i < N; ++i) out[i] = a[i] * s;
  return out;
}
template <int N>
inline Lane dot(const LaneVec<N>& a, const LaneVec<N>& b) {
  Lane sum = a[0] * b[0];
  for (int i = 1; i < N; ++i) sum += a[i] * b[i];
  return sum;
}

// ω × r and r × f in either dimension.
inline LaneVec<2> cross(const LaneVec<1>& w, const LaneVec<2>& r) { return {{-w[0] * r[1], w[0] * r[0]}}; }
inline LaneVec<3> cross(const LaneVec<3>& w, const LaneVec<3>& r) {
  return {{w[1] * r[2] - w[2] * r[1], w[2] * r[0] - w[0] * r[2], w[0] * r[1] - w[1] * r[0]}};
}
inline LaneVec<1> torque_of(const LaneVec<2>& r, const LaneVec<2>& f) { return {{r[0] * f[1] - r[1] * f[0]}}; }
inline LaneVec<3> torque_of(const LaneVec<3>& r, const LaneVec<3>& f) { return cross(r, f); }

// A symmetric matrix: xx, yy, zz, xy, xz, yz; one number in 2D.
template <int A>
using LaneSym = LaneVec<A == 3 ? 6 : 1>;
inline LaneVec<1> apply(const LaneVec<1>& m, const LaneVec<1>& v) { return {{m[0] * v[0]}}; }
inline LaneVec<3> apply(const LaneVec<6>& m, const LaneVec<3>& v) {
  return {{m[0] * v[0] + m[3] * v[1] + m[4] * v[2], m[3] * v[0] + m[1] * v[1] + m[5] * v[2],
           m[4] * v[0] + m[5] * v[1] + m[2] * v[2]}};
}

// A full matrix by rows times a vector.
inline LaneVec<2> apply_rows(const LaneVec<4>& m, const LaneVec<2>& v) {
  return {{m[0] * v[0] + m[1] * v[1], m[2] * v[0] + m[3] * v[1]}};
}
inline LaneVec<3> apply_rows(const LaneVec<9>& m, const LaneVec<3>& v) {
  return {{m[0] * v[0] + m[1] * v[1] + m[2] * v[2], m[3] * v[0] + m[4] * v[1] + m[5] * v[2],
           m[6] * v[0] + m[7] * v[1] + m[8] * v[2]}};
}

// One vector in one lane.
template <int N, class Vector>
inline void set_lane(LaneVec<N>& out, int lane, const Vector& v) {
  for (int i = 0; i < N; ++i) out[i][lane] = v[i];
}
template <int N>
inline Eigen::Matrix<double, N, 1> get_lane(const LaneVec<N>& in, int lane) {
  Eigen::Matrix<double, N, 1> out;
  for (int i = 0; i < N; ++i) out[i] = in[i][lane];
  return out;
}

// Four rows of four numbers each, turned into four lanes, and back.
inline void transpose(Lane& a, Lane& b, Lane& c, Lane& d) {
#if defined(__clang__)
  const Lane ab0 = __builtin_shufflevector(a, b, 0, 4, 2, 6), ab1 = __builtin_shufflevector(a, b, 1, 5, 3, 7);
  const Lane cd0 = __builtin_shufflevector(c, d, 0, 4, 2, 6), cd1 = __builtin_shufflevector(c, d, 1, 5, 3, 7);
  a = __builtin_shufflevector(ab0, cd0, 0, 1, 4, 5), c = __builtin_shufflevector(ab0, cd0, 2, 3, 6, 7);
  b = __builtin_shufflevector(ab1, cd1, 0, 1, 4, 5), d = __builtin_shufflevector(ab1, cd1, 2, 3, 6, 7);
#else
  const Lane ab0 = __builtin_shuffle(a, b, LaneMask{0, 4, 2, 6}), ab1 = __builtin_shuffle(a, b, LaneMask{1, 5, 3, 7});
  const Lane cd0 = __builtin_shuffle(c, d, LaneMask{0, 4, 2, 6}), cd1 = __builtin_shuffle(c, d, LaneMask{1, 5, 3, 7});
  a = __builtin_shuffle(ab0, cd0, LaneMask{0, 1, 4, 5}), c = __builtin_shuffle(ab0, cd0, LaneMask{2, 3, 6, 7});
  b = __builtin_shuffle(ab1, cd1, LaneMask{0, 1, 4, 5}), d = __builtin_shuffle(ab1, cd1, LaneMask{2, 3, 6, 7});
#endif
}

}  // namespace touchstone

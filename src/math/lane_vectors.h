#pragma once
// Small vectors and symmetric matrices of lanes, of either dimension and precision: what the contact kernels compute
// with. An angular vector has one component in 2D and three in 3D, as everywhere (math/types.h).
#include <algorithm>
#include <cmath>
#include <cstdint>
#if defined(__AVX__)
#include <immintrin.h>
#endif

#include "math/lanes.h"
#include "math/types.h"

namespace touchstone {

// Eight floats in the room of four doubles: for increments, whose own digits are enough.
inline constexpr std::size_t kSingleLanes = 8;
using SingleLane = float __attribute__((vector_size(kSingleLanes * sizeof(float))));

// Four floats, where what is kept needs no more digits than that; computed with as a Lane.
using NarrowLane = float __attribute__((vector_size(kLanes * sizeof(float))));
inline Lane widened(NarrowLane x) { return __builtin_convertvector(x, Lane); }
inline NarrowLane narrowed(Lane x) { return __builtin_convertvector(x, NarrowLane); }

using LaneMask = std::int64_t __attribute__((vector_size(kLanes * sizeof(std::int64_t))));
using SingleMask = std::int32_t __attribute__((vector_size(kSingleLanes * sizeof(std::int32_t))));

template <class L>
struct LaneTraits;
template <>
struct LaneTraits<Lane> {
  using Scalar = double;
  using Mask = LaneMask;
  static constexpr int kCount = kLanes;
};
template <>
struct LaneTraits<SingleLane> {
  using Scalar = float;
  using Mask = SingleMask;
  static constexpr int kCount = kSingleLanes;
};

template <>
struct LaneTraits<NarrowLane> {
  using Scalar = float;
  static constexpr int kCount = kLanes;
};

template <class L>
inline L splat(double x) {
  return L{} + static_cast<typename LaneTraits<L>::Scalar>(x);
}
inline Lane lane_of(double x) { return Lane{x, x, x, x}; }
inline Lane choose(LaneMask mask, Lane yes, Lane no) { return mask ? yes : no; }
inline SingleLane choose(SingleMask mask, SingleLane yes, SingleLane no) { return mask ? yes : no; }
template <class L>
inline L larger(L a, L b) {
  return a > b ? a : b;
}
template <class L>
inline L smaller(L a, L b) {
  return a < b ? a : b;
}
template <class L>
inline L magnitude(L a) {
  return larger(a, -a);
}
inline Lane square_root(Lane a) {
#if defined(__AVX__)
  return _mm256_sqrt_pd(a);
#else
  return Lane{std::sqrt(a[0]), std::sqrt(a[1]), std::sqrt(a[2]), std::sqrt(a[3])};
#endif
}
inline SingleLane square_root(SingleLane a) {
#if defined(__AVX__)
  return _mm256_sqrt_ps(a);
#else
  for (int i = 0; i < static_cast<int>(kSingleLanes); ++i) a[i] = std::sqrt(a[i]);
  return a;
#endif
}
inline bool all(LaneMask m) {
#if defined(__AVX__)
  return _mm256_movemask_pd(reinterpret_cast<__m256d>(m)) == 15;
#else
  return (m[0] & m[1] & m[2] & m[3]) != 0;
#endif
}
inline bool all(SingleMask m) {
#if defined(__AVX__)
  return _mm256_movemask_ps(reinterpret_cast<__m256>(m)) == 255;
#else
  return (m[0] & m[1] & m[2] & m[3] & m[4] & m[5] & m[6] & m[7]) != 0;
#endif
}
template <class L>
inline double largest(L a) {
  double out = a[0];
  for (int i = 1; i < LaneTraits<L>::kCount; ++i) out = std::max(out, static_cast<double>(a[i]));
  return out;
}
template <class L>
inline double total(L a) {
  double out = 0;
  for (int i = 0; i < LaneTraits<L>::kCount; ++i) out += static_cast<double>(a[i]);
  return out;
}

template <int N, class L = Lane>
struct LaneVec {
  L e[N];
  L& operator[](int i) { return e[i]; }
  const L& operator[](int i) const { return e[i]; }
  static LaneVec zero() {
    LaneVec out;
    for (int i = 0; i < N; ++i) out.e[i] = L{};
    return out;
  }
};

template <int N, class L>
inline LaneVec<N, L> operator+(const LaneVec<N, L>& a, const LaneVec<N, L>& b) {
  LaneVec<N, L> out;
  for (int i = 0; i < N; ++i) out[i] = a[i] + b[i];
  return out;
}
template <int N, class L>
inline LaneVec<N, L> operator-(const LaneVec<N, L>& a, const LaneVec<N, L>& b) {
  LaneVec<N, L> out;
  for (int i = 0; i < N; ++i) out[i] = a[i] - b[i];
  return out;
}
template <int N, class L>
inline LaneVec<N, L> operator*(const LaneVec<N, L>& a, L s) {
  LaneVec<N, L> out;
  for (int i = 0; i < N; ++i) out[i] = a[i] * s;
  return out;
}
template <int N, class L>
inline L dot(const LaneVec<N, L>& a, const LaneVec<N, L>& b) {
  L sum = a[0] * b[0];
  for (int i = 1; i < N; ++i) sum += a[i] * b[i];
  return sum;
}

template <int N>
inline LaneVec<N> widened(const LaneVec<N, NarrowLane>& a) {
  LaneVec<N> out;
  for (int i = 0; i < N; ++i) out[i] = widened(a[i]);
  return out;
}
template <int N>
inline LaneVec<N, NarrowLane> narrowed(const LaneVec<N>& a) {
  LaneVec<N, NarrowLane> out;
  for (int i = 0; i < N; ++i) out[i] = narrowed(a[i]);
  return out;
}

// ω × r and r × f in either dimension.
template <class L>
inline LaneVec<2, L> cross(const LaneVec<1, L>& w, const LaneVec<2, L>& r) {
  return {{-w[0] * r[1], w[0] * r[0]}};
}
template <class L>
inline LaneVec<3, L> cross(const LaneVec<3, L>& w, const LaneVec<3, L>& r) {
  return {{w[1] * r[2] - w[2] * r[1], w[2] * r[0] - w[0] * r[2], w[0] * r[1] - w[1] * r[0]}};
}
template <class L>
inline LaneVec<1, L> torque_of(const LaneVec<2, L>& r, const LaneVec<2, L>& f) {
  return {{r[0] * f[1] - r[1] * f[0]}};
}
template <class L>
inline LaneVec<3, L> torque_of(const LaneVec<3, L>& r, const LaneVec<3, L>& f) {
  return cross(r, f);
}

// A symmetric matrix: xx, yy, zz, xy, xz, yz; one number in 2D.
template <int A, class L = Lane>
using LaneSym = LaneVec<A == 3 ? 6 : 1, L>;
template <class L>
inline LaneVec<1, L> apply(const LaneVec<1, L>& m, const LaneVec<1, L>& v) {
  return {{m[0] * v[0]}};
}
template <class L>
inline LaneVec<3, L> apply(const LaneVec<6, L>& m, const LaneVec<3, L>& v) {
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
template <int N, class L, class Vector>
inline void set_lane(LaneVec<N, L>& out, int lane, const Vector& v) {
  for (int i = 0; i < N; ++i) out[i][lane] = static_cast<typename LaneTraits<L>::Scalar>(v[i]);
}
template <int N, class L>
inline Eigen::Matrix<double, N, 1> get_lane(const LaneVec<N, L>& in, int lane) {
  Eigen::Matrix<double, N, 1> out;
  for (int i = 0; i < N; ++i) out[i] = in[i][lane];
  return out;
}

// Four doubles as the part-th four of a lane, and back.
inline void set_part(Lane& out, int, Lane in) { out = in; }
inline Lane get_part(const Lane& in, int) { return in; }
inline void set_part(SingleLane& out, int part, Lane in) {
  for (int i = 0; i < static_cast<int>(kLanes); ++i) out[4 * part + i] = static_cast<float>(in[i]);
}
inline Lane get_part(const SingleLane& in, int part) {
  Lane out;
  for (int i = 0; i < static_cast<int>(kLanes); ++i) out[i] = static_cast<double>(in[4 * part + i]);
  return out;
}
template <int N, class L>
inline void set_part(LaneVec<N, L>& out, int part, const LaneVec<N>& in) {
  for (int i = 0; i < N; ++i) set_part(out[i], part, in[i]);
}
template <int N, class L>
inline LaneVec<N> get_part(const LaneVec<N, L>& in, int part) {
  LaneVec<N> out;
  for (int i = 0; i < N; ++i) out[i] = get_part(in[i], part);
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

// Eight rows of eight, likewise.
inline void transpose(SingleLane (&r)[8]) {
#if defined(__AVX__)
  const __m256 a0 = _mm256_unpacklo_ps(r[0], r[1]), a1 = _mm256_unpackhi_ps(r[0], r[1]);
  const __m256 a2 = _mm256_unpacklo_ps(r[2], r[3]), a3 = _mm256_unpackhi_ps(r[2], r[3]);
  const __m256 a4 = _mm256_unpacklo_ps(r[4], r[5]), a5 = _mm256_unpackhi_ps(r[4], r[5]);
  const __m256 a6 = _mm256_unpacklo_ps(r[6], r[7]), a7 = _mm256_unpackhi_ps(r[6], r[7]);
  const __m256 b0 = _mm256_shuffle_ps(a0, a2, 0x44), b1 = _mm256_shuffle_ps(a0, a2, 0xee);
  const __m256 b2 = _mm256_shuffle_ps(a1, a3, 0x44), b3 = _mm256_shuffle_ps(a1, a3, 0xee);
  const __m256 b4 = _mm256_shuffle_ps(a4, a6, 0x44), b5 = _mm256_shuffle_ps(a4, a6, 0xee);
  const __m256 b6 = _mm256_shuffle_ps(a5, a7, 0x44), b7 = _mm256_shuffle_ps(a5, a7, 0xee);
  r[0] = _mm256_permute2f128_ps(b0, b4, 0x20), r[4] = _mm256_permute2f128_ps(b0, b4, 0x31);
  r[1] = _mm256_permute2f128_ps(b1, b5, 0x20), r[5] = _mm256_permute2f128_ps(b1, b5, 0x31);
  r[2] = _mm256_permute2f128_ps(b2, b6, 0x20), r[6] = _mm256_permute2f128_ps(b2, b6, 0x31);
  r[3] = _mm256_permute2f128_ps(b3, b7, 0x20), r[7] = _mm256_permute2f128_ps(b3, b7, 0x31);
#else
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < i; ++j) {
      const float x = r[i][j];
      r[i][j] = r[j][i], r[j][i] = x;
    }
#endif
}

}  // namespace touchstone

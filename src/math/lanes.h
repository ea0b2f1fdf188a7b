#pragma once
// Four doubles at a time, by the compilers' vector extension (g++ and clang, any processor), and the vector algebra
// that kernels need on them. S is Lane or double: one formula serves both.
#include <cstddef>

namespace touchstone {

inline constexpr std::size_t kLanes = 4;
using Lane = double __attribute__((vector_size(kLanes * sizeof(double))));

template <class S>
struct Vec3Of {
  S x, y, z;
};
template <class S>
struct QuatOf {
  S x, y, z, w;
};

template <class S>
inline Vec3Of<S> operator+(const Vec3Of<S>& a, const Vec3Of<S>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class S>
inline Vec3Of<S> operator-(const Vec3Of<S>& a, const Vec3Of<S>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class S, class T>
inline Vec3Of<S> scaled(const Vec3Of<S>& a, const T& s) {
  return {a.x * s, a.y * s, a.z * s};
}
template <class S>
inline Vec3Of<S> times(const Vec3Of<S>& a, const Vec3Of<S>& b) {
  return {a.x * b.x, a.y * b.y, a.z * b.z};
}
template <class S>
inline Vec3Of<S> cross_product(const Vec3Of<S>& a, const Vec3Of<S>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class S>
inline S squared_norm(const Vec3Of<S>& a) {
  return a.x * a.x + a.y * a.y + a.z * a.z;
}
template <class S>
inline S squared_norm(const QuatOf<S>& q) {
  return q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
}
template <class S>
inline QuatOf<S> multiply(const QuatOf<S>& a, const QuatOf<S>& b) {
  return {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
          a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}
// q·v·q⁻¹ of a unit quaternion: v + w·t + u×t with t = 2·u×v; and its inverse.
template <class S>
inline Vec3Of<S> rotate(const QuatOf<S>& q, const Vec3Of<S>& v) {
  const Vec3Of<S> u{q.x, q.y, q.z}, c = cross_product(u, v), t = c + c;
  return v + scaled(t, q.w) + cross_product(u, t);
}
template <class S>
inline Vec3Of<S> rotate_back(const QuatOf<S>& q, const Vec3Of<S>& v) {
  const Vec3Of<S> u{q.x, q.y, q.z}, c = cross_product(u, v), t = c + c;
  return v - scaled(t, q.w) + cross_product(u, t);
}

// Between four structures of N doubles, `stride` doubles apart, and N lanes.
inline Vec3Of<Lane> load3(const double* p, std::size_t stride = 3) {
  const double *a = p, *b = p + stride, *c = p + 2 * stride, *d = p + 3 * stride;
  return {Lane{a[0], b[0], c[0], d[0]}, Lane{a[1], b[1], c[1], d[1]}, Lane{a[2], b[2], c[2], d[2]}};
}
inline void store3(const Vec3Of<Lane>& v, double* p) {
  for (int i = 0; i < 4; ++i) p[3 * i] = v.x[i], p[3 * i + 1] = v.y[i], p[3 * i + 2] = v.z[i];
}
inline QuatOf<Lane> load4(const double* a) {
  return {Lane{a[0], a[4], a[8], a[12]}, Lane{a[1], a[5], a[9], a[13]}, Lane{a[2], a[6], a[10], a[14]},
          Lane{a[3], a[7], a[11], a[15]}};
}
inline void store4(const QuatOf<Lane>& q, double* p) {
  for (int i = 0; i < 4; ++i) p[4 * i] = q.x[i], p[4 * i + 1] = q.y[i], p[4 * i + 2] = q.z[i], p[4 * i + 3] = q.w[i];
}

}  // namespace touchstone

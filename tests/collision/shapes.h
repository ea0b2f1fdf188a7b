#pragma once
// Shapes by code and random ones, for tests of the collision room.
#include <algorithm>
#include <random>

#include "geometry/shape.h"

namespace touchstone::testing {

template <int D>
Shape<D> ball(double radius) {
  if (radius == 0) return {};  // a point: not a shape that a scene can have, but queries use it
  ShapeDescription s;
  s.kind = ShapeKind::kSphere;
  s.radius = radius;
  return make_shape<D>(s);
}
template <int D>
Shape<D> box_of(const Vec<D>& half) {
  ShapeDescription s;
  s.kind = ShapeKind::kBox;
  s.size = widen<D>(2 * half);
  return make_shape<D>(s);
}
template <int D>
Shape<D> capsule_of(double radius, double half_length) {
  ShapeDescription s;
  s.kind = ShapeKind::kCapsule;
  s.radius = radius;
  s.length = 2 * half_length;
  return make_shape<D>(s);
}
template <int D>
Shape<D> ellipsoid_of(const Vec<D>& radii) {
  ShapeDescription s;
  s.kind = ShapeKind::kEllipsoid;
  s.size = widen<D>(radii);
  return make_shape<D>(s);
}
inline Shape<3> cylinder_of(double radius, double half_length) {
  ShapeDescription s;
  s.kind = ShapeKind::kCylinder;
  s.radius = radius;
  s.length = 2 * half_length;
  return make_shape<3>(s);
}
template <int D>
Shape<D> half_space_of(const Vec<D>& normal) {
  ShapeDescription s;
  s.kind = ShapeKind::kHalfSpace;
  s.normal = widen<D>(normal);
  return make_shape<D>(s);
}
template <int D>
Shape<D> hull_of(const std::vector<Vec<D>>& points) {
  ShapeDescription s;
  s.kind = ShapeKind::kConvex;
  for (const Vec<D>& p : points) s.vertices.push_back(widen<D>(p));
  return make_shape<D>(s);
}

class Random {
 public:
  explicit Random(unsigned seed) : rng_(seed) {}
  double in(double low, double high) { return std::uniform_real_distribution<double>(low, high)(rng_); }
  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(rng_); }
  template <int D>
  Vec<D> point(double size) {
    Vec<D> p;
    for (int k = 0; k < D; ++k) p[k] = in(-size, size);
    return p;
  }
  template <int D>
  Vec<D> unit() {
    for (;;) {
      const Vec<D> p = point<D>(1);
      if (p.norm() > 0.1 && p.norm() < 1) return p.normalized();
    }
  }
  template <int D>
  AngVec<D> spin(double size) {
    AngVec<D> w;
    for (int k = 0; k < kAngular<D>; ++k) w[k] = in(-size, size);
    return w;
  }
  template <int D>
  Mat<D> rotation() {
    return matrix_of(exp_rotation(spin<D>(3)));
  }
  // One of the convex bounded kinds, about `size` large.
  template <int D>
  Shape<D> shape(double size) {
    const auto length = [&] { return size * in(0.2, 1); };
    switch (below(D == 2 ? 5 : 6)) {
      case 0:
        return ball<D>(length());
      case 1:
        return box_of<D>(lengths<D>(size));
      case 2:
        return capsule_of<D>(0.5 * length(), length());
      case 3: {
        std::vector<Vec<D>> points;
        for (int i = 0; i < 4 + 2 * D; ++i) points.push_back(point<D>(size));
        return hull_of<D>(points);
      }
      case 4:
        return ellipsoid_of<D>(lengths<D>(size));
      default:
        if constexpr (D == 3) return cylinder_of(length(), length());
        return ball<D>(length());
    }
  }

 private:
  template <int D>
  Vec<D> lengths(double size) {
    Vec<D> v;
    for (int k = 0; k < D; ++k) v[k] = size * in(0.2, 1);
    return v;
  }
  std::mt19937 rng_;
};

}  // namespace touchstone::testing

#pragma once
// Pairs of polytope shapes for tests of narrow phases: random ones and degenerate families, and judges of an answer
// that do not share code with what is tested.
#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "collision/narrow/core.h"
#include "geometry/hull.h"

namespace touchstone::testing {

template <int D>
struct TestPair {
  Shape<D> a, b;
  Vec<D> pa = Vec<D>::Zero(), pb = Vec<D>::Zero();
  Mat<D> Ra = Mat<D>::Identity(), Rb = Mat<D>::Identity();
  Placed<D> first() const { return {a, pa, Ra}; }
  Placed<D> second() const { return {b, pb, Rb}; }
  double size() const { return reach_of(a) + reach_of(b) + (pb - pa).norm(); }
};

template <int D>
Shape<D> box_shape(const Vec<D>& half) {
  Shape<D> s;
  s.kind = ShapeKind::kBox;
  s.half = half;
  s.reach = half.norm();
  return s;
}
template <int D>
Shape<D> sphere_shape(double radius) {
  Shape<D> s;
  s.kind = ShapeKind::kSphere;
  s.radius = s.reach = radius;
  return s;
}
template <int D>
Shape<D> capsule_shape(double radius, double half_length) {
  Shape<D> s;
  s.kind = ShapeKind::kCapsule;
  s.radius = radius;
  s.half_length = half_length;
  s.reach = half_length + radius;
  return s;
}
template <int D>
Shape<D> polytope_shape(Polytope<D> p) {
  Shape<D> s;
  s.kind = ShapeKind::kConvex;
  for (const Vec<D>& v : p.vertices) s.reach = std::max(s.reach, v.norm());
  s.hull = std::make_shared<const Polytope<D>>(std::move(p));
  return s;
}

class Chance {
 public:
  explicit Chance(unsigned seed) : rng_(seed) {}
  double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(rng_); }
  double normal() { return std::normal_distribution<double>()(rng_); }
  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(rng_); }
  template <int D>
  Vec<D> direction() {
    Vec<D> v;
    for (int k = 0; k < D; ++k) v[k] = normal();
    return v.normalized();
  }
  template <int D>
  Mat<D> rotation() {
    if constexpr (D == 2)
      return matrix_of(3 * normal());
    else
      return matrix_of(Eigen::Quaterniond(normal(), normal(), normal(), normal()).normalized());
  }
  // By quarter turns: exactly parallel to the axes.
  template <int D>
  Mat<D> quarter_turns() {
    Mat<D> m = Mat<D>::Identity();
    for (int i = below(4); i > 0; --i) {
      Mat<D> q = Mat<D>::Identity();
      const int k = below(D == 2 ? 1 : 3), l = (k + 1) % D;
      q(k, k) = q(l, l) = 0;
      q(k, l) = -1;
      q(l, k) = 1;
      m = q * m;
    }
    return m;
  }
  template <int D>
  Polytope<D> ball_hull(int count, double radius) {
    std::vector<Vec<D>> points;
    for (int i = 0; i < count; ++i) points.push_back(radius * direction<D>());
    return convex_hull<D>(points);
  }

  // A sphere, capsule, box, hull, segment or (3D) triangle of about that size; now and then thin.
  template <int D>
  Shape<D> shape(double size) {
    switch (below(D == 2 ? 6 : 8)) {
      case 0:
        return sphere_shape<D>(size * uniform(0.1, 0.6));
      case 1:
        return capsule_shape<D>(size * uniform(0.05, 0.3), size * uniform(0.1, 0.6));
      case 2:
      case 3: {
        Vec<D> half;
        for (int k = 0; k < D; ++k) half[k] = size * uniform(0.1, 0.6);
        if (below(4) == 0) half[below(D)] = 1e-6 * size;
        return box_shape<D>(half);
      }
      case 4:
        return polytope_shape<D>(ball_hull<D>(D + 1 + below(16), 0.6 * size));
      case 5: {
        if constexpr (D == 2)
          return polytope_shape<2>(make_polytope({size * direction<2>(), -0.5 * size * direction<2>()}));
        return polytope_shape<D>(scaled_cube<D>(size));
      }
      case 6: {
        if constexpr (D == 3)
          return polytope_shape<3>(
              make_triangle({0.7 * size * direction<3>(), 0.7 * size * direction<3>(), 0.7 * size * direction<3>()}));
        return sphere_shape<D>(size);
      }
      default: {
        if constexpr (D == 3)  // in a coordinate plane, so that it meets others in that plane
          return polytope_shape<3>(
              make_triangle({Vec<3>(0.5, 0, 0) * size, Vec<3>(0, 0.5, 0) * size, Vec<3>(-0.5, -0.5, 0) * size}));
        return sphere_shape<D>(size);
      }
    }
  }

  // Seven families: anywhere; parallel; about touching along an axis of both; coincident; nested and much smaller; as
  // large as 1e6 times; a tiny turn from parallel.
  template <int D>
  TestPair<D> pair() {
    TestPair<D> out;
    const int family = below(8);
    double size_b = 1;
    if (family == 5) size_b = 0.05;
    if (family == 6) size_b = 1e6;
    out.a = shape<D>(1);
    out.b = family == 4 && below(2) ? out.a : shape<D>(size_b);
    out.Ra = rotation<D>();
    const bool parallel = family >= 2 && family != 6;
    out.Rb = parallel ? Mat<D>(out.Ra * quarter_turns<D>()) : rotation<D>();
    if (family == 7) out.Rb = small_turn<D>(std::pow(10, uniform(-15, -3))) * out.Rb;
    out.pb = out.pa + std::max(1.0, size_b) * uniform(0, 1.3) * direction<D>();
    if (family == 3 || family == 7) nearly_touching(out);
    if (family == 4) out.pb = out.pa;
    if (family == 5) out.pb = out.pa + uniform(0, 0.4) * direction<D>();
    if (family == 2 && below(2)) out.pb = out.pa + out.Ra * Vec<D>::Unit(below(D)) * uniform(0, 1.2);
    return out;
  }

 private:
  template <int D>
  Mat<D> small_turn(double angle) {
    if constexpr (D == 2)
      return matrix_of(angle);
    else
      return matrix_of(Eigen::Quaterniond(Eigen::AngleAxisd(angle, direction<3>())));
  }
  template <int D>
  Polytope<D> scaled_cube(double size) {
    std::vector<Vec<D>> points;
    for (int i = 0; i < (1 << D); ++i) {
      Vec<D> v;
      for (int k = 0; k < D; ++k) v[k] = (i >> k & 1 ? 0.4 : -0.4) * size;
      points.push_back(v);
    }
    return convex_hull<D>(points);
  }
  // Along one of A's axes to where the extents meet, give or take 0 or 1e-15 to 1e-2; a little aside, or not.
  template <int D>
  void nearly_touching(TestPair<D>& out) {
    const Vec<D> n = out.Ra * Vec<D>::Unit(below(D));
    if (below(2)) out.pb = out.pa + n * n.dot(out.pb - out.pa);
    const double gap = separation_along<D>(out.first(), out.second(), n);
    const double wanted = below(3) ? uniform(-1, 1) * std::pow(10, uniform(-15, -2)) : 0;
    out.pb += n * (wanted - gap);
  }

  std::mt19937 rng_;
};

// The greatest separation over all axes that can matter, every one measured against all vertices. Includes directions
// for polytopes without volume (between vertices, perpendicular to edges): slow and free of cases.
double plain_separation(const Placed<2>& a, const Placed<2>& b);
double plain_separation(const Placed<3>& a, const Placed<3>& b);

// Whether a point lies in a shape, up to a distance.
bool inside(const Placed<2>& s, const Vec<2>& x, double tolerance);
bool inside(const Placed<3>& s, const Vec<3>& x, double tolerance);

// Judges an answer within `tolerance` (relative to the size of the pair). That the points lie in their shapes bounds
// the distance from above, that the shapes are separated along the normal bounds it from below: together they prove it.
// A penetration must be as deep as the best of all axes says.
template <int D>
void judge(const TestPair<D>& pair, const Closest<D>& c, double tolerance) {
  const double e = tolerance * pair.size();
  SCOPED_TRACE(shape_name(pair.a.kind, D) + " and " + shape_name(pair.b.kind, D) + ", gap " +
               std::to_string(c.gap / e) + " tolerances, separation " +
               std::to_string(separation_along<D>(pair.first(), pair.second(), c.normal) / e));
  ASSERT_TRUE(c.normal.allFinite() && c.on_a.allFinite() && c.on_b.allFinite() && std::isfinite(c.gap));
  EXPECT_NEAR(c.normal.norm(), 1, 1e-12);
  EXPECT_NEAR(c.normal.dot(c.on_b - c.on_a), c.gap, e);
  EXPECT_LE((c.on_b - c.on_a - c.gap * c.normal).norm(), 1e-7 * pair.size());
  EXPECT_NEAR(separation_along<D>(pair.first(), pair.second(), c.normal), c.gap, e);
  EXPECT_TRUE(inside(pair.first(), c.on_a, 2 * e)) << c.on_a.transpose();
  EXPECT_TRUE(inside(pair.second(), c.on_b, 2 * e)) << c.on_b.transpose();
  if (c.gap < 0) {
    EXPECT_GE(c.gap, plain_separation(pair.first(), pair.second()) - e);
  }
}

}  // namespace touchstone::testing

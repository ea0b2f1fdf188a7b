// Queries over many colliders give what asking every collider gives, while they move, come and go.
#include "collision/query/queries.h"

#include <gtest/gtest.h>

#include <limits>
#include <map>

#include "collision/narrow/narrow.h"
#include "collision/shapes.h"
#include "collision/toi/time_of_impact.h"

namespace touchstone::testing {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

template <int D>
struct Field {
  ColliderTable<D> colliders;
  std::vector<Vec<D>> position;
  std::vector<Rotation<D>> orientation;
  Random random{21};

  void add(const Shape<D>& shape) {
    position.push_back(random.point<D>(6));
    orientation.push_back(exp_rotation(random.spin<D>(3)));
    const int shapes = 1 + random.below(2);
    for (int k = 0; k < shapes; ++k) {
      Collider<D> c;
      c.body = static_cast<std::uint32_t>(position.size() - 1);
      const Vec<D> p = random.point<D>(0.5);
      c.set_form({shape, p, random.rotation<D>()});
      c.groups = 1u << random.below(4);
      colliders.add(c);
    }
  }
  Placed<D> placed(std::uint32_t slot) const {
    const Collider<D>& c = colliders[slot];
    const Mat<D> R = matrix_of(orientation[c.body]);
    return {c.shape(), position[c.body] + R * c.p_local(), R * c.R_local()};
  }
};

template <int D>
Field<D> random_field(int count) {
  Field<D> f;
  for (int i = 0; i < count; ++i)
    f.add(i % 40 == 0 ? half_space_of<D>(f.random.template unit<D>()) : f.random.template shape<D>(0.5));
  // Half-spaces far out, or they would swallow everything.
  for (std::size_t i = 0; i < f.position.size(); i += 40) f.position[i] = -8 * f.random.template unit<D>();
  return f;
}

template <int D>
bool wanted(const Collider<D>& c) {
  return (c.groups & 6) != 0;
}

template <int D>
double gap_of(const Placed<D>& a, const Placed<D>& b) {
  PairMemory memory;
  Closest<D> c;
  return closest_of(a, b, kInfinity, memory, c) ? c.gap : kInfinity;
}

template <class T>
class QueriesIn : public ::testing::Test {};
using Dimensions = ::testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(QueriesIn, Dimensions);

template <int D>
void compare_rays(Field<D>& f, const Queries<D>& queries, std::size_t* hits) {
  Ray<D> ray{f.random.template point<D>(8), f.random.template unit<D>(), f.random.in(0, 20)};
  if (f.random.below(10) == 0) ray.direction = Vec<D>::Unit(f.random.below(D)), ray.length = kInfinity;
  std::vector<std::pair<double, std::uint32_t>> expected, got;
  for (std::uint32_t i = 0; i < f.colliders.size(); ++i) {
    RayStrike<D> strike;
    if (f.colliders[i].alive && wanted(f.colliders[i]) && ray_cast(ray, f.placed(i), strike))
      expected.emplace_back(strike.distance, i);
  }
  std::sort(expected.begin(), expected.end());
  for (const auto& a : queries.ray_cast_all(ray, wanted<D>)) got.emplace_back(a.strike.distance, a.collider);
  EXPECT_EQ(got, expected);
  const auto first = queries.ray_cast(ray, wanted<D>);
  ASSERT_EQ(first.has_value(), !expected.empty());
  if (first) {
    EXPECT_EQ(std::make_pair(first->strike.distance, first->collider), expected[0]);
  }
  *hits += expected.size();
}

template <int D>
void compare_overlaps(Field<D>& f, const Queries<D>& queries, std::size_t* hits) {
  const Shape<D> shape = f.random.template shape<D>(1);
  const Placed<D> query{shape, f.random.template point<D>(6), f.random.template rotation<D>()};
  const double radius = f.random.in(0, 2);
  std::vector<std::uint32_t> expected;
  std::map<std::uint32_t, double> near;  // by body
  for (std::uint32_t i = 0; i < f.colliders.size(); ++i) {
    if (!f.colliders[i].alive || !wanted(f.colliders[i])) continue;
    const double gap = gap_of(query, f.placed(i));
    if (gap <= 0) expected.push_back(i);
    if (gap <= radius) {
      const auto [place, fresh] = near.try_emplace(f.colliders[i].body, gap);
      if (!fresh) place->second = std::min(place->second, gap);
    }
  }
  EXPECT_EQ(queries.overlaps(query, wanted<D>), expected);
  const auto got = queries.nearest(query, radius, wanted<D>);
  ASSERT_EQ(got.size(), near.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    EXPECT_NEAR(got[i].closest.gap, near.at(f.colliders[got[i].collider].body), 1e-9);
    if (i > 0) {
      EXPECT_GE(got[i].closest.gap, got[i - 1].closest.gap);
    }
  }
  *hits += expected.size() + near.size();
}

template <int D>
void compare_casts(Field<D>& f, const Queries<D>& queries, std::size_t* hits) {
  const Shape<D> shape = f.random.template shape<D>(0.3);
  const Placed<D> query{shape, f.random.template point<D>(6), f.random.template rotation<D>()};
  const Vec<D> way = f.random.template point<D>(6);
  double first = kInfinity;
  for (std::uint32_t i = 0; i < f.colliders.size(); ++i) {
    if (!f.colliders[i].alive || !wanted(f.colliders[i])) continue;
    const Placed<D> other = f.placed(i);
    if (gap_of(query, other) <= 0) first = 0;
    ImpactOptions<D> o;
    o.duration = 1;
    const auto impact =
        bisection<D>({shape, query.p, query.R, query.p, way}, {other.shape, other.p, other.R, other.p}, o);
    if (impact.happened()) first = std::min(first, impact.time);
  }
  const auto got = queries.shape_cast(query, way, wanted<D>);
  ASSERT_EQ(got.has_value(), first < kInfinity);
  if (!got) return;
  EXPECT_NEAR(got->fraction, first, 1e-5);
  EXPECT_EQ(got->inside, first == 0);
  const Placed<D> there{shape, query.p + got->fraction * way, query.R};
  if (!got->inside) {
    EXPECT_NEAR(gap_of(there, f.placed(got->collider)), 0, 1e-5);
  }
  ++*hits;
}

TYPED_TEST(QueriesIn, AgreeWithAskingEveryCollider) {
  constexpr int D = TypeParam::value;
  Field<D> f = random_field<D>(300);
  Queries<D> queries;
  std::size_t rays = 0, overlaps = 0, casts = 0;
  for (int round = 0; round < 20 && !::testing::Test::HasFailure(); ++round) {
    const double jump = round % 7 == 6 ? 5 : 0.1;
    for (std::size_t i = 0; i < f.position.size(); ++i)
      if (i % 40) f.position[i] += f.random.template point<D>(jump);
    if (round % 4 == 1) f.colliders.remove(static_cast<std::uint32_t>(round * 3 + 1));
    if (round % 4 == 2) f.add(f.random.template shape<D>(0.7));
    queries.invalidate();
    queries.refresh(f.colliders, f.position, f.orientation);
    for (int i = 0; i < 50; ++i) compare_rays(f, queries, &rays);
    for (int i = 0; i < 10; ++i) compare_overlaps(f, queries, &overlaps);
    for (int i = 0; i < 5; ++i) compare_casts(f, queries, &casts);
  }
  EXPECT_GT(rays, 500u);
  EXPECT_GT(overlaps, 200u);
  EXPECT_GT(casts, 30u);
}

TYPED_TEST(QueriesIn, ClosestPairOfTwoBodies) {
  constexpr int D = TypeParam::value;
  Field<D> f = random_field<D>(60);
  Queries<D> queries;
  queries.refresh(f.colliders, f.position, f.orientation);
  std::vector<std::vector<std::uint32_t>> of_body(f.position.size());
  for (std::uint32_t i = 0; i < f.colliders.size(); ++i) of_body[f.colliders[i].body].push_back(i);
  for (std::size_t a = 0; a < of_body.size(); ++a)
    for (std::size_t b = a + 1; b < of_body.size(); ++b) {
      double least = kInfinity;
      for (const std::uint32_t i : of_body[a])
        for (const std::uint32_t j : of_body[b]) least = std::min(least, gap_of(f.placed(i), f.placed(j)));
      const auto got = queries.closest(of_body[a], of_body[b]);
      ASSERT_EQ(got.has_value(), least < kInfinity);
      if (got) {
        EXPECT_NEAR(got->closest.gap, least, 1e-9);
      }
    }
  EXPECT_FALSE(queries.closest({}, of_body[1]));
}

TYPED_TEST(QueriesIn, EmptyWorldsAnswerNothing) {
  constexpr int D = TypeParam::value;
  ColliderTable<D> none;
  Queries<D> queries;
  queries.refresh(none, {}, {});
  const Shape<D> dot = ball<D>(0.1);
  const Placed<D> at{dot, Vec<D>::Zero(), Mat<D>::Identity()};
  EXPECT_FALSE(queries.ray_cast({Vec<D>::Zero(), Vec<D>::Unit(0), kInfinity}, {}));
  EXPECT_TRUE(queries.overlaps(at, {}).empty());
  EXPECT_TRUE(queries.nearest(at, 10, {}).empty());
  EXPECT_FALSE(queries.shape_cast(at, Vec<D>::Unit(0), {}));
}

}  // namespace
}  // namespace touchstone::testing

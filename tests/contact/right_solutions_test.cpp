// Solutions that obey every law: no measure may object, to rounding.
#include <cmath>
#include <random>

#include "contact/hand_made.h"

namespace touchstone::testing {
namespace {

template <int N>
struct Dimension {
  static constexpr int value = N;
};
template <class T>
class Right : public ::testing::Test {};
using Dimensions = ::testing::Types<Dimension<2>, Dimension<3>>;
TYPED_TEST_SUITE(Right, Dimensions);

// Corners of a block of 1 m below its centre of mass: one in the middle, two along x, or four (3D).
template <int D>
std::vector<Vec<D>> feet(int count) {
  const Vec<D> down = -0.5 * HandMade<D>::normal();
  if (count == 1) return {down};
  std::vector<Vec<D>> out{down + 0.5 * Vec<D>::Unit(0), down - 0.5 * Vec<D>::Unit(0)};
  if (count == 2) return out;
  for (Vec<D>& p : out) p += 0.25 * Vec<D>::Unit(1);
  for (int i = 0; i < 2; ++i) out.push_back(out[static_cast<std::size_t>(i)] - 0.5 * Vec<D>::Unit(1));
  return out;
}

TYPED_TEST(Right, ABlockLeavesWithoutFriction) {
  HandMade<TypeParam::value> m;
  m.before[1].linear = m.normal();
  m.fall();
  m.touch(-0.5 * m.normal(), Vec<TypeParam::value>::Zero(), 0.0);
  m.solve();
  expect_only(m.measure(), {});
}

TYPED_TEST(Right, ABlockRestsOnOneToFourPoints) {
  constexpr int D = TypeParam::value;
  for (const int count : {1, 2, 4}) {
    if (count > D) continue;
    HandMade<D> m;
    m.fall();
    for (const Vec<D>& p : feet<D>(count)) m.touch(p, Vec<D>(2.0 / 8 / count * m.normal()), 0.5);
    m.solve();
    EXPECT_EQ(m.after[1].linear, (Vec<D>::Zero()));
    const StepMeasures measures = m.measure();
    EXPECT_TRUE(measures.measured);
    EXPECT_EQ(measures.contacts, count);
    expect_only(measures, {});
    EXPECT_EQ(measures.conic.worst, 0);
  }
}

TYPED_TEST(Right, ABlockSlides) {
  constexpr int D = TypeParam::value;
  HandMade<D> m;
  m.before[1].linear = m.along();
  m.fall();
  // Friction μN at the feet, 0.5 m below the centre, tilts the block forward; the front foot bears more: the difference
  // is μN·0.5/0.5.
  const double N = 2.0 / 8, mu = 0.5;
  for (const auto& [foot, share] : {std::pair{0, 0.5 + mu / 2}, std::pair{1, 0.5 - mu / 2}})
    m.touch(feet<D>(2)[static_cast<std::size_t>(foot)], Vec<D>(share * N * (m.normal() - mu * m.along())), mu);
  m.solve();
  EXPECT_LT(m.after[1].angular.norm(), 1e-16);
  const StepMeasures measures = m.measure();
  expect_only(measures, {});
  // |r·u| of Coulomb's law: μN times the velocity that is left.
  EXPECT_NEAR(measures.conic.worst, 0.75 * mu * N * (1 - mu / 8), 1e-15);
}

TYPED_TEST(Right, StaticFrictionHoldsMoreThanDynamicDoes) {
  constexpr int D = TypeParam::value;
  HandMade<D> m;
  m.before[1].linear = 0.05 * m.along();
  m.fall();
  SolvedContact<D>& c = m.touch(Vec<D>::Zero(), Vec<D>(2 * (0.125 * m.normal() - 0.05 * m.along())), 0.3);
  c.material.static_friction = 0.5;  // 0.05/0.125 = 0.4 lies between the two
  m.solve();
  expect_only(m.measure(), {});
}

TYPED_TEST(Right, ABallBounces) {
  constexpr int D = TypeParam::value;
  HandMade<D> m;
  m.impact = true;
  m.before[1].linear = -2 * m.normal() + 0.25 * m.along();
  m.fall();
  m.touch(Vec<D>(-0.5 * m.normal()), Vec<D>(2 * 3 * m.normal()), 0.0, 0.5);
  m.solve();
  EXPECT_EQ(m.after[1].linear, Vec<D>(m.normal() + 0.25 * m.along()));
  expect_only(m.measure(), {});
}

TYPED_TEST(Right, AnOpenGapMayCloseButNotBeCrossed) {
  constexpr int D = TypeParam::value;
  HandMade<D> m;
  m.before[1].linear = -m.normal();
  m.fall();
  SolvedContact<D>& c = m.touch(Vec<D>::Zero(), Vec<D>(2 * 0.625 * m.normal()), 0.5);
  c.contact.gap = 0.5 * m.kStep;  // closes at 0.5 m/s: 1 + 1/8 − 0.5 is taken off
  m.solve();
  expect_only(m.measure(), {});
  c.contact.gap *= 0.5;  // now it goes through
  expect_only(m.measure(), with_natural_map({"closing", "normal_work", "complementarity"}));
}

TYPED_TEST(Right, ABeltCarriesABlockAndItsWorkIsNoGain) {
  constexpr int D = TypeParam::value;
  HandMade<D> m;
  m.fall();
  const double mu = 0.5;
  m.touch(Vec<D>::Zero(), Vec<D>(2 * 0.125 * (m.normal() + mu * m.along())), mu).surface_velocity = -m.along();
  m.solve();
  EXPECT_GT(m.after[1].linear.x(), 0.06);
  expect_only(m.measure(), {});
}

TYPED_TEST(Right, AKinematicRacketMayGiveEnergy) {
  constexpr int D = TypeParam::value;
  HandMade<D> m;
  m.impact = true;
  m.bodies.kind[0] = BodyKind::kKinematic;
  m.before[0].linear = m.normal();
  m.before[1].linear = -m.normal();
  m.fall();
  m.touch(Vec<D>::Zero(), Vec<D>(2 * 4 * m.normal()), 0.0, 1.0);
  m.solve();
  EXPECT_EQ(m.after[1].linear, Vec<D>(3 * m.normal()));
  expect_only(m.measure(), {});
}

TYPED_TEST(Right, NothingMovesAndNothingTouches) {
  constexpr int D = TypeParam::value;
  HandMade<D> m;
  m.gravity = 0;
  expect_only(m.measure(), {});
  m.touch(Vec<D>::Zero(), Vec<D>::Zero(), 0.5);
  const StepMeasures measures = m.measure();
  expect_only(measures, {});
  for (const MeasureInfo& info : measure_infos()) EXPECT_EQ((measures.*info.value).worst, 0) << info.name;
}

template <int D>
Vec<D> any(std::mt19937_64& random) {
  std::normal_distribution<double> number;
  Vec<D> v;
  for (int i = 0; i < D; ++i) v[i] = number(random);
  return v;
}

// Two turned bodies with unequal inertias. The lawful pair of impulse and velocity is chosen first; the velocities
// without contact follow from it.
template <int D>
HandMade<D> lawful(std::mt19937_64& random, int kind) {
  std::uniform_real_distribution<double> positive(0.5, 2.0);
  HandMade<D> m;
  const std::uint32_t other = m.add_body(positive(random), 1);
  for (const std::uint32_t body : {1u, other}) {
    for (int i = 0; i < kAngular<D>; ++i) {
      m.bodies.inertia[body][i] = positive(random);
      m.bodies.inv_inertia[body][i] = 1 / m.bodies.inertia[body][i];
    }
    m.state.position[body] = any<D>(random);
    AngVec<D> turn;
    for (int i = 0; i < kAngular<D>; ++i) turn[i] = positive(random);
    m.state.orientation[body] = rotate_by(turn, identity_rotation<D>());
    m.before[body] = {any<D>(random), turn};
  }
  const double mu = positive(random), r_N = positive(random), slip = positive(random);
  const Vec<D> n = any<D>(random).normalized(), random_T = any<D>(random);
  const Vec<D> t = Vec<D>(random_T - n * n.dot(random_T)).normalized();
  const Vec<D> u = kind == 0 ? Vec<D>(Vec<D>::Zero()) : kind == 1 ? Vec<D>(slip * t) : Vec<D>(slip * n + 0.3 * t);
  const Vec<D> r = kind == 0   ? Vec<D>(r_N * n + 0.9 * mu * r_N * t)
                   : kind == 1 ? Vec<D>(r_N * n - mu * r_N * t)
                               : Vec<D>(Vec<D>::Zero());
  SolvedContact<D>& c = m.touch(any<D>(random), r, mu, 0, other, 1);
  c.contact.normal = n;
  m.after = m.before;
  m.after[1].linear += u - relative_velocity(m.view(), std::span<const Twist<D>>(m.after), c);
  m.free = m.after;
  m.push(m.free, 1, c.contact.point, r, -1);
  m.push(m.free, other, c.contact.point, r, 1);
  return m;
}

TYPED_TEST(Right, AnyBodiesStickSlideAndPart) {
  constexpr int D = TypeParam::value;
  std::mt19937_64 random(7);
  for (int i = 0; i < 300; ++i) {
    HandMade<D> m = lawful<D>(random, i % 3);
    StepMeasures measures = m.measure();
    EXPECT_LT(measures.natural_map.worst, 1e-13) << i;
    EXPECT_LT(measures.complementarity.worst, 1e-12) << i;
    EXPECT_LT(measures.momentum_error.worst, 1e-14) << i;
    // A contact that should stick and creeps by δ is seen by at least δ/√(1 + μ²), μ up to 2.
    if (i % 3 != 0) continue;
    const double creep = 1e-3;
    m.after[1].linear += creep * any<D>(random).normalized();
    measures = m.measure();
    EXPECT_GT(measures.natural_map_velocity.worst, creep / 2.3) << i;
    EXPECT_LT(measures.natural_map_velocity.worst, 4 * creep) << i;
    EXPECT_EQ(measures.natural_map.body_a, 2u);
    EXPECT_EQ(measures.natural_map.body_b, 1u);
  }
}

TYPED_TEST(Right, ProjectionIsTheNearestPointOfTheCone) {
  constexpr int D = TypeParam::value;
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> friction(0.0, 2.0);
  for (int i = 0; i < 500; ++i) {
    const double mu = i % 10 == 0 ? 0.0 : friction(random);
    const Vec<D> n = any<D>(random).normalized(), x = any<D>(random);
    const Vec<D> p = project_on_cone<D>(x, n, mu);
    EXPECT_LE((p - n * n.dot(p)).norm(), mu * n.dot(p) + 1e-14);
    for (int k = 0; k < 20; ++k) {  // no point of the cone lies on the other side of the plane through p
      const Vec<D> w = any<D>(random), w_T = w - n * n.dot(w);
      const Vec<D> y = w_T + n * (mu > 0 ? w_T.norm() / mu : std::abs(n.dot(w))) - (mu > 0 ? Vec<D>::Zero() : w_T);
      EXPECT_LT((x - p).dot(y - p), 1e-12 * (1 + y.norm()));
    }
  }
}

TYPED_TEST(Right, TheResponseIsWhatUnitImpulsesDo) {
  constexpr int D = TypeParam::value;
  std::mt19937_64 random(5);
  for (int i = 0; i < 50; ++i) {
    const HandMade<D> m = lawful<D>(random, 0);
    const SolvedContact<D>& c = m.contacts[0];
    double trace = 0;
    for (int axis = 0; axis < D; ++axis) {
      std::vector<Twist<D>> twists(m.bodies.size());
      m.push(twists, c.contact.body_b, c.contact.point, Vec<D>::Unit(axis), 1);
      m.push(twists, c.contact.body_a, c.contact.point, Vec<D>::Unit(axis), -1);
      trace += relative_velocity(m.view(), std::span<const Twist<D>>(twists), c)[axis];
    }
    EXPECT_NEAR(response_trace(m.view(), c.contact), trace, 1e-12 * trace);
  }
}

}  // namespace
}  // namespace touchstone::testing

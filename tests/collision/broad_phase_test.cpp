// Every broad phase gives the pairs of brute force, in the same order, on random, moving and adversarial scenes.
#include "collision/broad/broad_phase.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "collision/broad/overlap.h"

namespace touchstone {
namespace {

template <int D>
struct Field {
  ColliderTable<D> colliders;
  std::vector<Bounds<D>> bounds;
  IgnoredPairs ignored;
  std::mt19937 rng{11};
  double u(double size) { return std::uniform_real_distribution<double>(-size, size)(rng); }
  Vec<D> point(double size) {
    Vec<D> p;
    for (int k = 0; k < D; ++k) p[k] = u(size);
    return p;
  }
  void add(const Bounds<D>& b, bool movable = true) {
    Collider<D> c;
    c.body = static_cast<std::uint32_t>(bounds.size());
    c.movable = movable;
    const std::uint32_t slot = colliders.add(c);
    bounds.resize(std::max<std::size_t>(bounds.size(), slot + 1));
    bounds[slot] = b;
  }
  void add_box(const Vec<D>& at, double half, bool movable = true) {
    add({at.array() - half, at.array() + half}, movable);
  }
};

template <int D>
class Judge {
 public:
  void agree(Field<D>& f, const Parallel& parallel = Parallel()) {
    const BroadInput<D> in{f.colliders, f.bounds, f.ignored, parallel};
    std::vector<ColliderPair> expected, pairs;
    brute_->find(in, expected);
    sweep_->find(in, pairs);
    EXPECT_EQ(pairs, expected) << "sweep and prune";
    tree_->find(in, pairs);
    EXPECT_EQ(pairs, expected) << "tree";
    found = expected.size();
  }
  std::size_t found = 0;

 private:
  std::unique_ptr<BroadPhase<D>> brute_ = make_broad_phase<D>(BroadPhaseKind::kBruteForce);
  std::unique_ptr<BroadPhase<D>> sweep_ = make_broad_phase<D>(BroadPhaseKind::kSweepAndPrune);
  std::unique_ptr<BroadPhase<D>> tree_ = make_broad_phase<D>(BroadPhaseKind::kBvh);
};

template <class T>
class BroadPhaseIn : public ::testing::Test {};
using Dimensions = ::testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(BroadPhaseIn, Dimensions);

TYPED_TEST(BroadPhaseIn, AgreesWhileBodiesMoveComeAndGo) {
  constexpr int D = TypeParam::value;
  Field<D> f;
  Judge<D> judge;
  for (int i = 0; i < 400; ++i) f.add_box(f.point(5), 0.2 + 0.2 * std::abs(f.u(1)), i % 7 != 0);
  std::size_t most = 0;
  for (int step = 0; step < 60; ++step) {
    const double size = step % 20 == 19 ? 3.0 : 0.03;  // now and then everything jumps
    for (auto& b : f.bounds) {
      const Vec<D> d = f.point(size);
      b.lower += d, b.upper += d;
    }
    if (step % 10 == 5) f.colliders.remove(static_cast<std::uint32_t>(step));
    if (step % 10 == 7) f.add_box(f.point(5), 0.5);
    if (step == 30) f.ignored = {{3, 9}, {5, 6}, {10, 200}};
    judge.agree(f, Parallel(1 + step % 2));
    most = std::max(most, judge.found);
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_GT(most, 100u);
}

TYPED_TEST(BroadPhaseIn, AgreesOnAdversarialScenes) {
  constexpr int D = TypeParam::value;
  const double infinity = std::numeric_limits<double>::infinity();
  {  // all in one point
    Field<D> f;
    for (int i = 0; i < 60; ++i) f.add_box(Vec<D>::Zero(), 0.5);
    Judge<D> judge;
    judge.agree(f);
    EXPECT_EQ(judge.found, 60u * 59 / 2);
  }
  {  // one huge body, half-spaces, and a lattice whose bounds touch exactly
    Field<D> f;
    f.add_box(Vec<D>::Zero(), 1e6, false);
    Bounds<D> below{Vec<D>::Constant(-infinity), Vec<D>::Constant(infinity)};
    below.upper[D - 1] = 0;
    f.add(below, false);
    f.add({Vec<D>::Constant(-infinity), Vec<D>::Constant(infinity)}, false);
    for (int i = 0; i < 200; ++i) {
      Vec<D> at = Vec<D>::Zero();
      at[0] = i % 20, at[1] = i / 20;
      f.add_box(at, 0.5);
    }
    Judge<D> judge;
    judge.agree(f);
    EXPECT_GT(judge.found, 600u);
    judge.agree(f);
  }
  {  // 1e7 m from the origin, where bounds are a few rounding errors wide
    Field<D> f;
    for (int i = 0; i < 200; ++i) f.add_box(Vec<D>(Vec<D>::Constant(1e7) + f.point(1e-8)), 1e-9);
    Judge<D> judge;
    judge.agree(f);
    EXPECT_GT(judge.found, 10u);
  }
  {  // small boxes so far away that single precision could not tell them apart
    Field<D> f;
    Vec<D> far = Vec<D>::Constant(3e9);
    far[0] = -1e9;
    for (int i = 0; i < 200; ++i) f.add_box(Vec<D>(far + f.point(3)), 0.2);
    Judge<D> judge;
    for (int step = 0; step < 5; ++step) {
      judge.agree(f);
      for (auto& b : f.bounds) b.lower[0] += 300, b.upper[0] += 300;
    }
    EXPECT_GT(judge.found, 10u);
  }
  {  // at places that single precision has no numbers for
    Field<D> f;
    for (int i = 0; i < 20; ++i) f.add_box(Vec<D>(Vec<D>::Constant(i % 2 == 0 ? 1e60 : -1e60)), 1e50 * (1 + i % 3));
    Judge<D> judge;
    judge.agree(f);
    EXPECT_EQ(judge.found, 2u * 10 * 9 / 2);
  }
  {  // nothing, and one
    Field<D> f;
    Judge<D> judge;
    judge.agree(f);
    f.add_box(Vec<D>::Zero(), 1);
    judge.agree(f);
    EXPECT_EQ(judge.found, 0u);
  }
}

TYPED_TEST(BroadPhaseIn, BoundsInSinglePrecisionHoldThoseThatTheyAreMadeOf) {
  constexpr int D = TypeParam::value;
  Field<D> f;
  for (int i = 0; i < 20000; ++i) {
    const double size = std::pow(10.0, f.u(45));
    const Vec<D> at = f.point(size), half = f.point(size * std::pow(10.0, f.u(10) - 10)).cwiseAbs();
    const Bounds<D> b{at - half, at + half};
    const NarrowBounds<D> wide = widened_bounds(b);
    ASSERT_TRUE(holds(wide, b)) << b.lower.transpose() << " to " << b.upper.transpose();
    if (size < 1e-30 || size > 1e30) continue;
    const double slack = 2e-37 + 4e-7 * std::max(b.lower.cwiseAbs().maxCoeff(), b.upper.cwiseAbs().maxCoeff());
    ASSERT_LT((b.lower - wide.lower.template cast<double>()).maxCoeff(), slack);
    ASSERT_LT((wide.upper.template cast<double>() - b.upper).maxCoeff(), slack);
  }
}

}  // namespace
}  // namespace touchstone

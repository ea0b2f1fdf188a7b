#include "collision/narrow/kept_boxes.h"

#include <map>

#include "collision/narrow/separating_plane.h"
#include "collision/narrow/vclip.h"
#include "collision/narrow/voronoi2.h"
#include "collision/routine_checks.h"

namespace touchstone {
namespace {

using namespace testing;

constexpr std::uint16_t kTypes = 3;

template <int D>
std::vector<Feature> all_features() {
  std::vector<Feature> out;
  Vec<D> sides;
  for (std::uint16_t type = 0; type < kTypes; ++type)
    for (std::uint32_t i = 0; box_sides<D>({static_cast<FeatureType>(type), i}, sides); ++i)
      out.push_back({static_cast<FeatureType>(type), i});
  return out;
}

PairMemory remember(const Feature& a, const Feature& b) {
  PairMemory m;
  m.kind = PairMemory::Kind::kFeatures;
  m.a = {static_cast<std::uint16_t>(a.index), static_cast<std::uint16_t>(a.type), 0, 0};
  m.b = {static_cast<std::uint16_t>(b.index), static_cast<std::uint16_t>(b.type), 0, 0};
  return m;
}

// Boxes that are apart, in general position or parallel, and far from the origin now and then.
template <int D>
TestPair<D> boxes_apart(Chance& chance) {
  TestPair<D> out;
  Vec<D> half_a, half_b;
  for (int k = 0; k < D; ++k) half_a[k] = chance.uniform(0.1, 1), half_b[k] = chance.uniform(0.1, 1);
  if (chance.below(4) == 0) half_b[chance.below(D)] = 1e-6;
  if (chance.below(4) == 0) half_b = half_a;
  out.a = box_shape<D>(half_a);
  out.b = box_shape<D>(half_b);
  out.Ra = chance.rotation<D>();
  out.Rb = chance.below(3) == 0 ? Mat<D>(out.Ra * chance.quarter_turns<D>()) : chance.rotation<D>();
  if (chance.below(8) == 0) out.pa = 1e3 * chance.direction<D>();
  Vec<D> way = chance.direction<D>();
  if (chance.below(4) == 0) way = out.Ra.col(chance.below(D));
  out.pb = out.pa + 5 * way;
  PairMemory none;
  Closest<D> c;
  sat<D>(out.first(), out.second(), 1e9, none, c);
  out.pb -= way * (c.gap * chance.uniform(0, 1));  // never nearer than the gap: still apart
  return out;
}

TEST(KeptBoxes, SidesAreThoseOfTheUnitBox) {
  Vec<3> s;
  const Polytope<3>& p = unit_box<3>();
  for (std::uint32_t i = 0; i < p.vertices.size(); ++i)
    EXPECT_TRUE(box_sides<3>({FeatureType::kVertex, i}, s) && s == p.vertices[i]) << i;
  for (std::uint32_t i = 0; i < p.edges.size(); ++i)
    EXPECT_TRUE(box_sides<3>({FeatureType::kEdge, i}, s) &&
                s == 0.5 * (p.vertices[p.edges[i].tail] + p.vertices[p.edges[i].head]))
        << i;
  for (std::uint32_t i = 0; i < p.face_count(); ++i)
    EXPECT_TRUE(box_sides<3>({FeatureType::kFace, i}, s) && s == p.normals[i]) << i;
  EXPECT_EQ(all_features<3>().size(), 26u);
  EXPECT_FALSE(box_sides<3>({static_cast<FeatureType>(3), 0}, s));

  Vec<2> t;
  const Polytope<2>& q = unit_box<2>();
  for (std::uint32_t i = 0; i < 4; ++i) {
    EXPECT_TRUE(box_sides<2>({FeatureType::kVertex, i}, t) && t == q.vertices[i]) << i;
    EXPECT_TRUE(box_sides<2>({FeatureType::kEdge, i}, t) && t == q.normals[i]) << i;
  }
  EXPECT_EQ(all_features<2>().size(), 8u);
}

// What the walk found is taken at once, and is the walk's answer. Each kind of pair is met often enough.
template <int D>
void check_kept(ClosestRoutine<D> routine, unsigned seed, int rounds, std::size_t kinds) {
  Chance chance(seed);
  std::map<std::pair<int, int>, std::array<int, 2>> met;  // by kinds of features: all, and those that were taken
  for (int i = 0; i < rounds && !::testing::Test::HasFailure(); ++i) {
    SCOPED_TRACE(i);
    const TestPair<D> pair = boxes_apart<D>(chance);
    PairMemory memory;
    Closest<D> cold, kept;
    ASSERT_TRUE(routine(pair.first(), pair.second(), 1e9, memory, cold));
    if (!(cold.gap > 1e-3)) continue;
    auto& count = met[{memory.a[1], memory.b[1]}];
    ++count[0];
    if (kept_box_features<D>(pair.first(), pair.second(), 1e9, memory, 0, kept) != Kept::kWithin) continue;
    ++count[1];
    const double e = 1e-14 * (pair.size() + pair.pa.norm());
    EXPECT_NEAR(kept.gap, cold.gap, e);
    EXPECT_LE((kept.normal - cold.normal).norm(), 1e-14 * pair.size() / cold.gap);
    EXPECT_LE((kept.on_a - cold.on_a).norm() + (kept.on_b - cold.on_b).norm(), 1e3 * e);
    judge(pair, kept, 1e-13 * (1 + pair.pa.norm()));
    const double step = 1e-3 * cold.gap;
    EXPECT_EQ(kept_box_features<D>(pair.first(), pair.second(), cold.gap + step, memory, 0, kept), Kept::kWithin);
    EXPECT_EQ(kept_box_features<D>(pair.first(), pair.second(), cold.gap - step, memory, 0, kept), Kept::kBeyond);
  }
  std::size_t enough = 0;
  for (const auto& [kind, count] : met) {
    if (count[0] < rounds / 100) continue;
    ++enough;
    EXPECT_GE(count[1], 0.95 * count[0]) << kind.first << ", " << kind.second << ": " << count[1] << " of " << count[0];
  }
  EXPECT_GE(enough, kinds);
}
TEST(KeptBoxes, WhatTheWalkFoundIsTakenInThePlane) { check_kept<2>(voronoi2, 41, 10000, 3); }
TEST(KeptBoxes, WhatTheWalkFoundIsTakenInSpace) { check_kept<3>(vclip, 42, 10000, 5); }

// Any two features are refused unless they give the distance; also of boxes that penetrate.
template <int D>
void check_others(unsigned seed, int rounds) {
  Chance chance(seed);
  const std::vector<Feature> features = all_features<D>();
  for (int i = 0; i < rounds && !::testing::Test::HasFailure(); ++i) {
    SCOPED_TRACE(i);
    TestPair<D> pair = boxes_apart<D>(chance);
    if (i % 3 == 0) pair.pb = pair.pa + chance.uniform(0, 0.5) * (pair.pb - pair.pa);
    PairMemory unused;
    Closest<D> reference, c;
    ASSERT_TRUE(sat<D>(pair.first(), pair.second(), 1e9, unused, reference));
    for (const Feature& a : features)
      for (const Feature& b : features) {
        if (kept_box_features<D>(pair.first(), pair.second(), 1e9, remember(a, b), 0, c) == Kept::kNo) continue;
        EXPECT_NEAR(c.gap, reference.gap, 1e-11 * pair.size());
        judge(pair, c, 1e-11);
      }
  }
}
TEST(KeptBoxes, OtherFeaturesAreRefused) {
  check_others<2>(43, 3000);
  check_others<3>(44, 1000);
}

// Any side that separates gives the distance or is refused, and the one that was kept is taken.
TEST(KeptBoxes, ASideThatSeparatesGivesTheDistance) {
  Chance chance(45);
  int all = 0, taken = 0;
  for (int i = 0; i < 5000 && !HasFailure(); ++i) {
    SCOPED_TRACE(i);
    const TestPair<2> pair = boxes_apart<2>(chance);
    PairMemory memory;
    Closest<2> cold, c;
    ASSERT_TRUE(separating_plane<2>(pair.first(), pair.second(), 1e9, memory, cold));
    if (!(cold.gap > 1e-3)) continue;
    const bool kept_of_a = memory.a[1] == static_cast<unsigned>(SeparatingAxis<2>::Kind::kFaceA);
    for (const bool of_a : {true, false})
      for (std::uint32_t side = 0; side < 5; ++side) {
        const Kept kept = kept_box_side(pair.first(), pair.second(), 1e9, of_a, side, memory, c);
        const bool same = of_a == kept_of_a && side == (of_a ? memory.a[0] : memory.b[0]);
        all += same;
        taken += same && kept == Kept::kWithin;
        if (kept == Kept::kNo) continue;
        EXPECT_NEAR(c.gap, cold.gap, 1e-12 * pair.size());
        if (same) {
          EXPECT_LE((c.on_a - cold.on_a).norm(), 1e-11 * (pair.size() + pair.pa.norm()));
        }
        judge(pair, c, 1e-12 * (1 + pair.pa.norm()));
        EXPECT_EQ(kept_box_side(pair.first(), pair.second(), 0.999 * cold.gap, of_a, side, memory, c), Kept::kBeyond);
      }
  }
  EXPECT_GE(all, 3000);
  EXPECT_GE(taken, 0.95 * all);
}

}  // namespace
}  // namespace touchstone

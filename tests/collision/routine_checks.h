#pragma once
// What every routine with a memory must pass: proven answers from a cold start, the same from any memory, and along
// walks on which the memory goes from step to step.
#include "collision/narrow/sat.h"
#include "collision/narrow_pairs.h"

namespace touchstone::testing {

inline constexpr double kAccuracy = 1e-9;  // relative to the size of the pair

// The same gap as another routine's, and an answer that holds on its own.
template <int D>
void check_cold(ClosestRoutine<D> routine, unsigned seed, int rounds) {
  Chance chance(seed);
  for (int i = 0; i < rounds && !::testing::Test::HasFailure(); ++i) {
    SCOPED_TRACE(i);
    const TestPair<D> pair = chance.pair<D>();
    PairMemory memory, unused;
    Closest<D> c, reference;
    ASSERT_TRUE(routine(pair.first(), pair.second(), 1e9, memory, c));
    ASSERT_TRUE(sat<D>(pair.first(), pair.second(), 1e9, unused, reference));
    EXPECT_NEAR(c.gap, reference.gap, kAccuracy * pair.size());
    judge(pair, c, kAccuracy);
    // Within its margin it answers, beyond it does not; with the memory and without.
    const double step = 1e-3 * std::abs(c.gap);
    if (step < 1e-8 * pair.size()) continue;
    for (PairMemory* m : {&memory, &unused}) {
      Closest<D> again;
      EXPECT_FALSE(routine(pair.first(), pair.second(), c.gap - step, *m, again));
      EXPECT_TRUE(routine(pair.first(), pair.second(), c.gap + step, *m, again));
      EXPECT_NEAR(again.gap, c.gap, kAccuracy * pair.size());
    }
  }
}

// Anything may be in the memory: features of another shape, or none that exist.
template <int D>
void check_wrong_memory(ClosestRoutine<D> routine, PairMemory::Kind kind, unsigned seed, int rounds) {
  Chance chance(seed);
  for (int i = 0; i < rounds && !::testing::Test::HasFailure(); ++i) {
    SCOPED_TRACE(i);
    const TestPair<D> pair = chance.pair<D>();
    for (int k = 0; k < 4; ++k) {
      PairMemory memory;
      memory.kind = kind;
      for (std::size_t entry = 0; entry < 4; ++entry) {
        const int most = entry % 2 ? 4 : chance.below(4) ? 8 : 65536;
        memory.a[entry] = static_cast<std::uint16_t>(chance.below(most));
        memory.b[entry] = static_cast<std::uint16_t>(chance.below(most));
      }
      Closest<D> c;
      ASSERT_TRUE(routine(pair.first(), pair.second(), 1e9, memory, c));
      judge(pair, c, kAccuracy);
    }
  }
}

// A small step in a random direction and a small turn, again and again, drawn back when too far apart.
template <int D>
void check_walk(ClosestRoutine<D> routine, unsigned seed, int walks, int steps) {
  Chance chance(seed);
  for (int w = 0; w < walks; ++w) {
    TestPair<D> pair = chance.pair<D>();
    PairMemory memory;
    const double reach = reach_of(pair.a) + reach_of(pair.b);
    for (int i = 0; i < steps && !::testing::Test::HasFailure(); ++i) {
      SCOPED_TRACE(std::to_string(w) + ", step " + std::to_string(i));
      pair.pb += 0.02 * reach * chance.direction<D>();
      if ((pair.pb - pair.pa).norm() > 1.1 * reach) pair.pb = pair.pa + 0.9 * (pair.pb - pair.pa);
      if constexpr (D == 2)
        pair.Rb = matrix_of(0.05 * chance.normal()) * pair.Rb;
      else
        pair.Rb = matrix_of(exp_rotation(Vec<3>(0.05 * chance.direction<3>()))) * pair.Rb;
      Closest<D> c;
      ASSERT_TRUE(routine(pair.first(), pair.second(), 1e9, memory, c));
      judge(pair, c, kAccuracy);
    }
  }
}

// Far from the origin nothing is lost but what the positions themselves cannot tell apart.
template <int D>
void check_far_from_origin(ClosestRoutine<D> routine, unsigned seed, int rounds) {
  Chance chance(seed);
  for (int i = 0; i < rounds; ++i) {
    TestPair<D> pair = chance.pair<D>();
    const Vec<D> far = 1e7 * chance.direction<D>();
    TestPair<D> there = pair;
    there.pa += far;
    there.pb += far;
    pair.pb = there.pb - there.pa;  // exact, and what is left of the offset
    pair.pa = Vec<D>::Zero();
    PairMemory m1, m2;
    Closest<D> c, d;
    ASSERT_TRUE(routine(pair.first(), pair.second(), 1e9, m1, c));
    ASSERT_TRUE(routine(there.first(), there.second(), 1e9, m2, d));
    EXPECT_NEAR(c.gap, d.gap, 1e-15 * pair.size());
    EXPECT_LE((c.normal - d.normal).norm(), 1e-15);
  }
}

}  // namespace touchstone::testing

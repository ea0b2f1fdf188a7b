#pragma once
// Closest features by walking from pair to pair, started at the pair that was closest last time: what voronoi2 (2D) and
// vclip (3D) share. The walk itself differs and is in their files.
#include "collision/narrow/exhaustive.h"

namespace touchstone {

template <int D>
struct FeatureWalk {
  Feature a, b;          // where it ends
  CoreAnswer<D> answer;  // if found
  int steps = 0;
  // Whether the end is beyond doubt. It is not if two pairs were each other's successor (a tie up to rounding), or if
  // the points are so close that the direction between them is noise.
  bool sure = true;
};

// Lost: it did not end within its cap of steps.
enum class WalkEnd { kFound, kPenetrates, kLost };

// From the features a and b.
template <int D>
WalkEnd walk_features(const CorePair<D>& pair, Feature a, Feature b, FeatureWalk<D>& walk);
template <>
WalkEnd walk_features(const CorePair<2>& pair, Feature a, Feature b, FeatureWalk<2>& walk);
template <>
WalkEnd walk_features(const CorePair<3>& pair, Feature a, Feature b, FeatureWalk<3>& walk);

// What both walks share: their tolerances, and the loop.
namespace walking {

inline constexpr int kMostSteps = 60;           // walks over hulls of 1000 vertices take about 20
inline constexpr double kSlope = 1e-12;         // sine of an angle: below it, moving on brings nothing but rounding
inline constexpr double kNoise = 4e-16;         // relative to the coordinates: of the difference of two points
inline constexpr double kTouching = 1e-13;      // relative to the coordinates: nearer than this there is no direction
inline constexpr double kPoorDirection = 1e-4;  // relative to the coordinates: nearer, slopes are not good to 1e-11

enum class Step { kFound, kMoved, kPenetrates };

// Steps until the pair is found. Walk has the features f[2], their nearest points x[2], the normal, `sure`, and step().
template <int D, class Walk>
WalkEnd follow(Walk& walk, FeatureWalk<D>& out) {
  Feature before[2];
  for (; out.steps < kMostSteps; ++out.steps) {
    const Feature now[2] = {walk.f[0], walk.f[1]};
    const Step step = walk.step();
    out.a = walk.f[0];
    out.b = walk.f[1];
    if (step == Step::kPenetrates) return WalkEnd::kPenetrates;
    const bool returned = step == Step::kMoved && out.steps > 0 && walk.f[0] == before[0] && walk.f[1] == before[1];
    if (step == Step::kFound || returned) {
      const Vec<D> d = walk.x[1] - walk.x[0];
      if (d.isZero(0)) return WalkEnd::kPenetrates;
      out.sure = step == Step::kFound && walk.sure;
      if (returned) walk.normal = d.normalized();
      out.answer = {returned ? d.norm() : walk.normal.dot(d), walk.normal, walk.x[0], walk.x[1]};
      return WalkEnd::kFound;
    }
    before[0] = now[0];
    before[1] = now[1];
  }
  return WalkEnd::kLost;
}

}  // namespace walking

// Distance or penetration depth of the cores; the features are kept in the memory's entries slot and slot + 1. A pair
// that the walk cannot settle, and every penetrating one, is searched exhaustively: for axes up to one that separates
// by more than `enough`, in which case the answer may be any number above that.
template <int D>
CoreAnswer<D> closest_by_features(const CorePair<D>& pair, double enough, PairMemory& memory, std::size_t slot,
                                  bool remembered, int& iterations);

}  // namespace touchstone

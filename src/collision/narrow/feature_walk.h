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

// Distance or penetration depth of the cores; the features are kept in the memory's entries slot and slot + 1. A pair
// that the walk cannot settle, and every penetrating one, is searched exhaustively: for axes up to one that separates
// by more than `enough`, in which case the answer may be any number above that.
template <int D>
CoreAnswer<D> closest_by_features(const CorePair<D>& pair, double enough, PairMemory& memory, std::size_t slot,
                                  bool remembered, int& iterations);

}  // namespace touchstone

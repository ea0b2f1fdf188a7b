#pragma once
// The distance of two polytopes by trying every pair of features: slow, simple, and the reference for the others.
#include "collision/narrow/core_pair.h"

namespace touchstone {

enum class FeatureType : std::uint16_t { kVertex, kEdge, kFace };

// Of a polytope. In 2D "edge" is the only kind beside vertices.
struct Feature {
  FeatureType type = FeatureType::kVertex;
  std::uint32_t index = 0;
  bool operator==(const Feature&) const = default;
};

template <int D>
struct ClosestFeatures {
  double distance = 0;
  Vec<D> on_a = Vec<D>::Zero(), on_b = Vec<D>::Zero();
  Vec<D> normal = Vec<D>::Zero();  // unit, from A to B; zero if the points coincide
  Feature a, b;
};

// The nearest pair of points of the two surfaces, in A's frame. For cores that are apart that is their distance; of
// cores that penetrate it says nothing.
template <int D>
ClosestFeatures<D> closest_features_exhaustive(const CorePair<D>& pair);

}  // namespace touchstone

#pragma once
// How deep bodies are in each other, measured anew: not from the contacts that a model has seen.
#include <memory>
#include <vector>

#include "collision/broad/broad_phase.h"
#include "dynamics/bodies.h"

namespace touchstone {

// L: size of the smaller of two bodies, twice its radius about the centre of mass [m]. Bodies without bounded shapes (a
// half-space, a bare mass) have no size; 1 where neither has one.
template <int D>
double length_of(const Bodies<D>& bodies, std::uint32_t a, std::uint32_t b);

struct PairDepth {
  std::uint32_t body_a = 0, body_b = 0;
  double depth = 0;   // [m]
  double length = 1;  // L: size of the smaller body, twice its radius about the centre of mass [m]
};

template <int D>
class PenetrationCheck {
 public:
  // All pairs of shapes that touch or nearly do, in the order of their colliders. Pairs that a model has overlooked are
  // found as well: the bounds of all shapes are compared.
  std::span<const PairDepth> find(const Bodies<D>& bodies, const State<D>& state, const ColliderTable<D>& colliders,
                                  const IgnoredPairs& ignored, const Parallel& parallel);

 private:
  struct Place {
    Vec<D> p;
    Mat<D> R;
  };
  void place(const Bodies<D>& bodies, const State<D>& state, const ColliderTable<D>& colliders,
             const Parallel& parallel);

  std::unique_ptr<BroadPhase<D>> broad_ = make_broad_phase<D>(BroadPhaseKind::kBvh);
  std::vector<Place> places_;
  std::vector<Bounds<D>> bounds_;
  std::vector<ColliderPair> pairs_;
  std::vector<PairDepth> found_;
};

}  // namespace touchstone

#pragma once
// The collision service that contact models see: which pairs may touch over a step, and where they touch now.
#include <span>
#include <vector>

#include "base/parallel.h"
#include "collision/broad/broad_phase.h"
#include "collision/collider.h"
#include "collision/contact.h"

namespace touchstone {

template <int D>
class Detector {
 public:
  ColliderTable<D>& colliders() { return colliders_; }
  const ColliderTable<D>& colliders() const { return colliders_; }
  IgnoredPairs& ignored_pairs() { return ignored_; }

  // Broad phase: pairs whose bounds, grown by each body's `reach` (how far any of its points may move), overlap.
  void find_pairs(std::span<const Vec<D>> position, std::span<const Rotation<D>> orientation,
                  std::span<const double> reach, const Parallel& parallel);
  // Narrow phase over those pairs at the given poses: contacts with gap <= margin, ordered by key.
  void find_contacts(std::span<const Vec<D>> position, std::span<const Rotation<D>> orientation, double margin,
                     const Parallel& parallel, std::vector<Contact<D>>& contacts);
  std::span<const ColliderPair> pairs() const { return pairs_; }

 private:
  ColliderTable<D> colliders_;
  IgnoredPairs ignored_;
  std::unique_ptr<BroadPhase<D>> broad_ = make_broad_phase<D>(BroadPhaseKind::kBvh);
  std::vector<Mat<D>> rotation_;
  std::vector<Bounds<D>> bounds_;
  std::vector<ColliderPair> pairs_;
  struct Part {
    std::vector<Contact<D>> contacts;
    ContactPoints<D> points;
  };
  std::vector<Part> parts_;
};

}  // namespace touchstone

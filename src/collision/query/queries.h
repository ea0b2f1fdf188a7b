#pragma once
// What users ask about the colliders of a world: rays, moved shapes, overlaps, nearest points. Answers name colliders
// by slot; where two are equally near, the lower slot comes first.
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "collision/query/query_tree.h"

namespace touchstone {

// Which colliders take part. Empty: all.
template <int D>
using ColliderFilter = std::function<bool(const Collider<D>&)>;

template <int D>
struct RayAnswer {
  std::uint32_t collider;
  RayStrike<D> strike;
};

template <int D>
struct CastAnswer {
  std::uint32_t collider;
  double fraction;     // of the displacement
  Closest<D> closest;  // of the moved shape (A) and the collider (B) there
  bool inside;         // they overlap at the start
};

template <int D>
struct NearAnswer {
  std::uint32_t collider;
  Closest<D> closest;  // of the shape (A) and the collider (B)
};

template <int D>
struct PairAnswer {
  std::uint32_t collider_a, collider_b;
  Closest<D> closest;
};

template <int D>
class Queries {
 public:
  // Something has moved, came or went: the next query looks again.
  void invalidate() { fresh_ = false; }
  void refresh(const ColliderTable<D>& colliders, std::span<const Vec<D>> position,
               std::span<const Rotation<D>> orientation);

  // All of these after a refresh.
  std::optional<RayAnswer<D>> ray_cast(const Ray<D>& ray, const ColliderFilter<D>& filter) const;
  // By distance.
  std::vector<RayAnswer<D>> ray_cast_all(const Ray<D>& ray, const ColliderFilter<D>& filter) const;
  // The first collider that a bounded convex shape meets on its way. One that it overlaps at the start, by more than
  // 1e-6 of its size, is met at once; one that it touches only counts if the way leads into it.
  std::optional<CastAnswer<D>> shape_cast(const Placed<D>& shape, const Vec<D>& displacement,
                                          const ColliderFilter<D>& filter) const;
  // Colliders that overlap or touch, by slot.
  std::vector<std::uint32_t> overlaps(const Placed<D>& shape, const ColliderFilter<D>& filter) const;
  // Colliders not farther away than `radius`, the nearest one of each body, by gap.
  std::vector<NearAnswer<D>> nearest(const Placed<D>& shape, double radius, const ColliderFilter<D>& filter) const;
  // The nearest pair of two sets of colliders; none if nothing can be told (no colliders, half-spaces only).
  std::optional<PairAnswer<D>> closest(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) const;

 private:
  bool takes_part(std::uint32_t slot, const ColliderFilter<D>& filter) const {
    return !filter || filter((*colliders_)[slot]);
  }
  Placed<D> placed(std::uint32_t slot) const { return tree_.placed(*colliders_, slot); }
  bool cast_onto(std::uint32_t slot, const Placed<D>& shape, const Vec<D>& displacement, double until,
                 CastAnswer<D>& out) const;

  const ColliderTable<D>* colliders_ = nullptr;
  QueryTree<D> tree_;
  bool fresh_ = false;
};

}  // namespace touchstone

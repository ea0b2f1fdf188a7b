#pragma once
// The colliders of a world as queries see them: where they are, and a tree over their bounds. It is brought up to date
// when a query comes after something has moved, not in every step.
#include <span>
#include <vector>

#include "collision/collider.h"
#include "collision/ray/ray_cast.h"

namespace touchstone {

template <int D>
class QueryTree {
 public:
  // A collider whose bounds a ray enters at this distance [m].
  struct Entry {
    double distance;
    std::uint32_t slot;
  };

  void update(const ColliderTable<D>& colliders, std::span<const Vec<D>> position,
              std::span<const Rotation<D>> orientation);
  // Colliders whose bounds overlap the given ones, by slot.
  void overlapping(const Bounds<D>& bounds, std::vector<std::uint32_t>& out) const;
  // Colliders whose bounds, grown by `half` to each side, the ray meets; by distance, then slot.
  void along(const Ray<D>& ray, const Vec<D>& half, std::vector<Entry>& out) const;
  Placed<D> placed(const ColliderTable<D>& colliders, std::uint32_t slot) const {
    return {colliders[slot].shape(), pose_[slot].p, pose_[slot].R};
  }

 private:
  struct Node {
    Bounds<D> bounds;
    std::uint32_t first = 0;  // leaf: first item; inner: left child (the right one follows it)
    std::uint32_t count = 0;  // items of a leaf; 0: inner
  };
  struct Place {
    Vec<D> p;
    Mat<D> R;
  };
  static constexpr std::uint32_t kLeaf = 4;

  void build();
  void split(std::uint32_t node, std::uint32_t begin, std::uint32_t end);
  double refit();
  // Calls leaf(slot) for the items of all leaves under nodes whose bounds pass.
  template <class Pass, class Leaf>
  void visit(Pass pass, Leaf leaf) const;

  std::vector<Place> pose_;  // by slot
  std::vector<Bounds<D>> bounds_;
  std::vector<std::uint32_t> bounded_, unbounded_;  // slots; unbounded ones (half-spaces) are outside the tree
  std::vector<std::uint32_t> items_;                // the bounded slots in tree order
  std::vector<Node> nodes_;
  double built_size_ = 0;  // sum of the boxes' sizes when the tree was built
};

}  // namespace touchstone

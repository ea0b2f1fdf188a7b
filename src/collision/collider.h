#pragma once
// A shape attached to a body, with what decides whether it may touch another.
#include <cstdint>
#include <vector>

#include "geometry/shape.h"

namespace touchstone {

inline constexpr std::uint32_t kMaxColliders = 1u << 24;  // a contact key has 24 bits for each

template <int D>
struct Collider {
  Shape<D> shape;
  Vec<D> p_local = Vec<D>::Zero();  // of the shape's frame, from the centre of mass, body axes
  Mat<D> R_local = Mat<D>::Identity();
  std::uint32_t body = 0;
  std::uint32_t shape_index = 0;  // among the body's shapes
  std::uint32_t material = 0;
  std::uint32_t groups = 0, ignores = 0;  // bits: collision groups it is in; groups it does not meet
  bool movable = false;                   // on a dynamic body
  bool alive = false;
};

template <int D>
bool may_collide(const Collider<D>& a, const Collider<D>& b) {
  return a.body != b.body && (a.movable || b.movable) && (a.groups & b.ignores) == 0 && (b.groups & a.ignores) == 0;
}

// Colliders in slots that stay put while others come and go: contact keys depend on them.
template <int D>
class ColliderTable {
 public:
  std::uint32_t add(const Collider<D>& collider);
  void remove(std::uint32_t slot);
  void clear();
  void reserve(std::size_t slots) { slots_.reserve(slots); }
  // For restoring: puts a collider back into the slot it had; free_slots() in the order they will be used.
  void resize(std::size_t slots) { slots_.resize(slots), ++changes_; }
  void place(std::uint32_t slot, const Collider<D>& collider);
  std::vector<std::uint32_t>& free_slots() { return free_; }
  std::size_t size() const { return slots_.size(); }
  std::uint64_t changes() const { return changes_; }  // so far: who keeps something about colliders knows it is old
  const Collider<D>& operator[](std::size_t slot) const { return slots_[slot]; }

 private:
  std::vector<Collider<D>> slots_;
  std::vector<std::uint32_t> free_;
  std::uint64_t changes_ = 0;
};

}  // namespace touchstone

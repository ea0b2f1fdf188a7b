#pragma once
// A shape attached to a body, with what decides whether it may touch another.
#include <cstdint>
#include <memory>
#include <vector>

#include "collision/contact.h"
#include "geometry/shape.h"

namespace touchstone {

// A shape and where it is on its body.
template <int D>
struct PlacedShape {
  Shape<D> shape;
  Vec<D> p_local = Vec<D>::Zero();  // of the shape's frame, from the centre of mass, body axes
  Mat<D> R_local = Mat<D>::Identity();
  bool operator==(const PlacedShape&) const = default;
};

template <int D>
struct Collider {
  std::shared_ptr<const PlacedShape<D>> form;  // equal ones are shared
  std::uint32_t body = 0;
  std::uint32_t shape_index = 0;  // among the body's shapes
  std::uint32_t material = 0;
  std::uint32_t groups = 0, ignores = 0;  // bits: collision groups it is in; groups it does not meet
  bool movable = false;                   // on a dynamic body
  bool alive = false;
  bool centred = false;  // the shape's frame is the body's own; set by the table

  const Shape<D>& shape() const { return form->shape; }
  const Vec<D>& p_local() const { return form->p_local; }
  const Mat<D>& R_local() const { return form->R_local; }
  void set_form(PlacedShape<D> f) { form = std::make_shared<const PlacedShape<D>>(std::move(f)); }
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
  void resize(std::size_t slots) { slots_.resize(slots); }
  void place(std::uint32_t slot, const Collider<D>& collider);
  std::vector<std::uint32_t>& free_slots() { return free_; }
  std::size_t size() const { return slots_.size(); }
  const Collider<D>& operator[](std::size_t slot) const { return slots_[slot]; }

 private:
  std::vector<Collider<D>> slots_;
  void put(std::uint32_t slot, const Collider<D>& collider);
  std::vector<std::uint32_t> free_;
  std::vector<std::shared_ptr<const PlacedShape<D>>> recent_;  // the newest last
};

}  // namespace touchstone

#include "collision/collider.h"

#include "touchstone/error.h"

namespace touchstone {

template <int D>
std::uint32_t ColliderTable<D>::add(const Collider<D>& collider) {
  std::uint32_t slot;
  if (!free_.empty()) {
    slot = free_.back();
    free_.pop_back();
  } else {
    if (slots_.size() >= kMaxColliders)
      throw Error(ErrorKind::kUnsupported, "more than 16,777,216 shapes in one world");
    slot = static_cast<std::uint32_t>(slots_.size());
    slots_.emplace_back();
  }
  slots_[slot] = collider;
  slots_[slot].alive = true;
  ++changes_;
  return slot;
}

template <int D>
void ColliderTable<D>::remove(std::uint32_t slot) {
  slots_[slot] = Collider<D>{};
  free_.push_back(slot);
  ++changes_;
}

template <int D>
void ColliderTable<D>::clear() {
  slots_.clear();
  free_.clear();
  ++changes_;
}

template <int D>
void ColliderTable<D>::place(std::uint32_t slot, const Collider<D>& collider) {
  slots_[slot] = collider;
  slots_[slot].alive = true;
  ++changes_;
}

template class ColliderTable<2>;
template class ColliderTable<3>;

}  // namespace touchstone

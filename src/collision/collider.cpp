#include "collision/collider.h"

#include "base/recent.h"
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
  put(slot, collider);
  return slot;
}

template <int D>
void ColliderTable<D>::put(std::uint32_t slot, const Collider<D>& collider) {
  const auto& form = share_recent(recent_, collider.form ? *collider.form : PlacedShape<D>{});
  slots_[slot] = collider;
  slots_[slot].form = form;
  slots_[slot].centred = form->p_local.isZero(0) && form->R_local == Mat<D>::Identity();
  slots_[slot].alive = true;
}

template <int D>
void ColliderTable<D>::remove(std::uint32_t slot) {
  slots_[slot] = Collider<D>{};
  std::erase_if(recent_, [](const auto& form) { return form.use_count() == 1; });  // a mesh may be large
  free_.push_back(slot);
}

template <int D>
void ColliderTable<D>::clear() {
  slots_.clear();
  free_.clear();
  recent_.clear();
}

template <int D>
void ColliderTable<D>::place(std::uint32_t slot, const Collider<D>& collider) {
  put(slot, collider);
}

template class ColliderTable<2>;
template class ColliderTable<3>;

}  // namespace touchstone

#include "collision/collider.h"

#include <algorithm>
#include <utility>

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

// Equal bodies mostly come one after the other, or a few kinds in turn: the kinds seen last are asked, the newest
// first.
template <int D>
void ColliderTable<D>::put(std::uint32_t slot, const Collider<D>& collider) {
  constexpr std::size_t kRecent = 16;
  const PlacedShape<D> none;
  const PlacedShape<D>& wanted = collider.form ? *collider.form : none;
  const auto known = std::find_if(recent_.rbegin(), recent_.rend(), [&](const auto& form) { return *form == wanted; });
  if (known != recent_.rend()) {
    std::rotate(recent_.rbegin(), known, known + 1);
  } else {
    if (recent_.size() == kRecent) recent_.erase(recent_.begin());
    recent_.push_back(collider.form ? collider.form : std::make_shared<const PlacedShape<D>>());
  }
  slots_[slot] = collider;
  slots_[slot].form = recent_.back();
  slots_[slot].centred = wanted.p_local.isZero(0) && wanted.R_local == Mat<D>::Identity();
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

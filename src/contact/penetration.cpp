// Purpose: penetration by an independent route: a broad phase of its own over all shapes, then the exact distance of
//   each pair (closest_of), cold: no memory of earlier steps steers the answer.
// Source: docs/collision.md for the routines. Letters: φ gap, L size of the smaller body.
// Deviations: none. Fails: never; pairs that no routine takes do not exist.
#include "contact/penetration.h"

#include <algorithm>

#include "collision/narrow/narrow.h"

namespace touchstone {
namespace {

constexpr std::size_t kBodyGrain = 256, kPairGrain = 32;
// Pairs nearer than this part of L count as touching in the root mean square.
constexpr double kTouching = 1e-3;

}  // namespace

template <int D>
double length_of(const Bodies<D>& bodies, std::uint32_t a, std::uint32_t b) {
  const auto radius = [&](std::uint32_t i) { return i < bodies.size() ? bodies.radius[i] : 0.0; };
  const double ra = radius(a), rb = radius(b);
  const double smaller = ra > 0 && rb > 0 ? std::min(ra, rb) : std::max(ra, rb);
  return smaller > 0 ? 2 * smaller : 1.0;
}

template <int D>
void PenetrationCheck<D>::place(const Bodies<D>& bodies, const State<D>& state, const ColliderTable<D>& colliders,
                                const Parallel& parallel) {
  places_.resize(colliders.size());
  bounds_.resize(colliders.size());
  parallel.for_ranges(colliders.size(), kBodyGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const Collider<D>& c = colliders[i];
      if (!c.alive) continue;
      const Mat<D> R = matrix_of(state.orientation[c.body]);
      places_[i].p = state.position[c.body] + R * c.p_local();
      places_[i].R.noalias() = R * c.R_local();
      bounds_[i] = bounds_of(c.shape(), places_[i].p, places_[i].R);
      const double reach = kTouching * 2 * bodies.radius[c.body];  // enough for L, were it this body's own
      bounds_[i].lower.array() -= reach;
      bounds_[i].upper.array() += reach;
    }
  });
}

template <int D>
std::span<const PairDepth> PenetrationCheck<D>::find(const Bodies<D>& bodies, const State<D>& state,
                                                     const ColliderTable<D>& colliders, const IgnoredPairs& ignored,
                                                     const Parallel& parallel) {
  constexpr double kApart = -1;  // marks pairs whose bounds overlap and whose shapes are apart
  place(bodies, state, colliders, parallel);
  broad_->find({colliders, bounds_, ignored, parallel}, pairs_);
  found_.resize(pairs_.size());
  parallel.for_ranges(pairs_.size(), kPairGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) {
      const auto [ia, ib] = pairs_[k];
      const Collider<D>&a = colliders[ia], &b = colliders[ib];
      const double length = length_of(bodies, a.body, b.body);
      PairMemory cold;
      Closest<D> closest;
      const bool near =
          closest_of(Placed<D>{a.shape(), places_[ia].p, places_[ia].R},
                     Placed<D>{b.shape(), places_[ib].p, places_[ib].R}, kTouching * length, cold, closest);
      found_[k] = {a.body, b.body, near ? std::max(0.0, -closest.gap) : kApart, length};
    }
  });
  std::erase_if(found_, [](const PairDepth& p) { return p.depth < 0; });
  return found_;
}

template double length_of(const Bodies<2>&, std::uint32_t, std::uint32_t);
template double length_of(const Bodies<3>&, std::uint32_t, std::uint32_t);
template class PenetrationCheck<2>;
template class PenetrationCheck<3>;

}  // namespace touchstone

#include "collision/query/queries.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "collision/narrow/narrow.h"
#include "collision/toi/time_of_impact.h"

namespace touchstone {

template <int D>
void Queries<D>::refresh(const ColliderTable<D>& colliders, std::span<const Vec<D>> position,
                         std::span<const Rotation<D>> orientation) {
  colliders_ = &colliders;
  if (fresh_) return;
  tree_.update(colliders, position, orientation);
  fresh_ = true;
}

template <int D>
std::optional<RayAnswer<D>> Queries<D>::ray_cast(const Ray<D>& ray, const ColliderFilter<D>& filter) const {
  std::vector<typename QueryTree<D>::Entry> entries;
  tree_.along(ray, Vec<D>::Zero(), entries);
  std::optional<RayAnswer<D>> best;
  for (const auto& [entry, slot] : entries) {
    if (best && entry > best->strike.distance) break;
    RayStrike<D> strike;
    if (!touchstone::ray_cast(ray, placed(slot), strike)) continue;
    const bool better = !best || strike.distance < best->strike.distance ||
                        (strike.distance == best->strike.distance && slot < best->collider);
    if (better && takes_part(slot, filter)) best = {slot, strike};
  }
  return best;
}

template <int D>
std::vector<RayAnswer<D>> Queries<D>::ray_cast_all(const Ray<D>& ray, const ColliderFilter<D>& filter) const {
  std::vector<typename QueryTree<D>::Entry> entries;
  tree_.along(ray, Vec<D>::Zero(), entries);
  std::vector<RayAnswer<D>> all;
  for (const auto& [entry, slot] : entries) {
    RayStrike<D> strike;
    if (touchstone::ray_cast(ray, placed(slot), strike) && takes_part(slot, filter)) all.push_back({slot, strike});
  }
  std::sort(all.begin(), all.end(), [](const RayAnswer<D>& a, const RayAnswer<D>& b) {
    return a.strike.distance < b.strike.distance || (a.strike.distance == b.strike.distance && a.collider < b.collider);
  });
  return all;
}

template <int D>
bool Queries<D>::cast_onto(std::uint32_t slot, const Placed<D>& shape, const Vec<D>& displacement, double until,
                           CastAnswer<D>& out) const {
  const Placed<D> target = placed(slot);
  ImpactOptions<D> options;
  options.duration = until;
  options.distance = 1e-6 * std::min(reach_of(shape.shape), reach_of(target.shape));
  PairMemory memory;
  out.collider = slot;
  out.fraction = 0;
  out.inside = closest_of(shape, target, -options.distance, memory, out.closest);
  if (out.inside) return true;
  const Impact<D> impact = conservative_advancement<D>({shape.shape, shape.p, shape.R, shape.p, displacement},
                                                       {target.shape, target.p, target.R, target.p}, options);
  if (impact.status == Impact<D>::Status::kNone) return false;
  out.fraction = impact.time;  // where the evaluations ran out: as far as the way is known to be free
  out.closest = impact.closest;
  return true;
}

template <int D>
std::optional<CastAnswer<D>> Queries<D>::shape_cast(const Placed<D>& shape, const Vec<D>& displacement,
                                                    const ColliderFilter<D>& filter) const {
  const Bounds<D> bounds = bounds_of(shape.shape, shape.p, shape.R);
  // The gap at which an impact counts is far below this.
  const Vec<D> half = 0.5 * (bounds.upper - bounds.lower) + Vec<D>::Constant(1e-5 * reach_of(shape.shape));
  const double length = displacement.norm();
  const Vec<D> direction = length > 0 ? Vec<D>(displacement / length) : Vec<D>(Vec<D>::Unit(0));
  std::vector<typename QueryTree<D>::Entry> entries;
  tree_.along({Vec<D>(0.5 * (bounds.lower + bounds.upper)), direction, length}, half, entries);
  std::optional<CastAnswer<D>> best;
  for (const auto& [entry, slot] : entries) {
    if (best && entry > best->fraction * length) break;
    if (!takes_part(slot, filter)) continue;
    CastAnswer<D> now;
    if (!cast_onto(slot, shape, displacement, best ? best->fraction : 1.0, now)) continue;
    if (!best || now.fraction < best->fraction || (now.fraction == best->fraction && slot < best->collider)) best = now;
  }
  return best;
}

template <int D>
std::vector<std::uint32_t> Queries<D>::overlaps(const Placed<D>& shape, const ColliderFilter<D>& filter) const {
  std::vector<std::uint32_t> candidates, out;
  tree_.overlapping(bounds_of(shape.shape, shape.p, shape.R), candidates);
  for (const std::uint32_t slot : candidates) {
    PairMemory memory;
    Closest<D> closest;
    if (takes_part(slot, filter) && closest_of(shape, placed(slot), 0.0, memory, closest)) out.push_back(slot);
  }
  return out;
}

template <int D>
std::vector<NearAnswer<D>> Queries<D>::nearest(const Placed<D>& shape, double radius,
                                               const ColliderFilter<D>& filter) const {
  Bounds<D> bounds = bounds_of(shape.shape, shape.p, shape.R);
  bounds.lower.array() -= radius;
  bounds.upper.array() += radius;
  std::vector<std::uint32_t> candidates;
  tree_.overlapping(bounds, candidates);
  std::vector<NearAnswer<D>> all;
  for (const std::uint32_t slot : candidates) {
    PairMemory memory;
    NearAnswer<D> now{slot, {}};
    if (takes_part(slot, filter) && closest_of(shape, placed(slot), radius, memory, now.closest)) all.push_back(now);
  }
  const auto body = [&](const NearAnswer<D>& n) { return (*colliders_)[n.collider].body; };
  const auto nearer = [](const NearAnswer<D>& a, const NearAnswer<D>& b) {
    return a.closest.gap < b.closest.gap || (a.closest.gap == b.closest.gap && a.collider < b.collider);
  };
  std::sort(all.begin(), all.end(), [&](const NearAnswer<D>& a, const NearAnswer<D>& b) {
    return body(a) < body(b) || (body(a) == body(b) && nearer(a, b));
  });
  const auto rest =
      std::unique(all.begin(), all.end(), [&](const auto& a, const auto& b) { return body(a) == body(b); });
  all.erase(rest, all.end());
  std::sort(all.begin(), all.end(), nearer);
  return all;
}

template <int D>
std::optional<PairAnswer<D>> Queries<D>::closest(std::span<const std::uint32_t> a,
                                                 std::span<const std::uint32_t> b) const {
  std::optional<PairAnswer<D>> best;
  for (const std::uint32_t ia : a)
    for (const std::uint32_t ib : b) {
      PairMemory memory;
      PairAnswer<D> now{ia, ib, {}};
      const double margin = best ? best->closest.gap : std::numeric_limits<double>::infinity();
      if (closest_of(placed(ia), placed(ib), margin, memory, now.closest) &&
          (!best || now.closest.gap < best->closest.gap))
        best = now;
    }
  return best;
}

template class Queries<2>;
template class Queries<3>;

}  // namespace touchstone

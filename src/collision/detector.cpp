#include "collision/detector.h"

#include <algorithm>

#include "collision/narrow/narrow.h"

namespace touchstone {
namespace {

constexpr std::size_t kBodyGrain = 256, kPairGrain = 64;

template <int D>
void rotations_of(std::span<const Rotation<D>> orientation, const Parallel& parallel, std::vector<Mat<D>>& rotation) {
  rotation.resize(orientation.size());
  parallel.for_ranges(orientation.size(), kBodyGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) rotation[i] = matrix_of(orientation[i]);
  });
}

template <int D>
Placed<D> placed(const Collider<D>& c, std::span<const Vec<D>> position, const std::vector<Mat<D>>& rotation) {
  const Mat<D>& R = rotation[c.body];
  return {c.shape, position[c.body] + R * c.p_local, R * c.R_local};
}

}  // namespace

template <int D>
void Detector<D>::find_pairs(std::span<const Vec<D>> position, std::span<const Rotation<D>> orientation,
                             std::span<const double> reach, const Parallel& parallel) {
  rotations_of<D>(orientation, parallel, rotation_);
  bounds_.resize(colliders_.size());
  parallel.for_ranges(colliders_.size(), kBodyGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const Collider<D>& c = colliders_[i];
      if (!c.alive) continue;
      const Placed<D> at = placed(c, position, rotation_);
      bounds_[i] = bounds_of(c.shape, at.p, at.R);
      bounds_[i].lower.array() -= reach[c.body];
      bounds_[i].upper.array() += reach[c.body];
    }
  });
  broad_->find({colliders_, bounds_, ignored_, parallel}, pairs_);
}

template <int D>
void Detector<D>::find_contacts(std::span<const Vec<D>> position, std::span<const Rotation<D>> orientation,
                                double margin, const Parallel& parallel, std::vector<Contact<D>>& contacts) {
  rotations_of<D>(orientation, parallel, rotation_);
  parts_.resize(std::max(parts_.size(), (pairs_.size() + kPairGrain - 1) / kPairGrain));
  parallel.for_ranges(pairs_.size(), kPairGrain, [&](std::size_t begin, std::size_t end) {
    Part& part = parts_[begin / kPairGrain];
    part.contacts.clear();
    for (std::size_t k = begin; k < end; ++k) {
      const auto [ia, ib] = pairs_[k];
      const Collider<D>&a = colliders_[ia], &b = colliders_[ib];
      part.points.clear();
      collide(placed(a, position, rotation_), placed(b, position, rotation_), margin, part.points);
      std::sort(part.points.begin(), part.points.end(),
                [](const auto& x, const auto& y) { return x.feature < y.feature; });
      for (const ContactPoint<D>& p : part.points) {
        const std::uint64_t key = std::uint64_t{ia} << 40 | std::uint64_t{ib} << 16 | p.feature;
        part.contacts.push_back({a.body, b.body, ia, ib, key, p.point, p.normal, p.gap});
      }
    }
  });
  contacts.clear();
  for (std::size_t begin = 0; begin < pairs_.size(); begin += kPairGrain) {
    const auto& part = parts_[begin / kPairGrain].contacts;
    contacts.insert(contacts.end(), part.begin(), part.end());
  }
}

template class Detector<2>;
template class Detector<3>;

}  // namespace touchstone

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

}  // namespace

template <int D>
void Detector<D>::configure(const CollisionDescription& description) {
  broad_ = make_broad_phase<D>(description.broad_phase);
  narrow_ = description.narrow_phase;
}

template <int D>
void Detector<D>::place_colliders(std::span<const Vec<D>> position, std::span<const Rotation<D>> orientation,
                                  const Parallel& parallel) {
  rotations_of<D>(orientation, parallel, rotation_);
  places_.resize(colliders_.size());
  parallel.for_ranges(colliders_.size(), kBodyGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const Collider<D>& c = colliders_[i];
      if (!c.alive) continue;
      const Mat<D>& R = rotation_[c.body];
      places_[i].p = position[c.body] + R * c.p_local;
      places_[i].R.noalias() = R * c.R_local;
    }
  });
}

template <int D>
void Detector<D>::find_pairs(std::span<const Vec<D>> position, std::span<const Rotation<D>> orientation,
                             std::span<const double> reach, const Parallel& parallel,
                             std::span<const Vec<D>> displacement) {
  place_colliders(position, orientation, parallel);
  bounds_.resize(colliders_.size());
  parallel.for_ranges(colliders_.size(), kBodyGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const Collider<D>& c = colliders_[i];
      if (!c.alive) continue;
      Bounds<D>& bounds = bounds_[i];
      bounds = bounds_of(c.shape, places_[i].p, places_[i].R);
      if (!displacement.empty()) {
        bounds.lower += displacement[c.body].cwiseMin(0.0);
        bounds.upper += displacement[c.body].cwiseMax(0.0);
      }
      bounds.lower.array() -= reach[c.body];
      bounds.upper.array() += reach[c.body];
    }
  });
  broad_->find({colliders_, bounds_, ignored_, parallel}, pairs_);
  carry_memory();
}

// Both lists are in order of the pairs.
template <int D>
void Detector<D>::carry_memory() {
  next_known_.resize(pairs_.size());
  std::size_t old = 0;
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    const auto [a, b] = pairs_[i];
    while (old < known_.size() && ColliderPair(known_[old].a, known_[old].b) < pairs_[i]) ++old;
    const bool same = old < known_.size() && known_[old].a == a && known_[old].b == b;
    next_known_[i] = same ? known_[old] : Known{a, b, {}};
  }
  std::swap(known_, next_known_);
}

template <int D>
void Detector<D>::restore_memory() {
  known_ = kept_;
  pairs_.clear();
}

template <int D>
void Detector<D>::forget(std::uint32_t collider) {
  for (Known& k : known_)
    if (k.a == collider || k.b == collider) k.memory = {};
}

template <int D>
void Detector<D>::serialize(Archive& ar) {
  ar(known_);
  if (!ar.saving()) pairs_.clear();
}

template <int D>
void Detector<D>::find_contacts(std::span<const Vec<D>> position, std::span<const Rotation<D>> orientation,
                                double margin, const Parallel& parallel, std::vector<Contact<D>>& contacts) {
  find_contacts(position, orientation, PairMargin<D>{margin, 0, {}, {}, {}}, parallel, contacts);
}

template <int D>
void Detector<D>::find_contacts(std::span<const Vec<D>> position, std::span<const Rotation<D>> orientation,
                                const PairMargin<D>& margin, const Parallel& parallel,
                                std::vector<Contact<D>>& contacts) {
  place_colliders(position, orientation, parallel);
  // Contacts of a range of pairs, in order. One thread writes where they are wanted, several into parts that are
  // joined.
  const auto search = [&](std::size_t begin, std::size_t end, ContactPoints<D>& points, std::vector<Contact<D>>& out) {
    for (std::size_t k = begin; k < end; ++k) {
      const auto [ia, ib] = pairs_[k];
      const Collider<D>&a = colliders_[ia], &b = colliders_[ib];
      points.clear();
      collide(Placed<D>{a.shape, places_[ia].p, places_[ia].R}, Placed<D>{b.shape, places_[ib].p, places_[ib].R},
              margin.of(a.body, b.body), narrow_, known_[k].memory, points);
      for (const ContactPoint<D>& p : points) {
        const std::uint64_t key = std::uint64_t{ia} << 40 | std::uint64_t{ib} << 16 | p.feature;
        out.push_back({a.body, b.body, ia, ib, key, p.point, p.normal, p.gap});
      }
    }
  };
  contacts.clear();
  if (parts_.empty()) parts_.resize(1);
  if (parallel.threads() == 1) return search(0, pairs_.size(), parts_[0].points, contacts);
  parts_.resize(std::max(parts_.size(), (pairs_.size() + kPairGrain - 1) / kPairGrain));
  parallel.for_ranges(pairs_.size(), kPairGrain, [&](std::size_t begin, std::size_t end) {
    Part& part = parts_[begin / kPairGrain];
    part.contacts.clear();
    search(begin, end, part.points, part.contacts);
  });
  for (std::size_t begin = 0; begin < pairs_.size(); begin += kPairGrain) {
    const auto& part = parts_[begin / kPairGrain].contacts;
    contacts.insert(contacts.end(), part.begin(), part.end());
  }
}

template class Detector<2>;
template class Detector<3>;

}  // namespace touchstone

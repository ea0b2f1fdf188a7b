// Purpose: which groups sweeps visit when they are for some islands only.
// Source: none.
// Deviations: none.
#include <algorithm>

#include "models/impulse/contact_sweeps.h"

namespace touchstone {
namespace {

// visit(lane, a body of it that moves, whether both do).
template <int D, class L, class Visit>
void each_lane(const SweepGroup<D, L>& g, Visit visit) {
  for (int lane = 0; lane < LaneTraits<L>::kCount; ++lane) {
    const bool a = g.moves_a & 1 << lane, b = g.moves_b & 1 << lane;
    if (a || b) visit(lane, a ? g.a[lane] : g.b[lane], a && b);
  }
}

}  // namespace

template <int D, class L>
void ContactSweeps<D, L>::narrow_down(double change) {
  islands_.reset(bodies_.size());
  island_squared_.assign(bodies_.size(), 0.0);
  for (const Group& g : groups_)
    each_lane(g, [&](int lane, std::uint32_t body, bool both) {
      if (both) islands_.join(body, g.b[lane]);
    });
  for (std::size_t i = 0; i < groups_.size(); ++i)
    each_lane(groups_[i], [&](int lane, std::uint32_t body, bool) {
      double& squared = island_squared_[islands_.root(body)];
      squared = std::max(squared, static_cast<double>(squared_[i][lane]));
    });
  concerned_.resize(bodies_.size());
  for (std::uint32_t body = 0; body < bodies_.size(); ++body)
    concerned_[body] = island_squared_[islands_.root(body)] > change * change;
  narrow_to(concerned_);
}

template <int D, class L>
void ContactSweeps<D, L>::narrow_to(std::span<const std::uint8_t> bodies) {
  visited_.clear();
  visited_begin_.assign(1, 0);
  for (std::size_t c = 0; c + 1 < colour_begin_.size(); ++c) {
    for (std::size_t i = colour_begin_[c]; i < colour_begin_[c + 1]; ++i) {
      bool visit = false;
      each_lane(groups_[i], [&](int, std::uint32_t body, bool) { visit = visit || bodies[body] != 0; });
      if (visit) visited_.push_back(static_cast<std::uint32_t>(i));
    }
    visited_begin_.push_back(visited_.size());
  }
  narrowed_ = true;
}

#define TOUCHSTONE_INSTANTIATE(D, L)                      \
  template void ContactSweeps<D, L>::narrow_down(double); \
  template void ContactSweeps<D, L>::narrow_to(std::span<const std::uint8_t>);
TOUCHSTONE_INSTANTIATE(2, Lane)
TOUCHSTONE_INSTANTIATE(3, Lane)
TOUCHSTONE_INSTANTIATE(2, SingleLane)
TOUCHSTONE_INSTANTIATE(3, SingleLane)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone

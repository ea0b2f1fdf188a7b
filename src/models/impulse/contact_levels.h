#pragma once
// Contacts in the order of how far up from what does not move: what lies below is taken as fixed, what lies on it is
// pushed. One pass goes through a stack of any height.
#include <algorithm>
#include <atomic>
#include <span>
#include <vector>

#include "base/scratch.h"
#include "models/impulse/contact_groups.h"

namespace touchstone {

template <int D>
class ContactLevels {
 public:
  // Finds the levels from the contacts with a gap of at most `closed` now: 0 for bodies that do not move, else one more
  // than the lowest body that they lie on. `up` is a unit vector against gravity, or zero: then nothing lies on
  // anything. What is found is in `room`, with motion().
  void find(const ContactGroups<D>& groups, const Bodies<D>& bodies, const Vec<D>& up, double closed, Scratch& room,
            const Parallel& parallel);
  // By body: how it is moved, for the caller to set.
  std::span<SmallMotion<D>> motion() { return motion_; }
  // Moves bodies so that the velocity or distance `wanted`(row, lane) + n·(motion of B − motion of A) is not negative,
  // from below upwards: of two bodies only the one that lies on the other moves. Returns whether one had to. Where gaps
  // were not below −allowed, nothing is wanted unless a body moves.
  template <class Wanted>
  bool push_up(const ContactGroups<D>& groups, std::span<const AngMat<D>> inv_inertia, int passes, double allowed,
               Wanted wanted, const Parallel& parallel);
  // Shock propagation: from below upwards, every point is brought to its laws, with friction, by impulses on the body
  // that lies on the other alone. They come on top of those that the groups hold, which stay as they are. A level gets
  // so many passes, fewer if one of them changes no velocity by more than `enough` [m/s].
  void stop(const ContactGroups<D>& groups, std::span<const AngMat<D>> inv_inertia, int passes, double enough);

 private:
  static constexpr std::uint32_t kNone = 0xffffffff;
  static constexpr std::size_t kMost = 4;  // points of a patch
  struct Patch {
    std::uint32_t group, level, a, b;
    float least_gap;
    std::uint8_t lane;
    bool moves_a, moves_b;
  };
  void sort(std::uint32_t highest);
  void colour();
  double push_patch(const ContactGroups<D>& groups, std::span<const AngMat<D>> inv_inertia, const Patch& patch,
                    std::span<const double> wanted, std::span<double> pushed);

  double stop_patch(const ContactGroups<D>& groups, std::span<const AngMat<D>> inv_inertia, const Patch& patch,
                    std::span<Vec<D>> extra);

  std::span<Patch> patches_, sorted_;
  std::span<SmallMotion<D>> motion_;        // by body
  std::span<std::uint32_t> level_, first_;  // by body; what lies on each
  std::vector<std::uint32_t> above_, front_, next_;
  std::vector<std::size_t> begin_;
  std::vector<std::size_t> beside_;  // where sorted patches begin that may be pushed side by side; the last: their end
  std::span<std::uint64_t> taken_;   // by body: colours of its patches in a level
  std::span<std::uint32_t> moves_in_;  // by body: the last level in which a patch moves it
  std::vector<std::uint8_t> colour_;   // of the patches of a level
  std::vector<Patch> level_patches_;
  std::span<double> pushed_;   // one a point of a patch
  std::vector<Vec<D>> extra_;  // the same, as impulses: normal first, then along the tangents
};

// Takes penetrations above `allowed` back along the levels, in so many passes, none by more than half of `most`:
// levels.motion() is how bodies have to be shifted, and the groups' gaps and slips follow. False if there is nothing to
// do. position_kernels.cpp.
template <int D>
bool lift(ContactGroups<D>& groups, const Bodies<D>& bodies, std::span<const AngMat<D>> inv_inertia, const Vec<D>& up,
          double allowed, double most, int passes, ContactLevels<D>& levels, Scratch& room, const Parallel& parallel);

template <int D>
template <class Wanted>
bool ContactLevels<D>::push_up(const ContactGroups<D>& groups, std::span<const AngMat<D>> inv_inertia, int passes,
                               double allowed, Wanted wanted, const Parallel& parallel) {
  constexpr std::size_t kGrain = 32;
  const auto still = [&](std::uint32_t i) { return motion_[i].linear.isZero(0) && motion_[i].angular.isZero(0); };
  std::fill(pushed_.begin(), pushed_.end(), 0.0);
  const auto push = [&](std::size_t i) {
    const Patch& patch = sorted_[i];
    if (static_cast<double>(patch.least_gap) >= -allowed && still(patch.a) && still(patch.b)) return 0.0;
    const ContactGroup<D>& g = groups.groups()[patch.group];
    double aims[kMost];
    for (std::uint32_t k = 0; k < g.points; ++k) aims[k] = wanted(g.first_point + k, patch.lane);
    return push_patch(groups, inv_inertia, patch, std::span(aims, g.points), pushed_.subspan(kMost * i, kMost));
  };
  // Pushes some ranges of patches; `far`: one of them by more than what is worth another push.
  constexpr double kWorth = 0.1;  // of what is allowed
  const auto push_all = [&](std::size_t first, std::size_t last, std::atomic<bool>& moved) {
    std::atomic<bool> far = false;
    for (std::size_t c = first; c < last; ++c)
      parallel.for_ranges(beside_[c + 1] - beside_[c], kGrain, [&](std::size_t begin, std::size_t end) {
        double most = 0;
        for (std::size_t i = beside_[c] + begin; i < beside_[c] + end; ++i) most = std::max(most, push(i));
        if (most > 0) moved.store(true, std::memory_order_relaxed);
        if (most > kWorth * allowed) far.store(true, std::memory_order_relaxed);
      });
    return far.load();
  };
  // In the plane a level is pushed until it is nearly right before the next one is: the turn that one push leaves
  // behind grows from level to level where bodies lie on two others, and threw the top off a pyramid of 40 rows.
  constexpr int kRounds = D == 2 ? 8 : 1;
  const std::size_t all = beside_.size() - 1;
  bool any = false;
  for (int pass = 0; pass < passes; ++pass) {
    std::atomic<bool> moved = false;
    for (std::size_t first = 0, last = 0; first < all; first = last) {
      while (last < all && sorted_[beside_[last]].level == sorted_[beside_[first]].level) ++last;
      for (int k = 0; k < kRounds && push_all(first, last, moved); ++k) {
      }
    }
    any |= moved;
    if (!moved) break;
  }
  return any;
}

}  // namespace touchstone

#pragma once
// The collisions of a step in the order of their times: a heap of when each contact point comes next, which is kept
// right as bodies change course.
#include <vector>

#include "models/pairwise/collision_point.h"
#include "models/pairwise/flight.h"

namespace touchstone {

struct QueueRules {
  double trigger = 0;  // gap at which a point collides [m]
  double slowest = 0;  // slower approaches are none [m/s]
};

template <int D>
class CollisionQueue {
 public:
  struct Next {
    std::size_t point = 0;
    double time = 0;  // [s] after the start of the step
  };
  void begin(std::span<const CollisionPoint<D>> points, std::span<const Flight<D>> flights, const QueueRules& rules,
             double end);
  // The next collision before the end; false if there is none. Of equal times, the one that was known first.
  bool next(Next& out);
  // The flights of this point's bodies have changed, as far as they moved.
  void update(std::span<const CollisionPoint<D>> points, std::span<const Flight<D>> flights,
              const CollisionPoint<D>& point, bool moved_a, bool moved_b, double now);

  // How many collision times have been computed since begin(): the work of the step.
  std::int64_t updates() const { return static_cast<std::int64_t>(updates_); }

 private:
  struct Entry {
    double time;
    std::uint64_t order;
    std::uint32_t point, version;
    bool operator<(const Entry& o) const {  // the earliest is on top of the heap
      return time != o.time ? time > o.time : order > o.order;
    }
  };
  void add(std::span<const CollisionPoint<D>> points, std::span<const Flight<D>> flights, std::uint32_t i, double now);

  QueueRules rules_;
  double end_ = 0;
  std::uint64_t order_ = 0, updates_ = 0;
  std::vector<Entry> heap_;
  std::vector<std::uint32_t> version_;         // of each point: entries of others are void
  std::vector<std::uint32_t> first_, points_;  // of each body
};

// When a point whose gap above the trigger, normal velocity and acceleration are these collides next, from now on [s];
// infinite if never. One that is below it and parts comes back at the latest to where it is now.
double time_to_collide(double gap, double velocity, double acceleration, double slowest);

}  // namespace touchstone

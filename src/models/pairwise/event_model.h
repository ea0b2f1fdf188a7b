#pragma once
// A step of collisions in the order of their times, one point at a time. Which impulse a collision has is for the
// models above it.
#include "models/pairwise/collision_queue.h"
#include "models/pairwise/pairwise_model.h"

namespace touchstone {

struct EventOptions {
  PairwiseOptions pairwise;
  QueueRules rules;
  std::int64_t most;  // collisions of a step, for each contact point that there is
  bool parabolic;     // forces act between collisions; otherwise all of them at the start of the step
};

template <int D>
class EventModel : public PairwiseModel<D> {
 public:
  explicit EventModel(const EventOptions& options) : PairwiseModel<D>(options.pairwise), options_(options) {}
  ModelReport step(const StepInput<D>& in, State<D>& state) override;

 protected:
  // u: velocity of the point before; closing: how fast forces change that along the normal, towards each other [m/s²].
  virtual PointImpulse<D> collide(const CollisionPoint<D>& point, const Vec<D>& u, double closing) = 0;

 private:
  void start_flights(const StepInput<D>& in);
  void hit(const StepInput<D>& in, const State<D>& state, const typename CollisionQueue<D>::Next& next);
  void stop_rest(const StepInput<D>& in, double now);
  void land(const StepInput<D>& in, const State<D>& state);
  void show_hit(const StepInput<D>& in, const State<D>& state, const CollisionPoint<D>& point, const Vec<D>& impulse);
  void show_end(const StepInput<D>& in, const State<D>& state);

  const EventOptions options_;
  CollisionQueue<D> queue_;
  std::vector<Flight<D>> flights_;
  std::vector<Twist<D>> seen_before_, seen_after_;  // for the observer
  std::vector<SolvedContact<D>> seen_;
};

}  // namespace touchstone

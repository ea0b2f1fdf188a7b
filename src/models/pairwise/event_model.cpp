// Purpose: flies bodies from collision to collision within a step.
// Source: [hahn1988], [mirtich1996, §2]; collision_queue.cpp.
// Letters: docs/conventions.md.
// Deviations: (1) Contact points, arms and normals are those of the start of the step.
// Fails: a step that needs more than `most` collisions a contact point, or more than kMostUpdates updates of collision
//   times, is cut there: contacts that still approach are stopped without bouncing, and the step is reported as not
//   converged, with the reason.
#include "models/pairwise/event_model.h"

#include <algorithm>
#include <array>

namespace touchstone {
namespace {

// Of a step. A collision recomputes the collision times of all contact points of its two bodies: with 100,000 touching
// spheres, 50 collisions a point would be 10^8 updates, and with one body on which all others lie the square of their
// number.
constexpr std::int64_t kMostUpdates = 20'000'000;

}  // namespace

template <int D>
void EventModel<D>::start_flights(const StepInput<D>& in) {
  flights_.assign(in.bodies.size(), Flight<D>{});
  for (std::size_t i = 0; i < in.bodies.size(); ++i) {
    Flight<D>& f = flights_[i];
    f.velocity = this->before_[i];
    if (options_.parabolic) {
      f.acceleration = this->acceleration_[i];
    } else {
      f.velocity.linear += in.h * this->acceleration_[i].linear;
      f.velocity.angular += in.h * this->acceleration_[i].angular;
    }
    this->free_[i] = f.velocity;
  }
}

template <int D>
void EventModel<D>::hit(const StepInput<D>& in, const State<D>& state, const typename CollisionQueue<D>::Next& next) {
  const CollisionPoint<D>& p = this->points_[next.point];
  const bool moves_a = in.bodies.dynamic(p.a), moves_b = in.bodies.dynamic(p.b);
  Flight<D> a = flights_[p.a].at(next.time), b = flights_[p.b].at(next.time);
  const Vec<D> u = p.velocity(a.velocity, b.velocity);
  const double closing = -(p.velocity(a.acceleration, b.acceleration) - p.skin)[0];
  const PointImpulse<D> given = collide(p, u, closing);
  if (in.observer) seen_before_[p.a] = a.velocity, seen_before_[p.b] = b.velocity;
  // Work on what moves by forces; a prescribed body has its own.
  const auto of_dynamic = [&] {
    return Vec<D>(p.velocity(moves_a ? a.velocity : Twist<D>{}, moves_b ? b.velocity : Twist<D>{}) - p.skin);
  };
  const Vec<D> before = of_dynamic();
  push(p, this->inertias(in), given.impulse, moves_a, moves_b, a.velocity, b.velocity);
  if (moves_a) flights_[p.a] = a;
  if (moves_b) flights_[p.b] = b;
  const double work = 0.5 * given.impulse.dot(before + of_dynamic());
  if (options_.parabolic) this->report_.work[ForceClass::kContact] += work;
  this->report_.impact_gain += std::max(0.0, work);
  this->count(p, given, true);
  if (in.observer) {
    seen_after_[p.a] = a.velocity, seen_after_[p.b] = b.velocity;
    show_hit(in, state, p, given.impulse);
    seen_before_[p.a] = a.velocity, seen_before_[p.b] = b.velocity;
  }
  queue_.update(this->points_, flights_, p, moves_a, moves_b, next.time);
}

// What touches and still approaches, without bouncing.
template <int D>
void EventModel<D>::stop_rest(const StepInput<D>& in, double now) {
  constexpr int kPasses = 20;
  for (Flight<D>& f : flights_) f = f.at(now);
  for (int pass = 0; pass < kPasses; ++pass) {
    bool any = false;
    for (const CollisionPoint<D>& p : this->points_) {
      Flight<D>&a = flights_[p.a], &b = flights_[p.b];
      const double gap = p.gap + (p.velocity(a.moved, b.moved) - p.skin)[0];
      const Vec<D> u = p.velocity(a.velocity, b.velocity);
      if (gap > options_.rules.trigger || u[0] >= -options_.rules.slowest) continue;
      const PointImpulse<D> given =
          coulomb_impact<D>(p.k, u, 0, p.material.static_friction, p.material.dynamic_friction);
      push(p, this->inertias(in), given.impulse, in.bodies.dynamic(p.a), in.bodies.dynamic(p.b), a.velocity,
           b.velocity);
      this->count(p, given, false);
      any = true;
    }
    if (!any) return;
  }
}

// Where everything has come to at the end, and the work of the forces on the way.
template <int D>
void EventModel<D>::land(const StepInput<D>& in, const State<D>& state) {
  this->shift_.resize(in.bodies.size());
  for (std::size_t i = 0; i < in.bodies.size(); ++i) {
    const Flight<D> f = flights_[i].at(in.h);
    this->velocity_[i] = f.velocity;
    this->shift_[i] = {f.moved.linear - in.h * f.velocity.linear, f.moved.angular - in.h * f.velocity.angular};
    if (!options_.parabolic) continue;
    for (std::size_t c = 1; c < kForceClasses; ++c) {
      if (!this->wrenches_.used(static_cast<ForceClass>(c))) continue;
      const Wrench<D>& w = this->wrenches_.of(static_cast<ForceClass>(c))[i];
      this->report_.work[c] += w.force.dot(f.moved.linear) + w.torque.dot(f.moved.angular);
    }
  }
  if (options_.parabolic)
    this->report_.work[ForceClass::kExternal] += in.h * this->wrenches_.prescribed_power;
  else
    this->count_mean_work(in, state);
  this->gaps_.clear();
  for (const CollisionPoint<D>& p : this->points_)
    this->gaps_.push_back(p.gap + (p.velocity(flights_[p.a].at(in.h).moved, flights_[p.b].at(in.h).moved) - p.skin)[0]);
}

template <int D>
void EventModel<D>::show_hit(const StepInput<D>& in, const State<D>& state, const CollisionPoint<D>& point,
                             const Vec<D>& impulse) {
  seen_.assign(1, this->contacts_.list()[point.contact]);
  seen_[0].contact.point = state.position[point.b] + point.arm_b;
  seen_[0].impulse = point.axes * impulse;
  seen_[0].restitution = point.material.restitution;
  const std::array<std::uint32_t, 2> pair{point.a, point.b};
  in.observer->solved(
      {true, in.time, in.h, in.bodies, state, seen_, seen_before_, seen_before_, seen_after_, {}, {}, pair});
}

// The points that touch at the end of the step and have had their collisions: what still approaches is seen.
template <int D>
void EventModel<D>::show_end(const StepInput<D>& in, const State<D>& state) {
  seen_.clear();
  for (std::size_t i = 0; i < this->points_.size(); ++i) {
    const CollisionPoint<D>& p = this->points_[i];
    if (this->gaps_[i] > options_.rules.trigger || this->totals_[p.contact].impulse.isZero(0)) continue;
    seen_.push_back(this->contacts_.list()[p.contact]);
    seen_.back().impulse.setZero();
  }
  if (seen_.empty()) return;
  in.observer->solved(
      {true, in.time, in.h, in.bodies, state, seen_, this->velocity_, this->velocity_, this->velocity_, {}});
}

template <int D>
ModelReport EventModel<D>::step(const StepInput<D>& in, State<D>& state) {
  check_spring_step(in);
  this->begin(in, state);
  this->find_accelerations(in, state);
  this->free_.resize(in.bodies.size());
  start_flights(in);
  if (in.observer) seen_before_ = seen_after_ = this->free_;
  queue_.begin(this->points_, flights_, options_.rules, in.h);
  const std::int64_t most = options_.most * static_cast<std::int64_t>(this->points_.size());
  typename CollisionQueue<D>::Next next;
  while (queue_.next(next)) {
    in.stop.check();
    const bool too_many = ++this->report_.iterations > most;
    if (too_many || queue_.updates() > kMostUpdates) {
      this->report_.status = StepStatus::kNotConverged;
      this->report_.reason = too_many ? "the step needed more collisions than max_collisions a contact point allows"
                                      : "the step needed more than 20 million updates of collision times";
      stop_rest(in, next.time);
      break;
    }
    hit(in, state, next);
  }
  land(in, state);
  if (in.observer) show_end(in, state);
  this->finish(in, state);
  return this->report_;
}

template class EventModel<2>;
template class EventModel<3>;

}  // namespace touchstone

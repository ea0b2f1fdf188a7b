// Purpose: which contact point collides next, and when.
// Source: [mirtich1996, §2.3]: a heap of times of impact, of which only those of the two bodies of a collision are
// worked
//   out again; [hahn1988]: collisions one pair at a time in the order of their times.
// Letters: G gap above the trigger, U normal velocity, A normal acceleration; the gap is G + U·t + ½·A·t².
// Deviations: (1) Times are of contact points found at the start of the step, carried along without turning of normals,
//   instead of bounds on the distance of shapes: exact for the parabola, and of first order in how far bodies turn.
// Fails: never; who asks for the next collision has to stop asking at some number of them.
#include "models/pairwise/collision_queue.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace touchstone {

double time_to_collide(double gap, double velocity, double acceleration, double slowest) {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  if (gap <= 0) {
    if (velocity < -slowest) return 0;
    if (!(acceleration < 0)) return kNever;
    const double rise = std::max(velocity, 0.0);
    if (gap + 0.5 * rise * rise / -acceleration <= 0) return 2 * rise / -acceleration;
    return (rise + std::sqrt(rise * rise - 2 * acceleration * gap)) / -acceleration;
  }
  const double root = velocity * velocity - 2 * acceleration * gap;
  if (root < 0) return kNever;
  const double sum = std::sqrt(root) - velocity;
  if (!(sum > 0) || std::sqrt(root) <= slowest) return kNever;
  return 2 * gap / sum;
}

template <int D>
void CollisionQueue<D>::add(std::span<const CollisionPoint<D>> points, std::span<const Flight<D>> flights,
                            std::uint32_t i, double now) {
  const CollisionPoint<D>& p = points[i];
  const Vec<D> n = p.axes.col(0);
  double gap = p.gap - rules_.trigger, velocity = 0, acceleration = 0;
  const auto add_body = [&](const Flight<D>& f, const AngVec<D>& lever, double sign) {
    const auto along = [&](const Twist<D>& t) { return sign * (n.dot(t.linear) + lever.dot(t.angular)); };
    const double t = now - f.since, v = along(f.velocity), a = along(f.acceleration);
    gap += along(f.moved) + t * (v + 0.5 * t * a);
    velocity += v + t * a;
    acceleration += a;
  };
  add_body(flights[p.b], p.lever_b, 1);
  add_body(flights[p.a], p.lever_a, -1);
  ++updates_;
  const double time = now + time_to_collide(gap, velocity, acceleration, rules_.slowest);
  ++version_[i];
  if (!(time < end_)) return;
  heap_.push_back({time, order_++, i, version_[i]});
  std::push_heap(heap_.begin(), heap_.end());
}

template <int D>
void CollisionQueue<D>::begin(std::span<const CollisionPoint<D>> points, std::span<const Flight<D>> flights,
                              const QueueRules& rules, double end) {
  rules_ = rules;
  end_ = end;
  order_ = updates_ = 0;
  heap_.clear();
  version_.assign(points.size(), 0);
  first_.assign(flights.size() + 1, 0);
  for (const CollisionPoint<D>& p : points) ++first_[p.a], ++first_[p.b];
  std::uint32_t sum = 0;
  for (std::uint32_t& f : first_) f = sum += f;
  points_.resize(sum);
  for (std::uint32_t i = static_cast<std::uint32_t>(points.size()); i-- > 0;)
    points_[--first_[points[i].a]] = i, points_[--first_[points[i].b]] = i;
  for (std::uint32_t i = 0; i < points.size(); ++i) add(points, flights, i, 0);
}

template <int D>
bool CollisionQueue<D>::next(Next& out) {
  while (!heap_.empty()) {
    const Entry top = heap_.front();
    std::pop_heap(heap_.begin(), heap_.end());
    heap_.pop_back();
    if (top.version != version_[top.point]) continue;
    out = {top.point, top.time};
    return true;
  }
  return false;
}

template <int D>
void CollisionQueue<D>::update(std::span<const CollisionPoint<D>> points, std::span<const Flight<D>> flights,
                               const CollisionPoint<D>& point, bool moved_a, bool moved_b, double now) {
  const auto work_out = [&](std::uint32_t body, std::uint32_t other) {
    for (std::uint32_t k = first_[body]; k < first_[body + 1]; ++k) {
      const CollisionPoint<D>& p = points[points_[k]];
      if (p.a != other && p.b != other) add(points, flights, points_[k], now);
    }
  };
  constexpr std::uint32_t kNobody = 0xffffffff;
  if (moved_a) work_out(point.a, kNobody);
  if (moved_b) work_out(point.b, moved_a ? point.a : kNobody);
}

template class CollisionQueue<2>;
template class CollisionQueue<3>;

}  // namespace touchstone

// Purpose: samples of the gap with bounds of its rate, which are what makes the searches complete. The gap of convex
//   shapes is the largest separation along any direction, so the separation along the normal found at one time bounds
//   the gap at all times; a point at arm r moves along n with at most |n·v| + |n×ω|·r.
// Source: B. Mirtich, Impulse-based dynamic simulation of rigid body systems, PhD thesis, UC Berkeley 1996, §2.3.
// Letters: v relative velocity B − A, ω angular velocity, arm = distance of the core's farthest point from the axis.
// Deviations: (1) the arm is measured from the axis of rotation, not from the centre: a point on the axis stays; and to
//   the core, as the round part does not turn. (2) A turning half-space has no arm; what counts are the points of the
//   other shape, seen from its centre. (3) Surfaces made of pieces use the bound over all directions, and only
//   forwards: what is behind a surface of one side has no gap to it.
//   (4) Where that bound is too loose, the vertices of polytopes are followed one by one (fall_bound.cpp).
// Fails: never; for ellipsoids and cylinders that turn quickly the bound is loose, and costs evaluations.
#include "collision/toi/sweep.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "collision/narrow/core.h"
#include "geometry/concave.h"

namespace touchstone {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

template <int D>
FallBound<D>& workspace() {
  thread_local FallBound<D> fall;
  return fall;
}

// Distance of a point at arm r from the axis.
double from_axis(const AngVec<2>&, const Vec<2>& r) { return r.norm(); }
double from_axis(const Vec<3>& axis, const Vec<3>& r) { return cross(axis, r).norm(); }

template <int D>
double arm_of(const Moving<D>& m) {
  const double speed = m.angular_velocity.norm();
  if (!(speed > 0)) return 0;
  const AngVec<D> axis = m.angular_velocity / speed;
  const Core<D> core = core_of(m.shape);
  const Vec<D> offset = m.p - m.center;
  if (!core.polytope) return from_axis(axis, offset) + reach_of(m.shape);
  double most = 0;
  for (std::size_t i = 0; i < core.polytope->vertices.size(); ++i)
    most = std::max(most, from_axis(axis, Vec<D>(offset + m.R * core.vertex(i))));
  return most;
}

// Upper bound of the distance of any point of `m` from the centre of `from`, until the end.
template <int D>
double farthest(const Moving<D>& m, const Moving<D>& from, double duration) {
  const Vec<D> apart = m.center - from.center;
  const Vec<D> later = apart + (m.velocity - from.velocity) * duration;
  return std::max(apart.norm(), later.norm()) + (m.p - m.center).norm() + reach_of(m.shape);
}

// What a distance is known to [m]: the rounding of the coordinates that occur, and the 1e-10 of the size to which the
// distance of curved shapes is worked out.
template <int D>
double uncertainty(const Moving<D>& m, double duration) {
  const double far = m.p.norm() + m.center.norm() + m.velocity.norm() * duration, reach = reach_of(m.shape);
  return 8 * std::numeric_limits<double>::epsilon() * far + (std::isfinite(reach) ? 1e-10 * reach : 0.0);
}

}  // namespace

template <int D>
Sweep<D>::Sweep(const Moving<D>& a, const Moving<D>& b, const ImpactOptions<D>& options)
    : duration(std::max(0.0, options.duration)),
      a_(a),
      b_(b),
      closest_(options.closest),
      relative_velocity_(b.velocity - a.velocity),
      arm_a_(arm_of(a)),
      arm_b_(arm_of(b)),
      fall_(workspace<D>()),
      cap_(options.cap) {
  const double size = std::min(reach_of(a.shape), reach_of(b.shape));
  const double least = uncertainty(a, duration) + uncertainty(b, duration);
  distance = options.distance >= 0 ? options.distance : std::max(1e-6 * (std::isfinite(size) ? size : 1.0), 10 * least);
  tolerance = std::max(options.tolerance >= 0 ? options.tolerance : 0.1 * distance, least);
  surface_ = is_surface(a.shape.kind) || is_surface(b.shape.kind);
  directed_ = !surface_;
  if (!std::isfinite(arm_a_)) arm_a_ = farthest(b, a, duration), directed_ = false;
  if (!std::isfinite(arm_b_)) arm_b_ = farthest(a, b, duration), directed_ = false;
  greatest_rate_ = relative_velocity_.norm() + a.angular_velocity.norm() * arm_a_ + b.angular_velocity.norm() * arm_b_;
  // A surface is dear to ask about all its pieces: it is seen as far as a tenth of the way, or a few sizes.
  const double way = greatest_rate_ * duration;
  sight_ = surface_ ? distance + std::max(0.1 * way, 4 * (std::isfinite(size) ? size : 1.0)) : kInfinity;
}

template <int D>
void Sweep<D>::add_body(const Moving<D>& body, double t, const Vec<D>& outward, double sense, double arm) {
  if (!(body.angular_velocity.norm() > 0)) return;
  if (core_of(body.shape).polytope)
    fall_.add_points(body, t, outward, sense, arm);
  else
    fall_.add_rate(turning_along(outward, body.angular_velocity) * arm);
}

// How long the gap needs at least to fall by `height` from a sample, going on in time (sense +1) or back (−1). The
// bound by the greatest rate comes first; only if it does not reach to the end, the dearer one is asked.
template <int D>
double Sweep<D>::time_to_fall(const Sample<D>& s, double height, double sense) {
  const double rate = sense > 0 ? s.forward : s.backward, rest = sense > 0 ? duration - s.t : s.t;
  const double simple = rate > 0 ? height / rate : kInfinity;
  const bool turns = arm_a_ > 0 || arm_b_ > 0;
  if (!(simple < rest) || !directed_ || !turns) return simple;
  const Vec<D>& n = s.closest.normal;
  fall_.start(sense * n.dot(relative_velocity_));
  add_body(a_, s.t, -n, sense, arm_a_);
  add_body(b_, s.t, n, sense, arm_b_);
  const double refined = fall_.time_to_fall(height, rest);
  return refined < rest ? std::max(simple, refined) : kInfinity;
}

// Sense +1: later; −1: earlier.
template <int D>
double Sweep<D>::fall_rate(const Vec<D>& n, double sense) const {
  if (!directed_) return greatest_rate_;
  const double turning =
      turning_along(n, a_.angular_velocity) * arm_a_ + turning_along(n, b_.angular_velocity) * arm_b_;
  return std::max(0.0, turning - sense * n.dot(relative_velocity_));
}

template <int D>
Sample<D> Sweep<D>::sample(double t) {
  Sample<D> s;
  s.t = t;
  ++evaluations_;
  if (!closest_(a_.at(t), b_.at(t), sight_, memory_, s.closest)) s.closest.gap = sight_;
  s.forward = fall_rate(s.closest.normal, 1);
  s.backward = fall_rate(s.closest.normal, -1);
  return s;
}

template <int D>
bool Sweep<D>::free_between(const Sample<D>& first, const Sample<D>& second) {
  const double from_first = time_to_fall(first, first.gap() - distance, 1);
  if (from_first > second.t - first.t) return true;
  if (surface_) return false;  // the second may be behind it, having come through
  return from_first + time_to_fall(second, second.gap() - distance, -1) > second.t - first.t;
}

template <int D>
bool Sweep<D>::begin(Sample<D>& start, Impact<D>& out) {
  start = sample(0);
  if (touches(start)) return part(start, out);
  if (free_for(start) <= duration) return false;
  out = none();
  return true;
}

// Follows a touching pair until it has parted. Steps are such that the gap cannot fall by more than `slack` unseen.
template <int D>
bool Sweep<D>::part(Sample<D>& start, Impact<D>& out) {
  const double slack = std::max(distance, 4 * tolerance);
  Sample<D> top = start;  // where the gap was largest, last
  while (start.gap() <= distance + slack) {
    if (start.t >= duration) {
      out = none();
      return true;
    }
    if (exhausted()) {
      out = capped(start);
      return true;
    }
    const double step = time_to_fall(start, start.gap() - top.gap() + slack, 1);
    start = sample(std::min(duration, start.t + step));
    if (start.gap() >= top.gap()) top = start;
    if (start.gap() < top.gap() - (start.t < duration ? 0.5 * slack : tolerance)) {
      out = hit(top);
      if (!(top.t > 0)) out.status = Impact<D>::Status::kTouching;
      return true;
    }
  }
  return false;
}

template class Sweep<2>;
template class Sweep<3>;

}  // namespace touchstone

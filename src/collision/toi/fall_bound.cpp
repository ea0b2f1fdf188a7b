// Purpose: a bound of second order for turning polytopes. Each vertex is followed with its own height and speed along
//   the normal; what it can be off after a time τ is half its greatest acceleration times τ².
// Source: none known to us; it is Mirtich's bound [conservative_advancement.cpp] with one more term of the motion.
// Letters: h, s height and speed of a vertex along the normal, κ bound of its acceleration, τ time from now.
// Deviations: none.
// Fails: never. The bound is concave in τ, so that tangents find its zero from the right and chords from the left.
#include "collision/toi/fall_bound.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "collision/narrow/core.h"

namespace touchstone {

template <int D>
void FallBound<D>::start(double slope) {
  bodies_ = 0;
  slope_ = slope;
  curvature_ = 0;
}

template <int D>
void FallBound<D>::add_points(const Moving<D>& body, double t, const Vec<D>& outward, double sense, double arm) {
  const Placed<D> at = body.at(t);
  const Core<D> core = core_of(body.shape);
  const Vec<D> offset = at.p - (body.center + body.velocity * t);
  std::vector<Point>& points = points_[bodies_++];
  points.clear();
  double lowest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < core.polytope->vertices.size(); ++i) {
    const Vec<D> r = offset + at.R * core.vertex(i);
    points.push_back({outward.dot(r), sense * outward.dot(cross(body.angular_velocity, r))});
    lowest = std::min(lowest, points.back().height);
  }
  for (Point& p : points) p.height -= lowest;
  // The acceleration of a point at arm r is ω²·r, across the axis.
  curvature_ += turning_along(outward, body.angular_velocity) * body.angular_velocity.norm() * arm;
}

// height + slope·τ − ½κτ² + Σ over the bodies of min(h + s·τ), and its slope.
template <int D>
double FallBound<D>::left(double height, double time, double& slope) const {
  double value = height + slope_ * time - 0.5 * curvature_ * time * time;
  slope = slope_ - curvature_ * time;
  for (int b = 0; b < bodies_; ++b) {
    double least = std::numeric_limits<double>::infinity(), speed = 0;
    for (const Point& p : points_[b])
      if (const double h = p.height + p.speed * time; h < least) least = h, speed = p.speed;
    value += least, slope += speed;
  }
  return value;
}

template <int D>
double FallBound<D>::time_to_fall(double height, double longest) const {
  double slope, low = 0, low_value = height, high = longest, high_value = left(height, longest, slope);
  if (high_value >= 0) return longest;
  // Four rounds of tangent and chord leave a fraction of a percent, which the next evaluation makes good.
  for (int round = 0; round < 4 && low_value > 0; ++round) {
    const double tangent = slope < 0 ? high - high_value / slope : high;
    if (tangent > low && tangent < high) {
      high = tangent;
      high_value = left(height, high, slope);
      if (high_value >= 0) return high;
    }
    const double chord = low + (high - low) * low_value / (low_value - high_value);
    double unused;
    const double value = left(height, chord, unused);
    if (!(chord > low) || !(value >= 0)) break;
    low = chord, low_value = value;
  }
  return low;
}

template class FallBound<2>;
template class FallBound<3>;

}  // namespace touchstone

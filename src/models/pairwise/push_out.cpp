// Purpose: takes penetrations back by displacements, as a frictionless problem solved by projected Gauss-Seidel.
// Source: own; the same idea as in velocity_stepping.cpp.
// Letters: λ displacement impulse of a point, K_NN its response.
// Deviations: -
// Fails: never; what a few passes do not reach is left to the next step.
#include "models/pairwise/push_out.h"

#include <algorithm>

namespace touchstone {

template <int D>
double PushOut<D>::run(const PushOptions& options, double h, const Bodies<D>& bodies,
                       std::span<const CollisionPoint<D>> points, std::span<const double> gaps,
                       const Inertias<D>& inertias, State<D>& state) {
  constexpr int kPasses = 20;
  constexpr double kPart = 0.5;  // of a penetration, a step: all of it would overshoot where bodies turn
  double deepest = 0;
  for (const double gap : gaps) deepest = std::max(deepest, -gap);
  if (deepest <= options.slop) return deepest;
  moved_.assign(bodies.size(), Twist<D>{});
  pushed_.assign(points.size(), 0.0);
  for (int pass = 0; pass < kPasses; ++pass) {
    double change = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const CollisionPoint<D>& p = points[i];
      const double gap = gaps[i] > 0 ? gaps[i] : std::max(kPart * gaps[i], -options.speed * h);
      Twist<D>&a = moved_[p.a], &b = moved_[p.b];
      const Vec<D> n = p.axes.col(0);
      const double off = gap + n.dot(b.linear + cross(b.angular, p.arm_b) - a.linear - cross(a.angular, p.arm_a));
      const double next = std::max(0.0, pushed_[i] - off / p.k(0, 0)), push_by = next - pushed_[i];
      if (push_by == 0) continue;
      pushed_[i] = next;
      push(p, inertias, Vec<D>(push_by * Vec<D>::Unit(0)), true, true, a, b);
      change = std::max(change, std::abs(push_by) * p.k(0, 0));
    }
    if (change <= 0.1 * options.slop) break;
  }
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (!bodies.dynamic(i)) continue;
    state.position[i] += moved_[i].linear;
    state.orientation[i] = rotate_by(moved_[i].angular, state.orientation[i]);
  }
  return deepest;
}

template class PushOut<2>;
template class PushOut<3>;

}  // namespace touchstone

// Purpose: the balance of a solve, from velocities before and after and from the impulses that were reported.
// Source: Newton and Euler; work of an impulse r over a velocity that goes from u to u⁺: r·(u + u⁺)/2.
// Letters: M mass and inertia at the poses of the view, J rows of the contacts, k radius of gyration √(I/m).
// Deviations: none. Fails: never; bodies at rest without impulses have no error.
#include "contact/solve_balance.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/contact_laws.h"

namespace touchstone {
namespace {

template <int D>
std::span<const Twist<D>> without_contact(const SolveView<D>& view) {
  return view.impact ? view.before : view.free;
}

template <int D>
AngVec<D> angular_momentum(const SolveView<D>& view, std::size_t i, const AngVec<D>& w) {
  return apply_moments(frame_of(view.state.orientation[i]), view.bodies.inertia[i], w);
}

}  // namespace

template <int D>
void SolveBalance<D>::gather(const SolveView<D>& view) {
  received_.assign(view.bodies.size(), Received{Vec<D>::Zero(), AngVec<D>::Zero(), 0, 0});
  for (const SolvedContact<D>& c : view.contacts) {
    const double size = c.impulse.norm();
    const auto give = [&](std::uint32_t body, const Vec<D>& impulse) {
      Received& to = received_[body];
      const AngVec<D> angular = torque_of(Vec<D>(c.contact.point - view.state.position[body]), impulse);
      to.linear += impulse;
      to.angular += angular;
      to.size += size;
      to.turning += angular.norm();
    };
    give(c.contact.body_b, c.impulse);
    give(c.contact.body_a, Vec<D>(-c.impulse));
  }
  for (std::size_t i = 0; i < view.joints.size(); ++i) {
    received_[i].linear += view.joints[i].linear;
    received_[i].angular += view.joints[i].angular;
    received_[i].size += view.joints[i].linear.norm();
    received_[i].turning += view.joints[i].angular.norm();
  }
}

template <int D>
double SolveBalance<D>::momentum_error(const SolveView<D>& view, std::size_t i) const {
  const Twist<D>&from = without_contact(view)[i], &to = view.after[i];
  const Received& got = received_[i];
  const double m = view.bodies.mass[i], k = std::sqrt(view.bodies.inertia[i].maxCoeff() / m);
  const Vec<D> linear = m * (to.linear - from.linear) - got.linear;
  const AngVec<D> angular = angular_momentum(view, i, AngVec<D>(to.angular - from.angular)) - got.angular;
  const double passed = std::max({got.size, m * from.linear.norm(), m * to.linear.norm()});
  const double turned = std::max({got.turning, m * k * k * from.angular.norm(), m * k * k * to.angular.norm()});
  const double scale = std::max({passed, k > 0 ? turned / k : 0.0, m * kLeastSpeed});
  return std::max(linear.norm(), k > 0 ? angular.norm() / k : 0.0) / scale;
}

template <int D>
double SolveBalance<D>::energy_gain(const SolveView<D>& view) const {
  const std::span<const Twist<D>> start = without_contact(view);
  double gain = 0;
  for (std::size_t i = 0; i < view.bodies.size(); ++i) {
    if (!view.bodies.dynamic(i)) continue;
    const Twist<D>&from = start[i], &to = view.after[i];
    gain += 0.5 * view.bodies.mass[i] * (to.linear - from.linear).dot(to.linear + from.linear);
    gain +=
        0.5 * AngVec<D>(to.angular + from.angular).dot(angular_momentum(view, i, AngVec<D>(to.angular - from.angular)));
  }
  for (const SolvedContact<D>& c : view.contacts) {
    gain += c.impulse.dot(c.surface_velocity);
    const auto prescribed = [&](std::uint32_t body) -> double {
      if (view.bodies.dynamic(body)) return 0;
      const Vec<D> arm = c.contact.point - view.state.position[body];
      return 0.5 * c.impulse.dot(start[body].linear + view.after[body].linear +
                                 cross(AngVec<D>(start[body].angular + view.after[body].angular), arm));
    };
    gain += prescribed(c.contact.body_b) - prescribed(c.contact.body_a);
  }
  return gain;
}

template <int D>
double SolveBalance<D>::kinetic_energy(const SolveView<D>& view) {
  const auto of = [&](std::span<const Twist<D>> twists) {
    double energy = std::numeric_limits<double>::min();
    for (std::size_t i = 0; i < view.bodies.size(); ++i)
      if (view.bodies.dynamic(i))
        energy += 0.5 * (view.bodies.mass[i] * (twists[i].linear.squaredNorm() + kLeastSpeed * kLeastSpeed) +
                         twists[i].angular.dot(angular_momentum(view, i, twists[i].angular)));
    return energy;
  };
  return std::max(of(view.before), of(view.after));
}

template class SolveBalance<2>;
template class SolveBalance<3>;

}  // namespace touchstone

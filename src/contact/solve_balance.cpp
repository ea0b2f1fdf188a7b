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

template <int D>
double kinetic_energy_of(const SolveView<D>& view, const Twist<D>& twist, std::size_t i) {
  return 0.5 * (view.bodies.mass[i] * twist.linear.squaredNorm() +
                twist.angular.dot(angular_momentum(view, i, twist.angular)));
}

template <int D>
std::span<const double> without_contact(const SolveView<D>& view, const SolvedMechanism<D>& m) {
  return view.impact ? m.before : m.free;
}

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// √(pᵀ·M⁻¹·p) and √(vᵀ·M·v).
double size_of(const SymmetricOperator& mass, std::span<const double> p) {
  return std::sqrt(std::max(0.0, inverse_form(mass, p)));
}
double size_of_motion(const SymmetricOperator& mass, std::span<const double> v) {
  return std::sqrt(std::max(0.0, quadratic_form(mass, v)));
}

}  // namespace

template <int D>
void SolveBalance<D>::give(const SolvedMechanism<D>& to, std::uint32_t body, const Vec<D>& linear,
                           const AngVec<D>& angular, Generalised& received) {
  row_.assign(received.impulse.size(), 0.0);
  to.mechanism->add_row(body, linear, angular, row_);
  for (std::size_t k = 0; k < row_.size(); ++k) received.impulse[k] += row_[k];
  received.size += size_of(to.mechanism->mass(), row_);
}

template <int D>
void SolveBalance<D>::gather_mechanisms(const SolveView<D>& view) {
  mechanism_of_.clear();
  generalised_.resize(view.mechanisms.size());
  if (view.mechanisms.empty()) return;
  mechanism_of_.assign(view.bodies.size(), kFree);
  for (std::uint32_t m = 0; m < view.mechanisms.size(); ++m) {
    const SolvedMechanism<D>& one = view.mechanisms[m];
    for (const std::uint32_t body : one.mechanism->bodies()) mechanism_of_[body] = m;
    generalised_[m].impulse.assign(one.after.size(), 0.0);
    generalised_[m].size = 0;
    if (one.joints.empty()) continue;
    std::copy(one.joints.begin(), one.joints.end(), generalised_[m].impulse.begin());
    generalised_[m].size = size_of(one.mechanism->mass(), one.joints);
  }
  for (const SolvedContact<D>& c : view.contacts) {
    const auto of = [&](std::uint32_t body, const Vec<D>& impulse) {
      if (!in_mechanism(body)) return;
      const std::uint32_t m = mechanism_of_[body];
      const AngVec<D> angular = torque_of(Vec<D>(c.contact.point - view.state.position[body]), impulse);
      give(view.mechanisms[m], body, impulse, angular, generalised_[m]);
    };
    of(c.contact.body_b, c.impulse);
    of(c.contact.body_a, Vec<D>(-c.impulse));
  }
}

template <int D>
void SolveBalance<D>::gather(const SolveView<D>& view) {
  const Received nothing{Vec<D>::Zero(), AngVec<D>::Zero(), 0, 0};
  if (view.moved.empty() || received_.size() != view.bodies.size()) received_.assign(view.bodies.size(), nothing);
  for (const std::uint32_t i : view.moved) received_[i] = nothing;
  for (const SolvedContact<D>& c : view.contacts) {
    const double size = c.impulse.norm();
    const auto give = [&](std::uint32_t body, const Vec<D>& impulse) {
      if (!view.bodies.dynamic(body)) return;
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
  gather_mechanisms(view);
}

// ‖M(v⁺ − v) − Jᵀr‖ in the norm of M⁻¹.
template <int D>
typename SolveBalance<D>::OfBody SolveBalance<D>::of_mechanism(const SolveView<D>& view, std::size_t m) const {
  const SolvedMechanism<D>& one = view.mechanisms[m];
  const SymmetricOperator& mass = one.mechanism->mass();
  const std::span<const double> from = without_contact(view, one);
  const std::size_t n = from.size();
  FewNumbers change(n), sum(n), momentum(n), slow(n);
  for (std::size_t k = 0; k < n; ++k) {
    change.all()[k] = one.after[k] - from[k], sum.all()[k] = one.after[k] + from[k];
    slow.all()[k] = kLeastSpeed;
  }
  const std::span<double> left = momentum.all();
  mass.multiply(change.all(), left);
  double gain = 0.5 * dot(left, sum.all());
  if (!one.joints.empty()) gain -= 0.5 * dot(one.joints, sum.all());
  for (std::size_t k = 0; k < n; ++k) left[k] -= generalised_[m].impulse[k];
  const double scale = std::max({generalised_[m].size, size_of_motion(mass, from), size_of_motion(mass, one.after),
                                 size_of_motion(mass, slow.all())});
  return {size_of(mass, left) / scale, gain};
}

template <int D>
typename SolveBalance<D>::OfBody SolveBalance<D>::of_body(const SolveView<D>& view, std::size_t i) const {
  const Twist<D>&from = without_contact(view)[i], &to = view.after[i];
  const Received& got = received_[i];
  const Vec<D> dv = to.linear - from.linear;
  const AngVec<D> dw = to.angular - from.angular;
  if (got.size == 0 && got.turning == 0 && dv.isZero(0) && dw.isZero(0)) return {};
  const double m = view.bodies.mass[i], k2 = view.bodies.inertia[i].maxCoeff() / m;
  const AngVec<D> spin = angular_momentum(view, i, dw);
  const double linear = (m * dv - got.linear).squaredNorm(), angular = (spin - got.angular).squaredNorm();
  const double v2 = std::max(from.linear.squaredNorm(), to.linear.squaredNorm());
  const double w2 = std::max(from.angular.squaredNorm(), to.angular.squaredNorm());
  const double scale2 = std::max({got.size * got.size, m * m * std::max(v2, kLeastSpeed * kLeastSpeed), m * m * k2 * w2,
                                  k2 > 0 ? got.turning * got.turning / k2 : 0.0});
  double gain = 0.5 * (m * dv.dot(to.linear + from.linear) + spin.dot(to.angular + from.angular));
  if (i < view.joints.size())  // motors and moved bodies work through joints
    gain -= 0.5 * (view.joints[i].linear.dot(to.linear + from.linear) +
                   view.joints[i].angular.dot(to.angular + from.angular));
  return {std::sqrt(std::max(linear, k2 > 0 ? angular / k2 : 0.0) / scale2), gain};
}

template <int D>
double SolveBalance<D>::prescribed_work(const SolveView<D>& view) {
  const std::span<const Twist<D>> start = without_contact(view);
  double work = 0;
  for (const SolvedContact<D>& c : view.contacts) {
    const auto of = [&](std::uint32_t body) -> double {
      if (view.bodies.kind[body] != BodyKind::kKinematic) return 0;
      const Vec<D> arm = c.contact.point - view.state.position[body];
      return 0.5 * c.impulse.dot(start[body].linear + view.after[body].linear +
                                 cross(AngVec<D>(start[body].angular + view.after[body].angular), arm));
    };
    work -= c.impulse.dot(c.surface_velocity) + of(c.contact.body_b) - of(c.contact.body_a);
  }
  return work;
}

template <int D>
double SolveBalance<D>::rest_energy(const SolveView<D>& view, double gravity) const {
  double weight = 0, before = 0, after = 0;
  for_moved(view, [&](std::size_t i) {
    if (!(received_[i].size > 0)) return;  // bodies of mechanisms by their own motion
    weight += view.bodies.mass[i] * gravity * 2 * view.bodies.radius[i];
    before += kinetic_energy_of(view, view.before[i], i), after += kinetic_energy_of(view, view.after[i], i);
  });
  return std::max(before, after) < 0.5 * kRestingSpeed * kRestingSpeed * weight ? weight : 0.0;
}

template <int D>
template <class Slots>
double SolveBalance<D>::energy_of(const SolveView<D>& view, std::span<const Twist<D>> twists,
                                  std::span<const double> SolvedMechanism<D>::*velocities,
                                  const Slots& for_slots) const {
  double energy = std::numeric_limits<double>::min();
  for_slots([&](std::size_t i) {
    if (!in_mechanism(i))
      energy += kinetic_energy_of(view, twists[i], i) + 0.5 * view.bodies.mass[i] * kLeastSpeed * kLeastSpeed;
  });
  for (const SolvedMechanism<D>& m : view.mechanisms) {
    const double size = size_of_motion(m.mechanism->mass(), m.*velocities);
    energy += 0.5 * size * size;
  }
  return energy;
}

template <int D>
double SolveBalance<D>::kinetic_energy(const SolveView<D>& view) const {
  const auto slots = [&](const auto& visit) { for_moved(view, visit); };
  return std::max(energy_of(view, view.before, &SolvedMechanism<D>::before, slots),
                  energy_of(view, view.after, &SolvedMechanism<D>::after, slots));
}

template <int D>
double SolveBalance<D>::kinetic_energy_of_all(const SolveView<D>& view) const {
  return energy_of(view, view.before, &SolvedMechanism<D>::before, [&](const auto& visit) {
    for (std::size_t i = 0; i < view.bodies.size(); ++i)
      if (view.bodies.dynamic(i)) visit(i);
  });
}

template class SolveBalance<2>;
template class SolveBalance<3>;

}  // namespace touchstone

// Purpose: resolves the collisions of an instant.
// Source: [bender2006, §3.1, eqs 1-6].
// Letters: u relative velocity (normal first), u^c its target −e·u_n, p accumulated impulse, K as in the paper.
// Deviations: (1) friction is clamped on the accumulated vector, not by the impulse of one iteration (eq 4): a negative
//   correction would add friction and leave the cone. (2) Eq 5 is solved with the 2×2 tangential block. (3) A pass has
//   only the pairs that collide now, each with a fresh target: that, and not a simultaneous solve, is what makes the
//   last ball of a row fly off.
// Fails: a pass that does not converge in kMaxSweeps, or kMaxPasses passes, is reported as not converged.
#include "models/impulse/impact.h"

#include <algorithm>
#include <cmath>

#include "contact/contact_frame.h"

namespace touchstone {
namespace {

constexpr std::int64_t kMaxSweeps = 2000, kMaxPasses = 1000;
// A pass ends when no velocity changes by more than this part of the fastest approach: rounding is 1e-16, and 1e-6
// would show in the energy after a thousand collisions.
constexpr double kVelocityTolerance = 1e-11;

template <int D>
double greatest_tangential(const Mat<D>& k) {
  if constexpr (D == 2) return k(1, 1);
  const double half = 0.5 * (k(1, 1) - k(D - 1, D - 1)), c = k(1, D - 1);
  return 0.5 * (k(1, 1) + k(D - 1, D - 1)) + std::sqrt(half * half + c * c);
}

}  // namespace

template <int D>
Vec<D> Impacts<D>::velocity_of(const Colliding& c, std::span<const ContactRecord<D>> records,
                               const State<D>& state) const {
  const ContactRecord<D>& r = records[c.record];
  const std::uint32_t a = r.contact->body_a, b = r.contact->body_b;
  return c.axes.transpose() * Vec<D>(state.velocity[b] + cross(state.angular_velocity[b], c.arm_b) - state.velocity[a] -
                                     cross(state.angular_velocity[a], c.arm_a) + r.sides->skin);
}

// What of it belongs to bodies that do not move by forces, and to belts.
template <int D>
Vec<D> Impacts<D>::prescribed_velocity(const Bodies<D>& bodies, const Colliding& c, const ContactRecord<D>& r,
                                       const State<D>& state) const {
  const auto of = [&](std::uint32_t body, const Vec<D>& arm) -> Vec<D> {
    if (bodies.dynamic(body)) return Vec<D>::Zero();
    return state.velocity[body] + cross(state.angular_velocity[body], arm);
  };
  return c.axes.transpose() * Vec<D>(of(r.contact->body_b, c.arm_b) - of(r.contact->body_a, c.arm_a) + r.sides->skin);
}

// Those that collide now. After the first pass only contacts of bodies that it has stirred can have changed.
template <int D>
void Impacts<D>::select(const ImpactInput<D>& in, std::span<ContactRecord<D>> records, const State<D>& state) {
  const Bodies<D>& bodies = in.step.bodies;
  colliding_.clear();
  for (std::size_t i = 0; i < records.size(); ++i) {
    const ContactRecord<D>& r = records[i];
    const std::uint32_t a = r.contact->body_a, b = r.contact->body_b;
    if (!stirred_[a] && !stirred_[b]) continue;
    const ContactSides<D>& sides = *r.sides;
    if (sides.material->restitution == 0 && in.reach_time > 0) continue;  // the resting contacts stop it as well
    const Vec<D>& n = r.contact->normal;
    Vec<D> apart = n * r.contact->gap, to_a = arm_of_a<D>(*r.contact, in.position),
           to_b = arm_of_b<D>(*r.contact, in.position);
    double gap = r.contact->gap;
    if (!in.still) {
      const Displacement<D>&da = in.displacement[a], &db = in.displacement[b];
      const Vec<D> turn_a = da.material * Vec<D>(to_a - sides.radius_a * n),
                   turn_b = db.material * Vec<D>(to_b + sides.radius_b * n);
      apart += (db.dx + turn_b) - (da.dx + turn_a);
      gap = apart.dot(turned_normal(sides, n, da.material, db.material));
      to_a += turn_a, to_b += turn_b;
    }
    to_a += (1 - sides.weight_a) * apart;
    to_b -= sides.weight_a * apart;
    const Vec<D> u = state.velocity[b] + cross(state.angular_velocity[b], to_b) - state.velocity[a] -
                     cross(state.angular_velocity[a], to_a);
    const double un = n.dot(u);
    if (-un <= in.threshold || gap + in.reach_time * un > in.touching) continue;
    Colliding c;
    c.record = i;
    c.arm_a = to_a, c.arm_b = to_b;
    c.axes = frame_of_normal(n);
    Mat<D> response = (bodies.inv_mass[a] + bodies.inv_mass[b]) * Mat<D>::Identity();
    for (int j = 0; j < D; ++j) {
      const Vec<D> e = Vec<D>::Unit(j);
      response.col(j) += cross(AngVec<D>(in.inv_inertia[a] * torque_of(c.arm_a, e)), c.arm_a) +
                         cross(AngVec<D>(in.inv_inertia[b] * torque_of(c.arm_b, e)), c.arm_b);
    }
    c.k = c.axes.transpose() * response * c.axes;
    c.inv_k_tangent = c.k.template bottomRightCorner<D - 1, D - 1>().inverse();
    c.lambda = greatest_tangential<D>(c.k);
    c.before = velocity_of(c, records, state);
    c.target = -sides.material->restitution * c.before[0];  // u^c
    colliding_.push_back(c);
  }
}

// One visit of a contact; returns by how much the relative velocity changed.
template <int D>
double Impacts<D>::solve(const ImpactInput<D>& in, std::span<const ContactRecord<D>> records, Colliding& c,
                         State<D>& state) {
  const ContactRecord<D>& r = records[c.record];
  const Bodies<D>& bodies = in.step.bodies;
  const PairMaterial& material = *r.sides->material;
  const Vec<D> u = velocity_of(c, records, state);
  Vec<D> p = c.p;
  p[0] = std::max(0.0, c.p[0] - (u[0] - c.target) / c.k(0, 0));  // eqs 1-3
  const Vec<D> after_normal = u + c.k.col(0) * (p[0] - c.p[0]);
  const Eigen::Matrix<double, D - 1, 1> ut = after_normal.template tail<D - 1>(), pt = c.p.template tail<D - 1>();
  const Eigen::Matrix<double, D - 1, 1> stick = pt - c.inv_k_tangent * ut;  // eq 5
  const double limit = (c.stuck ? material.static_friction : material.dynamic_friction) * p[0];
  c.stuck = stick.norm() <= limit;  // eq 6
  if (c.stuck) {
    p.template tail<D - 1>() = stick;
  } else {
    const Eigen::Matrix<double, D - 1, 1> z = pt - ut / c.lambda;  // eq 4 on the sums
    const double length = z.norm();
    p.template tail<D - 1>() = length > 0
                                   ? Eigen::Matrix<double, D - 1, 1>(z * (material.dynamic_friction * p[0] / length))
                                   : Eigen::Matrix<double, D - 1, 1>(0.0 * z);
  }
  const Vec<D> change = p - c.p, push = c.axes * change;
  c.p = p;
  const std::uint32_t a = r.contact->body_a, b = r.contact->body_b;
  state.velocity[a] -= bodies.inv_mass[a] * push;
  state.angular_velocity[a] -= in.inv_inertia[a] * torque_of(c.arm_a, push);
  state.velocity[b] += bodies.inv_mass[b] * push;
  state.angular_velocity[b] += in.inv_inertia[b] * torque_of(c.arm_b, push);
  return (c.k * change).cwiseAbs().maxCoeff();
}

// Visits contacts whose bodies have changed by more than what is `enough` since they were visited last; the first sweep
// all of them. Good enough where the resting contacts have the last word.
template <int D>
double Impacts<D>::sweep_some(const ImpactInput<D>& in, std::span<const ContactRecord<D>> records, std::uint8_t number,
                              double enough, State<D>& state) {
  double most = 0;
  for (Colliding& c : colliding_) {
    const Contact<D>& contact = *records[c.record].contact;
    if (number > 1 && changed_[contact.body_a] + 1 < number && changed_[contact.body_b] + 1 < number) continue;
    const double change = solve(in, records, c, state);
    most = std::max(most, change);
    if (change <= enough) continue;
    for (const std::uint32_t body : {contact.body_a, contact.body_b})
      if (in.step.bodies.dynamic(body)) changed_[body] = number;
  }
  return most;
}

// Joints pass impulses on: they hold at the instant, too.
template <int D>
double Impacts<D>::sweep_joints(const ImpactInput<D>& in, State<D>& state) {
  for (std::size_t i = 0; i < state.size(); ++i)
    set_velocity(in.scratch[i], state.velocity[i], state.angular_velocity[i]);
  const double change = in.joints.sweep(in.scratch);
  for (std::size_t i = 0; i < state.size(); ++i)
    if (in.step.bodies.dynamic(i)) get_velocity(in.scratch[i], state.velocity[i], state.angular_velocity[i]);
  return change;
}

template <int D>
void Impacts<D>::finish(const ImpactInput<D>& in, std::span<ContactRecord<D>> records, const State<D>& state,
                        ImpactReport& report) {
  for (const Colliding& c : colliding_) {
    const Vec<D> after = velocity_of(c, records, state);
    const double gain = 0.5 * c.p.dot(c.before + after);
    report.gain += gain;
    report.work += gain - c.p.dot(prescribed_velocity(in.step.bodies, c, records[c.record], state));
    records[c.record].total += c.axes * c.p;
  }
  report.collisions += static_cast<std::int64_t>(colliding_.size());
}

template <int D>
void Impacts<D>::count_joint_work(const ImpactInput<D>& in, const State<D>& state, ImpactReport& report) const {
  const auto mean = [&](std::uint32_t i) {
    return Twist<D>{0.5 * (before_[i].linear + state.velocity[i]),
                    0.5 * (before_[i].angular + state.angular_velocity[i])};
  };
  double all = 0, motors = 0;
  in.joints.add_work(in.step.bodies, mean, all, motors);
  report.joint_work += all - motors;
  report.motor_work += motors;
}

template <int D>
void Impacts<D>::show(const ImpactInput<D>& in, std::span<const ContactRecord<D>> records, const State<D>& state) {
  shown_.clear();
  for (const Colliding& c : colliding_) {
    shown_.push_back(solved(c, records, state));
    shown_.back().course = in.law != RestitutionLaw::kNewton;
  }
  joint_push_.assign(in.joints.empty() ? 0 : state.size(), BodyImpulse<D>{});
  if (!in.joints.empty()) in.joints.body_impulses(joint_push_);
  after_.resize(state.size());
  for (std::size_t i = 0; i < state.size(); ++i) after_[i] = {state.velocity[i], state.angular_velocity[i]};
  in.step.observer->solved({true, in.time, in.h, in.step.bodies, state, shown_, before_, before_, after_, joint_push_});
}

template <int D>
void Impacts<D>::stir(const Bodies<D>& bodies, std::span<const ContactRecord<D>> records) {
  std::fill(stirred_.begin(), stirred_.end(), 0);
  for (const Colliding& c : colliding_)
    for (const std::uint32_t body : {records[c.record].contact->body_a, records[c.record].contact->body_b})
      stirred_[body] = bodies.dynamic(body);
}

// Sweeps until no velocity changes by more than what is `enough`. Whether that was reached.
template <int D>
bool Impacts<D>::sweep(const ImpactInput<D>& in, std::span<const ContactRecord<D>> records, double enough,
                       State<D>& state, ImpactReport& report) {
  const bool bounded = in.most_passes > 0;
  const std::int64_t most_sweeps = bounded ? in.most_sweeps : kMaxSweeps;
  const bool some = bounded && in.joints.empty();  // joints change bodies, too
  if (some) std::fill(changed_.begin(), changed_.end(), 0);
  std::int64_t sweeps = 0;
  double change = 0;
  do {
    in.step.stop.check();
    change = some ? sweep_some(in, records, static_cast<std::uint8_t>(sweeps + 1), enough, state) : 0;
    if (!some)
      for (Colliding& c : colliding_) change = std::max(change, solve(in, records, c, state));
    if (!in.joints.empty()) change = std::max(change, sweep_joints(in, state));
  } while (++sweeps < most_sweeps && change > enough);
  report.sweeps += sweeps;
  return bounded || change <= enough;
}

template <int D>
ImpactReport Impacts<D>::resolve(const ImpactInput<D>& in, std::span<ContactRecord<D>> records, State<D>& state) {
  ImpactReport report;
  const bool bounded = in.most_passes > 0;
  const std::int64_t most_passes = bounded ? in.most_passes : kMaxPasses;
  const bool course = in.law != RestitutionLaw::kNewton;
  const Bodies<D>& bodies = in.step.bodies;
  stirred_.resize(bodies.size());
  changed_.resize(bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) stirred_[i] = bodies.dynamic(i);
  while (report.passes < most_passes) {
    select(in, records, state);
    if (colliding_.empty()) return report;
    if (in.joints.empty()) stir(bodies, records);
    ++report.passes;
    if (in.step.observer || !in.joints.empty() || course) {
      before_.resize(state.size());
      for (std::size_t i = 0; i < state.size(); ++i) before_[i] = {state.velocity[i], state.angular_velocity[i]};
    }
    if (!in.joints.empty()) in.joints.prepare(in.step, state, in.inv_inertia, in.h, false, 0.0);
    double fastest = 0;
    for (const Colliding& c : colliding_) fastest = std::max(fastest, c.before.norm());
    const double enough = std::max(in.tolerance, kVelocityTolerance * fastest);
    report.converged &= course ? follow(in, records, enough, state, report) : sweep(in, records, enough, state, report);
    finish(in, records, state, report);
    if (!in.joints.empty()) in.joints.add_totals(in.step, state), count_joint_work(in, state, report);
    if (in.step.observer) show(in, records, state);
  }
  report.converged = bounded;
  return report;
}

template class Impacts<2>;
template class Impacts<3>;

}  // namespace touchstone

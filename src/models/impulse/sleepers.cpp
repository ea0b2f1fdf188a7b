// Purpose: puts islands of bodies that rest to sleep, and wakes them. An island is what contacts, joints and springs
//   hold together; all of it sleeps or nothing of it.
// Source: own; the usual rule of a speed and a time.
// Letters: v, ω velocities; r a body's radius.
// Deviations: -
// Fails: never. What moves more slowly than the limit for long enough is stopped, also where it would have gone on.
#include "models/impulse/sleepers.h"

#include <algorithm>
#include <cmath>

namespace touchstone {
namespace {

double angle_between(double a, double b) { return std::abs(a - b); }
double angle_between(const Eigen::Quaterniond& a, const Eigen::Quaterniond& b) {
  return 2 * std::asin(std::min(1.0, (a * b.conjugate()).vec().norm()));
}

}  // namespace

template <int D>
void Sleepers<D>::resize(std::size_t n) {
  now_.island.resize(n, kAwake);
  now_.rested.resize(n, 0.0);
  now_.stirs.resize(n, 0);
  now_.force.resize(n, Vec<D>::Zero());
  now_.torque.resize(n, AngVec<D>::Zero());
}

template <int D>
void Sleepers<D>::begin(const StepInput<D>& in, const State<D>& state) {
  const std::size_t n = in.bodies.size();
  real_ = &in.bodies;
  resize(n);
  kept_ = now_;
  start_position_ = state.position;
  start_orientation_ = state.orientation;
  masked_ = in.bodies;
  asleep_ = dynamic_ = 0;
  for (std::size_t i = 0; i < n; ++i) {
    dynamic_ += in.bodies.dynamic(i);
    if (now_.island[i] > i || !in.bodies.dynamic(i)) now_.island[i] = kAwake;  // a damaged snapshot
    if (now_.island[i] == kAwake) continue;
    ++asleep_;
    masked_.inv_mass[i] = 0;
    masked_.inv_inertia[i].setZero();
  }
  stir(in, state);
  if (any()) wake_pushed(in, state);
}

// Kinematic bodies that move, or are about to, stir in this step and in the next, at whose start they are found where
// they have come to.
template <int D>
void Sleepers<D>::stir(const StepInput<D>& in, const State<D>& state) {
  constexpr std::uint8_t kSteps = 2;
  for (const auto& [body, motion] : in.motions) {
    const MotionSample<D> end = motion.at(in.time + in.h);
    const bool moves = !state.velocity[body].isZero(0) || !state.angular_velocity[body].isZero(0) ||
                       !end.velocity.isZero(0) || !end.angular_velocity.isZero(0) || end.pose.p != state.position[body];
    if (moves) now_.stirs[body] = kSteps;
  }
}

template <int D>
const std::vector<Wrench<D>>& Sleepers<D>::forces_on(const StepInput<D>& in, const State<D>& state,
                                                     Evaluation evaluation) {
  wrenches_.reset(in.bodies.size());
  evaluate_forces(in.bodies, in.forces, in.time, in.h, state, wrenches_, evaluation);
  return wrenches_.total();
}

// Whether another wrench acts on the body than when it fell asleep. A sleeping body does not move, so that the same
// forces are the same to all digits; but a callback was last called while it still crept, and may depend on that.
template <int D>
bool Sleepers<D>::pushed(const StepInput<D>& in, std::uint32_t body, const Wrench<D>& wrench) const {
  constexpr double kSame = 1e-6;  // of the force then and of the weight
  const Vec<D> force = wrench.force - now_.force[body];
  const AngVec<D> torque = wrench.torque - now_.torque[body];
  if (!in.forces.user) return !force.isZero(0) || !torque.isZero(0);
  const double scale = kSame * (now_.force[body].norm() + in.bodies.mass[body] * in.forces.gravity.norm());
  return force.norm() > scale || torque.norm() > kSame * now_.torque[body].norm() + scale * in.bodies.radius[body];
}

// Whether a motor asks for another speed or force than when its bodies fell asleep. Its speed follows a coordinate that
// still crept then: what is slower than the limit for sleep does not count.
template <int D>
bool Sleepers<D>::driven(const Joint<D>& j, std::size_t index) const {
  if (index >= now_.motors.size()) return true;  // joints have changed
  if (!j.has_motor) return now_.motors[index][1] > 0;
  const auto radius = [&](std::uint32_t body) { return body == kWorldBody ? 0.0 : masked_.radius[body]; };
  const double arm = is_angle(j.kind) ? std::max(radius(j.body_a), radius(j.body_b)) : 1.0;
  return arm * std::abs(j.motor_speed - now_.motors[index][0]) > speed_ || j.motor_max_force != now_.motors[index][1];
}

template <int D>
void Sleepers<D>::wake_pushed(const StepInput<D>& in, const State<D>& state) {
  const std::vector<Wrench<D>>& wrench = forces_on(in, state, Evaluation::kPreview);
  for (std::uint32_t i = 0; i < in.bodies.size(); ++i)
    if (sleeps(i) && pushed(in, i, wrench[i])) wake(i);
  for (std::size_t k = 0; k < in.joints.size(); ++k) {
    const Joint<D>& j = in.joints[k];
    if (driven(j, k)) wake(j.body_a), wake(j.body_b);
    // What is joined to something that is moved for it.
    if (j.body_a == kWorldBody || j.body_b == kWorldBody) continue;
    if (sleeps(j.body_a) && now_.stirs[j.body_b] > 0) wake(j.body_a);
    if (sleeps(j.body_b) && now_.stirs[j.body_a] > 0) wake(j.body_b);
  }
}

template <int D>
void Sleepers<D>::wake(std::uint32_t body) {
  if (!sleeps(body)) return;
  const std::uint32_t island = now_.island[body];
  for (std::size_t i = 0; i < now_.island.size(); ++i) {
    if (now_.island[i] != island) continue;
    now_.island[i] = kAwake;
    now_.rested[i] = 0;
    if (!real_ || i >= masked_.size() || i >= real_->size()) continue;
    masked_.inv_mass[i] = real_->inv_mass[i];
    masked_.inv_inertia[i] = real_->inv_inertia[i];
    --asleep_;
  }
}

template <int D>
bool Sleepers<D>::wake_touched(std::span<const ContactRecord<D>> records, std::span<const ContactMemory<D>> memory,
                               const Vec<D>& gravity, double length, double near, const State<D>& state) {
  if (!any()) return false;
  bool woke = wake_lost(records, memory);
  for (const ContactRecord<D>& r : records) {
    const Contact<D>& c = *r.contact;
    const std::uint32_t a = c.body_a, b = c.body_b;
    if (sleeps(a) == sleeps(b)) continue;
    const std::uint32_t other = sleeps(a) ? b : a;
    if (!masked_.dynamic(other) && now_.stirs[other] == 0) continue;
    const auto velocity = [&](std::uint32_t i) {
      const double fall = masked_.dynamic(i) ? length * masked_.gravity_scale[i] : 0.0;
      return Vec<D>(state.point_velocity(i, c.point) + fall * gravity);
    };
    const double gap = c.gap + length * c.normal.dot(velocity(b) - velocity(a));
    if (r.impulse.isZero(0) && gap > near) continue;
    wake(sleeps(a) ? a : b);
    woke = true;
  }
  return woke;
}

// A contact that carried load is not found any more although nothing has moved: it was taken away.
template <int D>
bool Sleepers<D>::wake_lost(std::span<const ContactRecord<D>> records, std::span<const ContactMemory<D>> memory) {
  bool woke = false;
  std::size_t i = 0;
  for (const ContactMemory<D>& m : memory) {
    if (!sleeps(m.body_a) && !sleeps(m.body_b)) continue;
    while (i < records.size() && records[i].contact->key >> 16 < m.key >> 16) ++i;
    if (i < records.size() && records[i].contact->key >> 16 == m.key >> 16) continue;
    wake(m.body_a), wake(m.body_b);
    woke = true;
  }
  return woke;
}

// Movement counts as well as velocity: bodies that overlap are moved apart without one. Returns whether some body that
// is awake has rested for long enough.
template <int D>
bool Sleepers<D>::count_rest(const StepInput<D>& in, const State<D>& state) {
  bool some = false;
  for (std::uint32_t i = 0; i < in.bodies.size(); ++i) {
    if (!in.bodies.dynamic(i) || sleeps(i)) continue;
    const double r = in.bodies.radius[i];
    const double speed = state.velocity[i].norm() + r * state.angular_velocity[i].norm();
    const double way = (state.position[i] - start_position_[i]).norm() +
                       r * angle_between(state.orientation[i], start_orientation_[i]);
    now_.rested[i] = speed < speed_ && way < speed_ * in.h ? now_.rested[i] + in.h : 0.0;
    some |= now_.rested[i] >= time_;
  }
  return some;
}

template <int D>
std::uint32_t Sleepers<D>::root(std::uint32_t body) {
  while (parent_[body] != body) body = parent_[body] = parent_[parent_[body]];
  return body;
}

// The first body of an island is its root. What touches a body that stirs is restless.
template <int D>
void Sleepers<D>::connect(const Bodies<D>& bodies, std::uint32_t a, std::uint32_t b) {
  if (a == kWorldBody || b == kWorldBody) return;
  if (bodies.dynamic(a) && bodies.dynamic(b)) {
    const std::uint32_t x = root(a), y = root(b);
    parent_[std::max(x, y)] = std::min(x, y);
  } else {
    const std::uint32_t mover = bodies.dynamic(a) ? b : a, moved = bodies.dynamic(a) ? a : b;
    if (now_.stirs[mover] > 0) restless_[moved] = 1;
  }
}

template <int D>
void Sleepers<D>::find_islands(const StepInput<D>& in, std::span<const ContactRecord<D>> records,
                               std::span<const double> gaps, double near) {
  const std::uint32_t n = static_cast<std::uint32_t>(in.bodies.size());
  parent_.resize(n);
  restless_.assign(n, 0);
  for (std::uint32_t i = 0; i < n; ++i) {
    parent_[i] = sleeps(i) ? now_.island[i] : i;
    restless_[i] = in.bodies.dynamic(i) && now_.rested[i] < time_;
  }
  for (std::size_t i = 0; i < records.size(); ++i)
    if (!records[i].impulse.isZero(0) || gaps[i] <= near)
      connect(in.bodies, records[i].contact->body_a, records[i].contact->body_b);
  for (const Joint<D>& j : in.joints) connect(in.bodies, j.body_a, j.body_b);
  for (const Spring<D>& s : in.forces.springs) connect(in.bodies, s.body_a, s.body_b);
  for (std::uint32_t i = 0; i < n; ++i)
    if (restless_[i]) restless_[root(i)] = 1;
}

template <int D>
double Sleepers<D>::end(const StepInput<D>& in, std::span<const ContactRecord<D>> records, std::span<const double> gaps,
                        double near, State<D>& state) {
  double lost = 0;
  bool fell = false;
  if (count_rest(in, state)) {
    find_islands(in, records, gaps, near);
    for (std::uint32_t i = 0; i < in.bodies.size(); ++i) {
      if (!in.bodies.dynamic(i) || restless_[root(i)]) continue;
      now_.island[i] = root(i);
      const AngVec<D> w = state.angular_velocity[i];
      lost += 0.5 * in.bodies.mass[i] * state.velocity[i].squaredNorm() +
              0.5 * w.dot(apply_moments(frame_of(state.orientation[i]), in.bodies.inertia[i], w));
      state.velocity[i].setZero();
      state.angular_velocity[i].setZero();
      fell = true;
    }
  }
  if (fell) {
    const std::vector<Wrench<D>>& wrench = forces_on(in, state, Evaluation::kRepeat);
    for (std::uint32_t i = 0; i < in.bodies.size(); ++i)
      if (sleeps(i)) now_.force[i] = wrench[i].force, now_.torque[i] = wrench[i].torque;
    now_.motors.clear();
    for (const Joint<D>& j : in.joints)
      now_.motors.push_back({j.has_motor ? j.motor_speed : 0.0, j.has_motor ? j.motor_max_force : 0.0});
  }
  for (std::uint8_t& s : now_.stirs) s = static_cast<std::uint8_t>(s > 0 ? s - 1 : 0);
  return lost;
}

template <int D>
void Sleepers<D>::disturb(std::uint32_t body, std::span<const ContactMemory<D>> memory) {
  constexpr std::uint8_t kSteps = 2;
  resize(std::max(now_.island.size(), body + std::size_t{1}));
  real_ = nullptr;  // of a step that is over
  wake(body);
  for (const ContactMemory<D>& m : memory)
    if (m.body_a == body || m.body_b == body) wake(m.body_a), wake(m.body_b);
  now_.rested[body] = 0;
  now_.stirs[body] = kSteps;
}

template class Sleepers<2>;
template class Sleepers<3>;

}  // namespace touchstone

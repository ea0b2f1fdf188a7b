// State, forces and contacts of a world, as the public face gives and takes them.
#include <fmt/format.h>

#include <algorithm>

#include "sim/description_check.h"
#include "sim/world.h"

namespace touchstone {

template <int D>
BodyState World<D>::body_state(std::uint32_t slot, const State<D>& state) const {
  BodyState out;
  out.center_of_mass = widen<D>(state.position[slot]);
  const Vec<D> origin = state.position[slot] - matrix_of(state.orientation[slot]) * bodies_.center[slot];
  out.placement.position = widen<D>(origin);
  if constexpr (D == 2) {
    out.placement.angle = state.orientation[slot];
    out.placement.orientation =
        Eigen::Quaterniond(Eigen::AngleAxisd(state.orientation[slot], Eigen::Vector3d::UnitZ()));
  } else {
    out.placement.orientation = compose(state.orientation[slot], inverse(bodies_.axes[slot]));
  }
  out.velocity = widen<D>(state.velocity[slot]);
  out.angular_velocity = widen_angular<D>(state.angular_velocity[slot]);
  return out;
}

template <int D>
void World<D>::set_body_state(BodyId id, const BodyState& s) {
  refuse_in_step("setting a state");
  const std::uint32_t slot = checked(id);
  refuse_if_link(slot, "put elsewhere");
  BodyDescription asked;  // the same rules as for a new body
  asked.name = bodies_.name[slot];
  asked.kind = bodies_.kind[slot];
  asked.placement = s.placement;
  asked.velocity = s.velocity;
  asked.angular_velocity = s.angular_velocity;
  check_body_description<D>(asked);
  const double before = energy_of(slot);
  model_->forget(slot);
  place_state(slot, s);
  start_energy_ += energy_of(slot) - before;
  guard_.restart();
}

template <int D>
void World<D>::place_state(std::uint32_t slot, const BodyState& s) {
  queries_.invalidate();
  yardstick_.forget_slips();
  const Placement& p = s.placement;
  if constexpr (D == 2)
    state_.orientation[slot] = p.angle;
  else
    state_.orientation[slot] = compose(p.orientation.normalized(), bodies_.axes[slot]);
  state_.position[slot] = narrow<D>(p.position) + matrix_of(state_.orientation[slot]) * bodies_.center[slot];
  state_.velocity[slot] = narrow<D>(s.velocity);
  state_.angular_velocity[slot] = narrow_angular<D>(s.angular_velocity);
  if (Motion<D>* motion = find_motion(slot)) {
    // The law goes on from here; its velocity is the law's own.
    motion->start_time = time();
    motion->start = {state_.position[slot], state_.orientation[slot]};
    if (!descriptions_.has_motion(slot))
      motion->law.velocity = s.velocity, motion->law.angular_velocity = s.angular_velocity;
    const MotionSample<D> now = motion->at(time());
    state_.velocity[slot] = now.velocity;
    state_.angular_velocity[slot] = now.angular_velocity;
  }
}

template <int D>
Motion<D>* World<D>::find_motion(std::uint32_t slot) {
  const auto found = std::lower_bound(motions_.begin(), motions_.end(), slot,
                                      [](const auto& m, std::uint32_t x) { return m.first < x; });
  return found != motions_.end() && found->first == slot ? &found->second : nullptr;
}

template <int D>
void World<D>::set_motion(BodyId id, MotionCallback callback) {
  refuse_in_step("setting a motion");
  const std::uint32_t slot = checked(id);
  Motion<D>* motion = find_motion(slot);
  if (!motion)
    throw Error(
        ErrorKind::kBadInput,
        fmt::format("body '{}' is not kinematic; only kinematic bodies have a prescribed motion", bodies_.name[slot]));
  motion->needs_callback = false;
  if (!callback) {  // back to the described law, from where the body is
    motion->callback = nullptr;
    BodyState now = body_state(slot, state_);
    const BodyDescription described = descriptions_[slot];
    now.velocity = described.velocity;
    now.angular_velocity = described.angular_velocity;
    set_body_state(id, now);
    return;
  }
  const Vec<D> center = bodies_.center[slot];
  motion->callback = [callback = std::move(callback), center](double t) {
    const BodyState s = callback(t);
    MotionSample<D> out;
    if constexpr (D == 2)
      out.pose.R = s.placement.angle;
    else
      out.pose.R = s.placement.orientation.normalized();
    out.pose.p = narrow<D>(s.placement.position) + matrix_of(out.pose.R) * center;
    out.velocity = narrow<D>(s.velocity);
    out.angular_velocity = narrow_angular<D>(s.angular_velocity);
    return out;
  };
  const MotionSample<D> now = motion->at(time());
  if (!now.pose.p.allFinite() || !now.velocity.allFinite() || !now.angular_velocity.allFinite()) {
    motion->callback = nullptr;
    throw Error(ErrorKind::kBadInput,
                fmt::format("body '{}': its motion is not finite at t = {:.6g} s", bodies_.name[slot], time()));
  }
  queries_.invalidate();
  model_->forget(slot);
  state_.position[slot] = now.pose.p;
  state_.orientation[slot] = now.pose.R;
  state_.velocity[slot] = now.velocity;
  state_.angular_velocity[slot] = now.angular_velocity;
}

template <int D>
void World<D>::apply(BodyId id, const Eigen::Vector3d& force, const Eigen::Vector3d& torque) {
  refuse_in_step("applying a force to the next step (use the context that the callback gets)");
  const std::uint32_t slot = checked(id);
  if (!force.allFinite() || !torque.allFinite())
    throw Error(ErrorKind::kBadInput,
                fmt::format("body '{}': an applied force or torque is not finite", bodies_.name[slot]));
  if (forces_.applied.empty()) forces_.applied.resize(bodies_.size());
  forces_.applied[slot].force += narrow<D>(force);
  forces_.applied[slot].torque += narrow_angular<D>(torque);
  forces_.any_applied = true;
}

template <int D>
void World<D>::apply_at(BodyId id, const Eigen::Vector3d& force, const Eigen::Vector3d& point) {
  const std::uint32_t slot = checked(id);
  const AngVec<D> torque = torque_of(Vec<D>(narrow<D>(point) - state_.position[slot]), narrow<D>(force));
  apply(id, force, widen_angular<D>(torque));
}

namespace {

template <int D>
class Context : public ForceContext {
 public:
  Context(const World<D>& world, double time, const State<D>& state, std::vector<Wrench<D>>& out)
      : world_(world), time_(time), state_(state), out_(out) {}
  double time() const override { return time_; }
  BodyState state(BodyId body) const override { return world_.body_state(world_.checked(body), state_); }
  void add_force(BodyId body, const Eigen::Vector3d& force) override {
    out_[world_.checked(body)].force += narrow<D>(force);
  }
  void add_force_at(BodyId body, const Eigen::Vector3d& force, const Eigen::Vector3d& point) override {
    const std::uint32_t slot = world_.checked(body);
    out_[slot].force += narrow<D>(force);
    out_[slot].torque += torque_of(Vec<D>(narrow<D>(point) - state_.position[slot]), narrow<D>(force));
  }
  void add_torque(BodyId body, const Eigen::Vector3d& torque) override {
    out_[world_.checked(body)].torque += narrow_angular<D>(torque);
  }

 private:
  const World<D>& world_;
  double time_;
  const State<D>& state_;
  std::vector<Wrench<D>>& out_;
};

}  // namespace

template <int D>
void World<D>::set_force_callback(ForceCallback callback) {
  refuse_in_step("setting a callback");
  user_forces_.reset();
  if (callback)
    user_forces_ = std::make_unique<UserForces<D>>(
        [this, callback = std::move(callback)](double time, const State<D>& state, std::vector<Wrench<D>>& out) {
          Context<D> context(*this, time, state, out);
          callback(context);
        });
  forces_.user = user_forces_.get();
}

template <int D>
ContactReport World<D>::contact_report(std::size_t index) const {
  const ReportedContact<D> s = contacts()[index];
  const Contact<D>& c = s.contact;
  ContactReport out;
  out.body_a = id_of(c.body_a);
  out.body_b = id_of(c.body_b);
  const Collider<D>&a = detector_.colliders()[c.collider_a()], &b = detector_.colliders()[c.collider_b()];
  const PairMaterial& material = materials_.of(c.body_a, c.body_b, a.material, b.material);
  out.shape_a = a.shape_index;
  out.shape_b = b.shape_index;
  out.key = c.key;
  out.point = widen<D>(c.point);
  out.normal = widen<D>(c.normal);
  out.gap = c.gap;
  out.impulse = widen<D>(s.impulse);
  out.relative_velocity = widen<D>(model_->contact_velocity(index, state_));
  out.static_friction = material.static_friction;
  out.dynamic_friction = material.dynamic_friction;
  out.restitution = material.restitution;
  out.sticking = s.sticking;
  out.natural_map = yardstick_.contact_residual(c.key);
  return out;
}

#define TOUCHSTONE_INSTANTIATE(D)                                                           \
  template BodyState World<D>::body_state(std::uint32_t, const State<D>&) const;            \
  template void World<D>::place_state(std::uint32_t, const BodyState&);                     \
  template void World<D>::set_body_state(BodyId, const BodyState&);                         \
  template Motion<D>* World<D>::find_motion(std::uint32_t);                                 \
  template void World<D>::set_motion(BodyId, MotionCallback);                               \
  template void World<D>::apply(BodyId, const Eigen::Vector3d&, const Eigen::Vector3d&);    \
  template void World<D>::apply_at(BodyId, const Eigen::Vector3d&, const Eigen::Vector3d&); \
  template void World<D>::set_force_callback(ForceCallback);                                \
  template ContactReport World<D>::contact_report(std::size_t) const;
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone

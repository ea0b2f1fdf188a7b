// Joints that change while a world runs: new limits, places, ratios, springs; what they pass on over a step, and when
// they break.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dynamics/joints/coordinate_force.h"
#include "sim/joint_description.h"
#include "sim/world.h"

namespace touchstone {
namespace {

[[noreturn]] void bad(const std::string& message) { throw Error(ErrorKind::kBadInput, message); }

template <int D>
void require_kind(const Joint<D>& j, bool fits, const char* what, const char* others) {
  if (!fits) bad(fmt::format("joint '{}': a {} joint has no {}; {}", j.name, joint_kind_name(j.kind, D), what, others));
}

constexpr const char* kMovable = "joints whose coordinate may move have one";

// Springs and friction act along what may move.
template <int D>
void require_movable(const Joint<D>& j, const char* what) {
  require_kind(j, has_coordinate(j.kind) && j.kind != JointKind::kRope, what, kMovable);
  const bool rod = j.kind == JointKind::kDistance && !j.has_lower() && !j.has_upper();
  if (rod || j.lower == j.upper)
    bad(fmt::format("joint '{}': {} would have no effect: the coordinate is held; give it limits first", j.name, what));
}

}  // namespace

template <int D>
Joint<D>& World<D>::changeable(std::size_t index, const char* what) {
  refuse_in_step(what);
  const Joint<D>& j = joint(index);
  if (j.broken) bad(fmt::format("joint '{}' is broken: {} is not possible; add a new joint", j.name, what));
  keep_for_undo();
  return joints_[index];
}

template <int D>
void World<D>::set_target(std::size_t index, const Eigen::Vector3d& place) {
  Joint<D>& j = changeable(index, "setting a target");
  require_kind(j, j.kind == JointKind::kTarget, "target", "joints of kind target have one");
  if (!place.allFinite() || (D == 2 && place.z() != 0))
    bad(fmt::format("joint '{}': the target is ({}, {}, {}); it must be finite{}", j.name, place.x(), place.y(),
                    place.z(), D == 2 ? ", with z = 0" : ""));
  const Vec<D> there = narrow<D>(place);
  if (there == j.point_a) return;
  j.point_a = j.described_a = there;
  disturb(j);
}

template <int D>
void World<D>::set_limits(std::size_t index, const std::optional<double>& lower, const std::optional<double>& upper) {
  constexpr double kBeyond = 1e-4;  // as at the start: the model closes it in the next step
  Joint<D>& j = changeable(index, "setting limits");
  require_kind(j, has_coordinate(j.kind), "limits", "joints with a coordinate have them");
  for (const auto& value : {lower, upper})
    if (value && !std::isfinite(*value))
      bad(fmt::format("joint '{}': a limit is {}; it must be finite", j.name, *value));
  if (const auto faults = limits_faults(j.kind, lower, upper); !faults.empty())
    bad(fmt::format("joint '{}': {} {}", j.name, faults.front().key, faults.front().what));
  if (j.kind == JointKind::kRope && (lower || !upper))
    bad(fmt::format("joint '{}': a rope has an upper limit, its length, and no lower one", j.name));
  Joint<D> next = j;
  constexpr double kNone = std::numeric_limits<double>::infinity();
  next.lower = lower && !(is_length(j.kind) && *lower == 0) ? *lower : -kNone;
  next.upper = upper.value_or(kNone);
  const double now = joint_coordinate(next, state_).value;
  if (now < next.lower - kBeyond || now > next.upper + kBeyond)
    bad(fmt::format("joint '{}': its coordinate is {:.6g}, outside the new limits; move it there first, with a motor",
                    j.name, now));
  if (next.lower == j.lower && next.upper == j.upper) return;
  if (j.kind == JointKind::kDistance) next.length = now;
  j = next;
  model_->forget_joints();
  disturb(j);
}

// The angles of both frames begin at zero again.
template <int D>
void World<D>::set_ratio(std::size_t index, double ratio) {
  Joint<D>& j = changeable(index, "setting a ratio");
  require_kind(j, j.kind == JointKind::kGear, "ratio", "gears have one");
  if (!std::isfinite(ratio) || ratio == 0)
    bad(fmt::format("joint '{}': the ratio is {}; it must be finite and not zero", j.name, ratio));
  if constexpr (D == 2) {
    const auto from_zero = [&](std::uint32_t body, double& frame, double& described) {
      const double angle = state_.orientation[body] + frame;
      frame -= angle, described -= angle;
    };
    from_zero(j.body_a, j.frame_a, j.described_frame_a);
    from_zero(j.body_b, j.frame_b, j.described_frame_b);
  }
  j.ratio = ratio;
  model_->forget_joints();
  disturb(j);
}

template <int D>
void World<D>::set_spring(std::size_t index, double stiffness, double damping, double rest) {
  Joint<D>& j = changeable(index, "setting a spring");
  require_movable(j, "spring");
  if (!(stiffness >= 0) || !(damping >= 0) || !std::isfinite(stiffness + damping) || !std::isfinite(rest))
    bad(fmt::format(
        "joint '{}': the spring has stiffness {}, damping {} and rest {}; they must be finite, and the first "
        "two not negative",
        j.name, stiffness, damping, rest));
  if (is_length(j.kind) && rest < 0)
    bad(fmt::format("joint '{}': rest is {} m; a length is not negative", j.name, rest));
  const double before = coordinate_energy(j, state_);
  j.stiffness = stiffness, j.damping = damping, j.rest = rest;
  start_energy_ += coordinate_energy(j, state_) - before;
  guard_.restart();
  note_joint_forces();
  disturb(j);
}

template <int D>
void World<D>::set_friction(std::size_t index, double greatest) {
  Joint<D>& j = changeable(index, "setting friction");
  require_movable(j, "friction");
  if (!(greatest >= 0) || !std::isfinite(greatest))
    bad(fmt::format("joint '{}': the friction is {}; it must be finite and not negative", j.name, greatest));
  if (greatest == j.friction) return;
  if ((greatest > 0) != (j.friction > 0)) model_->forget_joints();
  j.friction = greatest;
  disturb(j);
}

template <int D>
void World<D>::set_collide(std::size_t index, bool collide) {
  Joint<D>& j = changeable(index, "setting collide");
  if (collide == j.collide) return;
  j.collide = collide;
  if (!collide) {
    ignore_joined(j);
  } else if (j.ignores_pair) {
    j.ignores_pair = false;
    release_pair(j);
  }
  disturb(j);
}

template <int D>
void World<D>::note_joint_forces() {
  forces_.any_joint_force =
      std::any_of(joints_.begin(), joints_.end(), [](const Joint<D>& j) { return has_coordinate_force(j); });
}

template <int D>
void World<D>::begin_pushes() {
  next_pushes_.clear();
  if (!forces_.any_joint_force) return;
  for (const Joint<D>& j : joints_) {
    JointImpulse<D>& push = next_pushes_.emplace_back(joint_push(j, state_, time()));
    push.linear *= 0.5 * h_, push.angular *= 0.5 * h_;
  }
}

template <int D>
void World<D>::end_pushes() {
  for (std::size_t i = 0; i < next_pushes_.size(); ++i) {
    const JointImpulse<D> push = joint_push(joints_[i], state_, time());
    next_pushes_[i].linear += 0.5 * h_ * push.linear, next_pushes_[i].angular += 0.5 * h_ * push.angular;
  }
  std::swap(pushes_, next_pushes_);
}

template <int D>
JointImpulse<D> World<D>::reaction(std::size_t index) const {
  JointImpulse<D> out;
  if (const auto impulses = model_->joint_impulses(); index < impulses.size()) out = impulses[index];
  if (index < pushes_.size()) out.linear += pushes_[index].linear, out.angular += pushes_[index].angular;
  return out;
}

// After a step that counts. A broken joint stays in the list, so that the others keep their indices.
template <int D>
void World<D>::break_joints() {
  joint_events_.clear();
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    Joint<D>& j = joints_[i];
    if (j.broken || !j.breaks()) continue;
    const JointImpulse<D> received = reaction(i);
    if (received.linear.norm() <= j.break_force * h_ && received.angular.norm() <= j.break_torque * h_) continue;
    joint_events_.push_back({i, time(), widen<D>(received.linear) / h_, widen_angular<D>(received.angular) / h_});
    work_[WorkClass::kJoint] -= coordinate_energy(j, state_);  // its spring does no work any more
    j.broken = true;
    if (j.ignores_pair) {
      j.ignores_pair = false;
      release_pair(j);
    }
    disturb(j);
  }
  if (!joint_events_.empty()) note_joint_forces();
  report_.broken_joints = std::count_if(joints_.begin(), joints_.end(), [](const Joint<D>& j) { return j.broken; });
}

#define TOUCHSTONE_INSTANTIATE(D)                                                                              \
  template Joint<D>& World<D>::changeable(std::size_t, const char*);                                           \
  template void World<D>::set_target(std::size_t, const Eigen::Vector3d&);                                     \
  template void World<D>::set_limits(std::size_t, const std::optional<double>&, const std::optional<double>&); \
  template void World<D>::set_ratio(std::size_t, double);                                                      \
  template void World<D>::set_spring(std::size_t, double, double, double);                                     \
  template void World<D>::set_friction(std::size_t, double);                                                   \
  template void World<D>::set_collide(std::size_t, bool);                                                      \
  template void World<D>::note_joint_forces();                                                                 \
  template void World<D>::begin_pushes();                                                                      \
  template void World<D>::end_pushes();                                                                        \
  template JointImpulse<D> World<D>::reaction(std::size_t) const;                                              \
  template void World<D>::break_joints();
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone

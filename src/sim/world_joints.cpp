// Joints of a world: made from the scene or added later, driven by their motors, kept in place on bodies that are
// replaced, reported.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "dynamics/joints/coordinate_force.h"
#include "sim/joint_description.h"
#include "sim/world.h"

namespace touchstone {
namespace {

[[noreturn]] void bad(const std::string& message) { throw Error(ErrorKind::kBadInput, message); }

}  // namespace

template <int D>
void World<D>::add_joints(const SceneDescription& scene) {
  if (!scene.joints.empty())
    require_capability(*model_info_, &Capabilities::joints, "joints",
                       fmt::format("the scene has {}", scene.joints.size()));
  joints_.reserve(scene.joints.size());
  std::set<std::string> names;
  for (const JointDescription& joint : scene.joints) {
    put_joint(joint, false);
    if (!names.insert(joints_.back().name).second) bad(fmt::format("two joints are named '{}'", joints_.back().name));
  }
  note_joint_forces();
}

template <int D>
void World<D>::put_joint(const JointDescription& description, bool now) {
  JointDescription d = description;
  if (d.name.empty()) d.name = fmt::format("joint_{}", joints_.size() + 1);
  const auto slot_of = [&](const std::string& body) {
    try {
      return body.empty() ? kWorldBody : find_body(body).index;
    } catch (const Error& e) {
      bad(fmt::format("joint '{}': {}", d.name, e.what()));
    }
  };
  const std::uint32_t slot_a = slot_of(d.body_a), slot_b = slot_of(d.body_b);
  const bool has_a = slot_a != kWorldBody, has_b = slot_b != kWorldBody;
  const auto as_it_is = [&](std::uint32_t slot) {
    BodyDescription out = this->description(slot);
    if (now) out.placement = body_state(slot, state_).placement;
    return out;
  };
  const BodyDescription of_a = has_a ? as_it_is(slot_a) : BodyDescription{},
                        of_b = has_b ? as_it_is(slot_b) : BodyDescription{};
  const BodyDescription *a = has_a ? &of_a : nullptr, *b = has_b ? &of_b : nullptr;
  if (const auto fault = joint_fault(d, D, a, b))
    bad(fmt::format("joint '{}': {} {}", d.name, fault->key, fault->what));
  Joint<D> joint = described_joint<D>(d, a, b);
  joint.body_a = slot_a, joint.body_b = slot_b;
  if (a) place_side(slot_a, joint);
  if (b) place_side(slot_b, joint);
  ignore_joined(joint);
  joint.serial = joints_made_++;
  joints_.push_back(joint);
}

// Its bodies do not collide, unless they may, or another joint or a user keeps the two apart already.
template <int D>
void World<D>::ignore_joined(Joint<D>& joint) {
  if (joint.collide || joint.body_a == kWorldBody || joint.body_b == kWorldBody) return;
  const std::pair<std::uint32_t, std::uint32_t> pair = std::minmax({joint.body_a, joint.body_b});
  IgnoredPairs& pairs = detector_.ignored_pairs();
  const auto place = std::lower_bound(pairs.begin(), pairs.end(), pair);
  joint.ignores_pair = place == pairs.end() || *place != pair;
  if (joint.ignores_pair) pairs.insert(place, pair);
}

template <int D>
std::size_t World<D>::add_joint(const JointDescription& description) {
  refuse_in_step("adding a joint");
  require_capability(*model_info_, &Capabilities::joints, "joints", "one is to be added");
  JointDescription d = description;
  const auto taken = [&](const std::string& name) {
    return std::any_of(joints_.begin(), joints_.end(), [&](const Joint<D>& j) { return j.name == name; });
  };
  for (std::size_t k = joints_.size() + 1; d.name.empty(); ++k)
    if (const std::string name = fmt::format("joint_{}", k); !taken(name)) d.name = name;
  if (taken(d.name)) bad(fmt::format("there is already a joint named '{}'; names must be unique", d.name));
  keep_for_undo();
  put_joint(d, true);
  pushes_.clear();
  note_joint_forces();
  start_energy_ += coordinate_energy(joints_.back(), state_);
  guard_.restart();
  model_->forget_joints();
  disturb(joints_.back());
  return joints_.size() - 1;
}

template <int D>
void World<D>::remove_joint(std::size_t index) {
  refuse_in_step("removing a joint");
  const Joint<D> gone = joint(index);
  keep_for_undo();
  start_energy_ -= coordinate_energy(gone, state_);
  guard_.restart();
  pushes_.clear();
  std::erase_if(joint_events_, [index](const JointEvent& e) { return e.joint == index; });
  for (JointEvent& e : joint_events_) e.joint -= e.joint > index;
  joints_.erase(joints_.begin() + static_cast<std::ptrdiff_t>(index));
  if (gone.ignores_pair) release_pair(gone);
  note_joint_forces();
  model_->forget_joints();
  disturb(gone);
}

// The two bodies of a joint that is gone may touch again, unless another joint keeps them from it.
template <int D>
void World<D>::release_pair(const Joint<D>& gone) {
  const auto pair = std::minmax(gone.body_a, gone.body_b);
  for (Joint<D>& j : joints_) {
    if (j.collide || j.broken || std::minmax(j.body_a, j.body_b) != pair) continue;
    j.ignores_pair = true;
    return;
  }
  std::erase(detector_.ignored_pairs(), std::pair<std::uint32_t, std::uint32_t>(pair.first, pair.second));
}

template <int D>
void World<D>::disturb(const Joint<D>& joint) {
  for (const std::uint32_t body : {joint.body_a, joint.body_b})
    if (body != kWorldBody) model_->disturb(body);
}

template <int D>
std::size_t World<D>::find_joint(std::string_view name) const {
  for (std::size_t i = 0; i < joints_.size(); ++i)
    if (joints_[i].name == name) return i;
  std::vector<std::string> names;
  for (const Joint<D>& j : joints_) names.push_back(j.name);
  std::sort(names.begin(), names.end());
  bad(fmt::format("there is no joint '{}'{}", name, did_you_mean(name, names)));
}

template <int D>
void World<D>::set_motor(std::size_t index, const MotorCommand& command) {
  const Joint<D>& j = changeable(index, "commanding a motor");
  if (const std::string what = motor_command_fault(command, j.kind, D); !what.empty())
    bad(fmt::format("joint '{}': the motor cannot do this: {}", j.name, what));
  if (j.kind == JointKind::kDistance && !j.has_lower() && !j.has_upper())
    bad(fmt::format("joint '{}': a motor would have no effect: the length is held; give it limits first", j.name));
  if (j.motor == command) return;
  joints_[index].motor = command;
  joints_[index].has_motor = has_motor_row(command);
  note_joint_forces();
  disturb(j);
}

template <int D>
void World<D>::drive_motors() {
  for (Joint<D>& j : joints_) {
    if (j.broken) continue;
    if (j.kind == JointKind::kTarget)
      drive_target(j, bodies_, forces_.gravity, state_, time(), h_);
    else if (j.has_motor)
      drive_motor(j, state_, time(), h_);
    j.response = j.has_spring() ? row_response(coordinate_row(j, state_), j, bodies_, state_) : 0.0;
  }
}

// On a body with another centre of mass or other axes: the joint stays where it was described.
template <int D>
void World<D>::place_side(std::uint32_t slot, Joint<D>& j) const {
  if (j.body_a == slot) {
    j.point_a = attached(slot, widen<D>(j.described_a));
    j.frame_a = compose(inverse(bodies_.axes[slot]), j.described_frame_a);
  }
  if (j.body_b == slot) {
    j.point_b = attached(slot, widen<D>(j.described_b));
    j.frame_b = compose(inverse(bodies_.axes[slot]), j.described_frame_b);
  }
}

template <int D>
void World<D>::refuse_if_joined(std::uint32_t slot) const {
  for (const Joint<D>& j : joints_)
    if (!j.broken && (j.body_a == slot || j.body_b == slot))
      bad(fmt::format("body '{}' cannot be removed: the joint '{}' is attached to it", bodies_.name[slot], j.name));
}

template <int D>
const Joint<D>& World<D>::joint(std::size_t index) const {
  if (index >= joints_.size()) bad(fmt::format("there is no joint {}; the scene has {}", index, joints_.size()));
  return joints_[index];
}

template <int D>
JointReport World<D>::joint_report(std::size_t index) const {
  const Joint<D>& j = joint(index);
  const JointErrors errors = joint_errors(j, state_);
  const JointCoordinate coordinate = j.broken ? JointCoordinate{} : joint_coordinate(j, state_);
  JointReport out;
  out.kind = j.kind, out.serial = j.serial;
  if (j.body_a != kWorldBody) out.body_a = id_of(j.body_a);
  if (j.body_b != kWorldBody) out.body_b = id_of(j.body_b);
  out.point_a = widen<D>(joint_point_a(j, state_));
  out.point = widen<D>(joint_point_b(j, state_));
  out.position_error = errors.position;
  out.angle_error = errors.angle;
  out.velocity_error = errors.velocity;
  out.angular_velocity_error = errors.angular_velocity;
  out.coordinate = coordinate.value;
  out.coordinate_rate = coordinate.rate;
  const JointImpulse<D> received = reaction(index);
  out.impulse = widen<D>(received.linear);
  out.angular_impulse = widen_angular<D>(received.angular);
  out.force = out.impulse / h_, out.torque = out.angular_impulse / h_;
  const Mat<D> axes = matrix_of(compose(motion_of_body(state_, j.body_a).orientation, j.frame_a));
  out.joint_force = widen<D>(Vec<D>(axes.transpose() * narrow<D>(out.force)));
  out.joint_torque = out.torque;
  if constexpr (D == 3) out.joint_torque = axes.transpose() * out.torque;
  out.broken = j.broken;
  return out;
}

#define TOUCHSTONE_INSTANTIATE(D)                                      \
  template void World<D>::add_joints(const SceneDescription&);         \
  template std::size_t World<D>::add_joint(const JointDescription&);   \
  template void World<D>::remove_joint(std::size_t);                   \
  template std::size_t World<D>::find_joint(std::string_view) const;   \
  template void World<D>::set_motor(std::size_t, const MotorCommand&); \
  template void World<D>::drive_motors();                              \
  template void World<D>::ignore_joined(Joint<D>&);                    \
  template void World<D>::release_pair(const Joint<D>&);               \
  template void World<D>::disturb(const Joint<D>&);                    \
  template void World<D>::place_side(std::uint32_t, Joint<D>&) const;  \
  template void World<D>::refuse_if_joined(std::uint32_t) const;       \
  template const Joint<D>& World<D>::joint(std::size_t) const;         \
  template JointReport World<D>::joint_report(std::size_t) const;
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone

// Joints of a world: made from the scene, kept in place on bodies that are replaced, reported.
#include <fmt/format.h>

#include <set>

#include "base/text.h"
#include "sim/joint_description.h"
#include "sim/world.h"

namespace touchstone {
namespace {

[[noreturn]] void bad(const std::string& message) { throw Error(ErrorKind::kBadInput, message); }

[[noreturn]] void refuse_model(const std::string& model, std::size_t joints) {
  std::vector<std::string> able;
  for (const ModelInfo& m : registered_models())
    if (m.capabilities.joints) able.push_back(m.name);
  throw Error(ErrorKind::kUnsupported,
              fmt::format("model '{}' does not support joints, and the scene has {}; {}", model, joints,
                          able.empty() ? "no model of this version does" : "use " + join_or(able)));
}

}  // namespace

template <int D>
void World<D>::add_joints(const SceneDescription& scene) {
  if (!scene.joints.empty() && !model_info_->capabilities.joints) refuse_model(model_info_->name, scene.joints.size());
  joints_.reserve(scene.joints.size());
  std::set<std::string> names;
  for (const JointDescription& joint : scene.joints) {
    add_joint(joint);
    if (!names.insert(joints_.back().name).second) bad(fmt::format("two joints are named '{}'", joints_.back().name));
  }
}

template <int D>
void World<D>::add_joint(const JointDescription& description) {
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
  const BodyDescription of_a = has_a ? this->description(slot_a) : BodyDescription{},
                        of_b = has_b ? this->description(slot_b) : BodyDescription{};
  const BodyDescription *a = has_a ? &of_a : nullptr, *b = has_b ? &of_b : nullptr;
  if (const auto fault = joint_fault(d, D, a, b))
    bad(fmt::format("joint '{}': {} {}", d.name, fault->key, fault->what));
  Joint<D> joint = described_joint<D>(d, a, b);
  joint.body_a = slot_a, joint.body_b = slot_b;
  if (a) place_side(slot_a, joint);
  if (b) place_side(slot_b, joint);
  joints_.push_back(joint);
  if (!d.collide && a && b) ignore_pair(id_of(slot_a), id_of(slot_b));
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
    if (j.body_a == slot || j.body_b == slot)
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
  const JointCoordinate coordinate = joint_coordinate(j, state_);
  JointReport out;
  if (j.body_a != kWorldBody) out.body_a = id_of(j.body_a);
  if (j.body_b != kWorldBody) out.body_b = id_of(j.body_b);
  out.point = widen<D>(joint_point_b(j, state_));
  out.position_error = errors.position;
  out.angle_error = errors.angle;
  out.velocity_error = errors.velocity;
  out.angular_velocity_error = errors.angular_velocity;
  out.coordinate = coordinate.value;
  out.coordinate_rate = coordinate.rate;
  if (const auto impulses = model_->joint_impulses(); index < impulses.size()) {
    out.impulse = widen<D>(impulses[index].linear);
    out.angular_impulse = widen_angular<D>(impulses[index].angular);
  }
  return out;
}

#define TOUCHSTONE_INSTANTIATE(D)                                     \
  template void World<D>::add_joints(const SceneDescription&);        \
  template void World<D>::place_side(std::uint32_t, Joint<D>&) const; \
  template void World<D>::refuse_if_joined(std::uint32_t) const;      \
  template const Joint<D>& World<D>::joint(std::size_t) const;        \
  template JointReport World<D>::joint_report(std::size_t) const;
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone

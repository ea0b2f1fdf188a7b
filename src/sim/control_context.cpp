#include "sim/control_context.h"

#include <algorithm>

#include "base/random.h"

namespace touchstone {

template <int D>
BodyId ControlContext<D>::body() const {
  if (!self_.body) throw Error(ErrorKind::kBadInput, "it belongs to no body");
  return *self_.body;
}

template <int D>
double ControlContext<D>::mass(BodyId body) const {
  const std::uint32_t slot = world_.checked(body);
  return world_.bodies().dynamic(slot) ? world_.bodies().mass[slot] : std::numeric_limits<double>::infinity();
}

// The contacts of all bodies are put in order once a step: a list of (body, contact) pairs.
template <int D>
std::span<const ContactReport> ControlContext<D>::contacts(BodyId body) {
  const std::uint32_t slot = world_.checked(body);
  auto& list = scratch_.contacts_by_body;
  if (!scratch_.contacts_ready) {
    scratch_.contacts_ready = true;
    list.clear();
    std::uint32_t index = 0;
    for (const ReportedContact<D> c : world_.contacts()) {
      list.emplace_back(c.contact.body_a, index);
      list.emplace_back(c.contact.body_b, index++);
    }
    std::sort(list.begin(), list.end());
  }
  scratch_.contacts.clear();
  const std::pair<std::uint32_t, std::uint32_t> first(slot, 0);
  for (auto i = std::lower_bound(list.begin(), list.end(), first); i != list.end() && i->first == slot; ++i)
    scratch_.contacts.push_back(world_.contact_report(i->second));
  return scratch_.contacts;
}

template <int D>
std::span<const Sighting> ControlContext<D>::visible(const Sight& sight) {
  if (!(sight.range >= 0)) throw Error(ErrorKind::kBadInput, "the range of its sight must not be negative");
  const std::uint32_t self = world_.checked(body());
  const auto& position = world_.state().position;
  const std::uint64_t wanted = world_.tags().bits(sight.tags);
  auto& seen = scratch_.seen;
  seen.clear();
  for (std::uint32_t i = 0; i < position.size(); ++i) {
    if (i == self || !world_.bodies().alive[i]) continue;
    if (!sight.tags.empty() && (world_.tags().of(i) & wanted) == 0) continue;
    const double distance = (position[i] - position[self]).norm();
    if (distance <= sight.range) seen.push_back({world_.id_of(i), distance, widen<D>(position[i])});
  }
  if (sight.line_of_sight) {
    QueryFilter filter;
    filter.ignore_bodies = {body()};
    std::erase_if(seen, [&](const Sighting& s) { return !in_sight(s, widen<D>(position[self]), filter); });
  }
  std::sort(seen.begin(), seen.end(), [](const Sighting& x, const Sighting& y) {
    return std::pair(x.distance, x.body.index) < std::pair(y.distance, y.body.index);
  });
  return seen;
}

// A body whose centre of mass is not in its shapes may be passed by; then nothing else must be in the way.
template <int D>
bool ControlContext<D>::in_sight(const Sighting& other, const Eigen::Vector3d& from, QueryFilter& filter) const {
  if (!(other.distance > 0)) return true;
  const auto hit = world_.ray_cast(from, other.position - from, other.distance, filter);
  return !hit || hit->body == other.body;
}

template <int D>
bool ControlContext<D>::has_joint(std::string_view name) const {
  const auto joints = world_.joints();
  return std::any_of(joints.begin(), joints.end(), [&](const Joint<D>& j) { return j.name == name; });
}

template <int D>
double ControlContext<D>::random() {
  return UniformGenerator(self_.random).next();
}

template <int D>
void ControlContext<D>::apply_force(BodyId body, const Eigen::Vector3d& force) {
  const typename World<D>::Commanding now(world_);
  world_.apply(body, force, Eigen::Vector3d::Zero());
}

template <int D>
void ControlContext<D>::apply_force_at(BodyId body, const Eigen::Vector3d& force, const Eigen::Vector3d& point) {
  const typename World<D>::Commanding now(world_);
  world_.apply_at(body, force, point);
}

template <int D>
void ControlContext<D>::apply_torque(BodyId body, const Eigen::Vector3d& torque) {
  const typename World<D>::Commanding now(world_);
  world_.apply(body, Eigen::Vector3d::Zero(), torque);
}

template <int D>
void ControlContext<D>::set_motor(std::string_view joint, const MotorCommand& command) {
  const typename World<D>::Commanding now(world_);
  world_.set_motor(world_.find_joint(joint), command);
}

template <int D>
void ControlContext<D>::set_target(std::string_view joint, const Eigen::Vector3d& place) {
  const typename World<D>::Commanding now(world_);
  world_.set_target(world_.find_joint(joint), place);
}

template <int D>
void ControlContext<D>::set_limits(std::string_view joint, std::optional<double> lower, std::optional<double> upper) {
  const typename World<D>::Commanding now(world_);
  world_.set_limits(world_.find_joint(joint), lower, upper);
}

template <int D>
void ControlContext<D>::set_ratio(std::string_view joint, double ratio) {
  const typename World<D>::Commanding now(world_);
  world_.set_ratio(world_.find_joint(joint), ratio);
}

template <int D>
void ControlContext<D>::set_spring(std::string_view joint, double stiffness, double damping, double rest) {
  const typename World<D>::Commanding now(world_);
  world_.set_spring(world_.find_joint(joint), stiffness, damping, rest);
}

template <int D>
void ControlContext<D>::set_friction(std::string_view joint, double greatest) {
  const typename World<D>::Commanding now(world_);
  world_.set_friction(world_.find_joint(joint), greatest);
}

template <int D>
void ControlContext<D>::set_collide(std::string_view joint, bool collide) {
  const typename World<D>::Commanding now(world_);
  world_.set_collide(world_.find_joint(joint), collide);
}

template <int D>
std::string ControlContext<D>::add_joint(const JointDescription& joint) {
  const typename World<D>::Commanding now(world_);
  return world_.joint(world_.add_joint(joint)).name;
}

template <int D>
void ControlContext<D>::remove_joint(std::string_view name) {
  const typename World<D>::Commanding now(world_);
  world_.remove_joint(world_.find_joint(name));
}

template <int D>
void ControlContext<D>::set_pair_collision(BodyId a, BodyId b, bool collide) {
  const typename World<D>::Commanding now(world_);
  world_.set_pair_collision(a, b, collide);
}

template <int D>
void ControlContext<D>::set_pair_restitution(BodyId a, BodyId b, std::optional<double> restitution) {
  const typename World<D>::Commanding now(world_);
  world_.set_pair_restitution(a, b, restitution);
}

template <int D>
void ControlContext<D>::set_tag(BodyId body, std::string_view tag, bool on) {
  const typename World<D>::Commanding now(world_);
  world_.set_tag(body, tag, on);
}

template class ControlContext<2>;
template class ControlContext<3>;

}  // namespace touchstone

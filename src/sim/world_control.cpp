// Controllers in a world: made from the scene, called before each step, undone if the step fails. And the properties
// of bodies and pairs that they command: collisions, restitution, tags.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/hash.h"
#include "sim/control_context.h"
#include "sim/controller_registry.h"
#include "sim/world.h"

namespace touchstone {
namespace {

[[noreturn]] void bad(const std::string& message) { throw Error(ErrorKind::kBadInput, message); }

}  // namespace

template <int D>
void World<D>::add_controllers(const SceneDescription& scene) {
  std::set<std::string> names;
  for (const ControllerDescription& given : scene.controllers) {
    ControllerDescription d = given;
    if (d.name.empty()) d.name = fmt::format("controller_{}", names.size() + 1);
    if (!names.insert(d.name).second) bad(fmt::format("two controllers are named '{}'", d.name));
    add_controller(std::move(d), scene.seed, names.size());
  }
}

// Its random numbers depend on the seed of the scene and on its place.
template <int D>
void World<D>::add_controller(ControllerDescription d, std::uint64_t seed, std::size_t place) {
  const ControllerKind& kind = find_controller_kind(d.kind);
  if (kind.needs_joints && !model_info_->capabilities.joints)
    throw Error(ErrorKind::kUnsupported,
                fmt::format("model '{}' does not support joints, and the controller '{}' ({}) adds some; take another "
                            "model",
                            model_info_->name, d.name, d.kind));
  d.parameters = complete_parameters(kind, d, D);
  if (d.body.empty() && kind.needs_body) bad(fmt::format("controller '{}' ({}) needs a body", d.name, d.kind));
  HostedController hosted;
  try {
    if (!d.body.empty()) hosted.body = find_body(d.body);
    for (const ControllerParameter& p : kind.parameters) {
      if (p.type != ParameterType::kBody && p.type != ParameterType::kJoint) continue;
      const std::string& name = std::get<std::string>(d.parameters.at(p.name));
      if (name.empty()) continue;
      p.type == ParameterType::kBody ? void(find_body(name)) : void(find_joint(name));
    }
    const ControllerSetup setup{d, D, h_, hosted.body, [this](const std::string& name) { return find_body(name); }};
    hosted.controller = kind.make(setup);
  } catch (const std::exception& e) {
    bad(fmt::format("controller '{}' ({}): {}", d.name, d.kind, e.what()));
  }
  if (!hosted.controller) bad(fmt::format("controller '{}' ({}): its maker made none", d.name, d.kind));
  Hash64 hash;
  hash.word(seed), hash.word(place);
  hosted.random = hash.value();
  hosted.description = std::move(d);
  ControllerHost::check(hosted);
  controllers_.add(std::move(hosted));
}

// Before the step. A controller that fails ends it here; what all have commanded until then is undone.
template <int D>
void World<D>::control() {
  if (controllers_.empty()) return;
  controllers_.keep();
  undo_.applied = forces_.applied, undo_.any_applied = forces_.any_applied;
  undo_.changed = false;
  control_scratch_.contacts_ready = false;
  in_step_ = true;
  for (std::size_t i = 0; i < controllers_.size(); ++i) {
    HostedController& c = controllers_[i];
    const auto fail = [&](const char* what) {
      in_step_ = false;
      undo_control();
      const std::string of = c.body ? fmt::format(" of body '{}'", bodies_.name[c.body->index]) : "";
      throw Error(ErrorKind::kController,
                  fmt::format("controller '{}' ({}){} failed in step {} (t = {:.6g} s): {}; the state before that step "
                              "is kept",
                              c.description.name, c.description.kind, of, step_count_ + 1, time(), what));
    };
    try {
      ControlContext<D> context(*this, c, control_scratch_);
      c.controller->act(context);
    } catch (const std::exception& e) {
      fail(e.what());
    } catch (...) {
      fail("it threw something that is not a std::exception");
    }
  }
  in_step_ = false;
}

// Everything but forces that a controller may change is kept once a step, before the first change.
template <int D>
void World<D>::keep_for_undo() {
  if (!in_control_ || undo_.changed) return;
  undo_.joints = joints_, undo_.joints_made = joints_made_;
  undo_.ignored = detector_.ignored_pairs();
  undo_.tags = tags_;
  undo_.body_pairs = materials_.body_pairs();
  undo_.pushes = pushes_, undo_.joint_events = joint_events_;
  undo_.start_energy = start_energy_, undo_.guard = guard_;
  undo_.model.clear();
  Archive ar(undo_.model);
  model_->serialize(ar);
  undo_.changed = true;
}

template <int D>
void World<D>::undo_control() {
  if (controllers_.empty()) return;
  forces_.applied = undo_.applied, forces_.any_applied = undo_.any_applied;
  if (undo_.changed) undo_changes();
  controllers_.revert();  // last: a controller that cannot read its state throws
}

template <int D>
void World<D>::undo_changes() {
  joints_ = undo_.joints, joints_made_ = undo_.joints_made;
  detector_.ignored_pairs() = undo_.ignored;
  tags_ = undo_.tags;
  materials_.set_body_pairs(undo_.body_pairs);
  pushes_ = undo_.pushes, joint_events_ = undo_.joint_events;
  start_energy_ = undo_.start_energy, guard_ = undo_.guard;
  note_joint_forces();
  Archive ar{std::span<const std::byte>(undo_.model)};
  model_->serialize(ar);
  undo_.changed = false;
}

template <int D>
void World<D>::set_pair_collision(BodyId a, BodyId b, bool collide) {
  refuse_in_step("changing the collisions of a pair");
  const std::pair<std::uint32_t, std::uint32_t> pair = checked_pair(a, b, "collides with");
  IgnoredPairs& pairs = detector_.ignored_pairs();
  const auto place = std::lower_bound(pairs.begin(), pairs.end(), pair);
  const bool ignored = place != pairs.end() && *place == pair;
  const auto held = std::find_if(joints_.begin(), joints_.end(), [&](const Joint<D>& j) {
    return !j.collide && std::minmax({j.body_a, j.body_b}) == pair;
  });
  const auto holder = std::find_if(joints_.begin(), joints_.end(), [&](const Joint<D>& j) {
    return j.ignores_pair && std::minmax({j.body_a, j.body_b}) == pair;
  });
  const bool by_joint = holder != joints_.end();
  if (collide != ignored && !by_joint) return;  // it is so already
  if (by_joint && collide) return;              // the joint alone keeps them apart
  keep_for_undo();
  if (by_joint)
    holder->ignores_pair = false;  // stays when the joint goes
  else if (!collide)
    pairs.insert(place, pair);
  else if (held != joints_.end())
    held->ignores_pair = true;  // goes with the joint
  else
    pairs.erase(place);
  model_->disturb(pair.first), model_->disturb(pair.second);
}

template <int D>
bool World<D>::pair_collides(BodyId a, BodyId b) const {
  const auto pair = checked_pair(a, b, "collides with");
  const IgnoredPairs& pairs = detector_.ignored_pairs();
  if (std::binary_search(pairs.begin(), pairs.end(), pair)) return false;
  const ColliderTable<D>& colliders = detector_.colliders();
  for (const std::uint32_t ca : colliders_[pair.first])
    for (const std::uint32_t cb : colliders_[pair.second])
      if (may_collide(colliders[ca], colliders[cb])) return true;
  return false;
}

template <int D>
void World<D>::set_pair_restitution(BodyId a, BodyId b, std::optional<double> e) {
  refuse_in_step("changing the restitution of a pair");
  const auto pair = checked_pair(a, b, "bounces off");
  if (e && !(*e >= 0 && *e <= 1))
    bad(fmt::format("the restitution of '{}' and '{}' is {}; it must be between 0 and 1", bodies_.name[pair.first],
                    bodies_.name[pair.second], *e));
  if (materials_.restitution_of(pair.first, pair.second) == e) return;
  keep_for_undo();
  std::vector<MaterialTable::BodyPair> all = materials_.body_pairs();
  std::erase_if(all, [&](const auto& p) { return p.first == pair.first && p.second == pair.second; });
  if (e) {
    const auto place =
        std::find_if(all.begin(), all.end(), [&](const auto& p) { return std::pair(p.first, p.second) > pair; });
    all.insert(place, {pair.first, pair.second, *e});
  }
  materials_.set_body_pairs(std::move(all));
  prepare_restitution();
  model_->disturb(pair.first), model_->disturb(pair.second);
}

// For the materials that the shapes have now.
template <int D>
void World<D>::prepare_restitution() {
  const ColliderTable<D>& colliders = detector_.colliders();
  for (const MaterialTable::BodyPair& p : materials_.body_pairs())
    for (const std::uint32_t ca : colliders_[p.first])
      for (const std::uint32_t cb : colliders_[p.second]) {
        const std::uint32_t a = colliders[ca].material, b = colliders[cb].material;
        materials_.prepare(p.restitution, materials_.pair_index(a, b));
        materials_.prepare(p.restitution, materials_.pair_index(b, a));
      }
}

template <int D>
std::optional<double> World<D>::pair_restitution(BodyId a, BodyId b) const {
  const auto pair = checked_pair(a, b, "bounces off");
  return materials_.restitution_of(pair.first, pair.second);
}

// In the order of their slots.
template <int D>
std::pair<std::uint32_t, std::uint32_t> World<D>::checked_pair(BodyId a, BodyId b, const char* does) const {
  const auto pair = std::minmax({checked(a), checked(b)});
  if (pair.first == pair.second) bad(fmt::format("body '{}' never {} itself", bodies_.name[pair.first], does));
  return pair;
}

template <int D>
void World<D>::set_tag(BodyId id, std::string_view tag, bool on) {
  refuse_in_step("changing a tag");
  const std::uint32_t slot = checked(id);
  if (has_tag(id, tag) == on) return;
  keep_for_undo();
  tags_.set(slot, tag, on);
}

template <int D>
bool World<D>::has_tag(BodyId id, std::string_view tag) const {
  return (tags_.of(checked(id)) & tags_.bit(tag)) != 0;
}

template <int D>
void World<D>::refuse_if_controlled(std::uint32_t slot) const {
  for (std::size_t i = 0; i < controllers_.size(); ++i)
    if (controllers_[i].body && controllers_[i].body->index == slot)
      bad(fmt::format("body '{}' cannot be removed: the controller '{}' belongs to it", bodies_.name[slot],
                      controllers_[i].description.name));
}

#define TOUCHSTONE_INSTANTIATE(D)                                                      \
  template void World<D>::add_controllers(const SceneDescription&);                    \
  template void World<D>::control();                                                   \
  template void World<D>::keep_for_undo();                                             \
  template void World<D>::undo_control();                                              \
  template void World<D>::set_pair_collision(BodyId, BodyId, bool);                    \
  template bool World<D>::pair_collides(BodyId, BodyId) const;                         \
  template void World<D>::set_pair_restitution(BodyId, BodyId, std::optional<double>); \
  template void World<D>::prepare_restitution();                                       \
  template std::optional<double> World<D>::pair_restitution(BodyId, BodyId) const;     \
  template void World<D>::set_tag(BodyId, std::string_view, bool);                     \
  template bool World<D>::has_tag(BodyId, std::string_view) const;                     \
  template void World<D>::refuse_if_controlled(std::uint32_t) const;
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone

// Bodies of a world: adding, replacing and removing them, their mass and their colliders.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/key_error.h"
#include "sim/description_check.h"
#include "sim/world.h"

namespace touchstone {
namespace {

[[noreturn]] void bad(const std::string& message) { throw Error(ErrorKind::kBadInput, message); }
[[noreturn]] void bad_key(const char* key, const std::string& detail) {
  throw KeyError(ErrorKind::kBadInput, key, detail);
}

}  // namespace

template <int D>
BodyId World<D>::add_body(const BodyDescription& description) {
  refuse_in_step("adding a body");
  const bool reuse = !free_.empty();
  const std::uint32_t slot = reuse ? free_.back() : static_cast<std::uint32_t>(bodies_.size());
  BodyDescription d = description;
  for (std::uint32_t n = slot + 1; d.name.empty(); ++n)
    if (std::string name = fmt::format("body_{}", n); !by_name_.find(name, bodies_.name)) d.name = name;
  if (by_name_.find(d.name, bodies_.name)) bad(fmt::format("two bodies are named '{}'", d.name));
  if (!reuse) {
    bodies_.resize(slot + 1);
    state_.resize(slot + 1);
    if (!forces_.applied.empty()) forces_.applied.resize(slot + 1);
    descriptions_.resize(slot + 1);
    generation_.resize(slot + 1, 0);
    colliders_.resize(slot + 1);
    tags_.resize(slot + 1);
  }
  try {
    put_body(slot, d);
  } catch (...) {
    if (!reuse) free_.push_back(slot);
    throw;
  }
  if (reuse) free_.pop_back();
  guard_.restart();
  start_energy_ += energy_of(slot) - spring_energy(forces_, state_);
  return id_of(slot);
}

// Room for the bodies of a scene, so that lists do not grow by doubling.
template <int D>
void World<D>::reserve(std::size_t bodies) {
  bodies_.reserve(bodies);
  state_.reserve(bodies);
  descriptions_.reserve(bodies);
  generation_.reserve(bodies);
  colliders_.reserve(bodies);
  tags_.reserve(bodies);
  detector_.colliders().reserve(bodies);
}

template <int D>
BodyDescription World<D>::description(std::uint32_t slot) const {
  BodyDescription out = descriptions_[slot];
  out.name = bodies_.name[slot];
  return out;
}

template <int D>
void World<D>::remove_body(BodyId id) {
  refuse_in_step("removing a body");
  const std::uint32_t slot = checked(id);
  refuse_if_link(slot, "removed");
  for (const Spring<D>& s : forces_.springs)
    if (s.body_a == slot || s.body_b == slot)
      bad(fmt::format("body '{}' cannot be removed: a spring is attached to it", bodies_.name[slot]));
  refuse_if_joined(slot);
  refuse_if_controlled(slot);
  for (Joint<D>& j : joints_)  // only broken ones are left
    if (j.body_a == slot || j.body_b == slot) j.body_a = j.body_b = kWorldBody;
  guard_.restart();
  start_energy_ -= energy_of(slot) - spring_energy(forces_, state_);
  std::erase_if(forces_.steady, [slot](const SteadyForce<D>& f) { return f.body == slot; });
  queries_.invalidate();
  model_->forget(slot);
  drop_colliders(slot);
  by_name_.remove(bodies_.name[slot], bodies_.name);
  std::erase_if(motions_, [slot](const auto& m) { return m.first == slot; });
  std::erase_if(detector_.ignored_pairs(), [slot](const auto& p) { return p.first == slot || p.second == slot; });
  std::vector<MaterialTable::BodyPair> pairs = materials_.body_pairs();
  std::erase_if(pairs, [slot](const auto& p) { return p.first == slot || p.second == slot; });
  materials_.set_body_pairs(std::move(pairs));
  tags_.clear(slot);
  bodies_.alive[slot] = 0;
  bodies_.inv_mass[slot] = bodies_.mass[slot] = 0;
  bodies_.inertia[slot].setZero();
  bodies_.inv_inertia[slot].setZero();
  bodies_.name[slot].clear();
  state_.velocity[slot].setZero();
  state_.angular_velocity[slot].setZero();
  if (!forces_.applied.empty()) forces_.applied[slot] = {};
  descriptions_.clear(slot);
  ++generation_[slot];
  free_.push_back(slot);
}

template <int D>
void World<D>::replace_body(BodyId id, const BodyDescription& description) {
  refuse_in_step("replacing a body");
  const std::uint32_t slot = checked(id);
  refuse_if_link(slot, "replaced");
  BodyDescription d = description;
  if (d.name.empty()) d.name = bodies_.name[slot];
  if (by_name_.find(d.name, bodies_.name).value_or(slot) != slot) bad(fmt::format("two bodies are named '{}'", d.name));
  const double before = energy_of(slot);
  put_body(slot, d);
  start_energy_ += energy_of(slot) - before;
  guard_.restart();
}

// Builds everything that may fail before anything is changed.
template <int D>
void World<D>::put_body(std::uint32_t slot, const BodyDescription& d) {
  check_body_description<D>(d);
  std::vector<Shape<D>> shapes;
  for (std::size_t i = 0; i < d.shapes.size(); ++i) {
    try {
      shapes.push_back(make_shape<D>(d.shapes[i]));
    } catch (const Error& e) {
      bad(fmt::format("body '{}', shape {} ({}): {}", d.name, i + 1, shape_name(d.shapes[i].kind, D), e.what()));
    }
  }
  const MassProperties<D> mass = mass_of(d, shapes);
  const PrincipalInertia<D> inertia = principal_inertia<D>(mass.inertia);
  const std::vector<Collider<D>> colliders = make_colliders(slot, d, shapes, mass.center, inertia.axes);
  const std::optional<Motion<D>> motion = motion_of(d);
  std::uint64_t tags = 0;
  for (const std::string& tag : d.tags) tags |= tags_.made_bit(tag);

  // From here on nothing throws.
  queries_.invalidate();
  model_->forget(slot);
  drop_colliders(slot);
  if (!bodies_.name[slot].empty()) by_name_.remove(bodies_.name[slot], bodies_.name);
  set_mass(slot, mass, inertia, d.kind == BodyKind::kDynamic);
  bodies_.alive[slot] = 1;
  bodies_.name[slot] = d.name;
  bodies_.kind[slot] = d.kind;
  bodies_.surface_velocity.set(slot, matrix_of(inverse(inertia.axes)) * narrow<D>(d.surface_velocity));
  bodies_.gravity_scale.set(slot, d.gravity_scale);
  bodies_.linear_drag.set(slot, d.linear_drag);
  bodies_.quadratic_drag.set(slot, d.quadratic_drag);
  bodies_.angular_drag.set(slot, d.angular_drag);
  bodies_.table_friction.set(slot, d.table_friction);
  bodies_.radius[slot] = 0;
  for (const Collider<D>& c : colliders) {
    colliders_.add(slot, detector_.colliders().add(c));
    const double reach = c.p_local().norm() + reach_of(c.shape());
    if (std::isfinite(reach)) bodies_.radius[slot] = std::max(bodies_.radius[slot], reach);
  }
  by_name_.add(slot, bodies_.name);
  tags_.put(slot, tags);
  prepare_restitution();
  descriptions_.set(slot, d);
  forces_.any_drag |= d.linear_drag != 0 || d.quadratic_drag != 0 || d.angular_drag != 0;
  if (find_motion(slot)) std::erase_if(motions_, [slot](const auto& m) { return m.first == slot; });
  if (motion) {
    const auto place = std::lower_bound(motions_.begin(), motions_.end(), slot,
                                        [](const auto& m, std::uint32_t x) { return m.first < x; });
    motions_.insert(place, {slot, *motion});
  }
  place_state(slot, {d.placement, {}, d.velocity, d.angular_velocity});
  place_attachments(slot);
}

template <int D>
MassProperties<D> World<D>::mass_of(const BodyDescription& d, const std::vector<Shape<D>>& shapes) const {
  MassProperties<D> total;
  try {
    if (d.kind != BodyKind::kDynamic) {
      if (d.center_of_mass) total.center = narrow<D>(*d.center_of_mass);
    } else {
      for (std::size_t i = 0; i < shapes.size(); ++i) {
        // An open surface has no mass of its own, and needs none where both are given.
        if (d.mass && d.inertia && shapes[i].kind != ShapeKind::kHalfSpace && !has_volume(shapes[i])) continue;
        const std::string& material = d.shapes[i].material.empty() ? d.material : d.shapes[i].material;
        const double density = d.density.value_or(materials_[materials_.find(material)].density);
        if (!(density > 0) || !std::isfinite(density))
          bad_key("density", fmt::format("density is {}; it must be positive and finite", density));
        const Placement& p = d.shapes[i].placement;
        Pose<D> pose;
        pose.p = narrow<D>(p.position);
        if constexpr (D == 2)
          pose.R = p.angle;
        else
          pose.R = p.orientation.normalized();
        total = combined(total, moved(mass_properties(shapes[i], density), pose));
      }
      if (d.mass) {
        if (!(*d.mass > 0) || !std::isfinite(*d.mass))
          bad_key("mass", fmt::format("mass is {} kg; it must be positive and finite", *d.mass));
        if (!d.inertia && total.mass == 0) bad_key("mass", "a body with a mass but no shape needs an inertia too");
        if (total.mass > 0) total.inertia *= *d.mass / total.mass;
        total.mass = *d.mass;
      }
      if (d.inertia) {
        if (!d.mass) bad_key("inertia", "a given inertia needs a given mass");
        total.inertia = d.inertia->template bottomRightCorner<kAngular<D>, kAngular<D>>();
      }
      if (d.center_of_mass) total.center = narrow<D>(*d.center_of_mass);
      if (total.mass == 0) bad_key("", "a dynamic body needs a shape, or a mass and an inertia");
      check_physical(total);
    }
  } catch (const KeyError& e) {
    throw KeyError(e.kind(), e.key(), e.detail(), fmt::format("body '{}'", d.name));
  } catch (const Error& e) {
    throw KeyError(e.kind(), "", e.what(), fmt::format("body '{}'", d.name));
  }
  return total;
}

template <int D>
void World<D>::set_mass(std::uint32_t slot, const MassProperties<D>& total, const PrincipalInertia<D>& inertia,
                        bool moves) {
  bodies_.axes.set(slot, inertia.axes);
  bodies_.center.set(slot, matrix_of(inverse(inertia.axes)) * total.center);
  bodies_.mass[slot] = total.mass;
  bodies_.inertia[slot] = inertia.moments;
  bodies_.inv_mass[slot] = moves ? 1 / total.mass : 0;
  if (moves)
    bodies_.inv_inertia[slot] = inertia.moments.cwiseInverse();
  else
    bodies_.inv_inertia[slot].setZero();
}

template <int D>
std::optional<Motion<D>> World<D>::motion_of(const BodyDescription& d) const {
  if (d.kind != BodyKind::kKinematic) return std::nullopt;
  Motion<D> motion;
  if (d.motion) {
    motion.law = *d.motion;
  } else {
    motion.law.velocity = d.velocity;
    motion.law.angular_velocity = d.angular_velocity;
  }
  try {
    check_motion(motion.law);
  } catch (const Error& e) {
    throw KeyError(e.kind(), "motion", e.what(), fmt::format("body '{}'", d.name));
  }
  return motion;
}

template <int D>
std::vector<Collider<D>> World<D>::make_colliders(std::uint32_t slot, const BodyDescription& d,
                                                  const std::vector<Shape<D>>& shapes, const Vec<D>& center,
                                                  const Rotation<D>& axes) {
  const Mat<D> to_axes = matrix_of(inverse(axes));
  std::vector<Collider<D>> colliders;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const ShapeDescription& s = d.shapes[i];
    Collider<D> c;
    PlacedShape<D> form{shapes[i], to_axes * (narrow<D>(s.placement.position) - center)};
    if constexpr (D == 2)
      form.R_local = matrix_of(s.placement.angle);
    else
      form.R_local = to_axes * s.placement.orientation.normalized().toRotationMatrix();
    c.set_form(std::move(form));
    c.body = slot;
    c.shape_index = static_cast<std::uint32_t>(i);
    c.material = materials_.find(s.material.empty() ? d.material : s.material);
    c.groups = group_bits(d.groups);
    c.ignores = group_bits(d.ignores);
    c.movable = d.kind == BodyKind::kDynamic;
    colliders.push_back(c);
  }
  return colliders;
}

template <int D>
void World<D>::drop_colliders(std::uint32_t slot) {
  for (const std::uint32_t c : colliders_[slot]) {
    detector_.forget(c);
    detector_.colliders().remove(c);
  }
  colliders_.clear(slot);
}

template <int D>
std::uint32_t World<D>::group_bits(const std::vector<std::string>& names) {
  std::uint32_t bits = 0;
  for (const std::string& name : names) {
    auto found = std::find(groups_.begin(), groups_.end(), name);
    if (found == groups_.end()) {
      if (groups_.size() == 32)
        throw Error(ErrorKind::kUnsupported,
                    fmt::format("collision group '{}' is one too many: a scene has at most 32", name));
      groups_.push_back(name);
      found = groups_.end() - 1;
    }
    bits |= 1u << (found - groups_.begin());
  }
  return bits;
}

#define TOUCHSTONE_INSTANTIATE(D)                                          \
  template BodyId World<D>::add_body(const BodyDescription&);              \
  template void World<D>::remove_body(BodyId);                             \
  template void World<D>::replace_body(BodyId, const BodyDescription&);    \
  template void World<D>::put_body(std::uint32_t, const BodyDescription&); \
  template void World<D>::reserve(std::size_t);                            \
  template BodyDescription World<D>::description(std::uint32_t) const;
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone

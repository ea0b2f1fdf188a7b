#include "sim/world.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "collision/narrow/narrow.h"

namespace touchstone {
namespace {

[[noreturn]] void bad(const std::string& message) { throw Error(ErrorKind::kBadInput, message); }

template <int D>
void check_planar(const BodyDescription& d) {
  if constexpr (D == 2)
    if (d.placement.position.z() != 0 || d.velocity.z() != 0)
      bad(fmt::format("body '{}': the z components of position and velocity must be zero in a 2D scene", d.name));
}

}  // namespace

template <int D>
World<D>::World(const SceneDescription& scene)
    : h_(scene.step),
      integrator_(scene.integrator),
      materials_(scene.materials, scene.material_pairs),
      model_info_(&find_model(scene.model.name)),
      model_(make_model<D>(*model_info_, scene.model.options)) {
  if (!(h_ > 0) || !std::isfinite(h_)) bad(fmt::format("step is {} s; it must be positive and finite", h_));
  if (!scene.gravity.allFinite()) bad("gravity is not finite");
  const auto& allowed = model_info_->capabilities.integrators;
  if (std::find(allowed.begin(), allowed.end(), integrator_) == allowed.end()) {
    std::vector<std::string> names;
    for (Integrator i : allowed) names.push_back(integrator_name(i));
    throw Error(ErrorKind::kUnsupported, fmt::format("model '{}' does not support the integrator {}; use {}", model_info_->name,
                                                     integrator_name(integrator_), join_or(names)));
  }
  if (scene.table && D != 2) bad("a table (friction of a world seen from above) needs a 2D scene");
  forces_.gravity = narrow<D>(scene.gravity);
  forces_.table = scene.table;
  for (const BodyDescription& body : scene.bodies) add_body(body);
  for (const SpringDescription& spring : scene.springs) add_spring(spring);
  start_energy();
}

template <int D>
void World<D>::start_energy() {
  work_ = {};
  start_energy_ = 0;
  fill_report(ModelReport{});
  start_energy_ = report_.energy();
  report_.energy_balance = 0;
}

template <int D>
std::uint32_t World<D>::checked(BodyId id) const {
  if (!contains(id)) bad(fmt::format("there is no body with id {} (generation {}); it was removed or never added", id.index, id.generation));
  return id.index;
}

template <int D>
bool World<D>::contains(BodyId id) const {
  return id.index < bodies_.size() && bodies_.alive[id.index] && generation_[id.index] == id.generation;
}

template <int D>
BodyId World<D>::find_body(std::string_view name) const {
  if (const auto found = by_name_.find(name); found != by_name_.end()) return id_of(found->second);
  std::vector<std::string> names;
  for (const auto& [known, slot] : by_name_) names.push_back(known);
  bad(fmt::format("there is no body '{}'{}", name, did_you_mean(name, names)));
}

template <int D>
std::vector<BodyId> World<D>::body_ids() const {
  std::vector<BodyId> ids;
  for (std::uint32_t i = 0; i < bodies_.size(); ++i)
    if (bodies_.alive[i]) ids.push_back(id_of(i));
  return ids;
}

template <int D>
void World<D>::refuse_in_step(const char* what) const {
  if (in_step_) throw Error(ErrorKind::kUnsupported, fmt::format("{} is not possible from inside a callback; do it between steps", what));
}

template <int D>
BodyId World<D>::add_body(const BodyDescription& description) {
  refuse_in_step("adding a body");
  const bool reuse = !free_.empty();
  const std::uint32_t slot = reuse ? free_.back() : static_cast<std::uint32_t>(bodies_.size());
  BodyDescription d = description;
  if (d.name.empty()) d.name = fmt::format("body_{}", slot + 1);
  if (by_name_.contains(d.name)) bad(fmt::format("two bodies are named '{}'", d.name));
  if (!reuse) {
    bodies_.resize(slot + 1);
    state_.resize(slot + 1);
    forces_.applied.resize(slot + 1);
    descriptions_.resize(slot + 1);
    generation_.resize(slot + 1, 0);
    collider_slots_.resize(slot + 1);
  }
  try {
    put_body(slot, d);
  } catch (...) {
    if (!reuse) free_.push_back(slot);
    throw;
  }
  if (reuse) free_.pop_back();
  return id_of(slot);
}

template <int D>
void World<D>::remove_body(BodyId id) {
  refuse_in_step("removing a body");
  const std::uint32_t slot = checked(id);
  for (const Spring<D>& s : forces_.springs)
    if (s.body_a == slot || s.body_b == slot) bad(fmt::format("body '{}' cannot be removed: a spring is attached to it", bodies_.name[slot]));
  drop_colliders(slot);
  by_name_.erase(bodies_.name[slot]);
  std::erase_if(motions_, [slot](const auto& m) { return m.first == slot; });
  std::erase_if(detector_.ignored_pairs(), [slot](const auto& p) { return p.first == slot || p.second == slot; });
  bodies_.alive[slot] = 0;
  bodies_.inv_mass[slot] = bodies_.mass[slot] = 0;
  bodies_.inertia[slot].setZero();
  bodies_.inv_inertia[slot].setZero();
  bodies_.name[slot].clear();
  state_.velocity[slot].setZero();
  state_.angular_velocity[slot].setZero();
  forces_.applied[slot] = {};
  descriptions_[slot] = {};
  ++generation_[slot];
  free_.push_back(slot);
}

template <int D>
void World<D>::replace_body(BodyId id, const BodyDescription& description) {
  refuse_in_step("replacing a body");
  const std::uint32_t slot = checked(id);
  BodyDescription d = description;
  if (d.name.empty()) d.name = bodies_.name[slot];
  if (const auto other = by_name_.find(d.name); other != by_name_.end() && other->second != slot) bad(fmt::format("two bodies are named '{}'", d.name));
  put_body(slot, d);
}

// Builds everything that may fail before anything is changed.
template <int D>
void World<D>::put_body(std::uint32_t slot, const BodyDescription& d) {
  check_planar<D>(d);
  if (!d.placement.position.allFinite() || !d.placement.orientation.coeffs().allFinite() || !std::isfinite(d.placement.angle) ||
      !d.velocity.allFinite() || !d.angular_velocity.allFinite())
    bad(fmt::format("body '{}': position, orientation and velocities must be finite", d.name));
  if (d.kind != BodyKind::kKinematic && d.motion) bad(fmt::format("body '{}': only kinematic bodies have a prescribed motion", d.name));
  if (d.kind == BodyKind::kStatic && (!d.velocity.isZero() || !d.angular_velocity.isZero()))
    bad(fmt::format("body '{}' is static and cannot have a velocity; make it kinematic", d.name));
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
  if (model_info_->capabilities.contacts)
    check_pairs(colliders, d.name);
  const std::optional<Motion<D>> motion = motion_of(d);

  drop_colliders(slot);
  if (!bodies_.name[slot].empty()) by_name_.erase(bodies_.name[slot]);
  set_mass(slot, mass, inertia, d.kind == BodyKind::kDynamic);
  bodies_.alive[slot] = 1;
  bodies_.name[slot] = d.name;
  bodies_.kind[slot] = d.kind;
  bodies_.surface_velocity[slot] = matrix_of(inverse(inertia.axes)) * narrow<D>(d.surface_velocity);
  bodies_.gravity_scale[slot] = d.gravity_scale;
  bodies_.linear_drag[slot] = d.linear_drag;
  bodies_.quadratic_drag[slot] = d.quadratic_drag;
  bodies_.angular_drag[slot] = d.angular_drag;
  bodies_.table_friction[slot] = d.table_friction;
  bodies_.radius[slot] = 0;
  for (const Collider<D>& c : colliders) {
    collider_slots_[slot].push_back(detector_.colliders().add(c));
    const double reach = c.p_local.norm() + reach_of(c.shape);
    if (std::isfinite(reach)) bodies_.radius[slot] = std::max(bodies_.radius[slot], reach);
  }
  by_name_[d.name] = slot;
  descriptions_[slot] = d;
  forces_.any_drag |= d.linear_drag != 0 || d.quadratic_drag != 0 || d.angular_drag != 0;
  std::erase_if(motions_, [slot](const auto& m) { return m.first == slot; });
  if (motion) {
    const auto place = std::lower_bound(motions_.begin(), motions_.end(), slot, [](const auto& m, std::uint32_t x) { return m.first < x; });
    motions_.insert(place, {slot, *motion});
  }
  set_body_state(id_of(slot), {d.placement, {}, d.velocity, d.angular_velocity});
}

template <int D>
MassProperties<D> World<D>::mass_of(const BodyDescription& d, const std::vector<Shape<D>>& shapes) const {
  MassProperties<D> total;
  try {
    if (d.kind != BodyKind::kDynamic) {
      if (d.center_of_mass) total.center = narrow<D>(*d.center_of_mass);
    } else {
      for (std::size_t i = 0; i < shapes.size(); ++i) {
        const std::string& material = d.shapes[i].material.empty() ? d.material : d.shapes[i].material;
        const double density = d.density.value_or(materials_[materials_.find(material)].density);
        if (!(density > 0) || !std::isfinite(density)) bad(fmt::format("density is {}; it must be positive and finite", density));
        const Placement& p = d.shapes[i].placement;
        Pose<D> pose;
        pose.p = narrow<D>(p.position);
        if constexpr (D == 2) pose.R = p.angle;
        else pose.R = p.orientation.normalized();
        total = combined(total, moved(mass_properties(shapes[i], density), pose));
      }
      if (d.mass) {
        if (!(*d.mass > 0) || !std::isfinite(*d.mass)) bad(fmt::format("mass is {} kg; it must be positive and finite", *d.mass));
        if (!d.inertia && total.mass == 0) bad("a body with a mass but no shape needs an inertia too");
        if (total.mass > 0) total.inertia *= *d.mass / total.mass;
        total.mass = *d.mass;
      }
      if (d.inertia) {
        if (!d.mass) bad("a given inertia needs a given mass");
        total.inertia = d.inertia->template bottomRightCorner<kAngular<D>, kAngular<D>>();
      }
      if (d.center_of_mass) total.center = narrow<D>(*d.center_of_mass);
      if (total.mass == 0) bad("a dynamic body needs a shape, or a mass and an inertia");
      check_physical(total);
    }
  } catch (const Error& e) {
    throw Error(e.kind(), fmt::format("body '{}': {}", d.name, e.what()));
  }
  return total;
}

template <int D>
void World<D>::set_mass(std::uint32_t slot, const MassProperties<D>& total, const PrincipalInertia<D>& inertia, bool moves) {
  bodies_.axes[slot] = inertia.axes;
  bodies_.center[slot] = matrix_of(inverse(inertia.axes)) * total.center;
  bodies_.mass[slot] = total.mass;
  bodies_.inertia[slot] = inertia.moments;
  bodies_.inv_mass[slot] = moves ? 1 / total.mass : 0;
  if (moves) bodies_.inv_inertia[slot] = inertia.moments.cwiseInverse();
  else bodies_.inv_inertia[slot].setZero();
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
    bad(fmt::format("body '{}': {}", d.name, e.what()));
  }
  return motion;
}

template <int D>
std::vector<Collider<D>> World<D>::make_colliders(std::uint32_t slot, const BodyDescription& d, const std::vector<Shape<D>>& shapes,
                                                  const Vec<D>& center, const Rotation<D>& axes) {
  const Mat<D> to_axes = matrix_of(inverse(axes));
  std::vector<Collider<D>> colliders;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const ShapeDescription& s = d.shapes[i];
    Collider<D> c;
    c.shape = shapes[i];
    c.p_local = to_axes * (narrow<D>(s.placement.position) - center);
    if constexpr (D == 2) c.R_local = matrix_of(s.placement.angle);
    else c.R_local = to_axes * s.placement.orientation.normalized().toRotationMatrix();
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
void World<D>::check_pairs(const std::vector<Collider<D>>& colliders, const std::string& name) {
  // Against the other bodies first: shapes of one body never meet.
  for (const Collider<D>& c : colliders) check_pair_kinds(c, name);
  for (const Collider<D>& c : colliders) add_kind(c, name);
}

template <int D>
void World<D>::check_pair_kinds(const Collider<D>& c, const std::string& name) const {
  for (const Kind& k : kinds_) {
    if (!(c.movable || k.movable) || (c.groups & k.ignores) || (k.groups & c.ignores)) continue;
    if (!narrow_supports<D>(c.shape.kind, k.shape))
      throw Error(ErrorKind::kUnsupported,
                  fmt::format("body '{}' has a {} that may touch a {} (as body '{}' has), but there is no contact routine for this pair yet; "
                              "use other shapes, or keep them apart with groups and ignores",
                              name, shape_name(c.shape.kind, D), shape_name(k.shape, D), k.example));
  }
}

template <int D>
void World<D>::add_kind(const Collider<D>& c, const std::string& name) {
  const auto same = [&](const Kind& k) {
    return k.shape == c.shape.kind && k.movable == c.movable && k.groups == c.groups && k.ignores == c.ignores;
  };
  if (std::none_of(kinds_.begin(), kinds_.end(), same)) kinds_.push_back({c.shape.kind, c.movable, c.groups, c.ignores, name});
}

template <int D>
void World<D>::drop_colliders(std::uint32_t slot) {
  for (const std::uint32_t c : collider_slots_[slot]) detector_.colliders().remove(c);
  collider_slots_[slot].clear();
}

template <int D>
std::uint32_t World<D>::group_bits(const std::vector<std::string>& names) {
  std::uint32_t bits = 0;
  for (const std::string& name : names) {
    auto found = std::find(groups_.begin(), groups_.end(), name);
    if (found == groups_.end()) {
      if (groups_.size() == 32) throw Error(ErrorKind::kUnsupported, fmt::format("collision group '{}' is one too many: a scene has at most 32", name));
      groups_.push_back(name);
      found = groups_.end() - 1;
    }
    bits |= 1u << (found - groups_.begin());
  }
  return bits;
}

template <int D>
Vec<D> World<D>::spring_point(const std::string& body, const Eigen::Vector3d& point, std::uint32_t& slot) const {
  slot = kWorldBody;
  if (body.empty()) return narrow<D>(point);
  slot = find_body(body).index;
  return matrix_of(inverse(bodies_.axes[slot])) * narrow<D>(point) - bodies_.center[slot];
}

template <int D>
void World<D>::add_spring(const SpringDescription& d) {
  Spring<D> s;
  s.point_a = spring_point(d.body_a, d.point_a, s.body_a);
  s.point_b = spring_point(d.body_b, d.point_b, s.body_b);
  if (s.body_a == s.body_b) bad("a spring must join two different bodies, or a body and the world");
  if (!(d.stiffness >= 0) || !(d.damping >= 0) || !std::isfinite(d.stiffness) || !std::isfinite(d.damping))
    bad("a spring's stiffness and damping must be finite and not negative");
  s.stiffness = d.stiffness;
  s.damping = d.damping;
  const auto end = [&](std::uint32_t body, const Vec<D>& p) -> Vec<D> {
    return body == kWorldBody ? p : Vec<D>(state_.position[body] + matrix_of(state_.orientation[body]) * p);
  };
  s.rest_length = d.rest_length.value_or((end(s.body_b, s.point_b) - end(s.body_a, s.point_a)).norm());
  forces_.springs.push_back(s);
}

template <int D>
void World<D>::check_state() const {
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const bool finite = state_.position[i].allFinite() && state_.velocity[i].allFinite() && state_.angular_velocity[i].allFinite() &&
                        matrix_of(state_.orientation[i]).allFinite();
    if (!finite)
      throw Error(ErrorKind::kNonFinite, fmt::format("body '{}' got a position or velocity that is not finite in step {} (t = {:.6g} s); the state "
                                                     "before that step is kept", bodies_.name[i], step_count_ + 1, time()));
  }
}

template class World<2>;
template class World<3>;

}  // namespace touchstone

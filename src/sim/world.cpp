#include "sim/world.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "sim/description_check.h"

namespace touchstone {
namespace {

[[noreturn]] void bad(const std::string& message) { throw Error(ErrorKind::kBadInput, message); }

}  // namespace

template <int D>
World<D>::World(const SceneDescription& scene)
    : h_(scene.step),
      integrator_(scene.integrator),
      materials_(scene.materials, scene.material_pairs),
      model_info_(&find_model(scene.model.name)),
      model_(make_model<D>(*model_info_, scene.model.options)) {
  check_scene_values<D>(scene);
  const auto& allowed = model_info_->capabilities.integrators;
  if (std::find(allowed.begin(), allowed.end(), integrator_) == allowed.end()) {
    std::vector<std::string> names;
    for (Integrator i : allowed) names.push_back(integrator_name(i));
    throw Error(ErrorKind::kUnsupported, fmt::format("model '{}' does not support the integrator {}; use {}",
                                                     model_info_->name, integrator_name(integrator_), join_or(names)));
  }
  detector_.configure(scene.collision);
  forces_.gravity = narrow<D>(scene.gravity);
  forces_.table = scene.table;
  forces_.joints = &joints_;
  reserve(scene.bodies.size());
  for (const BodyDescription& body : scene.bodies) add_body(body);
  for (const SpringDescription& spring : scene.springs) add_spring(spring);
  for (const SteadyForceDescription& force : scene.forces) add_steady_force(force);
  add_joints(scene);
  add_controllers(scene);
  model_->check_bodies(bodies_, detector_.colliders(), joints_);
  rules_ = rules_hash(scene, true);
  structure_ = rules_hash(scene, false);
  start_energy();
}

template <int D>
void World<D>::start_energy() {
  work_ = {};
  start_energy_ = 0;
  report_ = report_of(ModelReport{}, work_);
  start_energy_ = report_.energy();
  if (!std::isfinite(start_energy_))
    bad("the energy of the scene is not finite: a position, velocity or mass is too large for double precision");
  report_.energy_balance = 0;
}

template <int D>
std::uint32_t World<D>::checked(BodyId id) const {
  if (!contains(id))
    bad(fmt::format("there is no body with id {} (generation {}); it was removed or never added", id.index,
                    id.generation));
  return id.index;
}

template <int D>
bool World<D>::contains(BodyId id) const {
  return id.index < bodies_.size() && bodies_.alive[id.index] && generation_[id.index] == id.generation;
}

template <int D>
BodyId World<D>::find_body(std::string_view name) const {
  if (const auto slot = by_name_.find(name, bodies_.name)) return id_of(*slot);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < bodies_.size(); ++i)
    if (bodies_.alive[i]) names.push_back(bodies_.name[i]);
  std::sort(names.begin(), names.end());
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
  if (in_step_)
    throw Error(ErrorKind::kUnsupported,
                fmt::format("{} is not possible from inside a callback; do it between steps", what));
}

// Where a described point of a body is, from its centre of mass in body axes.
template <int D>
Vec<D> World<D>::attached(std::uint32_t slot, const Eigen::Vector3d& described) const {
  if (slot == kWorldBody) return narrow<D>(described);
  return matrix_of(inverse(bodies_.axes[slot])) * narrow<D>(described) - bodies_.center[slot];
}

template <int D>
void World<D>::add_spring(const SpringDescription& d) {
  check_spring_description(d);
  Spring<D> s;
  s.body_a = d.body_a.empty() ? kWorldBody : find_body(d.body_a).index;
  s.body_b = d.body_b.empty() ? kWorldBody : find_body(d.body_b).index;
  if (s.body_a == s.body_b) bad("a spring must join two different bodies, or a body and the world");
  s.described_a = d.point_a;
  s.described_b = d.point_b;
  s.point_a = attached(s.body_a, d.point_a);
  s.point_b = attached(s.body_b, d.point_b);
  s.stiffness = d.stiffness;
  s.damping = d.damping;
  const auto end = [&](std::uint32_t body, const Vec<D>& p) -> Vec<D> {
    return body == kWorldBody ? p : Vec<D>(state_.position[body] + matrix_of(state_.orientation[body]) * p);
  };
  s.rest_length = d.rest_length.value_or((end(s.body_b, s.point_b) - end(s.body_a, s.point_a)).norm());
  forces_.springs.push_back(s);
}

template <int D>
void World<D>::add_steady_force(const SteadyForceDescription& d) {
  check_steady_force_description(d);
  SteadyForce<D> f;
  f.body = find_body(d.body).index;
  if (!bodies_.dynamic(f.body)) bad(fmt::format("the force on '{}' has no effect: the body is not dynamic", d.body));
  f.force = narrow<D>(d.force);
  f.torque = narrow_angular<D>(d.torque);
  f.described_point = d.point.value_or(widen<D>(Vec<D>(matrix_of(bodies_.axes[f.body]) * bodies_.center[f.body])));
  f.point = attached(f.body, f.described_point);
  f.from = d.from;
  f.until = d.until;
  forces_.steady.push_back(f);
}

// After a body was replaced, its mass and axes may be others: what is attached to it stays where it was described.
template <int D>
void World<D>::place_attachments(std::uint32_t slot) {
  for (Spring<D>& s : forces_.springs) {
    if (s.body_a == slot) s.point_a = attached(slot, s.described_a);
    if (s.body_b == slot) s.point_b = attached(slot, s.described_b);
  }
  for (SteadyForce<D>& f : forces_.steady)
    if (f.body == slot) f.point = attached(slot, f.described_point);
  for (Joint<D>& joint : joints_) place_side(slot, joint);
}

template <int D>
double World<D>::energy_of(std::uint32_t i) const {
  const double springs = spring_energy(forces_, state_);
  if (!bodies_.alive[i] || !bodies_.dynamic(i)) return springs;
  const Vec<D>& v = state_.velocity[i];
  const AngVec<D>& w = state_.angular_velocity[i];
  const AngVec<D> spin = apply_moments(frame_of(state_.orientation[i]), bodies_.inertia[i], w);
  return springs + 0.5 * (bodies_.mass[i] * v.squaredNorm() + spin.dot(w)) -
         bodies_.mass[i] * bodies_.gravity_scale[i] * forces_.gravity.dot(state_.position[i]);
}

template class World<2>;
template class World<3>;

}  // namespace touchstone

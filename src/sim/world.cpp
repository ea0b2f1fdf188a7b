#include "sim/world.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"

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
  if (!(h_ > 0) || !std::isfinite(h_)) bad(fmt::format("step is {} s; it must be positive and finite", h_));
  if (!scene.gravity.allFinite()) bad("gravity is not finite");
  const auto& allowed = model_info_->capabilities.integrators;
  if (std::find(allowed.begin(), allowed.end(), integrator_) == allowed.end()) {
    std::vector<std::string> names;
    for (Integrator i : allowed) names.push_back(integrator_name(i));
    throw Error(ErrorKind::kUnsupported, fmt::format("model '{}' does not support the integrator {}; use {}",
                                                     model_info_->name, integrator_name(integrator_), join_or(names)));
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
  if (in_step_)
    throw Error(ErrorKind::kUnsupported,
                fmt::format("{} is not possible from inside a callback; do it between steps", what));
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
    const bool finite = state_.position[i].allFinite() && state_.velocity[i].allFinite() &&
                        state_.angular_velocity[i].allFinite() && matrix_of(state_.orientation[i]).allFinite();
    if (!finite)
      throw Error(
          ErrorKind::kNonFinite,
          fmt::format("body '{}' got a position or velocity that is not finite in step {} (t = {:.6g} s); the state "
                      "before that step is kept",
                      bodies_.name[i], step_count_ + 1, time()));
  }
}

template class World<2>;
template class World<3>;

}  // namespace touchstone

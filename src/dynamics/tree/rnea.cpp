#include "dynamics/tree/rnea.h"

namespace touchstone {
namespace {

// Forces of links to forces on rates, from the leaves to the world.
void gather_forces(const TreeModel& model, TreeData& data, std::span<double> out) {
  for (std::size_t i = model.size(); i-- > 0;) {
    const TreeModel::Link& link = model.links[i];
    for (std::size_t k = link.first_v; k < link.first_v + link.nv; ++k) out[k] += data.column[k].dot(data.force[i]);
    if (link.parent >= 0) data.force[static_cast<std::size_t>(link.parent)] += shift_force(data.force[i], -data.arm[i]);
  }
}

}  // namespace

void inverse_dynamics(const TreeModel& model, TreeData& data, const Vec<3>& gravity, std::span<const double> a,
                      std::span<const Spatial> external, std::span<double> out) {
  const Spatial base = spatial(Vec<3>::Zero(), -gravity);
  for (std::size_t i = 0; i < model.size(); ++i) {
    const TreeModel::Link& link = model.links[i];
    Spatial acceleration = data.bias[i];
    acceleration +=
        link.parent < 0 ? base : shift_motion(data.acceleration[static_cast<std::size_t>(link.parent)], data.arm[i]);
    for (std::size_t k = link.first_v; k < link.first_v + link.nv; ++k) {
      out[k] = 0;
      if (a.empty()) continue;
      acceleration += data.column[k] * a[k];
      out[k] = model.rates[k].armature * a[k];
    }
    data.acceleration[i] = acceleration;
    const RigidInertia& inertia = data.inertia[i];
    data.force[i] = inertia * acceleration + cross_force(data.velocity[i], inertia * data.velocity[i]);
    if (!external.empty()) data.force[i] -= external[i];
  }
  gather_forces(model, data, out);
}

void gravity_forces(const TreeModel& model, TreeData& data, const Vec<3>& gravity, std::span<double> out) {
  for (std::size_t i = 0; i < model.size(); ++i) {
    const Vec<3> weight = data.inertia[i].mass * gravity;
    data.force[i] = spatial(-cross(data.inertia[i].moment, gravity), -weight);
  }
  for (double& x : out) x = 0;
  gather_forces(model, data, out);
}

}  // namespace touchstone

#include "dynamics/tree/aba.h"

namespace touchstone {

void factor_tree(const TreeModel& model, TreeData& data, std::span<const double> added) {
  for (std::size_t i = 0; i < model.size(); ++i) data.articulated[i] = data.inertia[i].matrix();
  for (std::size_t i = model.size(); i-- > 0;) {
    const TreeModel::Link& link = model.links[i];
    Mat<6>& inertia = data.articulated[i];
    for (std::size_t k = link.first_v + link.nv; k-- > link.first_v;) {
      const Spatial u = inertia * data.column[k];
      const double more = model.rates[k].armature + (added.empty() ? 0.0 : added[k]);
      const double inverse = 1 / (data.column[k].dot(u) + more);
      data.u[k] = u, data.inverse_d[k] = inverse;
      inertia.noalias() -= u * (inverse * u).transpose();
    }
    if (link.parent >= 0) add_shifted(inertia, data.arm[i], data.articulated[static_cast<std::size_t>(link.parent)]);
  }
}

void forward_dynamics(const TreeModel& model, TreeData& data, const Vec<3>& gravity, std::span<const double> force,
                      std::span<const Spatial> external, std::span<double> out) {
  for (std::size_t i = 0; i < model.size(); ++i) {
    data.force[i] = cross_force(data.velocity[i], data.inertia[i] * data.velocity[i]);
    if (!external.empty()) data.force[i] -= external[i];
  }
  for (std::size_t i = model.size(); i-- > 0;) {
    const TreeModel::Link& link = model.links[i];
    Spatial& p = data.force[i];
    for (std::size_t k = link.first_v + link.nv; k-- > link.first_v;) {
      data.push[k] = (force[k] - data.column[k].dot(p)) * data.inverse_d[k];
      p += data.u[k] * data.push[k];
    }
    if (link.parent >= 0) {
      p.noalias() += data.articulated[i] * data.bias[i];
      data.force[static_cast<std::size_t>(link.parent)] += shift_force(p, -data.arm[i]);
    }
  }
  const Spatial base = spatial(Vec<3>::Zero(), -gravity);
  for (std::size_t i = 0; i < model.size(); ++i) {
    const TreeModel::Link& link = model.links[i];
    Spatial a = data.bias[i];
    a += link.parent < 0 ? base : shift_motion(data.acceleration[static_cast<std::size_t>(link.parent)], data.arm[i]);
    for (std::size_t k = link.first_v; k < link.first_v + link.nv; ++k) {
      out[k] = data.push[k] - data.inverse_d[k] * data.u[k].dot(a);
      a += data.column[k] * out[k];
    }
    data.acceleration[i] = a;
  }
}

}  // namespace touchstone

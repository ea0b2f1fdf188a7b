#include "dynamics/tree/impulse_response.h"

#include <algorithm>

namespace touchstone {
namespace {

// From data.push to velocities, from the world to the leaves.
void spread(const TreeModel& model, TreeData& data, std::span<double> out) {
  for (std::size_t i = 0; i < model.size(); ++i) {
    const TreeModel::Link& link = model.links[i];
    Spatial v = Spatial::Zero();
    if (link.parent >= 0) v = shift_motion(data.acceleration[static_cast<std::size_t>(link.parent)], data.arm[i]);
    for (std::size_t k = link.first_v; k < link.first_v + link.nv; ++k) {
      out[k] = data.push[k] - data.inverse_d[k] * data.u[k].dot(v);
      v += data.column[k] * out[k];
    }
    data.acceleration[i] = v;
  }
}

}  // namespace

void impulse_response(const TreeModel& model, TreeData& data, std::size_t link, const Vec<3>& point,
                      const Spatial& impulse, std::span<double> out) {
  std::fill(data.push.begin(), data.push.end(), 0.0);
  Spatial p = shift_force(-impulse, data.p[link] - point);
  for (std::int32_t i = static_cast<std::int32_t>(link); i >= 0; i = model.links[static_cast<std::size_t>(i)].parent) {
    const TreeModel::Link& l = model.links[static_cast<std::size_t>(i)];
    for (std::size_t k = l.first_v + l.nv; k-- > l.first_v;) {
      data.push[k] = -data.column[k].dot(p) * data.inverse_d[k];
      p += data.u[k] * data.push[k];
    }
    p = shift_force(p, -data.arm[static_cast<std::size_t>(i)]);
  }
  spread(model, data, out);
}

void momentum_response(const TreeModel& model, TreeData& data, std::span<const double> p, std::span<double> out) {
  std::fill(data.force.begin(), data.force.end(), Spatial::Zero());
  for (std::size_t i = model.size(); i-- > 0;) {
    const TreeModel::Link& link = model.links[i];
    for (std::size_t k = link.first_v + link.nv; k-- > link.first_v;) {
      data.push[k] = (p[k] - data.column[k].dot(data.force[i])) * data.inverse_d[k];
      data.force[i] += data.u[k] * data.push[k];
    }
    if (link.parent >= 0) data.force[static_cast<std::size_t>(link.parent)] += shift_force(data.force[i], -data.arm[i]);
  }
  spread(model, data, out);
}

}  // namespace touchstone

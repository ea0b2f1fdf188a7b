#include "dynamics/tree/tree_data.h"

namespace touchstone {

TreeData::TreeData(const TreeModel& model) {
  const std::size_t links = model.size(), rates = model.nv();
  p.assign(links, Vec<3>::Zero()), arm.assign(links, Vec<3>::Zero()), R.assign(links, Mat<3>::Identity());
  column.assign(rates, Spatial::Zero());
  inertia.resize(links), composite.resize(links);
  velocity.assign(links, Spatial::Zero()), bias.assign(links, Spatial::Zero());
  mass.assign(model.row_begin.back(), 0.0), factor.assign(model.row_begin.back(), 0.0);
  u.assign(rates, Spatial::Zero()), inverse_d.assign(rates, 0.0);
  articulated.assign(links, Mat<6>::Zero());
  force.assign(links, Spatial::Zero()), acceleration.assign(links, Spatial::Zero());
  push.assign(rates, 0.0);
}

}  // namespace touchstone

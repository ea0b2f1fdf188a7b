#include "dynamics/tree/crba.h"

namespace touchstone {

void find_mass_matrix(const TreeModel& model, TreeData& data) {
  for (std::size_t i = 0; i < model.size(); ++i) data.composite[i] = data.inertia[i];
  for (std::size_t i = model.size(); i-- > 0;) {
    const TreeModel::Link& link = model.links[i];
    for (std::size_t k = link.first_v; k < link.first_v + link.nv; ++k) {
      Spatial force = data.composite[i] * data.column[k];
      double* entry = data.mass.data() + model.row_begin[k];
      std::size_t at = i;
      for (std::uint32_t j = static_cast<std::uint32_t>(k); j != TreeModel::kNone; j = model.rate_parent[j]) {
        for (; at != model.rate_link[j]; at = static_cast<std::size_t>(model.links[at].parent))
          force = shift_force(force, -data.arm[at]);
        *entry++ = data.column[j].dot(force);
      }
      data.mass[model.row_begin[k]] += model.rates[k].armature;
    }
    if (link.parent >= 0)
      data.composite[static_cast<std::size_t>(link.parent)] += shifted(data.composite[i], data.arm[i]);
  }
}

void fill_mass_matrix(const TreeModel& model, const TreeData& data, Eigen::Ref<Eigen::MatrixXd> out) {
  out.setZero();
  for (std::uint32_t i = 0; i < model.nv(); ++i) {
    const double* entry = data.mass.data() + model.row_begin[i];
    for (std::uint32_t j = i; j != TreeModel::kNone; j = model.rate_parent[j]) out(i, j) = out(j, i) = *entry++;
  }
}

}  // namespace touchstone

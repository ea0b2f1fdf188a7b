#include "contact/tree_mechanism.h"

#include <algorithm>

#include "dynamics/tree/crba.h"
#include "dynamics/tree/kinematics.h"
#include "dynamics/tree/sparse_inertia.h"

namespace touchstone {

TreeMechanism::TreeMechanism(const TreeBody& tree) : tree_(&tree), data_(tree.model) {
  const std::uint32_t most = tree.bodies.empty() ? 0 : *std::max_element(tree.bodies.begin(), tree.bodies.end());
  place_of_.assign(std::size_t{most} + 1, TreeBody::kNone);
  for (std::uint32_t k = 0; k < tree.bodies.size(); ++k) place_of_[tree.bodies[k]] = k;
  center_.assign(tree.bodies.size(), Vec<3>::Zero()), at_center_.assign(tree.bodies.size(), Spatial::Zero());
}

void TreeMechanism::place(const State<3>& state, std::span<const double> added) {
  mass_.owner = this;
  const TreeModel& model = tree_->model;
  place_links(model, tree_->q(state), data_);
  move_links(model, tree_->v(state), data_);
  find_mass_matrix(model, data_);
  for (std::size_t i = 0; i < added.size(); ++i) data_.mass[model.row_begin[i]] += added[i];
  factor_mass_matrix(model, data_);
  for (std::size_t k = 0; k < tree_->bodies.size(); ++k)
    center_[k] = center_of_link(model, data_, tree_->body_links[k]);
}

void TreeMechanism::find_velocities(std::span<const double> rates) {
  move_links(tree_->model, rates, data_);
  for (std::size_t k = 0; k < tree_->bodies.size(); ++k)
    at_center_[k] = velocity_at(data_, tree_->body_links[k], center_[k]);
}

void TreeMechanism::add_row(std::uint32_t body, const Vec<3>& linear, const AngVec<3>& angular,
                            std::span<double> row) const {
  const TreeModel& model = tree_->model;
  const std::uint32_t place = place_of_[body];
  std::size_t at = tree_->body_links[place];
  Spatial force = shift_force(spatial(angular, linear), data_.p[at] - center_[place]);
  for (std::uint32_t k = last_rate(model, at); k != TreeModel::kNone; k = model.rate_parent[k]) {
    for (; at != model.rate_link[k]; at = static_cast<std::size_t>(model.links[at].parent))
      force = shift_force(force, -data_.arm[at]);
    row[k] += data_.column[k].dot(force);
  }
}

void TreeMechanism::Mass::multiply(std::span<const double> x, std::span<double> out) const {
  multiply_mass_matrix(owner->tree_->model, owner->data_, x, out);
}

void TreeMechanism::Mass::solve(std::span<const double> x, std::span<double> out) const {
  std::copy(x.begin(), x.end(), out.begin());
  solve_mass_matrix(owner->tree_->model, owner->data_, out);
}

void TreeMechanism::Mass::write(std::span<double> out) const {
  const auto n = static_cast<Eigen::Index>(size());
  fill_mass_matrix(owner->tree_->model, owner->data_, Eigen::Map<Eigen::MatrixXd>(out.data(), n, n));
}

}  // namespace touchstone

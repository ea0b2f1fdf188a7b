#include "dynamics/tree/sparse_inertia.h"

#include <algorithm>

namespace touchstone {
namespace {

// x − Lᵀ-part of one rate: what it holds is taken from its ancestors.
void take_from_ancestors(const TreeModel& model, const TreeData& data, std::uint32_t i, double* x) {
  const double* l = data.factor.data() + model.row_begin[i] + 1;
  for (std::uint32_t j = model.rate_parent[i]; j != TreeModel::kNone; j = model.rate_parent[j]) x[j] -= *l++ * x[i];
}

}  // namespace

void factor_mass_matrix(const TreeModel& model, TreeData& data, std::span<const double> added) {
  std::copy(data.mass.begin(), data.mass.end(), data.factor.begin());
  for (std::size_t i = 0; i < added.size(); ++i) data.factor[model.row_begin[i]] += added[i];
  for (std::size_t k = model.nv(); k-- > 0;) {
    double* row = data.factor.data() + model.row_begin[k];
    const std::uint32_t length = model.row_begin[k + 1] - model.row_begin[k];
    const double inverse = 1 / row[0];
    std::uint32_t i = model.rate_parent[k];
    for (std::uint32_t at = 1; at < length; ++at, i = model.rate_parent[i]) {
      const double a = row[at] * inverse;
      double* target = data.factor.data() + model.row_begin[i];
      for (std::uint32_t t = at; t < length; ++t) target[t - at] -= a * row[t];
    }
    for (std::uint32_t at = 1; at < length; ++at) row[at] *= inverse;
  }
}

void multiply_mass_matrix(const TreeModel& model, const TreeData& data, std::span<const double> x,
                          std::span<double> out) {
  for (std::uint32_t i = 0; i < model.nv(); ++i) {
    const double* entry = data.mass.data() + model.row_begin[i];
    double sum = *entry++ * x[i];
    for (std::uint32_t j = model.rate_parent[i]; j != TreeModel::kNone; j = model.rate_parent[j]) {
      sum += *entry * x[j];
      out[j] += *entry++ * x[i];
    }
    out[i] = sum;
  }
}

void solve_mass_matrix(const TreeModel& model, const TreeData& data, std::span<double> x) {
  for (std::uint32_t i = static_cast<std::uint32_t>(model.nv()); i-- > 0;)
    take_from_ancestors(model, data, i, x.data());
  for (std::uint32_t i = 0; i < model.nv(); ++i) {
    const double* l = data.factor.data() + model.row_begin[i];
    double sum = x[i] / *l++;
    for (std::uint32_t j = model.rate_parent[i]; j != TreeModel::kNone; j = model.rate_parent[j]) sum -= *l++ * x[j];
    x[i] = sum;
  }
}

void half_solve_columns(const TreeModel& model, const TreeData& data, std::span<const std::uint32_t> from,
                        Eigen::Ref<Eigen::MatrixXd> columns) {
  for (Eigen::Index c = 0; c < columns.cols(); ++c) {
    double* x = columns.col(c).data();
    const std::uint32_t last = from[static_cast<std::size_t>(c)];
    if (last == TreeModel::kNone) {
      for (std::uint32_t i = static_cast<std::uint32_t>(model.nv()); i-- > 0;) take_from_ancestors(model, data, i, x);
    } else {
      for (std::uint32_t i = last; i != TreeModel::kNone; i = model.rate_parent[i])
        take_from_ancestors(model, data, i, x);
    }
  }
}

void fill_inverse_pivots(const TreeModel& model, const TreeData& data, Eigen::Ref<Eigen::VectorXd> out) {
  for (std::size_t i = 0; i < model.nv(); ++i) out[static_cast<Eigen::Index>(i)] = 1 / data.factor[model.row_begin[i]];
}

}  // namespace touchstone

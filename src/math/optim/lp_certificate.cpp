#include "math/optim/lp_certificate.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace touchstone {
namespace {

using Entry = Eigen::SparseMatrix<double>::InnerIterator;
constexpr double kInfinite = std::numeric_limits<double>::infinity();

struct Sums {
  Eigen::VectorXd value, size;  // of a·x or aᵀ·y, and the sums of magnitudes
};
Sums rows_of(const LinearProgram& p, const Eigen::VectorXd& x) {
  Sums out{Eigen::VectorXd::Zero(p.rows()), Eigen::VectorXd::Zero(p.rows())};
  for (Eigen::Index j = 0; j < p.variables(); ++j)
    for (Entry e(p.a, j); e; ++e)
      out.value[e.row()] += e.value() * x[j], out.size[e.row()] += std::abs(e.value() * x[j]);
  return out;
}
Sums columns_of(const LinearProgram& p, const Eigen::VectorXd& y) {
  Sums out{Eigen::VectorXd::Zero(p.variables()), Eigen::VectorXd::Zero(p.variables())};
  for (Eigen::Index j = 0; j < p.variables(); ++j)
    for (Entry e(p.a, j); e; ++e)
      out.value[j] += e.value() * y[e.row()], out.size[j] += std::abs(e.value() * y[e.row()]);
  return out;
}
double misses(double value, double lower, double upper) { return std::max({0.0, lower - value, value - upper}); }
double most(const Eigen::VectorXd& v) { return v.size() > 0 ? v.cwiseAbs().maxCoeff() : 0.0; }
double part(double value, double size) { return value > 0 ? value / std::max(size, value) : 0.0; }
bool crosses(double lower, double upper) { return lower > upper || lower == kInfinite || upper == -kInfinite; }

}  // namespace

void measure_residuals(const LinearProgram& p, LpAnswer& answer) {
  const Sums rows = rows_of(p, answer.x), columns = columns_of(p, answer.multipliers);
  const double row_size = most(rows.size), x_size = most(answer.x), y_size = most(answer.multipliers);
  const double cost_size = std::max(most(p.c), most(columns.size));
  answer.primal_residual = answer.dual_residual = 0;
  // A pull without its bound is as great as it is: its distance is infinite.
  const auto add = [&](double value, double size, double lower, double upper, double pull, double pull_size) {
    const double bound = pull > 0 ? lower : upper;
    const double away = std::isfinite(bound) ? part(std::abs(value - bound), std::max(size, std::abs(bound))) : 1.0;
    answer.dual_residual = std::max(answer.dual_residual, std::min(part(std::abs(pull), pull_size), away));
  };
  for (Eigen::Index i = 0; i < p.rows(); ++i) {
    const double miss = misses(rows.value[i], p.lower[i], p.upper[i]);
    answer.primal_residual = std::max(answer.primal_residual, part(miss, row_size));
    add(rows.value[i], row_size, p.lower[i], p.upper[i], answer.multipliers[i], y_size);
  }
  for (Eigen::Index j = 0; j < p.variables(); ++j) {
    const double miss = misses(answer.x[j], p.x_lower[j], p.x_upper[j]);
    answer.primal_residual = std::max(answer.primal_residual, part(miss, x_size));
    add(answer.x[j], x_size, p.x_lower[j], p.x_upper[j], p.c[j] - columns.value[j], cost_size);
  }
}

bool falls_along(const LinearProgram& p, const Eigen::VectorXd& d, double tolerance) {
  const double size = p.c.cwiseAbs().dot(d.cwiseAbs()), falls = -p.c.dot(d);
  if (!d.allFinite() || !(falls > tolerance * size)) return false;
  const Sums rows = rows_of(p, d);
  const auto ends = [&](double along, double lower, double upper, double magnitude) {
    const double off = std::max(std::isfinite(lower) ? -along : 0.0, std::isfinite(upper) ? along : 0.0);
    return off > tolerance * magnitude;
  };
  for (Eigen::Index i = 0; i < p.rows(); ++i)
    if (ends(rows.value[i], p.lower[i], p.upper[i], most(rows.size))) return false;
  for (Eigen::Index j = 0; j < p.variables(); ++j)
    if (ends(d[j], p.x_lower[j], p.x_upper[j], most(d))) return false;
  return true;
}

double farkas_margin(const LinearProgram& p, const Eigen::VectorXd& y, double tolerance) {
  for (Eigen::Index j = 0; j < p.variables(); ++j)
    if (crosses(p.x_lower[j], p.x_upper[j])) return 1;
  double margin = 0, size = 0;
  for (Eigen::Index i = 0; i < p.rows(); ++i) {
    if (y[i] == 0) continue;
    if (crosses(p.lower[i], p.upper[i])) return 1;
    const double bound = y[i] > 0 ? p.lower[i] : p.upper[i];
    if (!std::isfinite(bound) && std::abs(y[i]) <= tolerance * most(y)) continue;
    if (!std::isfinite(bound)) return -kInfinite;
    margin += y[i] * bound, size += std::abs(y[i] * bound);
  }
  const Sums columns = columns_of(p, y);
  const double column_size = most(columns.size);
  for (Eigen::Index j = 0; j < p.variables(); ++j) {
    const double pull = columns.value[j], bound = pull > 0 ? p.x_upper[j] : p.x_lower[j];
    if (pull == 0) continue;
    if (!std::isfinite(bound) && std::abs(pull) <= tolerance * column_size) continue;
    if (!std::isfinite(bound)) return -kInfinite;
    margin -= pull * bound, size += std::abs(pull * bound);
  }
  return size > 0 ? margin / size : 0.0;
}

}  // namespace touchstone

#include "math/exact/exact_program.h"

#include <cmath>
#include <limits>

namespace touchstone {
namespace {

using Bounds = ExactProgram::Bounds;
using Vector = std::vector<Rational>;
constexpr double kInfinite = std::numeric_limits<double>::infinity();

Bounds exact_bounds(const Eigen::VectorXd& v) {
  Bounds out(static_cast<std::size_t>(v.size()));
  for (std::size_t i = 0; i < out.size(); ++i) {
    const double bound = v[static_cast<Eigen::Index>(i)];
    if (std::isfinite(bound)) out[i] = exact(bound);
  }
  return out;
}
Eigen::VectorXd rounded_bounds(const Bounds& bounds, double absent) {
  Eigen::VectorXd out(static_cast<Eigen::Index>(bounds.size()));
  for (std::size_t i = 0; i < bounds.size(); ++i)
    out[static_cast<Eigen::Index>(i)] = bounds[i] ? rounded(*bounds[i]) : absent;
  return out;
}

Vector rows_of(const ExactProgram& p, const Vector& x) {
  Vector out(p.rows());
  for (std::size_t j = 0; j < p.variables(); ++j)
    if (x[j] != 0)
      for (const ExactEntry& e : p.columns[j]) out[static_cast<std::size_t>(e.row)] += e.value * x[j];
  return out;
}
Rational column_of(const ExactProgram& p, std::size_t j, const Vector& y) {
  Rational out;
  for (const ExactEntry& e : p.columns[j]) {
    const Rational& pull = y[static_cast<std::size_t>(e.row)];
    if (pull != 0) out += e.value * pull;
  }
  return out;
}
Rational dot(const Vector& a, const Vector& b) {
  Rational out;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i] != 0 && b[i] != 0) out += a[i] * b[i];
  return out;
}
bool within(const Vector& value, const Bounds& lower, const Bounds& upper) {
  for (std::size_t i = 0; i < value.size(); ++i)
    if ((lower[i] && value[i] < *lower[i]) || (upper[i] && value[i] > *upper[i])) return false;
  return true;
}
// A pull is at the bound that its sign asks for.
bool complementary(const Rational& value, const Rational& pull, const std::optional<Rational>& lower,
                   const std::optional<Rational>& upper) {
  if (pull == 0) return true;
  const std::optional<Rational>& bound = pull > 0 ? lower : upper;
  return bound && value == *bound;
}
// A direction that no bound ends.
bool recedes(const Vector& d, const Bounds& lower, const Bounds& upper) {
  for (std::size_t i = 0; i < d.size(); ++i)
    if ((lower[i] && d[i] < 0) || (upper[i] && d[i] > 0)) return false;
  return true;
}
bool crosses(const std::optional<Rational>& lower, const std::optional<Rational>& upper) {
  return lower && upper && *lower > *upper;
}

}  // namespace

ExactProgram exact_program(const LinearProgram& p) {
  ExactProgram out;
  out.c.resize(static_cast<std::size_t>(p.variables()));
  out.columns.resize(out.c.size());
  for (std::size_t j = 0; j < out.c.size(); ++j) {
    out.c[j] = exact(p.c[static_cast<Eigen::Index>(j)]);
    for (Eigen::SparseMatrix<double>::InnerIterator e(p.a, static_cast<Eigen::Index>(j)); e; ++e)
      if (e.value() != 0) out.columns[j].push_back({static_cast<std::int32_t>(e.row()), exact(e.value())});
  }
  out.lower = exact_bounds(p.lower), out.upper = exact_bounds(p.upper);
  out.x_lower = exact_bounds(p.x_lower), out.x_upper = exact_bounds(p.x_upper);
  return out;
}

LinearProgram rounded_program(const ExactProgram& p) {
  LinearProgram out;
  out.c.resize(static_cast<Eigen::Index>(p.variables()));
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t j = 0; j < p.variables(); ++j) {
    out.c[static_cast<Eigen::Index>(j)] = rounded(p.c[j]);
    for (const ExactEntry& e : p.columns[j]) entries.emplace_back(e.row, static_cast<int>(j), rounded(e.value));
  }
  out.a.resize(static_cast<Eigen::Index>(p.rows()), out.c.size());
  out.a.setFromTriplets(entries.begin(), entries.end());
  out.lower = rounded_bounds(p.lower, -kInfinite), out.upper = rounded_bounds(p.upper, kInfinite);
  out.x_lower = rounded_bounds(p.x_lower, -kInfinite), out.x_upper = rounded_bounds(p.x_upper, kInfinite);
  return out;
}

const char* text_of(ExactStatus status) {
  switch (status) {
    case ExactStatus::kOptimal:
      return "optimal, proven";
    case ExactStatus::kInfeasible:
      return "no point keeps all rows and bounds, proven";
    case ExactStatus::kUnbounded:
      return "the objective falls for ever, proven";
    case ExactStatus::kUnproven:
      return "not proven within the budget";
    case ExactStatus::kStopped:
      return "stopped on request";
  }
  return "";
}

bool verify_feasible(const ExactProgram& p, const Vector& x) {
  return x.size() == p.variables() && within(x, p.x_lower, p.x_upper) && within(rows_of(p, x), p.lower, p.upper);
}

bool verify_optimal(const ExactProgram& p, const Vector& x, const Vector& y) {
  if (y.size() != p.rows() || !verify_feasible(p, x)) return false;
  const Vector rows = rows_of(p, x);
  for (std::size_t i = 0; i < p.rows(); ++i)
    if (!complementary(rows[i], y[i], p.lower[i], p.upper[i])) return false;
  for (std::size_t j = 0; j < p.variables(); ++j)
    if (!complementary(x[j], p.c[j] - column_of(p, j, y), p.x_lower[j], p.x_upper[j])) return false;
  return true;
}

// Σ of the least that rows ask of yᵀ·a·x, less the most that the bounds of x allow, is positive.
bool verify_infeasible(const ExactProgram& p, const Vector& y) {
  if (y.size() != p.rows()) return false;
  Rational margin;
  for (std::size_t i = 0; i < p.rows(); ++i) {
    if (y[i] == 0) continue;
    if (crosses(p.lower[i], p.upper[i])) return true;
    const std::optional<Rational>& bound = y[i] > 0 ? p.lower[i] : p.upper[i];
    if (!bound) return false;
    margin += y[i] * *bound;
  }
  bool finite = true;
  for (std::size_t j = 0; j < p.variables(); ++j) {
    if (crosses(p.x_lower[j], p.x_upper[j])) return true;
    const Rational pull = column_of(p, j, y);
    if (pull == 0) continue;
    const std::optional<Rational>& bound = pull > 0 ? p.x_upper[j] : p.x_lower[j];
    finite = finite && bound.has_value();
    if (bound) margin -= pull * *bound;
  }
  return finite && margin > 0;
}

bool verify_unbounded(const ExactProgram& p, const Vector& x, const Vector& d) {
  return d.size() == p.variables() && verify_feasible(p, x) && dot(p.c, d) < 0 && recedes(d, p.x_lower, p.x_upper) &&
         recedes(rows_of(p, d), p.lower, p.upper);
}

}  // namespace touchstone

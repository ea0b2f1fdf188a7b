// Purpose: the linear program of a node of the search over contact modes (modes.h).
// Letters: a accelerations, g factors of the corners of friction, n freedoms. Columns: a, then g contact by contact,
// then
//   joints. Rows: M·a − Jᵀ·f = W; then of each contact the opening and, with friction, the slips; then joints.
// Bound of a: any law-abiding acceleration from rest has aᵀM·a <= W·a, as normal forces do no work and friction none
//   that is positive. By Cauchy-Schwarz |a|_M <= |W|_{M⁻¹}.
#include "statics/mode_program.h"

#include <Eigen/Dense>
#include <cmath>

namespace touchstone::statics {
namespace {

const std::optional<Rational> kNone;
constexpr double kInfinite = std::numeric_limits<double>::infinity();

double to_double(const std::optional<Rational>& x, double without) { return x ? rounded(*x) : without; }

}  // namespace

ModeProgram::ModeProgram(const Equations& e, const FrictionCone& cone) : e_(e), cone_(cone), groups_(slip_groups(e)) {
  const auto n = static_cast<std::size_t>(e.freedoms);
  for (std::size_t j = 0; j < n; ++j) {
    base_.c.push_back(-e.load[j]), base_.columns.push_back(e.mass[j]);
    base_.x_lower.push_back(kNone), base_.x_upper.push_back(kNone);
    base_.lower.push_back(e.load[j]), base_.upper.push_back(e.load[j]);
  }
  for (std::size_t i = 0; i < e.contacts; ++i) add_contact(i);
  add_dynamics();
  for (std::size_t r = 0; r < kinematic_.size(); ++r)
    for (const ExactEntry& entry : kinematic_[r])
      base_.columns[static_cast<std::size_t>(entry.row)].push_back({static_cast<std::int32_t>(n + r), entry.value});
  rounded_ = rounded_program(base_);
  bound_accelerations();
}

void ModeProgram::add_contact(std::size_t i) {
  const auto add_row = [&](SparseRow row, const std::optional<Rational>& lower) {
    kinematic_.push_back(std::move(row));
    base_.lower.push_back(lower), base_.upper.push_back(kNone);
  };
  const auto add_column = [&](const SparseRow& row) {
    SparseRow column;
    for (const ExactEntry& entry : row) column.push_back({entry.row, -entry.value});
    base_.columns.push_back(std::move(column)), base_.c.push_back(0);
    base_.x_lower.push_back(Rational(0)), base_.x_upper.push_back(kNone);
  };
  contact_row_.push_back(base_.lower.size());
  contact_column_.push_back(base_.c.size());
  add_row(e_.row(i, 0), Rational(0));
  if (e_.friction[i] == 0) return add_column(e_.row(i, 0));
  for (const Direction& d : cone_.rows) add_row(slip_row(e_, i, d, groups_.shear[i]), kNone);
  for (const Direction& d : cone_.forces) add_column(force_row(e_, i, d));
}

void ModeProgram::add_dynamics() {
  hold_column_ = base_.c.size();
  for (std::size_t i = 0; i < e_.holds; ++i) {
    SparseRow column;
    for (const ExactEntry& entry : e_.hold(i)) column.push_back({entry.row, -entry.value});
    base_.columns.push_back(std::move(column)), base_.c.push_back(0);
    base_.x_lower.push_back(e_.one_sided[i] ? std::optional<Rational>(0) : kNone), base_.x_upper.push_back(kNone);
    kinematic_.push_back(e_.hold(i));
    base_.lower.push_back(Rational(0)), base_.upper.push_back(e_.one_sided[i] ? kNone : std::optional<Rational>(0));
  }
}

void ModeProgram::bound_accelerations() {
  const Eigen::Index n = e_.freedoms;
  // M has a block for each body.
  Eigen::VectorXd load(n), diagonal(n);
  for (Eigen::Index j = 0; j < n; ++j) load[j] = rounded(e_.load[static_cast<std::size_t>(j)]);
  const Eigen::Index block = e_.axes == 2 ? 3 : 6;
  for (Eigen::Index b = 0; b < n; b += block) {
    Eigen::MatrixXd m = Eigen::MatrixXd::Zero(block, block);
    for (Eigen::Index j = 0; j < block; ++j)
      for (const ExactEntry& entry : e_.mass[static_cast<std::size_t>(b + j)])
        m(entry.row - b, j) = rounded(entry.value);
    const Eigen::MatrixXd inverse = m.inverse();
    scale_ += load.segment(b, block).dot(inverse * load.segment(b, block));
    diagonal.segment(b, block) = inverse.diagonal();
  }
  for (Eigen::Index j = 0; j < n; ++j) {
    const double most = 1.001 * std::sqrt(scale_ * diagonal[j]);
    rounded_.x_lower[j] = -most, rounded_.x_upper[j] = most;
  }
}

template <class SetRow, class SetColumn>
void ModeProgram::apply(const Modes& modes, SetRow&& set_row, SetColumn&& set_column) const {
  const std::optional<Rational> zero = Rational(0);
  for (std::size_t i = 0; i < e_.contacts; ++i) {
    const Mode& mode = modes[i];
    const std::size_t row = contact_row_[i], column = contact_column_[i];
    set_row(row, zero, mode.closed() ? zero : kNone);
    if (e_.friction[i] == 0) {
      set_column(column, !mode.opens());
      continue;
    }
    for (std::size_t k = 0; k < cone_.rows.size(); ++k) set_row(row + 1 + k, kNone, kNone);
    for (std::size_t k = 0; k < cone_.forces.size(); ++k) set_column(column + k, false);
    const SlideMode* slide = mode.slip >= 0 ? &cone_.modes[static_cast<std::size_t>(mode.slip)] : nullptr;
    if (mode.slip == kSticks || mode.slip == kStill)
      for (const int k : cone_.zero_rows) set_row(row + 1 + static_cast<std::size_t>(k), zero, zero);
    if (slide)
      for (const ModeSide& s : slide->sides)
        set_row(row + 1 + static_cast<std::size_t>(s.row), s.sign >= 0 ? zero : kNone, s.sign <= 0 ? zero : kNone);
    if (mode.opens()) continue;
    for (const int k : slide ? slide->forces : cone_.outside) set_column(column + static_cast<std::size_t>(k), true);
  }
}

const LinearProgram& ModeProgram::rounded_at(const Modes& modes) {
  apply(
      modes,
      [&](std::size_t row, const std::optional<Rational>& lower, const std::optional<Rational>& upper) {
        rounded_.lower[static_cast<Eigen::Index>(row)] = to_double(lower, -kInfinite);
        rounded_.upper[static_cast<Eigen::Index>(row)] = to_double(upper, kInfinite);
      },
      [&](std::size_t column, bool on) { rounded_.x_upper[static_cast<Eigen::Index>(column)] = on ? kInfinite : 0.0; });
  return rounded_;
}

ExactProgram ModeProgram::exact_at(const Modes& modes) const {
  ExactProgram out = base_;
  apply(
      modes,
      [&](std::size_t row, const std::optional<Rational>& lower, const std::optional<Rational>& upper) {
        out.lower[row] = lower, out.upper[row] = upper;
      },
      [&](std::size_t column, bool on) { out.x_upper[column] = on ? kNone : std::optional<Rational>(0); });
  return out;
}

Motion ModeProgram::acceleration_of(const Values& x) const {
  Motion out;
  out.rounded = x.rounded.head(e_.freedoms);
  if (!x.exact.empty()) out.exact.assign(x.exact.begin(), x.exact.begin() + e_.freedoms);
  return out;
}

Forces ModeProgram::forces_of(const Values& x) const {
  const auto axes = static_cast<std::size_t>(e_.axes);
  std::vector<Rational> exact(e_.rows.size(), Rational(0));
  const auto value = [&](std::size_t column) {
    return x.exact.empty() ? Rational(x.rounded[static_cast<Eigen::Index>(column)]) : x.exact[column];
  };
  for (std::size_t i = 0; i < e_.contacts; ++i) {
    if (e_.friction[i] == 0) {
      exact[i * axes] = value(contact_column_[i]);
      continue;
    }
    for (std::size_t k = 0; k < cone_.forces.size(); ++k) {
      const Rational g = value(contact_column_[i] + k);
      if (g == 0) continue;
      exact[i * axes] += g;
      exact[i * axes + 1] += g * e_.friction[i] * cone_.forces[k].x;
      if (axes == 3) exact[i * axes + 2] += g * e_.friction[i] * cone_.forces[k].y;
    }
  }
  for (std::size_t i = 0; i < e_.holds; ++i) exact[e_.contacts * axes + i] = value(hold_column_ + i);
  Forces out = exact_values(std::move(exact));
  if (x.exact.empty()) out.exact.clear();
  return out;
}

std::vector<Rational> ModeProgram::rates_of(const std::vector<Rational>& y) const {
  const auto axes = static_cast<std::size_t>(e_.axes);
  std::vector<Rational> out(e_.rows.size(), Rational(0));
  for (std::size_t i = 0; i < e_.contacts; ++i) {
    const std::size_t row = contact_row_[i];
    out[i * axes] = y[row];
    if (e_.friction[i] == 0) continue;
    for (std::size_t k = 0; k < cone_.rows.size(); ++k) {
      out[i * axes + 1] += y[row + 1 + k] * cone_.rows[k].x;
      out[i * axes] -= y[row + 1 + k] * cone_.rows[k].x * groups_.shear[i];
      if (axes == 3) out[i * axes + 2] += y[row + 1 + k] * cone_.rows[k].y;
    }
  }
  const std::size_t first = base_.lower.size() - e_.holds;
  for (std::size_t i = 0; i < e_.holds; ++i) out[e_.contacts * axes + i] = y[first + i];
  return out;
}

Multipliers ModeProgram::multipliers_of(const LpAnswer& answer) const {
  const Eigen::VectorXd& y = answer.status == LpStatus::kInfeasible ? answer.ray : answer.multipliers;
  Multipliers out{y.head(e_.freedoms), Eigen::VectorXd::Zero(static_cast<Eigen::Index>(e_.rows.size()))};
  for (std::size_t i = 0; i < e_.contacts; ++i) {
    const auto row = static_cast<Eigen::Index>(contact_row_[i]), first = static_cast<Eigen::Index>(i) * e_.axes;
    out.rates[first] = y[row];
    if (e_.friction[i] == 0) continue;
    for (std::size_t k = 0; k < cone_.rows.size(); ++k) {
      const double factor = y[row + 1 + static_cast<Eigen::Index>(k)];
      out.rates[first + 1] += factor * rounded(cone_.rows[k].x);
      out.rates[first] -= factor * rounded(cone_.rows[k].x) * rounded(groups_.shear[i]);
      if (e_.axes == 3) out.rates[first + 2] += factor * rounded(cone_.rows[k].y);
    }
  }
  return out;
}

double ModeProgram::limit_violation(const Eigen::VectorXd& x) const {
  double most = 0;
  for (std::size_t i = 0; i < e_.holds; ++i) {
    if (!e_.one_sided[i]) continue;
    double rate = 0;
    for (const ExactEntry& entry : e_.hold(i)) rate += touchstone::rounded(entry.value) * x[entry.row];
    most = std::max(most, rate * x[static_cast<Eigen::Index>(hold_column_ + i)]);
  }
  return most;
}

Eigen::VectorXd ModeProgram::with_acceleration(const Eigen::VectorXd& a) const {
  Eigen::VectorXd x = Eigen::VectorXd::Zero(rounded_.c.size());
  x.head(e_.freedoms) = a;
  return x;
}

ContactState ModeProgram::state_of(const Eigen::VectorXd& x, std::size_t i) const {
  ContactState s;
  const auto along = [&](const SparseRow& row) {
    double sum = 0;
    for (const ExactEntry& entry : row) sum += rounded(entry.value) * x[entry.row];
    return sum;
  };
  s.opening = along(e_.row(i, 0));
  s.slip_x = along(e_.row(i, 1));
  if (e_.axes == 3) s.slip_y = along(e_.row(i, 2));
  if (e_.friction[i] == 0) {
    s.force = x[static_cast<Eigen::Index>(contact_column_[i])];
    return s;
  }
  const double mu = rounded(e_.friction[i]);
  for (std::size_t k = 0; k < cone_.forces.size(); ++k) {
    const double g = x[static_cast<Eigen::Index>(contact_column_[i] + k)];
    s.force += g;
    s.friction_x += g * mu * rounded(cone_.forces[k].x), s.friction_y += g * mu * rounded(cone_.forces[k].y);
  }
  return s;
}

}  // namespace touchstone::statics

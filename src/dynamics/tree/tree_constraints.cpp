#include "dynamics/tree/tree_constraints.h"

#include <fmt/format.h>

#include <algorithm>

#include "dynamics/tree/coordinates.h"
#include "dynamics/tree/crba.h"
#include "dynamics/tree/kinematics.h"
#include "dynamics/tree/sparse_inertia.h"
#include "touchstone/error.h"

namespace touchstone {
namespace {

constexpr double kSoft = 1e-13;  // of the greatest diagonal entry: redundant rows get a pivot above rounding

using Kind = TreeConstraint::Kind;

void check(const TreeModel& model, const TreeConstraint& c) {
  const auto most = static_cast<std::int32_t>(c.kind == Kind::kCoordinates ? model.nv() : model.size());
  const std::int32_t least = c.kind == Kind::kCoordinates ? 0 : TreeConstraint::kNone;
  if (c.a < least || c.a >= most || c.b < TreeConstraint::kNone || c.b >= most || c.a == c.b)
    throw Error(ErrorKind::kBadInput, fmt::format("a constraint joins the places {} and {} of a tree that has {}: it "
                                                  "needs two different ones",
                                                  c.a, c.b, most));
  if (c.kind != Kind::kCoordinates) return;
  for (const std::int32_t rate : {c.a, c.b})
    if (rate >= 0 && model.coordinate[static_cast<std::size_t>(rate)] == TreeModel::kNone)
      throw Error(ErrorKind::kBadInput,
                  fmt::format("link '{}': the angles of a quaternion cannot be coupled; joints with "
                              "coordinates of their own can",
                              model.names[model.rate_link[static_cast<std::size_t>(rate)]]));
}

Pose<3> pose_of(const TreeModel& model, const TreeData& data, std::int32_t link) {
  return link < 0 ? Pose<3>{} : link_pose(model, data, static_cast<std::size_t>(link));
}

// Value, slope and curvature of the polynomial.
Vec<3> evaluate(const std::array<double, 5>& c, double x) {
  const double value = c[0] + x * (c[1] + x * (c[2] + x * (c[3] + x * c[4])));
  const double slope = c[1] + x * (2 * c[2] + x * (3 * c[3] + x * 4 * c[4]));
  return {value, slope, 2 * c[2] + x * (6 * c[3] + x * 12 * c[4])};
}

}  // namespace

TreeConstraint TreeConstraint::mimic(std::uint32_t a, std::uint32_t b, double multiplier, double offset) {
  TreeConstraint out;
  out.kind = Kind::kCoordinates;
  out.a = static_cast<std::int32_t>(a), out.b = static_cast<std::int32_t>(b);
  out.polynomial = {offset, multiplier, 0, 0, 0};
  return out;
}

TreeConstraints::TreeConstraints(const TreeModel& model, std::span<const TreeConstraint> constraints)
    : constraints_(constraints.begin(), constraints.end()) {
  Eigen::Index rows = 0;
  for (const TreeConstraint& c : constraints_) {
    check(model, c);
    for (Eigen::Index k = 0; k < c.rows(); ++k) group_.push_back(rows + k / 3 * 3);
    rows += c.rows();
  }
  const auto nv = static_cast<Eigen::Index>(model.nv());
  jt_.setZero(nv, rows), half_.setZero(nv, rows), w_.setZero(rows, rows);
  for (Eigen::VectorXd* list : {&error_, &bias_, &target_, &lambda_, &residual_, &step_}) list->setZero(rows);
  pivots_.setZero(nv);
  factor_.compute(Eigen::MatrixXd::Identity(rows, rows));
  whole_.assign(static_cast<std::size_t>(rows), TreeModel::kNone);
  move_.assign(model.nv(), 0.0), rest_.assign(model.nv(), 0.0);
}

void TreeConstraints::add_point(const TreeModel& model, const TreeData& data, std::int32_t link, const Vec<3>& point,
                                double sign, Eigen::Index row, bool with_angles) {
  if (link < 0) return;
  const auto place = static_cast<std::size_t>(link);
  for (std::uint32_t k = last_rate(model, place); k != TreeModel::kNone; k = model.rate_parent[k]) {
    const Spatial column = column_at(model, data, k, point);
    jt_.block<1, 3>(k, row) += sign * column.tail<3>().transpose();
    if (with_angles) jt_.block<1, 3>(k, row + 3) += sign * column.head<3>().transpose();
  }
  const Spatial bias = bias_at(model, data, place, point);
  bias_.segment<3>(row) += sign * bias.tail<3>();
  if (with_angles) bias_.segment<3>(row + 3) += sign * bias.head<3>();
}

void TreeConstraints::find_one(const TreeModel& model, const TreeData& data, const TreeConstraint& c, Eigen::Index row,
                               std::span<const double> q, std::span<const double> v) {
  if (c.kind == Kind::kCoordinates) {
    const auto a = static_cast<std::size_t>(c.a);
    jt_(c.a, row) = 1;
    error_[row] = q[model.coordinate[a]] - c.reference_a - c.polynomial[0];
    if (c.b < 0) return;
    const auto b = static_cast<std::size_t>(c.b);
    const Vec<3> p = evaluate(c.polynomial, q[model.coordinate[b]] - c.reference_b);
    error_[row] = q[model.coordinate[a]] - c.reference_a - p[0];
    jt_(c.b, row) = -p[1];
    bias_[row] = -p[2] * v[b] * v[b];
    return;
  }
  const bool weld = c.kind == Kind::kWeld;
  const Pose<3> a = pose_of(model, data, c.a), b = pose_of(model, data, c.b);
  const Vec<3> at_a = a.p + a.R * (weld ? c.relative.p : c.point_a);
  const Vec<3> at_b = weld ? b.p : Vec<3>(b.p + b.R * c.point_b);
  error_.segment<3>(row) = at_b - at_a;
  if (weld) error_.segment<3>(row + 3) = log_rotation(b.R * (a.R * c.relative.R).conjugate());
  add_point(model, data, c.a, at_a, -1, row, weld);
  add_point(model, data, c.b, at_b, 1, row, weld);
}

void TreeConstraints::find(const TreeModel& model, const TreeData& data, std::span<const double> q,
                           std::span<const double> v) {
  jt_.setZero(), bias_.setZero(), error_.setZero();
  Eigen::Index row = 0;
  for (const TreeConstraint& c : constraints_) {
    find_one(model, data, c, row, q, v);
    row += c.rows();
  }
}

double TreeConstraints::scale(std::span<const double> numbers, Eigen::Index row) const {
  double out = 0;
  for (std::size_t r = 0; r < group_.size(); ++r)
    if (group_[r] == group_[static_cast<std::size_t>(row)]) out = std::max(out, numbers[r]);
  return out;
}

void TreeConstraints::project(const TreeModel& model, const TreeData& data, const Eigen::VectorXd& target,
                              std::span<double> x) {
  lambda_.setZero();
  if (rows() == 0) return;
  half_ = jt_;
  half_solve_columns(model, data, whole_, half_);
  fill_inverse_pivots(model, data, pivots_);
  for (Eigen::Index c = 0; c < half_.cols(); ++c) half_.col(c).array() *= pivots_.array().sqrt();
  w_.noalias() = half_.transpose() * half_;
  const double soft = kSoft * w_.diagonal().maxCoeff();
  w_.diagonal().array() += soft;
  factor_.compute(w_);
  Eigen::Map<Eigen::VectorXd> all(x.data(), static_cast<Eigen::Index>(x.size()));
  for (int pass = 0; pass < 2; ++pass) {
    residual_ = target;
    residual_.noalias() -= jt_.transpose() * all;
    step_ = factor_.solve(residual_);
    lambda_ += step_;
    Eigen::Map<Eigen::VectorXd> move(move_.data(), all.size());
    move.noalias() = jt_ * step_;
    solve_mass_matrix(model, data, move_);
    all += move;
  }
}

void TreeConstraints::constrain(const TreeModel& model, const TreeData& data, double rate, std::span<const double> v,
                                std::span<double> a) {
  const Eigen::Map<const Eigen::VectorXd> speeds(v.data(), static_cast<Eigen::Index>(v.size()));
  target_ = -bias_ - rate * rate * error_;
  target_.noalias() -= 2 * rate * (jt_.transpose() * speeds);
  project(model, data, target_, a);
}

bool TreeConstraints::close(const TreeModel& model, TreeData& data, double tolerance, int most, std::span<double> q) {
  for (int i = 0;; ++i) {
    place_links(model, q, data);
    std::fill(rest_.begin(), rest_.end(), 0.0);
    move_links(model, rest_, data);
    find(model, data, q, rest_);
    if (rows() == 0 || error_.cwiseAbs().maxCoeff() <= tolerance) return true;
    if (i == most) return false;
    find_mass_matrix(model, data);
    factor_mass_matrix(model, data);
    target_ = -error_;
    project(model, data, target_, rest_);
    move_coordinates(model, q, rest_, 1.0, q);
  }
}

}  // namespace touchstone

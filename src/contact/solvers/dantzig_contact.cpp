// Purpose: solves a contact problem island by island with Dantzig's method, friction rows bounded by μ times the normal
//   impulse of their contact, each tangent on its own.
// Source: dantzig.cpp; the use for friction is that of ODE [drumwright2009 section 2.2] after D. Baraff, SIGGRAPH 1994.
// Letters: u = W·r + q, as docs/conventions.md.
// Deviations:
//   (1) With `passes` above 1 the bounds are made those of the answer; ODE takes what the normals have without
//   friction. (2) Two coefficients: as lemke_contact.cpp. (3) μ above 1e6 is taken as that: an infinite bound on a
//   contact that is open would hold it at a distance.
// Fails: an island on which the method does not end, whose bounds swing to and fro, or that is too large; the reason is
//   given. In 3D a box reaches out of the cone by up to √2 along its diagonals, and knows the directions of the frame.
#include "contact/solvers/dantzig_contact.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace touchstone {
namespace {

constexpr int kMostRounds = 20;  // with some contacts loosened; then all are
constexpr double kMostFriction = 1e6;

}  // namespace

void DantzigContact::note(SolveStatus status, const char* reason, ContactSolution& out) {
  if (out.status != SolveStatus::kConverged) return;
  out.status = status;
  out.reason = reason;
}

void DantzigContact::set_bounds(const ContactProblem& p, std::span<const std::uint32_t> blocks) {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  const std::size_t n = matrix_.size();
  lower_.assign(n, -kNone), upper_.assign(n, kNone), leader_.assign(n, -1);
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    const RowBlock& b = p.blocks[blocks[k]];
    const std::uint32_t first = matrix_.first(k);
    if (b.kind == BlockKind::kLimit) lower_[first] = 0;
    if (b.kind == BlockKind::kMotor) lower_[first] = p.lower[b.first_row], upper_[first] = p.upper[b.first_row];
    if (b.kind != BlockKind::kContact) continue;
    const ContactLaw& law = p.contacts[b.contact];
    const double friction = use_[b.contact] == FrictionUse::kStatic ? law.static_friction : law.dynamic_friction;
    lower_[first] = 0;
    for (std::uint32_t i = first + 1; i < first + b.rows; ++i) {
      upper_[i] = std::min(kMostFriction, friction);
      lower_[i] = -upper_[i];
      leader_[i] = static_cast<std::int32_t>(first);
    }
  }
  for (std::size_t i = 0; i < n; ++i)  // what nothing can move
    if (!(matrix_.w(i, i) > 0)) lower_[i] = upper_[i] = 0, leader_[i] = -1;
}

bool DantzigContact::loosen(const ContactProblem& p, std::span<const std::uint32_t> blocks, double slip, bool all) {
  bool any = false;
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    const RowBlock& b = p.blocks[blocks[k]];
    if (b.kind != BlockKind::kContact || use_[b.contact] == FrictionUse::kDynamic) continue;
    if (!(p.contacts[b.contact].static_friction > p.contacts[b.contact].dynamic_friction)) continue;
    double u = 0;
    for (std::uint32_t i = 1; i < b.rows; ++i) u = std::hypot(u, u_[matrix_.first(k) + i]);
    if (!all && !(u > slip && x_[matrix_.first(k)] > 0)) continue;
    use_[b.contact] = FrictionUse::kDynamic;
    any = true;
  }
  return any;
}

void DantzigContact::solve_island(const ContactProblem& p, std::span<const std::uint32_t> blocks,
                                  const DantzigContactOptions& options, ContactSolution& out) {
  std::size_t rows = 0;
  for (const std::uint32_t k : blocks) rows += p.blocks[k].rows;
  if (rows > options.max_rows) {
    out.residual = std::numeric_limits<double>::infinity();
    return note(SolveStatus::kIterationLimit, "an island is too large", out);
  }
  matrix_.load(p, blocks);
  const Eigen::Index n = static_cast<Eigen::Index>(matrix_.size());
  const Eigen::Map<const Eigen::MatrixXd> a(matrix_.matrix().data(), n, n);
  const Eigen::Map<const Eigen::VectorXd> b(matrix_.vector().data(), n);
  x_.resize(matrix_.size()), u_.resize(matrix_.size());
  DantzigOptions how;
  how.stop = p.stop;
  how.max_pivots = options.max_pivots;
  how.regularisation = options.regularisation;
  how.passes = options.passes;
  how.tolerance = options.tolerance;
  for (int round = 0;; ++round) {
    set_bounds(p, blocks);
    const DantzigAnswer answer =
        dantzig_.solve({a, b, lower_, upper_, leader_}, how, Eigen::Map<Eigen::VectorXd>(x_.data(), n));
    out.iterations += answer.pivots;
    matrix_.velocities(x_, u_);
    // What gives way by regularisation, g·h over and over, does not slide.
    const double slip = std::max(1e-9, 10 * options.regularisation) * std::max(1e-3, b.cwiseAbs().maxCoeff());
    if (answer.status == LcpStatus::kSolved && loosen(p, blocks, slip, round >= kMostRounds)) continue;
    for (std::size_t i = 0; i < matrix_.size(); ++i) out.impulses[matrix_.row(i)] = x_[i];
    out.residual = std::max(out.residual, answer.residual);
    double most = 0;
    for (const double x : x_) most = std::max(most, std::abs(x));
    if (answer.status != LcpStatus::kSolved)
      note(answer.status == LcpStatus::kPivotLimit ? SolveStatus::kIterationLimit : SolveStatus::kStalled,
           text_of(answer.status), out);
    else if (options.passes > 1 && answer.bound_error > options.tolerance * most)
      note(SolveStatus::kStalled, "the bounds of friction do not settle", out);
    return;
  }
}

void DantzigContact::solve(const ContactProblem& p, const DantzigContactOptions& options, ContactSolution& out) {
  out.impulses.assign(p.rows(), 0.0);
  out.status = SolveStatus::kConverged;
  out.reason = "";
  out.iterations = 0;
  out.residual = 0;
  use_.assign(p.contacts.size(), FrictionUse::kStatic);
  islands_.split(p);
  for (std::size_t i = 0; i < islands_.size(); ++i) solve_island(p, islands_.blocks(i), options, out);
  momentum_.assign(p.velocities(), 0.0);
  add_momentum(p, out.impulses, momentum_);
  out.velocities.resize(p.velocities());
  solve_mass(p, momentum_, out.velocities);
  for (std::size_t i = 0; i < p.velocities(); ++i) out.velocities[i] += p.free_velocity[i];
}

}  // namespace touchstone

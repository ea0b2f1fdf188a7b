// Purpose: projected Gauss-Seidel under the cone or a pyramid of four sides, and its acceleration by directions of
//   non-linear conjugate gradients.
// Source: the sweeps as in E. Catto, Iterative dynamics with temporal coherence, 2005, and many before; the directions
//   from M. Silcowitz-Hansen, S. Niebe, K. Erleben, A nonsmooth nonlinear conjugate gradient method for interactive
//   contact force problems, The Visual Computer 26, 2010.
// Letters: r impulses, u velocities with biases, ρ inverse of the own response, g = r − sweep(r) what the source calls
//   the gradient, β = |g|²/|g_last|², p the direction.
// Deviations: (1) |g| weighs rows by their response, so that units do not matter. (2) The answer is the result of a
//   sweep, never of a direction alone. (3) Two coefficients: as NonsmoothGaussSeidel, with its limit on changes.
// Fails: kIterationLimit; kStalled if kWindow sweeps do not bring the residual down by a tenth.
#include "contact/solvers/projected_gauss_seidel.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "contact/solvers/coulomb_contact.h"

namespace touchstone {
namespace {

constexpr std::uint32_t kMostFlips = 20;
constexpr std::int64_t kWindow = 2000;  // sweeps
constexpr double kProgress = 0.9;
constexpr std::int64_t kLookEvery = 8;  // sweeps between looks at the residual
constexpr std::int64_t kRefresh = 256;  // sweeps after which velocities are made anew from impulses: sums of rounding

template <class F>
void for_sides(const ContactProblem& p, const RowBlock& b, F&& f) {
  if (b.clique_a != Clique::kNone) f(p.cliques[b.clique_a], b.jacobian_a);
  if (b.clique_b != Clique::kNone) f(p.cliques[b.clique_b], b.jacobian_b);
}

Eigen::Vector3d rows_of(std::span<const double> all, const RowBlock& b) {
  Eigen::Vector3d out = Eigen::Vector3d::Zero();
  for (std::uint32_t i = 0; i < b.rows; ++i) out[i] = all[b.first_row + i];
  return out;
}

// ±μ·r_N; nothing holds where nothing bears, whatever μ.
double bound(double friction, double bearing) { return bearing > 0 ? friction * bearing : 0.0; }

}  // namespace

void ProjectedGaussSeidel::prepare(const ContactProblem& p, const ProjectedOptions& options) {
  response_.assign(p.jacobian.size(), 0.0);
  locals_.assign(p.blocks.size(), Local{});
  weight_.assign(p.rows(), 0.0);
  for (std::size_t k = 0; k < p.blocks.size(); ++k) {
    const RowBlock& b = p.blocks[k];
    const Eigen::Matrix3d w = own_block(p, b, response_);
    Local& local = locals_[k];
    if (!(w.trace() > 0) || (b.kind == BlockKind::kContact && !(w(0, 0) > 0))) continue;
    local.measure_rho = own_mass(b, w);
    for (std::uint32_t i = 0; i < b.rows; ++i) {
      weight_[b.first_row + i] = std::max(0.0, w(i, i));
      local.rho[i] = w(i, i) > 0 ? 1 / w(i, i) : 0.0;
    }
    if (b.kind == BlockKind::kContact && b.rows == 3 && options.law == ProjectedOptions::Law::kCone) {
      const double half = 0.5 * (w(1, 1) + w(2, 2));
      const double radius = std::hypot(0.5 * (w(1, 1) - w(2, 2)), w(1, 2));
      local.rho[1] = local.rho[2] = half + radius > 0 ? 1 / (half + radius) : 0.0;
    }
  }
}

void ProjectedGaussSeidel::refresh(const ContactProblem& p, std::span<const double> r, std::span<double> v) {
  momentum_.assign(p.velocities(), 0.0);
  add_momentum(p, r, momentum_);
  solve_mass(p, momentum_, v);
  for (std::size_t i = 0; i < v.size(); ++i) v[i] += p.free_velocity[i];
}

void ProjectedGaussSeidel::start(const ContactProblem& p, std::span<const double> guess, ContactSolution& out) {
  out.impulses.assign(p.rows(), 0.0);
  out.velocities.resize(p.velocities());
  for (std::size_t k = 0; k < p.blocks.size() && guess.size() == p.rows(); ++k)
    for (std::uint32_t i = p.blocks[k].first_row; i < p.blocks[k].first_row + p.blocks[k].rows; ++i)
      if (locals_[k].measure_rho > 0 && std::isfinite(guess[i]))
        out.impulses[i] = std::clamp(guess[i], p.lower[i], p.upper[i]);
  refresh(p, out.impulses, out.velocities);
  way_r_.assign(p.rows(), 0.0), way_v_.assign(p.velocities(), 0.0);
  before_r_.resize(p.rows()), before_v_.resize(p.velocities());
  last_step2_ = 0;
}

double ProjectedGaussSeidel::velocity(const ContactProblem& p, const RowBlock& b, std::uint32_t row,
                                      std::span<const double> v) const {
  double u = p.bias(b.first_row + row);
  for_sides(p, b, [&](const Clique& c, std::uint32_t offset) {
    const double *j = &p.jacobian[offset + row * c.size], *x = &v[c.first];
    for (std::uint32_t k = 0; k < c.size; ++k) u += j[k] * x[k];
  });
  return u;
}

void ProjectedGaussSeidel::change(const ContactProblem& p, const RowBlock& b, std::uint32_t row, double by,
                                  ContactSolution& out) const {
  if (by == 0 || !std::isfinite(by)) return;
  out.impulses[b.first_row + row] += by;
  for_sides(p, b, [&](const Clique& c, std::uint32_t offset) {
    for (std::uint32_t k = 0; k < c.size; ++k) out.velocities[c.first + k] += response_[offset + row * c.size + k] * by;
  });
}

void ProjectedGaussSeidel::sweep_friction(const ContactProblem& p, const RowBlock& b, Local& local,
                                          const ProjectedOptions& options, ContactSolution& out) {
  const ContactLaw& law = p.contacts[b.contact];
  const double bearing = out.impulses[b.first_row];
  const double most = bound(local.flips < kMostFlips ? law.static_friction : law.dynamic_friction, bearing);
  const double slides = bound(law.dynamic_friction, bearing);
  Eigen::Vector2d r = rows_of(out.impulses, b).tail<2>(), wanted = r;
  const bool cone = options.law == ProjectedOptions::Law::kCone;
  bool sticks = true;
  for (std::uint32_t i = 1; i < b.rows; ++i) {
    wanted[i - 1] = r[i - 1] - local.rho[i] * velocity(p, b, i, out.velocities);
    if (cone) continue;
    const bool holds = std::abs(wanted[i - 1]) <= most;
    sticks = sticks && holds;
    if (!holds) wanted[i - 1] = std::clamp(wanted[i - 1], -slides, slides);
    change(p, b, i, wanted[i - 1] - r[i - 1], out);
  }
  if (cone) {
    const double length = wanted.norm();
    sticks = length <= most;
    if (!sticks) wanted *= slides / length;
    for (std::uint32_t i = 1; i < b.rows; ++i) change(p, b, i, wanted[i - 1] - r[i - 1], out);
  }
  if (sticks != local.sticks && law.static_friction > law.dynamic_friction) ++local.flips;
  local.sticks = sticks;
}

void ProjectedGaussSeidel::sweep(const ContactProblem& p, const ProjectedOptions& options, ContactSolution& out) {
  for (std::size_t k = 0; k < p.blocks.size(); ++k) {
    const RowBlock& b = p.blocks[k];
    Local& local = locals_[k];
    if (!(local.measure_rho > 0)) continue;
    const bool contact = b.kind == BlockKind::kContact;
    for (std::uint32_t i = 0; i < (contact ? 1 : b.rows); ++i) {
      const std::uint32_t row = b.first_row + i;
      const double wanted = out.impulses[row] - local.rho[i] * velocity(p, b, i, out.velocities);
      change(p, b, i, std::clamp(wanted, p.lower[row], p.upper[row]) - out.impulses[row], out);
    }
    if (contact && b.rows > 1) sweep_friction(p, b, local, options, out);
  }
}

// The sweep has gone from before to where `out` is.
void ProjectedGaussSeidel::conjugate(ContactSolution& out) {
  double step2 = 0;
  for (std::size_t i = 0; i < before_r_.size(); ++i) {
    const double step = out.impulses[i] - before_r_[i];
    step2 += weight_[i] * step * step;
  }
  const double beta = last_step2_ > 0 ? step2 / last_step2_ : 2.0;
  last_step2_ = step2;
  const bool restart = !(beta <= 1);
  for (std::size_t i = 0; i < before_r_.size(); ++i) {
    const double step = out.impulses[i] - before_r_[i], along = restart ? 0.0 : beta * way_r_[i];
    out.impulses[i] += along, way_r_[i] = along + step;
  }
  for (std::size_t i = 0; i < before_v_.size(); ++i) {
    const double step = out.velocities[i] - before_v_[i], along = restart ? 0.0 : beta * way_v_[i];
    out.velocities[i] += along, way_v_[i] = along + step;
  }
}

double ProjectedGaussSeidel::residual_of(const ContactProblem& p, const RowBlock& b, const Local& local,
                                         const ProjectedOptions& options, const Eigen::Vector3d& r,
                                         const Eigen::Vector3d& u) const {
  const double rho = local.measure_rho;
  if (b.kind == BlockKind::kEquality) return u.norm();
  if (b.kind != BlockKind::kContact)
    return std::abs(r[0] - std::clamp(r[0] - rho * u[0], p.lower[b.first_row], p.upper[b.first_row])) / rho;
  const ContactLaw& law = p.contacts[b.contact];
  const double mu = b.rows == 1 ? 0.0 : local.sticks ? law.static_friction : law.dynamic_friction;
  const double slip =
      local.sticks && law.static_friction > law.dynamic_friction ? u.tail<2>().norm() : 0.0;  // it is to stick
  if (options.law == ProjectedOptions::Law::kCone || b.rows < 3 || mu >= kEndlessFriction)
    return std::max(slip, natural_map(r, u, mu, rho));
  const double side = bound(mu, r[0]);
  Eigen::Vector3d wanted = r - rho * u;
  wanted[0] = std::max(0.0, wanted[0]);
  for (int i = 1; i < 3; ++i) wanted[i] = std::clamp(wanted[i], -side, side);
  return std::max(slip, (r - wanted).norm() / rho);
}

double ProjectedGaussSeidel::residual(const ContactProblem& p, const ProjectedOptions& options,
                                      const ContactSolution& out) {
  double worst = 0, fastest = 0;
  for (std::size_t k = 0; k < p.blocks.size(); ++k) {
    const RowBlock& b = p.blocks[k];
    if (!(locals_[k].measure_rho > 0)) continue;
    Eigen::Vector3d u = Eigen::Vector3d::Zero();
    const Eigen::Vector3d r = rows_of(out.impulses, b);
    for (std::uint32_t i = 0; i < b.rows; ++i) u[i] = velocity(p, b, i, out.velocities);
    const double error = residual_of(p, b, locals_[k], options, r, u);
    worst = error <= worst ? worst : error;  // also if it is not a number
    fastest = std::max({fastest, r.norm() / locals_[k].measure_rho, u.norm()});
  }
  floor_ = 1e-14 * fastest;
  return worst;
}

void ProjectedGaussSeidel::solve(const ContactProblem& p, const ProjectedOptions& options,
                                 std::span<const double> guess, ContactSolution& out) {
  prepare(p, options);
  start(p, guess, out);
  out.status = SolveStatus::kIterationLimit;
  out.reason = "";
  double best = std::numeric_limits<double>::infinity(), best_of_window = best;
  for (out.iterations = 1;; ++out.iterations) {
    p.stop.check();
    before_r_ = out.impulses, before_v_ = out.velocities;
    sweep(p, options, out);
    const bool last = out.iterations >= options.max_iterations;
    if (out.iterations % kRefresh == 0) refresh(p, out.impulses, out.velocities);
    if (last || out.iterations % kLookEvery == 0 || out.iterations <= 2) {
      refresh(p, out.impulses, out.velocities);
      out.residual = residual(p, options, out);
      best = std::min(best, out.residual);
      if (out.residual <= std::max(options.tolerance, floor_)) out.status = SolveStatus::kConverged;
      if (out.status == SolveStatus::kConverged || last || !std::isfinite(out.residual)) break;
    }
    if (out.iterations % kWindow == 0) {
      if (!(best < kProgress * best_of_window)) out.status = SolveStatus::kStalled;
      if (out.status == SolveStatus::kStalled) break;
      best_of_window = best;
    }
    if (options.conjugate) conjugate(out);
  }
  if (!std::isfinite(out.residual)) out.status = SolveStatus::kStalled;
}

}  // namespace touchstone

// Purpose: non-smooth Gauss-Seidel over blocks of rows: contacts under the exact cone of Coulomb's law, joints as
//   equalities, limits and motors as clamped rows.
// Source: M. Jean, The non-smooth contact dynamics method, 1999, for the sweeps; [acary2018] for the natural map.
// Letters: r impulses, u relative velocities with biases, W_ii own block of W = J·M⁻¹·Jᵀ, b = u − W_ii·r.
// Deviations:
//   (1) The block of a contact is solved exactly (coulomb_contact.cpp), not by an inner iteration.
//   (2) Between sweeps, impulses and velocities are extrapolated (anderson.cpp); sweeps alone need ten thousands for a
//       stack. An answer is always the result of a sweep, and is judged by the natural map alone.
//   (3) A face on more points than it needs, whose gaps differ by a hair, makes impulses drift by nearly the same from
//       sweep to sweep until a point lets go, millions of sweeps later. Where two plain sweeps go the same way, the
//       rest of the way is taken at once, as far as impulses stay within their laws.
//   (4) With μ_d < μ_s a contact sticks up to μ_s and slides under μ_d. Such laws have several answers, between which
//       sweeps can jump for ever; a contact that has changed kMostFlips times is held to μ_d, which is lawful either
//       way.
//   (5) Sweeps that no longer halve the residual in kWindow of them are taken without (2), then only half and a quarter
//       of the way: contacts that turn each other round and round come to rest so.
//   (6) A contact whose lower bound is above zero has 0 <= r_N − lower ⟂ u_N >= 0, with friction up to μ·r_N: what
//       expands after an impact by Poisson's law.
//   (7) What is left counts as rounding up to kRounding of impulses, but only up to kMostRounding of the free
//       velocities: laws that contradict each other make impulses grow until everything looks like rounding.
// Fails: kIterationLimit after max_iterations sweeps; kStalled if (5) does not help. Both give the impulses of the last
//   sweep, which lie in their cones and explain the velocities. kStalled beyond (7), with one sweep from nothing.
#include "contact/solvers/nonsmooth_gauss_seidel.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

namespace touchstone {
namespace {

constexpr std::uint32_t kMostFlips = 20;
constexpr std::int64_t kWindow = 1000;            // sweeps
constexpr std::int64_t kPeriod = 32, kPlain = 8;  // sweeps
constexpr double kSameWay = 0.99;                 // cosine between two sweeps: less is no drift
constexpr double kFarthest = 1e9;                 // sweeps
constexpr double kRounding = 1e-14;               // of the fastest velocity or W·r
constexpr double kMostRounding = 1e-6;  // of the free velocities: impulses that grow without bound are no rounding
constexpr double kLeastRelaxation = 0.25;
constexpr std::int64_t kLookEvery = 8;  // sweeps between looks at the residual while much still changes
constexpr std::int64_t kFresh = 4;      // sweeps from the start whose rounding need not be looked at
constexpr std::int64_t kRefresh = 256;  // sweeps after which velocities are made anew from impulses: sums of rounding

// Inverse of a symmetric matrix, zero along directions that it hardly has: rows that say the same twice.
Eigen::Matrix3d pseudo_inverse(const Eigen::Matrix3d& w, int rows) {
  Eigen::Matrix3d full = Eigen::Matrix3d::Zero();
  full.topLeftCorner(rows, rows) = w.topLeftCorner(rows, rows);
  Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> eigen;
  eigen.computeDirect(full);
  const double least = 1e-12 * std::max(0.0, eigen.eigenvalues().maxCoeff());
  Eigen::Matrix3d out = Eigen::Matrix3d::Zero();
  for (int i = 0; i < 3; ++i) {
    if (!(eigen.eigenvalues()[i] > least)) continue;
    const Eigen::Vector3d e = eigen.eigenvectors().col(i);
    out += e * e.transpose() / eigen.eigenvalues()[i];
  }
  return out;
}

Eigen::Vector3d rows_of(std::span<const double> all, const RowBlock& b) {
  Eigen::Vector3d out = Eigen::Vector3d::Zero();
  for (std::uint32_t i = 0; i < b.rows; ++i) out[i] = all[b.first_row + i];
  return out;
}

}  // namespace

void NonsmoothGaussSeidel::prepare(const ContactProblem& p, SweepRoute route) {
  rows_.prepare(p, route);
  double fastest = 0;  // of bodies and of what rows ask for: J·v_free would cost a product
  for (const double v : p.free_velocity) fastest = std::max(fastest, std::abs(v));
  for (std::size_t i = 0; i < p.rows(); ++i) fastest = std::max(fastest, std::abs(p.bias(i)));
  locals_.assign(p.blocks.size(), Local{});
  for (std::size_t k = 0; k < p.blocks.size(); ++k) {
    const RowBlock& b = p.blocks[k];
    const double trace = rows_.own(k).trace();
    if (b.kind == BlockKind::kContact) fastest = std::max(fastest, rows_.own(k)(0, 0) * p.lower[b.first_row]);
    if (trace > 0) locals_[k].rho = b.rows / trace;
    if (trace > 0 && b.kind == BlockKind::kEquality)
      locals_[k].inverse = pseudo_inverse(rows_.own(k), static_cast<int>(b.rows));
  }
  most_floor_ = kMostRounding * fastest;
}

// A guess is brought within its bounds; friction outside its cone is left to the first sweep.
void NonsmoothGaussSeidel::start(const ContactProblem& p, std::span<const double> guess, ContactSolution& out) {
  out.impulses.assign(p.rows(), 0.0);
  if (guess.size() == p.rows()) {
    for (std::size_t k = 0; k < p.blocks.size(); ++k)
      for (std::uint32_t i = p.blocks[k].first_row; i < p.blocks[k].first_row + p.blocks[k].rows; ++i)
        if (locals_[k].rho > 0 && std::isfinite(guess[i]))
          out.impulses[i] = std::clamp(guess[i], p.lower[i], p.upper[i]);
  }
  rows_.refresh(p, out.impulses, state_);
}

void NonsmoothGaussSeidel::prepare_acceleration(const ContactProblem& p) {
  weight_.assign(p.rows(), 0.0);
  for (std::size_t k = 0; k < p.blocks.size(); ++k)
    for (std::uint32_t i = 0; i < p.blocks[k].rows; ++i) weight_[p.blocks[k].first_row + i] = rows_.own(k)(i, i);
  anderson_.reset(weight_, state_.size());
  way_.assign(p.rows(), 0.0);
  last_way_.assign(p.rows(), 0.0);
}

// The impulses that the block wants while the others stay.
Eigen::Vector3d NonsmoothGaussSeidel::solve_block(const ContactProblem& p, std::size_t k, const Eigen::Vector3d& r,
                                                  const Eigen::Vector3d& u) {
  const RowBlock& block = p.blocks[k];
  Local& local = locals_[k];
  const Eigen::Matrix3d& w = rows_.own(k);
  if (block.kind == BlockKind::kEquality) return r - local.inverse * u;
  if (block.kind != BlockKind::kContact) {
    Eigen::Vector3d out = Eigen::Vector3d::Zero();
    out[0] = std::clamp(r[0] - u[0] / w(0, 0), p.lower[block.first_row], p.upper[block.first_row]);
    return out;
  }
  const ContactLaw& law = p.contacts[block.contact];
  const double most = local.flips < kMostFlips ? law.static_friction : law.dynamic_friction;
  const Eigen::Vector3d b = u - w * r;
  CoulombContact::Answer answer;
  const double least = p.lower[block.first_row];
  if (b[0] < 0 || least > 0) {  // many never close
    if (!local.ready) local.contact.prepare(w, static_cast<int>(block.rows));
    local.ready = true;
    answer = least > 0 ? local.contact.solve_above(least, b, most, law.dynamic_friction)
                       : local.contact.solve(b, most, law.dynamic_friction);
  }
  if (answer.sticks != local.sticks && law.static_friction > law.dynamic_friction) ++local.flips;
  local.sticks = answer.sticks;
  return answer.r;
}

double NonsmoothGaussSeidel::sweep(const ContactProblem& p, ContactSolution& out) {
  double greatest = 0;
  for (std::size_t k = 0; k < p.blocks.size(); ++k) {
    const RowBlock& b = p.blocks[k];
    if (!(locals_[k].rho > 0) || (b.kind == BlockKind::kContact && !(rows_.own(k)(0, 0) > 0))) continue;
    const Eigen::Vector3d r = rows_of(out.impulses, b);
    const Eigen::Vector3d wanted = solve_block(p, k, r, rows_.velocity(k, state_.data()));
    const Eigen::Vector3d change = relaxation_ * (wanted - r);
    if (!change.allFinite() || change.isZero(0)) continue;
    for (std::uint32_t i = 0; i < b.rows; ++i) out.impulses[b.first_row + i] = r[i] + change[i];
    rows_.change(k, change, state_.data());
    greatest = std::max(greatest, (rows_.own(k) * change).cwiseAbs().maxCoeff());
  }
  return greatest;
}

double NonsmoothGaussSeidel::room(const ContactProblem& p, const ContactSolution& out) const {
  double most = kFarthest;
  for (std::size_t k = 0; k < p.blocks.size(); ++k) {
    const RowBlock& b = p.blocks[k];
    const Eigen::Vector3d r = rows_of(out.impulses, b), g = rows_of(way_, b);
    if (b.kind == BlockKind::kEquality || g.isZero(0)) continue;
    if (g[0] < 0) most = std::min(most, (p.lower[b.first_row] - r[0]) / g[0]);
    if (g[0] > 0) most = std::min(most, (p.upper[b.first_row] - r[0]) / g[0]);
    if (b.kind != BlockKind::kContact || !locals_[k].sticks) continue;
    // |r_T + t·g_T|² = μ²(r_N + t·g_N)²
    const double m2 = p.contacts[b.contact].static_friction * p.contacts[b.contact].static_friction;
    const double a = g.tail<2>().squaredNorm() - m2 * g[0] * g[0], h = r.tail<2>().dot(g.tail<2>()) - m2 * r[0] * g[0],
                 c = std::min(0.0, r.tail<2>().squaredNorm() - m2 * r[0] * r[0]), disc = h * h - a * c;
    if (disc < 0) continue;
    const double q = -(h + std::copysign(std::sqrt(disc), h));
    for (const double t : {a != 0 ? q / a : 0.0, q != 0 ? c / q : 0.0})
      if (t > 0) most = std::min(most, t);
  }
  return most;
}

bool NonsmoothGaussSeidel::follow_drift(const ContactProblem& p, ContactSolution& out) {
  double now = 0, before = 0, both = 0;
  for (std::size_t i = 0; i < way_.size(); ++i) {
    now += weight_[i] * way_[i] * way_[i];
    before += weight_[i] * last_way_[i] * last_way_[i];
    both += weight_[i] * way_[i] * last_way_[i];
  }
  if (!(both > kSameWay * std::sqrt(now * before)) || !(both > 0)) return false;
  const double rate = both / before;  // of a geometric series, whose rest is 1/(1 − rate) − 1 sweeps long
  const double rest = rate < 1 ? rate / (1 - rate) : kFarthest;
  const double t = std::min(rest, room(p, out));
  if (!(t > 1)) return false;
  for (std::size_t i = 0; i < way_.size(); ++i) out.impulses[i] += t * way_[i];
  rows_.refresh(p, out.impulses, state_);
  return true;
}

// What is done between sweeps: of kPeriod of them most are accelerated, then some are plain, so that a drift shows.
void NonsmoothGaussSeidel::advance(const ContactProblem& p, bool accelerate, ContactSolution& out) {
  const std::int64_t phase = out.iterations % kPeriod;
  for (std::size_t i = 0; i < before_.size(); ++i) way_[i] = out.impulses[i] - before_[i];
  if (phase == 0) {
    if (follow_drift(p, out)) std::fill(way_.begin(), way_.end(), 0.0);
    anderson_.reset(weight_, state_.size());
  } else if (accelerate && phase < kPeriod - kPlain) {
    anderson_.step(before_, out.impulses, state_);
  }
  last_way_ = way_;
}

double NonsmoothGaussSeidel::residual_of(const ContactProblem& p, std::size_t k, const Eigen::Vector3d& r,
                                         const Eigen::Vector3d& u) const {
  const RowBlock& b = p.blocks[k];
  const Local& local = locals_[k];
  if (b.kind == BlockKind::kEquality) return u.norm();
  if (b.kind != BlockKind::kContact) {
    const double wanted = std::clamp(r[0] - local.rho * u[0], p.lower[b.first_row], p.upper[b.first_row]);
    return std::abs(r[0] - wanted) / local.rho;
  }
  const ContactLaw& law = p.contacts[b.contact];
  const double least = p.lower[b.first_row];
  const auto defect = [&](double mu) {
    return least > 0 ? natural_map_above(least, r, u, mu, local.rho) : natural_map(r, u, mu, local.rho);
  };
  if (!local.sticks) return defect(law.dynamic_friction);
  const double slip = law.static_friction > law.dynamic_friction ? u.tail<2>().norm() : 0.0;  // it is to stick
  return std::max(defect(law.static_friction), slip);
}

double NonsmoothGaussSeidel::residual(const ContactProblem& p, const ContactSolution& out) {
  double worst = 0, fastest = 0;
  for (std::size_t k = 0; k < p.blocks.size(); ++k) {
    const double rho = locals_[k].rho;
    if (!(rho > 0)) continue;
    const Eigen::Vector3d r = rows_of(out.impulses, p.blocks[k]), u = rows_.velocity(k, state_.data());
    worst = std::max(worst, residual_of(p, k, r, u));
    fastest = std::max({fastest, r.squaredNorm() / (rho * rho), u.squaredNorm()});
  }
  floor_ = kRounding * std::sqrt(fastest);
  boundless_ = floor_ > most_floor_;
  floor_ = std::min(floor_, most_floor_);
  return worst;
}

bool NonsmoothGaussSeidel::converged(const ContactProblem& p, double tolerance, bool thorough, ContactSolution& out) {
  const bool fresh = out.iterations <= kFresh;
  if (!thorough || fresh) {
    out.residual = residual(p, out);
    const bool good = out.residual <= std::max(tolerance, floor_);
    if (!good || fresh) return good;
  }
  rows_.refresh(p, out.impulses, state_);  // the sums of the sweeps may have hidden something
  out.residual = residual(p, out);
  return out.residual <= std::max(tolerance, floor_);
}

const char* NonsmoothGaussSeidel::reason_of(SolveStatus status) const {
  if (status == SolveStatus::kConverged) return "";
  if (status == SolveStatus::kIterationLimit) return "the sweeps that it was given are used up";
  return boundless_ ? "impulses grow without bound: laws contradict each other" : "sweeps make no progress any more";
}

void NonsmoothGaussSeidel::solve(const ContactProblem& p, const GaussSeidelOptions& options,
                                 std::span<const double> guess, ContactSolution& out) {
  prepare(p, options.route);
  start(p, guess, out);
  out.status = SolveStatus::kStalled;
  out.iterations = 0;
  bool accelerate = options.accelerate;
  relaxation_ = 1;
  double best = std::numeric_limits<double>::infinity(), best_of_window = best;
  std::int64_t window = 0;
  while (true) {
    p.stop.check();
    before_ = out.impulses;
    const double change = sweep(p, out);
    ++out.iterations;
    const bool last = out.iterations >= options.max_iterations, few = change <= 2 * options.tolerance;
    if (out.iterations % kRefresh == 0) rows_.refresh(p, out.impulses, state_);
    if (last || few || out.iterations % kLookEvery == 0 || out.iterations < kLookEvery / 2) {
      if (converged(p, options.tolerance, last || few, out)) out.status = SolveStatus::kConverged;
      best = std::min(best, out.residual);
      if (last && out.status != SolveStatus::kConverged) out.status = SolveStatus::kIterationLimit;
      if (out.status != SolveStatus::kStalled) break;
      if (boundless_) break;
    }
    if (++window == kWindow) {
      if (!(best < 0.5 * best_of_window)) {
        if (relaxation_ <= kLeastRelaxation) break;
        if (!accelerate) relaxation_ *= 0.5;
        accelerate = false;
      }
      best_of_window = best;
      window = 0;
    }
    if (out.iterations == 1) prepare_acceleration(p);
    advance(p, accelerate, out);
  }
  out.reason = reason_of(out.status);
  if (out.status == SolveStatus::kStalled) {
    relaxation_ = 1;
    if (boundless_) start(p, {}, out);  // what has grown so much has no digits left
    sweep(p, out);                      // within their laws to the last bit
    rows_.refresh(p, out.impulses, state_);
    out.residual = residual(p, out);
  }
  rows_.velocities(p, state_, out.velocities);
}

}  // namespace touchstone

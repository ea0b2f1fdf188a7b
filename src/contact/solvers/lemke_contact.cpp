// Purpose: solves a contact problem island by island under friction pyramids: Newton's method from the guess, pivoting
//   where that does not end, Newton's method again from where rounding left the pivots.
// Source: problem_as_lcp.cpp, lemke.cpp, pyramid_newton.cpp.
// Letters: as there.
// Deviations:
//   (1) Two coefficients: all contacts are under μ_s at first; those that slide go on under μ_d and the island is
//       solved again, until all that are left under μ_s stick. Every answer is lawful; there may be others.
//   (2) Contacts that do not close without impulses, and bore no load before, are left out at first. Those that the
//       answer lets close take part in another round, with the islands that they join: most points that detection finds
//       within reach never bear load, but would make one island of a loose heap.
// Fails: an island on which neither ends in an answer; says why, and keeps the best that was found.
#include "contact/solvers/lemke_contact.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace touchstone {
namespace {

constexpr int kMostRounds = 20;       // with some contacts loosened; then all are
constexpr int kMostWakes = 40;        // rounds of deviation 2; then all take part
constexpr int kFirst = 3, kLast = 6;  // rounds of Newton's method before and after pivoting

}  // namespace

bool LemkeContact::loosen(const ContactProblem& p, std::span<const std::uint32_t> blocks, double slip, bool all) {
  bool any = false;
  for (const std::uint32_t k : blocks) {
    const RowBlock& b = p.blocks[k];
    if (b.kind != BlockKind::kContact || use_[b.contact] == FrictionUse::kDynamic) continue;
    if (!(p.contacts[b.contact].static_friction > p.contacts[b.contact].dynamic_friction)) continue;
    double u = 0;
    for (std::uint32_t i = 1; i < b.rows; ++i) u = std::hypot(u, relative_[b.first_row + i]);
    if (!all && !(u > slip && relative_[b.first_row] <= slip)) continue;
    use_[b.contact] = FrictionUse::kDynamic;
    any = true;
  }
  return any;
}

bool LemkeContact::newton(const ContactProblem& p, std::span<const std::uint32_t> blocks,
                          const LemkeContactOptions& options, double floor, int rounds, ContactSolution& out) {
  trial_.resize(p.rows());
  for (std::size_t i = 0; i < matrix_.size(); ++i) trial_[matrix_.row(i)] = out.impulses[matrix_.row(i)];
  const PyramidNewtonResult r =
      newton_.solve(p, blocks, matrix_, {options.facets, floor, rounds}, use_, slides_, trial_);
  out.iterations += r.iterations;
  residual_ = r.residual;
  for (std::size_t i = 0; i < matrix_.size(); ++i) out.impulses[matrix_.row(i)] = trial_[matrix_.row(i)];
  return r.converged;  // if not, another try goes on from the best point
}

LcpAnswer LemkeContact::pivot(const ContactProblem& p, std::span<const std::uint32_t> blocks,
                              const LemkeContactOptions& options, double floor, ContactSolution& out) {
  LcpAnswer answer;
  if (ProblemAsLcp::size_of(p, blocks, options.facets) > options.max_unknowns) {
    answer.status = LcpStatus::kPivotLimit;
    residual_ = std::numeric_limits<double>::infinity();  // not looked at
    return answer;
  }
  lcp_.build(p, blocks, options.facets, use_, slides_);
  largest_ = std::max(largest_, lcp_.size());
  z_.resize(lcp_.size());
  LemkeOptions how;
  how.stop = p.stop;
  how.max_pivots = options.max_pivots;
  const Eigen::Index n = static_cast<Eigen::Index>(lcp_.size());
  answer = lemke_.solve(lcp_.matrix(), lcp_.vector(), how, Eigen::Map<Eigen::VectorXd>(z_.data(), n));
  out.iterations += answer.pivots;
  lcp_.read_impulses(p, z_, out.impulses);
  matrix_.velocities_in(out.impulses, relative_);
  residual_ = lcp_.residual(p, z_, relative_);
  if (answer.status == LcpStatus::kSolved && !(residual_ <= floor)) answer.status = LcpStatus::kInaccurate;
  return answer;
}

// Under the coefficients of use_.
LcpStatus LemkeContact::solve_laws(const ContactProblem& p, std::span<const std::uint32_t> blocks,
                                   const LemkeContactOptions& options, double floor, ContactSolution& out) {
  LcpStatus status = LcpStatus::kSolved;
  const bool found = options.newton && newton(p, blocks, options, floor, kFirst, out);
  if (!found) {
    ++pivoted_;
    status = pivot(p, blocks, options, floor, out).status;
    // A ray stays one: where there is no answer none is to be found.
    if (status != LcpStatus::kSolved && options.newton && newton(p, blocks, options, floor, kLast, out))
      status = LcpStatus::kSolved;
  }
  matrix_.velocities_in(out.impulses, relative_);
  return status;
}

void LemkeContact::solve_island(const ContactProblem& p, std::span<const std::uint32_t> blocks,
                                const LemkeContactOptions& options, ContactSolution& out) {
  std::size_t rows = 0;
  for (const std::uint32_t k : blocks) rows += p.blocks[k].rows;
  if (rows > options.max_rows) {
    if (reason_ == LcpStatus::kSolved) reason_ = LcpStatus::kPivotLimit;
    out.residual = std::numeric_limits<double>::infinity();  // not looked at
    return;
  }
  p.stop.check();
  matrix_.load(p, blocks);
  double fastest = 0;
  for (std::size_t i = 0; i < matrix_.size(); ++i) fastest = std::max(fastest, std::abs(matrix_.q(i)));
  for (const double v : p.free_velocity) fastest = std::max(fastest, std::abs(v));
  const double floor = std::max(options.tolerance, 1e-12 * fastest);
  for (int round = 0;; ++round) {
    const LcpStatus status = solve_laws(p, blocks, options, floor, out);
    if (status == LcpStatus::kSolved && loosen(p, blocks, floor, round >= kMostRounds)) continue;
    out.residual = std::max(out.residual, residual_);
    if (status != LcpStatus::kSolved && reason_ == LcpStatus::kSolved) reason_ = status;
    return;
  }
}

void LemkeContact::set_velocities(const ContactProblem& p, ContactSolution& out) {
  momentum_.assign(p.velocities(), 0.0);
  add_momentum(p, out.impulses, momentum_);
  out.velocities.resize(p.velocities());
  solve_mass(p, momentum_, out.velocities);
  for (std::size_t i = 0; i < p.velocities(); ++i) out.velocities[i] += p.free_velocity[i];
}

void LemkeContact::wake_first(const ContactProblem& p, const ContactSolution& out) {
  awake_.assign(p.blocks.size(), 2);
  multiply_jacobian(p, p.free_velocity, relative_);
  for (std::size_t k = 0; k < p.blocks.size(); ++k) {
    const std::uint32_t row = p.blocks[k].first_row;
    if (p.blocks[k].kind == BlockKind::kContact && relative_[row] + p.bias(row) >= 0 && !(out.impulses[row] > 0))
      awake_[k] = 0;
  }
}

bool LemkeContact::wake_more(const ContactProblem& p, double tolerance, bool all, const ContactSolution& out) {
  multiply_jacobian(p, out.velocities, relative_);
  bool any = false;
  for (std::size_t k = 0; k < p.blocks.size(); ++k) {
    awake_[k] = awake_[k] > 0;
    const std::uint32_t row = p.blocks[k].first_row;
    if (awake_[k] || !(all || relative_[row] + p.bias(row) < -tolerance)) continue;
    awake_[k] = 2;
    any = true;
  }
  return any;
}

void LemkeContact::solve(const ContactProblem& p, const LemkeContactOptions& options, std::span<const double> guess,
                         ContactSolution& out, std::span<const Eigen::Vector2d> slides) {
  out.impulses.assign(p.rows(), 0.0);
  if (guess.size() == p.rows()) std::copy(guess.begin(), guess.end(), out.impulses.begin());
  out.iterations = 0;
  out.residual = 0;
  reason_ = LcpStatus::kSolved;
  largest_ = 0;
  pivoted_ = 0;
  slides_ = slides;
  use_.assign(p.contacts.size(), FrictionUse::kStatic);
  for (std::size_t i = 0; i < slides.size(); ++i)
    if (!slides[i].isZero(0)) use_[i] = FrictionUse::kDynamic;
  relative_.assign(p.rows(), 0.0);
  wake_first(p, out);
  for (std::size_t k = 0; k < p.blocks.size(); ++k) {  // what nothing can move, or what is left out
    const RowBlock& b = p.blocks[k];
    if (!awake_[k] || (b.clique_a == Clique::kNone && b.clique_b == Clique::kNone))
      std::fill_n(out.impulses.begin() + b.first_row, b.rows, 0.0);
  }
  for (int round = 0;; ++round) {
    islands_.split(p, awake_);
    for (std::size_t i = 0; i < islands_.size(); ++i) {
      const std::span<const std::uint32_t> blocks = islands_.blocks(i);
      if (std::any_of(blocks.begin(), blocks.end(), [&](std::uint32_t k) { return awake_[k] == 2; }))
        solve_island(p, blocks, options, out);
    }
    set_velocities(p, out);
    if (reason_ != LcpStatus::kSolved || !wake_more(p, options.tolerance, round == kMostWakes, out)) break;
  }
  out.status = reason_ == LcpStatus::kSolved       ? SolveStatus::kConverged
               : reason_ == LcpStatus::kPivotLimit ? SolveStatus::kIterationLimit
                                                   : SolveStatus::kStalled;
  out.reason = reason_ == LcpStatus::kSolved ? "" : text_of(reason_);
}

}  // namespace touchstone

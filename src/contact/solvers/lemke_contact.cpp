// Purpose: solves a contact problem island by island as a linear complementarity problem with Lemke's method.
// Source: problem_as_lcp.cpp, lemke.cpp.
// Letters: as there.
// Deviations:
//   (1) Two coefficients: all contacts are under μ_s at first; those that slide go on under μ_d and the island is
//       solved again, until all that are left under μ_s stick. Every answer is lawful; there may be others.
// Fails: an island on which Lemke's method does not end in an answer; says why, and keeps the best that was found.
#include "contact/solvers/lemke_contact.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace touchstone {
namespace {

constexpr int kMostRounds = 20;  // with some contacts loosened; then all are

}  // namespace

void LemkeContact::sort_into_islands(const ContactProblem& p) {
  grouping_.reset(p.cliques.size());
  for (const RowBlock& b : p.blocks)
    if (b.clique_a != Clique::kNone && b.clique_b != Clique::kNone) grouping_.join(b.clique_a, b.clique_b);
  order_.clear();
  for (std::uint32_t k = 0; k < p.blocks.size(); ++k) {
    const RowBlock& b = p.blocks[k];
    const std::uint32_t clique = b.clique_a != Clique::kNone ? b.clique_a : b.clique_b;
    if (clique != Clique::kNone) order_.emplace_back(grouping_.root(clique), k);
  }
  std::sort(order_.begin(), order_.end());
}

void LemkeContact::refresh(const ContactProblem& p, ContactSolution& out) {
  momentum_.assign(p.velocities(), 0.0);
  add_momentum(p, out.impulses, momentum_);
  out.velocities.resize(p.velocities());
  solve_mass(p, momentum_, out.velocities);
  for (std::size_t i = 0; i < p.velocities(); ++i) out.velocities[i] += p.free_velocity[i];
  relative_.resize(p.rows());
  multiply_jacobian(p, out.velocities, relative_);
  for (std::size_t i = 0; i < p.rows(); ++i) relative_[i] += p.bias(i);
}

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

void LemkeContact::solve_island(const ContactProblem& p, std::span<const std::uint32_t> blocks,
                                const LemkeContactOptions& options, ContactSolution& out) {
  if (ProblemAsLcp::size_of(p, blocks, options.facets) > options.max_unknowns) {
    if (reason_ == LcpStatus::kSolved) reason_ = LcpStatus::kPivotLimit;
    out.residual = std::numeric_limits<double>::infinity();  // not looked at
    return;
  }
  double fastest = 0;
  for (int round = 0;; ++round) {
    lcp_.build(p, blocks, options.facets, use_);
    const Eigen::Index n = static_cast<Eigen::Index>(lcp_.size());
    largest_ = std::max(largest_, lcp_.size());
    z_.resize(lcp_.size());
    LemkeOptions how;
    how.max_pivots = options.max_pivots;
    LcpAnswer answer = lemke_.solve(lcp_.matrix(), lcp_.vector(), how, Eigen::Map<Eigen::VectorXd>(z_.data(), n));
    out.iterations += answer.pivots;
    lcp_.read_impulses(p, z_, out.impulses);
    refresh(p, out);
    for (const std::uint32_t k : blocks)
      for (std::uint32_t i = p.blocks[k].first_row; i < p.blocks[k].first_row + p.blocks[k].rows; ++i)
        fastest = std::max({fastest, std::abs(relative_[i])});
    for (const double v : p.free_velocity) fastest = std::max(fastest, std::abs(v));
    const double floor = std::max(options.tolerance, 1e-12 * fastest);
    if (answer.status == LcpStatus::kSolved && loosen(p, blocks, floor, round >= kMostRounds)) continue;
    const double residual = lcp_.residual(p, z_, relative_);
    out.residual = std::max(out.residual, residual);
    if (answer.status == LcpStatus::kSolved && !(residual <= floor)) answer.status = LcpStatus::kInaccurate;
    if (answer.status != LcpStatus::kSolved && reason_ == LcpStatus::kSolved) reason_ = answer.status;
    return;
  }
}

void LemkeContact::solve(const ContactProblem& p, const LemkeContactOptions& options, ContactSolution& out) {
  out.impulses.assign(p.rows(), 0.0);
  out.iterations = 0;
  out.residual = 0;
  reason_ = LcpStatus::kSolved;
  island_count_ = largest_ = 0;
  use_.assign(p.contacts.size(), FrictionUse::kStatic);
  sort_into_islands(p);
  for (std::size_t begin = 0; begin < order_.size();) {
    std::size_t end = begin;
    blocks_.clear();
    while (end < order_.size() && order_[end].first == order_[begin].first) blocks_.push_back(order_[end++].second);
    solve_island(p, blocks_, options, out);
    ++island_count_;
    begin = end;
  }
  refresh(p, out);
  out.status = reason_ == LcpStatus::kSolved       ? SolveStatus::kConverged
               : reason_ == LcpStatus::kPivotLimit ? SolveStatus::kIterationLimit
                                                   : SolveStatus::kStalled;
}

}  // namespace touchstone

// Purpose: the way to Newton's method and back: some sweeps, then Newton's method on what they left, in turns, and
//   sweeps alone where that leads nowhere.
// Source: newton_island.cpp, nonsmooth_gauss_seidel.cpp; own order.
// Letters: -
// Deviations: (1) Newton's method finds an answer near which it starts and can end in a hollow of its errors that is
//   none; sweeps lead out of it. So both take turns, with kMore times as many sweeps each time.
// Fails: as NonsmoothGaussSeidel; the answer with the smaller natural map is given, and the reason says that Newton's
//   method had failed.
#include "contact/solvers/newton_contact.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace touchstone {
namespace {

constexpr int kRounds = 4;
constexpr std::int64_t kMore = 4;

}  // namespace

void NewtonContact::sort_into_islands(const ContactProblem& p) {
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

void NewtonContact::refresh(const ContactProblem& p, ContactSolution& out) {
  momentum_.assign(p.velocities(), 0.0);
  add_momentum(p, out.impulses, momentum_);
  out.velocities.resize(p.velocities());
  solve_mass(p, momentum_, out.velocities);
  for (std::size_t i = 0; i < p.velocities(); ++i) out.velocities[i] += p.free_velocity[i];
}

double NewtonContact::solve_islands(const ContactProblem& p, const NewtonIslandOptions& options, ContactSolution& out) {
  double worst = 0;
  floor_ = 0;
  for (std::size_t begin = 0; begin < order_.size();) {
    std::size_t end = begin;
    blocks_.clear();
    while (end < order_.size() && order_[end].first == order_[begin].first) blocks_.push_back(order_[end++].second);
    begin = end;
    if (!island_.load(p, blocks_, options)) {
      too_large_ = true;
      worst = std::numeric_limits<double>::infinity();
      continue;
    }
    worst = std::max(worst, island_.solve(p, options, out.impulses));
    floor_ = std::max(floor_, island_.floor());
    steps_ += island_.steps();
  }
  refresh(p, out);
  return worst;
}

void NewtonContact::solve(const ContactProblem& p, const NewtonOptions& options, std::span<const double> guess,
                          ContactSolution& out) {
  steps_ = 0;
  fell_back_ = too_large_ = false;
  out.reason = "";
  std::int64_t turn = std::min(options.first_sweeps, options.max_iterations), used = 0;
  double best = std::numeric_limits<double>::infinity();
  sort_into_islands(p);
  guess_.assign(guess.begin(), guess.end());
  for (int round = 0; round < kRounds && used < options.max_iterations; ++round, turn *= kMore) {
    sweeps_.solve(p, {options.tolerance, std::min(turn, options.max_iterations - used), true}, guess_, out);
    used += out.iterations;
    if (out.status == SolveStatus::kConverged) break;
    NewtonIslandOptions how;
    how.tolerance = options.tolerance;
    out.residual = solve_islands(p, how, out);
    if (out.residual <= std::max(options.tolerance, floor_)) {
      out.status = SolveStatus::kConverged;
      break;
    }
    if (too_large_) break;
    if (out.residual < best) best = out.residual, best_ = out.impulses;
    guess_ = out.impulses;
  }
  if (out.status != SolveStatus::kConverged) {
    fell_back_ = true;
    const std::int64_t left = std::max<std::int64_t>(1, options.max_iterations - used - steps_);
    sweeps_.solve(p, {options.tolerance, left, true}, best_.size() == p.rows() && best < 1 ? best_ : guess_, out);
    used += out.iterations;
    out.reason = too_large_ ? "an island is too large for Newton's method; by sweeps instead"
                            : "Newton's method found no way down; by sweeps instead";
    if (out.residual > best) {
      out.impulses = best_;
      out.residual = best;
      refresh(p, out);
      out.reason = "Newton's method found no way down, and sweeps did no better";
    }
  }
  out.iterations = used + steps_;
}

}  // namespace touchstone

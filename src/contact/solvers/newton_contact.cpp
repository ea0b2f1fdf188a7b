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

constexpr std::int64_t kMore = 4;
// NewtonIslandOptions::side of the rounds: found by trial on 27 steps of heaps of boxes. One of them leaves five.
constexpr double kSides[] = {3, 10, 1};
// Sweeps after Newton's method: those that it leaves at 1e-8 m/s are hardly ever solved by more of them.
constexpr std::int64_t kLastSweeps = 1000;

const char* reason_of(bool too_large, bool converged) {
  if (converged)
    return too_large ? "an island is too large for Newton's method; by sweeps instead"
                     : "Newton's method found no way down; by sweeps instead";
  return too_large ? "an island is too large for Newton's method, and sweeps do not come within the tolerance"
                   : "neither Newton's method nor sweeps after it come within the tolerance";
}

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

void NewtonContact::keep_better(const ContactSolution& candidate, bool converged) {
  if (best_.size() == candidate.impulses.size() && !(candidate.residual < best_residual_)) return;
  best_ = candidate.impulses;
  best_residual_ = candidate.residual;
  best_converged_ = converged;
}

void NewtonContact::solve_islands(const ContactProblem& p, const NewtonIslandOptions& options, ContactSolution& out) {
  out.residual = 0;
  double floor = 0;
  for (std::size_t begin = 0; begin < order_.size();) {
    std::size_t end = begin;
    blocks_.clear();
    while (end < order_.size() && order_[end].first == order_[begin].first) blocks_.push_back(order_[end++].second);
    begin = end;
    island_.load(p, blocks_);
    const double left = island_.solve(p, options, out.impulses);
    out.residual = left <= out.residual ? out.residual : left;  // also if it is not a number
    floor = std::max(floor, island_.floor());
    steps_ += island_.steps();
    too_large_ |= island_.too_large();
  }
  refresh(p, out);
  keep_better(out, false);
  best_converged_ = best_residual_ <= std::max(options.tolerance, floor);  // sweeps may have been as good
}

void NewtonContact::solve(const ContactProblem& p, const NewtonOptions& options, std::span<const double> guess,
                          ContactSolution& out) {
  steps_ = 0;
  fell_back_ = too_large_ = best_converged_ = false;
  best_.clear();
  best_residual_ = std::numeric_limits<double>::infinity();
  std::int64_t used = 0;
  const auto sweep = [&](std::int64_t most, std::span<const double> from) {
    sweeps_.solve(p, {options.tolerance, most, true}, from, out);
    used += out.iterations;
    keep_better(out, out.residual <= options.tolerance);  // what they call rounding is for Newton's method to better
  };
  guess_.assign(guess.begin(), guess.end());
  NewtonIslandOptions how;
  how.tolerance = options.tolerance;
  std::int64_t turn = options.first_sweeps;
  for (const double side : kSides) {
    if (used >= options.max_iterations) break;
    sweep(std::min(turn, options.max_iterations - used), guess_);
    if (best_residual_ <= options.tolerance) break;
    if (turn == options.first_sweeps) sort_into_islands(p);
    how.side = side;
    solve_islands(p, how, out);
    guess_ = best_;
    if (best_converged_ || too_large_) break;
    turn *= kMore;
  }
  const char* reason = "";
  if (!best_converged_) {
    fell_back_ = true;
    const std::int64_t left = options.max_iterations - used;
    if (left > 0) sweep(too_large_ ? left : std::min(left, kLastSweeps), guess_);
    reason = reason_of(too_large_, best_converged_);
  }
  if (out.impulses != best_) out.impulses = best_, refresh(p, out);
  out.residual = best_residual_;
  if (best_converged_)
    out.status = SolveStatus::kConverged;
  else if (out.status == SolveStatus::kConverged)
    out.status = SolveStatus::kStalled;
  out.reason = reason;
  out.iterations = used + steps_;
}

}  // namespace touchstone

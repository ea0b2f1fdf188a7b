// Purpose: a semi-smooth Newton method for contacts with Coulomb friction, joints, limits and motors, all at once;
// where
//   it finds no way down, the same along a path of smoothed laws.
// Source: P. Alart, A. Curnier 1991 for the equations (newton_block.cpp), [acary2018] for the line search on them;
//   B. Chen, P. T. Harker 1993, C. Kanzow 1996 for the path.
// Letters: r impulses, u = W·r + q, F the errors of the laws, Θ = Σ F²/ρ, δ the speed by which laws are smoothed.
// Deviations:
//   (1) ε regularises the step (newton_system.cpp). It grows by kGrow where a step does not lead down, which bends it
//       towards that of a scaled gradient, and falls again with steps that do.
//   (2) Two coefficients: contacts are taken as what they are nearer to, sliding under μ_d or held under μ_s; those
//   that
//       slide in the end although they are held go on under μ_d.
//   (3) Θ need not fall in every step: it is compared with the greatest of the last kMemory [L. Grippo, F. Lampariello,
//       S. Lucidi 1986]. The best that was seen is what is kept.
//   (4) Faces on more points than they need, whose gaps differ by a hair, make (3) walk in circles between sets of
//       points that bear. On the path every point bears a little, as in an interior-point method. δ falls by a factor
//       that depends on how hard the last point of the path was to reach; one that is not reached is tried again from
//       the last with less of a change. Plain steps take over at its end.
//   (5) Friction makes paths that turn back before their end. Then there is another one, with other smoothing of
//       friction beside the rest (NewtonIslandOptions::side).
// Fails: no way down is left, or too many steps. Says how far it got.
#include "contact/solvers/newton_island.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace touchstone {
namespace {

constexpr double kLeastEpsilon = 1e-11;  // of the own response of a row; below, 1/ε eats the digits of a step
constexpr double kRounding = 1e-14;      // of the fastest velocity or W·r
constexpr double kMostRounding = 1e-6;   // of the free velocities: impulses that grow without bound are no rounding
constexpr int kTries = 8;                // steps that may not halve the error once it is down to rounding
constexpr double kMostEpsilon = 1e2;
constexpr double kGrow = 30;
constexpr int kHalvings = 6;        // of a step before ε grows
constexpr double kDescent = 1e-4;   // of what Newton's step promises, that must come true
constexpr std::size_t kMemory = 4;  // steps
constexpr double kPathStart = 0.1;  // of the free velocities
constexpr double kPathEnd = 0.1;    // of the tolerance
constexpr int kPathSteps = 300, kFirstSteps = 40, kStageSteps = 12;
constexpr double kNear = 0.5;                      // of what a law's error may be near the path
constexpr double kNoise = 0.1, kNoiseFloors = 10;  // of the tolerance, and of rounding: nearer need nothing come
// By which δ falls: the product of impulse and velocity falls with its square. Few steps to a point of the path:
// faster.
constexpr double kFast = 0.1, kFirstFactor = 0.3, kSlow = 0.9;
constexpr int kFewSteps = 3, kManySteps = 6;
constexpr int kMostRounds = 8;  // of deviation 2; then all contacts that may are under μ_d

template <class F>
void for_sides(const ContactProblem& p, const RowBlock& b, F&& f) {
  if (b.clique_a != Clique::kNone) f(p.cliques[b.clique_a], &p.jacobian[b.jacobian_a]);
  if (b.clique_b != Clique::kNone) f(p.cliques[b.clique_b], &p.jacobian[b.jacobian_b]);
}

}  // namespace

void NewtonIsland::load_block(const ContactProblem& p, std::uint32_t index, NewtonBlock& out) {
  const RowBlock& b = p.blocks[index];
  out = NewtonBlock{};
  out.kind = b.kind, out.index = index, out.rows = b.rows;
  out.lower = p.lower[b.first_row], out.upper = p.upper[b.first_row];
  for (std::uint32_t i = 0; i < b.rows; ++i) out.free[i] = p.bias(b.first_row + i);
  for_sides(p, b, [&](const Clique& c, const double* j) {
    for (std::uint32_t i = 0; i < b.rows; ++i)
      for (std::uint32_t k = 0; k < c.size; ++k) {
        if (j[i * c.size + k] == 0) continue;
        out.free[i] += j[i * c.size + k] * p.free_velocity[c.first + k];
      }
  });
  const Eigen::Matrix3d w = own_block(p, b);
  Eigen::Vector3d own = w.diagonal();
  const double trace = own.sum();
  if (!(trace > 0) || (b.kind == BlockKind::kContact && !(own[0] > 0))) return;
  out.measure_rho = own_mass(b, w);
  if (b.kind == BlockKind::kContact && b.rows == 3) own[1] = own[2] = 0.5 * (own[1] + own[2]);
  for (std::uint32_t i = 0; i < 3; ++i) out.rho[i] = own[i] > 1e-12 * trace ? 1 / own[i] : out.measure_rho;
}

void NewtonIsland::load(const ContactProblem& p, std::span<const std::uint32_t> blocks) {
  blocks_.resize(blocks.size());
  cliques_.clear();
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    load_block(p, blocks[i], blocks_[i]);
    for (const std::uint32_t c : {p.blocks[blocks[i]].clique_a, p.blocks[blocks[i]].clique_b})
      if (c != Clique::kNone) cliques_.push_back(c);
  }
  std::sort(cliques_.begin(), cliques_.end());
  cliques_.erase(std::unique(cliques_.begin(), cliques_.end()), cliques_.end());
  momentum_.resize(p.velocities()), velocity_.resize(p.velocities());
}

bool NewtonIsland::prepare_system(const ContactProblem& p, const NewtonIslandOptions& options) {
  std::uint32_t largest = 0;
  for (const std::uint32_t c : cliques_) largest = std::max(largest, p.cliques[c].size);
  std::uint32_t rows = 0;
  for (const NewtonBlock& b : blocks_) rows += b.rows;
  route_ = largest <= 3 ? Route::kPlane : largest <= 6 ? Route::kSpace : Route::kCliques;
  if (route_ == Route::kPlane && plane_.load(p, blocks_, cliques_, options.most_products)) return true;
  if (route_ == Route::kSpace && space_.load(p, blocks_, cliques_, options.most_products)) return true;
  // No more rows than the largest clique has unknowns: theirs is the smaller system.
  if (route_ == Route::kCliques && rows > largest && trees_.load(p, blocks_, cliques_, options.most_products))
    return true;
  route_ = Route::kRows;
  return rows_.load(p, blocks_, cliques_, options.most_rows);
}

// As what it is nearer to: sliding under μ_d, or held under μ_s.
void NewtonIsland::choose_friction(const ContactProblem& p) {
  for (NewtonBlock& b : blocks_) {
    if (b.kind != BlockKind::kContact || b.rows == 1) continue;
    const ContactLaw& law = p.contacts[p.blocks[b.index].contact];
    b.friction = law.dynamic_friction;
    b.held = false;
    if (!b.moves() || !(law.static_friction > law.dynamic_friction)) continue;
    const double slides = natural_error(b, b.r, b.u);
    b.friction = law.static_friction, b.held = true;
    if (natural_error(b, b.r, b.u) < slides) continue;
    b.friction = law.dynamic_friction, b.held = false;
  }
}

bool NewtonIsland::loosen(const ContactProblem& p, double slip) {
  bool any = false;
  for (NewtonBlock& b : blocks_) {
    if (!b.held || !(b.u.tail<2>().norm() > slip)) continue;
    b.held = false, any = true;
    b.friction = p.contacts[p.blocks[b.index].contact].dynamic_friction;
  }
  return any;
}

void NewtonIsland::respond(const ContactProblem& p, Eigen::Vector3d NewtonBlock::*x,
                           Eigen::Vector3d NewtonBlock::*out) {
  for (const std::uint32_t k : cliques_) std::fill_n(&momentum_[p.cliques[k].first], p.cliques[k].size, 0.0);
  for (const NewtonBlock& b : blocks_)
    for_sides(p, p.blocks[b.index], [&](const Clique& c, const double* j) {
      for (std::uint32_t i = 0; i < b.rows; ++i)
        for (std::uint32_t k = 0; k < c.size; ++k) momentum_[c.first + k] += j[i * c.size + k] * (b.*x)[i];
    });
  for (const std::uint32_t clique : cliques_) {
    const Clique& c = p.cliques[clique];
    p.mass_of(c).solve(&momentum_[c.first], &velocity_[c.first]);
  }
  for (NewtonBlock& b : blocks_)
    for_sides(p, p.blocks[b.index], [&](const Clique& c, const double* j) {
      for (std::uint32_t i = 0; i < b.rows; ++i)
        for (std::uint32_t k = 0; k < c.size; ++k) (b.*out)[i] += j[i * c.size + k] * velocity_[c.first + k];
    });
}

void NewtonIsland::refresh(const ContactProblem& p) {
  for (NewtonBlock& b : blocks_) b.u = b.free;
  respond(p, &NewtonBlock::r, &NewtonBlock::u);
}

double NewtonIsland::worst() {
  double worst = 0, fastest = 0, free = 0;
  for (const NewtonBlock& b : blocks_) {
    if (!b.moves()) continue;
    free = std::max(free, b.free.norm());
    const double error = natural_error(b, b.r, b.u);
    worst = error <= worst ? worst : error;  // also if it is not a number
    fastest = std::max({fastest, b.r.norm() / b.measure_rho, b.u.norm()});
  }
  floor_ = std::min(kRounding * fastest, kMostRounding * free);
  return worst;
}

double NewtonIsland::squared_error_at(double t) const {
  double sum = 0;
  for (const NewtonBlock& b : blocks_)
    if (b.moves()) sum += squared_error(b, law_error(b, b.r + t * b.r_way, b.u + t * b.u_way));
  return sum;
}

bool NewtonIsland::solve_system(double epsilon) {
  switch (route_) {
    case Route::kPlane:
      return plane_.solve(blocks_, epsilon);
    case Route::kSpace:
      return space_.solve(blocks_, epsilon);
    case Route::kCliques:
      return trees_.solve(blocks_, epsilon);
    case Route::kRows:
      return rows_.solve(blocks_, epsilon);
  }
  return false;
}

// One step from where the blocks are. Errors may not exceed `above`. False if there is no way down.
bool NewtonIsland::step(const ContactProblem& p, double above, double& epsilon) {
  for (NewtonBlock& b : blocks_)
    if (b.moves()) linearise(b);
  const double now = squared_error_at(0);
  for (; epsilon <= kMostEpsilon; epsilon *= kGrow) {
    p.stop.check();
    ++steps_;
    if (!solve_system(epsilon)) continue;
    for (NewtonBlock& b : blocks_) b.u_way.setZero();
    respond(p, &NewtonBlock::r_way, &NewtonBlock::u_way);
    double t = 1;
    for (int h = 0; h <= kHalvings; ++h, t *= 0.5) {
      if (!(squared_error_at(t) <= above - 2 * kDescent * t * now)) continue;
      for (NewtonBlock& b : blocks_)
        if (b.moves()) b.r += t * b.r_way, b.u += t * b.u_way;
      epsilon = std::max(kLeastEpsilon, epsilon / kGrow);
      return true;
    }
  }
  return false;
}

void NewtonIsland::weigh_all(double noise) {
  for (NewtonBlock& b : blocks_)
    if (b.moves()) weigh(b, noise);
}

// From the path, in parts of what is near.
double NewtonIsland::distance() const {
  double worst = 0;
  for (const NewtonBlock& b : blocks_) {
    if (!b.moves()) continue;
    const Eigen::Vector3d error = law_error(b, b.r, b.u);
    for (std::uint32_t i = 0; i < b.rows; ++i) worst = std::max(worst, std::abs(error[i]) * std::sqrt(b.weight[i]));
  }
  return worst;
}

// To the point of the path at `delta`. Returns the steps that it took; more than `most` if it did not come near.
int NewtonIsland::approach(const ContactProblem& p, double delta, double noise, int most) {
  for (NewtonBlock& b : blocks_) b.delta = delta;
  refresh(p);
  double epsilon = kLeastEpsilon;
  for (int k = 0; k <= most; ++k) {
    weigh_all(noise);
    if (distance() <= kNear) return k;
    if (k == most || !step(p, squared_error_at(0), epsilon)) break;
  }
  return most + 1;
}

// From laws that are smoothed by `delta` to laws that hardly are.
void NewtonIsland::follow_path(const ContactProblem& p, const NewtonIslandOptions& options, double delta) {
  if (!std::isfinite(delta)) return;  // no factor makes it smaller: the path would have no end
  const std::int64_t most = steps_ + kPathSteps;
  const double noise = std::max(kNoise * options.tolerance, kNoiseFloors * floor_);
  for (NewtonBlock& b : blocks_) b.side = options.side;
  if (approach(p, delta, noise, kFirstSteps) > kFirstSteps) return;
  for (double factor = kFirstFactor; steps_ < most && delta > kPathEnd * options.tolerance;) {
    keep(centre_);
    if (worst() <= options.tolerance) break;
    const int steps = approach(p, factor * delta, noise, kStageSteps);
    if (steps <= kStageSteps) {
      delta *= factor;
      factor = steps <= kFewSteps ? std::max(kFast, factor * factor) : steps <= kManySteps ? factor : std::sqrt(factor);
      continue;
    }
    put_back(p, centre_);
    if (factor > kSlow) break;
    factor = std::sqrt(factor);
  }
}

double NewtonIsland::iterate(const ContactProblem& p, const NewtonIslandOptions& options) {
  for (NewtonBlock& b : blocks_) b.delta = 0;
  weigh_all(0);
  double epsilon = kLeastEpsilon, best = std::numeric_limits<double>::infinity();
  double memory[kMemory];
  std::size_t seen = 0;
  int stuck = 0;
  keep(best_);
  for (std::int64_t k = 0;; ++k) {
    refresh(p);
    const double error = worst();
    stuck = error < 0.5 * best ? 0 : stuck + 1;
    if (error < best) best = error, keep(best_);
    if (error <= options.tolerance || k >= options.max_steps || !std::isfinite(error)) break;
    if (best <= floor_ && stuck > kTries) break;  // rounding; the floor is a cautious guess of it
    const double now = squared_error_at(0);
    memory[seen++ % kMemory] = now;
    if (!step(p, *std::max_element(memory, memory + std::min(seen, kMemory)), epsilon)) break;
  }
  put_back(p, best_);
  return best;
}

// Plain steps, and the path if they lead nowhere.
void NewtonIsland::solve_laws(const ContactProblem& p, const NewtonIslandOptions& options) {
  keep(start_);
  const double plain = iterate(p, options);
  if (plain <= std::max(options.tolerance, floor_)) return;
  keep(plain_);
  put_back(p, start_);
  double delta = worst();
  for (const NewtonBlock& b : blocks_) delta = std::max(delta, kPathStart * b.free.norm());
  follow_path(p, options, delta);
  if (!(iterate(p, options) < plain)) put_back(p, plain_);
}

void NewtonIsland::keep(std::vector<Eigen::Vector3d>& r) const {
  for (std::size_t i = 0; i < blocks_.size(); ++i) r[i] = blocks_[i].r;
}

void NewtonIsland::put_back(const ContactProblem& p, const std::vector<Eigen::Vector3d>& r) {
  for (std::size_t i = 0; i < blocks_.size(); ++i) blocks_[i].r = r[i];
  refresh(p);
}

// Within bounds to the last bit.
void NewtonIsland::finish(const ContactProblem& p) {
  for (NewtonBlock& b : blocks_)
    if (b.moves()) b.r = into_bounds(b, b.r);
  refresh(p);
}

double NewtonIsland::solve(const ContactProblem& p, const NewtonIslandOptions& options, std::span<double> impulses) {
  steps_ = 0;
  too_large_ = false;
  for (std::vector<Eigen::Vector3d>* kept : {&best_, &start_, &plain_, &centre_}) kept->resize(blocks_.size());
  for (NewtonBlock& b : blocks_)
    for (std::uint32_t i = 0; i < b.rows; ++i) b.r[i] = impulses[p.blocks[b.index].first_row + i];
  refresh(p);
  choose_friction(p);
  const double before = worst();
  if (before <= options.tolerance) return before;
  too_large_ = !prepare_system(p, options);
  if (too_large_) return before;
  for (int round = 0;; ++round) {
    solve_laws(p, options);
    if (!loosen(p, round < kMostRounds ? std::max(options.tolerance, floor_) : 0.0)) break;
  }
  finish(p);
  for (const NewtonBlock& b : blocks_)
    for (std::uint32_t i = 0; i < b.rows; ++i) impulses[p.blocks[b.index].first_row + i] = b.r[i];
  return worst();
}

}  // namespace touchstone

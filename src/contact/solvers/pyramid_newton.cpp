// Purpose: Newton's method on the natural map of friction pyramids, which is piecewise linear: a step is the linear
//   system of what contacts do at the present point. Sweeps of projected Gauss-Seidel lead from one try to the next.
// Source: P. Alart, A. Curnier, Comput. Methods Appl. Mech. Engrg. 92 (1991), with polygons instead of discs, after the
//   laws of problem_as_lcp.cpp.
// Letters: u = W·r + q; τ = r − u; D(ρ) the polygon with corners ρ·d_k. r_N = max(0, τ_N), r_T = nearest point of
//   D(μ·max(0, τ_N)) to τ_T.
// Deviations:
//   (1) Rows are scaled: the greatest response of a block becomes 1, so that ρ = 1 is the right weight in τ.
//   (2) The diagonal is shifted by kShift about the present point (proximal): redundant contacts leave the system
//       singular; their loads stay as near to the guess as they can, and the fixed point is not moved.
//   (3) A contact that slides along a given direction t has r_T = −μ·r_N·t: the acceleration level's law.
//   (4) Full steps; where they do not lead on, sweeps from the best point do. There is no proof that they must.
// Fails: not converged after all rounds, or a singular system; the best point is kept.
#include "contact/solvers/pyramid_newton.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace touchstone {
namespace {

constexpr double kShift = 1e-10;     // of the scaled diagonal, which is 1: well above rounding, far below responses
constexpr int kMostSteps = 25;       // Newton steps in a round
constexpr int kPatience = 8;         // steps without a better point
constexpr int kSweeps = 30;          // before the second round; twice as many before each further one
constexpr double kFine = 1e-3;       // of the tolerance
constexpr int kColdSweeps = 10;      // from no guess
constexpr double kRounding = 1e-13;  // of the greatest scaled velocity that adds up to u: below nothing can be told

}  // namespace

void PyramidNewton::load(const ContactProblem& p, std::span<const std::uint32_t> blocks, const IslandMatrix& matrix,
                         std::span<const FrictionUse> use, std::span<const Eigen::Vector2d> slides) {
  n_ = matrix.size();
  laws_.clear();
  w_.resize(n_ * n_), q_.resize(n_), r_.resize(n_), u_.resize(n_);
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    const RowBlock& b = p.blocks[blocks[k]];
    Law& law = laws_.emplace_back();
    law = {b.kind, matrix.first(k), b.rows, 1, 0, p.lower[b.first_row], p.upper[b.first_row], false, {}, 1, 1};
    double most = 0;
    for (std::uint32_t i = law.first; i < law.first + b.rows; ++i) most = std::max(most, matrix.w(i, i));
    if (most > 0) law.scale = 1 / std::sqrt(most);
    if (b.kind == BlockKind::kLimit) law.lower = 0, law.upper = std::numeric_limits<double>::infinity();
    if (b.kind != BlockKind::kContact) {
      law.lower /= law.scale, law.upper /= law.scale;
      continue;
    }
    const ContactLaw& contact = p.contacts[b.contact];
    const bool is_static = use.empty() || use[b.contact] == FrictionUse::kStatic;
    law.slides = b.rows > 1 && !slides.empty() && !slides[b.contact].isZero(0);
    law.friction = b.rows == 1 ? 0.0 : is_static && !law.slides ? contact.static_friction : contact.dynamic_friction;
    if (law.slides) law.tangent = slides[b.contact];
  }
  for (const Law& a : laws_)
    for (std::uint32_t i = a.first; i < a.first + a.rows; ++i) {
      q_[i] = a.scale * matrix.q(i);
      for (const Law& b : laws_)
        for (std::uint32_t j = b.first; j < b.first + b.rows; ++j) w_[i * n_ + j] = a.scale * b.scale * matrix.w(i, j);
    }
  for (Law& law : laws_) {
    const double* w = &w_[law.first * n_ + law.first];
    double normal = w[0], tangent = 0;
    if (law.slides)
      for (std::uint32_t t = 1; t < law.rows; ++t) normal -= law.friction * w[t] * law.tangent[t - 1];
    for (std::uint32_t t = 1; t < law.rows; ++t) tangent += w[t * n_ + t];
    law.normal_step = normal > 0.1 * w[0] && w[0] > 0 ? 1 / normal : 1.0;
    law.tangent_step = tangent > 0 ? 1 / tangent : 1.0;
  }
}

// Of the polygon with corners radius·d_k; in 2D of [−radius, radius].
PyramidNewton::Target PyramidNewton::nearest(const Law& law, double radius, double x, double y) const {
  Target out{{x, y}, Target::At::kInside, {0, 0}, {0, 0}};
  if (std::isinf(law.friction)) return out;
  if (law.rows == 2) {
    if (std::abs(x) <= radius) return out;
    const double side = x > 0 ? 1 : -1;
    return {{side * radius, 0}, Target::At::kCorner, {side, 0}, {0, 0}};
  }
  const double sector = 2 * std::numbers::pi / facets_;
  double turn = std::atan2(y, x);
  if (turn < 0) turn += 2 * std::numbers::pi;
  const double k = std::floor(turn / sector), middle = (k + 0.5) * sector;
  const double m[2] = {std::cos(middle), std::sin(middle)}, e[2] = {-m[1], m[0]};
  const double height = radius * std::cos(0.5 * sector), half = radius * std::sin(0.5 * sector);
  const double out_by = m[0] * x + m[1] * y, along = e[0] * x + e[1] * y;
  if (out_by <= height) return out;
  if (std::abs(along) <= half)
    return {
        {height * m[0] + along * e[0], height * m[1] + along * e[1]}, Target::At::kEdge, {m[0], m[1]}, {e[0], e[1]}};
  const double corner = (along > 0 ? k + 1 : k) * sector;
  const double d[2] = {std::cos(corner), std::sin(corner)};
  return {{radius * d[0], radius * d[1]}, Target::At::kCorner, {d[0], d[1]}, {0, 0}};
}

// What the laws make of r − u.
void PyramidNewton::project(const Law& law, const double* from, double* to) const {
  switch (law.kind) {
    case BlockKind::kEquality:
      std::copy(from, from + law.rows, to);
      return;
    case BlockKind::kLimit:
    case BlockKind::kMotor:
      to[0] = std::clamp(from[0], law.lower, law.upper);
      return;
    case BlockKind::kContact:
      break;
  }
  to[0] = std::max(0.0, from[0]);
  for (std::uint32_t i = 1; i < law.rows; ++i) to[i] = 0;
  if (law.rows == 1 || !(law.friction > 0) || !(to[0] > 0)) return;
  if (law.slides) {
    for (std::uint32_t i = 1; i < law.rows; ++i) to[i] = -law.friction * to[0] * law.tangent[i - 1];
    return;
  }
  const Target t = nearest(law, law.friction * to[0], from[1], law.rows > 2 ? from[2] : 0);
  for (std::uint32_t i = 1; i < law.rows; ++i) to[i] = t.point[i - 1];
}

void PyramidNewton::refresh() {
  std::copy(q_.begin(), q_.end(), u_.begin());
  for (std::size_t j = 0; j < n_; ++j) {
    if (r_[j] == 0) continue;
    const double* w = &w_[j * n_];
    for (std::size_t i = 0; i < n_; ++i) u_[i] += w[i] * r_[j];
  }
}

double PyramidNewton::natural_map() const {
  double worst = 0;
  for (const Law& law : laws_) {
    double from[3], to[3];
    for (std::uint32_t i = 0; i < law.rows; ++i) from[i] = r_[law.first + i] - u_[law.first + i];
    project(law, from, to);
    for (std::uint32_t i = 0; i < law.rows; ++i) {
      const double off = std::abs(r_[law.first + i] - to[i]) / law.scale;
      if (!(off <= worst)) worst = off;  // not a number stays one
    }
  }
  return std::isfinite(worst) ? worst : std::numeric_limits<double>::infinity();
}

void PyramidNewton::sweep() {
  for (const Law& law : laws_) {
    double from[3], to[3];
    const double* w = &w_[law.first * n_];
    const double* u = &u_[law.first];
    double* r = &r_[law.first];
    const auto move = [&](std::uint32_t i, double value) {
      const double change = value - r[i];
      if (change == 0) return;
      r[i] = value;
      for (std::size_t j = 0; j < n_; ++j) u_[j] += w[i * n_ + j] * change;
    };
    if (law.kind != BlockKind::kContact) {
      for (std::uint32_t i = 0; i < law.rows; ++i) {
        const double own = w[i * n_ + law.first + i];
        if (!(own > 0)) continue;
        const double next = r[i] - u[i] / own;
        move(i, law.kind == BlockKind::kEquality ? next : std::clamp(next, law.lower, law.upper));
      }
      continue;
    }
    from[0] = r[0] - law.normal_step * u[0];
    move(0, std::max(0.0, from[0]));
    from[0] = r[0];
    for (std::uint32_t i = 1; i < law.rows; ++i) from[i] = r[i] - law.tangent_step * u[i];
    project(law, from, to);
    for (std::uint32_t i = 1; i < law.rows; ++i) move(i, to[i]);
  }
}

void PyramidNewton::add_contact(const Law& law) {
  const double* r = &r_[law.first];
  double tau[3] = {0, 0, 0};
  for (std::uint32_t i = 0; i < law.rows; ++i) tau[i] = r[i] - u_[law.first + i];
  if (!(tau[0] > 0)) return;
  Unknown normal{law.first, law.rows, {1, 0, 0}, {1, 0, 0}, std::max(0.0, r[0])};
  if (law.rows == 1 || !(law.friction > 0)) return unknowns_.push_back(normal);
  const auto friction_along = [&](double x, double y) {
    normal.act[1] = law.friction * x, normal.act[2] = law.friction * y;
  };
  const auto row_along = [&](double x, double y) {
    unknowns_.push_back({law.first, law.rows, {0, x, y}, {0, x, y}, r[1] * x + (law.rows > 2 ? r[2] * y : 0.0)});
  };
  if (law.slides) {
    friction_along(-law.tangent[0], -law.tangent[1]);
    return unknowns_.push_back(normal);
  }
  const Target t = nearest(law, law.friction * tau[0], tau[1], tau[2]);
  if (t.at == Target::At::kCorner) {
    friction_along(t.outward[0], t.outward[1]);
    return unknowns_.push_back(normal);
  }
  if (t.at == Target::At::kEdge) {
    const double height = std::cos(std::numbers::pi / facets_);
    friction_along(height * t.outward[0], height * t.outward[1]);
    unknowns_.push_back(normal);
    return row_along(t.along[0], t.along[1]);
  }
  unknowns_.push_back(normal);
  row_along(1, 0);
  if (law.rows > 2) row_along(0, 1);
}

// What each block does, from r − u; constants go to r_ at once.
void PyramidNewton::choose() {
  unknowns_.clear();
  for (const Law& law : laws_) {
    if (law.kind == BlockKind::kContact) {
      add_contact(law);
      continue;
    }
    for (std::uint32_t i = 0; i < law.rows; ++i) {
      const double tau = r_[law.first + i] - u_[law.first + i];
      const bool free = law.kind == BlockKind::kEquality || (tau > law.lower && tau < law.upper);
      if (free) unknowns_.push_back({law.first + i, 1, {1, 0, 0}, {1, 0, 0}, r_[law.first + i]});
    }
  }
}

// x_ of system_·x_ = right side, the last column, with row exchanges.
bool PyramidNewton::eliminate(std::size_t n) {
  const std::size_t width = n + 1;
  double* a = system_.data();
  for (std::size_t c = 0; c < n; ++c) {
    std::size_t best = c;
    for (std::size_t i = c + 1; i < n; ++i)
      if (std::abs(a[i * width + c]) > std::abs(a[best * width + c])) best = i;
    const double pivot = a[best * width + c];
    if (!(std::abs(pivot) > 0) || !std::isfinite(pivot)) return false;
    if (best != c) std::swap_ranges(a + c * width, a + (c + 1) * width, a + best * width);
    const double* p = a + c * width;
    for (std::size_t i = c + 1; i < n; ++i) {
      double* row = a + i * width;
      if (row[c] == 0) continue;
      const double factor = row[c] / pivot;
      for (std::size_t j = c + 1; j < width; ++j) row[j] -= factor * p[j];
    }
  }
  x_.resize(n);
  for (std::size_t c = n; c-- > 0;) {
    double sum = a[c * width + n];
    for (std::size_t j = c + 1; j < n; ++j) sum -= a[c * width + j] * x_[j];
    x_[c] = sum / a[c * width + c];
  }
  return true;
}

// One step from r_, with u_ of it. False if the system has no solution.
bool PyramidNewton::newton() {
  choose();
  for (const Law& law : laws_)  // the rest: open contacts, blocks at their bounds
    for (std::uint32_t i = law.first; i < law.first + law.rows; ++i) {
      const bool bounded = law.kind == BlockKind::kLimit || law.kind == BlockKind::kMotor;
      r_[i] = bounded ? std::clamp(r_[i] - u_[i], law.lower, law.upper) : 0.0;
    }
  for (const Unknown& x : unknowns_)
    for (std::uint32_t i = 0; i < x.rows; ++i) r_[x.first + i] = 0;
  for (const Unknown& x : unknowns_)
    for (std::uint32_t i = 0; i < x.rows; ++i) r_[x.first + i] += x.act[i] * x.start;
  refresh();
  const std::size_t n = unknowns_.size(), width = n + 1;
  system_.resize(n * width);
  acts_.resize(n_);
  for (std::size_t i = 0; i < n; ++i) {
    const Unknown& a = unknowns_[i];
    std::fill(acts_.begin(), acts_.end(), 0.0);  // row·W
    for (std::uint32_t k = 0; k < a.rows; ++k) {
      if (a.row[k] == 0) continue;
      const double* w = &w_[(a.first + k) * n_];
      for (std::size_t j = 0; j < n_; ++j) acts_[j] += a.row[k] * w[j];
    }
    double* line = &system_[i * width];
    for (std::size_t j = 0; j < n; ++j) {
      const Unknown& b = unknowns_[j];
      double sum = 0;
      for (std::uint32_t k = 0; k < b.rows; ++k) sum += acts_[b.first + k] * b.act[k];
      line[j] = sum;
    }
    line[i] += kShift;
    line[n] = 0;
    for (std::uint32_t k = 0; k < a.rows; ++k) line[n] -= a.row[k] * u_[a.first + k];
  }
  if (!eliminate(n)) return false;
  for (std::size_t j = 0; j < n; ++j)
    for (std::uint32_t k = 0; k < unknowns_[j].rows; ++k) r_[unknowns_[j].first + k] += unknowns_[j].act[k] * x_[j];
  refresh();
  return true;
}

// What rounding lets stand out of the pyramids.
void PyramidNewton::cut() {
  for (const Law& law : laws_) {
    double to[3];
    project(law, &r_[law.first], to);
    for (std::uint32_t i = 0; i < law.rows; ++i) r_[law.first + i] = to[i];
  }
  refresh();
}

PyramidNewtonResult PyramidNewton::solve(const ContactProblem& p, std::span<const std::uint32_t> blocks,
                                         const IslandMatrix& matrix, const PyramidNewtonOptions& options,
                                         std::span<const FrictionUse> use, std::span<const Eigen::Vector2d> slides,
                                         std::span<double> impulses) {
  PyramidNewtonResult out;
  facets_ = std::clamp(options.facets, ProblemAsLcp::kLeastFacets, ProblemAsLcp::kMostFacets) / 2 * 2;
  load(p, blocks, matrix, use, slides);
  bool cold = true;
  for (const Law& law : laws_)
    for (std::uint32_t i = 0; i < law.rows; ++i) {
      const double guess = impulses[matrix.row(law.first + i)];
      r_[law.first + i] = std::isfinite(guess) ? guess / law.scale : 0.0;
      cold &= r_[law.first + i] == 0;
    }
  refresh();
  best_ = r_;
  out.residual = natural_map();
  const double start = out.residual;
  int sweeps = cold ? kColdSweeps : 0;
  for (int round = 0; round < options.rounds && (round == 0 || !(out.residual <= options.tolerance)); ++round) {
    for (int k = 0; k < sweeps; ++k) sweep();
    sweeps = kSweeps << round;
    refresh();
    int idle = 0;
    for (int k = 0; k <= kMostSteps && idle < kPatience; ++k) {
      p.stop.check();
      const double residual = natural_map();
      ++idle;
      if (residual < 0.9 * out.residual || k == 0) idle = 0;
      const bool better = residual < out.residual;
      if (better) out.residual = residual, best_ = r_;
      // A little further than asked for: at the right guess one more step reaches rounding.
      if (out.residual <= kFine * options.tolerance) break;
      if (out.residual <= options.tolerance && k > 0 && !better) break;
      ++out.iterations;
      if (!newton()) break;
    }
    r_ = best_;
    refresh();
  }
  cut();
  out.residual = natural_map();
  out.converged = out.residual <= std::max(options.tolerance, kRounding * start);
  for (const Law& law : laws_)
    for (std::uint32_t i = 0; i < law.rows; ++i) impulses[matrix.row(law.first + i)] = r_[law.first + i] * law.scale;
  return out;
}

}  // namespace touchstone

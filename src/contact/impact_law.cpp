// Purpose: an impact as a course of events. Compression takes all approaching normal velocities to zero at the same
//   pace, s from 0 to 1: u_N >= (1 − s)·u_N⁻. Expansion gives each contact impulse at the rate of its compression,
//   until it has given back what its law asks for; nothing penetrates meanwhile.
// Source: [glocker1995] C. Glocker, F. Pfeiffer, Multiple impacts with friction in rigid multibody systems, 1995, for
//   compression and expansion as complementarity problems; [stronge1990] W. J. Stronge, Rigid body collisions with
//   friction, for the work; Routh 1897 for the course.
// Letters: r impulse, u relative velocity with biases, C compression, E expansion, W work of the normal impulse, s how
//   far a phase has come.
// Deviations:
//   (1) Friction acts along the course: a phase is cut into parts in which no slip ends, turns round or begins anew and
//       no contact comes to bear, and each is a problem with its own impulses and cones. In 2D slips are straight and
//       the parts exact; the source has one part a phase, so that slip that turns round looks as if it always had its
//       last direction. In 3D slip may turn by kTurn in a part, whose friction is along its middle.
//   (2) A contact that bears alone, on bodies without joints, is followed by routh_impact.cpp, in 3D to 1e-7.
//   (3) Stronge's law for several contacts: each expands until its own work is −e²·W_C, and is an ordinary contact from
//       then on. Normal impulses then give back at most what they took, and friction takes: energy is not gained with
//       any number of contacts. Poisson's law has no such bound where contacts differ.
//   (4) Compression is solved by the model's own solver, expansion by sweeps over exact cones.
//   (5) Where friction presses a sliding contact more than its impulse parts it (Painlevé), the slip ends in a jump,
//       whose work is taken along a straight line: less than Routh's course has.
// Fails: as its solvers. After kMostSolves solves of an island, fewer if it is large, the rest of a phase is one part,
// as
//   in the source, and work that kLastParts parts do not give back is lost.
#include "contact/impact_law.h"

#include <algorithm>
#include <cmath>

#include "contact/routh_impact.h"

namespace touchstone {
namespace {

constexpr double kTurn = 0.02;       // of slip in a part [rad]
constexpr double kStill = 1e-9;      // of the fastest approach
constexpr double kLeastPart = 1e-9;  // of a phase: events nearer than this count as one
constexpr double kShorter = 0.25;    // a part in which something changes is tried anew at this length
// Times the last part: the next one is tried first at this length, after one that went through at once, and after
// another.
constexpr double kMuchLonger = 4, kLonger = 1.5;
constexpr std::int64_t kMostSolves = 1000, kFewestSolves = 24;  // the first is divided by the contacts of an island
constexpr int kLastParts = 8;
constexpr std::int64_t kMostSweeps = 20000;  // as ncp
constexpr double kSweepPart = 0.01;          // of the speed that is still: what expansion is solved to, if that is less
constexpr double kPaid = 1e-12;              // of the work: what is left is rounding

}  // namespace

void ImpactLaw::sort_into_islands(const ContactProblem& p) {
  islands_.reset(p.cliques.size());
  for (const RowBlock& b : p.blocks)
    if (b.clique_a != Clique::kNone && b.clique_b != Clique::kNone) islands_.join(b.clique_a, b.clique_b);
  order_.clear();
  for (std::uint32_t k = 0; k < p.blocks.size(); ++k) {
    const RowBlock& b = p.blocks[k];
    const std::uint32_t clique = b.clique_a != Clique::kNone ? b.clique_a : b.clique_b;
    if (clique != Clique::kNone) order_.emplace_back(islands_.root(clique), k);
  }
  std::sort(order_.begin(), order_.end());
}

bool ImpactLaw::collides(const ContactProblem& p, std::span<const std::uint32_t> blocks) const {
  return std::any_of(blocks.begin(), blocks.end(), [&](std::uint32_t k) {
    const RowBlock& b = p.blocks[k];
    return b.kind == BlockKind::kContact && (options_.inelastic || p.contacts[b.contact].restitution > 0) &&
           whole_[b.first_row] < -options_.slowest;
  });
}

// Copies an island's part of the problem. Bodies that it has only in common with others cannot be: those would be of
// it.
void ImpactLaw::load(const ContactProblem& p, std::span<const std::uint32_t> blocks) {
  data_.clear();
  data_.h = p.h, data_.stop = p.stop;
  rows_.clear(), cliques_.clear(), points_.clear();
  const auto clique = [&](std::uint32_t c) {
    if (c == Clique::kNone) return c;
    if (local_[c] != Clique::kNone) return local_[c];
    local_[c] = static_cast<std::uint32_t>(cliques_.size());
    cliques_.push_back(c);
    const Clique& from = p.cliques[c];
    const bool numbers = from.factors == Clique::kNone;
    const Clique to = numbers ? data_.add_clique(from.size) : data_.add_clique(*p.operators[from.factors]);
    if (numbers) {
      const std::size_t count = std::size_t{from.size} * from.size;
      std::copy_n(&p.mass[from.mass], count, &data_.mass[to.mass]);
      std::copy_n(&p.inverse_mass[from.mass], count, &data_.inverse_mass[to.mass]);
    }
    std::copy_n(&p.free_velocity[from.first], from.size, &data_.free_velocity[to.first]);
    std::copy_n(&p.free_velocity[from.first], from.size, &data_.start_velocity[to.first]);
    return local_[c];
  };
  for (const std::uint32_t k : blocks) {
    const RowBlock& from = p.blocks[k];
    const std::uint32_t a = clique(from.clique_a), b = clique(from.clique_b);
    RowBlock& to = data_.add_block(from.kind, from.rows, a, b);
    to.key = from.key;
    const auto copy = [&](std::uint32_t c, std::uint32_t jacobian, std::uint32_t out) {
      if (c != Clique::kNone)
        std::copy_n(&p.jacobian[jacobian], std::size_t{from.rows} * p.cliques[c].size, &data_.jacobian[out]);
    };
    copy(from.clique_a, from.jacobian_a, to.jacobian_a), copy(from.clique_b, from.jacobian_b, to.jacobian_b);
    for (std::uint32_t i = 0; i < from.rows; ++i) {
      const std::size_t at = to.first_row + i, was = from.first_row + i;
      rows_.push_back(static_cast<std::uint32_t>(was));
      data_.correction[at] = p.correction[was], data_.surface[at] = p.surface[was];
      data_.lower[at] = p.lower[was], data_.upper[at] = p.upper[was];
    }
    if (from.kind != BlockKind::kContact) continue;
    const ContactLaw& law = p.contacts[from.contact];
    to.contact = static_cast<std::uint32_t>(data_.contacts.size());
    data_.contacts.push_back(law);
    Point point;
    point.row = to.first_row, point.rows = to.rows, point.contact = to.contact;
    point.e = law.restitution, point.friction = law.dynamic_friction;
    point.start = std::min(0.0, whole_[from.first_row]);
    for (std::uint32_t i = 0; i < from.rows; ++i) point.u[i] = whole_[from.first_row + i];
    points_.push_back(point);
  }
  for (const std::uint32_t c : cliques_) local_[c] = Clique::kNone;
  impulses_.assign(rows_.size(), 0.0);
}

Eigen::Vector3d ImpactLaw::relative(const Point& point, const std::vector<double>& relative) const {
  Eigen::Vector3d u = Eigen::Vector3d::Zero();
  for (std::uint32_t i = 0; i < point.rows; ++i)
    u[i] = relative[point.row + i] + data_.surface[point.row + i] + data_.correction[point.row + i];
  return u;
}

void ImpactLaw::note(const ContactSolution& part) {
  ++solves_;
  iterations_ += part.iterations;
  residual_ = std::max(residual_, part.residual);
}

// A part of a phase from the velocities that the last one left; in part_, and in the points' v.
void ImpactLaw::solve_part(Phase phase, double from, double length) {
  for (const Point& p : points_) {
    data_.restitution[p.row] = -target(phase, p, from + length);
    data_.lower[p.row] = phase == Phase::kExpansion && p.expands ? length * p.compression : 0.0;
  }
  const ContactProblem problem = data_.view();
  if (phase == Phase::kCompression)
    (*solve_)(problem, {}, part_);
  else
    sweeps_.solve(problem, {std::min(options_.tolerance, kSweepPart * still_), kMostSweeps, true}, {}, part_);
  if (part_.status != SolveStatus::kConverged && part_.residual <= options_.tolerance)
    part_.status = SolveStatus::kConverged;
  note(part_);
  relative_.resize(rows_.size());
  multiply_jacobian(problem, part_.velocities, relative_);
  for (Point& p : points_) p.v = relative(p, relative_);
}

// Whether the part is one straight piece of the course: the contacts that bear did so from its start, at their bounds,
// and slips kept their direction.
bool ImpactLaw::keeps_modes(Phase phase, double from) const {
  for (const Point& p : points_) {
    const double given = part_.impulses[p.row], owed = data_.lower[p.row];
    if (!(given > 0)) continue;
    const bool bears = given > owed * (1 + 1e-9);
    if (bears && p.u[0] - target(phase, p, from) > still_) return false;
    if (!(p.friction > 0) || p.rows < 2) continue;
    const Eigen::Vector2d a = p.u.tail<2>(), b = p.v.tail<2>();
    const double before = a.norm(), after = b.norm();
    if (before <= still_) continue;
    if (after <= still_) return false;
    if (std::abs(a[0] * b[1] - a[1] * b[0]) > kTurn * before * after || a.dot(b) <= 0) return false;
  }
  return true;
}

// How long a part may get until something changes, if it goes on as over `length`.
double ImpactLaw::first_event(Phase phase, double from, double length, double longest) const {
  double first = longest;
  const auto vanishes = [&](double before, double after) {
    if (after < before) first = std::min(first, length * before / (before - after));
  };
  for (const Point& p : points_) {
    const double gap = p.u[0] - target(phase, p, from);
    if (gap > still_) vanishes(gap, p.v[0] - target(phase, p, from + length));
    const Eigen::Vector2d a = p.u.tail<2>(), b = p.v.tail<2>();
    const double before = a.norm();
    if (!(part_.impulses[p.row] > 0) || !(p.friction > 0) || before <= still_) continue;
    vanishes(before, a.dot(b) / before);
    const double turn = std::abs(a[0] * b[1] - a[1] * b[0]) / (before * b.norm());
    if (turn > 1e-9) first = std::min(first, length * kTurn / turn);
  }
  return std::max(first, length);
}

// Solves the longest part that is one straight piece; returns its length.
double ImpactLaw::next_part(Phase phase, double from, double longest) {
  double length = spent() ? longest : std::min(longest, hint_);
  while (true) {
    data_.stop.check();
    solve_part(phase, from, length);
    if (spent() || length <= kLeastPart || keeps_modes(phase, from)) break;
    length *= kShorter;
  }
  const bool whole = length == longest || length == hint_;
  hint_ = (whole ? kMuchLonger : kLonger) * length;
  if (whole || spent()) return length;
  const double event = first_event(phase, from, length, longest);
  if (event <= length) return length;
  solve_part(phase, from, event);
  hint_ = kLonger * event;
  return event;
}

// Where a slip turns within the part just solved, friction along its end is an error of first order in the angle. So it
// is solved to its middle, and what is found there goes on to its end: of second order.
void ImpactLaw::bend(Phase phase, double from, double length) {
  const auto turns = [this](const Point& p) {
    const Eigen::Vector2d a = p.u.tail<2>(), b = p.v.tail<2>();
    return p.rows > 2 && part_.impulses[p.row] > 0 && std::min(a.norm(), b.norm()) > still_ &&
           std::abs(a[0] * b[1] - a[1] * b[0]) > 1e-9 * a.norm() * b.norm();
  };
  if (spent() || std::none_of(points_.begin(), points_.end(), turns)) return;
  solve_part(phase, from, 0.5 * length);
  for (double& r : part_.impulses) r *= 2;
  for (std::size_t i = 0; i < part_.velocities.size(); ++i)
    part_.velocities[i] = 2 * part_.velocities[i] - data_.free_velocity[i];
  for (Point& p : points_) p.v = 2 * p.v - p.u;
}

// The part just solved has happened.
void ImpactLaw::accept(Phase phase) {
  if (part_.status != SolveStatus::kConverged) status_ = part_.status, reason_ = part_.reason;
  for (Point& p : points_) {
    const double given = part_.impulses[p.row], work = 0.5 * given * (p.u[0] + p.v[0]);
    if (phase == Phase::kCompression)
      p.compression += given, p.work += std::min(0.0, work);
    else
      p.done += work;
    p.u = p.v;
  }
  for (std::size_t i = 0; i < impulses_.size(); ++i) impulses_[i] += part_.impulses[i];
  data_.free_velocity = part_.velocities;
}

void ImpactLaw::compress() {
  for (double s = 0; s < 1 - kLeastPart;) {
    const double part = next_part(Phase::kCompression, s, 1 - s);
    bend(Phase::kCompression, s, part);
    accept(Phase::kCompression);
    s += part;
  }
}

// Poisson's law: e times the impulse of compression, in proportion.
void ImpactLaw::expand() {
  for (Point& p : points_) p.compression *= p.e, p.expands = p.compression > 0;
  for (double s = 0; s < 1 - kLeastPart;) {
    const double part = next_part(Phase::kExpansion, s, 1 - s);
    bend(Phase::kExpansion, s, part);
    accept(Phase::kExpansion);
    s += part;
  }
}

// When, within the part just solved, the first contact has given all the work that it owes.
double ImpactLaw::first_paid(double length) const {
  double first = length;
  for (const Point& p : points_) {
    if (!p.expands) continue;
    const double owed = -p.e * p.e * p.work - p.done, rate = part_.impulses[p.row] / length;
    const double slope = (p.v[0] - p.u[0]) / length;  // W(t) = rate·(u·t + slope·t²/2)
    const double root = p.u[0] * p.u[0] + 2 * slope * owed / rate;
    if (!(root > 0) || !(p.u[0] + std::sqrt(root) > 0)) continue;
    first = std::min(first, 2 * owed / rate / (p.u[0] + std::sqrt(root)));
  }
  return first;
}

// Stronge's law. A part ends where a contact has paid, too.
void ImpactLaw::expand_by_work() {
  for (Point& p : points_) p.expands = p.e > 0 && p.compression > 0 && p.work < 0;
  int last = 0;
  while (std::any_of(points_.begin(), points_.end(), [](const Point& p) { return p.expands; })) {
    double part = next_part(Phase::kExpansion, 0, 1);
    bend(Phase::kExpansion, 0, part);
    if (const double paid = first_paid(part); paid < part) {
      solve_part(Phase::kExpansion, 0, part = paid);
      bend(Phase::kExpansion, 0, part);
    }
    double before = 0, after = 0;
    for (const Point& p : points_) before += p.done;
    accept(Phase::kExpansion);
    for (Point& p : points_) {
      after += p.done;
      if (p.expands && p.e * p.e * -p.work - p.done <= kPaid * -p.work) p.expands = false;
    }
    // Contacts that others hold in give no work: they would push for ever.
    if ((spent() && ++last == kLastParts) || !(after > before)) break;
  }
}

template <int D>
void ImpactLaw::resolve_point(const Point& point) {
  const ContactProblem p = data_.view();
  const ContactLaw& law = p.contacts[point.contact];
  const Mat<D> k = own_block(p, p.blocks[0]).template topLeftCorner<D, D>();
  const RouthImpact<D> impact = routh_impact<D>(k, point.u.template head<D>(),
                                                {point.e, law.static_friction, law.dynamic_friction, options_.law});
  for (int i = 0; i < D; ++i) impulses_[point.row + static_cast<std::uint32_t>(i)] = impact.impulse[i];
  if (!impact.finished)
    status_ = SolveStatus::kIterationLimit, reason_ = "the slip of an impact was not followed to its end";
}

// One contact between free bodies. Endless friction is left to the solvers, which know it.
bool ImpactLaw::resolve_alone() {
  constexpr double kMostFriction = 1e6;
  if (data_.blocks.size() != 1) return false;
  const Point& point = points_.front();
  const ContactLaw& law = data_.contacts.front();
  const double k = own_block(data_.view(), data_.blocks.front())(0, 0);
  if (!(k > 0)) return true;
  if (point.rows == 1 || !(law.static_friction > 0)) {
    impulses_[point.row] = -(1 + point.e) * point.start / k;  // all laws agree
    return true;
  }
  if (law.static_friction >= kMostFriction) return false;
  if (point.rows == 2)
    resolve_point<2>(point);
  else
    resolve_point<3>(point);
  return true;
}

void ImpactLaw::resolve_island() {
  double fastest = 0;
  for (const Point& p : points_) fastest = std::max(fastest, p.u.norm());
  still_ = kStill * fastest;
  solves_ = 0;
  most_solves_ = std::clamp(kMostSolves / static_cast<std::int64_t>(points_.size()), kFewestSolves, kMostSolves);
  if (resolve_alone()) return;
  hint_ = 1;
  compress();
  hint_ = 1;
  if (options_.law == RestitutionLaw::kPoisson)
    expand();
  else
    expand_by_work();
}

void ImpactLaw::resolve(const ContactProblem& p, const ImpactLawOptions& options, const Solve& solve,
                        ContactSolution& out) {
  options_ = options;
  solve_ = &solve;
  iterations_ = 0, residual_ = 0;
  status_ = SolveStatus::kConverged, reason_ = "";
  sort_into_islands(p);
  local_.assign(p.cliques.size(), Clique::kNone);
  out.impulses.assign(p.rows(), 0.0);
  whole_.resize(p.rows());
  multiply_jacobian(p, p.free_velocity, whole_);
  for (std::size_t i = 0; i < whole_.size(); ++i) whole_[i] += p.surface[i] + p.correction[i];
  for (std::size_t begin = 0; begin < order_.size();) {
    std::size_t end = begin;
    blocks_.clear();
    while (end < order_.size() && order_[end].first == order_[begin].first) blocks_.push_back(order_[end++].second);
    begin = end;
    if (!collides(p, blocks_)) continue;
    load(p, blocks_);
    resolve_island();
    for (std::size_t i = 0; i < rows_.size(); ++i) out.impulses[rows_[i]] = impulses_[i];
  }
  momentum_.assign(p.velocities(), 0.0);
  add_momentum(p, out.impulses, momentum_);
  out.velocities.resize(p.velocities());
  solve_mass(p, momentum_, out.velocities);
  for (std::size_t i = 0; i < p.velocities(); ++i) out.velocities[i] += p.free_velocity[i];
  out.status = status_, out.reason = reason_, out.iterations = iterations_, out.residual = residual_;
}

}  // namespace touchstone

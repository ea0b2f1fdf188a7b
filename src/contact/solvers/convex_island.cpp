// Purpose: contact impulses by convex optimisation: phase 1 finds normal impulses without friction, phase 2 changes all
//   impulses so that the slip that is left is least, within the friction cones and without closing any contact.
// Source: drumwright2009 §§3.1, 3.2, as corrected by the project's notes on it (form corrected) or to the letter, as
//   far as it can be evaluated (form printed, convex_printed.cpp).
// Letters: the paper's A is W here, b is q = J·v_free + biases, x r; N and T as there; w_s `before`; its ε is in the
//   biases (−b_N(1+ε) is met by q_N = b_N + e·b_N); t is 1/weight of the barrier. u = W·x + q. Impulses are scaled by
//   d_i = 1/√W_ii of the normal row and by `unit_`, the greatest d_i·|q_i| that closes: then everything is near 1.
// Deviations:
//   (1) Approaching is b_N < 0; the paper says >= 0 and uses the other sign.
//   (2) Phase 1 is min ½·xᵀ·A_N·x + b_Nᵀ·x, x >= 0, instead of eq. 1, which can pull. A term kRidge·|x|² picks the
//       smallest of several answers, as the paper's pseudo-inverse does; then it is moved along (proximal point).
//   (3) Phase 2 has u_N >= 0, not u_N as phase 1 left it: contacts may open. It is relaxed by kRoom, as is (4): without
//       that the set has no inside, and a barrier method no place to start.
//   (4) The sum of normal impulses is bounded by that of phase 1, instead of their norm: the norm forbids friction to
//       load one edge of a box more than the other, and so friction itself. Limits have a sum of their own.
//   (5) Cones are single: x_N >= 0. With μ = ∞ a contact has no cone; with μ = 0 no friction rows.
//   (6) Only contacts that phase 1 closes take part in phase 2; one that friction brings to closing is woken for
//       another round. Phase 2 knows no complementarity: others would be pushed at a distance.
//   (7) kEnergy of the energy that phase 1 minimises is added to the slip: it decides what slip leaves open.
//   (8) Two coefficients: a contact that slides under μ_s is solved again with μ_d.
//   (9) Joints are eliminated exactly (dense_island.cpp); motors too, until they would need more than they have: then
//       they give that, and are let go where they would drive beyond their speed. Those that gave all they had in the
//       guess start so.
//  (10) A guess starts phase 1 only: phase 2 starts from its answer, which is strictly within all bounds.
// Fails: kBadInput for numbers that are not finite or negative responses (no impulses); kStalled where contacts, limits
//   or joints contradict each other, or rounding ends Newton's method early; kIterationLimit. All with a reason, and
//   impulses within their cones. Error (kUnstable) for an island whose matrices exceed kMostDenseBytes.
#include "contact/solvers/convex_island.h"

#include <algorithm>
#include <cmath>

namespace touchstone {
namespace {

constexpr double kRidge = 1e-9;       // of the scaled W_ii = 1: it chooses, see deviation (2)
constexpr double kRidgeError = 1e-7;  // scaled velocity, below kRoom: phase 2 starts here
constexpr int kMostMoves = 6;
constexpr double kFineGap = 1e-13;  // of phase 1, scaled energy
constexpr double kRoom = 1e-6;      // relative to the scaled velocity, and to the sum of impulses
constexpr double kEnergy = 1e-4;  // less, and the barrier decides where slip does not: a contact there twice would show
constexpr double kIdle = 1e-6;    // scaled velocity below which a contact counts as closed, whatever its impulse
constexpr double kContradicts = 1e-4;  // scaled closing velocity after phase 1 that is no rounding
constexpr double kSlides = 1e-5;       // slip, as a part of the velocity scale, that is no rounding
constexpr double kBlocked = 1e-12;     // of a row's response that joints leave: less is rounding
constexpr double kMissed = 1e-6;       // part of the fastest velocity by which equalities may be missed
constexpr double kStill = 1e-100;      // [m/s]: a velocity that dies away step by step comes where products underflow
constexpr double kRounding = 1e4;      // times the gap: as much is forgiven where rounding ends the method
constexpr int kMostRounds = 12;
constexpr std::uint8_t kMostTurns = 4;  // of one motor to and from its bound; then it stays

Eigen::Index at(std::size_t i) { return static_cast<Eigen::Index>(i); }
double part(std::span<const double> guess, std::uint32_t row) {
  return guess.empty() || !std::isfinite(guess[row]) ? 0.0 : guess[row];
}

}  // namespace

void ConvexIsland::note(SolveStatus status, const char* reason, ContactSolution& out) {
  if (out.status == SolveStatus::kBadInput || (out.status == SolveStatus::kStalled && status != SolveStatus::kBadInput))
    return;
  out.status = status;
  out.reason = reason;
}

// Where rounding turns Newton's method aside far from a minimum, all later ones are missed: it starts again, and goes
// in smaller steps.
bool ConvexIsland::minimise(Phase& phase, const BarrierOptions& options, ContactSolution& out) {
  constexpr int kTries = 3;
  // Rounding may end the last of many minima early, the sooner the larger the impulses are: what is left is then still
  // small.
  const auto enough = [&] { return kRounding * options.gap * std::max(1.0, phase.x.cwiseAbs().maxCoeff()); };
  phase.start = phase.x;
  BarrierOptions now = options;
  now.stop = stop_;
  BarrierResult result;
  for (int k = 0; k < kTries; ++k, now.shrink = std::sqrt(now.shrink)) {
    if (k > 0) phase.x = phase.start;
    now.max_iterations = left_;
    result = phase.minimiser.minimise(phase.barrier, now, phase.x);
    out.iterations += result.iterations;
    left_ -= result.iterations;
    if (result.status == BarrierStatus::kOptimal || result.gap <= enough()) return true;
    if (result.status != BarrierStatus::kStalled) break;
  }
  const bool limit = result.status == BarrierStatus::kIterationLimit;
  note(limit ? SolveStatus::kIterationLimit : SolveStatus::kStalled, reason_of(result.status), out);
  return result.status != BarrierStatus::kNotInside && result.status != BarrierStatus::kNotFinite;
}

void ConvexIsland::gather_normals(const ContactProblem& p) {
  normals_.clear();
  const std::vector<std::size_t>& kept = island_.kept();
  for (std::size_t k = 0; k < kept.size(); ++k) {
    if (island_.role(kept[k]) != DenseIsland::Role::kUnilateral) continue;
    Normal n;
    n.row = k;
    const RowBlock& b = p.blocks[island_.block(kept[k])];
    n.contact = b.kind == BlockKind::kContact;
    if (n.contact) {
      const ContactLaw& law = p.contacts[b.contact];
      n.friction = slid_[kept[k]] ? law.dynamic_friction : law.static_friction;
      n.two = law.static_friction > law.dynamic_friction;
      for (std::size_t t = k + 1; n.friction > 0 && t < kept.size() && t < k + 3; ++t)
        if (island_.block(kept[t]) == island_.block(kept[k])) n.tangent[n.tangents++] = t;
    }
    if (island_.w()(at(k), at(k)) > kBlocked * island_.response(kept[k])) normals_.push_back(n);
  }
}

// False if nothing closes: then there are no impulses.
bool ConvexIsland::scale() {
  scale_.setZero(at(island_.kept().size()));
  unit_ = 0;
  for (const Normal& n : normals_) {
    const double d = 1 / std::sqrt(island_.w()(at(n.row), at(n.row)));
    scale_[at(n.row)] = d;
    for (int t = 0; t < n.tangents; ++t) scale_[at(n.tangent[t])] = d;
    unit_ = std::max(unit_, -d * island_.q()[at(n.row)]);
  }
  return unit_ > 0;
}

// min ½·xᵀ·A_N·x + b_Nᵀ·x, x >= 0: deviation (2) of eq. 1.
void ConvexIsland::phase_one(std::span<const double> guess, ContactSolution& out) {
  const Eigen::Index n = at(normals_.size());
  ConeProgram& program = one_.program;
  Eigen::VectorXd& start = one_.x;
  program.reset(n);
  start.setOnes(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const Normal& a = normals_[static_cast<std::size_t>(i)];
    const double d = scale_[at(a.row)];
    for (Eigen::Index j = 0; j < n; ++j) {
      const std::size_t b = normals_[static_cast<std::size_t>(j)].row;
      program.q(i, j) = d * island_.w()(at(a.row), at(b)) * scale_[at(b)];
    }
    program.q(i, i) += kRidge;
    program.c[i] = d * island_.q()[at(a.row)] / unit_;
    program.bounds.push_back({i, 0});
    // A guess is kept off the bound by enough for Newton's method to turn round.
    if (!guess.empty()) start[i] = std::max(1e-2, part(guess, island_.row(island_.kept()[a.row])) / (unit_ * d));
  }
  if (!minimise(one_, {kFineGap, guess.empty() ? 1.0 : 1e-2, 0.05, left_}, out)) return;
  // The ridge costs velocity where impulses are large: it is moved to the answer, until it asks for nothing.
  moved_.setZero(n);
  for (int k = 0; k < kMostMoves && kRidge * (start - moved_).cwiseAbs().maxCoeff() > kRidgeError; ++k) {
    program.c -= kRidge * (start - moved_);
    moved_ = start;
    if (!minimise(one_, {kFineGap, 1e-6, 0.05, left_}, out)) break;
  }
  for (Eigen::Index i = 0; i < n; ++i) {
    Normal& a = normals_[static_cast<std::size_t>(i)];
    a.before = start[i];
    const double u = program.q.row(i).dot(start) + program.c[i] - kRidge * (start[i] - moved_[i]);
    a.closing = std::max(0.0, -u);
    a.active = u < a.before || u < kIdle || woken_[island_.kept()[a.row]] != 0;
    if (u < -kContradicts) note(SolveStatus::kStalled, "contacts or limits contradict each other", out);
  }
}

// The variables of phase 2: normals of contacts, then of limits, then friction. False if there is no friction.
bool ConvexIsland::collect_variables() {
  variable_.clear();
  for (const bool contacts : {true, false})
    for (Normal& n : normals_)
      if (n.active && n.contact == contacts) n.variable = at(variable_.size()), variable_.push_back(n.row);
  const std::size_t before = variable_.size();
  for (Normal& n : normals_) {
    if (!n.active || n.tangents == 0) continue;
    n.first_tangent = at(variable_.size());
    for (int t = 0; t < n.tangents; ++t) variable_.push_back(n.tangent[t]);
  }
  return variable_.size() > before;
}

// f_0 of §3.2 in x instead of y: |D·x + b_T|², scaled; with deviation (7).
void ConvexIsland::add_slip_objective() {
  const Eigen::Index n = at(variable_.size());
  double response = 0;
  Eigen::Index rows = 0, contacts = 0;
  for (const Normal& a : normals_) {
    if (!a.active || a.tangents == 0) continue;
    response += island_.w()(at(a.row), at(a.row));
    rows += a.tangents;
    ++contacts;
  }
  speed_ = unit_ * std::sqrt(response / static_cast<double>(contacts));
  const double share = 1 / std::sqrt(static_cast<double>(contacts));  // the mean: contacts may be there eight times
  slip_.resize(rows, n);
  slip0_.resize(rows);
  Eigen::Index row = 0;
  for (const Normal& a : normals_) {
    for (int t = 0; a.active && t < a.tangents; ++t, ++row) {
      slip0_[row] = share * island_.q()[at(a.tangent[t])] / speed_;
      for (Eigen::Index j = 0; j < n; ++j) {
        const Eigen::Index v = at(variable_[static_cast<std::size_t>(j)]);
        slip_(row, j) = share * unit_ / speed_ * island_.w()(at(a.tangent[t]), v) * scale_[v];
      }
    }
  }
  two_.program.q.noalias() = slip_.transpose() * slip_;
  two_.program.c.noalias() = slip_.transpose() * slip0_;
  for (Eigen::Index i = 0; i < n; ++i) {
    const Eigen::Index a = at(variable_[static_cast<std::size_t>(i)]);
    two_.program.c[i] += kEnergy * scale_[a] * island_.q()[a] / unit_;
    for (Eigen::Index j = 0; j < n; ++j) {
      const Eigen::Index b = at(variable_[static_cast<std::size_t>(j)]);
      two_.program.q(i, j) += kEnergy * scale_[a] * island_.w()(a, b) * scale_[b];
    }
  }
}

// Σ x_N <= Σ w_s (1 + kRoom), for contacts or for limits: deviation (4) of g.
void ConvexIsland::add_sum(bool contacts, Eigen::Index row) {
  double sum = 0;
  for (const Normal& n : normals_)
    if (n.active && n.contact == contacts) sum += scale_[at(n.row)] * n.before;
  two_.program.g.row(row).setZero();
  two_.program.g0[row] = 1 + kRoom;
  for (const Normal& n : normals_)
    if (n.active && n.contact == contacts) two_.program.g(row, n.variable) = -scale_[at(n.row)] / sum;
}

void ConvexIsland::add_constraints() {
  const Eigen::Index n = at(variable_.size()), rows = at(normals_.size());
  for (Eigen::Index i = 0; i < rows; ++i) {  // C·x + b_N(1 + ε) >= 0: deviation (3) of eq. 2
    const Eigen::Index a = at(normals_[static_cast<std::size_t>(i)].row);
    two_.program.g0[i] = scale_[a] * island_.q()[a] / unit_ + kRoom + 2 * normals_[static_cast<std::size_t>(i)].closing;
    for (Eigen::Index j = 0; j < n; ++j) {
      const Eigen::Index v = at(variable_[static_cast<std::size_t>(j)]);
      two_.program.g(i, j) = scale_[a] * island_.w()(a, v) * scale_[v];
    }
  }
  add_sum(true, rows);
  add_sum(false, rows + 1);
  for (const Normal& a : normals_) {
    if (!a.active) continue;
    if (a.tangents > 0 && std::isfinite(a.friction))  // f_i
      two_.program.cones.push_back({a.variable, {a.first_tangent, a.first_tangent + 1}, a.tangents, a.friction});
    else
      two_.program.bounds.push_back({a.variable, 0});
  }
}

void ConvexIsland::phase_two(const ConvexOptions& options, ContactSolution& out) {
  const Eigen::Index n = at(variable_.size());
  two_.program.reset(n, at(normals_.size()) + 2);
  add_slip_objective();
  add_constraints();
  Eigen::VectorXd& x = two_.x;
  // A little above w, as far as the sum leaves room: what phase 1 left at 1e-13 would be a slow place to start.
  for (const double lift : {0.1 * kRoom, 1e-3 * kRoom, 0.0}) {
    x.setZero(n);
    double sum = 0;
    for (const Normal& a : normals_)
      if (a.active) sum += a.before;
    for (const Normal& a : normals_)
      if (a.active) x[a.variable] = a.before + lift * std::min(1.0, sum / static_cast<double>(normals_.size()));
    if (two_.barrier.inside(x)) break;
  }
  residual_ = slip0_;
  residual_.noalias() += slip_ * x;
  const double f = 0.5 * residual_.squaredNorm(), fastest = slip0_.cwiseAbs().maxCoeff();
  const double first = 0.1 * std::max(1.0, f) / two_.barrier.degree();
  if (!minimise(two_, {options.gap * std::max(1.0, fastest), first, 0.05, left_}, out)) return;
  for (Eigen::Index i = 0; i < n; ++i) {
    const Eigen::Index v = at(variable_[static_cast<std::size_t>(i)]);
    kept_[v] = unit_ * scale_[v] * x[i];
  }
}

// Motors that are off, and those that gave all they had before.
void ConvexIsland::start_motors(const ContactProblem& p, std::span<const double> guess) {
  turns_.assign(island_.rows(), 0);
  for (std::size_t i = 0; i < island_.rows(); ++i) {
    const std::uint32_t row = island_.row(i);
    const double low = p.lower[row], high = p.upper[row];
    if (low == high) island_.fix(i, low);
    if (low == high || guess.empty() || p.blocks[island_.block(i)].kind != BlockKind::kMotor) continue;
    // A guess has been a force meanwhile: that much rounding is not less than all.
    if (guess[row] >= high - 1e-12 * std::abs(high)) island_.fix(i, high);
    if (guess[row] <= low + 1e-12 * std::abs(low)) island_.fix(i, low);
  }
}

// Motors that need more than they have give that; those at a bound that drive beyond their speed are let go. True if
// there were any.
bool ConvexIsland::turn_motors(const ContactProblem& p) {
  bool changed = false;
  for (std::size_t i = 0; i < island_.rows(); ++i) {
    const std::uint32_t row = island_.row(i);
    if (p.blocks[island_.block(i)].kind != BlockKind::kMotor || p.lower[row] == p.upper[row]) continue;
    if (turns_[i] >= kMostTurns || !(island_.response(i) > 0)) continue;
    const double r = all_[at(i)];
    if (island_.role(i) == DenseIsland::Role::kEqual) {
      const double most = std::clamp(r, p.lower[row], p.upper[row]);
      if (std::abs(r - most) <= 1e-12 * std::abs(r)) continue;
      island_.fix(i, most);
    } else {
      // Beyond what rounding makes of the impulse that is at its bound.
      const double u = island_.velocity(i, all_), rounding = 1e-12 * std::abs(r) * island_.response(i);
      if (!(r >= p.upper[row] ? u > rounding : u < -rounding)) continue;
      island_.set_equal(i);
    }
    ++turns_[i];
    changed = true;
  }
  return changed;
}

// What this round showed to be otherwise than it assumed. True if another is needed.
bool ConvexIsland::again(const ContactProblem& p, const ConvexOptions& options) {
  bool changed = turn_motors(p);
  if (changed || options.form == ConvexOptions::Form::kPrinted || !(unit_ > 0)) return changed;
  for (const Normal& n : normals_) {
    const std::size_t row = island_.kept()[n.row];
    if (!n.active && scale_[at(n.row)] * island_.velocity(row, all_) < 3 * kRoom * unit_)
      woken_[row] = 1, changed = true;
    if (!n.active || !n.two || slid_[row] || n.tangents == 0) continue;
    double slip = 0;
    for (int t = 0; t < n.tangents; ++t) slip = std::hypot(slip, island_.velocity(island_.kept()[n.tangent[t]], all_));
    if (slip > kSlides * speed_) slid_[row] = 1, changed = true;
  }
  return changed;
}

void ConvexIsland::solve(const ContactProblem& p, std::span<const std::uint32_t> blocks, const ConvexOptions& options,
                         std::span<const double> guess, ContactSolution& out) {
  check_dense_size(p, blocks);
  island_.load(p, blocks);
  slid_.assign(island_.rows(), 0);
  woken_.assign(island_.rows(), 0);
  left_ = options.max_iterations;
  stop_ = p.stop;
  start_motors(p, guess);
  for (std::size_t i = 0; i < island_.rows(); ++i)
    if (!island_.finite() || island_.response(i) < 0) {
      note(SolveStatus::kBadInput, "a velocity or a response is not finite, or a response is negative", out);
      return;
    }
  run(p, options, guess, out);
  finish(p, out);
}

void ConvexIsland::run(const ContactProblem& p, const ConvexOptions& options, std::span<const double> guess,
                       ContactSolution& out) {
  for (int round = 0;; ++round) {
    if (round > 0 && left_ <= 0) {  // the last round's answer is a better one than a start
      note(SolveStatus::kIterationLimit, reason_of(BarrierStatus::kIterationLimit), out);
      break;
    }
    island_.reduce();
    gather_normals(p);
    kept_.setZero(at(island_.kept().size()));
    if (options.form == ConvexOptions::Form::kPrinted) {
      printed(options, out);
    } else if (scale()) {
      phase_one(guess, out);
      for (const Normal& n : normals_)
        if (n.active) kept_[at(n.row)] = unit_ * scale_[at(n.row)] * n.before;
      if (collect_variables() && out.status != SolveStatus::kStalled) phase_two(options, out);
    }
    island_.expand(kept_, all_);
    if (!again(p, options)) break;
    if (round == kMostRounds) {
      note(SolveStatus::kStalled, "what slides, closes or is at its bound changes from round to round", out);
      break;
    }
  }
}

void ConvexIsland::finish(const ContactProblem& p, ContactSolution& out) {
  double fastest = 0;
  for (std::size_t i = 0; i < island_.rows(); ++i) {
    const std::uint32_t row = island_.row(i);
    const bool motor = p.blocks[island_.block(i)].kind == BlockKind::kMotor;
    const double r = motor ? std::clamp(all_[at(i)], p.lower[row], p.upper[row]) : all_[at(i)];
    out.impulses[row] = std::isfinite(r) ? r : 0.0;
    const double u = island_.velocity(i, all_);
    fastest = std::max({fastest, std::abs(u), std::abs(all_[at(i)]) * island_.response(i)});
    if (island_.role(i) == DenseIsland::Role::kUnilateral) out.residual = std::max(out.residual, -u);
  }
  const double missed = island_.equality_error(all_);
  out.residual = std::max(out.residual, missed);
  if (missed > kMissed * fastest + kStill) note(SolveStatus::kStalled, "joints contradict each other", out);
}

}  // namespace touchstone

// Purpose: judges an answer to a contact problem by the code that judges steps (contact_laws, score_sums). Nothing that
//   a solver reports of itself is used.
// Source: docs/yardstick.md; contact_laws.cpp for the natural map.
// Letters: r impulses, u = J·v + biases, q = J·v_free + surface, W_ii own block of a contact.
// Deviations: (1) A contact is judged by its rows as they are posed: a penetration that the problem wants out is part
// of
//   its law, one that it does not ask for is no excuse. (2) Everything is in the frames of the contacts, padded to
//   three rows. (3) Momentum is compared as velocity, M⁻¹ applied: problems from elsewhere may have a singular M⁻¹.
// Fails: never; numbers that are not finite, or whose squares are not, give infinite measures, never small ones.
#include "contact/problem_yardstick.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "contact/score_sums.h"

namespace touchstone {
namespace {

// ρ = rows/trace(W_ii); 1 where nothing can move.
double rho_of(const ContactProblem& p, const RowBlock& b) {
  const double rho = own_mass(b, own_block(p, b));
  return rho > 0 ? rho : 1.0;
}

Vec<3> rows_of(std::span<const double> all, const RowBlock& b) {
  Vec<3> out = Vec<3>::Zero();
  for (std::uint32_t i = 0; i < b.rows; ++i) out[i] = all[b.first_row + i];
  return out;
}

struct Rows {
  std::vector<double> after, free;  // J·v + surface
};
Rows rows_of(const ContactProblem& p, std::span<const double> velocities) {
  Rows out{std::vector<double>(p.rows()), std::vector<double>(p.rows())};
  multiply_jacobian(p, velocities, out.after);
  multiply_jacobian(p, p.free_velocity, out.free);
  for (std::size_t i = 0; i < p.rows(); ++i) out.after[i] += p.surface[i], out.free[i] += p.surface[i];
  return out;
}

JudgedContact<3> judged_of(const ContactProblem& p, const RowBlock& b, std::span<const double> r, const Rows& rows) {
  const ContactLaw& law = p.contacts[b.contact];
  JudgedContact<3> out;
  out.impulse = rows_of(r, b);
  out.velocity = rows_of(rows.after, b);
  out.free_velocity = rows_of(rows.free, b);
  out.lawful_normal_velocity = out.velocity[0] + p.restitution[b.first_row] + p.correction[b.first_row];
  if (out.impulse[0] > 0) out.correction = std::max(0.0, -p.correction[b.first_row]);
  out.rho = rho_of(p, b);
  out.static_friction = b.rows > 1 ? law.static_friction : 0.0;
  out.dynamic_friction = b.rows > 1 ? law.dynamic_friction : 0.0;
  const bool closes = p.correction[b.first_row] > 0;  // an impact's gaps do not
  out.open_gap = std::max(0.0, closes ? law.gap + p.h * std::min(0.0, out.velocity[0]) : law.gap);
  out.body_a = b.clique_a, out.body_b = b.clique_b;
  return out;
}

// The natural map of rows that are no contact.
double joint_error(const ContactProblem& p, const RowBlock& b, std::span<const double> r, const Rows& rows) {
  Vec<3> u = rows_of(rows.after, b);
  for (std::uint32_t i = 0; i < b.rows; ++i) u[i] += p.restitution[b.first_row + i] + p.correction[b.first_row + i];
  if (b.kind == BlockKind::kEquality) return u.norm();
  const double rho = rho_of(p, b), impulse = r[b.first_row];
  return std::abs(impulse - std::clamp(impulse - rho * u[0], p.lower[b.first_row], p.upper[b.first_row])) / rho;
}

// How far each clique's velocity is from what its impulses explain.
void judge_momentum(const ContactProblem& p, std::span<const double> r, std::span<const double> v, Measure& out) {
  std::vector<double> momentum(p.velocities(), 0.0), change(p.velocities());
  add_momentum(p, r, momentum);
  solve_mass(p, momentum, change);
  for (std::uint32_t k = 0; k < p.cliques.size(); ++k) {
    double apart = 0, size = kLeastSpeed * kLeastSpeed;
    for (std::uint32_t i = p.cliques[k].first; i < p.cliques[k].first + p.cliques[k].size; ++i) {
      const double d = v[i] - p.free_velocity[i] - change[i];
      apart += d * d;
      size = std::max({size, v[i] * v[i], p.free_velocity[i] * p.free_velocity[i], change[i] * change[i]});
    }
    const double error = std::isfinite(size) ? std::sqrt(apart / size) : std::numeric_limits<double>::infinity();
    add_to_measure(out, error, k, Measure::kNobody);
  }
  divide_measure(out, static_cast<std::int64_t>(p.cliques.size()));
}

}  // namespace

double reference_speed(const ContactProblem& problem, double gravity) {
  const Rows rows = rows_of(problem, problem.free_velocity);
  double fastest = 0;
  for (const RowBlock& b : problem.blocks)
    if (b.kind == BlockKind::kContact) {
      const double speed = rows_of(rows.free, b).norm();
      if (!std::isfinite(speed)) return std::numeric_limits<double>::infinity();
      fastest = std::max(fastest, speed);
    }
  return std::max({fastest, gravity * problem.h, kLeastSpeed});
}

StepMeasures judge_problem(const ContactProblem& p, std::span<const double> impulses,
                           std::span<const double> velocities, double gravity) {
  StepMeasures out;
  out.measured = true;
  out.steps = out.solves = 1;
  const Rows rows = rows_of(p, velocities);
  std::vector<ContactScore<3>> scores;
  std::int64_t sliding = 0, joints = 0;
  double gain = 0;
  for (const RowBlock& b : p.blocks) {
    for (std::uint32_t i = b.first_row; i < b.first_row + b.rows; ++i)
      gain += 0.5 * impulses[i] * (rows.after[i] + rows.free[i]);
    if (b.kind == BlockKind::kContact) {
      scores.push_back(judge_contact(judged_of(p, b, impulses, rows)));
    } else {
      ++joints;
      add_to_measure(out.joint_velocity, joint_error(p, b, impulses, rows), b.clique_a, b.clique_b);
    }
  }
  add_scores<3>(scores, gravity * p.h, out, sliding);
  finish_scores(out, sliding);
  divide_measure(out.joint_velocity, joints);
  judge_momentum(p, impulses, velocities, out.momentum_error);
  out.contact_gain.worst = out.contact_gain.mean =
      std::isnan(gain) ? std::numeric_limits<double>::infinity() : std::max(0.0, gain);
  return out;
}

}  // namespace touchstone

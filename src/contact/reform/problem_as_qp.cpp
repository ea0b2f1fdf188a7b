// Purpose: the velocities of a step as the solution of one convex program, by Gauss' principle of least restraint.
// Source: [rote2012 §3, (Q) and (Q*)]; friction as in M. Anitescu, A. Tasora, An iterative approach for cone
//   complementarity problems for nonsmooth dynamics, Comput. Optim. Appl. 47 (2010).
// Letters: docs/conventions.md; d unit vectors of the tangent plane, s slacks of a motor.
//   least ½(v − v_free)ᵀ·M·(v − v_free)  under
//     contact:   u_N >= 0; with friction  u_N + μ·d·u_T >= 0 for every facet d
//     equality:  u = 0;    limit: u >= 0
//     motor:     u = s⁺ − s⁻, s >= 0, at a cost of −lower·s⁺ + upper·s⁻: its impulse stays between its bounds.
// Deviations:
//   (1) Friction is the associated law: the velocity, not only the impulse, is normal to the cone. What slides at u_T
//       lifts off at μ·|u_T|, until the gap that this leaves, h·μ·|u_T|, keeps it at that height.
//   (2) μ is the dynamic coefficient; the static one is not used. It is cut at kMostFriction: the dual cone of a
//   greater
//       one is a line, and would hold contacts that are open.
//   (3) Rows without cliques are left out: no velocity changes them.
// Fails: never; the program may have no solution, which is for its solver to prove.
#include "contact/reform/problem_as_qp.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace touchstone {
namespace {

constexpr double kMostFriction = 10;
constexpr std::uint32_t kBody = 6;  // unknowns of a body at most; zeros of larger cliques are left out
constexpr double kInfinity = std::numeric_limits<double>::infinity();

double friction_of(const ContactProblem& p, const RowBlock& b) {
  return b.rows > 1 ? std::min(p.contacts[b.contact].dynamic_friction, kMostFriction) : 0.0;
}

Eigen::Vector2d facet(std::uint32_t rows, int facets, int f) {
  if (rows == 2) return {f == 0 ? 1.0 : -1.0, 0.0};
  const double angle = 2 * std::numbers::pi * f / facets;
  return {std::cos(angle), std::sin(angle)};
}

Eigen::Vector3d along(double friction, const Eigen::Vector2d& d) { return {1, friction * d.x(), friction * d.y()}; }

}  // namespace

// weight·(J·v + biases) >= 0, or = 0.
void ProblemAsQp::add_row(const ContactProblem& p, std::uint32_t block, const Eigen::Vector3d& weight, bool equation) {
  const RowBlock& b = p.blocks[block];
  const int row = static_cast<int>(rows_.size());
  double bias = 0;
  for (std::uint32_t i = 0; i < b.rows; ++i) bias += weight[i] * p.bias(b.first_row + i);
  const auto add = [&](std::uint32_t clique, std::uint32_t jacobian) {
    if (clique == Clique::kNone) return;
    const Clique& c = p.cliques[clique];
    for (std::uint32_t k = 0; k < c.size; ++k) {
      double sum = 0;
      for (std::uint32_t i = 0; i < b.rows; ++i) sum += weight[i] * p.jacobian[jacobian + i * c.size + k];
      if (sum != 0 || c.size <= kBody) entries_.push_back({row, static_cast<int>(c.first + k), sum});
    }
  };
  add(b.clique_a, b.jacobian_a);
  add(b.clique_b, b.jacobian_b);
  rows_.push_back({block, weight});
  lower_.push_back(-bias);
  upper_.push_back(equation ? -bias : kInfinity);
}

void ProblemAsQp::add_contact(const ContactProblem& p, std::uint32_t block, int facets) {
  const RowBlock& b = p.blocks[block];
  const double friction = facets > 0 ? friction_of(p, b) : 0.0;
  if (friction == 0) return add_row(p, block, Eigen::Vector3d::UnitX(), false);
  const int count = b.rows == 2 ? 2 : facets;
  for (int f = 0; f < count; ++f) add_row(p, block, along(friction, facet(b.rows, facets, f)), false);
}

void ProblemAsQp::add_motor(const ContactProblem& p, std::uint32_t block) {
  const std::uint32_t at = p.blocks[block].first_row;
  if (p.lower[at] == 0 && p.upper[at] == 0) return;
  const int row = static_cast<int>(rows_.size());
  add_row(p, block, Eigen::Vector3d::UnitX(), true);
  for (const double sign : {-1.0, 1.0}) {
    const double cost = sign < 0 ? -p.lower[at] : p.upper[at];
    if (std::isinf(cost)) continue;  // its impulse has no bound on this side
    const int slack = static_cast<int>(linear_.size());
    linear_.push_back(cost);
    entries_.push_back({row, slack, sign});
    entries_.push_back({static_cast<int>(rows_.size()), slack, 1.0});
    rows_.push_back({block, Eigen::Vector3d::Zero()});
    lower_.push_back(0.0), upper_.push_back(kInfinity);
  }
}

// q = M, c = −M·v_free.
void ProblemAsQp::add_mass(const ContactProblem& p) {
  mass_.clear();
  for (const Clique& c : p.cliques) {
    block_.resize(std::size_t{c.size} * c.size);
    p.mass_of(c).write_mass(block_.data());
    for (std::uint32_t k = 0; k < c.size; ++k) {
      double momentum = 0;
      for (std::uint32_t l = 0; l < c.size; ++l) {
        const double m = block_[k * std::size_t{c.size} + l];
        momentum += m * p.free_velocity[c.first + l];
        if (m != 0 || k == l) mass_.push_back({static_cast<int>(c.first + k), static_cast<int>(c.first + l), m});
      }
      linear_.push_back(-momentum);
    }
  }
}

// Compressed columns from entries in the order of their rows.
void ProblemAsQp::fill(std::vector<Entry>& entries, std::vector<int>& begin, int rows, int columns,
                       Eigen::SparseMatrix<double>& out) {
  out.resize(rows, columns);
  out.resizeNonZeros(static_cast<Eigen::Index>(entries.size()));
  begin.assign(static_cast<std::size_t>(columns) + 1, 0);
  for (const Entry& e : entries) ++begin[static_cast<std::size_t>(e.column) + 1];
  for (std::size_t c = 1; c < begin.size(); ++c) begin[c] += begin[c - 1];
  std::copy(begin.begin(), begin.end(), out.outerIndexPtr());
  for (const Entry& e : entries) {
    const int at = begin[static_cast<std::size_t>(e.column)]++;
    out.innerIndexPtr()[at] = e.row;
    out.valuePtr()[at] = e.value;
  }
}

const QuadraticProgram& ProblemAsQp::build(const ContactProblem& p, int facets) {
  rows_.clear(), entries_.clear();
  lower_.clear(), upper_.clear(), linear_.clear();
  add_mass(p);
  for (std::uint32_t i = 0; i < p.blocks.size(); ++i) {
    const RowBlock& b = p.blocks[i];
    if (b.clique_a == Clique::kNone && b.clique_b == Clique::kNone) continue;
    if (b.kind == BlockKind::kContact)
      add_contact(p, i, facets);
    else if (b.kind == BlockKind::kMotor)
      add_motor(p, i);
    else
      for (std::uint32_t k = 0; k < b.rows; ++k)
        add_row(p, i, Eigen::Vector3d::Unit(k), b.kind == BlockKind::kEquality);
  }
  const int variables = static_cast<int>(linear_.size()), rows = static_cast<int>(rows_.size());
  fill(mass_, begin_, variables, variables, program_.q);
  fill(entries_, begin_, rows, variables, program_.a);
  program_.c = Eigen::Map<const Eigen::VectorXd>(linear_.data(), variables);
  program_.lower = Eigen::Map<const Eigen::VectorXd>(lower_.data(), rows);
  program_.upper = Eigen::Map<const Eigen::VectorXd>(upper_.data(), rows);
  return program_;
}

// Of a pyramid the facets next to the friction, and with them, where it is inside, those a third of the way round: so
// many hold a point, and more would be dependent.
std::span<const std::int8_t> ProblemAsQp::guess(const ContactProblem& p, std::span<const double> impulses) {
  active_.assign(rows_.size(), 0);
  bool any = false;
  for (std::size_t r = 0; r < rows_.size();) {
    const std::uint32_t block = rows_[r].block;
    const RowBlock& b = p.blocks[block];
    std::size_t end = r;
    while (end < rows_.size() && rows_[end].block == block) ++end;
    if (b.kind == BlockKind::kContact) {
      const double load = impulses[b.first_row];
      any |= load > 0;
      const double friction = rows_[r].weight.tail<2>().norm();
      Eigen::Vector2d held = Eigen::Vector2d::Zero();
      for (std::uint32_t i = 1; i < b.rows; ++i) held[i - 1] = impulses[b.first_row + i];
      const double inside = friction * load * (b.rows == 2 ? 1 : std::cos(std::numbers::pi / double(end - r)));
      for (std::size_t k = r; k < end && load > 0; ++k) {
        const double part = friction > 0 ? held.dot(rows_[k].weight.tail<2>()) / friction : 0.0;
        const std::size_t third = std::max<std::size_t>(1, (end - r) / 3);
        const bool slides = friction > 0 && held.norm() >= (1 - 1e-9) * inside;
        active_[k] = (slides ? part >= (1 - 1e-9) * inside : (k - r) % third == 0 && (k - r) / third < 3) ? -1 : 0;
      }
    } else if (b.kind == BlockKind::kEquality) {
      for (std::size_t k = r; k < end; ++k) active_[k] = -1;
    } else {
      active_[r] = impulses[b.first_row] != 0 ? -1 : 0;
    }
    r = end;
  }
  return any ? std::span<const std::int8_t>(active_) : std::span<const std::int8_t>();
}

void ProblemAsQp::read_impulses(const ContactProblem& p, const Eigen::VectorXd& multipliers,
                                std::span<double> out) const {
  std::fill(out.begin(), out.end(), 0.0);
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const RowBlock& b = p.blocks[rows_[r].block];
    const double y = multipliers[static_cast<Eigen::Index>(r)];
    for (std::uint32_t i = 0; i < b.rows; ++i) out[b.first_row + i] += y * rows_[r].weight[i];
  }
}

}  // namespace touchstone

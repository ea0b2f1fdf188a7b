#include "contact/contact_problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace touchstone {
namespace {

// Calls f(clique, Jacobian) for each clique that a block has.
template <class F>
void for_sides(const ContactProblem& problem, const RowBlock& block, F&& f) {
  if (block.clique_a != Clique::kNone) f(problem.cliques[block.clique_a], &problem.jacobian[block.jacobian_a]);
  if (block.clique_b != Clique::kNone) f(problem.cliques[block.clique_b], &problem.jacobian[block.jacobian_b]);
}

void require(bool holds, const char* what) {
  if (!holds) throw std::invalid_argument(what);
}

bool all_finite(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
}

// A clique on both sides would need W's cross terms between its two Jacobians, which their sum has by itself.
void check_sides(const RowBlock& b, std::size_t index) {
  if (b.clique_a == Clique::kNone || b.clique_a != b.clique_b) return;
  throw std::invalid_argument(fmt::format(
      "block {} has clique {} on both sides; add its two Jacobians and give it one side", index, b.clique_a));
}

void check_side(const ContactProblem& p, const RowBlock& b, std::uint32_t clique, std::uint32_t jacobian) {
  if (clique == Clique::kNone) return;
  require(clique < p.cliques.size(), "a block has a clique that there is not");
  require(jacobian + std::size_t{b.rows} * p.cliques[clique].size <= p.jacobian.size(), "a Jacobian block is cut off");
}

}  // namespace

void ProblemData::clear() {
  cliques.clear();
  mass.clear(), inverse_mass.clear();
  start_velocity.clear(), free_velocity.clear();
  blocks.clear(), jacobian.clear();
  restitution.clear(), correction.clear(), surface.clear(), lower.clear(), upper.clear();
  contacts.clear(), operators.clear();
}

Clique& ProblemData::add_clique(std::uint32_t size) {
  cliques.push_back({static_cast<std::uint32_t>(free_velocity.size()), size, static_cast<std::uint32_t>(mass.size())});
  mass.resize(mass.size() + std::size_t{size} * size, 0.0);
  inverse_mass.resize(mass.size(), 0.0);
  start_velocity.resize(start_velocity.size() + size, 0.0);
  free_velocity.resize(start_velocity.size(), 0.0);
  return cliques.back();
}

Clique& ProblemData::add_clique(const SymmetricOperator& factors) {
  const auto size = static_cast<std::uint32_t>(factors.size());
  cliques.push_back(
      {static_cast<std::uint32_t>(free_velocity.size()), size, 0, static_cast<std::uint32_t>(operators.size())});
  operators.push_back(&factors);
  start_velocity.resize(start_velocity.size() + size, 0.0);
  free_velocity.resize(start_velocity.size(), 0.0);
  return cliques.back();
}

RowBlock& ProblemData::add_block(BlockKind kind, std::uint32_t rows, std::uint32_t clique_a, std::uint32_t clique_b) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  RowBlock b;
  const bool one = clique_a == clique_b && clique_a != Clique::kNone;
  b.kind = kind, b.rows = rows, b.clique_a = one ? Clique::kNone : clique_a, b.clique_b = clique_b;
  b.first_row = static_cast<std::uint32_t>(restitution.size());
  const auto reserve = [&](std::uint32_t clique) {
    const std::size_t offset = jacobian.size();
    if (clique != Clique::kNone) jacobian.resize(offset + std::size_t{rows} * cliques[clique].size, 0.0);
    return static_cast<std::uint32_t>(offset);
  };
  b.jacobian_a = reserve(b.clique_a);
  b.jacobian_b = reserve(b.clique_b);
  const std::size_t n = restitution.size() + rows;
  restitution.resize(n, 0.0), correction.resize(n, 0.0), surface.resize(n, 0.0);
  lower.resize(n, -kInfinity), upper.resize(n, kInfinity);
  if (kind == BlockKind::kContact || kind == BlockKind::kLimit) lower[b.first_row] = 0;
  blocks.push_back(b);
  return blocks.back();
}

ContactProblem ProblemData::view() const {
  return {h,           cliques,    mass,    inverse_mass, start_velocity, free_velocity, blocks, jacobian,
          restitution, correction, surface, lower,        upper,          contacts,      stop,   operators};
}

ProblemData with_numbers(const ContactProblem& p) {
  ProblemData out;
  out.h = p.h, out.stop = p.stop;
  const auto take = [](auto& to, auto from) { to.assign(from.begin(), from.end()); };
  for (const Clique& c : p.cliques) {
    const Clique to = out.add_clique(c.size);
    p.mass_of(c).write_mass(&out.mass[to.mass]);
    p.mass_of(c).write_inverse(&out.inverse_mass[to.mass]);
  }
  take(out.start_velocity, p.start_velocity), take(out.free_velocity, p.free_velocity);
  take(out.blocks, p.blocks), take(out.jacobian, p.jacobian), take(out.restitution, p.restitution);
  take(out.correction, p.correction), take(out.surface, p.surface), take(out.lower, p.lower), take(out.upper, p.upper);
  take(out.contacts, p.contacts);
  return out;
}

void multiply_mass(const ContactProblem& problem, std::span<const double> v, std::span<double> out) {
  for (const Clique& c : problem.cliques) problem.mass_of(c).multiply(&v[c.first], &out[c.first]);
}

void solve_mass(const ContactProblem& problem, std::span<const double> p, std::span<double> out) {
  for (const Clique& c : problem.cliques) problem.mass_of(c).solve(&p[c.first], &out[c.first]);
}

void multiply_jacobian(const ContactProblem& problem, std::span<const double> v, std::span<double> out) {
  for (const RowBlock& b : problem.blocks) {
    for (std::uint32_t i = 0; i < b.rows; ++i) {
      double sum = 0;
      for_sides(problem, b, [&](const Clique& c, const double* j) {
        for (std::uint32_t k = 0; k < c.size; ++k) sum += j[i * c.size + k] * v[c.first + k];
      });
      out[b.first_row + i] = sum;
    }
  }
}

void add_momentum(const ContactProblem& problem, std::span<const double> r, std::span<double> p) {
  for (const RowBlock& b : problem.blocks)
    for_sides(problem, b, [&](const Clique& c, const double* j) {
      for (std::uint32_t i = 0; i < b.rows; ++i)
        for (std::uint32_t k = 0; k < c.size; ++k) p[c.first + k] += j[i * c.size + k] * r[b.first_row + i];
    });
}

Eigen::Matrix3d own_block(const ContactProblem& problem, const RowBlock& b, std::span<double> response) {
  Eigen::Matrix3d own = Eigen::Matrix3d::Zero();
  for_sides(problem, b, [&](const Clique& c, const double* j) {
    FewNumbers local(response.empty() ? std::size_t{b.rows} * c.size : 0);
    double* out = response.empty() ? local.data() : &response[static_cast<std::size_t>(j - problem.jacobian.data())];
    problem.mass_of(c).respond(b.rows, j, out);
    for (std::uint32_t i = 0; i < b.rows; ++i)
      for (std::uint32_t l = 0; l <= i; ++l) {
        double sum = 0;
        for (std::uint32_t k = 0; k < c.size; ++k) sum += out[i * c.size + k] * j[l * c.size + k];
        own(l, i) += sum;
      }
  });
  own(1, 0) = own(0, 1), own(2, 0) = own(0, 2), own(2, 1) = own(1, 2);
  return own;
}

double own_mass(const RowBlock& block, const Eigen::Matrix3d& own) {
  const double trace = own.trace();
  return trace > 0 ? block.rows / trace : 0.0;
}

void check_problem(const ContactProblem& p) {
  require(p.h > 0 && std::isfinite(p.h), "the step must be positive and finite");
  std::size_t velocities = 0, rows = 0;
  for (const Clique& c : p.cliques) {
    require(c.size > 0 && c.first == velocities, "cliques must follow each other");
    velocities += c.size;
    if (c.factors != Clique::kNone) {
      require(c.factors < p.operators.size() && p.operators[c.factors] && p.operators[c.factors]->size() == c.size,
              "a clique's mass operator is missing or of another size");
      continue;
    }
    const std::size_t end = c.mass + std::size_t{c.size} * c.size;
    require(end <= p.mass.size() && end <= p.inverse_mass.size(), "a mass block is cut off");
  }
  require(p.start_velocity.size() == velocities && p.free_velocity.size() == velocities,
          "velocities must be as many as the cliques have");
  for (std::size_t i = 0; i < p.blocks.size(); ++i) {
    const RowBlock& b = p.blocks[i];
    require(b.rows >= 1 && b.rows <= 3 && b.first_row == rows, "blocks must have 1 to 3 rows and follow each other");
    rows += b.rows;
    require(b.kind == BlockKind::kContact || b.kind == BlockKind::kEquality || b.rows == 1,
            "limits and motors have one row");
    require(b.kind != BlockKind::kContact || b.contact < p.contacts.size(), "a contact has no law");
    require(i == 0 || p.blocks[i - 1].key <= b.key, "blocks must be in the order of their keys");
    check_sides(b, i);
    check_side(p, b, b.clique_a, b.jacobian_a);
    check_side(p, b, b.clique_b, b.jacobian_b);
  }
  for (const std::span<const double> s : {p.restitution, p.correction, p.surface, p.lower, p.upper})
    require(s.size() == rows, "biases and bounds must be as many as there are rows");
  for (const ContactLaw& c : p.contacts)
    require(c.dynamic_friction >= 0 && c.static_friction >= c.dynamic_friction, "friction must be 0 <= μ_d <= μ_s");
  for (const std::span<const double> s :
       {p.mass, p.inverse_mass, p.start_velocity, p.free_velocity, p.jacobian, p.restitution, p.correction, p.surface})
    require(all_finite(s), "a number is not finite");
}

}  // namespace touchstone

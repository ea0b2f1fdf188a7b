#pragma once
// A problem between cliques of 6, 7, 13 and 60 unknowns with random masses and Jacobians: contacts within cliques and
// between them, limits, motors, equalities. It has fewer rows than unknowns, and those are independent: an answer
// exists.
#include <deque>
#include <random>

#include "contact/contact_problem.h"
#include "contact/dense_operator.h"

namespace touchstone::testing {

class MixedCliques {
 public:
  // `factors`: masses of cliques of more than 6 unknowns are operators, as those of trees are; otherwise numbers.
  // `groups`: as many of those four cliques, each group touching the next.
  MixedCliques(unsigned seed, double friction, bool factors, bool motors = true, std::uint32_t groups = 1)
      : engine_(seed), friction_(friction) {
    data.h = 0.01;
    for (std::uint32_t g = 0; g < groups; ++g) {
      const std::uint32_t first = 4 * g;
      for (const std::uint32_t size : {6u, 7u, 13u, 60u}) add_clique(size, factors && size > 6);
      add_rows(first, motors);
      if (g > 0) add_contact(first - 1, first + 3);
    }
    std::uint64_t key = 0;
    for (RowBlock& b : data.blocks) b.key = ++key;
  }
  ContactProblem view() const { return data.view(); }

  ProblemData data;

 private:
  static constexpr std::uint32_t kNone = Clique::kNone;
  // With the world, within a clique, and between two.
  static constexpr std::pair<std::uint32_t, std::uint32_t> kContacts[] = {
      {kNone, 0}, {0, 1}, {1, 1}, {2, 2}, {3, 3}, {3, 3}, {2, 3}, {0, 3}, {kNone, 3}, {1, 2}};

  void add_rows(std::uint32_t first, bool motors) {
    const auto at = [&](std::uint32_t c) { return c == kNone ? c : first + c; };
    for (const auto& [a, b] : kContacts) add_contact(at(a), at(b));
    for (const auto& [a, b] : {std::pair{0u, 3u}, {2u, 2u}, {1u, 3u}}) add(BlockKind::kEquality, 2, at(a), at(b));
    for (const std::uint32_t c : {1u, 2u, 3u, 3u}) add(BlockKind::kLimit, 1, kNone, at(c));
    for (const std::uint32_t c : {1u, 3u}) {
      if (!motors) break;
      const RowBlock& b = add(BlockKind::kMotor, 1, kNone, at(c));
      data.lower[b.first_row] = -0.05, data.upper[b.first_row] = 0.05;
    }
  }
  double number() { return std::normal_distribution<double>(0, 1)(engine_); }
  void add_clique(std::uint32_t size, bool factors) {
    const Eigen::Index n = size;
    Eigen::MatrixXd a(n, n);
    for (Eigen::Index i = 0; i < n * n; ++i) a.data()[i] = number();
    a = a * a.transpose() / static_cast<double>(n) + 0.5 * Eigen::MatrixXd::Identity(n, n);
    a = 0.5 * (a + Eigen::MatrixXd(a.transpose()));
    Clique c;
    if (factors) {
      c = data.add_clique(masses_.emplace_back(a));
    } else {
      c = data.add_clique(size);
      const Eigen::MatrixXd inverse = a.inverse(), symmetric = 0.5 * (inverse + inverse.transpose());
      std::copy_n(a.data(), n * n, &data.mass[c.mass]);
      std::copy_n(symmetric.data(), n * n, &data.inverse_mass[c.mass]);
    }
    for (std::uint32_t k = 0; k < size; ++k) {
      data.start_velocity[c.first + k] = number();
      data.free_velocity[c.first + k] = data.start_velocity[c.first + k] + 0.1 * number();
    }
  }
  RowBlock& add(BlockKind kind, std::uint32_t rows, std::uint32_t a, std::uint32_t b) {
    RowBlock& block = data.add_block(kind, rows, a, b);
    const auto fill = [&](std::uint32_t clique, std::uint32_t offset) {
      if (clique == kNone) return;
      for (std::uint32_t k = 0; k < rows * data.cliques[clique].size; ++k) data.jacobian[offset + k] += number();
    };
    fill(a, block.jacobian_a);
    fill(b, block.jacobian_b);
    for (std::uint32_t i = block.first_row; i < block.first_row + rows; ++i) data.surface[i] = 0.2 * number();
    return block;
  }
  void add_contact(std::uint32_t a, std::uint32_t b) {
    RowBlock& block = add(BlockKind::kContact, 3, a, b);
    block.contact = static_cast<std::uint32_t>(data.contacts.size());
    ContactLaw law;
    law.static_friction = law.dynamic_friction = friction_;
    data.contacts.push_back(law);
  }

  std::mt19937 engine_;
  double friction_;
  std::deque<DenseOperator> masses_;
};

}  // namespace touchstone::testing

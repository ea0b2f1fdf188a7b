#include "contact/delassus.h"

#include <algorithm>

namespace touchstone {

void Delassus::prepare(const ContactProblem& problem) {
  problem_ = problem;
  momentum_.resize(problem.velocities());
  velocity_.resize(problem.velocities());
}

void Delassus::apply(std::span<const double> r, std::span<double> out) {
  std::fill(momentum_.begin(), momentum_.end(), 0.0);
  add_momentum(problem_, r, momentum_);
  solve_mass(problem_, momentum_, velocity_);
  multiply_jacobian(problem_, velocity_, out);
}

// By its own route, not by apply(): the two are compared in tests.
Eigen::MatrixXd Delassus::dense() const {
  const Eigen::MatrixXd j = dense_jacobian(problem_);
  return j * dense_inverse_mass(problem_) * j.transpose();
}

namespace {

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using RowMap = Eigen::Map<const RowMatrix>;

// The rows that touch a clique.
struct Touch {
  const RowBlock* block;
  std::uint32_t jacobian;
};

std::vector<std::vector<Touch>> touches_of(const ContactProblem& problem) {
  std::vector<std::vector<Touch>> out(problem.cliques.size());
  for (const RowBlock& b : problem.blocks) {
    if (b.clique_a != Clique::kNone) out[b.clique_a].push_back({&b, b.jacobian_a});
    if (b.clique_b != Clique::kNone) out[b.clique_b].push_back({&b, b.jacobian_b});
  }
  return out;
}

}  // namespace

SparseRows sparse_delassus(const ContactProblem& problem) {
  const std::vector<std::vector<Touch>> touches = touches_of(problem);
  std::vector<Eigen::Triplet<double, std::int64_t>> entries;
  for (std::size_t c = 0; c < touches.size(); ++c) {
    const Clique& clique = problem.cliques[c];
    const Eigen::Index n = clique.size;
    const CliqueMass mass = problem.mass_of(clique);
    for (const Touch& t : touches[c]) {
      RowMatrix response(t.block->rows, n);
      mass.respond(t.block->rows, &problem.jacobian[t.jacobian], response.data());
      for (const Touch& other : touches[c]) {
        const Eigen::MatrixXd w =
            RowMap(&problem.jacobian[other.jacobian], other.block->rows, n) * response.transpose();
        for (Eigen::Index i = 0; i < w.rows(); ++i)
          for (Eigen::Index k = 0; k < w.cols(); ++k)
            if (w(i, k) != 0) entries.emplace_back(other.block->first_row + i, t.block->first_row + k, w(i, k));
      }
    }
  }
  SparseRows out(static_cast<std::int64_t>(problem.rows()), static_cast<std::int64_t>(problem.rows()));
  out.setFromTriplets(entries.begin(), entries.end());
  return out;
}

Eigen::MatrixXd dense_jacobian(const ContactProblem& problem) {
  Eigen::MatrixXd j =
      Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(problem.rows()), static_cast<Eigen::Index>(problem.velocities()));
  const auto put = [&](const RowBlock& b, std::uint32_t clique, std::uint32_t offset) {
    if (clique == Clique::kNone) return;
    const Clique& c = problem.cliques[clique];
    for (std::uint32_t i = 0; i < b.rows; ++i)
      for (std::uint32_t k = 0; k < c.size; ++k)
        j(b.first_row + i, c.first + k) += problem.jacobian[offset + i * c.size + k];
  };
  for (const RowBlock& b : problem.blocks) {
    put(b, b.clique_a, b.jacobian_a);
    put(b, b.clique_b, b.jacobian_b);
  }
  return j;
}

Eigen::MatrixXd dense_inverse_mass(const ContactProblem& problem) {
  const Eigen::Index n = static_cast<Eigen::Index>(problem.velocities());
  Eigen::MatrixXd m = Eigen::MatrixXd::Zero(n, n);
  RowMatrix inverse;
  for (const Clique& c : problem.cliques) {
    inverse.resize(c.size, c.size);
    problem.mass_of(c).write_inverse(inverse.data());
    m.block(c.first, c.first, c.size, c.size) = inverse;
  }
  return m;
}

void free_relative_velocity(const ContactProblem& problem, std::span<double> q) {
  multiply_jacobian(problem, problem.free_velocity, q);
  for (std::size_t i = 0; i < problem.rows(); ++i) q[i] += problem.bias(i);
}

}  // namespace touchstone

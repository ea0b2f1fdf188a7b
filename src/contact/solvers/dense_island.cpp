// Purpose: W = J·M⁻¹·Jᵀ and q = J·v_free + biases of an island, and their Schur complement without the equalities.
// Source: own; what is left is the matrix that test impulses measure in reduced coordinates (drumwright2009 §3.1).
// Letters: E rows of equalities, F of known impulses, K kept: w = W_KK − W_KE·P·W_EK with P the pseudo-inverse of W_EE.
// Deviations: -
// Fails: never; equalities that say the same twice share their impulse, those that contradict each other are met as
//   nearly as they can be together (equality_error tells).
#include "contact/solvers/dense_island.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "touchstone/error.h"

namespace touchstone {
namespace {

constexpr double kRank = 1e-11;  // of the greatest eigenvalue of rows scaled to 1: below, a direction is not there

Eigen::Index at(std::size_t i) { return static_cast<Eigen::Index>(i); }

}  // namespace

void check_dense_size(const ContactProblem& p, std::span<const std::uint32_t> blocks) {
  // W, its Schur complement, the slip and the two programs of convex_island.cpp with their Hessians and factors.
  constexpr double kMatrices = 10;
  constexpr double kGibibyte = 1ull << 30;
  double rows = 0;
  std::size_t contacts = 0;
  for (const std::uint32_t k : blocks) {
    rows += p.blocks[k].rows;
    contacts += p.blocks[k].kind == BlockKind::kContact;
  }
  const double bytes = kMatrices * sizeof(double) * rows * rows;
  if (bytes <= kMostDenseBytes) return;
  throw Error(ErrorKind::kUnstable,
              fmt::format("{} contacts hang together ({} rows): their dense matrices need {:.1f} GiB, and the bound is "
                          "{:.0f} GiB; move overlapping bodies apart, or choose a model without dense matrices, such "
                          "as 'impulse' or 'ncp'",
                          contacts, rows, bytes / kGibibyte, kMostDenseBytes / kGibibyte));
}

void DenseIsland::load_matrices(const ContactProblem& p, std::span<const std::uint32_t> blocks) {
  cliques_.clear();
  for (const std::uint32_t k : blocks)
    for (const std::uint32_t c : {p.blocks[k].clique_a, p.blocks[k].clique_b})
      if (c != Clique::kNone) cliques_.push_back(c);
  std::sort(cliques_.begin(), cliques_.end());
  cliques_.erase(std::unique(cliques_.begin(), cliques_.end()), cliques_.end());
  Eigen::Index columns = 0;
  for (const std::uint32_t c : cliques_) columns += p.cliques[c].size;
  jacobian_.setZero(at(rows()), columns);
  response_.setZero(at(rows()), columns);
  q_.resize(at(rows()));
  std::size_t first = 0;
  for (const std::uint32_t k : blocks) {
    const RowBlock& b = p.blocks[k];
    for (std::uint32_t i = 0; i < b.rows; ++i) q_[at(first + i)] = p.bias(b.first_row + i);
    for (const auto& [clique, offset] : {std::pair{b.clique_a, b.jacobian_a}, std::pair{b.clique_b, b.jacobian_b}}) {
      if (clique == Clique::kNone) continue;
      Eigen::Index column = 0;
      for (std::size_t c = 0; cliques_[c] != clique; ++c) column += p.cliques[cliques_[c]].size;
      const Clique& c = p.cliques[clique];
      solved_rows_.resize(std::size_t{b.rows} * c.size);
      p.mass_of(c).respond(b.rows, &p.jacobian[offset], solved_rows_.data());
      for (std::uint32_t i = 0; i < b.rows; ++i) {
        for (std::uint32_t d = 0; d < c.size; ++d) {
          const double j = p.jacobian[offset + i * c.size + d];
          jacobian_(at(first + i), column + d) = j;
          q_[at(first + i)] += j * p.free_velocity[c.first + d];
          response_(at(first + i), column + d) = solved_rows_[i * c.size + d];
        }
      }
    }
    first += b.rows;
  }
  w_.noalias() = response_ * jacobian_.transpose();
}

void DenseIsland::load(const ContactProblem& p, std::span<const std::uint32_t> blocks) {
  row_.clear(), block_.clear(), place_.clear(), role_.clear();
  for (const std::uint32_t k : blocks) {
    const RowBlock& b = p.blocks[k];
    for (std::uint32_t i = 0; i < b.rows; ++i) {
      row_.push_back(b.first_row + i);
      block_.push_back(k);
      place_.push_back(i);
      const bool equal = b.kind == BlockKind::kEquality || b.kind == BlockKind::kMotor;
      const bool friction = b.kind == BlockKind::kContact && i > 0;
      role_.push_back(equal ? Role::kEqual : friction ? Role::kFriction : Role::kUnilateral);
    }
  }
  load_matrices(p, blocks);
  fixed_.setZero(at(rows()));
  for (std::size_t i = 0; i < rows(); ++i)
    if (!(response(i) > 0)) role_[i] = Role::kFixed;
}

void DenseIsland::fix(std::size_t i, double impulse) {
  role_[i] = Role::kFixed;
  fixed_[at(i)] = impulse;
}

void DenseIsland::reduce() {
  kept_.clear(), equal_.clear();
  for (std::size_t i = 0; i < rows(); ++i) {
    if (role_[i] == Role::kEqual) equal_.push_back(i);
    if (role_[i] == Role::kUnilateral || role_[i] == Role::kFriction) kept_.push_back(i);
  }
  const Eigen::Index n = at(kept_.size()), m = at(equal_.size());
  reduced_w_.resize(n, n);
  reduced_q_.resize(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const Eigen::Index row = at(kept_[static_cast<std::size_t>(i)]);
    reduced_q_[i] = q_[row] + w_.row(row).dot(fixed_);
    for (Eigen::Index j = 0; j < n; ++j) reduced_w_(i, j) = w_(row, at(kept_[static_cast<std::size_t>(j)]));
  }
  if (m == 0) return;
  cross_.resize(n, m);
  inverse_.resize(m, m);
  equal_q_.resize(m);
  scale_.resize(m);
  for (Eigen::Index j = 0; j < m; ++j) {
    const Eigen::Index row = at(equal_[static_cast<std::size_t>(j)]);
    scale_[j] = 1 / std::sqrt(w_(row, row));
    equal_q_[j] = q_[row] + w_.row(row).dot(fixed_);
    for (Eigen::Index i = 0; i < n; ++i) cross_(i, j) = w_(at(kept_[static_cast<std::size_t>(i)]), row);
    for (Eigen::Index i = 0; i < m; ++i) inverse_(i, j) = w_(at(equal_[static_cast<std::size_t>(i)]), row);
  }
  for (Eigen::Index j = 0; j < m; ++j) inverse_.col(j).array() *= scale_[j] * scale_.array();
  if (!inverse_.allFinite()) return;  // finite() tells
  eigen_.compute(inverse_);
  const double least = kRank * eigen_.eigenvalues().maxCoeff();
  half_ = eigen_.eigenvectors();  // S·Q·Λ^(−1/2), so that the inverse is half_·half_ᵀ
  for (Eigen::Index j = 0; j < m; ++j) {
    const double x = eigen_.eigenvalues()[j];
    half_.col(j).array() *= (x > least ? 1 / std::sqrt(x) : 0.0) * scale_.array();
  }
  inverse_.noalias() = half_ * half_.transpose();
  crossed_.noalias() = cross_ * half_;
  reduced_w_.noalias() -= crossed_ * crossed_.transpose();
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < i; ++j)
      reduced_w_(i, j) = reduced_w_(j, i) = 0.5 * (reduced_w_(i, j) + reduced_w_(j, i));
  solved_.noalias() = inverse_ * equal_q_;
  reduced_q_.noalias() -= cross_ * solved_;
}

void DenseIsland::expand(const Eigen::VectorXd& kept, Eigen::VectorXd& all) {
  all = fixed_;
  for (std::size_t i = 0; i < kept_.size(); ++i) all[at(kept_[i])] = kept[at(i)];
  if (equal_.empty()) return;
  right_ = equal_q_;
  right_.noalias() += cross_.transpose() * kept;
  solved_.noalias() = inverse_ * right_;
  for (std::size_t i = 0; i < equal_.size(); ++i) all[at(equal_[i])] = -solved_[at(i)];
}

double DenseIsland::equality_error(const Eigen::VectorXd& all) const {
  double worst = 0;
  for (const std::size_t i : equal_) worst = std::max(worst, std::abs(velocity(i, all)));
  return worst;
}

}  // namespace touchstone

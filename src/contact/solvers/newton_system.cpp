// Purpose: solves F + ∂F/∂r·Δr + ∂F/∂u·Δu = 0 with Δu = (W + ε/ρ)·Δr for all blocks of an island at once.
// Source: own.
// Letters: A = ∂F/∂r + ε·∂F/∂u/ρ, B = ∂F/∂u of a block, C = A⁻¹·B, g = A⁻¹·F. Then Δr = −g − C·J·Δv, and with
//   M·Δv = Jᵀ·Δr:  (M + Jᵀ·C·J)·Δv = −Jᵀ·g.
// Deviations: (1) ε > 0 gives contacts that say the same several times one answer, the shortest step, and keeps A
//   regular where contacts stick. It bends the way, not the answer: F is that of W alone.
// Fails: a singular matrix is refused.
#include "contact/solvers/newton_system.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace touchstone {
namespace {

using SmallRows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr double kInverse = 1e-6;  // of M·M⁻¹ − 1: more, and they do not belong together

template <int N>
bool fits(const ContactProblem& p, const Clique& c, Eigen::Matrix<double, N, N>& mass) {
  if (c.size > N) return false;
  mass.setIdentity();
  Eigen::Matrix<double, N, N, Eigen::RowMajor> numbers;
  Eigen::Map<SmallRows> block(numbers.data(), c.size, c.size);
  p.mass_of(c).write_mass(block.data());
  mass.topLeftCorner(c.size, c.size) = block;
  if (!p.mass_of(c).dense()) return true;
  Eigen::Matrix<double, N, N> inverse = Eigen::Matrix<double, N, N>::Identity();
  inverse.topLeftCorner(c.size, c.size) = Eigen::Map<const SmallRows>(p.mass_of(c).dense_inverse(), c.size, c.size);
  return (mass * inverse - Eigen::Matrix<double, N, N>::Identity()).cwiseAbs().maxCoeff() < kInverse;
}

}  // namespace

template <int N>
bool BodySystem<N>::load(const ContactProblem& p, std::span<const NewtonBlock> blocks,
                         std::span<const std::uint32_t> cliques, double most_products) {
  local_.resize(p.cliques.size());
  mass_.resize(cliques.size()), way_.resize(cliques.size());
  for (std::uint32_t i = 0; i < cliques.size(); ++i) {
    local_[cliques[i]] = i;
    if (!fits<N>(p, p.cliques[cliques[i]], mass_[i])) return false;
  }
  sides_.resize(blocks.size()), gains_.resize(blocks.size());
  edges_.clear();
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const RowBlock& b = p.blocks[blocks[i].index];
    Sides& s = sides_[i];
    s.count = 0;
    for (const auto& [clique, offset] : {std::pair{b.clique_a, b.jacobian_a}, std::pair{b.clique_b, b.jacobian_b}}) {
      if (clique == Clique::kNone) continue;
      Jacobian& j = s.j[s.count];
      j.setZero();
      const std::uint32_t size = p.cliques[clique].size;
      for (std::uint32_t row = 0; row < b.rows; ++row)
        for (std::uint32_t k = 0; k < size; ++k) j(row, k) = p.jacobian[offset + row * size + k];
      s.at[s.count++] = local_[clique];
    }
    if (s.count == 2 && s.at[0] != s.at[1]) edges_.emplace_back(std::min(s.at[0], s.at[1]), std::max(s.at[0], s.at[1]));
  }
  std::sort(edges_.begin(), edges_.end());
  edges_.erase(std::unique(edges_.begin(), edges_.end()), edges_.end());
  return lu_.analyse(cliques.size(), edges_, most_products);
}

template <int N>
void BodySystem<N>::add(const Sides& s, const NewtonGain& gain) {
  for (int i = 0; i < s.count; ++i) {
    way_[s.at[i]].noalias() -= s.j[i].transpose() * gain.push;
    const Eigen::Matrix<double, N, 3> left = s.j[i].transpose() * gain.gain;
    for (int k = 0; k < s.count; ++k) {
      Block& target = s.at[i] == s.at[k] ? lu_.diagonal(s.at[i]) : lu_.block(s.at[i], s.at[k]);
      target.noalias() += left * s.j[k];
    }
  }
}

template <int N>
bool BodySystem<N>::solve(std::span<NewtonBlock> blocks, double epsilon) {
  lu_.clear();
  for (std::size_t i = 0; i < mass_.size(); ++i) lu_.diagonal(i) = mass_[i], way_[i].setZero();
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const NewtonBlock& b = blocks[i];
    if (!b.moves()) continue;
    gains_[i] = gain_of(b, epsilon);
    add(sides_[i], gains_[i]);
  }
  if (!lu_.factor()) return false;
  lu_.solve(way_);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (!blocks[i].moves()) continue;
    Eigen::Vector3d u = Eigen::Vector3d::Zero();
    for (int k = 0; k < sides_[i].count; ++k) u.noalias() += sides_[i].j[k] * way_[sides_[i].at[k]];
    blocks[i].r_way = -(gains_[i].push + gains_[i].gain * u);
    if (!blocks[i].r_way.allFinite()) return false;
  }
  return true;
}

template class BodySystem<3>;
template class BodySystem<6>;

// J of a clique has few numbers in problems that come as W: only those are multiplied.
void RowSystem::add_response(const ContactProblem& p, std::span<const NewtonBlock> blocks, std::uint32_t clique) {
  const Clique& c = p.cliques[clique];
  entries_.clear(), rows_.clear();
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const RowBlock& b = p.blocks[blocks[i].index];
    for (const auto& [side, offset] : {std::pair{b.clique_a, b.jacobian_a}, std::pair{b.clique_b, b.jacobian_b}}) {
      if (side != clique) continue;
      for (std::uint32_t row = 0; row < b.rows; ++row) {
        const std::size_t begin = entries_.size();
        for (std::uint32_t k = 0; k < c.size; ++k)
          if (const double j = p.jacobian[offset + row * c.size + k]; j != 0) entries_.push_back({k, j});
        rows_.push_back({first_[i] + row, begin, entries_.size(), &p.jacobian[offset + row * c.size]});
      }
    }
  }
  response_.resize(c.size);
  const CliqueMass mass = p.mass_of(c);
  for (const Row& row : rows_) {
    mass.respond(1, row.j, response_.data());
    for (const Row& other : rows_) {
      double sum = 0;
      for (std::size_t e = other.begin; e < other.end; ++e) sum += response_[entries_[e].column] * entries_[e].value;
      w_(other.row, row.row) += sum;
    }
  }
}

bool RowSystem::load(const ContactProblem& p, std::span<const NewtonBlock> blocks,
                     std::span<const std::uint32_t> cliques, std::size_t most_rows) {
  Eigen::Index rows = 0;
  first_.clear();
  for (const NewtonBlock& b : blocks) {
    first_.push_back(rows);
    rows += b.rows;
  }
  if (rows > static_cast<Eigen::Index>(most_rows)) return false;
  w_.setZero(rows, rows);
  for (const std::uint32_t c : cliques) add_response(p, blocks, c);
  return w_.allFinite();
}

bool RowSystem::solve(std::span<NewtonBlock> blocks, double epsilon) {
  matrix_.setZero(w_.rows(), w_.cols());
  right_.setZero(w_.rows());
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const NewtonBlock& b = blocks[i];
    const Eigen::Index at = first_[i], n = b.rows;
    if (!b.moves()) {
      matrix_.block(at, at, n, n).setIdentity();
      continue;
    }
    right_.segment(at, n) = -b.error.head(n);
    matrix_.middleRows(at, n).noalias() = b.by_u.topLeftCorner(n, n) * w_.middleRows(at, n);
    for (Eigen::Index row = 0; row < n; ++row)
      for (Eigen::Index k = 0; k < n; ++k)
        matrix_(at + row, at + k) += b.by_r(row, k) + epsilon * b.by_u(row, k) / b.rho[k];
  }
  lu_.compute(matrix_);
  right_ = lu_.solve(right_).eval();
  if (!right_.allFinite()) return false;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    blocks[i].r_way.setZero();
    blocks[i].r_way.head(blocks[i].rows) = right_.segment(first_[i], blocks[i].rows);
  }
  return true;
}

}  // namespace touchstone

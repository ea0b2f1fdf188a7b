// Purpose: solves (M + Jᵀ·C·J)·Δv = −Jᵀ·g for the cliques of an island at once, and Δr from it (newton_system.cpp).
// Source: own.
// Letters: as in newton_system.cpp.
// Deviations: (1) as there.
// Fails: a singular matrix is refused.
#include "contact/solvers/newton_clique_system.h"

#include <algorithm>
#include <utility>

namespace touchstone {
namespace {

constexpr double kInverse = 1e-6;  // of M·M⁻¹ − 1: more, and they do not belong together
constexpr double kProduct = 216;   // multiplications in a product of 6×6 blocks
using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// Cliques that are made of W may have an M that is only a pseudo-inverse.
bool belong_together(const double* mass, const double* inverse, Eigen::Index n) {
  const Eigen::Map<const RowMatrix> m(mass, n, n), w(inverse, n, n);
  return (m * w - RowMatrix::Identity(n, n)).cwiseAbs().maxCoeff() < kInverse;
}

}  // namespace

bool CliqueSystem::load_masses(const ContactProblem& p, std::span<const std::uint32_t> cliques) {
  sizes_.resize(cliques.size()), first_.resize(cliques.size()), mass_at_.resize(cliques.size());
  std::size_t unknowns = 0, numbers = 0;
  for (std::size_t i = 0; i < cliques.size(); ++i) {
    sizes_[i] = p.cliques[cliques[i]].size;
    if (sizes_[i] > kMostUnknowns) return false;
    local_[cliques[i]] = static_cast<std::uint32_t>(i);
    first_[i] = unknowns, mass_at_[i] = numbers;
    unknowns += sizes_[i], numbers += std::size_t{sizes_[i]} * sizes_[i];
  }
  mass_.resize(numbers), way_.resize(unknowns);
  for (std::size_t i = 0; i < cliques.size(); ++i) {
    const CliqueMass mass = p.mass_of(p.cliques[cliques[i]]);
    mass.write_mass(&mass_[mass_at_[i]]);
    if (mass.dense() && !belong_together(&mass_[mass_at_[i]], mass.dense_inverse(), sizes_[i])) return false;
  }
  return true;
}

bool CliqueSystem::load(const ContactProblem& p, std::span<const NewtonBlock> blocks,
                        std::span<const std::uint32_t> cliques, double most_products) {
  local_.resize(p.cliques.size());
  if (!load_masses(p, cliques)) return false;
  sides_.resize(blocks.size()), gains_.resize(blocks.size());
  edges_.clear(), jacobian_.clear();
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const RowBlock& b = p.blocks[blocks[i].index];
    Sides& s = sides_[i];
    s.count = 0, s.rows = b.rows;
    for (const auto& [clique, offset] : {std::pair{b.clique_a, b.jacobian_a}, std::pair{b.clique_b, b.jacobian_b}}) {
      if (clique == Clique::kNone) continue;
      const double* from = &p.jacobian[offset];
      s.side[s.count++] = {local_[clique], jacobian_.size()};
      jacobian_.insert(jacobian_.end(), from, from + std::size_t{b.rows} * p.cliques[clique].size);
    }
    if (s.count == 2) edges_.emplace_back(std::minmax(s.side[0].at, s.side[1].at));
  }
  std::sort(edges_.begin(), edges_.end());
  edges_.erase(std::unique(edges_.begin(), edges_.end()), edges_.end());
  return lu_.analyse(sizes_, edges_, kProduct * most_products);
}

void CliqueSystem::add(const Sides& s, const NewtonGain& gain) {
  using Left = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, kMostUnknowns, 3>;
  for (int i = 0; i < s.count; ++i) {
    const Jacobian j = jacobian(s, i);
    way(s.side[i].at).noalias() -= j.transpose() * gain.push.head(s.rows);
    const Left left = j.transpose() * gain.gain.topLeftCorner(s.rows, s.rows);
    for (int k = 0; k < s.count; ++k) {
      const std::uint32_t a = s.side[i].at, b = s.side[k].at;
      SizedBlockLu::Block target = a == b ? lu_.diagonal(a) : lu_.block(a, b);
      target.noalias() += left * jacobian(s, k);
    }
  }
}

bool CliqueSystem::solve(std::span<NewtonBlock> blocks, double epsilon) {
  lu_.clear();
  std::fill(way_.begin(), way_.end(), 0.0);
  for (std::size_t i = 0; i < sizes_.size(); ++i) {
    const Eigen::Index n = sizes_[i];
    lu_.diagonal(i) = Eigen::Map<const RowMatrix>(&mass_[mass_at_[i]], n, n);
  }
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (!blocks[i].moves()) continue;
    gains_[i] = gain_of(blocks[i], epsilon);
    add(sides_[i], gains_[i]);
  }
  if (!lu_.factor()) return false;
  lu_.solve(way_);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (!blocks[i].moves()) continue;
    Eigen::Vector3d u = Eigen::Vector3d::Zero();
    for (int k = 0; k < sides_[i].count; ++k)
      u.head(sides_[i].rows).noalias() += jacobian(sides_[i], k) * way(sides_[i].side[k].at);
    blocks[i].r_way = -(gains_[i].push + gains_[i].gain * u);
    if (!blocks[i].r_way.allFinite()) return false;
  }
  return true;
}

}  // namespace touchstone

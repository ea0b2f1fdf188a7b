// Purpose: applies W = J·M⁻¹·Jᵀ one block at a time, over bodies or over the blocks of W that are not zero.
// Source: M. Jean, The non-smooth contact dynamics method, 1999, for the sweep over bodies.
// Letters: as in contact_problem.h; W_jk the block by which impulses of block k change u of block j.
// Deviations: (1) Blocks of W are kept by columns, so that an impulse that does not change costs nothing, and u of all
//   rows is always known. W need not be symmetric.
// Fails: never.
#include "contact/solvers/sweep_rows.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace touchstone {
namespace {

// All of n numbers are zero. By their bits, without the sign: such a loop is made of vectors.
bool all_zero(const double* x, std::uint32_t n) {
  std::uint64_t any = 0;
  for (std::uint32_t i = 0; i < n; ++i) any |= std::bit_cast<std::uint64_t>(x[i]) << 1;
  return any == 0;
}

}  // namespace

void SweepRows::prepare(const ContactProblem& p, SweepRoute route) {
  own_.assign(p.blocks.size(), Eigen::Matrix3d::Zero());
  by_blocks_ = route == SweepRoute::kChosen && is_local(p);
  if (by_blocks_)
    prepare_blocks(p);
  else
    prepare_bodies(p);
  // W of some files is not quite symmetric. What is solved with a block's own part is right either way, where it ends.
  for (Eigen::Matrix3d& w : own_) w(1, 0) = w(0, 1), w(2, 0) = w(0, 2), w(2, 1) = w(1, 2);
}

// Whether each clique is a part of W: J of its blocks is 1, in the order of its velocities. Tells quickly that it is
// not.
bool SweepRows::is_local(const ContactProblem& p) {
  filled_.assign(p.cliques.size(), 0);
  for (const RowBlock& b : p.blocks) {
    if (b.clique_a != Clique::kNone || b.clique_b == Clique::kNone) return false;
    const std::uint32_t size = p.cliques[b.clique_b].size;
    for (std::uint32_t i = 0; i < b.rows; ++i) {
      const double* row = &p.jacobian[b.jacobian_b + i * size];
      const std::uint32_t at = filled_[b.clique_b]++;
      if (at >= size || row[at] != 1 || !all_zero(row, at) || !all_zero(row + at + 1, size - at - 1)) return false;
    }
  }
  for (std::size_t c = 0; c < p.cliques.size(); ++c)
    if (filled_[c] != p.cliques[c].size || !p.mass_of(p.cliques[c]).dense()) return false;
  return true;
}

// Where the rows of blocks stand in their cliques, the blocks of each clique, and q.
void SweepRows::place_blocks(const ContactProblem& p) {
  const std::size_t n = p.blocks.size();
  blocks_.assign(n, Block{});
  q_.assign(3 * n, 0.0);
  member_start_.assign(p.cliques.size() + 1, 0);
  for (const RowBlock& b : p.blocks) ++member_start_[b.clique_b + 1];
  for (std::size_t c = 0; c < p.cliques.size(); ++c) member_start_[c + 1] += member_start_[c];
  members_.resize(n);
  next_.assign(member_start_.begin(), member_start_.end() - 1);
  filled_.assign(p.cliques.size(), 0);
  for (std::size_t k = 0; k < n; ++k) {
    const RowBlock& b = p.blocks[k];
    members_[next_[b.clique_b]++] = static_cast<std::uint32_t>(k);
    blocks_[k].rows = b.rows;
    blocks_[k].b.first = filled_[b.clique_b];
    filled_[b.clique_b] += b.rows;
    for (std::uint32_t i = 0; i < b.rows; ++i)
      q_[3 * k + i] = p.free_velocity[p.cliques[b.clique_b].first + blocks_[k].b.first + i] + p.bias(b.first_row + i);
  }
}

// The pairs (j, k) of a clique's blocks with W_jk ≠ 0, row by row as the numbers lie.
void SweepRows::find_pairs(const ContactProblem& p, std::uint32_t clique) {
  const std::uint32_t size = p.cliques[clique].size;
  strip_.resize(size);
  for (std::uint32_t row = member_start_[clique]; row < member_start_[clique + 1]; ++row) {
    const std::uint32_t j = members_[row];
    const double* m = &p.inverse_mass[p.cliques[clique].mass + std::size_t{blocks_[j].b.first} * size];
    // Bits of three rows at once: a row that is not there is looked at twice.
    const double *second = m + (blocks_[j].rows > 1 ? size : 0), *third = m + (blocks_[j].rows > 2 ? 2 * size : 0);
    for (std::uint32_t c = 0; c < size; ++c)
      strip_[c] = (std::bit_cast<std::uint64_t>(m[c]) | std::bit_cast<std::uint64_t>(second[c]) |
                   std::bit_cast<std::uint64_t>(third[c]))
                  << 1;
    const std::uint64_t* bits = strip_.data();
    for (std::uint32_t column = member_start_[clique]; column < member_start_[clique + 1]; ++column) {
      const std::uint32_t k = members_[column], rows = blocks_[k].rows;
      if ((bits[0] | bits[rows / 2] | bits[rows - 1]) != 0) pairs_.push_back({j, k});
      bits += rows;
    }
  }
}

void SweepRows::prepare_blocks(const ContactProblem& p) {
  place_blocks(p);
  pairs_.clear();
  for (std::uint32_t c = 0; c < p.cliques.size(); ++c) find_pairs(p, c);
  column_start_.assign(p.blocks.size() + 1, 0);
  for (const auto& [j, k] : pairs_) ++column_start_[k + 1];
  for (std::size_t k = 0; k < p.blocks.size(); ++k) column_start_[k + 1] += column_start_[k];
  entries_.resize(pairs_.size());
  next_.assign(column_start_.begin(), column_start_.end() - 1);
  for (const auto& [j, k] : pairs_) {
    const Clique& clique = p.cliques[p.blocks[k].clique_b];
    Entry& entry = entries_[next_[k]++];
    entry.state = 3 * j;
    entry.w.setZero();
    const double* m = &p.inverse_mass[clique.mass + std::size_t{blocks_[j].b.first} * clique.size + blocks_[k].b.first];
    for (std::uint32_t i = 0; i < blocks_[j].rows; ++i)
      for (std::uint32_t c = 0; c < blocks_[k].rows; ++c) entry.w(i, c) = m[i * clique.size + c];
    if (j == k) own_[k] = entry.w;
  }
}

void SweepRows::prepare_bodies(const ContactProblem& p) {
  jacobian_ = p.jacobian.data();
  response_.resize(p.jacobian.size());
  blocks_.assign(p.blocks.size(), Block{});
  for (std::size_t k = 0; k < p.blocks.size(); ++k) {
    const RowBlock& b = p.blocks[k];
    Block& block = blocks_[k];
    block.rows = b.rows;
    for (std::uint32_t i = 0; i < b.rows; ++i) block.bias[i] = p.bias(b.first_row + i);
    Side* next = &block.a;
    for (const auto& [clique, jacobian] : {std::pair{b.clique_a, b.jacobian_a}, std::pair{b.clique_b, b.jacobian_b}}) {
      if (clique == Clique::kNone) continue;
      const Clique& c = p.cliques[clique];
      *next = {c.first, c.size, jacobian};
      next = &block.b;
    }
    own_[k] = own_block(p, b, response_);
    block.solid = b.rows == 3 && block.a.size == 6 && (block.b.size == 6 || block.b.size == 0);
  }
}

void SweepRows::refresh(const ContactProblem& p, std::span<const double> r, std::vector<double>& state) {
  if (by_blocks_) {
    state = q_;
    for (std::size_t k = 0; k < p.blocks.size(); ++k) {
      Eigen::Vector3d impulse = Eigen::Vector3d::Zero();
      for (std::uint32_t i = 0; i < p.blocks[k].rows; ++i) impulse[i] = r[p.blocks[k].first_row + i];
      if (!impulse.isZero(0)) change(k, impulse, state.data());
    }
    return;
  }
  momentum_.assign(p.velocities(), 0.0);
  add_momentum(p, r, momentum_);
  state.resize(p.velocities());
  solve_mass(p, momentum_, state);
  for (std::size_t i = 0; i < state.size(); ++i) state[i] += p.free_velocity[i];
}

void SweepRows::velocities(const ContactProblem& p, const std::vector<double>& state, std::vector<double>& out) const {
  if (!by_blocks_) {
    out = state;
    return;
  }
  out.resize(p.velocities());
  for (std::size_t k = 0; k < p.blocks.size(); ++k) {
    const RowBlock& b = p.blocks[k];
    for (std::uint32_t i = 0; i < b.rows; ++i)
      out[p.cliques[b.clique_b].first + blocks_[k].b.first + i] = state[3 * k + i] - p.bias(b.first_row + i);
  }
}

}  // namespace touchstone

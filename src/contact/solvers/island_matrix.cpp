// Purpose: sorts the blocks of a contact problem into islands, and makes the dense matrix of one.
// Source: own; a row's response is J·M⁻¹·Jᵀ over the cliques that two blocks share.
// Letters: docs/conventions.md.
// Deviations: -
// Fails: never; numbers that are not finite stay so (finite() tells).
#include "contact/solvers/island_matrix.h"

#include <algorithm>
#include <cmath>

namespace touchstone {

void IslandList::split(const ContactProblem& p, std::span<const std::uint8_t> awake) {
  grouping_.reset(p.cliques.size());
  const auto out = [&](std::size_t k) { return !awake.empty() && !awake[k]; };
  for (std::uint32_t k = 0; k < p.blocks.size(); ++k) {
    const RowBlock& b = p.blocks[k];
    if (b.clique_a != Clique::kNone && b.clique_b != Clique::kNone && !out(k)) grouping_.join(b.clique_a, b.clique_b);
  }
  order_.clear(), block_.clear(), begin_.clear();
  for (std::uint32_t k = 0; k < p.blocks.size(); ++k) {
    if (out(k)) continue;
    const RowBlock& b = p.blocks[k];
    const std::uint32_t clique = b.clique_a != Clique::kNone ? b.clique_a : b.clique_b;
    if (clique != Clique::kNone) order_.emplace_back(grouping_.root(clique), k);
  }
  std::sort(order_.begin(), order_.end());
  for (std::size_t i = 0; i < order_.size(); ++i) {
    if (i == 0 || order_[i].first != order_[i - 1].first) begin_.push_back(i);
    block_.push_back(order_[i].second);
  }
  begin_.push_back(order_.size());
}

void IslandMatrix::add_products(const ContactProblem& p, std::size_t a, std::size_t b) {
  const std::size_t n = row_.size();
  for (const Side& s : entries_[a].side) {
    for (const Side& t : entries_[b].side) {
      if (s.clique == Clique::kNone || s.clique != t.clique) continue;
      const std::uint32_t size = p.cliques[s.clique].size;
      const double* response = &effects_[t.effect + entries_[b].rows * size];
      for (std::uint32_t i = 0; i < entries_[a].rows; ++i) {
        for (std::uint32_t j = 0; j < entries_[b].rows; ++j) {
          double sum = 0;
          for (std::uint32_t k = 0; k < size; ++k) sum += effects_[s.effect + i * size + k] * response[j * size + k];
          w_[(first_[a] + i) * n + first_[b] + j] += sum;
        }
      }
    }
  }
}

void IslandMatrix::load(const ContactProblem& p, std::span<const std::uint32_t> blocks) {
  row_.clear(), first_.clear(), entries_.clear(), effects_.clear(), q_.clear();
  for (const std::uint32_t k : blocks) {
    const RowBlock& b = p.blocks[k];
    first_.push_back(static_cast<std::uint32_t>(row_.size()));
    Entry& e = entries_.emplace_back();
    e.rows = b.rows;
    for (std::uint32_t i = 0; i < b.rows; ++i) row_.push_back(b.first_row + i), q_.push_back(p.bias(b.first_row + i));
    const std::uint32_t cliques[2] = {b.clique_a, b.clique_b}, jacobians[2] = {b.jacobian_a, b.jacobian_b};
    for (int s = 0; s < 2; ++s) {
      if (cliques[s] == Clique::kNone) continue;
      const Clique& c = p.cliques[cliques[s]];
      e.side[s] = {cliques[s], static_cast<std::uint32_t>(effects_.size())};
      const std::size_t at = effects_.size();
      effects_.resize(at + 2 * std::size_t{b.rows} * c.size);
      std::copy_n(&p.jacobian[jacobians[s]], std::size_t{b.rows} * c.size, &effects_[at]);
      p.mass_of(c).respond(b.rows, &effects_[at], &effects_[at + std::size_t{b.rows} * c.size]);
      for (std::uint32_t i = 0; i < b.rows; ++i) {
        for (std::uint32_t l = 0; l < c.size; ++l)
          q_[first_.back() + i] += effects_[at + i * c.size + l] * p.free_velocity[c.first + l];
      }
    }
  }
  const std::size_t n = row_.size();
  w_.assign(n * n, 0.0);
  for (std::size_t b = 0; b < entries_.size(); ++b)
    for (std::size_t a = 0; a <= b; ++a) add_products(p, a, b);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j) w_[i * n + j] = w_[j * n + i];
}

bool IslandMatrix::finite() const {
  const auto fine = [](double x) { return std::isfinite(x); };
  return std::all_of(w_.begin(), w_.end(), fine) && std::all_of(q_.begin(), q_.end(), fine);
}

void IslandMatrix::velocities(std::span<const double> r, std::span<double> u) const {
  const std::size_t n = row_.size();
  std::copy(q_.begin(), q_.end(), u.begin());
  for (std::size_t j = 0; j < n; ++j) {  // W is symmetric: by rows, and many impulses are zero
    if (r[j] == 0) continue;
    const double* w = line(j);
    for (std::size_t i = 0; i < n; ++i) u[i] += w[i] * r[j];
  }
}

void IslandMatrix::velocities_in(std::span<const double> impulses, std::span<double> relative) {
  r_.resize(row_.size()), u_.resize(row_.size());
  for (std::size_t i = 0; i < row_.size(); ++i) r_[i] = impulses[row_[i]];
  velocities(r_, u_);
  for (std::size_t i = 0; i < row_.size(); ++i) relative[row_[i]] = u_[i];
}

}  // namespace touchstone

#pragma once
// Islands of a contact problem, and the rows of one of them as a dense matrix: u = W·r + q, W = J·M⁻¹·Jᵀ. Memory is
// kept: nothing is allocated once the largest island has been seen.
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "contact/contact_problem.h"
#include "contact/islands.h"

namespace touchstone {

// Which blocks hang together. Blocks that nothing can move are in no island.
class IslandList {
 public:
  // `awake`: one a block, 0 for those that are left out; or nothing for all.
  void split(const ContactProblem& problem, std::span<const std::uint8_t> awake = {});
  std::size_t size() const { return begin_.empty() ? 0 : begin_.size() - 1; }
  std::span<const std::uint32_t> blocks(std::size_t island) const {
    return std::span(block_).subspan(begin_[island], begin_[island + 1] - begin_[island]);
  }

 private:
  Islands grouping_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> order_;  // island, block
  std::vector<std::uint32_t> block_;
  std::vector<std::size_t> begin_;  // one more than islands
};

class IslandMatrix {
 public:
  // `blocks` are all that touch their cliques.
  void load(const ContactProblem& problem, std::span<const std::uint32_t> blocks);
  std::size_t size() const { return row_.size(); }
  std::uint32_t row(std::size_t i) const { return row_[i]; }              // in the problem
  std::uint32_t first(std::size_t block) const { return first_[block]; }  // local row of the k-th of the blocks
  double w(std::size_t i, std::size_t j) const { return w_[i * row_.size() + j]; }
  const double* line(std::size_t i) const { return &w_[i * row_.size()]; }
  double q(std::size_t i) const { return q_[i]; }
  std::span<const double> matrix() const { return w_; }  // symmetric
  std::span<const double> vector() const { return q_; }
  bool finite() const;
  // u of all rows; r by local row.
  void velocities(std::span<const double> r, std::span<double> u) const;
  // The same of impulses by row of the problem, to velocities by row of the problem.
  void velocities_in(std::span<const double> impulses, std::span<double> relative);

 private:
  struct Side {
    std::uint32_t clique = Clique::kNone, effect = 0;  // J, then J·M⁻¹, in effects_
  };
  struct Entry {
    Side side[2];
    std::uint32_t rows = 0;
  };
  void add_products(const ContactProblem& problem, std::size_t a, std::size_t b);

  std::vector<std::uint32_t> row_, first_;
  std::vector<Entry> entries_;
  std::vector<double> effects_, w_, q_, r_, u_;
};

}  // namespace touchstone

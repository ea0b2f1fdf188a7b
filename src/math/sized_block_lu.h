#pragma once
// LU factorisation as BlockLu (block_lu.h), of blocks whose sizes differ: node k has n_k unknowns. Nothing is allocated
// once the largest graph has been seen.
#include <Eigen/LU>

#include "math/elimination_order.h"

namespace touchstone {

class SizedBlockLu {
 public:
  using Block = Eigen::Map<Eigen::MatrixXd>;

  // `sizes` of the nodes, and the pairs of them that have a block. `most`: multiplications of numbers in a symmetric
  // factorisation; this one takes twice as many. False if there would be more.
  bool analyse(std::span<const std::uint32_t> sizes, std::span<const std::pair<std::uint32_t, std::uint32_t>> edges,
               double most);

  void clear() { std::fill(numbers_.begin(), numbers_.end(), 0.0); }
  Block diagonal(std::size_t node) { return diagonal_of(order_.place(node)); }
  // The block of rows a and columns b, which are joined by an edge.
  Block block(std::size_t a, std::size_t b) { return at(order_.place(a), order_.place(b)); }
  // False if a block of the diagonal is left singular or not finite.
  bool factor();
  // x ← A⁻¹·x, the unknowns of the nodes one after the other.
  void solve(std::span<double> x);

 private:
  using Vector = Eigen::Map<Eigen::VectorXd>;
  Eigen::Index size(std::size_t column) const { return static_cast<Eigen::Index>(size_[column]); }
  Block diagonal_of(std::size_t k) { return {&numbers_[diagonal_[k]], size(k), size(k)}; }
  Block lower(std::size_t k, std::size_t slot) { return {&numbers_[lower_[slot]], size(order_.row(slot)), size(k)}; }
  Block upper(std::size_t k, std::size_t slot) { return {&numbers_[upper_[slot]], size(k), size(order_.row(slot))}; }
  Block at(std::size_t row, std::size_t column) {
    if (row == column) return diagonal_of(row);
    return row > column ? lower(column, order_.slot(column, row)) : upper(row, order_.slot(row, column));
  }
  double work() const;
  Vector part(std::size_t column) { return {&ordered_[first_[column]], size(column)}; }

  EliminationOrder order_;
  std::vector<std::uint32_t> size_;                    // by column
  std::vector<std::size_t> first_, node_first_;        // unknown of a column, and of a node
  std::vector<std::size_t> diagonal_, lower_, upper_;  // places in numbers_
  std::vector<double> numbers_, ordered_, scratch_;
  std::vector<Eigen::PartialPivLU<Eigen::MatrixXd>> pivots_;
};

inline double SizedBlockLu::work() const {
  double sum = 0;
  for (std::size_t k = 0; k < size_.size(); ++k) {
    const double n = size_[k];
    double rows = 0;
    for (std::size_t i = order_.begin(k); i < order_.end(k); ++i) rows += size_[order_.row(i)];
    sum += n * (n * n / 3 + n * rows + 0.5 * rows * rows);
  }
  return sum;
}

inline bool SizedBlockLu::analyse(std::span<const std::uint32_t> sizes,
                                  std::span<const std::pair<std::uint32_t, std::uint32_t>> edges, double most) {
  const std::size_t n = sizes.size();
  if (!order_.analyse(n, edges, most)) return false;  // a product of blocks is one multiplication at least
  size_.resize(n), first_.resize(n), node_first_.resize(n), diagonal_.resize(n);
  for (std::size_t k = 0; k < n; ++k) size_[k] = sizes[order_.node(k)];
  if (work() > most) return false;
  std::size_t unknowns = 0, numbers = 0, largest = 0;
  for (std::size_t i = 0; i < n; ++i) node_first_[i] = unknowns, unknowns += sizes[i];
  unknowns = 0;
  const auto take = [&](std::size_t count) {
    const std::size_t begin = numbers;
    numbers += count;
    largest = std::max(largest, count);
    return begin;
  };
  lower_.resize(order_.blocks()), upper_.resize(order_.blocks());
  for (std::size_t k = 0; k < n; ++k) {
    first_[k] = unknowns, unknowns += size_[k];
    diagonal_[k] = take(std::size_t{size_[k]} * size_[k]);
    for (std::size_t i = order_.begin(k); i < order_.end(k); ++i) {
      const std::size_t count = std::size_t{size_[k]} * size_[order_.row(i)];
      lower_[i] = take(count), upper_[i] = take(count);
    }
  }
  numbers_.assign(numbers, 0.0), ordered_.resize(unknowns), scratch_.resize(largest);
  pivots_.resize(n);
  return true;
}

inline bool SizedBlockLu::factor() {
  for (std::size_t k = 0; k < size_.size(); ++k) {
    const Block d = diagonal_of(k);
    if (!d.allFinite()) return false;
    pivots_[k].compute(d);
    if (!(pivots_[k].matrixLU().diagonal().cwiseAbs().minCoeff() > 0)) return false;
    for (std::size_t j = order_.begin(k); j < order_.end(k); ++j) {
      Block u = upper(k, j), solved(scratch_.data(), u.rows(), u.cols());
      solved = pivots_[k].solve(u);
      u = solved;
    }
    for (std::size_t i = order_.begin(k); i < order_.end(k); ++i)
      for (std::size_t j = order_.begin(k); j < order_.end(k); ++j)
        at(order_.row(i), order_.row(j)).noalias() -= lower(k, i) * upper(k, j);
  }
  return true;
}

inline void SizedBlockLu::solve(std::span<double> x) {
  const std::size_t n = size_.size();
  for (std::size_t k = 0; k < n; ++k) part(k) = Vector(&x[node_first_[order_.node(k)]], size(k));
  for (std::size_t k = 0; k < n; ++k) {
    Vector solved(scratch_.data(), size(k));
    solved = pivots_[k].solve(part(k));
    part(k) = solved;
    for (std::size_t i = order_.begin(k); i < order_.end(k); ++i)
      part(order_.row(i)).noalias() -= lower(k, i) * part(k);
  }
  for (std::size_t k = n; k-- > 0;)
    for (std::size_t i = order_.begin(k); i < order_.end(k); ++i)
      part(k).noalias() -= upper(k, i) * part(order_.row(i));
  for (std::size_t k = 0; k < n; ++k) Vector(&x[node_first_[order_.node(k)]], size(k)) = part(k);
}

}  // namespace touchstone

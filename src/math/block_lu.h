#pragma once
// LU factorisation of a sparse matrix made of N×N blocks whose pattern is symmetric though its numbers are not. Pivots
// are chosen within the blocks of the diagonal only, which is for matrices that are a positive definite one and a
// change to it. Nothing is allocated once the largest graph has been seen.
#include <Eigen/LU>

#include "math/elimination_order.h"

namespace touchstone {

template <int N>
class BlockLu {
 public:
  using Block = Eigen::Matrix<double, N, N>;
  using Vector = Eigen::Matrix<double, N, 1>;

  // As EliminationOrder, in products of a symmetric factorisation; this one takes twice as many.
  bool analyse(std::size_t n, std::span<const std::pair<std::uint32_t, std::uint32_t>> edges, double most) {
    if (!order_.analyse(n, edges, most)) return false;
    diagonal_.resize(n), pivots_.resize(n), ordered_.resize(n);
    lower_.resize(order_.blocks()), upper_.resize(order_.blocks());
    return true;
  }

  void clear();
  Block& diagonal(std::size_t node) { return diagonal_[order_.place(node)]; }
  // The block of rows a and columns b, which are joined by an edge.
  Block& block(std::size_t a, std::size_t b) {
    const std::size_t row = order_.place(a), column = order_.place(b);
    return row > column ? lower_[order_.slot(column, row)] : upper_[order_.slot(row, column)];
  }
  // False if a block of the diagonal is left singular or not finite.
  bool factor();
  // x ← A⁻¹·x, one vector a node.
  void solve(std::span<Vector> x);

 private:
  Block& at(std::size_t row, std::size_t column) {
    if (row == column) return diagonal_[row];
    return row > column ? lower_[order_.slot(column, row)] : upper_[order_.slot(row, column)];
  }

  EliminationOrder order_;
  std::vector<Block> diagonal_, lower_, upper_;  // lower: of a column, below it; upper: of a row, right of it
  std::vector<Eigen::PartialPivLU<Block>> pivots_;
  std::vector<Vector> ordered_;
};

template <int N>
void BlockLu<N>::clear() {
  for (std::vector<Block>* all : {&diagonal_, &lower_, &upper_})
    for (Block& b : *all) b.setZero();
}

template <int N>
bool BlockLu<N>::factor() {
  for (std::size_t k = 0; k < diagonal_.size(); ++k) {
    if (!diagonal_[k].allFinite()) return false;
    pivots_[k].compute(diagonal_[k]);
    if (!(pivots_[k].matrixLU().diagonal().cwiseAbs().minCoeff() > 0)) return false;
    for (std::size_t j = order_.begin(k); j < order_.end(k); ++j) upper_[j] = pivots_[k].solve(upper_[j]).eval();
    for (std::size_t i = order_.begin(k); i < order_.end(k); ++i)
      for (std::size_t j = order_.begin(k); j < order_.end(k); ++j)
        at(order_.row(i), order_.row(j)).noalias() -= lower_[i] * upper_[j];
  }
  return true;
}

template <int N>
void BlockLu<N>::solve(std::span<Vector> x) {
  const std::size_t n = diagonal_.size();
  for (std::size_t k = 0; k < n; ++k) ordered_[k] = x[order_.node(k)];
  for (std::size_t k = 0; k < n; ++k) {
    ordered_[k] = pivots_[k].solve(ordered_[k]).eval();
    for (std::size_t i = order_.begin(k); i < order_.end(k); ++i)
      ordered_[order_.row(i)].noalias() -= lower_[i] * ordered_[k];
  }
  for (std::size_t k = n; k-- > 0;)
    for (std::size_t i = order_.begin(k); i < order_.end(k); ++i)
      ordered_[k].noalias() -= upper_[i] * ordered_[order_.row(i)];
  for (std::size_t k = 0; k < n; ++k) x[order_.node(k)] = ordered_[k];
}

}  // namespace touchstone

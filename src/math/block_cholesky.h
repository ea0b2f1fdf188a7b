#pragma once
// Cholesky factorisation of a sparse symmetric positive definite matrix made of N×N blocks, for graphs of a few to some
// thousand nodes. Nothing is allocated once the largest graph has been seen.
#include <Eigen/Cholesky>

#include "math/elimination_order.h"

namespace touchstone {

template <int N>
class BlockCholesky {
 public:
  using Block = Eigen::Matrix<double, N, N>;
  using Vector = Eigen::Matrix<double, N, 1>;

  // As EliminationOrder.
  bool analyse(std::size_t n, std::span<const std::pair<std::uint32_t, std::uint32_t>> edges, double most) {
    if (!order_.analyse(n, edges, most)) return false;
    diagonal_.resize(n), blocks_.resize(order_.blocks()), ordered_.resize(n);
    return true;
  }
  double products() const { return order_.products(); }

  void clear();
  Block& diagonal(std::size_t node) { return diagonal_[order_.place(node)]; }
  // Adds to the block of rows a and columns b, and so to its transpose; a and b are joined by an edge.
  void add(std::size_t a, std::size_t b, const Block& block);
  // False if the matrix is not positive definite.
  bool factor();
  // x ← A⁻¹·x, one vector a node.
  void solve(std::span<Vector> x);

 private:
  EliminationOrder order_;
  std::vector<Block> diagonal_, blocks_;
  std::vector<Vector> ordered_;
};

template <int N>
void BlockCholesky<N>::clear() {
  for (Block& b : diagonal_) b.setZero();
  for (Block& b : blocks_) b.setZero();
}

template <int N>
void BlockCholesky<N>::add(std::size_t a, std::size_t b, const Block& block) {
  const std::size_t row = order_.place(a), column = order_.place(b);
  if (row > column)
    blocks_[order_.slot(column, row)] += block;
  else
    blocks_[order_.slot(row, column)] += block.transpose();
}

template <int N>
bool BlockCholesky<N>::factor() {
  for (std::size_t k = 0; k < diagonal_.size(); ++k) {
    const Eigen::LLT<Block> llt(diagonal_[k]);
    if (llt.info() != Eigen::Success) return false;
    diagonal_[k] = llt.matrixL();
    for (std::size_t i = order_.begin(k); i < order_.end(k); ++i)
      diagonal_[k].template triangularView<Eigen::Lower>().transpose().template solveInPlace<Eigen::OnTheRight>(
          blocks_[i]);
    for (std::size_t j = order_.begin(k); j < order_.end(k); ++j) {
      diagonal_[order_.row(j)].noalias() -= blocks_[j] * blocks_[j].transpose();
      for (std::size_t i = j + 1; i < order_.end(k); ++i)
        blocks_[order_.slot(order_.row(j), order_.row(i))].noalias() -= blocks_[i] * blocks_[j].transpose();
    }
  }
  return true;
}

template <int N>
void BlockCholesky<N>::solve(std::span<Vector> x) {
  const std::size_t n = diagonal_.size();
  for (std::size_t k = 0; k < n; ++k) ordered_[k] = x[order_.node(k)];
  for (std::size_t k = 0; k < n; ++k) {
    diagonal_[k].template triangularView<Eigen::Lower>().solveInPlace(ordered_[k]);
    for (std::size_t i = order_.begin(k); i < order_.end(k); ++i)
      ordered_[order_.row(i)].noalias() -= blocks_[i] * ordered_[k];
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t i = order_.begin(k); i < order_.end(k); ++i)
      ordered_[k].noalias() -= blocks_[i].transpose() * ordered_[order_.row(i)];
    diagonal_[k].template triangularView<Eigen::Lower>().transpose().solveInPlace(ordered_[k]);
  }
  for (std::size_t k = 0; k < n; ++k) x[order_.node(k)] = ordered_[k];
}

}  // namespace touchstone

#pragma once
// Cholesky factorisation of a sparse symmetric positive definite matrix made of N×N blocks, for graphs of a few to some
// thousand nodes. The order is by minimum degree, ties by number, so that the result depends on the graph alone.
// Nothing is allocated once the largest graph has been seen.
#include <Eigen/Cholesky>
#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace touchstone {

template <int N>
class BlockCholesky {
 public:
  using Block = Eigen::Matrix<double, N, N>;
  using Vector = Eigen::Matrix<double, N, 1>;

  // Nodes 0..n−1 and the pairs of them that have a block. Gives up, and returns false, as soon as the work of a
  // factorisation exceeds `most` products of blocks.
  bool analyse(std::size_t n, std::span<const std::pair<std::uint32_t, std::uint32_t>> edges, double most);
  double products() const { return products_; }

  void clear();
  Block& diagonal(std::size_t node) { return diagonal_[place_[node]]; }
  // Adds to the block of rows a and columns b, and so to its transpose; a and b are joined by an edge.
  void add(std::size_t a, std::size_t b, const Block& block);
  // False if the matrix is not positive definite.
  bool factor();
  // x ← A⁻¹·x, one vector a node.
  void solve(std::span<Vector> x);

 private:
  std::size_t slot(std::size_t column, std::size_t row) const {
    const auto begin = rows_.begin() + static_cast<std::ptrdiff_t>(begin_[column]),
               end = rows_.begin() + static_cast<std::ptrdiff_t>(begin_[column + 1]);
    return static_cast<std::size_t>(std::lower_bound(begin, end, static_cast<std::uint32_t>(row)) - rows_.begin());
  }

  std::vector<std::uint32_t> order_, place_;           // node of a column, column of a node
  std::vector<std::vector<std::uint32_t>> near_;       // while eliminating: neighbours, by node
  std::vector<std::vector<std::uint32_t>> structure_;  // rows below the diagonal, by column, as nodes
  std::vector<std::uint8_t> gone_;
  std::vector<std::size_t> begin_;  // of a column in rows_ and blocks_
  std::vector<std::uint32_t> rows_, merged_;
  std::vector<Block> diagonal_, blocks_;
  std::vector<Vector> ordered_;
  double products_ = 0;
};

template <int N>
bool BlockCholesky<N>::analyse(std::size_t n, std::span<const std::pair<std::uint32_t, std::uint32_t>> edges,
                               double most) {
  if (near_.size() < n) near_.resize(n), structure_.resize(n);
  for (std::size_t i = 0; i < n; ++i) near_[i].clear();
  for (const auto& [a, b] : edges) near_[a].push_back(b), near_[b].push_back(a);
  for (std::size_t i = 0; i < n; ++i) {
    std::sort(near_[i].begin(), near_[i].end());
    near_[i].erase(std::unique(near_[i].begin(), near_[i].end()), near_[i].end());
  }
  order_.resize(n), place_.resize(n), gone_.assign(n, 0);
  products_ = 0;
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t best = n;
    for (std::size_t i = 0; i < n; ++i)
      if (!gone_[i] && (best == n || near_[i].size() < near_[best].size())) best = i;
    order_[k] = static_cast<std::uint32_t>(best), place_[best] = static_cast<std::uint32_t>(k), gone_[best] = 1;
    structure_[k] = near_[best];
    const double degree = static_cast<double>(near_[best].size());
    products_ += 1 + degree + 0.5 * degree * (degree + 1);
    if (products_ > most) return false;
    for (const std::uint32_t i : structure_[k]) {  // its neighbours become neighbours of each other
      merged_.clear();
      std::set_union(near_[i].begin(), near_[i].end(), structure_[k].begin(), structure_[k].end(),
                     std::back_inserter(merged_));
      std::erase_if(merged_, [&](std::uint32_t j) { return j == i || j == best; });
      near_[i].swap(merged_);
    }
  }
  begin_.assign(1, 0);
  rows_.clear();
  for (std::size_t k = 0; k < n; ++k) {
    for (const std::uint32_t i : structure_[k]) rows_.push_back(place_[i]);
    std::sort(rows_.begin() + static_cast<std::ptrdiff_t>(begin_[k]), rows_.end());
    begin_.push_back(rows_.size());
  }
  diagonal_.resize(n), blocks_.resize(rows_.size()), ordered_.resize(n);
  return true;
}

template <int N>
void BlockCholesky<N>::clear() {
  for (Block& b : diagonal_) b.setZero();
  for (Block& b : blocks_) b.setZero();
}

template <int N>
void BlockCholesky<N>::add(std::size_t a, std::size_t b, const Block& block) {
  const std::size_t row = place_[a], column = place_[b];
  if (row > column)
    blocks_[slot(column, row)] += block;
  else
    blocks_[slot(row, column)] += block.transpose();
}

template <int N>
bool BlockCholesky<N>::factor() {
  for (std::size_t k = 0; k < diagonal_.size(); ++k) {
    const Eigen::LLT<Block> llt(diagonal_[k]);
    if (llt.info() != Eigen::Success) return false;
    diagonal_[k] = llt.matrixL();
    for (std::size_t i = begin_[k]; i < begin_[k + 1]; ++i)
      diagonal_[k].template triangularView<Eigen::Lower>().transpose().template solveInPlace<Eigen::OnTheRight>(
          blocks_[i]);
    for (std::size_t j = begin_[k]; j < begin_[k + 1]; ++j) {
      diagonal_[rows_[j]].noalias() -= blocks_[j] * blocks_[j].transpose();
      for (std::size_t i = j + 1; i < begin_[k + 1]; ++i)
        blocks_[slot(rows_[j], rows_[i])].noalias() -= blocks_[i] * blocks_[j].transpose();
    }
  }
  return true;
}

template <int N>
void BlockCholesky<N>::solve(std::span<Vector> x) {
  const std::size_t n = diagonal_.size();
  for (std::size_t k = 0; k < n; ++k) ordered_[k] = x[order_[k]];
  for (std::size_t k = 0; k < n; ++k) {
    diagonal_[k].template triangularView<Eigen::Lower>().solveInPlace(ordered_[k]);
    for (std::size_t i = begin_[k]; i < begin_[k + 1]; ++i) ordered_[rows_[i]].noalias() -= blocks_[i] * ordered_[k];
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t i = begin_[k]; i < begin_[k + 1]; ++i)
      ordered_[k].noalias() -= blocks_[i].transpose() * ordered_[rows_[i]];
    diagonal_[k].template triangularView<Eigen::Lower>().transpose().solveInPlace(ordered_[k]);
  }
  for (std::size_t k = 0; k < n; ++k) x[order_[k]] = ordered_[k];
}

}  // namespace touchstone

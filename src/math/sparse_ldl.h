#pragma once
// K = L·D·Lᵀ of a symmetric quasi-definite sparse matrix: one whose pivots have a known sign in any order. The analysis
// depends on the pattern alone and is kept; factors of new numbers allocate nothing. See sparse_ldl.cpp.
#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <cstdint>
#include <span>
#include <vector>

namespace touchstone {

class SparseLdl {
 public:
  // `upper`: the upper half, compressed, with every diagonal entry.
  void analyse(const Eigen::SparseMatrix<double>& upper);
  // Numbers in the order of the analysed matrix; `signs`: +1 or −1 a pivot, in the matrix's own order. A pivot that is
  // below `least` in its sign is replaced by it: returns how many were.
  Eigen::Index factor(std::span<const double> values, std::span<const std::int8_t> signs, double least);
  void solve(Eigen::VectorXd& b) const;  // b becomes K⁻¹·b

  Eigen::Index size() const { return static_cast<Eigen::Index>(order_.size()); }
  std::size_t entries() const { return rows_.size(); }  // of L, below its diagonal
  // Multiplications of a factorisation: for each column its entries, squared.
  std::int64_t operations() const;

 private:
  void permute(const Eigen::SparseMatrix<double>& upper);
  void count_columns();

  std::vector<std::int32_t> order_, place_;  // unknown of a pivot, pivot of an unknown
  // The permuted upper half by columns, and where each entry of the given matrix is in it.
  std::vector<std::int32_t> k_begin_, k_row_, slot_;
  std::vector<double> k_;
  std::vector<std::int32_t> parent_, rows_, mark_, path_, filled_;
  std::vector<std::int64_t> begin_;  // of a column of L
  std::vector<double> l_, d_, work_;
  mutable Eigen::VectorXd permuted_;
};

}  // namespace touchstone

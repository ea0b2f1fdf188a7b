// Purpose: sparse L·D·Lᵀ factors by rows of L: row k solves a triangular system with the rows before it.
// Source: T. A. Davis, Direct Methods for Sparse Linear Systems (SIAM 2006), §§4.1-4.8; R. J. Vanderbei, Symmetric
//   quasidefinite matrices, SIAM J. Optim. 5 (1995): every order of pivots exists.
// Letters: K, L, D as there; the order is by approximate minimum degree, so that it depends on the pattern alone.
// Deviations: (1) A pivot of the wrong sign, or too small, is replaced instead of given up: the caller refines.
// Fails: never; for a matrix that is not quasi-definite the factors belong to another matrix, which factor() reports.
#include "math/sparse_ldl.h"

#include <Eigen/OrderingMethods>
#include <algorithm>

namespace touchstone {
namespace {

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

}  // namespace

void SparseLdl::analyse(const Eigen::SparseMatrix<double>& upper) {
  const Eigen::Index n = upper.cols();
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order(n);
  if (n > 0) Eigen::AMDOrdering<int>()(upper.selfadjointView<Eigen::Upper>(), order);
  order_.resize(at(n)), place_.resize(at(n));
  for (Eigen::Index k = 0; k < n; ++k) {
    order_[at(k)] = order.indices()[k];
    place_[at(order.indices()[k])] = static_cast<std::int32_t>(k);
  }
  permute(upper);
  count_columns();
  d_.resize(at(n)), work_.assign(at(n), 0.0), filled_.resize(at(n)), permuted_.resize(n);
}

void SparseLdl::permute(const Eigen::SparseMatrix<double>& upper) {
  const std::size_t n = order_.size();
  const auto column_of = [&](int i, Eigen::Index j) { return std::max(place_[at(i)], place_[at(j)]); };
  k_begin_.assign(n + 1, 0);
  for (Eigen::Index j = 0; j < upper.cols(); ++j)
    for (Eigen::SparseMatrix<double>::InnerIterator e(upper, j); e; ++e)
      ++k_begin_[at(column_of(static_cast<int>(e.row()), j)) + 1];
  for (std::size_t k = 0; k < n; ++k) k_begin_[k + 1] += k_begin_[k];
  k_row_.resize(at(upper.nonZeros())), k_.resize(k_row_.size()), slot_.resize(k_row_.size());
  std::vector<std::int32_t> next(k_begin_.begin(), k_begin_.end() - 1);
  std::size_t entry = 0;
  for (Eigen::Index j = 0; j < upper.cols(); ++j)
    for (Eigen::SparseMatrix<double>::InnerIterator e(upper, j); e; ++e, ++entry) {
      const std::int32_t slot = next[at(column_of(static_cast<int>(e.row()), j))]++;
      slot_[entry] = slot;
      k_row_[at(slot)] = std::min(place_[at(e.row())], place_[at(j)]);
    }
}

// The elimination tree and the number of entries of each column of L: row k of L has the columns on the paths from the
// entries of K's column k towards the root, up to k.
void SparseLdl::count_columns() {
  const std::size_t n = order_.size();
  parent_.assign(n, -1), mark_.assign(n, -1), path_.resize(n);
  begin_.assign(n + 1, 0);
  for (std::size_t k = 0; k < n; ++k) {
    mark_[k] = static_cast<std::int32_t>(k);
    for (std::int32_t p = k_begin_[k]; p < k_begin_[k + 1]; ++p)
      for (std::int32_t i = k_row_[at(p)]; mark_[at(i)] != static_cast<std::int32_t>(k); i = parent_[at(i)]) {
        if (parent_[at(i)] < 0) parent_[at(i)] = static_cast<std::int32_t>(k);
        ++begin_[at(i) + 1];
        mark_[at(i)] = static_cast<std::int32_t>(k);
      }
  }
  for (std::size_t k = 0; k < n; ++k) begin_[k + 1] += begin_[k];
  rows_.resize(at(begin_[n])), l_.resize(at(begin_[n]));
}

std::int64_t SparseLdl::operations() const {
  std::int64_t sum = 0;
  for (std::size_t k = 0; k + 1 < begin_.size(); ++k) sum += (begin_[k + 1] - begin_[k]) * (begin_[k + 1] - begin_[k]);
  return sum;
}

Eigen::Index SparseLdl::factor(std::span<const double> values, std::span<const std::int8_t> signs, double least) {
  const std::size_t n = order_.size();
  for (std::size_t e = 0; e < values.size(); ++e) k_[at(slot_[e])] = values[e];
  std::fill(filled_.begin(), filled_.end(), 0);
  std::fill(mark_.begin(), mark_.end(), -1);
  Eigen::Index replaced = 0;
  for (std::size_t k = 0; k < n; ++k) {
    const std::int32_t me = static_cast<std::int32_t>(k);
    std::size_t top = n;
    mark_[k] = me;
    work_[k] = 0;
    for (std::int32_t p = k_begin_[k]; p < k_begin_[k + 1]; ++p) {
      std::int32_t i = k_row_[at(p)];
      work_[at(i)] += k_[at(p)];
      std::size_t length = 0;
      for (; mark_[at(i)] != me; i = parent_[at(i)]) path_[length++] = i, mark_[at(i)] = me;
      while (length > 0) path_[--top] = path_[--length];  // descendants first
    }
    double pivot = work_[k];
    work_[k] = 0;
    for (; top < n; ++top) {
      const std::size_t i = at(path_[top]);
      const double y = work_[i];
      work_[i] = 0;
      const std::size_t first = at(begin_[i]), last = first + at(filled_[i]);
      for (std::size_t p = first; p < last; ++p) work_[at(rows_[p])] -= l_[p] * y;
      const double l = y / d_[i];
      pivot -= l * y;
      rows_[last] = me, l_[last] = l;
      ++filled_[i];
    }
    const double sign = signs[at(order_[k])];
    if (!(sign * pivot >= least)) pivot = sign * least, ++replaced;
    d_[k] = pivot;
  }
  return replaced;
}

void SparseLdl::solve(Eigen::VectorXd& b) const {
  const std::size_t n = order_.size();
  double* x = permuted_.data();
  for (std::size_t k = 0; k < n; ++k) x[k] = b[order_[k]];
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t p = at(begin_[k]); p < at(begin_[k + 1]); ++p) x[rows_[p]] -= l_[p] * x[k];
  for (std::size_t k = n; k-- > 0;) {
    double sum = x[k] / d_[k];
    for (std::size_t p = at(begin_[k]); p < at(begin_[k + 1]); ++p) sum -= l_[p] * x[rows_[p]];
    x[k] = sum;
  }
  for (std::size_t k = 0; k < n; ++k) b[order_[k]] = x[k];
}

}  // namespace touchstone

#pragma once
// A symmetric positive definite matrix A that is known by what it does to vectors: a dense matrix with its inverse, or
// factors that use a structure. The joint-space inertia of a tree of n joints has factors Lᵀ·D·L with the tree's own
// sparsity, so that a solve costs O(n·depth).
#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace touchstone {

class SymmetricOperator {
 public:
  virtual ~SymmetricOperator() = default;

  virtual std::size_t size() const = 0;
  // out = A·x and out = A⁻¹·x; `out` is no part of x. Nothing is allocated.
  virtual void multiply(std::span<const double> x, std::span<double> out) const = 0;
  virtual void solve(std::span<const double> x, std::span<double> out) const = 0;
  // A itself, size() × size() numbers.
  virtual void write(std::span<double> out) const = 0;

  // out = X·A⁻¹·Yᵀ: the block of the inverse between two sets of rows of size() numbers, row by row. With A = Lᵀ·D·L
  // one half of a solve a row is enough: (X·L⁻¹)·D⁻¹·(Y·L⁻¹)ᵀ.
  virtual void inverse_block(std::span<const double> x, std::span<const double> y, std::span<double> out) const;
};

inline void SymmetricOperator::inverse_block(std::span<const double> x, std::span<const double> y,
                                             std::span<double> out) const {
  const std::size_t n = size(), rows = x.size() / n, columns = y.size() / n;
  std::array<double, 64> near;
  std::vector<double> far(n > near.size() ? n : 0);
  const std::span<double> solved = far.empty() ? std::span(near).first(n) : std::span(far);
  for (std::size_t k = 0; k < columns; ++k) {
    solve(y.subspan(k * n, n), solved);
    for (std::size_t i = 0; i < rows; ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < n; ++j) sum += x[i * n + j] * solved[j];
      out[i * columns + k] = sum;
    }
  }
}

}  // namespace touchstone

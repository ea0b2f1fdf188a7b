#pragma once
// A symmetric positive definite matrix A that is known by what it does to vectors: a dense matrix with its inverse, or
// factors that use a structure. The joint-space inertia of a tree of n joints has factors Lᵀ·D·L with the tree's own
// sparsity, so that a solve costs O(n·depth).
#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace touchstone {

// A few numbers for the length of a call: on the stack, unless there are many.
class FewNumbers {
 public:
  explicit FewNumbers(std::size_t count) : far_(count > kNear ? count : 0), count_(count) {}
  std::span<double> all() { return {far_.empty() ? near_.data() : far_.data(), count_}; }
  double* data() { return all().data(); }

 private:
  static constexpr std::size_t kNear = 192;  // three rows of 64
  std::array<double, kNear> near_;
  std::vector<double> far_;
  std::size_t count_;
};

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
  FewNumbers solved(n);
  for (std::size_t k = 0; k < columns; ++k) {
    solve(y.subspan(k * n, n), solved.all());
    for (std::size_t i = 0; i < rows; ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < n; ++j) sum += x[i * n + j] * solved.all()[j];
      out[i * columns + k] = sum;
    }
  }
}

// xᵀ·A·x and xᵀ·A⁻¹·x.
inline double quadratic_form(const SymmetricOperator& a, std::span<const double> x) {
  FewNumbers product(x.size());
  a.multiply(x, product.all());
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * product.all()[i];
  return sum;
}
inline double inverse_form(const SymmetricOperator& a, std::span<const double> x) {
  double sum = 0;
  a.inverse_block(x, x, {&sum, 1});
  return sum;
}

}  // namespace touchstone

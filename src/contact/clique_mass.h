#pragma once
// The mass of a clique as an operator, whichever way it is kept: a dense block with its inverse (a free body, a clique
// that is made of W), or factors of a structure (math/symmetric_operator.h). Solvers ask this for everything but M.
#include <Eigen/Core>
#include <algorithm>
#include <cstdint>
#include <vector>

#include "math/symmetric_operator.h"

namespace touchstone {

class CliqueMass {
 public:
  // size × size numbers each, row by row. The inverse of a problem that came as W need not be quite symmetric.
  CliqueMass(std::uint32_t size, const double* mass, const double* inverse)
      : size_(size), mass_(mass), inverse_(inverse) {}
  explicit CliqueMass(const SymmetricOperator& factors)
      : size_(static_cast<std::uint32_t>(factors.size())), factors_(&factors) {}

  std::uint32_t size() const { return size_; }
  bool dense() const { return !factors_; }
  const double* dense_inverse() const { return inverse_; }  // null unless dense

  // out = M·v and out = M⁻¹·p.
  void multiply(const double* v, double* out) const;
  void solve(const double* p, double* out) const;
  // out = J·M⁻ᵀ for rows of size() numbers, row by row: the velocities that a unit impulse of each row makes. The block
  // of W between two sets of rows is J_1 times the response of J_2, transposed.
  void respond(std::uint32_t rows, const double* j, double* out) const;
  // M and M⁻¹ as numbers, row by row. The inverse of factors takes a solve a row: for files and tests.
  void write_mass(double* out) const;
  void write_inverse(double* out) const;

 private:
  void apply(const double* block, const double* x, double* out) const;

  std::uint32_t size_;
  const double *mass_ = nullptr, *inverse_ = nullptr;
  const SymmetricOperator* factors_ = nullptr;
};

inline void CliqueMass::apply(const double* block, const double* x, double* out) const {
  for (std::uint32_t i = 0; i < size_; ++i) {
    double sum = 0;
    for (std::uint32_t j = 0; j < size_; ++j) sum += block[i * std::size_t{size_} + j] * x[j];
    out[i] = sum;
  }
}

inline void CliqueMass::multiply(const double* v, double* out) const {
  if (dense()) return apply(mass_, v, out);
  factors_->multiply({v, size_}, {out, size_});
}

inline void CliqueMass::solve(const double* p, double* out) const {
  if (dense()) return apply(inverse_, p, out);
  factors_->solve({p, size_}, {out, size_});
}

inline void CliqueMass::respond(std::uint32_t rows, const double* j, double* out) const {
  constexpr std::uint32_t kSmall = 6, kFew = 4;  // a row with one entry in so many is taken entry by entry
  if (dense() && size_ == 6 && rows == 3) {
    using Solid = Eigen::Matrix<double, 3, 6, Eigen::RowMajor>;
    const Eigen::Map<const Eigen::Matrix<double, 6, 6, Eigen::RowMajor>> m(inverse_);
    Eigen::Map<Solid>(out).noalias() = Eigen::Map<const Solid>(j) * m.transpose();
    return;
  }
  for (std::uint32_t i = 0; i < rows; ++i, j += size_, out += size_) {
    const bool small = !dense() || size_ <= kSmall;
    if (small || kFew * (size_ - static_cast<std::uint32_t>(std::count(j, j + size_, 0.0))) >= size_) {
      solve(j, out);
      continue;
    }
    std::fill_n(out, size_, 0.0);
    for (std::uint32_t d = 0; d < size_; ++d) {
      if (j[d] == 0) continue;
      for (std::uint32_t r = 0; r < size_; ++r) out[r] += inverse_[r * std::size_t{size_} + d] * j[d];
    }
  }
}

inline void CliqueMass::write_mass(double* out) const {
  if (dense())
    std::copy_n(mass_, std::size_t{size_} * size_, out);
  else
    factors_->write({out, std::size_t{size_} * size_});
}

inline void CliqueMass::write_inverse(double* out) const {
  if (dense()) {
    std::copy_n(inverse_, std::size_t{size_} * size_, out);
    return;
  }
  std::vector<double> unit(size_, 0.0);
  for (std::uint32_t i = 0; i < size_; ++i, out += size_) {
    unit[i] = 1;
    solve(unit.data(), out);
    unit[i] = 0;
  }
}

}  // namespace touchstone

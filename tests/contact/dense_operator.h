#pragma once
// A mass as an operator that is known to be right: a dense matrix and its Cholesky factor.
#include <Eigen/Cholesky>

#include "math/symmetric_operator.h"

namespace touchstone::testing {

class DenseOperator : public SymmetricOperator {
 public:
  explicit DenseOperator(Eigen::MatrixXd matrix) : matrix_(std::move(matrix)), factor_(matrix_) {}
  std::size_t size() const override { return static_cast<std::size_t>(matrix_.rows()); }
  void multiply(std::span<const double> x, std::span<double> out) const override { map(out) = matrix_ * map(x); }
  void solve(std::span<const double> x, std::span<double> out) const override { map(out) = factor_.solve(map(x)); }
  void write(std::span<double> out) const override {
    std::copy_n(matrix_.data(), matrix_.size(), out.begin());  // symmetric
  }
  const Eigen::MatrixXd& matrix() const { return matrix_; }

 private:
  static Eigen::Map<const Eigen::VectorXd> map(std::span<const double> x) {
    return {x.data(), static_cast<Eigen::Index>(x.size())};
  }
  static Eigen::Map<Eigen::VectorXd> map(std::span<double> x) {
    return {x.data(), static_cast<Eigen::Index>(x.size())};
  }
  Eigen::MatrixXd matrix_;
  Eigen::LLT<Eigen::MatrixXd> factor_;
};

}  // namespace touchstone::testing

#pragma once
// Sparse matrices that are known by what they do to a vector: times (y = A·x) and transpose_times (y = Aᵀ·x).
// Source: [thompson2003, "Matrix Optimization"]: diagonal, block-sparse and bordered-identity matrices. Only the blocks
// are stored, row by row; clear() keeps the memory, so that matrices of the same size allocate once.
#include <Eigen/Core>
#include <cstddef>
#include <span>
#include <vector>

namespace touchstone {

class DiagonalMatrix {
 public:
  void resize(Eigen::Index n) { d_.setZero(n); }
  double& operator[](Eigen::Index i) { return d_[i]; }
  Eigen::Index rows() const { return d_.size(); }
  Eigen::Index cols() const { return d_.size(); }
  void times(const Eigen::VectorXd& x, Eigen::VectorXd& y) const { y = d_.cwiseProduct(x); }
  void transpose_times(const Eigen::VectorXd& x, Eigen::VectorXd& y) const { times(x, y); }

 private:
  Eigen::VectorXd d_;
};

class BlockSparseMatrix {
 public:
  struct Block {
    Eigen::Index row, column, rows, columns;
    std::size_t first;  // of its entries
  };

  void clear(Eigen::Index rows, Eigen::Index columns) {
    rows_ = rows, columns_ = columns;
    blocks_.clear(), entries_.clear();
  }
  // Appends a block of zeros and returns its entries, row by row, until the next call.
  std::span<double> add(Eigen::Index row, Eigen::Index column, Eigen::Index rows, Eigen::Index columns) {
    const std::size_t first = entries_.size(), count = static_cast<std::size_t>(rows * columns);
    blocks_.push_back({row, column, rows, columns, first});
    entries_.resize(first + count, 0.0);
    return std::span(entries_).subspan(first, count);
  }
  Eigen::Index rows() const { return rows_; }
  Eigen::Index cols() const { return columns_; }
  std::span<const Block> blocks() const { return blocks_; }
  std::span<const double> entries(const Block& b) const {
    return std::span(entries_).subspan(b.first, static_cast<std::size_t>(b.rows * b.columns));
  }

  void times(const Eigen::VectorXd& x, Eigen::VectorXd& y) const {
    y.setZero(rows_);
    add_times(x, y);
  }
  void transpose_times(const Eigen::VectorXd& x, Eigen::VectorXd& y) const {
    y.setZero(columns_);
    add_transpose_times(x, y);
  }
  void add_times(const Eigen::VectorXd& x, Eigen::VectorXd& y) const {
    for (const Block& b : blocks_) y.segment(b.row, b.rows).noalias() += map(b) * x.segment(b.column, b.columns);
  }
  void add_transpose_times(const Eigen::VectorXd& x, Eigen::VectorXd& y) const {
    for (const Block& b : blocks_)
      y.segment(b.column, b.columns).noalias() += map(b).transpose() * x.segment(b.row, b.rows);
  }

 private:
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  Eigen::Map<const RowMajor> map(const Block& b) const { return {&entries_[b.first], b.rows, b.columns}; }

  Eigen::Index rows_ = 0, columns_ = 0;
  std::vector<Block> blocks_;
  std::vector<double> entries_;
};

// The identity of size n with k more rows and columns: blocks in the border, that is, in the last k rows or columns.
class BorderedIdentityMatrix {
 public:
  void clear(Eigen::Index n, Eigen::Index border) {
    n_ = n;
    border_.clear(n + border, n + border);
  }
  std::span<double> add(Eigen::Index row, Eigen::Index column, Eigen::Index rows, Eigen::Index columns) {
    return border_.add(row, column, rows, columns);
  }
  Eigen::Index rows() const { return border_.rows(); }
  Eigen::Index cols() const { return border_.cols(); }
  void times(const Eigen::VectorXd& x, Eigen::VectorXd& y) const {
    start(x, y);
    border_.add_times(x, y);
  }
  void transpose_times(const Eigen::VectorXd& x, Eigen::VectorXd& y) const {
    start(x, y);
    border_.add_transpose_times(x, y);
  }

 private:
  void start(const Eigen::VectorXd& x, Eigen::VectorXd& y) const {
    y.setZero(rows());
    y.head(n_) = x.head(n_);
  }

  Eigen::Index n_ = 0;
  BlockSparseMatrix border_;
};

// A·D·Aᵀ without forming it: D symmetric.
template <class A, class D>
class GramOperator {
 public:
  GramOperator(const A& a, const D& d) : a_(a), d_(d) {}
  Eigen::Index rows() const { return a_.rows(); }
  Eigen::Index cols() const { return a_.rows(); }
  void times(const Eigen::VectorXd& x, Eigen::VectorXd& y) const {
    a_.transpose_times(x, wide_);
    d_.times(wide_, scaled_);
    a_.times(scaled_, y);
  }
  void transpose_times(const Eigen::VectorXd& x, Eigen::VectorXd& y) const { times(x, y); }

 private:
  const A& a_;
  const D& d_;
  mutable Eigen::VectorXd wide_, scaled_;
};

}  // namespace touchstone

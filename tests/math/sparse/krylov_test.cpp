// Operators that are known by their products, and the iterative methods that need no more.
#include "math/sparse/krylov.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

#include "math/sparse/operators.h"

namespace touchstone {
namespace {

template <class Matrix>
Eigen::MatrixXd dense(const Matrix& a) {
  Eigen::MatrixXd out(a.rows(), a.cols());
  Eigen::VectorXd y;
  for (Eigen::Index j = 0; j < a.cols(); ++j) {
    a.times(Eigen::VectorXd::Unit(a.cols(), j), y);
    out.col(j) = y;
  }
  return out;
}

template <class Matrix>
void expect_transposed(const Matrix& a) {
  const Eigen::MatrixXd m = dense(a);
  Eigen::VectorXd y;
  for (Eigen::Index i = 0; i < a.rows(); ++i) {
    a.transpose_times(Eigen::VectorXd::Unit(a.rows(), i), y);
    EXPECT_EQ(y, m.row(i).transpose());
  }
}

struct Random {
  std::mt19937 bits{7};
  double operator()() { return std::uniform_real_distribution<double>(-1, 1)(bits); }
  void fill(std::span<double> out) {
    for (double& x : out) x = (*this)();
  }
};

// The block at row 3, column 2 of the example in thompson2003, "Block Sparse Matrix" (counted from 1 there).
TEST(Operators, BlockSparseProductOfThePaper) {
  BlockSparseMatrix m;
  m.clear(5, 5);
  const std::span<double> block = m.add(2, 1, 2, 2);
  block[0] = 3, block[1] = 4, block[2] = 5, block[3] = 2;
  Eigen::VectorXd x(5), y;
  x << 2, 3, 4, 5, 6;
  m.times(x, y);
  EXPECT_EQ(y, (Eigen::VectorXd(5) << 0, 0, 25, 23, 0).finished());
  expect_transposed(m);
}

TEST(Operators, BorderedIdentityIsWhatItSays) {
  Random random;
  BorderedIdentityMatrix m;
  m.clear(6, 2);
  random.fill(m.add(0, 6, 3, 2));
  random.fill(m.add(6, 3, 2, 3));
  random.fill(m.add(6, 6, 2, 2));
  const Eigen::MatrixXd all = dense(m);
  EXPECT_EQ(all.topLeftCorner(6, 6), Eigen::MatrixXd::Identity(6, 6));
  EXPECT_TRUE(all.block(3, 6, 3, 2).isZero(0));
  EXPECT_FALSE(all.block(6, 3, 2, 3).isZero(0));
  expect_transposed(m);
}

TEST(Operators, GramIsTheProduct) {
  Random random;
  BlockSparseMatrix a;
  a.clear(4, 6);
  random.fill(a.add(0, 0, 2, 3)), random.fill(a.add(2, 3, 2, 3)), random.fill(a.add(2, 0, 2, 3));
  DiagonalMatrix d;
  d.resize(6);
  for (int i = 0; i < 6; ++i) d[i] = 1.5 + random();
  const GramOperator gram(a, d);
  EXPECT_TRUE(dense(gram).isApprox(dense(a) * dense(d) * dense(a).transpose(), 1e-15));
  expect_transposed(d);
}

class DenseMatrix {
 public:
  explicit DenseMatrix(Eigen::MatrixXd m) : m_(std::move(m)) {}
  Eigen::Index rows() const { return m_.rows(); }
  Eigen::Index cols() const { return m_.cols(); }
  void times(const Eigen::VectorXd& x, Eigen::VectorXd& y) const { y = m_ * x; }
  void transpose_times(const Eigen::VectorXd& x, Eigen::VectorXd& y) const { y = m_.transpose() * x; }

 private:
  Eigen::MatrixXd m_;
};

Eigen::MatrixXd random_matrix(Random& random, Eigen::Index rows, Eigen::Index columns) {
  Eigen::MatrixXd m(rows, columns);
  for (Eigen::Index i = 0; i < m.size(); ++i) m.data()[i] = random();
  return m;
}

TEST(Krylov, AgreesWithDenseFactors) {
  Random random;
  for (int n = 1; n <= 40; ++n) {
    const Eigen::MatrixXd any = random_matrix(random, n, n) + 3 * Eigen::MatrixXd::Identity(n, n);
    const Eigen::MatrixXd positive = any * any.transpose();
    const Eigen::VectorXd b = random_matrix(random, n, 1);
    KrylovWorkspace w;
    KrylovOptions o;
    o.tolerance = 1e-12;
    Eigen::VectorXd x = Eigen::VectorXd::Zero(n);
    EXPECT_EQ(conjugate_gradients(DenseMatrix(positive), b, {}, o, w, x).status, KrylovStatus::kConverged) << n;
    EXPECT_LT((positive * x - b).norm(), 1e-10 * b.norm()) << n;
    x.setZero();
    biconjugate_gradients(DenseMatrix(any), b, o, w, x);
    EXPECT_LT((any * x - b).norm(), 1e-10 * b.norm()) << n;
    EXPECT_LT((x - any.partialPivLu().solve(b)).norm(), 1e-8 * x.norm()) << n;
  }
}

// Redundant rows: the matrix is singular, and many x are right; the method finds one.
TEST(Krylov, RedundantRowsAreSolved) {
  Random random;
  for (int k = 0; k < 200; ++k) {
    const Eigen::Index rank = 1 + k % 7, n = rank + 1 + k % 5;
    const Eigen::MatrixXd half = random_matrix(random, n, rank), a = half * half.transpose();
    const Eigen::VectorXd b = a * random_matrix(random, n, 1);
    KrylovWorkspace w;
    Eigen::VectorXd x = Eigen::VectorXd::Zero(n);
    EXPECT_EQ(biconjugate_gradients(DenseMatrix(a), b, {}, w, x).status, KrylovStatus::kConverged) << k;
    EXPECT_LT((a * x - b).norm(), 1e-9 * b.norm()) << k;
  }
}

// Rows that contradict each other: the error is that of least squares, and the answer says so.
TEST(Krylov, ContradictionsEndInLeastSquares) {
  Random random;
  for (int k = 0; k < 200; ++k) {
    const Eigen::Index rank = 1 + k % 7, n = rank + 1 + k % 5;
    const Eigen::MatrixXd half = random_matrix(random, n, rank), a = half * half.transpose();
    const Eigen::VectorXd b = random_matrix(random, n, 1);
    const Eigen::VectorXd best = a.completeOrthogonalDecomposition().solve(b);
    KrylovWorkspace w;
    Eigen::VectorXd x = Eigen::VectorXd::Zero(n);
    const KrylovAnswer answer = biconjugate_gradients(DenseMatrix(a), b, {}, w, x);
    EXPECT_NE(answer.status, KrylovStatus::kConverged) << k;
    EXPECT_NEAR((a * x - b).norm(), (a * best - b).norm(), 1e-6 * b.norm()) << k;
  }
}

}  // namespace
}  // namespace touchstone

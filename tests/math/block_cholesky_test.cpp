// The sparse block factorisation against a dense one, on random graphs.
#include "math/block_cholesky.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

namespace touchstone {
namespace {

template <int N>
void compare_with_dense(std::uint32_t n, std::size_t edge_count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> real(-1, 1);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  while (n > 1 && edges.size() < edge_count) {
    const std::uint32_t a = random() % n, b = random() % n;
    if (a != b) edges.emplace_back(a, b);
  }
  BlockCholesky<N> sparse;
  ASSERT_TRUE(sparse.analyse(n, edges, 1e9));
  sparse.clear();
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(N * n, N * n);
  for (const auto& [a, b] : edges) {
    const typename BlockCholesky<N>::Block block = BlockCholesky<N>::Block::NullaryExpr([&] { return real(random); });
    sparse.add(a, b, block);
    dense.block(N * a, N * b, N, N) += block;
    dense.block(N * b, N * a, N, N) += block.transpose();
  }
  for (std::uint32_t i = 0; i < n; ++i) {
    const double weight = 1 + dense.middleRows(N * i, N).cwiseAbs().rowwise().sum().maxCoeff();
    sparse.diagonal(i) = weight * BlockCholesky<N>::Block::Identity();
    dense.block(N * i, N * i, N, N) = weight * Eigen::MatrixXd::Identity(N, N);
  }
  std::vector<typename BlockCholesky<N>::Vector> x(n);
  Eigen::VectorXd b(N * n);
  for (std::uint32_t i = 0; i < n; ++i)
    b.segment(N * i, N) = x[i] = BlockCholesky<N>::Vector::NullaryExpr([&] { return real(random); });
  ASSERT_TRUE(sparse.factor());
  sparse.solve(x);
  const Eigen::VectorXd expected = dense.ldlt().solve(b);
  for (std::uint32_t i = 0; i < n; ++i) EXPECT_LT((x[i] - expected.segment(N * i, N)).norm(), 1e-12);
}

TEST(BlockCholesky, AgreesWithADenseFactorisation) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    compare_with_dense<6>(1 + seed, 2 * seed, seed);
    compare_with_dense<3>(5 * seed, 12 * seed, 100 + seed);
  }
}

TEST(BlockCholesky, AChainCostsWhatItsLengthIs) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (std::uint32_t i = 0; i + 1 < 100; ++i) edges.emplace_back(i, i + 1);
  BlockCholesky<6> chain;
  ASSERT_TRUE(chain.analyse(100, edges, 1e9));
  EXPECT_EQ(chain.products(), 99 * 3 + 1);  // one block below each diagonal but the last
  EXPECT_FALSE(chain.analyse(100, edges, 50));
}

TEST(BlockCholesky, AMatrixThatIsNotPositiveDefiniteIsRefused) {
  BlockCholesky<3> one;
  ASSERT_TRUE(one.analyse(1, {}, 1e9));
  one.clear();
  one.diagonal(0) = -BlockCholesky<3>::Block::Identity();
  EXPECT_FALSE(one.factor());
}

}  // namespace
}  // namespace touchstone
